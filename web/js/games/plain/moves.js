/**
 * GenericMoves: groups the legal moves of any game by what they do, so that few buttons offer them all.
 */

/**
 * A legal move in its parts.
 *
 * @typedef {object} MoveParts
 * @property {string} text - The whole.
 * @property {string} verb - What is done.
 * @property {string[]} operands - With what.
 */

const GenericMoves = (() => {
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
     * Put together the moves that are one choice: what is done is the same, only with what differs.
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
     * Is a move made at a place of a map?
     *
     * @param {MoveParts} move - The move.
     * @returns {boolean} Whether its operands are a row and a column.
     */
    function isPlaced(move) {
        return move.operands.length === 2 && move.operands.every(operand => /^\d+$/.test(operand));
    }

    /**
     * How people call a verb.
     *
     * @param {string} verb - The verb.
     * @returns {string} Its word.
     */
    function verbText(verb) {
        return Words.get('verbs', verb);
    }

    /**
     * How people call a move.
     *
     * @param {string} text - The move.
     * @returns {string} Its words.
     */
    function moveText(text) {
        const {verb, operands} = parse(text);
        const words = text.split(' ');
        const known = words.map((_, index) => words.slice(0, words.length - index).join(' '))
            .find(part => Words.has('moves', part));
        const told = operands.map(Faces.text);
        if (known !== undefined) {
            return Words.get('moves', known, Object.fromEntries(told.map((word, index) => [index + 1, word])));
        }
        return told.length === 0 ? verbText(verb) : `${verbText(verb)}: ${told.join(' ')}`;
    }

    return {parse, group, choices, isPlaced, verbText, moveText};
})();
