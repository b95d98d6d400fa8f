/**
 * Setup: what the server offers: its games with their agents and options, the phrases, the limits of time.
 */

/**
 * @typedef {object} OptionInfo
 * @property {string} name
 * @property {string} type
 * @property {any} default
 * @property {boolean} [zero] - Of a whole number: does the game take 0?
 */

/**
 * How a game's views are read.
 *
 * @typedef {object} GameLook
 * @property {string[]} cards - Every card by its label, in the order in which a hand is sorted.
 * @property {{[letter: string]: string}} suits - The suit that the first letter of a label stands for.
 * @property {{[field: string]: 'amount' | 'seat' | 'ordinal' | 'move' | 'suits' | 'slots' | 'discards'}} fields - How
 *     fields are read where the value does not tell.
 * @property {string[]} tools - On a map, the verbs that stay chosen after a move, the usual one first.
 */

/**
 * @typedef {object} GameInfo
 * @property {string} name
 * @property {string} title
 * @property {string[]} agents
 * @property {OptionInfo[]} options
 * @property {GameLook} look
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

    /**
     * How a game's views are read.
     *
     * @param {string} name - The game's name.
     * @returns {GameLook} What the server has told of it; nothing before it has told.
     */
    function look(name) {
        return game(name)?.look ?? {cards: [], suits: {}, fields: {}, tools: []};
    }

    return {
        load,
        game,
        look,
        /** @returns {SetupInfo | null} What the server offers, if it has told. */
        get known() {
            return _known;
        }
    };
})();
