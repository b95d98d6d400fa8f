/**
 * TichuStory: the story of a game of Tichu that is over: both teams, round by round, and what the four have done.
 */

/**
 * What happened in a round. Of lists, each seat has its place.
 *
 * @typedef {object} TichuRound
 * @property {number[]} calls - 0 none, 1 Tichu, 2 Grand Tichu.
 * @property {number[]} left - How many cards each seat still holds.
 * @property {number[]} out - The seats that have finished, in this order.
 * @property {number} owner - Who has laid the last cards.
 * @property {number[]} tricks - How many tricks each seat has won.
 * @property {number[]} points - Their points.
 * @property {number[]} bombs
 * @property {boolean} isDouble - Was it a double victory?
 * @property {Card[][]} hands - With which cards each seat began to play.
 */

const TichuStory = (() => {
    const _SEATS = [0, 1, 2, 3];
    const _HAND = 14;
    const _BOMB = 7;

    /** @returns {TichuRound} A round in which nothing has happened. */
    function _begin() {
        const none = () => _SEATS.map(() => 0);
        return {
            calls: none(), left: _SEATS.map(() => _HAND), out: [], tricks: none(), points: none(), bombs: none(),
            owner: 0, isDouble: false, hands: [[], [], [], []]
        };
    }

    /**
     * What an event adds to its round.
     *
     * @type {Record<string, (round: TichuRound, context: any) => void>}
     */
    const _ADDS = {
        hand_cards_dealt({hands}, {player_index: seat, private: told}) {
            hands[seat] = told[seat].hand_cards;
        },
        player_schupfed({hands}, {player_index: seat, private: told}) {
            const given = told[seat].given_schupf_cards.map(Cards.label);
            hands[seat] = hands[seat].filter(card => !given.includes(Cards.label(card)));
        },
        start_playing({hands}, {private: told}) {
            _SEATS.forEach(seat => hands[seat] = [...hands[seat], ...told?.[seat]?.received_schupf_cards ?? []]);
        },
        player_announced({calls}, {player_index: seat, grand}) {
            calls[seat] = grand ? 2 : 1;
        },
        player_played(round, {turn: [seat, cards, [type]]}) {
            const {left, out, bombs} = round;
            round.owner = seat;
            left[seat] -= cards.length;
            bombs[seat] += Number(type === _BOMB);
            if (left[seat] === 0) {
                out.push(seat);
            }
        },
        trick_taken({tricks, owner}) {
            tricks[owner] += 1;
        },
        round_over(round, {tricks, is_double_victory: isDouble}) {
            Object.assign(round, {points: tricks, isDouble});
        }
    };

    /**
     * Sort what happened by rounds.
     *
     * @param {GameEvent[]} events - All events of the game.
     * @returns {TichuRound[]} The rounds.
     */
    function rounds(events) {
        /** @type {TichuRound[]} */
        const all = [];
        for (const {event, context} of events) {
            if (event === 'round_started' || all.length === 0) {
                all.push(_begin());
            }
            _ADDS[event]?.(all[all.length - 1], context);
        }
        return all;
    }

    /**
     * Tell the story.
     *
     * @param {Snapshot} snapshot - The table after the game.
     * @param {GameEvent[]} events - All events of the game.
     * @returns {Story} The story.
     */
    function tell({public_state: {player_names: names, game_score: scores}}, events) {
        const all = rounds(events);
        const teams = [0, 1].map(team => ({
            name: `${names[team]} + ${names[team + 2]}`, values: Ending.sums(scores[team]), won: [team, team + 2]
        }));
        const best = [...teams].sort((one, other) => (other.values.at(-1) ?? 0) - (one.values.at(-1) ?? 0));
        const [first, second] = best.map(({values}) => values.at(-1) ?? 0);
        return {
            title: first === second ? Texts.get('story.nobody') : Ending.won(best[0].won.map(seat => names[seat])),
            standings: best.map(({name, values}, index) => (
                {name, points: Lib.number(values.at(-1) ?? 0), isBest: index === 0 && first > second})),
            curve: {title: Texts.get('story.curve'), lines: teams, ends: Ending.ends(events, 'round_over')},
            facts: {heads: names, rows: _facts(all)},
            moments: [...first === second ? [] : _lead(best, names), ..._moments(all, names)],
            cards: {title: Words.table('story.hands'), hands: _SEATS.map(seat => ({
                name: names[seat], pictures: Cards.sorted(all[all.length - 1].hands[seat]).map(Cards.draw)
            }))}
        };
    }

    /**
     * @param {TichuRound[]} all - The rounds.
     * @returns {{label: string, values: string[]}[]} What each seat has done.
     */
    function _facts(all) {
        const sum = (/** @type {(round: TichuRound, seat: number) => number} */ count) => _SEATS.map(seat => (
            all.reduce((total, round) => total + count(round, seat), 0)));
        const called = sum(({calls}, seat) => Number(calls[seat] > 0));
        const made = sum(({calls, out}, seat) => Number(calls[seat] > 0 && out[0] === seat));
        const row = (/** @type {string} */ key, /** @type {number[]} */ values) => (
            {label: Words.table(`story.${key}`), values: values.map(Lib.number)});
        return [
            row('first', sum(({out}, seat) => Number(out[0] === seat))),
            {
                label: Words.table('story.calls'),
                values: _SEATS.map(seat => called[seat] === 0 ? '–' : `${made[seat]}/${called[seat]}`)
            },
            row('tricks', sum(({tricks}, seat) => tricks[seat])),
            row('points', sum(({points}, seat) => points[seat])),
            row('bombs', sum(({bombs}, seat) => bombs[seat]))
        ];
    }

    /**
     * @param {{values: number[], won: number[]}[]} best - The winners and the others.
     * @param {string[]} names - The players.
     * @returns {string[]} Since when the winners were ahead, if the game had several rounds.
     */
    function _lead([{values: own, won}, {values: others}], names) {
        return Ending.lead(own.map((value, round) => value - others[round]), won.map(seat => names[seat]));
    }

    /**
     * @param {TichuRound[]} all - The rounds.
     * @param {string[]} names - The players.
     * @returns {string[]} What is worth a sentence.
     */
    function _moments(all, names) {
        const moments = all.flatMap(({calls, out, isDouble}, index) => {
            const round = index + 1;
            const [first, second] = out;
            return [
                ...calls[first] === 2 ? [Words.table('story.grand', {name: names[first], round})] : [],
                ...isDouble ? [Words.table('story.double', {
                    names: Ending.names([names[first], names[second]]), round
                })] : []
            ];
        });
        const {out} = all[all.length - 1];
        const order = out.map(seat => names[seat]);
        return order.length === 0 ? moments : [...moments, Words.table('story.out', {names: order.join(', ')})];
    }

    return {tell, rounds};
})();
