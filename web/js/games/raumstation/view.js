/**
 * StationTable: the table of Raumstation: the map, the tools below it, and what is counted above it.
 *
 * @type {GameTable}
 */
const StationTable = (() => {
    const _TOOLS = ['scan', 'mark', 'joker'];
    /** The delay between two rooms that open one after the other. */
    const _SPREAD = 45;

    /** @type {HTMLElement} */
    let _root;

    /** @type {ReturnType<typeof StationMap.create>} */
    let _map;

    /** @type {Snapshot | null} */
    let _snapshot = null;

    /** @type {RenderOptions} */
    let _options = {};

    let _tool = 'scan';

    /** @type {{event: string, context: any}[]} The events since the last render. */
    let _news = [];

    /** Is the station that begins next one that was played before? */
    let _isKnown = false;
    let _ticking = 0;

    /** @type {(() => void)[]} */
    let _leaves = [];

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

    /** @returns {HTMLElement} The view's element. */
    function create() {
        const {element} = Lib;
        _map = StationMap.create({tap: _tap, mark: _mark});
        const count = (/** @type {string} */ name) => element('span', {class: 'count', dataset: {count: name}},
            StationMap.icon(name), element('b'), element('span', {class: 'visually-hidden'}));
        _root = element('section', {class: 'station-table', 'aria-label': Words.table('label')},
            element('header', {class: 'station-header'},
                Lib.iconButton('leave', Texts.get('lobby.leave'), () => EventBus.emit('tableView:leave')),
                element('div', {class: 'counts'}, ...['clock', 'flag', 'closed'].map(count)),
                Lib.iconButton('rules', Texts.get('rules.title'), Rules.open), SettingsDialog.button()),
            element('div', {class: 'station-map'}, _map.element),
            element('div', {class: 'station-own'},
                element('div', {class: 'own-line'},
                    element('button', {
                        type: 'button', class: 'button icon-only undo', 'aria-label': Texts.get('table.undo'),
                        title: Texts.get('table.undo'), 'aria-keyshortcuts': 'U', disabled: true,
                        on: {click: _undo}
                    }, Lib.icon('undo')),
                    element('p', {class: 'turn', tabindex: -1}),
                    element('button', {
                        type: 'button', class: 'button icon-only hint', 'aria-label': Texts.get('table.hint'),
                        title: Texts.get('table.hint'), 'aria-keyshortcuts': 'H',
                        on: {click: () => EventBus.emit('tableView:hint')}
                    }, Lib.icon('hint'))),
                element('div', {class: 'tools', role: 'group', 'aria-label': Words.table('tools')},
                    ..._TOOLS.map(_toolButton))),
            element('section', {class: 'station-result', 'aria-label': Words.table('result'), hidden: true}));
        _root.addEventListener('pointerdown', () => Flights.skip(), {capture: true});
        return _root;
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

    /** The view becomes visible. */
    function show() {
        _snapshot = null;
        _news = [];
        _tool = 'scan';
        _leaves = [EventBus.on('app:hint', _showHint)];
        document.addEventListener('keydown', _onKey);
        _ticking = window.setInterval(_tick, 250);
        SoundManager.preload(['announce', 'bomb', 'score', 'select', 'tile']);
    }

    /** The view is left. */
    function hide() {
        window.clearInterval(_ticking);
        document.removeEventListener('keydown', _onKey);
        _leaves.forEach(leave => leave());
        Flights.skip();
        Tour.end();
    }

    /**
     * Draw all of it.
     *
     * @param {Snapshot | null} snapshot - The state.
     * @param {RenderOptions} [options] - The render options.
     */
    function render(snapshot, options = {}) {
        if (snapshot === null || snapshot.public_state.rooms === undefined) {
            return;
        }
        const news = _news;
        _news = [];
        _options = options;
        _snapshot = snapshot;
        const {rooms, won, is_running: isRunning} = snapshot.public_state;
        if (isRunning && !options.isReplay) {
            StationTimes.start(_station(rooms), _isKnown);
            _isKnown = false;
            _part('.station-result').hidden = true;
            if (snapshot.me >= 0) {
                Tour.begin(_root, 'raumstation');
            }
        }
        _map.draw(rooms, won !== null);
        _root.classList.toggle('is-over', won !== null);
        _root.classList.toggle('is-watching', snapshot.me < 0 || options.isReplay === true);
        _drawTools();
        _animate(news);
        _tick();
    }

    /**
     * @param {Room[]} rooms - The rooms of a station.
     * @returns {string} A text that no other station has.
     */
    function _station(rooms) {
        return rooms.map(({x, y, connections}) => [x, y, connections].join('.')).join(' ');
    }

    /** @returns {Set<string>} The legal moves. */
    function _legal() {
        return new Set(_options.isReplay ? [] : _snapshot?.choices.legal ?? []);
    }

    /** Draw the tools, and what a tap on a room does now. */
    function _drawTools() {
        const {jokers} = /** @type {Snapshot} */ (_snapshot).public_state;
        if (_tool === 'joker' && jokers === 0) {
            _tool = 'scan';
        }
        for (const tool of _TOOLS) {
            const button = /** @type {HTMLButtonElement} */ (_part(`[data-tool=${tool}]`));
            button.setAttribute('aria-pressed', String(tool === _tool));
            button.disabled = tool === 'joker' && jokers === 0;
        }
        // It keeps its place, so that no other tool moves.
        /** @type {HTMLButtonElement} */ (_part('.undo')).disabled = _snapshot?.mayUndo !== true;
        _part('.left').textContent = String(jokers);
    }

    /**
     * @param {string} selector - Which part.
     * @returns {HTMLElement} The part of this view.
     */
    function _part(selector) {
        return /** @type {HTMLElement} */ (_root.querySelector(selector));
    }

    /** Count the seconds, the marks and the closed rooms, and say what a tap does. */
    function _tick() {
        if (_snapshot === null) {
            return;
        }
        const {rooms, won} = _snapshot.public_state;
        const found = rooms.filter((/** @type {Room} */ room) => (
            room.is_marked || !room.is_revealed && room.is_dangerous === true)).length;
        const closed = rooms.filter((/** @type {Room} */ room) => !room.is_revealed).length;
        _count('clock', StationTimes.text(_options.isReplay ? 0 : StationTimes.seconds()));
        _count('flag', String(found));
        _count('closed', String(closed));
        const isMine = Turn.isOurs(_snapshot) && !_options.isReplay;
        const turn = _part('.turn');
        turn.classList.toggle('mine', isMine);
        const line = isMine ? Words.table(`aim.${_tool}`)
            : won === null ? Turn.line(_snapshot, _snapshot.public_state.time_left) : Texts.get('table.over');
        if (turn.textContent !== line) {
            turn.textContent = line;
        }
    }

    /**
     * @param {string} name - What is counted.
     * @param {string} value - How much.
     */
    function _count(name, value) {
        const count = _part(`[data-count=${name}]`);
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
        _tick();
        Lib.announce(Words.table(`aim.${tool}`));
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
        else if (_legal().has(`joker ${place}`)) {
            _make(`joker ${place}`);
            _tool = 'scan';
        }
    }

    /**
     * Scan a room; one of which it is doubtful only at the second time.
     *
     * @param {string} place - Which one.
     */
    function _scan(place) {
        const {choices} = /** @type {Snapshot} */ (_snapshot);
        const move = `scan ${place}`;
        // A marked room that is protected is refused by the server, which says why.
        const isOffered = _legal().has(move) || _legal().has(`unmark ${place}`) || choices.spreads?.includes(move);
        if (isOffered && Guard.passes(move, _snapshot)) {
            _make(move);
        }
    }

    /**
     * Mark a room, or take its mark away.
     *
     * @param {string} place - Which one.
     */
    function _mark(place) {
        const move = ['mark', 'unmark'].map(verb => `${verb} ${place}`).find(text => _legal().has(text));
        if (move !== undefined) {
            _make(move);
        }
    }

    /** @param {string} move - The move that is made. */
    function _make(move) {
        EventBus.emit('tableView:move', {move, spread: true});
    }

    /** Take the last move back. */
    function _undo() {
        if (_snapshot?.mayUndo) {
            EventBus.emit('tableView:undo');
        }
    }

    /** @param {KeyboardEvent} event - A key that was pressed anywhere on the page. */
    function _onKey(event) {
        const room = /** @type {HTMLElement} */ (event.target).closest('.room');
        if (!_options.isReplay && _snapshot?.public_state.won === null) {
            Keys.press(_root, event, {
                f: () => room instanceof HTMLElement && _mark(room.dataset.place ?? ''),
                j: () => Lib.toast(Words.table('joker.none')),
                escape: () => _choose('scan')
            });
        }
    }

    // --- what happens -----------------------------------------------------------------------------------------------

    /**
     * Something happened: sound now, move with the next render.
     *
     * @param {string} event - The event's name.
     * @param {any} context - The event's context.
     */
    function notify(event, context) {
        const {snapshot} = State;
        const isFirst = !_news.some(one => one.event === event);
        _news.push({event, context});
        const line = snapshot === null ? '' : _speech.of(event, context, snapshot);
        if (line !== '') {
            Lib.announce(line);
        }
        /** @type {{[name: string]: string}} */
        const sounds = {scanned: 'select', marked: 'tile', unmarked: 'tile', told: 'score', trapped: 'bomb'};
        if (isFirst) {
            SoundManager.play(sounds[event] ?? '');
        }
        if (event === 'told') {
            Lib.toast(line);
        }
        else if (event === 'game_over' && snapshot !== null) {
            _end(snapshot, context);
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
        const level = _level(snapshot.public_state);
        const hasWon = outcome.payoff[0] > 0;
        const place = hasWon ? StationTimes.enter(level) : null;
        const name = level.startsWith('{') ? Words.table('level.own') : Words.about('presets', level).name;
        const result = _part('.station-result');
        result.replaceChildren(...StationResult.draw(snapshot, outcome, name, place, StationTimes.best(level), _again));
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
        EventBus.emit('tableView:rematch', seed === null ? undefined : {seed});
    }

    /**
     * @param {PublicState} table - The table.
     * @returns {string} The preset that is played; own options as a text.
     */
    function _level({game, options}) {
        const presets = Object.entries(Setup.game(game)?.presets ?? {});
        const same = (/** @type {any} */ preset) => Object.keys(preset).every(name => preset[name] === options[name]);
        return presets.find(([, preset]) => same(preset))?.[0] ?? JSON.stringify(options);
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
                _root.querySelectorAll('.room.open').forEach((room, index) => {
                    Flights.animate(room, [{scale: 1}, {scale: 1.15}, {scale: 1}], {duration: 300, delay: index * 15});
                });
            }
        }
    }

    /** @param {{move: string, reason: string}} hint - The solver's advice. */
    function _showHint({move, reason}) {
        const {operands} = Moves.parse(move);
        Flights.pop(_map.cell(operands.join(' ')) ?? null);
        Lib.toast(Texts.get('table.hint_says', {move: Moves.words(move, word => word), reason}));
    }

    return {
        name: 'station-table-view', isScaled: false, speech: _speech, picture: StationMap.picture,
        create, render, notify, show, hide
    };
})();

Games.register('raumstation', StationTable);
