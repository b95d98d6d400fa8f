/**
 * Places: where seats and discards are round the table. Play goes counter-clockwise: the next seat is on the right.
 */
const Places = (() => {
    const ALL = ['bottom', 'right', 'top', 'left'];

    /**
     * Find the place of a seat.
     *
     * @param {number} seat - The seat.
     * @param {number} bottom - The seat at the bottom.
     * @returns {string} Its place.
     */
    function of(seat, bottom) {
        return ALL[(seat - bottom + ALL.length) % ALL.length];
    }

    return {ALL, of};
})();
