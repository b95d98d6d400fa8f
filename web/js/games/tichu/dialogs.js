/**
 * TichuDialogs: opens and closes the dialogs that the course of a Tichu game asks for.
 */
const TichuDialogs = (() => {
    /** @type {number[]} The calls, as they stood before the last news. */
    let _calls = [0, 0, 0, 0];

    /** @type {[number, Card[], Combination][]} The turns of the trick that lies, and of the one that was taken last. */
    let _lying = [];
    /** @type {[number, Card[], Combination][]} */
    let _last = [];

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
                _lying.push(context.turn);
            }
            else if (event === 'trick_taken') {
                _last = _lying;
                _lying = [];
            }
            else if (event === 'round_over') {
                Hint.close();
                TichuModals.round(snapshot, result(snapshot, context, _calls, _last));
            }
            else if (event === 'game_over') {
                Panels.closeAll();
                TichuModals.game(snapshot, context.game_id ?? table.game_id);
            }
        }
        _calls = [...table.announcements];
        _lying = [...table.trick];
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
        else if (Panels.find(name) === undefined) {
            open();
        }
    }

    /** @param {Snapshot} snapshot - The table. */
    function _wish(snapshot) {
        TichuModals.wish(value => _respond(snapshot, {wish_value: value}));
    }

    /** @param {Snapshot} snapshot - The table. */
    function _dragon(snapshot) {
        const {player_names: names, count_hand_cards: counts, points, trick_points: trick} = snapshot.public_state;
        const opponents = [3, 1].map(offset => (snapshot.me + offset) % 4)
            .map(seat => ({seat, name: names[seat], count: counts[seat], points: points[seat]}));
        TichuModals.dragon(opponents, trick, seat => _respond(snapshot, {dragon_recipient: seat}));
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
     * @param {[number, Card[], Combination][]} last - The turns of the last trick.
     * @returns {RoundResult} The result.
     */
    function result(snapshot, context, calls, last) {
        const {game_score: scores, player_names: names} = snapshot.public_state;
        const bottom = snapshot.me < 0 ? 0 : snapshot.me;
        const teams = [bottom % 2, (bottom + 1) % 2];
        const sum = (/** @type {number[]} */ numbers) => numbers.reduce((all, one) => all + one, 0);
        return {
            round: [scores[teams[0]].at(-1), scores[teams[1]].at(-1)],
            total: [sum(scores[teams[0]]), sum(scores[teams[1]])],
            isDouble: context.is_double_victory,
            way: context.is_double_victory ? [] : _way(context, names, teams),
            last: last.filter(([, cards]) => cards.length > 0)
                .map(([seat, cards, combination]) => ({name: names[seat], cards, combination})),
            calls: calls.map((call, seat) => (
                {name: names[seat], isGrand: call === 2, isMade: seat === context.winner_index, call}
            )).filter(({call}) => call > 0)
        };
    }

    /**
     * Where the points of a round come from, besides the calls.
     *
     * @param {any} context - The context of the round's end.
     * @param {string[]} names - The players.
     * @param {number[]} teams - The viewer's team and the other.
     * @returns {{text: string, points: [number, number]}[]} What each step brings to both teams.
     */
    function _way({tricks, left_points: left, loser_index: loser, winner_index: winner}, names, teams) {
        const split = (/** @type {number} */ seat, /** @type {number} */ points) => (
            /** @type {[number, number]} */ (teams.map(team => seat % 2 === team ? points : 0))
        );
        const own = /** @type {[number, number]} */ (teams.map(team => tricks[team] + tricks[team + 2]));
        const steps = [{text: Words.table('round.tricks'), points: own}];
        if (winner % 2 !== loser % 2 && tricks[loser] !== 0) {
            const [lost, won] = [split(loser, -tricks[loser]), split(winner, tricks[loser])];
            steps.push({
                text: Words.table('round.given', {name: names[loser], to: names[winner]}),
                points: [lost[0] + won[0], lost[1] + won[1]]
            });
        }
        if (left !== 0) {
            steps.push({text: Words.table('round.left', {name: names[loser]}), points: split(loser + 1, left)});
        }
        return steps;
    }

    return {follow, result};
})();
