/**
 * StationDay: the station of the day: its seed is the date, so that everybody plays the same one at the same level. The
 * first try at each level counts; this device alone keeps how it went.
 */
const StationDay = (() => {
    const _KEPT = 'raumstation.day';

    /** @returns {string} The seed of today's station: the date as one number, such as 20261120. */
    function seed() {
        const now = new Date();
        return String(now.getFullYear() * 10000 + (now.getMonth() + 1) * 100 + now.getDate());
    }

    /** @returns {{seed: string, levels: {[level: string]: {seconds?: number | null}}}} What is kept of today. */
    function _today() {
        const kept = User.recall(_KEPT);
        return kept?.seed === seed() ? kept : {seed: seed(), levels: {}};
    }

    /**
     * Today's station begins.
     *
     * @param {string} level - How hard it is.
     * @returns {boolean} Has it begun before?
     */
    function begin(level) {
        const today = _today();
        const isKnown = level in today.levels;
        User.remember(_KEPT, {...today, levels: {[level]: {}, ...today.levels}});
        return isKnown;
    }

    /**
     * The first try of a station is over: if it is one of the day, note how it went.
     *
     * @param {string} played - The seed of the station.
     * @param {string} level - How hard it was.
     * @param {number | null} seconds - How long it took; null if it was not solved.
     */
    function enter(played, level, seconds) {
        const kept = User.recall(_KEPT);
        if (kept?.seed === played && level in kept.levels) {
            User.remember(_KEPT, {...kept, levels: {...kept.levels, [level]: {seconds}}});
        }
    }

    /**
     * @param {string} level - How hard.
     * @returns {{seconds?: number | null} | undefined} How long today's first try took; null if the station was not
     *     solved. There are no seconds if the try does not count, and nothing if there was none.
     */
    function result(level) {
        return _today().levels[level];
    }

    return {seed, begin, enter, result};
})();
