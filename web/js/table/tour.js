/**
 * Tour: three hints in a person's first game of a kind, one after the other. The device remembers that they were shown.
 */
const Tour = (() => {
    /** Where the device keeps the games whose hints it has shown. */
    const _KEY = 'toured';

    /** @type {HTMLElement | null} */
    let _shown = null;

    /** @returns {string[]} The games whose hints this device has shown. */
    function _done() {
        return User.recall(_KEY) ?? [];
    }

    /**
     * Begin the tour, unless this device has shown it.
     *
     * @param {HTMLElement} root - The table.
     * @param {string} game - The game's name.
     */
    function begin(root, game) {
        if (_shown === null && !Config.BOT && !_done().includes(game) && Words.hints.length > 0) {
            _show(root, game, 0);
        }
    }

    /**
     * @param {HTMLElement} root - The table.
     * @param {string} game - The game's name.
     * @param {number} step - Which hint, from 0.
     */
    function _show(root, game, step) {
        const hints = Words.hints;
        const isLast = step === hints.length - 1;
        const next = Lib.element('button', {
            type: 'button', class: 'button main', text: Texts.get(isLast ? 'tour.done' : 'tour.next'),
            on: {click: () => isLast ? _finish(game) : _show(root, game, step + 1)}
        });
        const hadFocus = _shown?.contains(document.activeElement) ?? false;
        _shown?.remove();
        _shown = Lib.element('aside', {class: 'tour', 'aria-label': Texts.get('tour.title')},
            Lib.element('p', {text: hints[step]}),
            Lib.element('div', {class: 'tour-actions'},
                Lib.element('small', {text: Texts.get('tour.step', {step: step + 1, steps: hints.length})}),
                isLast ? null : Lib.element('button', {
                    type: 'button', class: 'button plain', text: Texts.get('tour.skip'),
                    on: {click: () => _finish(game)}
                }), next));
        Lib.byId('screen').before(_shown);
        Lib.announce(hints[step]);
        if (hadFocus) {
            next.focus();
        }
    }

    /** @param {string} game - The game whose tour is over. */
    function _finish(game) {
        User.remember(_KEY, [..._done(), game]);
        end();
    }

    /** Take the hint away; it comes again with the next table. */
    function end() {
        _shown?.remove();
        _shown = null;
    }

    return {begin, end};
})();
