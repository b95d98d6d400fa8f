/**
 * Setup: what the server offers: its games with their agents and options, the phrases, the limits of time.
 */

/**
 * @typedef {object} OptionInfo
 * @property {string} name
 * @property {string} type
 * @property {any} default
 */

/**
 * @typedef {object} GameInfo
 * @property {string} name
 * @property {string} title
 * @property {string[]} agents
 * @property {OptionInfo[]} options
 */

/**
 * @typedef {object} SetupInfo
 * @property {GameInfo[]} games
 * @property {string[]} phrases
 * @property {number[]} turn_limits
 */

const Setup = (() => {
    /** @type {Promise<SetupInfo> | null} */
    let _asked = null;

    /** @type {SetupInfo | null} */
    let _known = null;

    /**
     * Ask the server, once.
     *
     * @returns {Promise<SetupInfo>} What it offers.
     */
    function load() {
        if (_asked === null) {
            _asked = Lib.fetchJson('/api/setup').then(known => {
                _known = known;
                return known;
            });
            _asked.catch(() => {
                _asked = null;
            });
        }
        return _asked;
    }

    /**
     * What is known of a game.
     *
     * @param {string} name - The game's name.
     * @returns {GameInfo | undefined} It, if the server has told.
     */
    function game(name) {
        return _known?.games.find(info => info.name === name);
    }

    return {
        load,
        game,
        /** @returns {SetupInfo | null} What the server offers, if it has told. */
        get known() {
            return _known;
        }
    };
})();
