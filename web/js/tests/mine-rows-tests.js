/**
 * Tests of MineRows.
 */
(() => {
    /**
     * @param {'won' | 'lost' | 'over'} verdict - How it ended.
     * @param {string[]} others - The other players.
     * @param {number | null} seconds - How long it took.
     * @returns {MyGame} A finished game.
     */
    function _game(verdict, others, seconds) {
        return {id: '', game: 'null', title: 'Null', ended: 0, others, verdict, points: [], me: 0, seconds};
    }

    Suite.test('games are counted, and those that were won', () => {
        const games = [_game('won', ['Kim'], 90), _game('lost', ['Kim'], 30), _game('over', ['Kim'], 20)];
        // Where others play, nobody is in a hurry.
        Suite.equal(MineRows.sum(games), {
            game: 'null', title: 'Null', tally: {count: 3, won: 1, lost: 1}, best: null
        });
    });

    Suite.test('the best time is that of a game for one that was won', () => {
        const games = [_game('lost', [], 5), _game('won', [], 80), _game('won', [], null), _game('won', [], 70)];
        Suite.equal(MineRows.sum(games), {
            game: 'null', title: 'Null', tally: {count: 4, won: 3, lost: 1}, best: 70
        });
    });

    Suite.test('of partners, who have the same points, the score names each side once', () => {
        Suite.equal(MineRows.score(['1010', '640', '1010', '640']), '1010 : 640');
        Suite.equal(MineRows.score(['61', '18', '34', '18']), '61 : 18 : 34 : 18');
        Suite.equal(MineRows.score(['7', '7']), '7 : 7');
    });
})();
