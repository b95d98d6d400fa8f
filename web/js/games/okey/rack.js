/**
 * Rack: where the tiles of a rack lie. A rack has two rows of slots; a slot holds a tile or nothing. Nothing here knows
 * what a group is: the server lists the groups that lie in the rack.
 */

/**
 * The slots of a rack, from left to right and from the first row to the last; null is an empty one.
 *
 * @typedef {(string | null)[]} Slots
 */

const Rack = (() => {
    const ROW = 12;
    const ROWS = 2;

    /** With fewer of the same tiles than this share, it is another rack. */
    const _SAME = 0.6;

    /**
     * Keep each tile in its slot, though some have gone and some are new.
     *
     * @param {Slots} slots - Where the tiles lay.
     * @param {string[]} tiles - The tiles that there are now.
     * @returns {Slots | null} Where they lie; new ones lie last. Null if it is another rack altogether.
     */
    function follow(slots, tiles) {
        const left = [...tiles];
        const kept = slots.map(tile => {
            const at = tile === null ? -1 : left.indexOf(tile);
            return at < 0 ? null : left.splice(at, 1)[0];
        });
        if (slots.length !== ROW * ROWS || tiles.length - left.length < _SAME * tiles.length) {
            return null;
        }
        for (const tile of left.reverse()) {
            kept[kept.lastIndexOf(null)] = tile;
        }
        return kept;
    }

    /**
     * Move a tile to another slot. Tiles that lie there make room towards the nearest gap of their row; in a full row
     * the two change places.
     *
     * @param {Slots} slots - The slots.
     * @param {number} from - The tile's slot.
     * @param {number} to - The other slot.
     * @returns {Slots} The slots after it.
     */
    function move(slots, from, to) {
        const moved = [...slots];
        const tile = moved[from];
        moved[from] = null;
        if (moved[to] !== null) {
            const gap = _nearestGap(moved, to);
            if (gap === null) {
                moved[from] = moved[to];
            }
            else {
                const step = gap < to ? 1 : -1;
                for (let at = gap; at !== to; at += step) {
                    moved[at] = moved[at + step];
                }
            }
        }
        moved[to] = tile;
        return moved;
    }

    /**
     * @param {Slots} slots - The slots.
     * @param {number} to - A slot.
     * @returns {number | null} The empty slot of its row that is nearest to it; null if the row is full.
     */
    function _nearestGap(slots, to) {
        const start = to - to % ROW;
        const gaps = slots.map((_, index) => index)
            .filter(index => index >= start && index < start + ROW && slots[index] === null);
        return gaps.sort((one, other) => Math.abs(one - to) - Math.abs(other - to))[0] ?? null;
    }

    /**
     * Find the slots whose tiles lie in a group: gaps and the ends of rows separate what lies together.
     *
     * @param {Slots} slots - The slots.
     * @param {{runs: string[], sets: string[]}} known - The groups that the server lists.
     * @returns {number[]} For each slot the number of its group, from 1; 0 for none.
     */
    function groups(slots, {runs, sets}) {
        const isRun = new Set(runs);
        const isSet = new Set(sets.map(set => _sorted(set.split(' '))));
        const found = slots.map(() => 0);
        let count = 0;
        for (const [start, end] of _blocks(slots)) {
            const tiles = /** @type {string[]} */ (slots.slice(start, end));
            if (isRun.has(tiles.join(' ')) || isSet.has(_sorted(tiles))) {
                count += 1;
                found.fill(count, start, end);
            }
        }
        return found;
    }

    /**
     * @param {string[]} tiles - Some tiles.
     * @returns {string} A text that is the same for the same tiles in any order.
     */
    function _sorted(tiles) {
        return [...tiles].sort().join(' ');
    }

    /**
     * @param {Slots} slots - The slots.
     * @returns {[number, number][]} The first slot of what lies together, and the one behind the last.
     */
    function _blocks(slots) {
        /** @type {[number, number][]} */
        const blocks = [];
        slots.forEach((tile, index) => {
            const last = blocks.at(-1);
            if (tile === null) {
                return;
            }
            if (last !== undefined && last[1] === index && index % ROW !== 0) {
                last[1] = index + 1;
            }
            else {
                blocks.push([index, index + 1]);
            }
        });
        return blocks;
    }

    return {ROW, ROWS, follow, move, groups};
})();
