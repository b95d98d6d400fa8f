/**
 * Files: loads files that the entrance does not need. The page names them in templates: `<template id="files-NAME">`
 * holds links to style sheets, scripts, and links to sheets of symbols (`rel="prefetch"`).
 *
 * The server names files by their content, so it no longer has those of a page that was loaded before an upgrade. Such
 * a page loads itself anew when it needs one that the browser has not kept: no table is made of two versions.
 */
const Files = (() => {
    const _ID = 'files-';

    /** @type {Map<string, Promise<void>>} The loads, started or done, by address. */
    const _loads = new Map();

    /**
     * Is there such a template?
     *
     * @param {string} name - Its name.
     * @returns {boolean} Whether the page has it.
     */
    function has(name) {
        return document.getElementById(_ID + name) instanceof HTMLTemplateElement;
    }

    /**
     * Load the files of a template, each of them once; scripts run in their order.
     *
     * @param {string} name - The template's name.
     * @returns {Promise<void>} Done when all are loaded. After a failure, the next call tries again what is missing.
     */
    async function load(name) {
        try {
            await _loadAll(name);
        }
        catch (error) {
            if (await _isOld()) {
                window.location.reload();
                // Nobody is told of a failure by a page that is going.
                await new Promise(() => {});
            }
            throw error;
        }
    }

    /** @returns {Promise<boolean>} Does the server have another version of the page? */
    async function _isOld() {
        const {version} = document.documentElement.dataset;
        if (version === undefined) {
            return false;
        }
        const page = await fetch('/', {cache: 'no-cache'}).catch(() => null);
        return page !== null && page.ok && !(await page.text()).includes(`data-version="${version}"`);
    }

    /** @param {string} name - The name of a template whose files are loaded. */
    async function _loadAll(name) {
        const template = /** @type {HTMLTemplateElement} */ (Lib.byId(_ID + name));
        const inert = [...template.content.querySelectorAll('link, script')];
        await Promise.all(inert.map(element => {
            const source = element.getAttribute('src') ?? element.getAttribute('href') ?? '';
            const loading = _loads.get(source) ?? _start(element, source);
            _loads.set(source, loading);
            loading.catch(() => _loads.delete(source));
            return loading;
        }));
    }

    /**
     * @param {Element} inert - A link or a script of a template.
     * @param {string} source - Its address.
     * @returns {Promise<void>} Done when it is loaded.
     */
    function _start(inert, source) {
        if (inert instanceof HTMLLinkElement && inert.rel === 'prefetch') {
            return Lib.keepSheet(source);
        }
        const made = inert instanceof HTMLScriptElement
            ? Object.assign(Lib.element('script', {src: source}), {async: false})
            : Lib.element('link', {rel: 'stylesheet', href: source});
        return new Promise((resolve, reject) => {
            made.addEventListener('load', () => resolve());
            made.addEventListener('error', () => reject(new Error(`${source} cannot be loaded.`)));
            document.head.append(made);
        });
    }

    return {has, load};
})();
