/**
 * OkeyMotion: how tiles get from one place to another: from the stock or a discard to a rack, and from a rack to a
 * discard. The new state is drawn at once; what is seen here only shows the way.
 */
const OkeyMotion = (() => {
    /** @typedef {{rack: Map<string, DOMRect>}} TilePlaces */

    /**
     * Note where the tiles of the rack lie, before a new state is drawn.
     *
     * @param {HTMLElement} root - The table.
     * @returns {TilePlaces} The places.
     */
    function capture(root) {
        const slots = /** @type {HTMLElement[]} */ ([...root.querySelectorAll('.slot:not([data-tile=""])')]);
        return {rack: new Map(slots.map(slot => [slot.dataset.tile ?? '', slot.getBoundingClientRect()]))};
    }

    /**
     * Show how what has happened led to what is drawn now.
     *
     * @param {HTMLElement} root - The table.
     * @param {TilePlaces} before - Where the tiles lay.
     * @param {{event: string, context: any}[]} news - What happened.
     * @param {number} bottom - The seat at the bottom.
     */
    function play(root, before, news, bottom) {
        if (!Flights.isOn()) {
            return;
        }
        for (const {event, context} of news) {
            const isOwn = context.seat === bottom;
            if (event === 'dealt') {
                _deal(root);
            }
            else if (event === 'put') {
                _put(root, before, context, bottom);
            }
            else if (event === 'drawn' || event === 'taken') {
                const from = root.querySelector(event === 'drawn'
                    ? '.stock' : `.pile[data-seat="${context.seat}"]`)?.getBoundingClientRect();
                const tile = event === 'drawn' ? null : context.tile;
                if (isOwn) {
                    const picture = root.querySelector('.slot.is-newest .tile-picture');
                    Flights.glide(/** @type {any} */ (picture), from);
                }
                else if (from !== undefined) {
                    Flights.flyAway(root, [{copy: _copy(tile), rect: from}], () => Places.of(context.seat, bottom));
                }
            }
        }
    }

    /**
     * @param {string | null} tile - A tile, or its back.
     * @returns {HTMLElement} A copy to fly.
     */
    function _copy(tile) {
        return Lib.element('span', {}, Tiles.draw(tile));
    }

    /**
     * The tiles come from the stock, one after the other.
     *
     * @param {HTMLElement} root - The table.
     */
    function _deal(root) {
        const from = root.querySelector('.stock')?.getBoundingClientRect();
        root.querySelectorAll('.slot .tile-picture').forEach((picture, index) => {
            Flights.glide(/** @type {any} */ (picture), from, index * 25);
        });
    }

    /**
     * A tile comes from the rack of the seat that put it.
     *
     * @param {HTMLElement} root - The table.
     * @param {TilePlaces} before - Where the tiles lay.
     * @param {{seat: number, tile: string}} context - Who put what.
     * @param {number} bottom - The seat at the bottom.
     */
    function _put(root, before, {seat, tile}, bottom) {
        const next = (seat + 1) % Places.ALL.length;
        const picture = root.querySelector(`.pile[data-seat="${next}"] .tile-picture:last-of-type`);
        const avatar = root.querySelector(`.table-seat[data-place="${Places.of(seat, bottom)}"] .avatar`);
        const own = seat === bottom ? before.rack.get(tile) : undefined;
        if (picture !== null) {
            Flights.glide(/** @type {any} */ (picture), own ?? avatar?.getBoundingClientRect(), 0, own ? 1 : 0.5);
        }
    }

    return {capture, play};
})();
