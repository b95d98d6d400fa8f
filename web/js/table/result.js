/**
 * Result: the dialog at the end of a game, with the ways on: the replay, the lobby and, for the host, a rematch.
 */
const Result = (() => {
    const _NAME = 'game';

    /**
     * Show how a game ended. The choice goes to the bus; closing the dialog leads to the lobby.
     *
     * @param {Snapshot} snapshot - The table.
     * @param {number | string | null} gameId - The game, to be watched again; null if it cannot be.
     * @param {string} title - How it ended, in a word.
     * @param {HTMLElement[]} content - How it ended: why, and seat by seat or round by round.
     */
    async function show({me, public_state: {host_index: host}}, gameId, title, ...content) {
        const link = gameId === null ? [] : [Lib.element('a', {
            class: 'button plain', href: `/replay/${gameId}`, text: Texts.get('table.replay')
        })];
        /** @type {DialogAction[]} */
        const rematch = me >= 0 && host === me
            ? [{value: 'rematch', text: Texts.get('table.rematch'), kind: 'main'}] : [];
        const answer = await Panels.show(_NAME, {
            title, content: [...content, ...link],
            actions: [{value: 'lobby', text: Texts.get('table.to_lobby')}, ...rematch]
        });
        if (answer !== null) {
            EventBus.emit(answer === 'rematch' ? 'tableView:rematch' : 'tableView:lobby');
        }
    }

    /** Close the dialog: the next game has begun, or the table is left. */
    function close() {
        Panels.close(_NAME);
    }

    /**
     * Say how a game ended for a seat.
     *
     * @param {number[]} payoff - What each seat got; of several, the payoffs sum to zero.
     * @param {number} seat - The seat; -1 for a spectator.
     * @returns {'won' | 'lost' | 'over'} How; `over` if the seat has neither won nor lost.
     */
    function verdict(payoff, seat) {
        const own = payoff[seat] ?? 0;
        if (own > 0 && own === Math.max(...payoff)) {
            return 'won';
        }
        const isLast = payoff.length === 1 || own < 0 && own === Math.min(...payoff);
        return seat >= 0 && isLast ? 'lost' : 'over';
    }

    return {show, close, verdict};
})();
