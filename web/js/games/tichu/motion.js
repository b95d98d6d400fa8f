/**
 * Motion: the animations of a table of Tichu. `capture` notes all positions before a view is drawn, `play` animates
 * from there.
 */

/**
 * Where things lay before.
 *
 * @typedef {object} Places
 * @property {Map<string, DOMRect>} cards - By label: hand, middle and zones.
 * @property {Map<string, DOMRect>} seats - By place.
 * @property {{copy: HTMLElement, rect: DOMRect}[]} laid - The cards of the trick.
 * @property {{copy: HTMLElement, rect: DOMRect, place: string}[]} given - The cards in the zones.
 */

const Motion = (() => {
    /**
     * Note where everything lies.
     *
     * @param {HTMLElement} root - The table.
     * @param {{event: string, context: any}[]} news - The events since the last render; nothing moves without any.
     * @returns {Places | null} The places; null if nothing will move.
     */
    function capture(root, news) {
        Flights.skip();
        if (news.length === 0 || !Flights.isOn() || document.hidden) {
            return null;
        }
        const rect = (/** @type {Element} */ element) => element.getBoundingClientRect();
        const all = (/** @type {string} */ selector) => _all(root, selector);
        const copy = (/** @type {HTMLElement} */ element) => (
            {copy: /** @type {HTMLElement} */ (element.cloneNode(true)), rect: rect(element)}
        );
        return {
            cards: new Map(all('.hand-card, .laid-card').map(card => [card.dataset.card ?? '', rect(card)])),
            seats: new Map(all('.table-seat').map(seat => [seat.dataset.place ?? '', rect(seat)])),
            laid: all('.laid-card').map(copy),
            given: all('.zone .card-picture').map(card => ({
                ...copy(card), place: /** @type {HTMLElement} */ (card.closest('.zone')).dataset.place ?? ''
            }))
        };
    }

    /**
     * @param {HTMLElement} root - The table.
     * @param {string} selector - Which parts.
     * @returns {HTMLElement[]} The parts.
     */
    function _all(root, selector) {
        return /** @type {HTMLElement[]} */ ([...root.querySelectorAll(selector)]);
    }

    /**
     * Animate the events.
     *
     * @param {HTMLElement} root - The table as it is now.
     * @param {Places | null} before - Where everything lay.
     * @param {{event: string, context: any}[]} news - The events since the last render, oldest first.
     * @param {number} bottom - The seat at the bottom.
     */
    function play(root, before, news, bottom) {
        if (before === null) {
            return;
        }
        const place = (/** @type {number} */ seat) => ['bottom', 'right', 'top', 'left'][(seat - bottom + 4) % 4];
        for (const {event, context} of news) {
            if (event === 'player_played') {
                _lay(root, before, place(context.turn[0]), context.turn);
            }
            else if (event === 'trick_taken') {
                Flights.flyAway(root, before.laid, () => place(context.player_index));
            }
            else if (event === 'hand_cards_dealt' && context.player_index === bottom) {
                _deal(root, before);
            }
            else if (event === 'player_schupfed' && context.player_index === bottom) {
                Flights.flyAway(root, before.given, card => /** @type {any} */ (card).place);
            }
            else if (event === 'start_playing') {
                _receive(root, before);
            }
            else if (event === 'taken_up') {
                _takeUp(root, before);
            }
            else if (event === 'player_announced') {
                _call(root, place(context.player_index));
            }
            else if (event === 'round_over') {
                Flights.pop(root.querySelector('.score'));
            }
        }
    }

    /**
     * Cards fly from a seat to the middle.
     *
     * @param {HTMLElement} root - The table.
     * @param {Places} before - Where everything lay.
     * @param {string} place - The acting seat's place.
     * @param {[number, Card[], Combination]} turn - The laid cards.
     */
    function _lay(root, before, place, [, cards, combination]) {
        const labels = cards.map(Cards.label);
        const laid = _all(root, '.top .laid-card').filter(card => labels.includes(card.dataset.card ?? ''));
        laid.forEach((card, index) => {
            const own = before.cards.get(card.dataset.card ?? '');
            const from = own ?? before.seats.get(place);
            Flights.glide(card, from, Math.min(index * 14, 100), own === undefined ? 0.4 : 1);
        });
        for (const card of _all(root, '.before .laid-card')) {
            // What was to be beaten lies, smaller, before its player now.
            const from = before.cards.get(card.dataset.card ?? '');
            const size = (from?.width ?? 0) / card.getBoundingClientRect().width;
            if (size > 1.2) {
                Flights.glide(card, from, 0, size);
            }
        }
        if (laid.length > 0 && combination[0] === 7) {
            _bomb(root);
        }
    }

    /**
     * A bomb shakes the table and lights it.
     *
     * @param {HTMLElement} root - The table.
     */
    function _bomb(root) {
        const shake = [0, -14, 12, -9, 6, 0].map(x => ({translate: `${x / 42}em ${-x / 84}em`}));
        Flights.animate(root.querySelector('.middle'), shake, {duration: 420, delay: 140, easing: 'linear'});
        const flash = Lib.element('div', {class: 'flash'});
        const light = [{opacity: 0}, {opacity: 0.85, offset: 0.2}, {opacity: 0}];
        Flights.fly(root, flash, light, {duration: 420, delay: 140});
    }

    /**
     * New cards come from the middle.
     *
     * @param {HTMLElement} root - The table.
     * @param {Places} before - Where everything lay.
     */
    function _deal(root, before) {
        const middle = root.querySelector('.middle')?.getBoundingClientRect();
        const dealt = _all(root, '.hand-card').filter(card => !before.cards.has(card.dataset.card ?? ''));
        dealt.forEach((card, index) => Flights.glide(card, middle, index * 10, 0.5));
    }

    /**
     * The received cards come from those who gave them.
     *
     * @param {HTMLElement} root - The table.
     * @param {Places} before - Where everything lay.
     */
    function _receive(root, before) {
        for (const zone of _all(root, '.zone')) {
            const card = /** @type {HTMLElement | null} */ (zone.querySelector('.zone-place'));
            if (card !== null) {
                Flights.glide(card, before.seats.get(zone.dataset.place ?? ''), 0, 0.4);
            }
        }
    }

    /**
     * The received cards go into the hand.
     *
     * @param {HTMLElement} root - The table.
     * @param {Places} before - Where everything lay.
     */
    function _takeUp(root, before) {
        const middle = before.given[1]?.rect;
        for (const card of _all(root, '.hand-card')) {
            Flights.glide(card, before.cards.get(card.dataset.card ?? '') ?? middle);
        }
    }

    /**
     * A call is seen by all.
     *
     * @param {HTMLElement} root - The table.
     * @param {string} place - The acting seat's place.
     */
    function _call(root, place) {
        Flights.animate(root.querySelector(`.table-seat[data-place="${place}"] .call`),
            [{scale: 3.2, opacity: 0}, {scale: 1, opacity: 1}], {duration: 420});
    }

    return {capture, play};
})();
