/**
 * Panels: the dialogs of a table. Each is open at most once, and the table may close it at any time.
 */
const Panels = (() => {
    /** @type {Map<string, HTMLDialogElement>} */
    const _open = new Map();

    /**
     * Show a dialog in the place of the one with the same name.
     *
     * @param {string} name - Its name.
     * @param {Parameters<typeof Dialog.open>[0]} options - The content.
     * @param {number} [milliseconds] - The delay after which it closes itself.
     * @returns {Promise<string | null>} The answer; empty if the user closed it, null if the table did.
     */
    async function show(name, options, milliseconds = 0) {
        close(name);
        const {element: dialog, answer} = Dialog.open({...options, name: `table-dialog ${name}-dialog`});
        _open.set(name, dialog);
        const closing = milliseconds === 0 ? 0 : window.setTimeout(() => dialog.close(), milliseconds);
        const value = await answer;
        window.clearTimeout(closing);
        if (_open.get(name) !== dialog) {
            return null;
        }
        _open.delete(name);
        return value;
    }

    /**
     * Close a dialog without an answer.
     *
     * @param {string} name - Its name.
     */
    function close(name) {
        const dialog = _open.get(name);
        _open.delete(name);
        dialog?.close('');
    }

    /** Close all dialogs without an answer. */
    function closeAll() {
        [..._open.keys()].forEach(close);
    }

    /**
     * Is a dialog open?
     *
     * @param {string} name - Its name.
     * @returns {boolean} Whether it is.
     */
    function isOpen(name) {
        return _open.has(name);
    }

    /**
     * Make a round button of a table.
     *
     * @param {string} name - The tool's name and icon.
     * @param {string} label - The label and the tooltip.
     * @param {() => void} act - Called on a click.
     * @param {boolean} [isForAll] - Do spectators and replays need it?
     * @param {string} [key] - Its key.
     * @returns {HTMLButtonElement} The button.
     */
    function tool(name, label, act, isForAll = false, key = '') {
        return Lib.element('button', {
            class: `tool${isForAll ? ' is-for-all' : ''}`, type: 'button', dataset: {tool: name}, 'aria-label': label,
            title: key === '' ? label : `${label} (${key})`, 'aria-keyshortcuts': key === '' ? null : key,
            on: {click: act}
        }, Lib.icon(name));
    }

    return {show, close, closeAll, isOpen, tool};
})();
