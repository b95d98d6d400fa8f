/**
 * Rules: shows a game's summary and its rules in brief.
 */
const Rules = (() => {
    /**
     * Make the button that shows the rules of the game whose words were loaded last.
     *
     * @returns {HTMLButtonElement} The button.
     */
    function button() {
        return Lib.element('button', {
            type: 'button', class: 'button plain', text: Texts.get('rules.show'), on: {click: _open}
        });
    }

    /** Show the rules. */
    function _open() {
        const paragraphs = Words.rules.flatMap(({heading, text}) => [
            Lib.element('h3', {text: heading}), Lib.element('p', {text})
        ]);
        Dialog.open({
            title: Texts.get('rules.title'), name: 'rules',
            content: [
                Lib.element('div', {
                    class: 'rules-text', tabindex: 0, role: 'group', 'aria-label': Texts.get('rules.title')
                }, Lib.element('p', {text: Words.summary}), ...paragraphs)
            ],
            actions: [{value: '', text: Texts.get('close'), kind: 'main'}]
        });
    }

    return {button};
})();
