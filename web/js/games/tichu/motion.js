/**
 * TichuMotion: how things move at a table of Tichu.
 */
const TichuMotion = (() => {
    const _BOMB = 7;

    /**
     * Animate an event.
     *
     * @param {string} event - The event.
     * @param {any} context - Its context.
     * @param {FrameMotion} motion - How things move.
     * @param {Snapshot | null} before - The table before it.
     */
    function animate(event, context, motion, before) {
        const bottom = Math.max(before?.me ?? 0, 0);
        const isOwn = context.player_index === bottom;
        if (event === 'player_played') {
            _lay(context.turn, motion);
        }
        else if (event === 'trick_taken') {
            /** @type {[number, Card[]][]} */
            const trick = before?.public_state.trick ?? [];
            motion.away(trick.flatMap(([, cards]) => cards.map(Cards.label)), context.player_index);
        }
        else if (event === 'hand_cards_dealt' && isOwn) {
            const middle = motion.root.querySelector('.middle')?.getBoundingClientRect();
            motion.all('.hand-card').filter(card => motion.at(`card:${card.dataset.card}`) === undefined)
                .forEach((card, index) => Flights.glide(card, middle, index * 10, 0.5));
        }
        else if (event === 'player_schupfed' && isOwn) {
            _give(motion);
        }
        else if (event === 'start_playing') {
            _receive(motion);
        }
        else if (event === 'taken_up') {
            motion.all('.hand-card').forEach(card => motion.glide(card, `card:${card.dataset.card}`));
        }
        else if (event === 'player_announced') {
            Flights.animate(motion.seat(context.player_index)?.querySelector('.call') ?? null,
                [{scale: 3.2, opacity: 0}, {scale: 1, opacity: 1}], {duration: 420});
        }
        else if (event === 'round_over') {
            Flights.pop(motion.root.querySelector('.score'));
        }
    }

    /**
     * Cards fly from a seat to the middle.
     *
     * @param {[number, Card[], Combination]} turn - The laid cards.
     * @param {FrameMotion} motion - How things move.
     */
    function _lay([seat, cards, combination], {root, all, at, glide}) {
        const labels = cards.map(Cards.label);
        const laid = all('.top .laid-card').filter(card => labels.includes(card.dataset.card ?? ''));
        laid.forEach((card, index) => {
            const own = `card:${card.dataset.card}`;
            const isOwn = at(own) !== undefined;
            glide(card, isOwn ? own : `seat:${seat}`, Math.min(index * 14, 100), isOwn ? 1 : 0.4);
        });
        for (const card of all('.before .laid-card')) {
            // What was to be beaten lies, smaller, before its player now.
            const from = `card:${card.dataset.card}`;
            const size = (at(from)?.width ?? 0) / card.getBoundingClientRect().width;
            if (size > 1.2) {
                glide(card, from, 0, size);
            }
        }
        if (laid.length > 0 && combination[0] === _BOMB) {
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
     * The cards that are given away fly to those who get them.
     *
     * @param {FrameMotion} motion - How things move.
     */
    function _give({root, all, away}) {
        for (const zone of all('.zone')) {
            away([zone.dataset.card ?? ''], _seat(root, zone));
        }
    }

    /**
     * The received cards come from those who gave them.
     *
     * @param {FrameMotion} motion - How things move.
     */
    function _receive({root, all, glide}) {
        for (const zone of all('.zone')) {
            const card = zone.querySelector('.zone-place');
            if (card instanceof HTMLElement) {
                glide(card, `seat:${_seat(root, zone)}`, 0, 0.4);
            }
        }
    }

    /**
     * @param {HTMLElement} root - The table.
     * @param {HTMLElement} zone - A place for a card.
     * @returns {number} The seat that it is for.
     */
    function _seat(root, zone) {
        /** @type {HTMLElement | null} */
        const seat = root.querySelector(`.table-seat[data-place="${zone.dataset.place}"]`);
        return Number(seat?.dataset.seat);
    }

    return {animate};
})();
