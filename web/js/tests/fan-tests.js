/**
 * Tests of Fan: where the cards of a hand lie.
 */
Suite.test('on a small phone each card of any hand shows a strip of 44 pixels', () => {
    for (let count = 2; count <= 14; count += 1) {
        const places = Fan.layout(count, 1040, 206, true);
        const rows = [...new Set(places.map((_, index) => (
            index > 0 && places[index].x < places[index - 1].x ? 1 : 0)))];
        const strips = places.slice(1).map(({x}, index) => x - places[index].x).filter(strip => strip > 0);
        Suite.equal([count, Math.min(...strips) / 3 >= 44, rows.length <= 2], [count, true, true]);
    }
});

Suite.test('no card of a hand leaves its room', () => {
    /** @type {[number, number, boolean][]} */
    const rooms = [[1040, 206, true], [880, 200, false]];
    for (const [width, card, mayStack] of rooms) {
        for (let count = 1; count <= 14; count += 1) {
            const xs = Fan.layout(count, width, card, mayStack).map(({x}) => x);
            Suite.equal([count, Math.min(...xs) >= 0, Math.max(...xs) + card <= width], [count, true, true]);
        }
    }
});

Suite.test('a hand lies in one row where there is room for it', () => {
    Suite.equal([7, 8].map(count => Fan.layout(count, 1040, 206, true).filter(({x}, index, all) => (
        index > 0 && x < all[index - 1].x)).length), [0, 1]);
    Suite.equal(Fan.layout(0, 1040, 206, true), []);
});
