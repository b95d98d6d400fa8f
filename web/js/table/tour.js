/**
 * Tour: three hints in a person's first game of a kind, one after the other. The device remembers that they were shown.
 */
const Tour = (() => {
    /** Where the device keeps the games whose hints it has shown. */
    const _KEY = 'toured';
    const _NAME = 'tour';

    /** @returns {string[]} The games whose hints this device has shown. */
    function _done() {
        return User.recall(_KEY) ?? [];
    }

    /**
     * Begin the tour, unless this device has shown it. If the table closes it, it comes again with the next one.
     *
     * @param {HTMLElement} root - The table.
     * @param {string} game - The game's name.
     */
    async function begin(root, game) {
        const hints = Words.hints;
        const open = Panels.find(_NAME);
        if (open !== undefined) {
            // What is played now may lie where it is.
            Beside.put(open, root);
        }
        else if (!Config.BOT && !_done().includes(game) && hints.length > 0) {
            const closed = Panels.showBeside(root, [], _NAME, {
                title: _title(0), content: [Lib.element('p', {text: hints[0]})],
                actions: [
                    {value: '', text: Texts.get('tour.skip')},
                    {value: 'next', text: Texts.get('tour.next'), kind: 'main'}
                ]
            });
            _lead(/** @type {HTMLElement} */ (Panels.find(_NAME)), hints);
            if (await closed !== null) {
                User.remember(_KEY, [..._done(), game]);
            }
        }
    }

    /**
     * @param {number} step - Which hint, from 0.
     * @returns {string} What is written above it.
     */
    function _title(step) {
        return Texts.get('tour.step', {step: step + 1, steps: Words.hints.length});
    }

    /**
     * Let the main button lead from one hint to the next; after the last one it closes the panel.
     *
     * @param {HTMLElement} panel - The panel, which shows the first.
     * @param {string[]} hints - All of them.
     */
    function _lead(panel, hints) {
        const [title, text, skip, next] = ['h2', 'p', '.plain', '.main'].map(selector => (
            /** @type {HTMLElement} */ (panel.querySelector(selector))));
        let step = 0;
        next.addEventListener('click', event => {
            step += 1;
            if (step === hints.length) {
                return;
            }
            event.preventDefault();
            title.textContent = _title(step);
            text.textContent = hints[step];
            Lib.announce(hints[step]);
            if (step === hints.length - 1) {
                skip.hidden = true;
                next.textContent = Texts.get('tour.done');
            }
        });
    }

    return {begin};
})();
