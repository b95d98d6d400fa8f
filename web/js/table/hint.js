/**
 * Hint: shows the strongest agent's move and why, beside what it lights, until something happens. The table stays as it
 * is, and so do the focus and the keys.
 */
const Hint = (() => {
    const _NAME = 'hint';
    /** How long it is shown (milliseconds). */
    const _SHOWN = 12000;

    /**
     * Show a hint.
     *
     * @param {HTMLElement} root - The table.
     * @param {string} move - The move in words.
     * @param {string} reason - Why.
     * @param {Element[]} lit - What it is made with, which is not covered.
     */
    function show(root, move, reason, lit) {
        void Panels.showBeside(root, () => lit, _NAME, {
            title: move, content: [Lib.element('p', {text: reason})],
            actions: [{value: '', text: Texts.get('close'), kind: 'plain'}]
        }, {milliseconds: _SHOWN});
    }

    /** Something has happened: the hint is old. */
    function close() {
        Panels.close(_NAME);
    }

    return {show, close};
})();
