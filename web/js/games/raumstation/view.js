/**
 * StationTable: the table of Raumstation: the map, the tools below it, and what is counted above it.
 *
 * @type {GameTable}
 */
const StationTable = (() => {
    const _TOOLS = ['scan', 'mark', 'joker'];
    /** The delay between two rooms that open one after the other. */
    const _SPREAD = 45;
    /** How long after a room was opened a tap on it is the second half of a double tap (milliseconds). */
    const _DOUBLE = 500;

    /** @type {ReturnType<typeof StationMap.create>} */
    let _map;

    let _tool = 'scan';

    /** @type {ReturnType<typeof Result.again> | null} What asks for another station, while the end of one is shown. */
    let _asked = null;

    /** Is the station that begins next one that was played before? */
    let _isKnown = false;

    /** @type {Set<string>} The events that have sounded since the last render. */
    const _heard = new Set();

    /** @type {Map<string, number>} When rooms were opened, by the page's clock. */
    const _opened = new Map();

    /** @type {string[]} The rooms that a tap on a number scans: the first has been asked for, the others wait. */
    let _chord = [];

    const _plain = Speeches.make(word => word);

    /** @type {Speech} */
    const _speech = {
        ..._plain,
        of(event, context, snapshot) {
            const {row, column} = context;
            return event === 'told' ? Words.table(context.is_dangerous ? 'told.trap' : 'told.safe', {row, column})
                : _plain.of(event, context, snapshot);
        }
    };

    const _life = Life.make({
        game: 'raumstation', speech: _speech, sounds: ['announce', 'bomb', 'score', 'select', 'tile'],
        create: _create, render: _render, notify: _notify, hint: _hint, press: _onKey, tick: _count,
        status: () => Words.table(`aim.${_tool}`),
        about: {scan: '.map', numbers: '.map', chord: '.map', mark: '[data-tool="mark"]', joker: '[data-tool="joker"]'},
        begin() {
            _tool = 'scan';
            _heard.clear();
            _opened.clear();
            _endChord();
        },
        calls: {'app:error': _endChord, 'network:cut': _endChord, 'tableView:undo': _endChord}
    });

    /** @returns {HTMLElement} The view's element. */
    function _create() {
        const {element} = Lib;
        _map = StationMap.create({tap: _tap, mark: _mark});
        const counter = (/** @type {string} */ name) => element('span', {class: 'count', dataset: {count: name}},
            StationMap.icon(name), element('b'), element('span', {class: 'visually-hidden'}));
        return element('section', {class: 'station-table', 'aria-label': Words.table('label')},
            element('header', {class: 'station-header'},
                Lib.iconButton('leave', Texts.get('lobby.leave'), () => EventBus.emit('tableView:leave')),
                element('div', {class: 'counts'}, ...['clock', 'flag', 'closed'].map(counter)),
                Lib.iconButton('rules', Texts.get('rules.title'), Rules.open), SettingsDialog.button()),
            element('div', {class: 'station-map'}, _map.element),
            element('div', {class: 'station-own'},
                element('div', {class: 'own-line'},
                    Life.tool('undo'), element('p', {class: 'turn status-text', tabindex: -1}), Life.tool('hint')),
                element('div', {class: 'tools', role: 'group', 'aria-label': Words.table('tools')},
                    ..._TOOLS.map(_toolButton))),
            element('section', {class: 'station-result', 'aria-label': Words.table('result'), hidden: true}));
    }

    /**
     * @param {string} tool - A verb.
     * @returns {HTMLElement} The button that chooses it.
     */
    function _toolButton(tool) {
        return Lib.element('button', {
            type: 'button', class: 'button tool', dataset: {tool},
            'aria-keyshortcuts': tool === 'scan' ? 'X' : tool.charAt(0).toUpperCase(),
            on: {click: () => _choose(tool === _tool ? 'scan' : tool)}
        }, StationMap.icon(tool === 'mark' ? 'flag' : tool), Lib.element('span', {text: Words.get('verbs', tool)}),
        tool === 'joker' ? Lib.element('b', {class: 'left'}) : null);
    }

    /**
     * Draw the state, and show how what has happened led to it.
     *
     * @param {{event: string, context: any}[]} news - What happened.
     */
    function _render(news) {
        const snapshot = /** @type {Snapshot} */ (_life.shown);
        _heard.clear();
        if (snapshot.public_state.rooms === undefined) {
            return;
        }
        const {rooms, won, is_running: isRunning} = snapshot.public_state;
        if (isRunning && !_life.options.isReplay) {
            StationTimes.start(_station(rooms), _isKnown);
            _isKnown = false;
            _asked?.leave();
            _asked = null;
            _life.part('.station-result').hidden = true;
        }
        _map.light(null);
        _map.draw(rooms, won !== null);
        _life.root.classList.toggle('is-over', won !== null);
        _life.root.classList.toggle('is-watching', snapshot.me < 0 || _life.options.isReplay === true);
        _drawTools();
        _animate(news);
        _life.tick();
        _continueChord();
    }

    /**
     * @param {Room[]} rooms - The rooms of a station.
     * @returns {string} A text that no other station has.
     */
    function _station(rooms) {
        return rooms.map(({x, y, connections}) => [x, y, connections].join('.')).join(' ');
    }

    /** Draw the tools, and what a tap on a room does now. */
    function _drawTools() {
        const {jokers} = /** @type {Snapshot} */ (_life.shown).public_state;
        if (_tool === 'joker' && jokers === 0) {
            _tool = 'scan';
        }
        for (const tool of _TOOLS) {
            const button = /** @type {HTMLButtonElement} */ (_life.part(`[data-tool=${tool}]`));
            button.setAttribute('aria-pressed', String(tool === _tool));
            button.disabled = tool === 'joker' && jokers === 0;
        }
        // It keeps its place, so that no other tool moves.
        /** @type {HTMLButtonElement} */ (_life.part('.undo')).disabled = _life.shown?.mayUndo !== true;
        _life.part('.left').textContent = String(jokers);
    }

    /** Count the seconds, the marks and the closed rooms. */
    function _count() {
        const {rooms} = /** @type {Snapshot} */ (_life.shown).public_state;
        if (rooms === undefined) {
            return;
        }
        const found = rooms.filter((/** @type {Room} */ room) => (
            room.is_marked || !room.is_revealed && room.is_dangerous === true)).length;
        const closed = rooms.filter((/** @type {Room} */ room) => !room.is_revealed).length;
        _show('clock', StationTimes.text(_life.options.isReplay ? 0 : StationTimes.seconds()));
        _show('flag', String(found));
        _show('closed', String(closed));
    }

    /**
     * @param {string} name - What is counted.
     * @param {string} value - How much.
     */
    function _show(name, value) {
        const count = _life.part(`[data-count=${name}]`);
        const [shown, said] = [count.querySelector('b'), count.querySelector('span')];
        if (shown !== null && said !== null && shown.textContent !== value) {
            shown.textContent = value;
            said.textContent = Words.table(`count.${name}`);
            count.title = `${Words.table(`count.${name}`)}: ${value}`;
        }
    }

    // --- input ------------------------------------------------------------------------------------------------------

    /** @param {string} tool - What a tap on a room does from now on. */
    function _choose(tool) {
        _tool = tool;
        SoundManager.play('select');
        _drawTools();
        _life.tick();
    }

    /**
     * A room was tapped.
     *
     * @param {string} place - Which one.
     */
    function _tap(place) {
        if (_tool === 'scan') {
            _scan(place);
        }
        else if (_tool === 'mark') {
            _mark(place);
        }
        else if (_life.legal.has(`joker ${place}`)) {
            _make(`joker ${place}`);
            _tool = 'scan';
        }
    }

    /**
     * Scan a room; one of which it is doubtful only at the second time. An open number scans what is left round it.
     *
     * @param {string} place - Which one.
     */
    function _scan(place) {
        const {choices, public_state: {rooms}} = /** @type {Snapshot} */ (_life.shown);
        const move = `scan ${place}`;
        if (StationAround.find(rooms, place)?.dangerous_nearby_rooms && _life.isOurs) {
            _beginChord(place);
        }
        // A marked room that is protected is refused by the server, which says why.
        const {legal} = _life;
        const isOffered = legal.has(move) || legal.has(`unmark ${place}`) || choices.spreads?.includes(move);
        if (isOffered && Guard.passes(move, _life.shown)) {
            _make(move);
        }
    }

    /**
     * Mark a room, or take its mark away.
     *
     * @param {string} place - Which one.
     */
    function _mark(place) {
        const move = ['mark', 'unmark'].map(verb => `${verb} ${place}`).find(text => _life.legal.has(text));
        if (move !== undefined) {
            _make(move);
        }
    }

    /**
     * Scan the unmarked rooms round an open number, one after the other, if as many are marked as it says.
     *
     * @param {string} place - The number's room.
     */
    function _beginChord(place) {
        const {rooms} = /** @type {Snapshot} */ (_life.shown).public_state;
        const number = StationAround.find(rooms, place)?.dangerous_nearby_rooms;
        const {traps, closed} = StationAround.count(rooms, place);
        if (_chord.length > 0 || performance.now() - (_opened.get(place) ?? -_DOUBLE) < _DOUBLE) {
            return;
        }
        if (traps !== number || closed.length === 0) {
            Lib.announce(Words.table('chord.none', {marked: traps, number: number ?? '', closed: closed.length}));
            return;
        }
        _chord = closed;
        _make(`scan ${_chord[0]}`);
    }

    /** Ask for the next room of a chord, once the one before is open and if it is still to be scanned. */
    function _continueChord() {
        const {rooms, won} = /** @type {Snapshot} */ (_life.shown).public_state;
        const isOpen = (/** @type {string} */ place) => StationAround.find(rooms, place)?.is_revealed !== false;
        if (_chord.length === 0 || !isOpen(_chord[0])) {
            return;
        }
        _chord = won !== null ? [] : _chord.filter(place => (
            !isOpen(place) && StationAround.find(rooms, place)?.is_marked === false));
        if (_chord.length > 0) {
            _make(`scan ${_chord[0]}`);
        }
    }

    /** Nothing more is scanned by itself. */
    function _endChord() {
        _chord = [];
    }

    /** @param {string} move - The move that is made. */
    function _make(move) {
        EventBus.emit('tableView:move', {move, spread: true});
    }

    /** @param {KeyboardEvent} event - A key that was pressed anywhere on the page. */
    function _onKey(event) {
        const room = /** @type {HTMLElement} */ (event.target).closest('.room');
        /** @type {{[key: string]: () => void}} */
        const always = room instanceof HTMLElement ? {n: () => _tellAround(room.dataset.place ?? '')} : {};
        if (_life.options.isReplay || _life.shown?.public_state.won !== null) {
            Keys.press(_life.root, event, always);
        }
        else {
            Keys.press(_life.root, event, {
                ...always,
                ...Object.fromEntries(StationMap.KEYS.map(key => [key, _map.focus])),
                f: () => room instanceof HTMLElement && _mark(room.dataset.place ?? ''),
                j: () => Lib.toast(Words.table('joker.none')),
                escape: () => _choose('scan')
            });
        }
    }

    /** @param {string} place - The room of which screen readers hear what lies round it. */
    function _tellAround(place) {
        const {rooms, won} = /** @type {Snapshot} */ (_life.shown).public_state;
        Lib.announce(StationAround.tell(rooms, place, won !== null));
    }

    // --- what happens -----------------------------------------------------------------------------------------------

    /**
     * Something happened: sound now, move with the next render.
     *
     * @param {string} event - The event's name.
     * @param {any} context - The event's context.
     * @param {Snapshot} snapshot - The table before it.
     * @param {string} line - The same in words.
     */
    function _notify(event, context, snapshot, line) {
        const isFirst = !_heard.has(event);
        _heard.add(event);
        if (event === 'scanned') {
            _opened.set(`${context.row} ${context.column}`, performance.now());
        }
        /** @type {{[name: string]: string}} */
        const sounds = {scanned: 'select', marked: 'tile', unmarked: 'tile', told: 'score', trapped: 'bomb'};
        if (isFirst) {
            SoundManager.play(sounds[event] ?? '');
        }
        if (event === 'told') {
            Lib.toast(line);
        }
        else if (event === 'game_over') {
            _end(State.snapshot ?? snapshot, context);
        }
    }

    /**
     * The game is over.
     *
     * @param {Snapshot} snapshot - The table.
     * @param {any} outcome - The end.
     */
    function _end(snapshot, outcome) {
        StationTimes.stop();
        const {game, options} = snapshot.public_state;
        const level = StationEntrance.level(game, options);
        const hasWon = outcome.payoff[0] > 0;
        // Who only watches has no times.
        const place = snapshot.me >= 0 ? StationTimes.enter(level, hasWon) : null;
        const result = _life.part('.station-result');
        _asked?.leave();
        _asked = Result.again();
        result.replaceChildren(...StationResult.draw(snapshot, outcome, level, place, {
            element: _asked.element, again: _again
        }));
        result.hidden = false;
        /** @type {HTMLElement | null} */ (result.querySelector('h2'))?.focus();
        if (hasWon) {
            SoundManager.play('announce');
        }
    }

    /**
     * Play once more.
     *
     * @param {string | null} seed - The seed of the same station; null for a new one.
     */
    function _again(seed) {
        _isKnown = seed !== null;
        _asked?.ask(seed === null ? undefined : {seed});
    }

    /**
     * Rooms open one after the other, from the one that was scanned; a trap shakes the station.
     *
     * @param {{event: string, context: any}[]} news - What happened.
     */
    function _animate(news) {
        if (!Flights.isOn()) {
            return;
        }
        const open = [{scale: 0.4, opacity: 0}, {scale: 1.12, opacity: 1, offset: 0.7}, {scale: 1, opacity: 1}];
        news.filter(({event}) => event === 'scanned').forEach(({context}, index) => {
            Flights.animate(_map.cell(`${context.row} ${context.column}`)?.firstElementChild ?? null, open,
                {duration: 260, delay: index * _SPREAD});
        });
        for (const {event, context} of news) {
            if (['marked', 'told'].includes(event)) {
                Flights.pop(_map.cell(`${context.row} ${context.column}`) ?? null);
            }
            else if (event === 'trapped') {
                const shake = [0, -9, 8, -6, 4, 0].map(x => ({translate: `${x}px ${-x / 2}px`}));
                Flights.animate(_map.element, shake, {duration: 420, easing: 'linear'});
            }
            else if (event === 'over' && context.won) {
                _life.root.querySelectorAll('.room.open').forEach((room, index) => {
                    Flights.animate(room, [{scale: 1}, {scale: 1.15}, {scale: 1}], {duration: 300, delay: index * 15});
                });
            }
        }
    }

    /**
     * @param {string} move - The solver's move: its room is lit until something happens.
     * @returns {Element[]} The room.
     */
    function _hint(move) {
        StationTimes.help();
        const lit = _map.light(Moves.parse(move).operands.join(' '));
        Flights.pop(lit);
        return lit === null ? [] : [lit];
    }

    return {
        ..._life.view, name: 'station-table-view', speech: _speech, picture: StationMap.picture,
        lobby: StationEntrance.draw
    };
})();

Games.register('raumstation', StationTable);
