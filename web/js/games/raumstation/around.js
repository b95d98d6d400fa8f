/**
 * StationAround: what lies round a room: the rooms to which its corridors lead, what is known of them, and which of
 * them a tap on an open number scans.
 */
const StationAround = (() => {
    /**
     * @param {Room[]} rooms - All rooms.
     * @param {string} place - The row and the column of one.
     * @returns {{way: string, room: Room}[]} The rooms to which its corridors lead, with the way to each, clockwise
     *     from the top.
     */
    function near(rooms, place) {
        const centre = find(rooms, place);
        return centre === undefined ? [] : StationMap.WAYS.flatMap(({name, step: [x, y]}, bit) => {
            const room = find(rooms, `${centre.y + y} ${centre.x + x}`);
            return centre.connections >> bit & 1 && room !== undefined ? [{way: name, room}] : [];
        });
    }

    /**
     * @param {Room[]} rooms - All rooms.
     * @param {string} place - The row and the column of one.
     * @returns {Room | undefined} The room.
     */
    function find(rooms, place) {
        return rooms.find(({x, y}) => `${y} ${x}` === place);
    }

    /**
     * Count what is known round a room.
     *
     * @param {Room[]} rooms - All rooms.
     * @param {string} place - The room.
     * @returns {{traps: number, closed: string[]}} How many rooms nearby are marked or known as traps, and the places
     *     of the others that are not open.
     */
    function count(rooms, place) {
        const hidden = near(rooms, place).map(({room}) => room).filter(room => !room.is_revealed);
        const closed = hidden.filter(room => !room.is_marked && room.is_dangerous !== true);
        return {traps: hidden.length - closed.length, closed: closed.map(({x, y}) => `${y} ${x}`)};
    }

    /**
     * Say what is known round a room.
     *
     * @param {Room[]} rooms - All rooms.
     * @param {string} place - The room.
     * @param {boolean} isOver - Is the game over, so that all is known?
     * @returns {string} The room itself, what is counted round it, and where each of its corridors leads.
     */
    function tell(rooms, place, isOver) {
        const {traps, closed} = count(rooms, place);
        const ways = near(rooms, place).map(({way, room}) => (
            Words.table('around.way', {way: Words.table(`way.${way}`), room: StationMap.title(room, isOver)})));
        const centre = /** @type {Room} */ (find(rooms, place));
        return Words.table('around', {
            room: StationMap.title(centre, isOver), marked: traps, closed: closed.length, ways: ways.join(' ')
        });
    }

    return {find, count, tell};
})();
