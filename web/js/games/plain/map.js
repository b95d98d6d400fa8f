/**
 * GenericMap: draws places with `x` and `y` as a map, with the corridors between them; the user selects a verb
 * above the map, then taps a place.
 */
const GenericMap = (() => {
    /** The ways that the bits of `connections` lead, as steps in x and y. */
    const _WAYS = [[0, -1], [1, -1], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1]];

    /** The verb that a tap performs; empty before a choice. */
    let _verb = '';

    /** Reset the choice. */
    function reset() {
        _verb = '';
    }

    /**
     * Draw the map.
     *
     * @param {any[]} places - The places.
     * @param {MoveParts[]} moves - The moves at places.
     * @param {string[]} tools - The verbs that stay chosen, the usual one first; any other is good for one move.
     * @param {(move: string) => void} act - Makes a move.
     * @param {() => void} redraw - Draws everything again.
     * @returns {HTMLElement} The map with its verbs.
     */
    function draw(places, moves, tools, act, redraw) {
        const possible = new Set(moves.map(move => move.verb));
        const verbs = [...new Set([...tools, ...possible])].filter(verb => possible.has(verb));
        if (verbs.length > 0 && !verbs.includes(_verb)) {
            _verb = verbs[0];
        }
        const actOnce = (/** @type {string} */ move) => {
            if (!tools.includes(_verb)) {
                reset();
            }
            act(move);
        };
        const left = Math.min(...places.map(place => place.x));
        const top = Math.min(...places.map(place => place.y));
        const columns = Math.max(...places.map(place => place.x)) - left + 1;
        const rows = Math.max(...places.map(place => place.y)) - top + 1;
        const cells = places.map(place => {
            const here = `${_verb} ${place.y} ${place.x}`;
            const cell = _cell(place, moves.find(move => move.text === here), actOnce);
            return _put(cell, place.x - left, place.y - top);
        });
        // Numbered as in the log and the moves; screen readers get the numbers with each place.
        const labels = [
            ...Array.from({length: columns}, (_, column) => _put(_label(left + column), column, -1)),
            ...Array.from({length: rows}, (_, row) => _put(_label(top + row), -1, row))
        ];
        const grid = Lib.element('div', {class: 'map', role: 'group', 'aria-label': Words.table('map')});
        grid.style.setProperty('--columns', String(columns));
        grid.style.setProperty('--rows', String(rows));
        grid.append(_corridors(places, left, top, columns, rows), ...labels, ...cells);
        return Lib.element('div', {class: 'map-frame'},
            verbs.length > 1 ? _chooser(verbs, redraw) : null, grid);
    }

    /**
     * @param {HTMLElement} part - A part of the map.
     * @param {number} column - Its column; -1 is the edge, where the labels stand.
     * @param {number} row - Its row.
     * @returns {HTMLElement} The same part.
     */
    function _put(part, column, row) {
        part.style.gridColumn = String(column + 2);
        part.style.gridRow = String(row + 2);
        return part;
    }

    /**
     * @param {number} number - The number of a row or a column.
     * @returns {HTMLElement} Its label.
     */
    function _label(number) {
        return Lib.element('span', {class: 'label', text: String(number), 'aria-hidden': 'true'});
    }

    /**
     * @param {string[]} verbs - The verbs.
     * @param {() => void} redraw - Draws everything again.
     * @returns {HTMLElement} A button for each verb.
     */
    function _chooser(verbs, redraw) {
        return Lib.element('div', {class: 'verbs', role: 'group'}, ...verbs.map(verb => Lib.element('button', {
            type: 'button', class: 'button', 'aria-pressed': String(verb === _verb), text: Words.get('verbs', verb),
            dataset: {verb},
            on: {
                click: () => {
                    _verb = verb;
                    redraw();
                }
            }
        })));
    }

    /**
     * @param {any} place - A place.
     * @param {MoveParts | undefined} move - The move there.
     * @param {(move: string) => void} act - Makes a move.
     * @returns {HTMLElement} Its cell: a button if something may be done.
     */
    function _cell(place, move, act) {
        const [sign, tone] = _look(place);
        const what = Words.table(`map.${tone}`, {number: sign});
        const about = Words.table('map.place', {row: place.y, column: place.x, what});
        if (move === undefined) {
            return Lib.element('span', {class: `cell ${tone}`},
                Lib.element('span', {text: sign, 'aria-hidden': 'true'}),
                Lib.element('span', {class: 'visually-hidden', text: about}));
        }
        return Lib.element('button', {
            type: 'button', class: `cell legal ${tone}`, text: sign, dataset: {word: `${place.y} ${place.x}`},
            'aria-label': `${Words.get('verbs', move.verb)}: ${about}`, on: {click: () => act(move.text)}
        });
    }

    /**
     * @param {any} place - A place.
     * @returns {[string, string]} The sign on it, and its tone.
     */
    function _look({is_dangerous: isDangerous, is_marked: isMarked, is_revealed: isRevealed, ...place}) {
        const number = place.dangerous_nearby_rooms;
        if (isDangerous === true) {
            return ['✕', 'danger'];
        }
        if (isMarked) {
            return ['⚑', 'marked'];
        }
        if (isRevealed || typeof number === 'number') {
            return [String(number ?? ''), 'open'];
        }
        return isDangerous === false ? ['✓', 'safe'] : ['', 'closed'];
    }

    /**
     * @param {any[]} places - The places.
     * @param {number} left - The first column.
     * @param {number} top - The first row.
     * @param {number} columns - How many columns there are.
     * @param {number} rows - How many rows.
     * @returns {SVGSVGElement} The ways between the places.
     */
    function _corridors(places, left, top, columns, rows) {
        /** @type {SVGElement[]} */
        const ways = [];
        for (const {x, y, connections} of places) {
            _WAYS.forEach(([stepX, stepY], bit) => {
                // Each way is in the bits of both its ends: half of them is enough.
                if (bit >= 1 && bit <= 4 && connections >> bit & 1) {
                    const [x1, y1] = [x - left + 0.5, y - top + 0.5];
                    ways.push(Lib.drawing('line', {x1, y1, x2: x1 + stepX, y2: y1 + stepY}));
                }
            });
        }
        return Lib.drawing('svg', {viewBox: `0 0 ${columns} ${rows}`, 'aria-hidden': 'true'}, ...ways);
    }

    return {draw, reset};
})();
