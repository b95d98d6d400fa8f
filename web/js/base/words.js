/**
 * Words: the words of a game, in the language of the page. The server sends them by `/api/games/NAME`; none of them are
 * in the page's own files. The words are those of the game that was loaded last; until its words in a new language have
 * come, they are those of the old one.
 */

/**
 * The words of a game by section and key; words in braces stand for values.
 *
 * @typedef {object} GameTexts
 * @property {{[option: string]: {name: string, help: string}}} options
 * @property {{[agent: string]: {name: string, help: string}}} agents
 * @property {{[preset: string]: {name: string, help: string}}} presets
 * @property {{[level: string]: {name: string, help: string}}} levels
 * @property {{[verb: string]: string}} verbs - Verbs, by the first word of a move's text.
 * @property {{[move: string]: string}} moves - Moves for which the verb alone is not enough, by their text or how it
 *     begins; `{1}` is the first word after the verb.
 * @property {{[field: string]: string}} fields - How the fields of a view are called.
 * @property {{[name: string]: string}} events - Sentences for events; `you ` before the name marks the one for the
 *     player who acted. An empty text means silence.
 * @property {{[key: string]: string}} cards
 * @property {{[word: string]: string}} words - Other words that stand in views and events.
 * @property {{[reason: string]: string}} outcomes - How a game ended, by the server's sentence.
 * @property {{[reason: string]: string}} refusals - Why a move is refused, by the server's sentence or error code.
 * @property {{heading: string, text: string, picture?: string[]}[]} rules - The rules in brief; a picture is made of
 *     cards or the like, by their words.
 * @property {{[tip: string]: {title: string, text: string}}} tour - What a person should know in their first game, by
 *     the names of the tips; `end` is said when it is over.
 * @property {{[key: string]: string}} shortcuts - What keys do at the game's own table.
 * @property {{[verb: string]: string}} doubts - What moves cost that are easily made by mistake, by their verb.
 * @property {{payoff: string}} [analysis] - What the numbers of an analysis count.
 * @property {{[key: string]: string}} table - Texts that only the game's own table uses.
 */

/**
 * The short game from which one learns, and what is said when: see `python/tisch/ports/tour.py`.
 *
 * @typedef {{name: string, asked: string[], unless: string[], after: string}} TourTip
 * @typedef {{seed: string, tips: TourTip[]}} TourInfo
 */

const Words = (() => {
    /** @type {Map<string, Promise<void>>} The requests, by address. */
    const _asked = new Map();

    /**
     * @typedef {{summary: string, tour: TourInfo | null, texts: GameTexts}} Told
     * @type {Map<string, Told>} The loaded words, by game and language.
     */
    const _known = new Map();

    /** @type {Set<string>} The missing words that were reported. */
    const _missed = new Set();

    let _game = '';

    /**
     * Load the words of a game in the language of the page, once; all lookups refer to this game from now on.
     *
     * @param {string} game - The game's name.
     * @returns {Promise<void>} Done when they are there. After a failure, the next call tries again.
     */
    function load(game) {
        _game = game;
        const {language} = Texts;
        const path = `/api/games/${encodeURIComponent(game)}?language=${language}`;
        const asked = _asked.get(path) ?? Lib.fetchJson(path).then(told => {
            _known.set(`${game} ${language}`, told);
        });
        _asked.set(path, asked);
        asked.catch(() => _asked.delete(path));
        return asked;
    }

    /** @returns {Told | undefined} The words of the game. */
    function _told() {
        const languages = [Texts.language, 'de', 'en'];
        return languages.map(language => _known.get(`${_game} ${language}`)).find(told => told !== undefined);
    }

    /**
     * Are the words of a game known?
     *
     * @param {string} game - The game's name.
     * @returns {boolean} Whether it was loaded last, and its words have come.
     */
    function isKnown(game) {
        return game === _game && _told() !== undefined;
    }

    /**
     * @param {keyof GameTexts} section - A section.
     * @param {string} key - A key in it.
     * @returns {any} The entry.
     */
    function _find(section, key) {
        const texts = /** @type {{[section: string]: any} | undefined} */ (_told()?.texts);
        return texts?.[section]?.[key];
    }

    /**
     * Is there such a text?
     *
     * @param {keyof GameTexts} section - Its section.
     * @param {string} key - Its key.
     * @returns {boolean} Whether there is.
     */
    function has(section, key) {
        return _find(section, key) !== undefined;
    }

    /**
     * Find a text.
     *
     * @param {keyof GameTexts} section - Its section.
     * @param {string} key - Its key.
     * @param {{[key: string]: string | number}} [values] - The values of the placeholders in braces.
     * @returns {string} The text. A key without a text is a fault of the game; people see nothing of it.
     */
    function get(section, key, values = {}) {
        const text = _find(section, key);
        if (text === undefined) {
            _miss(`The game '${_game}' has no word for '${key}' among its ${section}.`);
            return '';
        }
        return Texts.fill(text, values);
    }

    /** @param {string} fault - The error; it is logged once. */
    function _miss(fault) {
        if (!_missed.has(fault)) {
            _missed.add(fault);
            console.error(fault);
        }
    }

    /**
     * Find a text that only the game's own table says.
     *
     * @param {string} key - Its key.
     * @param {{[key: string]: string | number}} [values] - The values of the placeholders in braces.
     * @returns {string} The text.
     */
    function table(key, values) {
        return get('table', key, values);
    }

    /**
     * Describe an option, an agent, a level or a preset.
     *
     * @param {'options' | 'agents' | 'levels' | 'presets'} section - Which of them.
     * @param {string} name - Its name.
     * @returns {{name: string, help: string}} How people call it, and a sentence about it.
     */
    function about(section, name) {
        return _find(section, name) ?? {name: get(section, name), help: ''};
    }

    /**
     * @param {string} name - The name of a tip.
     * @returns {{title: string, text: string}} Its words.
     */
    function tip(name) {
        return _find('tour', name) ?? {title: '', text: ''};
    }

    /**
     * Tell an event.
     *
     * @param {string} event - The event's name.
     * @param {{[key: string]: string | number}} values - The values of the placeholders in braces.
     * @param {boolean} isOwn - Is it for the player who acted?
     * @returns {string} A sentence; empty if the game tells nothing of it, or has no word for it.
     */
    function tell(event, values, isOwn) {
        const own = _find('events', `you ${event}`);
        if (isOwn && own !== undefined && Texts.names(own).every(name => name in values)) {
            return Texts.fill(own, values);
        }
        return Texts.fill(_find('events', event) ?? '', values);
    }

    /**
     * Put a sentence of the rules into words.
     *
     * @param {'refusals' | 'outcomes'} section - Why a move is refused, or how a game ended.
     * @param {string} reason - The sentence, as the server tells it.
     * @param {(name: string, value: string) => string} write - Writes a value of the sentence for people.
     * @param {number} [me] - The player's own seat: a text named `you …` is for them.
     * @returns {string} The game's sentence for people; empty if it has none.
     */
    function sentence(section, reason, write, me = -1) {
        /** @type {{[pattern: string]: string}} */
        const texts = _told()?.texts[section] ?? {};
        for (const [pattern, plain] of Object.entries(texts)) {
            const source = pattern.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{(\w+)\}/g, '(?<$1>.+)');
            const found = new RegExp(`^${source}$`).exec(reason);
            if (found !== null) {
                const isOwn = found.groups?.seat === String(me);
                const text = isOwn ? texts[`you ${pattern}`] ?? plain : plain;
                const values = Object.entries(found.groups ?? {}).map(([name, value]) => [name, write(name, value)]);
                return Texts.fill(text, Object.fromEntries(values));
            }
        }
        return '';
    }

    return {
        load,
        isKnown,
        has,
        get,
        table,
        about,
        tip,
        tell,
        sentence,
        /** @returns {string} One sentence about the game; empty before it is known. */
        get summary() {
            return _told()?.summary ?? '';
        },
        /** @returns {string} The game whose words were loaded last. */
        get game() {
            return _game;
        },
        /** @returns {TourInfo | null} The game from which one learns; null without one. */
        get tour() {
            return _told()?.tour ?? null;
        },
        /** @returns {boolean} Was the last game at this table the one from which one learns? */
        get isTourOver() {
            return State.outcome !== null && State.outcome.seed === _told()?.tour?.seed;
        },
        /** @returns {[string, string][]} What keys do: each key with its use. */
        get shortcuts() {
            return Object.entries(_told()?.texts.shortcuts ?? {});
        },
        /** @returns {{heading: string, text: string, picture?: string[]}[]} The rules in brief. */
        get rules() {
            return _told()?.texts.rules ?? [];
        }
    };
})();
