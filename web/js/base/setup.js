/**
 * Setup: the server's games with their agents and options, the phrases and the time limits.
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
 * @property {{[field: string]: string}} fields - How fields are read where the value does not tell; see `look.py`.
 * @property {string[]} whose - The fields of an event that name the seat it is about; the first one present counts.
 * @property {{[word: string]: {sign: string, colour: string}}} glyphs - How words in cells of boards are drawn.
 * @property {{[field: string]: GridLook}} grids - The look of each board, by its field.
 */

/**
 * The look of a board: how its cells are called, and which moves are made on it.
 *
 * @typedef {object} GridLook
 * @property {'letters' | 'numbers'} columns - How its columns are called.
 * @property {'letters' | 'numbers'} rows - How its rows are called.
 * @property {boolean} is_upward - Are the rows counted from the bottom?
 * @property {{[verb: string]: string[]}} moves - What the operands of moves name: cell, column, row or nothing.
 */

/**
 * @typedef {object} GameInfo
 * @property {string} name
 * @property {string} title - How it is called in the language of the page.
 * @property {{[language: string]: string}} titles - How it is called, by language.
 * @property {{[language: string]: string}} summaries - One sentence about it, by language.
 * @property {number} seats - How many there are by default.
 * @property {string[]} agents
 * @property {boolean} judged - Are decisions of it judged?
 * @property {boolean} has_tour - Has it a short game from which one learns?
 * @property {string[]} levels - The levels that people choose, the weakest first.
 * @property {OptionInfo[]} options
 * @property {{[name: string]: {[option: string]: any}}} presets - Options to choose from by a name.
 * @property {GameLook} look
 */

/**
 * @typedef {object} SetupInfo
 * @property {GameInfo[]} games
 * @property {string[]} phrases
 * @property {number[]} turn_limits
 * @property {string[]} portraits - The pictures that people choose for themselves.
 */

const Setup = (() => {
    /** @type {Promise<SetupInfo> | null} */
    let _asked = null;

    /** @type {SetupInfo | null} */
    let _known = null;

    /**
     * Ask the server, once.
     *
     * @returns {Promise<SetupInfo>} The setup.
     */
    function load() {
        if (_asked === null) {
            _asked = Lib.fetchJson('/api/setup').then((/** @type {SetupInfo} */ known) => {
                known.games.forEach(_translate);
                _known = known;
                return known;
            });
            _asked.catch(() => {
                _asked = null;
            });
        }
        return _asked;
    }

    /** @param {GameInfo} info - A game, whose title follows the language of the page from now on. */
    function _translate(info) {
        const {title} = info;
        Object.defineProperty(info, 'title', {get: () => info.titles[Texts.language] ?? title, enumerable: true});
    }

    /**
     * Find a game.
     *
     * @param {string} name - The game's name.
     * @returns {GameInfo | undefined} The game, if the setup is loaded.
     */
    function game(name) {
        return _known?.games.find(info => info.name === name);
    }

    /**
     * How a game's views are read.
     *
     * @param {string} name - The game's name.
     * @returns {GameLook} Its look; an empty one before the setup is loaded.
     */
    function look(name) {
        return game(name)?.look ?? {cards: [], suits: {}, fields: {}, whose: [], glyphs: {}, grids: {}};
    }

    return {
        load,
        game,
        look,
        /** @returns {SetupInfo | null} The setup, if it is loaded. */
        get known() {
            return _known;
        }
    };
})();
