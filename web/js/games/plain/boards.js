/**
 * PlainBoards: the boards of a table, and what is done on them. A tap on a cell makes the move that it names; where a
 * move names several cells, they are tapped one after the other. Nothing of a board is ever left out.
 */

/**
 * What is known of the boards of a table.
 *
 * @typedef {object} Boards
 * @property {HTMLElement} root
 * @property {(move: string) => void} act - Makes a move.
 * @property {() => void} redraw - Draws the table's buttons again, after a cell was tapped.
 * @property {Board[]} all
 * @property {Map<string, Map<string, Place[]>>} moves - The legal moves of each board, with what they name.
 * @property {{field: string, cells: Place[]}} picked - The cells that were tapped for a move which needs more.
 * @property {string} hinted - The move whose cells are lit.
 * @property {number} number - The number of the state that was drawn last.
 */

const PlainBoards = (() => {
    /** @returns {{field: string, cells: Place[]}} No tapped cells. */
    function _nothing() {
        return {field: '', cells: []};
    }

    /**
     * Make the boards of a table; it has none yet.
     *
     * @param {(move: string) => void} act - Makes a move.
     * @param {() => void} redraw - Draws the table's buttons again, after a cell was tapped.
     * @returns {Boards} The boards.
     */
    function create(act, redraw) {
        const root = Lib.element('div', {class: 'boards'});
        return {root, act, redraw, all: [], moves: new Map(), picked: _nothing(), hinted: '', number: 0};
    }

    /**
     * Forget the boards: another table is shown.
     *
     * @param {Boards} boards - The boards.
     */
    function clear(boards) {
        Object.assign(boards, {all: [], picked: _nothing(), hinted: ''});
        boards.root.replaceChildren();
    }

    /**
     * Draw the boards of a view.
     *
     * @param {Boards} boards - The boards.
     * @param {Snapshot} snapshot - The state.
     * @param {string[]} legal - The moves that can be made on them.
     */
    function draw(boards, snapshot, legal) {
        const {game} = snapshot.public_state;
        const look = Setup.look(game);
        /** @type {{[field: string]: any}} */
        const fields = {...snapshot.public_state, ...snapshot.private_state};
        const shown = Object.keys(look.fields).filter(name => (
            look.fields[name] === 'grid' && (fields[name] ?? []).length > 0 && PlainFields.label(name) !== ''));
        boards.moves = new Map();
        boards.all = shown.map(field => {
            /** @type {any[][]} */
            const rows = fields[field].map((/** @type {Iterable<any>} */ row) => [...row]);
            const grid = look.grids[field] ?? Cells.PLAIN;
            const same = boards.all.find(one => one.field === field && one.size === PlainBoard.sizeOf(grid, rows));
            const board = same ?? PlainBoard.build({game, field}, grid, rows, (row, column) => (
                _tap(boards, field, {row, column})));
            boards.moves.set(field, Cells.moves(grid, rows, legal));
            PlainBoard.fill(board, grid, rows);
            return board;
        });
        Parts.keep(boards.root, boards.all.map(one => ({key: `${one.field} ${one.size}`, draw: () => one.element})));
        boards.root.style.setProperty('--boards', String(boards.all.length));
        boards.picked = _matching(boards, boards.picked).length > 0 ? boards.picked : _nothing();
        // What has happened since may have made another move better.
        boards.hinted = snapshot.number === boards.number ? boards.hinted : '';
        boards.number = snapshot.number;
        _light(boards);
    }

    /**
     * @param {Boards} boards - The boards.
     * @param {{field: string, cells: Place[]}} chosen - Tapped cells of one of them.
     * @returns {[string, Place[]][]} The legal moves that begin with them, with what they name.
     */
    function _matching({moves}, {field, cells}) {
        return [...moves.get(field) ?? []].filter(([, places]) => (
            cells.length <= places.length && cells.every((cell, index) => Cells.isIn(places[index], cell))));
    }

    /**
     * A cell was tapped: make the move that it names, or wait for the next cell.
     *
     * @param {Boards} boards - The boards.
     * @param {string} field - The board of the cell.
     * @param {{row: number, column: number}} cell - The cell.
     */
    function _tap(boards, field, cell) {
        const cells = _chosen(boards, field, cell);
        boards.picked = {field, cells};
        const board = boards.all.find(one => one.field === field);
        if (board !== undefined) {
            PlainBoard.reach(board, cell.row, cell.column);
        }
        const matching = cells.length > 0 ? _matching(boards, boards.picked) : [];
        if (matching.length === 1 && matching[0][1].length === cells.length) {
            boards.picked = _nothing();
            boards.act(matching[0][0]);
        }
        _light(boards);
        boards.redraw();
    }

    /**
     * Find the cells that are chosen after a tap. The last one that was tapped is put back by a second tap, and a cell
     * with which nothing goes on may begin anew.
     *
     * @param {Boards} boards - The boards.
     * @param {string} field - The board of the cell.
     * @param {Place} cell - The cell.
     * @returns {Place[]} The cells.
     */
    function _chosen(boards, field, cell) {
        const before = boards.picked.field === field ? boards.picked.cells : [];
        const last = before.at(-1);
        if (last !== undefined && last.row === cell.row && last.column === cell.column) {
            return before.slice(0, -1);
        }
        return [[...before, cell], [cell]].find(cells => _matching(boards, {field, cells}).length > 0) ?? [];
    }

    /**
     * Show which cells can be tapped, which were, and those of the hint.
     *
     * @param {Boards} boards - The boards.
     */
    function _light(boards) {
        for (const {field, cells} of boards.all) {
            const own = boards.picked.field === field ? boards.picked.cells : [];
            const next = _matching(boards, {field, cells: own})
                .flatMap(([, places]) => places.slice(own.length, own.length + 1));
            const starts = _matching(boards, {field, cells: []}).flatMap(([, places]) => places.slice(0, 1));
            // Of a whole row or column, each cell is as good as the others.
            const goals = next.filter(({row, column}) => row !== null && column !== null);
            const hint = boards.moves.get(field)?.get(boards.hinted) ?? [];
            cells.forEach((line, row) => line.forEach((cell, column) => {
                const isIn = (/** @type {Place[]} */ places) => places.some(one => Cells.isIn(one, {row, column}));
                cell.classList.toggle('is-lit', isIn(next));
                cell.classList.toggle('is-goal', isIn(goals));
                cell.classList.toggle('is-hinted', isIn(hint));
                cell.setAttribute('aria-disabled', String(!isIn([...next, ...own, ...starts])));
                cell.toggleAttribute('aria-pressed', isIn(own));
                if (isIn(own)) {
                    cell.setAttribute('aria-pressed', 'true');
                }
            }));
        }
    }

    /**
     * Light the cells of a hint.
     *
     * @param {Boards} boards - The boards.
     * @param {string} move - The move.
     * @returns {Element[]} The cells; none if it is made on no board.
     */
    function light(boards, move) {
        boards.hinted = move;
        _light(boards);
        return [...boards.root.querySelectorAll('.is-hinted')];
    }

    /**
     * List the legal moves that need a button: those that are made on no board, and those among which the tapped cells
     * leave a choice.
     *
     * @param {Boards} boards - The boards.
     * @param {string[]} legal - The legal moves.
     * @returns {string[]} Some of them.
     */
    function others(boards, legal) {
        const {moves, picked} = boards;
        const onBoards = new Set([...moves.values()].flatMap(all => [...all.keys()]));
        const matching = picked.cells.length > 0 ? _matching(boards, picked) : [];
        const isChoice = matching.some(([, places]) => places.length === picked.cells.length);
        const chosen = new Set(isChoice ? matching.map(([move]) => move) : []);
        return legal.filter(move => !onBoards.has(move) || chosen.has(move));
    }

    return {create, clear, draw, light, others};
})();
