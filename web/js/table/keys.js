/**
 * Keys: what the keys of a table do. A button declares its key by `aria-keyshortcuts`, and that is what binds it. The
 * buttons of panels that lie over the table come before its own. At every table, ? opens the rules, and Enter does what
 * the lit button says, unless it presses what has the focus.
 */
const Keys = (() => {
    const _BOUND = '[aria-keyshortcuts]:enabled';
    const _LIT = '.main:enabled';

    /**
     * Press the button whose key was pressed.
     *
     * @param {HTMLElement} root - The table.
     * @param {KeyboardEvent} event - The key.
     * @param {{[key: string]: () => void}} [others] - What keys do that no button has now; their names in lower case.
     */
    function press(root, event, others = {}) {
        const target = /** @type {HTMLElement} */ (event.target);
        const key = event.key.toLowerCase();
        if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || event.defaultPrevented
            || document.querySelector('dialog:modal') !== null || target.closest('input, select, textarea') !== null
            // Enter presses what has the focus.
            || key === 'enter' && target !== document.body) {
            return;
        }
        const buttons = /** @type {HTMLElement[]} */ ([
            ...document.querySelectorAll(`dialog[open] ${_BOUND}`), ...root.querySelectorAll(_BOUND)
        ]);
        const button = buttons.find(one => (
            one.getAttribute('aria-keyshortcuts')?.toLowerCase().split(' ').includes(key) && one.checkVisibility()));
        const lit = /** @type {HTMLElement[]} */ ([...root.querySelectorAll(_LIT)]).find(one => one.checkVisibility());
        /** @type {{[key: string]: (() => void) | undefined}} */
        const common = {'?': Rules.open, enter: lit === undefined ? undefined : () => lit.click()};
        const act = button === undefined ? others[key] ?? common[key] : () => button.click();
        if (act !== undefined) {
            event.preventDefault();
            act();
        }
    }

    return {press};
})();
