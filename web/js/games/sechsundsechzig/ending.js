/**
 * SechsundsechzigEnding: the panels at the end of a game and of the series: who won, why, all tricks and their points.
 */
const SechsundsechzigEnding = (() => {
    const {element} = Lib;

    /**
     * List both players with their tricks, the winner first.
     *
     * @param {Snapshot} snapshot - The table.
     * @param {any} ended - The context of the game's end.
     * @param {string[][]} tricks - The cards of the tricks, by seat.
     * @returns {HTMLElement} The list.
     */
    function _standings({public_state: {player_names: names}}, ended, tricks) {
        return Result.standings([ended.winner, 1 - ended.winner].map(seat => {
            const left = Deck.names(Deck.sorted(ended.hands[seat]));
            const taken = tricks[seat];
            return {
                name: names[seat], isBest: seat === ended.winner,
                points: Words.table('tricks.points', {points: ended.points[seat]}),
                cards: taken.map(Deck.draw), told: Deck.names(taken),
                note: [
                    taken.length === 0 ? Words.table('no tricks') : '',
                    left === '' ? '' : `${Words.table('left')}: ${left}`
                ].filter(text => text !== '').join(' · ')
            };
        }));
    }

    /**
     * Say how the series stands.
     *
     * @param {Snapshot} snapshot - The table.
     * @param {number[]} scores - The game points, by seat.
     * @returns {HTMLElement} The line.
     */
    function _series({public_state: {player_names: names, table_options: {options}}}, scores) {
        const goal = options.goal;
        const title = goal === undefined ? Words.table('series.open') : Words.table('series', {goal});
        const told = names.map((name, seat) => `${name} ${scores[seat]}`).join(' · ');
        return element('p', {class: 'series'}, element('strong', {text: told}), element('small', {text: title}));
    }

    /**
     * Say why the game ended, for the viewer.
     *
     * @param {Snapshot} snapshot - The table.
     * @param {any} ended - The context of the game's end.
     * @returns {HTMLElement} The reason.
     */
    function _why({me}, ended) {
        const text = Words.get('words', ended.symbols[me < 0 ? ended.winner : me]);
        return element('p', {text: `${text.charAt(0).toUpperCase()}${text.slice(1)}.`});
    }

    /**
     * Show the end of a game of the series.
     *
     * @param {Snapshot} snapshot - The table.
     * @param {any} ended - The context of the game's end.
     * @param {string[][]} tricks - The cards of the tricks, by seat.
     * @param {() => void} then - What follows once the panel is closed.
     */
    function game(snapshot, ended, tricks, then) {
        const {me, public_state: {player_names: names}} = snapshot;
        const who = ended.winner === me ? Words.table('won') : Words.table('lost', {name: names[ended.winner]});
        const gained = Words.table('gained', {points: ended.game_points});
        void Result.round(snapshot, `${who}: ${gained}`, [
            _why(snapshot, ended), _standings(snapshot, ended, tricks), _series(snapshot, ended.scores)
        ], {text: Words.table('on'), then});
    }

    /**
     * Show the end of the series.
     *
     * @param {Snapshot} snapshot - The table.
     * @param {any} ended - The context of the last game's end; null if it was not seen.
     * @param {string[][]} tricks - The cards of the tricks, by seat.
     * @param {{payoff: number[], points: number[], game_id: string}} outcome - The end of the series.
     */
    function series(snapshot, ended, tricks, {payoff, points, game_id: gameId}) {
        Result.closeRound();
        const last = ended === null ? [] : [_why(snapshot, ended), _standings(snapshot, ended, tricks)];
        const tell = (/** @type {GameEvent[]} */ events) => SechsundsechzigStory.tell(snapshot, points, events);
        void Result.show(snapshot, {id: gameId, tell}, Texts.get(`table.${Result.verdict(payoff, snapshot.me)}`),
            _series(snapshot, points), ...last);
    }

    return {game, series};
})();
