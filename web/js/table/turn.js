/**
 * Turn: says in one line whose turn it is and how long it may take.
 */
const Turn = (() => {
    /**
     * Is it our turn, with nobody playing for us?
     *
     * @param {Snapshot} snapshot - The table.
     * @returns {boolean} Whether it is.
     */
    function isOurs({me, public_state: {awaiting, presences}}) {
        return awaiting.includes(me) && presences[me] !== 'away';
    }

    /**
     * Say whose turn it is.
     *
     * @param {Snapshot} snapshot - The table.
     * @param {(number | null)[]} left - How many seconds each seat has left; null is no limit.
     * @returns {string} The line.
     */
    function line(snapshot, left) {
        const {me, public_state: {awaiting, presences, player_names: names}} = snapshot;
        if (awaiting.length === 0) {
            return Texts.get('table.over');
        }
        const others = awaiting.filter(seat => seat !== me).map(seat => names[seat]).join(', ');
        if (others === '' && presences[me] === 'away') {
            return Texts.get('table.away');
        }
        const seconds = awaiting.map(seat => left[seat] ?? null).find(each => each !== null) ?? null;
        const key = `${isOurs(snapshot) ? 'table.mine' : 'table.wait'}${seconds === null ? '' : '_timed'}`;
        return Texts.get(key, {name: others, seconds: Math.ceil(seconds ?? 0)});
    }

    return {isOurs, line};
})();
