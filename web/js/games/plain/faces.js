/**
 * Faces: shows the words by which games name their cards and suits as people know them: `H10` as ♥ 10.
 *
 * The server sends the cards of a game and the meaning of their letters; any other word is shown as it is.
 */
const Faces = (() => {
    /** @typedef {{value: string, sign: string, tone: string, name: string}} Face */

    /** @type {{[suit: string]: [string, string]}} */
    const _SIGNS = {clubs: ['♣', 'dark'], spades: ['♠', 'dark'], hearts: ['♥', 'red'], diamonds: ['♦', 'red']};

    /** @returns {GameLook} The look of the game at this table. */
    function _look() {
        return Setup.look(State.snapshot?.public_state.game ?? '');
    }

    /**
     * Find the face of a word.
     *
     * @param {string} word - The word.
     * @returns {Face | null} Its face; null if it is no card.
     */
    function of(word) {
        const {cards, suits} = _look();
        if (!cards.includes(word)) {
            return null;
        }
        const suitName = suits[word[0]];
        if (suitName === undefined) {
            // Where the suits are not the ordinary ones, the label identifies a card.
            return {value: word, sign: '', tone: 'plain', name: word};
        }
        const rank = word.slice(1);
        const [sign, tone] = _SIGNS[suitName];
        const name = `${Words.get('cards', `suit.${suitName}`)} ${Words.get('cards', `rank_name.${rank}`)}`;
        return {value: Words.get('cards', `rank.${rank}`), sign, tone, name};
    }

    /**
     * Where a word belongs among others: cards as the game sorts them, others last.
     *
     * @param {string} word - The word.
     * @returns {number} The lower, the further left.
     */
    function order(word) {
        const place = _look().cards.indexOf(word);
        return place < 0 ? 1000 : place;
    }

    /**
     * Find the sign of a suit's letter.
     *
     * @param {string} letter - The letter.
     * @returns {string} The sign with the suit's name; the letter itself if it is no suit.
     */
    function suit(letter) {
        const name = _look().suits[letter];
        return name === undefined ? letter : `${_SIGNS[name][0]} ${Words.get('cards', `suit.${name}`)}`;
    }

    /**
     * Write a word for people.
     *
     * @param {string} word - A card, or any word.
     * @returns {string} The word as it is read.
     */
    function text(word) {
        const face = of(word);
        if (face === null) {
            return Words.has('words', word) ? Words.get('words', word) : suit(word);
        }
        return face.sign === '' ? face.name : `${face.sign} ${face.value}`;
    }

    /**
     * Draw a word as a card.
     *
     * @param {string} word - The word.
     * @param {(() => void) | null} [act] - Called on a tap; without it, the card is no button.
     * @param {string} [label] - The accessible name of the tap.
     * @returns {HTMLElement} The card.
     */
    function draw(word, act = null, label = '') {
        const face = of(word);
        const shown = face ?? {value: text(word), sign: '', tone: 'plain', name: text(word)};
        const content = [
            Lib.element('b', {text: shown.value, 'aria-hidden': 'true'}),
            Lib.element('i', {text: shown.sign, 'aria-hidden': 'true'})
        ];
        const attributes = {class: `chip ${shown.tone}`, dataset: {word}};
        if (act !== null) {
            return Lib.element('button', {
                ...attributes, type: 'button', 'aria-label': label === '' ? shown.name : label, on: {click: act}
            }, ...content);
        }
        return Lib.element('span', attributes,
            ...content, Lib.element('span', {class: 'visually-hidden', text: shown.name}));
    }

    return {of, order, suit, text, draw};
})();
