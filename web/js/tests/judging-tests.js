/**
 * Tests of Judging: each mistake counts once, as in tests/agents/test_analysis.py; and of Turning.
 */
Suite.test('a mistake counts once', () => {
    /** @type {[number, number, string, number, number, boolean?][]} */
    const rows = [
        // The dog could still be played at each next lead, as if nothing had been lost: only the dearest time counts.
        [355, 3, 'play Hu', 150, 71], [356, 0, 'play BA', 80, 36], [359, 3, 'play Hu', 150, 216],
        // What the first pass had cost is lost: to miss the same move later is another mistake.
        [360, 0, 'play BA', 44, 42], [363, 3, 'play Hu', 151, 217], [367, 3, 'play Hu', 149, 217],
        [371, 3, 'play S2', 149, 60],
        // The three cards of a schupf are one decision.
        [373, 1, 'give G7', 20, 237, true], [374, 1, 'give S5', -217, 5, true], [375, 1, 'give Ma', -222, 94],
        [377, 1, 'play Ma', -222, 30]
    ];
    const decisions = rows.map(([number, seat, best, expected, lost, goesOn]) => ({
        number, seat, best, expected, lost, goes_on: goesOn, move: `other ${number}`, error: 0,
        mark: /** @type {'mistake'} */ ('mistake')
    }));
    Suite.equal(Judging.once(decisions).map(({number}) => number), [356, 360, 363, 371, 373, 377]);
});

Suite.test('of a long game, the stretch with the largest change is judged', () => {
    const lines = [{name: 'A', values: [0, 50, 40, 90]}, {name: 'B', values: [0, 50, 160, 210]}];
    const curve = {title: '', ends: [100, 220, 300], lines};
    Suite.equal(Turning.range(curve, 300), [101, 220]);
    Suite.equal(Turning.range(curve, 240), [1, 240]);
    Suite.equal(Turning.range(undefined, 300), [61, 300]);
    Suite.equal([50, 100, 160, 300, 301].map(step => Turning.place(curve, step)), [0.5, 1, 1.5, 3, null]);
    Suite.equal(Turning.place(undefined, 3), null);
});
