/**
 * Tests of Rack: where tiles lie, how they make room, and which of them lie together.
 */
(() => {
    /**
     * @param {string} drawn - Tiles by letters, dots for empty slots; rows are filled with dots.
     * @returns {Slots} The slots.
     */
    function slots(drawn) {
        const rows = drawn.split('|').map(row => [...row.padEnd(Rack.ROW, '.')]);
        return [...rows, ...Array(Rack.ROWS - rows.length).fill([...'.'.repeat(Rack.ROW)])]
            .flat().map(tile => tile === '.' ? null : tile);
    }

    /**
     * @param {Slots | null} laid - Slots.
     * @returns {string} The text of the slots, as above.
     */
    function text(laid) {
        const all = (laid ?? []).map(tile => tile ?? '.').join('');
        return [all.slice(0, Rack.ROW), all.slice(Rack.ROW)].map(row => row.replace(/\.+$/, '')).join('|');
    }

    Suite.test('a tile stays where it lies when others come and go', () => {
        const laid = slots('ab.cd|ef');
        Suite.equal(text(Rack.follow(laid, [...'abcdefg'])), 'ab.cd|ef.........g');
        Suite.equal(text(Rack.follow(laid, [...'acdef'])), 'a..cd|ef');
        Suite.equal(text(Rack.follow(slots('aab'), [...'aba'])), 'aab|');
        Suite.equal(text(Rack.follow(slots('aab'), [...'ab'])), 'a.b|');
    });

    Suite.test('other tiles are another rack', () => {
        Suite.equal(Rack.follow(slots('abcdef'), [...'uvwxyz']), null);
        Suite.equal(Rack.follow([], [...'abc']), null);
    });

    Suite.test('tiles make room towards the nearest gap of their row', () => {
        Suite.equal(text(Rack.move(slots('abc.d'), 4, 1)), 'adbc|');
        Suite.equal(text(Rack.move(slots('a.bcd'), 4, 3)), 'a.bdc|');
        Suite.equal(text(Rack.move(slots('a.bc|d'), 12, 2)), 'abdc|');
        Suite.equal(text(Rack.move(slots('abc'), 0, 5)), '.bc..a|');
        Suite.equal(text(Rack.move(slots('abcdefghijkl|m'), 12, 3)), 'abcmefghijkl|d');
        Suite.equal(text(Rack.move(slots('abcdefghijkl'), 0, 11)), 'bcdefghijkla|');
    });

    Suite.test('no move loses a tile', () => {
        const laid = slots('abcde.fghijk|lm.n');
        for (let from = 0; from < laid.length; from += 1) {
            for (let to = 0; to < laid.length; to += 1) {
                if (laid[from] !== null && from !== to) {
                    const moved = Rack.move(laid, from, to);
                    Suite.equal([[...moved].sort(), moved[to]], [[...laid].sort(), laid[from]]);
                }
            }
        }
    });

    Suite.test('what lies together is a group if the server lists it, a set in any order', () => {
        const known = {runs: ['a b c'], sets: ['x y z']};
        const found = (/** @type {string} */ laid) => Rack.groups(slots(laid), known).slice(0, 8).join('');
        Suite.equal(['abc.zxy', 'acb.xy', 'abcd', '.abc'].map(found), ['11102220', '00000000', '00000000', '01110000']);
    });

    Suite.test('the end of a row ends what lies together', () => {
        const known = {runs: ['a b c'], sets: []};
        Suite.equal(Math.max(...Rack.groups(slots('..........ab|c'), known)), 0);
        Suite.equal(Rack.groups(slots('.........abc|c'), known).join('').slice(8), '0111000000000000');
    });
})();
