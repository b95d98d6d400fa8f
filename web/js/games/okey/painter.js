/**
 * OkeyPainter: draws what lies on the table besides the own rack: seats, stock, discards, and racks that are laid open.
 */
const OkeyPainter = (() => {
    const {element} = Lib;

    /** How many tiles of a discard are seen. */
    const _SEEN = 3;

    /**
     * Draw a seat: the name, the clock, and the number of tiles on the rack.
     *
     * @param {HTMLElement} place - The seat's element.
     * @param {Protocol.OkeyPublic & PublicState} table - The table.
     * @param {number} index - The seat.
     * @param {boolean} isWinner - Has it won?
     */
    function seat(place, table, index, isWinner) {
        const {player_names: names, player_kinds: kinds, presences, held_for: heldFor, held} = table;
        const presence = presences[index];
        const count = held?.[index] ?? 0;
        const isAi = kinds[index] === 'ai';
        const words = [
            presence === 'away' ? Seats.word('away', Texts.get('lobby.away')) : null,
            presence === 'cut' ? Seats.held(heldFor[index] ?? 0) : null
        ].filter(word => word !== null);
        const description = [
            names[index], isAi ? Texts.get('lobby.ai') : '', Words.table('tiles', {count}),
            presence === 'here' ? '' : Texts.get(`lobby.${presence}`)
        ].filter(part => part !== '').join(', ');
        place.dataset.seat = String(index);
        place.dataset.presence = presence;
        place.classList.toggle('is-awaited', table.awaiting.includes(index));
        place.classList.toggle('is-winner', isWinner);
        Parts.fill(place, [description, count, Portraits.of(table, index)], () => [
            Seats.plate({
                name: names[index], avatar: Portraits.avatar(table, index), description, sign: null, words
            }), _backs(count)
        ]);
    }

    /**
     * @param {number} count - How many tiles are on a rack.
     * @returns {HTMLElement} The rack from behind, with the number.
     */
    function _backs(count) {
        return element('div', {class: 'backs', 'aria-hidden': 'true'},
            element('span', {class: 'backs-row'}, ...Array.from({length: count}, () => element('i'))),
            element('b', {text: String(count)}));
    }

    /**
     * Draw the stock.
     *
     * @param {HTMLElement} button - Its button.
     * @param {number} count - How many tiles are left.
     */
    function stock(button, count) {
        const layers = Math.min(4, Math.ceil(count / 12));
        Parts.fill(button, count, () => [
            element('span', {class: 'stack', 'aria-hidden': 'true'},
                ...Array.from({length: layers}, () => Tiles.draw(null))),
            element('b', {class: 'stock-count', text: String(count), 'aria-hidden': 'true'})
        ]);
        button.setAttribute('aria-label', Words.table('stock', {count}));
    }

    /**
     * Draw a discard: its top, and the edges of some tiles below it.
     *
     * @param {HTMLElement} button - Its button.
     * @param {string[]} tiles - Its tiles, the top last.
     * @param {string} name - The player who puts there.
     */
    function pile(button, tiles, name) {
        const seen = tiles.slice(-_SEEN);
        Parts.fill(button, seen, () => seen.map(Tiles.draw));
        const top = tiles.at(-1);
        button.setAttribute('aria-label', top === undefined
            ? Words.table('pile.empty', {name})
            : Words.table('pile', {name, tile: Tiles.text(top), count: tiles.length}));
    }

    /**
     * Draw a rack that is laid open, slot by slot.
     *
     * @param {string} name - Its player.
     * @param {Slots} slots - What lies in its slots.
     * @returns {HTMLElement} The rack.
     */
    function openRack(name, slots) {
        const tiles = slots.filter(tile => tile !== null).map(tile => Tiles.text(tile ?? ''));
        const rows = Array.from({length: Rack.ROWS}, (_, row) => element('div', {class: 'rack-row'},
            ...slots.slice(row * Rack.ROW, (row + 1) * Rack.ROW)
                .map(tile => element('span', {class: 'slot'}, tile === null ? null : Tiles.draw(tile)))));
        return element('figure', {class: 'open-rack'},
            element('figcaption', {text: name}),
            element('div', {class: 'rack is-open', role: 'img', 'aria-label': `${name}: ${tiles.join(', ')}`},
                ...rows));
    }

    return {seat, stock, pile, openRack};
})();
