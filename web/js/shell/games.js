/**
 * Games: the tables of the games. A game with a table of its own has a folder `js/games/NAME`, another one for its
 * styles, and a template `files-game-NAME` in the page that lists both; all other games share the plain table. A game's
 * files are loaded with its table.
 */

/**
 * How a game is told in words.
 *
 * @typedef {object} Speech
 * @property {(event: string, context: any, snapshot: Snapshot) => string} of - An event; empty if it need not be said.
 * @property {(text: string, snapshot: Snapshot) => string} move - A move, as it may be made at that moment.
 * @property {(name: string, value: string, snapshot: Snapshot) => string} word - A value that a refusal names, such as
 *     `card`, as people read it.
 */

/**
 * All that the shell asks of a game: a view that draws its table (see {@link View}), and its speech. At a running table
 * the shell calls `render` with each state and `notify` with each event; a replay calls the same two with the moments
 * of a finished game, and tells its steps by `speech`. A table may suggest an answer to the open request.
 *
 * @typedef {View & {speech: Speech, suggest?: (snapshot: Snapshot) => ServerAnswer | null,
 *     picture?: (word: string) => Element | null,
 *     lobby?: (table: PublicState) => HTMLElement | undefined}} GameTable - `picture` draws a card or the like for
 *     the page of the rules, by its word; `lobby` draws what the game adds to its lobby.
 */

const Games = (() => {
    const _PLAIN = 'plain';

    /** @type {Map<string, GameTable>} */
    const _tables = new Map();

    /**
     * Register a table; the last file of a game's folder does so.
     *
     * @param {string} name - The game's name, or `plain`.
     * @param {GameTable} made - Its table.
     */
    function register(name, made) {
        _tables.set(name, made);
    }

    /**
     * @param {string} game - A game's name.
     * @returns {string} The folder that its table comes from.
     */
    function _folder(game) {
        return Files.has(`game-${game}`) ? game : _PLAIN;
    }

    /**
     * Load all that the table of a game needs.
     *
     * @param {string} game - The game's name.
     * @returns {Promise<GameTable>} The table.
     */
    async function load(game) {
        await Promise.all([Files.load('table'), Files.load('portraits'), Files.load(`game-${_folder(game)}`)]);
        return /** @type {GameTable} */ (table(game));
    }

    /**
     * Find the table of a game.
     *
     * @param {string} game - The game's name.
     * @returns {GameTable | null} The table; null before it is loaded.
     */
    function table(game) {
        return _tables.get(_folder(game)) ?? null;
    }

    return {register, load, table};
})();
