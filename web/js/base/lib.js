/**
 * Lib: small things that several modules need: making elements, announcing, fetching.
 */
const Lib = (() => {
    /**
     * Make an element. Text only ever becomes text, never markup.
     *
     * @template {keyof HTMLElementTagNameMap} T
     * @param {T} tag - The element's name.
     * @param {{[key: string]: any}} [attributes] - Its attributes; `class`, `text`, `dataset` and `on` (listeners by
     *     event) are understood; true is an attribute without a value, false and null leave it out.
     * @param {...(Node | string | null)} children - The children.
     * @returns {HTMLElementTagNameMap[T]} The element.
     */
    function element(tag, attributes = {}, ...children) {
        const made = document.createElement(tag);
        for (const [name, value] of Object.entries(attributes)) {
            if (name === 'text') {
                made.textContent = value;
            }
            else if (name === 'dataset') {
                Object.assign(made.dataset, value);
            }
            else if (name === 'on') {
                for (const [event, listener] of Object.entries(value)) {
                    made.addEventListener(event, /** @type {EventListener} */ (listener));
                }
            }
            else if (value !== false && value !== null && value !== undefined) {
                made.setAttribute(name, value === true ? '' : String(value));
            }
        }
        made.append(...children.filter(child => child !== null));
        return made;
    }

    /**
     * Make an element of a drawing.
     *
     * @template {keyof SVGElementTagNameMap} T
     * @param {T} tag - The element's name.
     * @param {{[key: string]: string | number}} attributes - Its attributes.
     * @param {...Node} children - The children.
     * @returns {SVGElementTagNameMap[T]} The element.
     */
    function drawing(tag, attributes, ...children) {
        const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
        for (const [name, value] of Object.entries(attributes)) {
            made.setAttribute(name, String(value));
        }
        made.append(...children);
        return made;
    }

    /**
     * Make a picture from the sheet of icons.
     *
     * @param {string} name - The icon's name.
     * @returns {SVGSVGElement} The picture; it says nothing to screen readers.
     */
    function icon(name) {
        return drawing('svg', {class: 'icon', 'aria-hidden': 'true'},
            drawing('use', {href: symbol(name, '/images/icons.svg')}));
    }

    /**
     * Make a round button that shows only an icon.
     *
     * @param {string} name - The icon's name.
     * @param {string} label - The label and the tooltip.
     * @param {() => void} act - Does it.
     * @returns {HTMLButtonElement} The button.
     */
    function iconButton(name, label, act) {
        return element('button', {
            type: 'button', class: 'button icon-only', 'aria-label': label, title: label, on: {click: act}
        }, icon(name));
    }

    /** What a server adds to the name of a file: a hash of its content. */
    const _HASH = /-[0-9a-f]{16}(?=\.\w+$)/;

    /** @type {Map<string, string>} The addresses of all files that the page names, by their names in its folder. */
    const _addresses = new Map();

    /**
     * Say where a file is found. The page names all its files, as a server calls them in this version of the page.
     *
     * @param {string} file - The file by its name in the page's folder.
     * @returns {string} Its address.
     */
    function address(file) {
        if (_addresses.size === 0) {
            const templates = [...document.querySelectorAll('template')].map(template => template.content);
            for (const part of [document, ...templates]) {
                for (const link of part.querySelectorAll('link[href]')) {
                    const named = link.getAttribute('href') ?? '';
                    _addresses.set(named.replace(_HASH, ''), named);
                }
            }
        }
        return _addresses.get(file) ?? file;
    }

    /** @type {Map<string, string>} The sheets in the page, with the prefix of their symbols. */
    const _sheets = new Map();

    /**
     * Say where a symbol is found.
     *
     * @param {string} name - The symbol's name.
     * @param {string} file - Its sheet, by its name in the page's folder.
     * @returns {string} The address of the symbol.
     */
    function symbol(name, file) {
        const sheet = address(file);
        const prefix = _sheets.get(sheet);
        return prefix === undefined ? `${sheet}#${name}` : `#${prefix}${name}`;
    }

    /**
     * Inline a sheet of symbols into the page: otherwise a browser requests the file with each picture. Pictures that
     * are drawn meanwhile appear with it.
     *
     * @param {string} sheet - The sheet's address.
     * @returns {Promise<void>} Done when it is there. It fails if there is none, or no network.
     */
    async function keepSheet(sheet) {
        const prefix = `${sheet.replace(/\W/g, '-')}-`;
        _sheets.set(sheet, prefix);
        const response = await fetch(sheet);
        if (!response.ok) {
            _sheets.delete(sheet);
            throw new Error(`${sheet} cannot be loaded.`);
        }
        const parsed = new DOMParser().parseFromString(await response.text(), 'image/svg+xml').documentElement;
        for (const part of parsed.querySelectorAll('*')) {
            for (const {name, value} of [...part.attributes]) {
                if (name === 'id') {
                    part.id = prefix + value;
                }
                else if (name === 'href' && value.startsWith('#')) {
                    part.setAttribute(name, `#${prefix}${value.slice(1)}`);
                }
                else if (value.includes('url(#')) {
                    part.setAttribute(name, value.replaceAll('url(#', `url(#${prefix}`));
                }
            }
        }
        // What uses its symbols has copies of them; nothing of the sheet itself is laid out.
        parsed.style.display = 'none';
        document.body.append(document.adoptNode(parsed));
    }

    /**
     * Shorten a name to the letter that stands for it on a small sign.
     *
     * @param {string} name - A player's name.
     * @returns {string} Its first letter.
     */
    function initial(name) {
        return ([...name][0] ?? '').toUpperCase();
    }

    /**
     * Write a number as it is printed, with a true minus sign.
     *
     * @param {number} value - The number.
     * @returns {string} Its text.
     */
    function number(value) {
        return value < 0 ? `−${-value}` : String(value);
    }

    /**
     * Find an element that must be there.
     *
     * @param {string} id - Its id.
     * @returns {HTMLElement} The element.
     */
    function byId(id) {
        const found = document.getElementById(id);
        if (found === null) {
            throw new Error(`The page has no element ${id}.`);
        }
        return found;
    }

    /**
     * Announce a text to screen readers.
     *
     * @param {string} text - The text.
     */
    function announce(text) {
        // A new paragraph each time, so that a repeated text is announced again.
        const announcer = byId('announcer');
        announcer.append(element('p', {text}));
        while (announcer.childElementCount > 5) {
            announcer.firstElementChild?.remove();
        }
    }

    /** How long messages of each kind are shown (milliseconds). */
    const _SHOWN = {plain: 3500, error: 6000, said: 9000, word: 20000};

    /**
     * Show a short message for some seconds.
     *
     * @param {string} text - The message.
     * @param {'plain' | 'error' | 'said' | 'word'} [kind] - Is it an error, what somebody said, or a word of the
     *     operator?
     */
    function toast(text, kind = 'plain') {
        const shown = element('div', {class: `toast ${kind}`, text});
        byId('toasts').append(shown);
        window.setTimeout(() => shown.remove(), _SHOWN[kind]);
    }

    /** Take away the short messages that are shown; errors stay. */
    function endToasts() {
        byId('toasts').querySelectorAll('.plain').forEach(shown => shown.remove());
    }

    /** The server has answered that there is no document. */
    class FetchError extends Error {
        /**
         * @param {string} path - The address of the document.
         * @param {number} status - The answer.
         */
        constructor(path, status) {
            super(`${path}: ${status}`);
            this.status = status;
        }
    }

    /**
     * Fetch a JSON document.
     *
     * @param {string} path - Its address.
     * @returns {Promise<any>} The document. It fails with a {@link FetchError}, or with an error of the network.
     */
    async function fetchJson(path) {
        const response = await fetch(path, {headers: {Accept: 'application/json'}});
        if (!response.ok) {
            throw new FetchError(path, response.status);
        }
        return response.json();
    }

    return {
        element, drawing, icon, iconButton, address, symbol, initial, number, byId, announce, toast, endToasts,
        fetchJson, keepSheet, FetchError
    };
})();
