/**
 * PlainBoard: the element of one board: a grid whose cells are buttons, with coordinates at its edges. Arrow keys lead
 * from cell to cell.
 *
 * The element of a cell stays as long as the board has the same size, so that no press and no focus is lost.
 */

/**
 * A board on the table.
 *
 * @typedef {object} Board
 * @property {string} game - The game's name.
 * @property {string} field - The field of the view.
 * @property {string} size - Its rows and columns, and how they are called.
 * @property {HTMLElement} element
 * @property {HTMLButtonElement[][]} cells - The buttons by rows, from the top.
 * @property {any[][]} shown - What was drawn in them last.
 */

const PlainBoard = (() => {
    const {element} = Lib;

    /** @type {{[key: string]: [number, number]}} The keys that lead through a board, as steps in rows and columns. */
    const _STEPS = {
        ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
        Home: [0, -Infinity], End: [0, Infinity], PageUp: [-Infinity, 0], PageDown: [Infinity, 0]
    };

    /**
     * @param {GridLook} grid - The look of a board.
     * @param {any[][]} rows - Its rows.
     * @returns {string} Its size and how it is called, in the page's language: boards of one size share their element.
     */
    function sizeOf(grid, rows) {
        const called = [Texts.language, grid.columns, grid.rows, String(grid.is_upward)];
        return [...called, ...rows.map(row => row.length)].join(' ');
    }

    /**
     * Make the element of a board.
     *
     * @param {{game: string, field: string}} whose - The game, and the field of its view.
     * @param {GridLook} grid - Its look.
     * @param {any[][]} rows - Its rows.
     * @param {(row: number, column: number) => void} tap - A cell was tapped.
     * @returns {Board} The board, with empty cells.
     */
    function build({game, field}, grid, rows, tap) {
        const width = Math.max(...rows.map(row => row.length));
        const cells = rows.map((row, y) => row.map((_, x) => /** @type {HTMLButtonElement} */ (element('button', {
            type: 'button', class: 'cell', tabindex: x + y === 0 ? 0 : -1, on: {click: () => tap(y, x)}
        }))));
        const name = PlainFields.label(field);
        const table = element('div', {role: 'grid', class: 'grid', 'aria-label': name},
            element('div', {role: 'row', class: 'row'},
                element('span', {class: 'label', role: 'columnheader', 'aria-label': name}),
                ...Array.from({length: width}, (_, x) => _label('columnheader', Cells.columnLabel(grid, x)))),
            ...cells.map((row, y) => element('div', {role: 'row', class: 'row'},
                _label('rowheader', Cells.rowLabel(grid, y, rows.length)),
                ...row.map(cell => element('div', {role: 'gridcell', class: 'place'}, cell)))));
        const made = element('section', {class: 'board', dataset: {field}}, element('h2', {text: name}), table);
        made.style.setProperty('--columns', String(width));
        made.style.setProperty('--rows', String(rows.length));
        const board = {game, field, size: sizeOf(grid, rows), element: made, cells, shown: []};
        table.addEventListener('keydown', event => _press(board, event));
        return board;
    }

    /**
     * @param {string} role - What it heads.
     * @param {string} text - How that is called.
     * @returns {HTMLElement} A coordinate at an edge.
     */
    function _label(role, text) {
        return element('span', {class: 'label', role, text});
    }

    /**
     * Draw what lies in the cells of a board, and mark what has changed.
     *
     * @param {Board} board - The board.
     * @param {GridLook} grid - Its look.
     * @param {any[][]} rows - What lies there.
     */
    function fill(board, grid, rows) {
        const isFirst = board.shown.length === 0;
        const isOther = rows.some((row, y) => row.some((value, x) => value !== board.shown[y]?.[x]));
        board.cells.forEach((row, y) => row.forEach((cell, x) => {
            const value = rows[y][x];
            if (isOther) {
                cell.classList.toggle('is-new', !isFirst && value !== board.shown[y]?.[x]);
            }
            const told = `${Cells.label(grid, y, x, rows.length)}: ${_told(value)}`;
            if (cell.getAttribute('aria-label') !== told) {
                cell.setAttribute('aria-label', told);
                cell.replaceChildren(..._sign(board.game, value));
            }
        }));
        board.shown = rows;
    }

    /**
     * @param {string} game - The game's name.
     * @param {any} value - What lies in a cell.
     * @returns {HTMLElement[]} Its sign.
     */
    function _sign(game, value) {
        const word = String(value ?? '');
        const glyph = Setup.look(game).glyphs[word];
        const text = glyph?.sign ?? (word === '' ? '' : _told(value));
        // The last character asks for a sign, where the system would show a picture of its own.
        const sign = element('span', {
            class: `sign${text.length > 2 ? ' is-long' : ''}`, dataset: {colour: glyph?.colour ?? ''},
            'aria-hidden': 'true', text: glyph === undefined ? text : `${text}\uFE0E`
        });
        sign.style.setProperty('--letters', String(text.length));
        return text === '' ? [] : [sign];
    }

    /**
     * @param {any} value - What lies in a cell.
     * @returns {string} How people call it.
     */
    function _told(value) {
        const word = value === null || value === '' ? 'empty' : String(value);
        return Words.has('words', word) ? Words.get('words', word) : Faces.text(word);
    }

    /**
     * Let the tab key lead to a cell.
     *
     * @param {Board} board - The board.
     * @param {number} row - The row of the cell.
     * @param {number} column - Its column.
     */
    function reach({cells}, row, column) {
        cells.forEach((line, y) => line.forEach((cell, x) => {
            cell.tabIndex = y === row && x === column ? 0 : -1;
        }));
    }

    /**
     * Lead through a board by keys.
     *
     * @param {Board} board - The board.
     * @param {KeyboardEvent} event - The key.
     */
    function _press(board, event) {
        const {cells} = board;
        const y = cells.findIndex(row => row.some(cell => cell === event.target));
        const step = event.altKey || event.metaKey ? undefined : _STEPS[event.key];
        if (y < 0 || step === undefined) {
            return;
        }
        event.preventDefault();
        const x = cells[y].findIndex(cell => cell === event.target);
        // With the control key, Home and End lead to the corners.
        const down = event.ctrlKey && step[0] === 0 && Math.abs(step[1]) > 1 ? step[1] : step[0];
        const row = Math.min(Math.max(y + down, 0), cells.length - 1);
        const column = Math.min(Math.max(x + step[1], 0), cells[row].length - 1);
        reach(board, row, column);
        cells[row][column].focus();
    }

    return {sizeOf, build, fill, reach};
})();
