/**
 * Moves: takes the legal moves of any game apart, and groups them by what they do, so that few buttons offer them all.
 */

/**
 * A legal move in its parts.
 *
 * @typedef {object} MoveParts
 * @property {string} text - The whole.
 * @property {string} verb - What is done.
 * @property {string[]} operands - With what.
 */

const Moves = (() => {
    /**
     * Take a move apart.
     *
     * @param {string} text - The move.
     * @returns {MoveParts} Its parts.
     */
    function parse(text) {
        const [verb, ...operands] = text.split(' ');
        return {text, verb, operands};
    }

    /**
     * Group moves by their verb.
     *
     * @param {string[]} legal - The moves.
     * @returns {Map<string, MoveParts[]>} The groups, in the order of their first moves.
     */
    function group(legal) {
        /** @type {Map<string, MoveParts[]>} */
        const groups = new Map();
        for (const move of legal.map(parse)) {
            groups.set(move.verb, [...groups.get(move.verb) ?? [], move]);
        }
        return groups;
    }

    /**
     * Put together the moves that are one choice: the verb is the same, and only one operand differs.
     *
     * @param {MoveParts[]} moves - The moves.
     * @returns {MoveParts[][]} The choices, and each other move by itself.
     */
    function choices(moves) {
        return [...group(moves.map(move => move.text)).values()].flatMap(same => (
            same.length > 2 && same.every(move => move.operands.length === 1) ? [same] : same.map(move => [move])
        ));
    }

    /**
     * Put a move into the game's words: those for its text, for how it begins, or for its verb.
     *
     * @param {string} text - The move.
     * @param {(word: string) => string} write - Writes an operand for people.
     * @returns {string} Its words.
     */
    function words(text, write) {
        const {verb, operands} = parse(text);
        const told = operands.map(write);
        const beginnings = [text, ...operands.map((_, index) => text.split(' ').slice(0, -1 - index).join(' '))];
        const known = beginnings.find(beginning => Words.has('moves', beginning));
        if (known !== undefined) {
            return Words.get('moves', known, Object.fromEntries(told.map((word, index) => [index + 1, word])));
        }
        return [Words.get('verbs', verb), told.join(' ')].filter(part => part !== '').join(': ');
    }

    return {parse, group, choices, words};
})();
