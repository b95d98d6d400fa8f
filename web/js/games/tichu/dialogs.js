/**
 * TableDialogs: opens and closes the dialogs that the course of a Tichu game asks for.
 */
const TableDialogs = (() => {
    /** @type {number[]} The calls, as they stood before the last news. */
    let _calls = [0, 0, 0, 0];

    /** The seat that finished first, according to the events; -1 for none. */
    let _winner = -1;

    /**
     * Follow what the server said.
     *
     * @param {Snapshot} snapshot - The table now.
     * @param {{event: string, context: any}[]} news - The events since the last call.
     */
    function follow(snapshot, news) {
        const {public_state: table, request} = snapshot;
        for (const {event, context} of news) {
            if (event === 'player_announced') {
                _calls[context.player_index] = context.grand ? 2 : 1;
            }
            else if (event === 'player_played') {
                _winner = context.winner_index;
            }
            else if (event === 'round_over') {
                Panels.close('hint');
                Modals.round(result(snapshot, context, _calls, _winner));
            }
            else if (event === 'game_over') {
                Panels.closeAll();
                Modals.game(snapshot, context.game_id ?? table.game_id);
            }
        }
        _calls = [...table.announcements];
        _winner = table.winner_index;
        if (table.phase !== 'over') {
            Result.close();
        }
        if (news.some(({event}) => event !== 'chat' && event !== 'round_over') && table.phase !== 'grand') {
            Panels.close('hint');
        }
        _ask('wish', request?.action === 'wish', () => _wish(snapshot));
        _ask('dragon', request?.action === 'give_dragon_away', () => _dragon(snapshot));
    }

    /**
     * Open a dialog as long as the server asks, and only so long.
     *
     * @param {string} name - The dialog's name.
     * @param {boolean} isAsked - Does the server ask?
     * @param {() => void} open - Opens it.
     */
    function _ask(name, isAsked, open) {
        if (!isAsked) {
            Panels.close(name);
        }
        else if (!Panels.isOpen(name)) {
            open();
        }
    }

    /** @param {Snapshot} snapshot - The table. */
    function _wish(snapshot) {
        Modals.wish(value => _respond(snapshot, {wish_value: value}));
    }

    /** @param {Snapshot} snapshot - The table. */
    function _dragon(snapshot) {
        const {player_names: names, count_hand_cards: counts, points, trick_points: trick} = snapshot.public_state;
        const opponents = [3, 1].map(offset => (snapshot.me + offset) % 4)
            .map(seat => ({seat, name: names[seat], count: counts[seat], points: points[seat]}));
        Modals.dragon(opponents, trick, seat => _respond(snapshot, {dragon_recipient: seat}));
    }

    /**
     * @param {Snapshot} snapshot - The table whose request is answered.
     * @param {{[key: string]: any}} data - The decision.
     */
    function _respond({request}, data) {
        EventBus.emit('tableView:response', {
            action: request?.action, response_data: data, request_id: request?.request_id
        });
    }

    /**
     * Sum up a round for its dialog.
     *
     * @param {Snapshot} snapshot - The table after it.
     * @param {any} context - The event's context.
     * @param {number[]} calls - The calls of the round, by seat.
     * @param {number} winner - The seat that finished first.
     * @returns {Parameters<typeof Modals.round>[0]} The result.
     */
    function result(snapshot, context, calls, winner) {
        const {game_score: scores, player_names: names} = snapshot.public_state;
        const bottom = snapshot.me < 0 ? 0 : snapshot.me;
        const teams = [bottom % 2, (bottom + 1) % 2];
        const sum = (/** @type {number[]} */ numbers) => numbers.reduce((all, one) => all + one, 0);
        return {
            round: [scores[teams[0]].at(-1), scores[teams[1]].at(-1)],
            total: [sum(scores[teams[0]]), sum(scores[teams[1]])],
            isDouble: context.is_double_victory,
            calls: calls.map((call, seat) => ({name: names[seat], isGrand: call === 2, isMade: seat === winner, call}))
                .filter(({call}) => call > 0)
        };
    }

    return {follow, result};
})();
