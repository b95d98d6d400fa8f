/**
 * StationMap: the map of a station: its rooms, the corridors between them, and how a room is chosen by a tap, a long
 * press, a right click or keys. It knows what a room shows, not what may be done there.
 */

/** @typedef {Protocol.RaumstationRoom} Room */

const StationMap = (() => {
    /**
     * The ways that the bits of `connections` lead: their names, and their steps in x and y.
     *
     * @type {{name: string, step: [number, number]}[]}
     */
    const WAYS = [
        {name: 'up', step: [0, -1]}, {name: 'up_right', step: [1, -1]}, {name: 'right', step: [1, 0]},
        {name: 'down_right', step: [1, 1]}, {name: 'down', step: [0, 1]}, {name: 'down_left', step: [-1, 1]},
        {name: 'left', step: [-1, 0]}, {name: 'up_left', step: [-1, -1]}
    ];

    /** @type {{[key: string]: [number, number]}} The keys that move the focus, as steps in x and y. */
    const _STEPS = {
        arrowup: [0, -1], arrowright: [1, 0], arrowdown: [0, 1], arrowleft: [-1, 0],
        w: [0, -1], d: [1, 0], s: [0, 1], a: [-1, 0]
    };

    /** The keys that lead to the map and through it. */
    const KEYS = Object.keys(_STEPS);

    /** @type {{[look: string]: string}} The pictures in rooms. */
    const _ICONS = {hit: 'trap', danger: 'trap', marked: 'flag', wrong: 'flag', safe: 'safe'};

    /** A finger that rests this long marks. */
    const _LONG = 450;

    /**
     * Make a map.
     *
     * @param {{tap: (place: string) => void, mark: (place: string) => void}} calls - The callbacks; a place is the row
     *     and the column of a room, as in a move.
     * @returns {{element: HTMLElement, draw: (rooms: Room[], isOver: boolean) => void, focus: () => void,
     *     light: (place: string | null) => HTMLElement | null, cell: (place: string) => HTMLElement | undefined}} The
     *     map; `focus` leads to the room that had the focus last, `light` lights one room or none and lets the keys
     *     lead to it first, unless they have led to another one; `cell` finds the element of a room.
     */
    function create(calls) {
        const element = Lib.element('div', {class: 'map', role: 'group', 'aria-label': Words.table('map')});
        /** @type {Map<string, HTMLElement>} */
        let cells = new Map();
        let built = '';
        _press(element, calls);
        element.addEventListener('keydown', event => {
            const step = event.ctrlKey || event.metaKey || event.altKey ? undefined : _STEPS[event.key.toLowerCase()];
            const cell = _at(event.target);
            if (step !== undefined && cell !== null) {
                event.preventDefault();
                _focus([...cells.values()], _next(cell, [...cells.values()], step));
            }
        });
        return {
            element,
            draw(rooms, isOver) {
                const plan = rooms.map(({x, y, connections}) => [x, y, connections]).join(' ');
                if (plan !== built) {
                    built = plan;
                    cells = _build(element, rooms);
                }
                rooms.forEach(room => _drawRoom(/** @type {HTMLElement} */ (cells.get(`${room.y} ${room.x}`)), room,
                    isOver));
            },
            focus() {
                /** @type {HTMLElement | null} */ (element.querySelector('.room[tabindex="0"]'))?.focus();
            },
            light(place) {
                element.querySelector('.is-hinted')?.classList.remove('is-hinted');
                const lit = cells.get(place ?? '') ?? null;
                lit?.classList.add('is-hinted');
                if (lit !== null && !element.contains(document.activeElement)) {
                    _reach([...cells.values()], lit);
                }
                return lit;
            },
            cell: place => cells.get(place)
        };
    }

    /**
     * Lay out a station.
     *
     * @param {HTMLElement} map - The map.
     * @param {Room[]} rooms - The rooms.
     * @returns {Map<string, HTMLElement>} The elements of the rooms by their places.
     */
    function _build(map, rooms) {
        const [xs, ys] = [rooms.map(room => room.x), rooms.map(room => room.y)];
        const [left, top] = [Math.min(...xs), Math.min(...ys)];
        const columns = Math.max(...xs) - left + 1;
        const rows = Math.max(...ys) - top + 1;
        map.style.setProperty('--columns', String(columns));
        map.style.setProperty('--rows', String(rows));
        const cells = new Map(rooms.map(({x, y}, index) => [`${y} ${x}`, _put(Lib.element('button', {
            type: 'button', class: 'room', dataset: {place: `${y} ${x}`, x, y}, tabindex: index === 0 ? 0 : -1
        }), x - left, y - top)]));
        // Numbered as in the messages; screen readers get the numbers with each room.
        const labels = [
            ...Array.from({length: columns}, (_, column) => _put(_label(left + column), column, -1)),
            ...Array.from({length: rows}, (_, row) => _put(_label(top + row), -1, row))
        ];
        map.replaceChildren(_corridors(rooms, left, top, columns, rows), ...labels, ...cells.values());
        return cells;
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
     * @param {Room[]} rooms - The rooms.
     * @param {number} left - The first column.
     * @param {number} top - The first row.
     * @param {number} columns - How many columns there are.
     * @param {number} rows - How many rows.
     * @returns {SVGSVGElement} The corridors: a wall, and the light in it.
     */
    function _corridors(rooms, left, top, columns, rows) {
        /** @type {number[][]} */
        const ways = [];
        for (const {x, y, connections} of rooms) {
            WAYS.forEach(({step: [stepX, stepY]}, bit) => {
                // Each way is in the bits of both its ends: half of them is enough.
                if (bit >= 1 && bit <= 4 && connections >> bit & 1) {
                    const [x1, y1] = [x - left + 0.5, y - top + 0.5];
                    ways.push([x1, y1, x1 + stepX, y1 + stepY]);
                }
            });
        }
        const lines = ['wall', 'light'].flatMap(part => ways.map(([x1, y1, x2, y2]) => (
            Lib.drawing('line', {class: part, x1, y1, x2, y2}))));
        return Lib.drawing('svg', {viewBox: `0 0 ${columns} ${rows}`, 'aria-hidden': 'true'}, ...lines);
    }

    /**
     * @param {HTMLElement} cell - The element of a room.
     * @param {Room} room - The room.
     * @param {boolean} isOver - Is the game over, so that all is known?
     */
    function _drawRoom(cell, room, isOver) {
        const number = room.dangerous_nearby_rooms;
        const look = _look(room, isOver);
        const wanted = look === 'open' ? `open ${number}` : look;
        if (cell.dataset.look === wanted) {
            return;
        }
        cell.dataset.look = wanted;
        cell.className = `room ${look}`;
        cell.dataset.number = look === 'open' ? String(number) : '';
        cell.replaceChildren(...look === 'open' ? [Lib.element('span', {text: String(number)})]
            : look in _ICONS ? [icon(_ICONS[look])] : []);
        cell.setAttribute('aria-label', title(room, isOver));
    }

    /**
     * @param {Room} room - A room.
     * @param {boolean} isOver - Is the game over, so that all is known?
     * @returns {string} How it looks.
     */
    function _look({is_dangerous: isDangerous, is_marked: isMarked, is_revealed: isRevealed}, isOver) {
        return isRevealed ? isDangerous ? 'hit' : 'open'
            : isMarked ? isOver && !isDangerous ? 'wrong' : 'marked'
                : isDangerous === null ? 'closed' : isDangerous ? 'danger' : 'safe';
    }

    /**
     * @param {Room} room - A room.
     * @param {boolean} isOver - Is the game over, so that all is known?
     * @returns {string} Where it is and what is seen of it, in words.
     */
    function title(room, isOver) {
        const what = Words.table(`map.${_look(room, isOver)}`, {number: room.dangerous_nearby_rooms ?? ''});
        return Words.table('map.place', {row: room.y, column: room.x, what});
    }

    /**
     * Draw a room for the page of the rules.
     *
     * @param {string} word - What is seen of it, such as `closed` or `open-2`.
     * @returns {Element} The picture.
     */
    function picture(word) {
        const [look, number] = word.split('-');
        const content = number !== undefined ? [Lib.element('span', {text: number})]
            : look in _ICONS ? [icon(_ICONS[look])] : [];
        return Lib.element('span', {class: 'map is-picture'},
            Lib.element('span', {class: `room ${look}`, dataset: {number: number ?? ''}}, ...content));
    }

    /**
     * Make a picture from the sheet of the station.
     *
     * @param {string} name - Its name.
     * @returns {SVGSVGElement} The picture.
     */
    function icon(name) {
        return Lib.drawing('svg', {class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true'},
            Lib.drawing('use', {href: Lib.symbol(`station-${name}`, '/images/station.svg')}));
    }

    /**
     * Tell a tap from a long press and a right click.
     *
     * @param {HTMLElement} map - The map.
     * @param {{tap: (place: string) => void, mark: (place: string) => void}} calls - The callbacks.
     */
    function _press(map, {tap, mark}) {
        let waiting = 0;
        let wasLong = false;
        map.addEventListener('pointerdown', event => {
            const cell = _at(event.target);
            wasLong = false;
            window.clearTimeout(waiting);
            if (cell !== null && event.pointerType !== 'mouse') {
                waiting = window.setTimeout(() => {
                    wasLong = true;
                    navigator.vibrate?.(20);
                    mark(cell.dataset.place ?? '');
                }, _LONG);
            }
        });
        for (const end of ['pointerup', 'pointercancel', 'pointerleave']) {
            map.addEventListener(end, () => window.clearTimeout(waiting));
        }
        map.addEventListener('contextmenu', event => {
            const cell = _at(event.target);
            if (cell !== null) {
                event.preventDefault();
                // A long press of a finger ends in a context menu, too: it has marked already.
                if (!wasLong && /** @type {PointerEvent} */ (event).pointerType !== 'touch') {
                    mark(cell.dataset.place ?? '');
                }
            }
        });
        map.addEventListener('click', event => {
            const cell = _at(event.target);
            if (cell !== null && !wasLong) {
                _focus(/** @type {HTMLElement[]} */ ([...map.querySelectorAll('.room')]), cell);
                tap(cell.dataset.place ?? '');
            }
            wasLong = false;
        });
    }

    /**
     * Find the room that lies next in a direction: straight ahead if there is one, otherwise the nearest aside.
     *
     * @param {HTMLElement} from - A room.
     * @param {HTMLElement[]} rooms - All rooms.
     * @param {[number, number]} step - The direction.
     * @returns {HTMLElement} The next room; the same one at the edge.
     */
    function _next(from, rooms, [stepX, stepY]) {
        const place = (/** @type {HTMLElement} */ room) => [Number(room.dataset.x), Number(room.dataset.y)];
        const [x, y] = place(from);
        const ways = rooms.map(room => {
            const [ahead, aside] = [place(room)[0] - x, place(room)[1] - y].map((_, axis, [dx, dy]) => (
                axis === 0 ? dx * stepX + dy * stepY : Math.abs(dx * stepY) + Math.abs(dy * stepX)));
            return {room, ahead, way: ahead + 3 * aside};
        }).filter(({ahead}) => ahead > 0);
        return ways.sort((one, other) => one.way - other.way)[0]?.room ?? from;
    }

    /**
     * @param {HTMLElement[]} rooms - All rooms.
     * @param {HTMLElement} goal - The one that the tab key reaches.
     */
    function _reach(rooms, goal) {
        rooms.forEach(room => {
            room.tabIndex = room === goal ? 0 : -1;
        });
    }

    /**
     * @param {HTMLElement[]} rooms - All rooms.
     * @param {HTMLElement} goal - The one that gets the focus.
     */
    function _focus(rooms, goal) {
        _reach(rooms, goal);
        goal.focus();
    }

    /**
     * @param {EventTarget | null} target - Where something happened.
     * @returns {HTMLElement | null} The room there.
     */
    function _at(target) {
        return target instanceof Element ? target.closest('.room') : null;
    }

    return {KEYS, WAYS, create, icon, picture, title};
})();
