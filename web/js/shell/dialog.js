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
 * @property {string} [key] - Its key.
 */

const Dialog = (() => {
    /**
     * Show a dialog. The browser keeps the focus in a modal one, and Escape closes it with an empty answer; one that is
     * not modal never takes the focus, and whoever opens it reads its keys.
     *
     * @param {object} options - The content.
     * @param {string} options.title - The heading.
     * @param {(Node | string)[]} [options.content] - The content below the heading.
     * @param {DialogAction[]} options.actions - The buttons; in a modal dialog, the last one gets the focus
     *     if there is nothing to fill in.
     * @param {string} [options.name] - A class of its own.
     * @param {boolean} [options.isModal] - False lets the table behind stay usable.
     * @param {boolean} [options.mustAnswer] - May it be closed only by a button?
     * @returns {{element: HTMLDialogElement, answer: Promise<string>}} The dialog and, later, the value of the button.
     */
    function open({title, content = [], actions, name = '', isModal = true, mustAnswer = false}) {
        const heading = Lib.element('h2', {text: title, id: `dialog-${++_count}`});
        const buttons = actions.map(({value, text, kind = 'plain', key = null}) => Lib.element('button', {
            class: `button ${kind}`, value, text, type: 'submit', 'aria-keyshortcuts': key
        }));
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
            if (element.querySelector('input, select') === null) {
                buttons.at(-1)?.focus();
            }
        }
        else {
            // Not by `show`, which moves the focus.
            element.open = true;
            _giveBack(element);
        }
        return {element, answer};
    }

    let _count = 0;

    /**
     * Let the focus, once it was put into a dialog, go back to where it was when the dialog closes.
     *
     * @param {HTMLDialogElement} dialog - A dialog that is not modal; the browser does it for the others.
     */
    function _giveBack(dialog) {
        /** @type {EventTarget | null} */
        let before = null;
        const isInside = (/** @type {EventTarget | null} */ part) => part instanceof Node && dialog.contains(part);
        dialog.addEventListener('focusin', ({relatedTarget}) => {
            before = isInside(relatedTarget) ? before : relatedTarget;
        });
        dialog.addEventListener('focusout', ({relatedTarget}) => {
            before = relatedTarget === null || isInside(relatedTarget) ? before : null;
        });
        dialog.addEventListener('close', () => {
            const focused = document.activeElement;
            if (before instanceof HTMLElement && (focused === document.body || isInside(focused))) {
                before.focus();
            }
        });
    }

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
