/**
 * GenericBoards: draws the fields of a view that are boards, as grids whose cells are buttons. A tap on a cell makes
 * the move that it names; where a move names several cells, they are tapped one after the other. Nothing of a board is
 * ever left out. Arrow keys lead from cell to cell.
 *
 * An element of a cell stays as long as its board has the same size, so that no press and no focus is lost.
 */

/**
 * A board on the table.
 *
 * @typedef {object} Board
 * @property {string} field - The field of the view.
 * @property {string} size - Its rows and columns, and how they are called.
 * @property {HTMLElement} element
 * @property {HTMLButtonElement[][]} cells - The buttons by rows, from the top.
 * @property {any[][]} shown - What was drawn in them last.
 */

const GenericBoards = (() => {
    const {element} = Lib;

    /** @type {{[key: string]: [number, number]}} The keys that lead through a board, as steps in rows and columns. */
    const _STEPS = {
        ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
        Home: [0, -Infinity], End: [0, Infinity], PageUp: [-Infinity, 0], PageDown: [Infinity, 0]
    };

    /**
     * Make the boards of a table.
     *
     * @param {(move: string) => void} act - Makes a move.
     * @param {() => void} redraw - Draws the table's buttons again, after a cell was tapped.
     * @returns {{element: HTMLElement, clear: () => void, draw: (snapshot: Snapshot, isReplay: boolean) => void,
     *     light: (move: string) => void, others: (legal: string[]) => string[]}} The boards; `light` lights the cells
     *     of a move, and `others` lists the legal moves that need a button: those that are made on no board, and those
     *     among which the tapped cells leave a choice.
     */
    function create(act, redraw) {
        const root = element('div', {class: 'boards'});
        /** @type {Board[]} */
        let boards = [];
        /** @type {Map<string, Map<string, Place[]>>} The legal moves of each board, with what they name. */
        let moves = new Map();
        /** @type {{field: string, cells: Place[]}} The cells that were tapped for a move which needs more. */
        let picked = {field: '', cells: []};
        let hinted = '';
        let game = '';

        /** Another table is shown. */
        function clear() {
            boards = [];
            picked = {field: '', cells: []};
            hinted = '';
            root.replaceChildren();
        }

        /**
         * Draw the boards of a view.
         *
         * @param {Snapshot} snapshot - The state.
         * @param {boolean} isReplay - Is it a replay, in which nothing is tapped?
         */
        function draw(snapshot, isReplay) {
            ({game} = snapshot.public_state);
            const look = Setup.look(game);
            /** @type {{[field: string]: any}} */
            const fields = {...snapshot.public_state, ...snapshot.private_state};
            const legal = isReplay ? [] : snapshot.choices.legal;
            const names = Object.keys(look.fields).filter(name => (
                look.fields[name] === 'grid' && (fields[name] ?? []).length > 0 && GenericFields.label(name) !== ''));
            moves = new Map();
            boards = names.map(field => {
                /** @type {any[][]} */
                const rows = fields[field].map((/** @type {Iterable<any>} */ row) => [...row]);
                const grid = look.grids[field] ?? Cells.PLAIN;
                const board = _same(field, grid, rows) ?? _build(field, grid, rows);
                moves.set(field, Cells.moves(grid, rows, legal));
                _fill(board, grid, rows);
                return board;
            });
            Parts.keep(root, boards.map(board => ({key: `${board.field} ${board.size}`, draw: () => board.element})));
            root.style.setProperty('--boards', String(boards.length));
            if (!_matching(picked).length) {
                picked = {field: '', cells: []};
            }
            if (!legal.includes(hinted)) {
                hinted = '';
            }
            _light();
        }

        /**
         * @param {string} field - A field.
         * @param {GridLook} grid - Its look.
         * @param {any[][]} rows - Its rows.
         * @returns {Board | undefined} The board that shows the field already, if it still fits.
         */
        function _same(field, grid, rows) {
            return boards.find(board => board.field === field && board.size === _sizeOf(grid, rows));
        }

        /**
         * Make the element of a board.
         *
         * @param {string} field - The field.
         * @param {GridLook} grid - Its look.
         * @param {any[][]} rows - Its rows.
         * @returns {Board} The board, with empty cells.
         */
        function _build(field, grid, rows) {
            const width = Math.max(...rows.map(row => row.length));
            const cells = rows.map((row, y) => row.map((_, x) => /** @type {HTMLButtonElement} */ (element('button', {
                type: 'button', class: 'cell', tabindex: x + y === 0 ? 0 : -1, on: {click: () => _tap(field, y, x)}
            }))));
            const label = (/** @type {string} */ role, /** @type {string} */ text) => (
                element('span', {class: 'label', role, text}));
            const columns = Array.from({length: width}, (_, x) => label('columnheader', Cells.columnLabel(grid, x)));
            const table = element('div', {role: 'grid', class: 'grid', 'aria-label': GenericFields.label(field)},
                element('div', {role: 'row', class: 'row'},
                    element('span', {class: 'label', role: 'columnheader', 'aria-label': GenericFields.label(field)}),
                    ...columns),
                ...cells.map((row, y) => element('div', {role: 'row', class: 'row'},
                    label('rowheader', Cells.rowLabel(grid, y, rows.length)),
                    ...row.map(cell => element('div', {role: 'gridcell', class: 'place'}, cell)))));
            const made = element('section', {class: 'board', dataset: {field}},
                element('h3', {text: GenericFields.label(field)}), table);
            made.style.setProperty('--columns', String(width));
            made.style.setProperty('--rows', String(rows.length));
            const board = {field, size: _sizeOf(grid, rows), element: made, cells, shown: []};
            table.addEventListener('keydown', event => _press(board, event));
            return board;
        }

        /**
         * Draw what lies in the cells of a board.
         *
         * @param {Board} board - The board.
         * @param {GridLook} grid - Its look.
         * @param {any[][]} rows - What lies there.
         */
        function _fill(board, grid, rows) {
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
                    cell.replaceChildren(..._sign(value));
                }
            }));
            board.shown = rows;
        }

        /**
         * @param {any} value - What lies in a cell.
         * @returns {HTMLElement[]} Its sign.
         */
        function _sign(value) {
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
         * @param {{field: string, cells: Place[]}} chosen - The tapped cells of a board.
         * @returns {[string, Place[]][]} The legal moves that begin with them, with what they name.
         */
        function _matching({field, cells}) {
            return [...moves.get(field) ?? []].filter(([, places]) => (
                cells.length <= places.length && cells.every((cell, index) => Cells.isIn(places[index], cell))));
        }

        /**
         * A cell was tapped: make the move that it names, or wait for the next cell. The last cell that was tapped is
         * put back by a second tap, and a cell with which nothing goes on may begin anew.
         *
         * @param {string} field - The board.
         * @param {number} row - The row of the cell.
         * @param {number} column - Its column.
         */
        function _tap(field, row, column) {
            const cell = {row, column};
            const before = picked.field === field ? picked.cells : [];
            const last = before.at(-1);
            const isBack = last !== undefined && last.row === row && last.column === column;
            const tries = [...isBack ? [] : [[...before, cell]], ...before.length > 0 && !isBack ? [[cell]] : []];
            const cells = tries.find(each => _matching({field, cells: each}).length > 0)
                ?? before.slice(0, isBack ? -1 : 0);
            picked = {field, cells};
            _reach(field, row, column);
            const matching = cells.length > 0 ? _matching(picked) : [];
            if (matching.length === 1 && matching[0][1].length === cells.length) {
                picked = {field: '', cells: []};
                act(matching[0][0]);
            }
            _light();
            redraw();
        }

        /** Show which cells can be tapped, which were, and those of the hint. */
        function _light() {
            const hint = [...moves.values()].map(all => all.get(hinted)).find(places => places !== undefined) ?? [];
            for (const {field, cells} of boards) {
                const own = picked.field === field ? picked.cells : [];
                const next = _matching({field, cells: own})
                    .flatMap(([, places]) => places.slice(own.length, own.length + 1));
                const starts = own.length === 0 ? next : _matching({field, cells: []}).flatMap(([, [first]]) => first);
                cells.forEach((row, y) => row.forEach((cell, x) => {
                    const at = {row: y, column: x};
                    const isIn = (/** @type {Place[]} */ places) => places.some(place => Cells.isIn(place, at));
                    const isPicked = isIn(own);
                    cell.classList.toggle('is-lit', isIn(next));
                    // Of a whole row or column, each cell is as good as the others.
                    cell.classList.toggle('is-goal', isIn(next.filter(one => one.row !== null && one.column !== null)));
                    cell.classList.toggle('is-hinted', moves.get(field)?.has(hinted) === true && isIn(hint));
                    cell.setAttribute('aria-disabled', String(!isIn(next) && !isPicked && !isIn(starts)));
                    _set(cell, 'aria-pressed', isPicked ? 'true' : null);
                }));
            }
        }

        /**
         * Let the tab key lead to a cell.
         *
         * @param {string} field - The board.
         * @param {number} row - The row of the cell.
         * @param {number} column - Its column.
         */
        function _reach(field, row, column) {
            boards.find(board => board.field === field)?.cells.forEach((line, y) => line.forEach((cell, x) => {
                cell.tabIndex = y === row && x === column ? 0 : -1;
            }));
        }

        /**
         * Lead through a board by keys.
         *
         * @param {Board} board - The board.
         * @param {KeyboardEvent} event - The key.
         */
        function _press({field, cells}, event) {
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
            _reach(field, row, column);
            cells[row][column].focus();
        }

        return {
            element: root,
            clear,
            draw,
            light(move) {
                hinted = move;
                _light();
            },
            others(legal) {
                const onBoards = new Set([...moves.values()].flatMap(all => [...all.keys()]));
                const matching = picked.cells.length > 0 ? _matching(picked) : [];
                const isChoice = matching.some(([, places]) => places.length === picked.cells.length);
                const chosen = new Set(isChoice ? matching.map(([move]) => move) : []);
                return legal.filter(move => !onBoards.has(move) || chosen.has(move));
            }
        };
    }

    /**
     * @param {GridLook} grid - The look of a board.
     * @param {any[][]} rows - Its rows.
     * @returns {string} Its size and how it is called, in the page's language.
     */
    function _sizeOf(grid, rows) {
        const called = [Texts.language, grid.columns, grid.rows, String(grid.is_upward)];
        return [...called, ...rows.map(row => row.length)].join(' ');
    }

    /**
     * @param {HTMLElement} cell - A cell.
     * @param {string} name - An attribute.
     * @param {string | null} value - Its value; null for none.
     */
    function _set(cell, name, value) {
        if (value === null) {
            cell.removeAttribute(name);
        }
        else {
            cell.setAttribute(name, value);
        }
    }

    return {create};
})();
