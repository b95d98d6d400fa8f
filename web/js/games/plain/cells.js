/**
 * Cells: how the cells of a board are called, and which cells a move names. It goes by the look of the board alone; the
 * server's `look.py` says the same.
 */

/**
 * A cell of a board, or a whole row or column where the other is null; counted from 0 at the top and the left.
 *
 * @typedef {{row: number | null, column: number | null}} Place
 */

const Cells = (() => {
    const _LETTERS = 26;
    const _A = 'a'.charCodeAt(0);

    /** @type {GridLook} The look of a board whose game does not say more. */
    const PLAIN = {columns: 'letters', rows: 'numbers', is_upward: false, moves: {}};

    /**
     * @param {'letters' | 'numbers'} kind - How columns or rows are called.
     * @param {number} index - The number of one, from 0.
     * @returns {string} Its label: a, b, … z, aa …, or 1, 2, 3 …
     */
    function _label(kind, index) {
        if (kind === 'numbers') {
            return String(index + 1);
        }
        const first = Math.floor(index / _LETTERS);
        return (first > 0 ? _label(kind, first - 1) : '') + String.fromCharCode(_A + index % _LETTERS);
    }

    /**
     * @param {GridLook} grid - The look of a board.
     * @param {number} column - A column.
     * @returns {string} How it is called.
     */
    function columnLabel(grid, column) {
        return _label(grid.columns, column);
    }

    /**
     * @param {GridLook} grid - The look of a board.
     * @param {number} row - A row, from 0 at the top.
     * @param {number} height - How many rows there are.
     * @returns {string} How it is called.
     */
    function rowLabel(grid, row, height) {
        return _label(grid.rows, grid.is_upward ? height - 1 - row : row);
    }

    /**
     * @param {GridLook} grid - The look of a board.
     * @param {number} row - A row.
     * @param {number} column - A column.
     * @param {number} height - How many rows there are.
     * @returns {string} How the cell is called: its column, then its row.
     */
    function label(grid, row, column, height) {
        return columnLabel(grid, column) + (grid.columns === grid.rows ? ',' : '') + rowLabel(grid, row, height);
    }

    /**
     * Find what the operands of moves name: every label of the board leads to its place.
     *
     * @param {GridLook} grid - The look of the board.
     * @param {any[]} rows - Its rows.
     * @returns {{[names: string]: Map<string, Place>}} The places of cells, columns and rows by their labels.
     */
    function _labels(grid, rows) {
        const height = rows.length;
        const width = Math.max(0, ...rows.map(row => row.length));
        const each = (/** @type {number} */ count) => Array.from({length: count}, (_, index) => index);
        return {
            cell: new Map(each(height).flatMap(row => each(width).map(column => (
                [label(grid, row, column, height), {row, column}])))),
            column: new Map(each(width).map(column => [columnLabel(grid, column), {row: null, column}])),
            row: new Map(each(height).map(row => [rowLabel(grid, row, height), {row, column: null}]))
        };
    }

    /**
     * Find the moves that are made on a board.
     *
     * @param {GridLook} grid - The look of the board.
     * @param {any[]} rows - Its rows.
     * @param {string[]} legal - The legal moves.
     * @returns {Map<string, Place[]>} What each of them names, in order.
     */
    function moves(grid, rows, legal) {
        const labels = _labels(grid, rows);
        /** @type {Map<string, Place[]>} */
        const found = new Map();
        for (const {text, verb, operands} of legal.map(Moves.parse)) {
            const meant = grid.moves[verb] ?? [];
            if (meant.length === operands.length && meant.some(names => names !== 'nothing')) {
                found.set(text, _places(meant, operands, labels));
            }
        }
        return found;
    }

    /**
     * @param {string[]} meant - What each operand names.
     * @param {string[]} operands - The operands.
     * @param {{[names: string]: Map<string, Place>}} labels - The places by their labels.
     * @returns {Place[]} What they name; a column and a row one behind the other name one cell.
     */
    function _places(meant, operands, labels) {
        /** @type {Place[]} */
        const places = [];
        meant.forEach((names, index) => {
            const place = labels[names]?.get(operands[index]);
            const before = places.at(-1);
            const isHalf = before !== undefined && (before.row === null || before.column === null);
            if (place !== undefined && isHalf && [names, meant[index - 1]].sort().join() === 'column,row') {
                places.splice(-1, 1, {row: place.row ?? before.row, column: place.column ?? before.column});
            }
            else if (place !== undefined) {
                places.push(place);
            }
        });
        return places;
    }

    /**
     * @param {Place} place - A place.
     * @param {Place} cell - A cell.
     * @returns {boolean} Is the cell there?
     */
    function isIn(place, cell) {
        return (place.row ?? cell.row) === cell.row && (place.column ?? cell.column) === cell.column;
    }

    return {PLAIN, columnLabel, rowLabel, label, moves, isIn};
})();
