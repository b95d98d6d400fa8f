/**
 * Texts: every word that the application says, in German and in English.
 */
const Texts = (() => {
    /** @typedef {'de' | 'en'} Language */

    /** @type {Record<Language, Record<string, string>>} */
    const _all = {
        de: {
            'loading': 'Einen Moment …'
        },
        en: {
            'loading': 'One moment …'
        }
    };

    /** @type {Language} */
    let _language = 'de';

    /**
     * Choose the language.
     *
     * @param {'auto' | Language} wanted - The language; `auto` is the browser's.
     */
    function choose(wanted) {
        const own = window.navigator.languages.map(tag => tag.slice(0, 2)).find(tag => tag === 'de' || tag === 'en');
        _language = wanted === 'auto' ? /** @type {Language} */ (own ?? 'en') : wanted;
        document.documentElement.lang = _language;
    }

    /**
     * Find a text.
     *
     * @param {string} key - Its key.
     * @param {{[key: string]: string | number}} [values] - What stands for the words in braces.
     * @returns {string} The text; a key that is not there is given back as it is.
     */
    function get(key, values = {}) {
        const text = _all[_language][key] ?? key;
        return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ''));
    }

    /**
     * Is there such a text?
     *
     * @param {string} key - Its key.
     * @returns {boolean} Whether there is.
     */
    function has(key) {
        return key in _all[_language];
    }

    /**
     * Add the texts of a part that is loaded later.
     *
     * @param {Record<Language, Record<string, string>>} texts - The texts by language.
     */
    function add(texts) {
        Object.assign(_all.de, texts.de);
        Object.assign(_all.en, texts.en);
    }

    return {
        choose,
        get,
        has,
        add,
        /**
         * All texts, for the tests.
         *
         * @returns {Record<Language, Record<string, string>>} The texts by language.
         */
        get all() {
            return _all;
        },
        /**
         * The language that is spoken.
         *
         * @returns {Language} The language.
         */
        get language() {
            return _language;
        }
    };
})();
