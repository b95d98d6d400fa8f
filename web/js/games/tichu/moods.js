/**
 * TichuMoods: who is glad about an event of Tichu, and who is not.
 */
const TichuMoods = (() => {
    /** From how many points on a trick makes glad. */
    const _DEAR = 10;

    /**
     * @param {string} event - An event.
     * @param {any} context - Its context.
     * @returns {Feelings} Who feels what about it.
     */
    function of(event, context) {
        const {player_index: seat, points} = context;
        if (event === 'player_announced') {
            return {glad: [seat]};
        }
        if (event === 'trick_taken') {
            // The table shows what lay in it until it is drawn anew.
            const worth = State.snapshot?.public_state.trick_points ?? 0;
            return worth >= _DEAR ? {glad: [seat]} : worth < 0 ? {sad: [seat]} : {};
        }
        if (event === 'round_over') {
            // Partners have the same.
            const lead = points[0] - points[1];
            return Moods.of([lead, -lead, lead, -lead]);
        }
        return {};
    }

    return {of};
})();
