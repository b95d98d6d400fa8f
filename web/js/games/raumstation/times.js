/**
 * StationTimes: the clock of a game, and the best times. Both are kept on this device alone.
 */
const StationTimes = (() => {
    const _CLOCK = 'raumstation.clock';
    const _BEST = 'raumstation.best';
    const _KEPT = 5;

    /**
     * Start the clock of a station, or let it go on after a reload.
     *
     * @param {string} station - The station, as a text of its own.
     * @param {boolean} isKnown - Was the station played before?
     */
    function start(station, isKnown) {
        if (User.recall(_CLOCK)?.station !== station || isKnown) {
            User.remember(_CLOCK, {station, isKnown, isHelped: false, began: Date.now(), seconds: null});
        }
    }

    /** A hint was shown: the time does not count. */
    function help() {
        User.remember(_CLOCK, {...User.recall(_CLOCK), isHelped: true});
    }

    /** @returns {boolean} Was a hint shown in this game? */
    function isHelped() {
        return User.recall(_CLOCK)?.isHelped === true;
    }

    /** @returns {number} The seconds since the start, or until the end. */
    function seconds() {
        const clock = User.recall(_CLOCK);
        return clock === null ? 0 : clock.seconds ?? Math.floor((Date.now() - clock.began) / 1000);
    }

    /** Stop the clock. */
    function stop() {
        User.remember(_CLOCK, {...User.recall(_CLOCK), seconds: seconds()});
    }

    /**
     * Enter the time of a station that was solved; with hints, or if it was known before, it does not count.
     *
     * @param {string} level - How hard it was.
     * @returns {number | null} Its place in the list, from 1; null if it is not in it.
     */
    function enter(level) {
        if (User.recall(_CLOCK)?.isKnown || isHelped()) {
            return null;
        }
        const time = seconds();
        const all = [...best(level), time].sort((one, other) => one - other);
        User.remember(_BEST, {...User.recall(_BEST), [level]: all.slice(0, _KEPT)});
        const place = all.lastIndexOf(time) + 1;
        return place <= _KEPT ? place : null;
    }

    /**
     * @param {string} level - How hard.
     * @returns {number[]} The best times in seconds, the shortest first.
     */
    function best(level) {
        return User.recall(_BEST)?.[level] ?? [];
    }

    /**
     * @param {number} time - Seconds.
     * @returns {string} Minutes and seconds, as a clock shows them.
     */
    function text(time) {
        return `${Math.floor(time / 60)}:${String(time % 60).padStart(2, '0')}`;
    }

    return {start, stop, help, isHelped, seconds, enter, best, text};
})();
