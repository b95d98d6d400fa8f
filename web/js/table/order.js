/**
 * Order: how a person holds the cards of a hand, if not as the table sorts them. The device keeps it up to the next
 * deal.
 */
const Order = (() => {
    const _KEPT = 'order';

    /**
     * @param {string} game - A game.
     * @returns {string[]} The cards as they were held last, by their labels; empty if the table sorts them.
     */
    function _own(game) {
        const kept = User.recall(_KEPT);
        return kept?.game === game ? kept.cards : [];
    }

    /**
     * Hold a hand as the person wants it; what is new comes behind the card that it follows where the table sorts.
     *
     * @param {string} game - The game.
     * @param {string[]} sorted - The cards as the table sorts them.
     * @returns {string[]} The same as they are held.
     */
    function of(game, sorted) {
        const held = _own(game).filter(card => sorted.includes(card));
        if (held.length * 2 < sorted.length || held.length === 0) {
            // Another hand was dealt.
            return sorted;
        }
        sorted.forEach((card, index) => {
            if (!held.includes(card)) {
                held.splice(held.indexOf(sorted[index - 1]) + 1, 0, card);
            }
        });
        return held;
    }

    /**
     * Hold a hand in another order.
     *
     * @param {string} game - The game.
     * @param {string[]} cards - The cards; none to hold it as the table sorts it.
     */
    function keep(game, cards) {
        User.remember(_KEPT, cards.length === 0 ? null : {game, cards});
    }

    /**
     * Put a card elsewhere.
     *
     * @param {string} game - The game.
     * @param {string[]} cards - The hand as it is held.
     * @param {string} card - The card.
     * @param {number} place - Its new place, from 0.
     */
    function put(game, cards, card, place) {
        const others = cards.filter(one => one !== card);
        keep(game, [...others.slice(0, place), card, ...others.slice(place)]);
    }

    /**
     * @param {string} game - A game.
     * @returns {boolean} Is a hand of it held otherwise than the table sorts it?
     */
    function isOwn(game) {
        return _own(game).length > 0;
    }

    return {of, keep, put, isOwn};
})();
