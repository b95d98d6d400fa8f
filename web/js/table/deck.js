/**
 * Deck: the cards of a game that is played with the French deck, as the server describes them: pictures and names.
 *
 * The server sends each card's label and the suit that its first letter stands for; the rest of it is the rank.
 */
const Deck = (() => {
    const _SHEET = '/images/french.svg';

    /** @returns {GameLook} The look of the game at this table. */
    function _look() {
        return Setup.look(State.snapshot?.public_state.game ?? Words.game);
    }

    /**
     * Is a word a card?
     *
     * @param {string} word - The word.
     * @returns {boolean} Whether it is.
     */
    function has(word) {
        return _look().cards.includes(word);
    }

    /**
     * Name a card as people say it.
     *
     * @param {string} label - The card.
     * @returns {string} The name in the user's language.
     */
    function name(label) {
        const rank = Words.get('cards', `rank_name.${label.slice(1)}`);
        return Texts.get('table.card_name', {suit: suitName(label[0]), rank});
    }

    /**
     * Name several cards.
     *
     * @param {string[]} labels - The cards.
     * @returns {string} The names in the user's language.
     */
    function names(labels) {
        return labels.map(name).join(', ');
    }

    /**
     * Name a suit.
     *
     * @param {string} letter - Its letter.
     * @returns {string} The name in the user's language.
     */
    function suitName(letter) {
        return Words.get('cards', `suit.${_look().suits[letter]}`);
    }

    /**
     * Write a word of the game for people.
     *
     * @param {string} word - A card, the letter of a suit, or any other word.
     * @returns {string} The text.
     */
    function write(word) {
        if (has(word)) {
            return name(word);
        }
        return word in _look().suits ? suitName(word) : Words.has('words', word) ? Words.get('words', word) : word;
    }

    /**
     * Put cards in the order in which the game sorts them.
     *
     * @param {string[]} labels - The cards.
     * @returns {string[]} The same cards in order.
     */
    function sorted(labels) {
        const {cards} = _look();
        return [...labels].sort((one, other) => cards.indexOf(one) - cards.indexOf(other));
    }

    /**
     * Draw a card.
     *
     * @param {string | null} label - The card; null is its back.
     * @returns {SVGSVGElement} The picture; its size is the style sheet's business.
     */
    function draw(label) {
        const symbol = label === null ? 'card-back' : `${_look().suits[label[0]]}-${label.slice(1)}`;
        return _use('card-picture', '0 0 100 140', symbol);
    }

    /**
     * Draw a suit.
     *
     * @param {string} letter - Its letter.
     * @returns {SVGSVGElement} The picture.
     */
    function drawSuit(letter) {
        return _use('suit-picture', '0 0 24 24', `suit-${_look().suits[letter]}`);
    }

    /**
     * @param {string} kind - The picture's class.
     * @param {string} viewBox - Its box.
     * @param {string} symbol - The symbol's name.
     * @returns {SVGSVGElement} The picture.
     */
    function _use(kind, viewBox, symbol) {
        return Lib.drawing('svg', {class: kind, viewBox, 'aria-hidden': 'true'},
            Lib.drawing('use', {href: Lib.symbol(symbol, _SHEET)}));
    }

    return {has, name, names, suitName, write, sorted, draw, drawSuit};
})();
