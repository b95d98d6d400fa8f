/**
 * Cards: how the cards of Tichu are written, named and drawn, and which of them the server lets us lay.
 *
 * There are no rules here: the server lists the legal plays.
 */

/** @typedef {Protocol.TichuCard} Card */

/** @typedef {Protocol.TichuCombination} Combination */

/**
 * The legal plays, indexed for comparison with the selection.
 *
 * @typedef {object} Plays
 * @property {number} count - How many there are.
 * @property {(labels: Iterable<string>) => boolean} has - Is exactly this set of cards one of them?
 * @property {(labels: Iterable<string>) => Set<string>} around - The cards of all plays that hold these.
 */

const Cards = (() => {
    const _SUITS = '-SBGR';
    const _VALUES = '--23456789ZBDKA';
    const _SPECIALS = ['Hu', 'Ma'];
    const _DRAGON = 15;
    const _PHOENIX = 16;
    const _TYPES = ['pass', 'single', 'pair', 'triple', 'stair', 'fullhouse', 'street', 'bomb'];

    /**
     * Write a card as its label, the word for it in a move's text.
     *
     * @param {Card} card - The card.
     * @returns {string} The label, such as `S7` or `Dr`.
     */
    function label([value, suit]) {
        if (suit === 0) {
            return value === _DRAGON ? 'Dr' : value === _PHOENIX ? 'Ph' : _SPECIALS[value];
        }
        return `${_SUITS[suit]}${_VALUES[value]}`;
    }

    /**
     * Put cards in the order in which a hand is held: the highest first.
     *
     * @param {Card[]} cards - The cards.
     * @returns {Card[]} The same cards in order.
     */
    function sorted(cards) {
        return [...cards].sort((one, other) => other[0] - one[0] || one[1] - other[1]);
    }

    /**
     * Read the cards of a move's text.
     *
     * @param {string} text - The text of a move.
     * @returns {string[] | null} The labels; null if the move lays no cards.
     */
    function played(text) {
        const words = text.split(' ');
        return words[0] === 'play' ? words.slice(1) : null;
    }

    /**
     * Index the legal plays for comparison with the selection.
     *
     * @param {string[]} legal - The texts of all legal moves.
     * @returns {Plays} The plays among them.
     */
    function plays(legal) {
        const all = legal.map(played).filter(labels => labels !== null).map(labels => new Set(labels));
        const known = new Set(all.map(_key));
        return {
            count: all.length,
            has: labels => known.has(_key(labels)),
            around(labels) {
                const wanted = [...labels];
                const lit = new Set();
                for (const play of all) {
                    if (wanted.every(one => play.has(one))) {
                        play.forEach(one => lit.add(one));
                    }
                }
                return lit;
            }
        };
    }

    /**
     * Write a set of labels so that equal sets give equal texts.
     *
     * @param {Iterable<string>} labels - The labels.
     * @returns {string} The key.
     */
    function _key(labels) {
        return [...labels].sort().join(' ');
    }

    /**
     * Name a card's value as people say it.
     *
     * @param {number} value - The value.
     * @returns {string} The name in the user's language.
     */
    function valueName(value) {
        return Words.get('cards', `value.${value}`);
    }

    /**
     * Name a card as people say it.
     *
     * @param {Card} card - The card.
     * @returns {string} The name in the user's language.
     */
    function name([value, suit]) {
        if (suit === 0) {
            return valueName(value);
        }
        // In German a jack is of another gender than a ten.
        const key = Words.has('cards', `name.${value}`) ? `name.${value}` : 'name';
        return Words.get('cards', key, {suit: Words.get('cards', `suit.${suit}`), value: valueName(value)});
    }

    /**
     * Name several cards.
     *
     * @param {Card[]} cards - The cards.
     * @returns {string} The names in the user's language.
     */
    function names(cards) {
        return cards.map(name).join(', ');
    }

    /**
     * Write a value with as few signs as fit on a sign or a small button.
     *
     * @param {number} value - The value, 2 to 14.
     * @returns {string} The sign in the user's language.
     */
    function sign(value) {
        return value > 10 ? Words.get('cards', `sign.${value}`) : String(value);
    }

    /**
     * Name a combination as people say it.
     *
     * @param {Combination} combination - The combination.
     * @param {Card[]} cards - Its cards; a single special card is named by itself.
     * @returns {string} The name in the user's language.
     */
    function combinationName([type, length, rank], cards) {
        if (_TYPES[type] === 'single' && cards.length === 1) {
            return name(cards[0]);
        }
        return Words.get('cards', `combination.${_TYPES[type]}`, {length, rank: valueName(rank)});
    }

    /**
     * Draw a card.
     *
     * @param {Card | null} card - The card; null is its back.
     * @returns {SVGSVGElement} The picture; its size is the style sheet's business.
     */
    function draw(card) {
        const picture = card === null ? 'card-back' : `card-${card[0]}-${card[1]}`;
        return Lib.drawing('svg', {class: 'card-picture', viewBox: '0 0 100 140', 'aria-hidden': 'true'},
            Lib.drawing('use', {href: Lib.symbol(picture, '/images/cards.svg')}));
    }

    return {label, sorted, played, plays, name, names, valueName, sign, combinationName, draw};
})();
