/**
 * MauMauStory: the story of a game of Mau-Mau that is over: the points that were counted round by round, and what each
 * player did.
 */
const MauMauStory = (() => {
    /**
     * Tell the story.
     *
     * @param {Snapshot} snapshot - The table after the game.
     * @param {number[]} totals - The points of the game: few are good.
     * @param {GameEvent[]} events - All events of the game.
     * @returns {Story} The story.
     */
    function tell({public_state: {player_names: names}}, totals, events) {
        const seats = names.map((_, seat) => seat);
        const results = events.filter(({event}) => event === 'result').map(({context}) => context);
        const least = Math.min(...totals);
        const best = seats.filter(seat => totals[seat] === least);
        const lines = seats.map(seat => ({name: names[seat], values: [0, ...results.map(({scores}) => scores[seat])]}));
        const order = [...seats].sort((one, other) => totals[one] - totals[other]);
        return {
            title: Ending.won(best.map(seat => names[seat])),
            standings: order.map(seat => ({
                name: names[seat], isBest: best.includes(seat), points: Words.table('points', {points: totals[seat]})
            })),
            curve: {title: Texts.get('story.curve'), lines, ends: Ending.ends(events, 'result')},
            facts: {heads: names, rows: _facts(events, results, seats)},
            moments: [..._lead(lines, best, names), ..._most(events, names)],
            note: Words.table('fewer'),
            ..._hands(results.at(-1), names)
        };
    }

    /**
     * @param {GameEvent[]} events - All events of the game.
     * @param {any[]} results - The results of the rounds.
     * @param {number[]} seats - The seats.
     * @returns {{label: string, values: string[]}[]} What each seat has done.
     */
    function _facts(events, results, seats) {
        const row = (/** @type {string} */ key, /** @type {(seat: number) => number} */ count) => (
            {label: Words.table(`story.${key}`), values: seats.map(seat => String(count(seat)))});
        const of = (/** @type {string} */ name, /** @type {number} */ seat) => (
            events.filter(({event, context}) => event === name && context.seat === seat));
        return [
            row('won', seat => results.filter(({winner}) => winner === seat).length),
            row('played', seat => of('play', seat).length),
            row('drawn', seat => of('draw', seat).reduce((sum, {context}) => sum + context.count, 0)),
            row('wishes', seat => of('wish', seat).length),
            row('skipped', seat => of('skip', seat).length)
        ];
    }

    /**
     * @param {{values: number[]}[]} lines - The points of the seats.
     * @param {number[]} best - Who has the fewest.
     * @param {string[]} names - The players.
     * @returns {string[]} Since when the winner was ahead.
     */
    function _lead(lines, best, names) {
        if (best.length > 1) {
            return [];
        }
        const others = lines.filter((_, seat) => seat !== best[0]);
        const ahead = lines[best[0]].values.map((value, round) => (
            Math.min(...others.map(({values}) => values[round])) - value));
        return Ending.lead(ahead, [names[best[0]]]);
    }

    /**
     * @param {GameEvent[]} events - All events of the game.
     * @param {string[]} names - The players.
     * @returns {string[]} Who had to draw the most cards at once.
     */
    function _most(events, names) {
        const draws = events.filter(({event}) => event === 'draw').map(({context}) => context);
        const most = draws.reduce((one, other) => other.count > one.count ? other : one, {count: 1, seat: -1});
        return most.seat < 0 ? [] : [Words.table('story.most', {name: names[most.seat], count: most.count})];
    }

    /**
     * @param {any} result - The result of the last round.
     * @param {string[]} names - The players.
     * @returns {Pick<Story, 'cards'>} The cards that were left.
     */
    function _hands(result, names) {
        const hands = names.map((name, seat) => ({
            name, pictures: Deck.sorted(result?.hands[seat] ?? []).map(Deck.draw)
        })).filter(({pictures}) => pictures.length > 0);
        return hands.length === 0 ? {} : {cards: {title: Words.table('story.left'), hands}};
    }

    return {tell};
})();
