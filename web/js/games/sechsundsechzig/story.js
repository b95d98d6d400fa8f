/**
 * SechsundsechzigStory: the story of a series of Sechsundsechzig that is over: its games, and what both players did.
 */
const SechsundsechzigStory = (() => {
    /**
     * Tell the story.
     *
     * @param {Snapshot} snapshot - The table after the series.
     * @param {number[]} totals - The game points.
     * @param {GameEvent[]} events - All events of the series.
     * @returns {Story} The story.
     */
    function tell({public_state: {player_names: names}}, totals, events) {
        const games = events.filter(({event}) => event === 'ended').map(({context}) => context);
        const winner = totals[0] > totals[1] ? 0 : 1;
        const lines = [0, 1].map(seat => ({name: names[seat], values: [0, ...games.map(({scores}) => scores[seat])]}));
        const ahead = lines[winner].values.map((value, game) => value - lines[1 - winner].values[game]);
        const tricks = [0, 1].map(seat => _lastTricks(events, seat));
        return {
            title: totals[0] === totals[1] ? Texts.get('story.nobody') : Ending.won([names[winner]]),
            standings: [winner, 1 - winner].map((seat, index) => ({
                name: names[seat], points: Words.table('score', {points: totals[seat]}),
                isBest: index === 0 && totals[0] !== totals[1]
            })),
            curve: {title: Words.table('story.curve'), lines, ends: Ending.ends(events, 'ended')},
            facts: {heads: names, rows: _facts(events, games)},
            moments: [...Ending.lead(ahead, [names[winner]], Words.table('story.lead')), ..._high(games, names)],
            cards: {title: Words.table('story.tricks'), hands: [0, 1].filter(seat => tricks[seat].length).map(seat => (
                {name: names[seat], pictures: tricks[seat].map(Deck.draw)}))}
        };
    }

    /**
     * @param {GameEvent[]} events - All events of the series.
     * @param {number} seat - A player.
     * @returns {string[]} The cards of the tricks that they won in the last game.
     */
    function _lastTricks(events, seat) {
        const begin = events.map(({event}) => event).lastIndexOf('dealt');
        return events.slice(begin).filter(({event, context}) => event === 'trick' && context.seat === seat)
            .flatMap(({context}) => context.cards);
    }

    /**
     * @param {GameEvent[]} events - All events of the series.
     * @param {any[]} games - The ends of its games.
     * @returns {{label: string, values: string[]}[]} What both have done.
     */
    function _facts(events, games) {
        const row = (/** @type {string} */ key, /** @type {(seat: number) => number} */ count) => (
            {label: Words.table(`story.${key}`), values: [0, 1].map(seat => String(count(seat)))});
        const of = (/** @type {string} */ name) => (/** @type {number} */ seat) => (
            events.filter(({event, context}) => event === name && context.seat === seat).length);
        return [
            row('won', seat => games.filter(({winner}) => winner === seat).length),
            row('taken', of('trick')),
            row('points', seat => games.reduce((sum, {points}) => sum + points[seat], 0)),
            row('announced', of('announced')),
            row('closed', of('closed'))
        ];
    }

    /**
     * @param {any[]} games - The ends of the games.
     * @param {string[]} names - The players.
     * @returns {string[]} The games that brought as much as a game can.
     */
    function _high(games, names) {
        return games.flatMap(({winner, game_points: points}, index) => (
            points < 3 ? [] : [Words.table('story.high', {name: names[winner], game: index + 1, points})]));
    }

    return {tell};
})();
