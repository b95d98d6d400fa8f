/**
 * Dialog: shows a question or a form above everything and returns the choice.
 */

/**
 * A button of a dialog.
 *
 * @typedef {object} DialogAction
 * @property {string} value - The dialog's answer.
 * @property {string} text - The label.
 * @property {'main' | 'plain' | 'danger'} [kind] - How it looks.
 */

const Dialog = (() => {
    /**
     * Show a dialog. The browser keeps the focus in it, and Escape closes it with an empty answer.
     *
     * @param {object} options - The content.
     * @param {string} options.title - The heading.
     * @param {(Node | string)[]} [options.content] - The content below the heading.
     * @param {DialogAction[]} options.actions - The buttons; the last one gets the focus
     *     if there is nothing to fill in.
     * @param {string} [options.name] - A class of its own.
     * @param {boolean} [options.isModal] - False lets the table behind stay usable.
     * @param {boolean} [options.mustAnswer] - May it be closed only by a button?
     * @returns {{element: HTMLDialogElement, answer: Promise<string>}} The dialog and, later, the value of the button.
     */
    function open({title, content = [], actions, name = '', isModal = true, mustAnswer = false}) {
        const heading = Lib.element('h2', {text: title, id: `dialog-${++_count}`});
        const buttons = actions.map(({value, text, kind = 'plain'}) =>
            Lib.element('button', {class: `button ${kind}`, value, text, type: 'submit'}));
        const form = Lib.element('form', {method: 'dialog'},
            heading, ...content, Lib.element('div', {class: 'dialog-actions'}, ...buttons));
        const element = Lib.element('dialog', {class: `dialog ${name}`, 'aria-labelledby': heading.id}, form);
        element.addEventListener('cancel', event => {
            if (mustAnswer) {
                event.preventDefault();
            }
        });
        /** @type {Promise<string>} */
        const answer = new Promise(resolve => {
            element.addEventListener('close', () => {
                element.remove();
                resolve(element.returnValue);
            });
        });
        document.body.append(element);
        if (isModal) {
            element.showModal();
        }
        else {
            element.show();
        }
        if (element.querySelector('input, select') === null) {
            buttons.at(-1)?.focus();
        }
        return {element, answer};
    }

    let _count = 0;

    /**
     * Ask a question.
     *
     * @param {string} title - The question.
     * @param {string} text - The explanation.
     * @param {DialogAction[]} actions - The possible answers.
     * @returns {Promise<string>} The value of the answer; empty if there was none.
     */
    function ask(title, text, actions) {
        return open({title, content: [Lib.element('p', {text})], actions}).answer;
    }

    return {open, ask};
})();
