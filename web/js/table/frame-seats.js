/**
 * FrameSeats: the seats round the table of a game in turns: where they are, what their plates show, and what they say.
 */

/**
 * What the plate of a seat shows of the game.
 *
 * @typedef {object} FrameSeat
 * @property {number} count - How many cards it holds.
 * @property {HTMLElement[]} words - Small words below the name; see `Seats.word`.
 * @property {string} told - The same for screen readers.
 * @property {HTMLElement | null} [sign] - A sign at its avatar.
 * @property {boolean} [isOurs] - Does it play together with the own seat?
 * @property {boolean} [isOwner] - Has it laid what is to be beaten?
 * @property {boolean} [isOut] - Has it laid all its cards, so that it has no part in what follows?
 * @property {{name: string, draw: () => Element[]}} [open] - Its cards in words and as pictures, if they lie open.
 */

const FrameSeats = (() => {
    /** Where the other seats are, by how many there are, counter-clockwise. */
    const _PLACES = [
        [], ['top'], ['right', 'left'], ['right', 'top', 'left'], ['right', 'top-right', 'top-left', 'left']
    ];
    /** How long a bubble shows (milliseconds). */
    const _SHOWN = 4000;

    /**
     * Draw the seats round the table, each only if it has changed.
     *
     * @param {FrameTable} table - The table.
     * @param {Snapshot} snapshot - What is shown.
     */
    function draw(table, snapshot) {
        const {root, part} = table.life;
        const {player_names: names} = snapshot.public_state;
        const bottom = Math.max(snapshot.me, 0);
        const places = ['bottom', ..._PLACES[names.length - 1]];
        if (root.dataset.seats !== `${names.length} ${bottom}`) {
            root.dataset.seats = `${names.length} ${bottom}`;
            _place(table, places.slice(1));
        }
        places.forEach((place, offset) => {
            _draw(table, snapshot, (bottom + offset) % names.length, part(`.table-seat[data-place="${place}"]`));
        });
    }

    /**
     * Make the elements of the other seats.
     *
     * @param {FrameTable} table - The table.
     * @param {string[]} places - Where they are.
     */
    function _place({life: {root, part}}, places) {
        root.querySelectorAll('.table-seat:not([data-place="bottom"])').forEach(seat => seat.remove());
        for (const place of places) {
            const made = Lib.element('div', {class: 'table-seat', dataset: {place}});
            if (place.startsWith('top')) {
                part('.top-seats').prepend(made);
            }
            else {
                part('.middle').before(made);
            }
        }
    }

    /**
     * @param {FrameTable} table - The table.
     * @param {Snapshot} snapshot - What is shown.
     * @param {number} seat - A seat.
     * @param {HTMLElement} into - Its element.
     */
    function _draw({game, life}, snapshot, seat, into) {
        const state = snapshot.public_state;
        const presence = state.presences[seat];
        const {count, words, told, sign = null, isOut = false, ...of} = game.seat(snapshot, seat);
        const isAi = state.player_kinds[seat] === 'ai';
        into.dataset.seat = String(seat);
        into.dataset.team = of.isOurs ?? seat === Math.max(snapshot.me, 0) ? 'own' : 'other';
        into.dataset.presence = presence;
        into.classList.toggle('is-awaited', state.awaiting.includes(seat));
        into.classList.toggle('is-owner', of.isOwner === true);
        into.classList.toggle('is-out', isOut);
        if (presence === 'cut') {
            words.unshift(Seats.held(state.held_for[seat] ?? 0));
        }
        else if (presence === 'away') {
            words.unshift(Seats.word('away', Texts.get('lobby.away'), 'away'));
        }
        const open = seat === snapshot.me ? undefined : of.open ?? _open(life.options.hands?.[seat]?.hand);
        const description = [
            state.player_names[seat], isAi ? Texts.get('lobby.ai') : '',
            presence === 'here' ? '' : Texts.get(`lobby.${presence}`),
            isOut ? '' : Texts.get('table.cards', {count}), told
        ].filter(text => text !== '').join(', ');
        const portrait = Portraits.of(state, seat);
        if (Parts.isNew(into, [description, portrait, count, open?.name, words.map(word => word.textContent)])) {
            const held = open === undefined
                ? Seats.backs(count, game.back ?? (() => Deck.draw(null))) : Seats.openHand(open.name, open.draw());
            const plate = Seats.plate({
                name: state.player_names[seat], avatar: Portraits.avatar(state, seat), description, sign, words
            });
            const parts = [seat === snapshot.me || isOut ? null : held, plate, into.querySelector('.bubble')];
            into.replaceChildren(...parts.filter(each => each !== null));
        }
    }

    /**
     * @param {string[] | undefined} hand - The cards of a hand that lies open; undefined if it does not.
     * @returns {FrameSeat['open']} The cards in words and as pictures.
     */
    function _open(hand) {
        return hand === undefined ? undefined : {name: Deck.names(hand), draw: () => hand.map(Deck.draw)};
    }

    /**
     * Let a seat say something.
     *
     * @param {FrameTable} table - The table.
     * @param {number} seat - The seat.
     * @param {string} text - What it says.
     */
    function say(table, seat, text) {
        table.bubbles.push({seat, text, until: performance.now() + _SHOWN});
    }

    /**
     * Show what the seats say, as long as it shows.
     *
     * @param {FrameTable} table - The table.
     */
    function tick(table) {
        table.bubbles = table.bubbles.filter(bubble => bubble.until > performance.now());
        for (const seat of /** @type {NodeListOf<HTMLElement>} */ (table.life.root.querySelectorAll('.table-seat'))) {
            const said = table.bubbles.filter(bubble => bubble.seat === Number(seat.dataset.seat)).at(-1);
            Seats.bubble(seat, said?.text ?? '');
        }
    }

    return {draw, say, tick};
})();
