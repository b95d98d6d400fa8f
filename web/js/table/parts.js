/**
 * Parts: draws parts of a table in place. What shows the same as before stays: an element that is replaced loses its
 * focus, and a press that has begun on it never becomes a click.
 */
const Parts = (() => {
    /** @type {WeakMap<Element, string>} What each part shows, and which child of a part one is, as a key. */
    const _shown = new WeakMap();

    /**
     * Note what a part shows, and tell whether it must be drawn for that.
     *
     * @param {Element} part - The part.
     * @param {any} content - All that it shows, as data.
     * @returns {boolean} Whether it shows something else, or in another language.
     */
    function isNew(part, content) {
        const key = JSON.stringify([Texts.language, content]);
        const isOther = _shown.get(part) !== key;
        _shown.set(part, key);
        return isOther;
    }

    /**
     * Fill a part, unless it shows the same already.
     *
     * @param {Element} part - The part.
     * @param {any} content - All that it shows, as data.
     * @param {() => (Node | null)[]} draw - Makes its children.
     */
    function fill(part, content, draw) {
        if (isNew(part, content)) {
            part.replaceChildren(...draw().filter(child => child !== null));
        }
    }

    /**
     * Give a part its children by keys: one whose key is there already stays, and is not moved unless it must be.
     *
     * @param {Element} part - The part.
     * @param {{key: string, draw: () => HTMLElement}[]} wanted - Its children from now on; of equal keys, each is a
     *     child of its own.
     * @returns {HTMLElement[]} The children.
     */
    function keep(part, wanted) {
        const old = /** @type {HTMLElement[]} */ ([...part.children]);
        const children = wanted.map(({key, draw}) => {
            const at = old.findIndex(child => _shown.get(child) === key);
            const child = at < 0 ? draw() : old.splice(at, 1)[0];
            _shown.set(child, key);
            return child;
        });
        old.forEach(gone => gone.remove());
        children.forEach((child, index) => {
            if (part.children[index] !== child) {
                part.insertBefore(child, part.children[index] ?? null);
            }
        });
        return children;
    }

    return {isNew, fill, keep};
})();
