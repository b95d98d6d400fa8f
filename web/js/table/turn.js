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
     * @param {string} [task] - What is said instead of whose turn it is; empty for nothing.
     * @returns {string} The line.
     */
    function line(snapshot, left, task = '') {
        const {public_state: {awaiting}} = snapshot;
        const seconds = awaiting.map(seat => left[seat] ?? null).find(each => each !== null) ?? null;
        const said = task === '' ? _usual(snapshot) : task;
        return seconds === null || _isOnlyAway(snapshot) ? said
            : Texts.get('table.timed', {line: said, seconds: Math.ceil(seconds)});
    }

    /**
     * @param {Snapshot} snapshot - The table.
     * @returns {boolean} Does the table wait for nobody but us, for whom the AI plays?
     */
    function _isOnlyAway({me, public_state: {awaiting, presences}}) {
        return awaiting.length > 0 && awaiting.every(seat => seat === me) && presences[me] === 'away';
    }

    /**
     * @param {Snapshot} snapshot - The table.
     * @returns {string} Whose turn it is.
     */
    function _usual(snapshot) {
        const {me, public_state: {awaiting, player_names: names}} = snapshot;
        if (awaiting.length === 0) {
            return Texts.get('table.over');
        }
        if (_isOnlyAway(snapshot)) {
            return Texts.get('table.away');
        }
        const others = awaiting.filter(seat => seat !== me).map(seat => names[seat]);
        return isOurs(snapshot) ? Texts.get('table.mine')
            : Texts.get(others.length > 2 ? 'table.wait_others' : 'table.wait', {name: others.join(', ')});
    }

    return {isOurs, line};
})();
