/**
 * Panels: the dialogs of a table. Each is open at most once, and the table may close it at any time. Those that are not
 * modal leave the focus and the keys to the table; Escape closes the newest of them.
 */
const Panels = (() => {
    /** @type {Map<string, HTMLDialogElement>} The newest is the last one. */
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
        if (options.isModal === false) {
            // Nobody is led to it by the focus.
            const told = (options.content ?? []).filter(part => part instanceof HTMLParagraphElement);
            Lib.announce([`${options.title}.`, ...told.map(part => part.textContent)].join(' '));
        }
        const value = await answer;
        window.clearTimeout(closing);
        if (_open.get(name) !== dialog) {
            return null;
        }
        _open.delete(name);
        return value;
    }

    /**
     * Show a panel that is not modal where it covers the least of the table.
     *
     * @param {HTMLElement} root - The table.
     * @param {() => Element[]} lit - Finds what the panel is about, which it never covers.
     * @param {string} name - Its name.
     * @param {Parameters<typeof Dialog.open>[0]} options - The content.
     * @param {{milliseconds?: number, isNear?: boolean}} [how] - The delay after which it closes itself, and whether it
     *     had better be near to what it is about.
     * @returns {Promise<string | null>} The answer, as `show` gives it.
     */
    async function showBeside(root, lit, name, options, {milliseconds = 0, isNear = false} = {}) {
        const closed = show(name, {...options, isModal: false}, milliseconds);
        const panel = /** @type {HTMLElement} */ (_open.get(name));
        const place = () => Beside.put(panel, root, lit(), isNear);
        panel.classList.add('is-beside');
        place();
        const leave = EventBus.on('viewManager:fitted', place);
        const answer = await closed;
        leave();
        return answer;
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
     * Find an open dialog.
     *
     * @param {string} name - Its name.
     * @returns {HTMLDialogElement | undefined} The dialog, if it is open.
     */
    function find(name) {
        return _open.get(name);
    }

    /** @param {KeyboardEvent} event - A key: Escape closes the newest panel, unless it must be answered. */
    function _press(event) {
        const panel = [..._open.values()].filter(dialog => !dialog.matches(':modal')).at(-1);
        if (event.key === 'Escape' && panel !== undefined && document.querySelector('dialog:modal') === null
            && panel.dispatchEvent(new Event('cancel', {cancelable: true}))) {
            event.preventDefault();
            event.stopPropagation();
            panel.close('');
        }
    }

    // Before the table, for which Escape has other meanings.
    document.addEventListener('keydown', _press, {capture: true});

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

    return {show, showBeside, close, closeAll, find, tool};
})();
