/**
 * User: the name, seat and settings of the person in this browser. Kept in the browser only.
 *
 * The session is kept for the tab, so that a reload resumes, and for the browser, so that a reopened tab does, too.
 */

/**
 * @typedef {object} Session
 * @property {string} sessionId
 * @property {string} tableName
 * @property {string} playerName
 * @property {string} [invitation] - The invitation of a private table.
 */

/**
 * @typedef {object} Settings
 * @property {'auto' | 'de' | 'en'} language
 * @property {'auto' | 'bright' | 'dark'} theme
 * @property {'four-colour' | 'two-colour' | 'colour-safe'} deck
 * @property {number} volume - 0 to 100.
 * @property {boolean} muted
 * @property {'auto' | 'full' | 'reduced'} motion
 * @property {string} portrait - The picture by which the others see them; empty for none.
 * @property {boolean} openTricks - Do tricks lie open, with their points, where they lie face down at a real table?
 */

const User = (() => {
    const _SESSION = 'tisch.session';
    const _SETTINGS = 'tisch.settings';
    const _NAME = 'tisch.name';
    const _GAME = 'tisch.game';

    /** @type {Settings} */
    const _DEFAULTS = {
        language: 'auto', theme: 'auto', deck: 'four-colour', volume: 60, muted: false, motion: 'auto',
        portrait: '', openTricks: false
    };

    /**
     * Read a stored value; a browser that refuses storage counts as empty.
     *
     * @param {() => Storage} storage - Where; asking for it may already fail.
     * @param {string} key - The key.
     * @returns {any} The value, or null.
     */
    function _read(storage, key) {
        try {
            return JSON.parse(storage().getItem(key) ?? 'null');
        }
        catch {
            return null;
        }
    }

    /**
     * Store something, if the browser lets us.
     *
     * @param {() => Storage} storage - Where.
     * @param {string} key - The key.
     * @param {any} value - The value; null removes it.
     */
    function _write(storage, key, value) {
        try {
            if (value === null) {
                storage().removeItem(key);
            }
            else {
                storage().setItem(key, JSON.stringify(value));
            }
        }
        catch {
            // A private window may refuse to store: then it is forgotten, and all else works.
        }
    }

    const _tab = () => window.sessionStorage;
    const _browser = () => window.localStorage;

    /** @type {Settings} */
    let _settings = {..._DEFAULTS, ..._read(_browser, _SETTINGS)};

    return {
        /** @returns {Settings} How the user likes it. */
        get settings() {
            return _settings;
        },
        /**
         * Change some settings.
         *
         * @param {Partial<Settings>} changes - The changes.
         */
        change(changes) {
            _settings = {..._settings, ...changes};
            _write(_browser, _SETTINGS, _settings);
            EventBus.emit('user:settings', _settings);
        },
        /** @returns {string} The name that was used last. */
        get name() {
            return _read(_browser, _NAME) ?? '';
        },
        set name(value) {
            _write(_browser, _NAME, value);
        },
        /** @returns {string} The game that was chosen last. */
        get game() {
            return _read(_browser, _GAME) ?? '';
        },
        set game(value) {
            _write(_browser, _GAME, value);
        },
        /**
         * Values that a table keeps on this device.
         *
         * @param {string} key - A key of the table's own.
         * @returns {any} What was kept; null if nothing was.
         */
        recall(key) {
            return _read(_browser, `tisch.${key}`);
        },
        /**
         * Keep something on this device.
         *
         * @param {string} key - A key of the table's own.
         * @param {any} value - What to keep; null forgets it.
         */
        remember(key, value) {
            _write(_browser, `tisch.${key}`, value);
        },
        /** @returns {Session | null} The seat that this tab holds. */
        get session() {
            return _read(_tab, _SESSION);
        },
        set session(value) {
            const old = _read(_tab, _SESSION);
            _write(_tab, _SESSION, value);
            // Another tab may have another seat by now: only the own one is forgotten.
            if (value !== null || _read(_browser, _SESSION)?.sessionId === old?.sessionId) {
                _write(_browser, _SESSION, value);
            }
        },
        /** @returns {Session | null} The seat that was taken last in this browser, by whatever tab. */
        get lastSession() {
            return _read(_browser, _SESSION);
        }
    };
})();
