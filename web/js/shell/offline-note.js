/**
 * OfflineNote: says at the entrance that the server cannot be reached, and what is possible without it.
 */
const OfflineNote = (() => {
    /** @type {HTMLElement | null} */
    let _note = null;
    let _ask = () => {};

    // The network is back: nobody needs to press the button.
    window.addEventListener('online', () => {
        if (_note?.isConnected && !_note.hidden) {
            _ask();
        }
    });

    /**
     * Make the note.
     *
     * @param {() => void} retry - Asks the server again.
     * @returns {HTMLElement} The note, hidden.
     */
    function create(retry) {
        _ask = retry;
        const note = Lib.element('div', {class: 'card offline', role: 'status', hidden: true},
            Lib.element('h2', {text: Texts.get('unreachable')}),
            Lib.element('p', {text: Texts.get('offline.possible')}),
            Lib.element('div', {class: 'buttons'},
                Lib.element('a', {class: 'button plain', href: '/mine', text: Texts.get('mine.title')}),
                Lib.element('button', {
                    type: 'button', class: 'button main', text: Texts.get('offline.retry'), on: {click: retry}
                })));
        _note = note;
        return note;
    }

    /** Show the note; without a server, the games cannot be played. */
    function show() {
        _toggle(true);
    }

    /** Hide the note. */
    function hide() {
        _toggle(false);
    }

    /** @param {boolean} isOffline - Can the server not be reached? */
    function _toggle(isOffline) {
        if (_note !== null) {
            _note.hidden = !isOffline;
        }
        document.body.classList.toggle('is-offline', isOffline);
    }

    return {create, show, hide};
})();
