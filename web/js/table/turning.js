/**
 * Turning: the turning point of a game that is over: the move that lost most by the analysis. The server judges step by
 * step after its tables, so it is looked for while the end is read, and nobody waits for it.
 */

/**
 * @typedef {{decision: Decision, sentence: string, at: number | null}} TurningPoint - `at` is its place among the
 *     values of the curve.
 */

const Turning = (() => {
    /** Of longer games only the stretch of the curve with the largest change is judged. */
    const _MOST = 240;

    /**
     * Say which steps are judged.
     *
     * @param {Story['curve']} curve - The points.
     * @param {number} last - The last step.
     * @returns {[number, number]} The first and the last of them.
     */
    function range(curve, last) {
        const {lines = [], ends = []} = curve ?? {};
        if (last <= _MOST || ends.length === 0) {
            return [Math.max(1, last - _MOST + 1), last];
        }
        const swings = ends.map((_, index) => {
            const changes = lines.map(({values}) => values[index + 1] - values[index]);
            return Math.max(...changes) - Math.min(...changes);
        });
        const most = swings.indexOf(Math.max(...swings));
        return [(ends[most - 1] ?? 0) + 1, ends[most]];
    }

    /**
     * Say where a step lies on a curve.
     *
     * @param {Story['curve']} curve - The points.
     * @param {number} step - The step.
     * @returns {number | null} Its place among the values; null if it has none.
     */
    function place(curve, step) {
        const ends = curve?.ends ?? [];
        const index = ends.findIndex(end => step <= end);
        const from = ends[index - 1] ?? 0;
        return index < 0 ? null : index + (step - from) / (ends[index] - from);
    }

    /**
     * Find the turning point.
     *
     * @param {number | string} game - The finished game.
     * @param {Story['curve']} curve - The points.
     * @param {number} last - The last step.
     * @param {() => boolean} isWanted - Is it still wanted?
     * @returns {Promise<TurningPoint | null>} The turning point; null if no move lost much.
     */
    async function find(game, curve, last, isWanted) {
        /** @type {Decision[]} */
        const decisions = [];
        const [first, end] = range(curve, last);
        for (let step = first; step <= end; step += 1) {
            if (!isWanted()) {
                return null;
            }
            const decision = await Judging.ask(game, step, isWanted);
            decisions.push(...decision === null ? [] : [decision]);
        }
        const marked = Judging.once(decisions).filter(({mark}) => mark !== '');
        const worst = marked.sort((one, other) => other.lost - one.lost).at(0);
        return worst === undefined ? null
            : {decision: worst, sentence: await _tell(game, worst), at: place(curve, worst.number)};
    }

    /**
     * @param {number | string} game - The finished game.
     * @param {Decision} decision - The decision that turned it.
     * @returns {Promise<string>} What was done, and what would have been better.
     */
    async function _tell(game, {number, seat, move, best, lost}) {
        /** @type {Position} */
        const seen = await Lib.fetchJson(`/api/games/${game}/view/${number}`);
        const shown = /** @type {Snapshot} */ (State.snapshot);
        const {speech} = /** @type {GameTable} */ (Games.table(shown.public_state.game));
        const names = shown.public_state.player_names;
        const then = {
            ...shown, me: seat, private_state: seen.private_state,
            public_state: {...shown.public_state, ...seen.public_state}
        };
        return Texts.get('story.turn', {
            name: names[seat], move: speech.move(move, then),
            best: best === null ? Texts.get('story.turn.silence') : speech.move(best, then),
            lost: lost.toLocaleString(Texts.language, {maximumSignificantDigits: 2})
        });
    }

    return {range, place, find};
})();
