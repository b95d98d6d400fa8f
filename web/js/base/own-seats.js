/**
 * OwnSeats: the seats on which this device has played the deals of challenges; who has no key shows them to see what
 * others made of these deals.
 */
const OwnSeats = (() => {
    const _KEPT = 'challenges';
    /** The most seats that the device keeps. */
    const _MOST = 100;

    /** @returns {{challenge: string, session: string}[]} The seats, the latest first. */
    function _all() {
        return User.recall(_KEPT) ?? [];
    }

    /**
     * Keep a seat.
     *
     * @param {string} challenge - The challenge that is played there.
     * @param {string} session - The session of the seat.
     */
    function note(challenge, session) {
        const others = _all().filter(seat => seat.session !== session);
        User.remember(_KEPT, [{challenge, session}, ...others].slice(0, _MOST));
    }

    /**
     * @param {string} challenge - A challenge.
     * @returns {string[]} The sessions of the seats on which it was played here, the latest first.
     */
    function of(challenge) {
        return _all().filter(seat => seat.challenge === challenge).map(({session}) => session);
    }

    return {note, of};
})();
