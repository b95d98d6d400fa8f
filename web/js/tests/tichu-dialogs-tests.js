/**
 * Tests of TichuDialogs and TichuSpeech: the result of a round, and its words.
 */
(() => {
    /**
     * @param {string} name - Which view.
     * @param {number} me - The viewer's seat.
     * @returns {Snapshot} The view.
     */
    function snapshot(name, me) {
        return {...structuredClone(TableViews[name]), me};
    }

    Suite.test('the result of a round is told from the viewer\'s side, with the calls', () => {
        const after = snapshot('waiting', 1);
        after.public_state.game_score = [[60, -40], [40, 240]];
        const ended = {
            is_double_victory: false, winner_index: 1, loser_index: 2, tricks: [20, 40, 10, 15], left_points: 15
        };
        const result = TichuDialogs.result(after, ended, [0, 1, 2, 0], [[1, [[5, 1]], [1, 1, 5]], [2, [], [0, 0, 0]]]);
        Suite.equal([result.round, result.total], [[240, -40], [280, 20]]);
        Suite.equal(result.calls.map(({name, isGrand, isMade}) => [name, isGrand, isMade]),
            [['Ben', false, true], ['Maximiliane', true, false]]);
        // The loser's tricks go to the one who finished first, the loser's cards to the opponents.
        Suite.equal(result.way.map(({points}) => points), [[55, 30], [10, -10], [15, 0]]);
        Suite.equal(result.last.map(({name, cards}) => [name, cards]), [['Ben', [[5, 1]]]]);
        Suite.equal(TichuDialogs.result(after, {...ended, is_double_victory: true}, [0, 0, 0, 0], []).way, []);
    });

    Suite.test('what happens is said in words', async () => {
        await Suite.speak('de', 'tichu');
        const table = snapshot('waiting', 0);
        const say = (/** @type {string} */ event, /** @type {any} */ context) => TichuSpeech.of(event, context, table);
        Suite.equal(say('player_played', {turn: [1, [[10, 1], [10, 4]], [2, 2, 10]]}), 'Ben: Paar Zehn');
        Suite.equal(say('player_passed', {player_index: 3}), 'Clara passt');
        // Whose turn it is, the table says itself.
        Suite.equal(say('player_turn_changed', {current_turn_index: 0}), '');
        // The event tells what the taker has then; the table before it, what they had and who owned the trick.
        Object.assign(table.public_state, {points: [10, 0, 20, 0], dragon_recipient: -1, trick_owner_index: 2});
        Suite.equal(say('trick_taken', {player_index: 2, points: 35, dragon_recipient: -1}),
            'Maximiliane: Stich, 15 Punkte');
        Suite.equal(say('trick_taken', {player_index: 0, points: 35, dragon_recipient: 0}),
            'Maximiliane: Stich mit 25 Punkten geht an dich');
        Object.assign(table.public_state, {dragon_recipient: 0, trick_owner_index: 0});
        Suite.equal(say('trick_taken', {player_index: 0, points: 15, dragon_recipient: 0}), 'Du: Stich, 5 Punkte');
        Suite.equal(say('hand_cards_dealt', {player_index: 0, count: 8}), '');
    });

    Suite.test('moves are said in words', async () => {
        await Suite.speak('de', 'tichu');
        const table = snapshot('waiting', 0);
        const before = {...table, private_state: {hand_cards: [[7, 1], [7, 2], [8, 1]]}};
        const moves = ['play S7 B7', 'give S8', 'wish 9', 'dragon 1', 'pass'];
        Suite.equal(moves.map(text => TichuSpeech.move(text, before)), [
            'Schwarze Sieben, Blaue Sieben', 'Schwarze Acht abgeben', 'Wunsch: Neun',
            'Den Stich mit dem Drachen an Ben verschenken', 'Passen'
        ]);
        Suite.equal(TichuSpeech.move('pass', {...table, public_state: {...table.public_state, phase: 'grand'}}),
            'Kein Großes Tichu');
    });
})();
