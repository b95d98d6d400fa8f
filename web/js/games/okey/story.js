/**
 * OkeyStory: the story of a game of Okey that is over: where everybody's tiles came from, and the racks at the end.
 */
const OkeyStory = (() => {
    /**
     * Tell the story.
     *
     * @param {Snapshot} snapshot - The table after the game.
     * @param {any} outcome - The end, as `game_over` tells it.
     * @param {GameEvent[]} events - All events of the game.
     * @returns {Story} The story.
     */
    function tell({public_state: {player_names: names}}, {points, payoff, layouts}, events) {
        const seats = names.map((_, seat) => seat);
        const order = [...seats].sort((one, other) => payoff[other] - payoff[one]);
        const winner = seats.find(seat => points[seat] > 0);
        return {
            title: winner === undefined ? Texts.get('story.nobody') : Ending.won([names[winner]]),
            standings: order.map(seat => ({name: names[seat], points: String(points[seat]), isBest: seat === winner})),
            facts: {heads: names, rows: _facts(events, seats)},
            moments: _moments(events, winner, names),
            cards: {title: Words.table('story.racks'), isApart: true, hands: order.map(seat => ({
                name: names[seat],
                pictures: layouts[seat].filter((/** @type {string | null} */ tile) => tile !== null).map(Tiles.draw)
            }))}
        };
    }

    /**
     * @param {GameEvent[]} events - All events of the game.
     * @param {number[]} seats - The seats.
     * @returns {{label: string, values: string[]}[]} What each seat has done.
     */
    function _facts(events, seats) {
        const row = (/** @type {string} */ key) => ({
            label: Words.table(`story.${key}`),
            values: seats.map(seat => String(events.filter(({event, context}) => (
                event === key && context.seat === seat)).length))
        });
        return ['drawn', 'taken', 'put'].map(row);
    }

    /**
     * @param {GameEvent[]} events - All events of the game.
     * @param {number | undefined} winner - Who has won.
     * @param {string[]} names - The players.
     * @returns {string[]} How long it took, and what was left.
     */
    function _moments(events, winner, names) {
        const left = events.filter(({event}) => ['dealt', 'drawn'].includes(event)).at(-1)?.context.main;
        const turns = events.filter(({event, context}) => event === 'put' && context.seat === winner).length;
        return winner === undefined ? [] : [Words.table('story.turns', {name: names[winner], turns, left})];
    }

    return {tell};
})();
