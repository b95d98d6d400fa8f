/**
 * FrameFlights: how things get from where they lay to where they are drawn now, at the table of a game in turns.
 */

/**
 * Where things lay before, and how they get to where they are.
 *
 * @typedef {object} FrameMotion
 * @property {HTMLElement} root - The table.
 * @property {(selector: string) => HTMLElement[]} all - Parts of the table as it is now.
 * @property {(element: HTMLElement, from: string, delay?: number, size?: number) => void} glide - Lets an element come
 *     from where `from` was: `card:` and a label, `pile:` and a name, or `seat:` and a number.
 * @property {(from: string) => DOMRect | undefined} at - Where something lay before; undefined if it was not there.
 * @property {(cards: string[], seat: number) => void} away - Lets cards of the middle fly to a seat.
 * @property {(seat: number) => HTMLElement | null} seat - The element of a seat.
 */

/**
 * Where everything lay, and copies of the cards in the middle.
 *
 * @typedef {{places: Map<string, DOMRect>, copies: Map<string, {copy: HTMLElement, rect: DOMRect}>}} FramePlaces
 */

const FrameFlights = (() => {
    /**
     * Note where everything lies.
     *
     * @param {FrameTable} table - The table.
     * @param {{event: string, context: any}[]} latest - The events that will be animated.
     * @returns {FramePlaces | null} The places; null if nothing will move.
     */
    function capture({life: {root}}, latest) {
        Flights.skip();
        if (latest.length === 0 || !Flights.isOn() || document.hidden) {
            return null;
        }
        const places = new Map();
        const copies = new Map();
        for (const each of /** @type {NodeListOf<HTMLElement>} */ (
            root.querySelectorAll('[data-card], [data-pile], .table-seat')
        )) {
            const {card, pile, seat} = each.dataset;
            const rect = each.getBoundingClientRect();
            const own = card !== undefined ? `card:${card}` : pile !== undefined ? `pile:${pile}` : `seat:${seat}`;
            places.set(own, rect);
            if (card !== undefined && each.matches('.laid-card, .middle [data-card]')) {
                copies.set(card, {copy: /** @type {HTMLElement} */ (each.cloneNode(true)), rect});
            }
        }
        return {places, copies};
    }

    /**
     * Animate what happened.
     *
     * @param {FrameTable} table - The table, drawn anew.
     * @param {{event: string, context: any}[]} latest - What happened.
     * @param {FramePlaces | null} before - Where everything lay.
     */
    function play({game, life: {root}}, latest, before) {
        if (before !== null) {
            latest.forEach(({event, context}) => game.animate(event, context, _motion(root, before)));
        }
    }

    /**
     * @param {HTMLElement} root - The table.
     * @param {FramePlaces} before - Where everything lay.
     * @returns {FrameMotion} How things get to where they are.
     */
    function _motion(root, {places, copies}) {
        const find = (/** @type {number} */ seat) => (
            /** @type {HTMLElement | null} */ (root.querySelector(`.table-seat[data-seat="${seat}"]`))
        );
        return {
            root,
            all: selector => /** @type {HTMLElement[]} */ ([...root.querySelectorAll(selector)]),
            at: from => places.get(from),
            glide: (each, from, delay, size) => Flights.glide(each, places.get(from), delay, size),
            away(cards, seat) {
                const flying = cards.map(card => copies.get(card)).filter(copy => copy !== undefined);
                Flights.flyAway(root, flying, () => find(seat)?.dataset.place ?? '');
            },
            seat: find
        };
    }

    return {capture, play};
})();
