/**
 * StationTimes: the clock of a game, the best times, and how many stations were played and solved. All is kept on
 * this device alone.
 */
const StationTimes = (() => {
    const _CLOCK = 'raumstation.clock';
    const _BEST = 'raumstation.best';
    const _COUNT = 'raumstation.count';
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

    /** @returns {boolean} Does this game count: was the station not known, and no hint shown? */
    function counts() {
        return User.recall(_CLOCK)?.isKnown !== true && !isHelped();
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
     * Enter a station that is over, if it counts.
     *
     * @param {string} level - How hard it was.
     * @param {boolean} hasWon - Was it solved?
     * @returns {number | null} The place of its time in the list, from 1; null if it is not in it.
     */
    function enter(level, hasWon) {
        if (!counts()) {
            return null;
        }
        const {played, solved, streak, longest} = count(level);
        const now = hasWon ? streak + 1 : 0;
        User.remember(_COUNT, {...User.recall(_COUNT), [level]: {
            played: played + 1, solved: solved + Number(hasWon), streak: now, longest: Math.max(longest, now)
        }});
        if (!hasWon) {
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
     * @param {string} level - How hard.
     * @returns {{played: number, solved: number, streak: number, longest: number}} How many stations were played and
     *     solved, how many of them one after the other up to now, and at most.
     */
    function count(level) {
        return User.recall(_COUNT)?.[level] ?? {played: 0, solved: 0, streak: 0, longest: 0};
    }

    /**
     * @param {number} time - Seconds.
     * @returns {string} Minutes and seconds, as a clock shows them.
     */
    function text(time) {
        return `${Math.floor(time / 60)}:${String(time % 60).padStart(2, '0')}`;
    }

    return {start, stop, help, isHelped, seconds, enter, best, count, text};
})();
