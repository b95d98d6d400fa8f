/**
 * OkeyTable: the table of Okey. The own rack is arranged on this device alone; the server says what may be done and
 * what is a group.
 *
 * @type {GameTable}
 */
const OkeyTable = (() => {
    const _KEPT = 'okey.rack';
    /** @type {{[order: string]: {key: string, tiles: string[]}}} How a rack can be sorted, and how that is shown. */
    const _ORDERS = {
        runs: {key: 'R', tiles: ['5:RED', '6:RED', '7:RED']}, equals: {key: 'G', tiles: ['7:RED', '7:BLUE', '7:BLACK']},
        groups: {key: 'A', tiles: ['0:BLACK']}
    };

    /** @type {ReturnType<typeof RackView.create>} */
    let _rack;

    /** @type {Slots} */
    let _slots = [];

    /** @type {number | null} The slot of the tile that was taken up. */
    let _chosen = null;

    const _speech = Speeches.make(Tiles.text);

    const _life = Life.make({
        game: 'okey', speech: _speech, sounds: ['score', 'select', 'take', 'tile', 'tiles'],
        create: _create, render: _render, notify: _notify, hint: _hint, press: _onKey, status: _status,
        mood: (event, {seat}) => ['taken', 'won', 'cheated'].includes(event) ? {glad: [seat]} : {},
        about: {
            win: '.act', draw: '.stock', put: '.pile[data-pile="right"]', joker: '.joker-note', groups: '.rack',
            exchange: '.pile[data-pile="bottom"]'
        },
        begin() {
            _chosen = null;
            _slots = [];
        }
    });

    /** @returns {HTMLElement} The view's element. */
    function _create() {
        const {element} = Lib;
        _rack = RackView.create({move: _move, drop: _drop, choose: _choose});
        const button = (/** @type {string} */ name, /** @type {() => void} */ act) => element('button', {
            type: 'button', class: name, dataset: {drop: name}, 'aria-keyshortcuts': 'Z', on: {click: act}
        });
        // What a replay has no use for.
        const live = (/** @type {HTMLElement} */ one) => {
            one.classList.add('is-live');
            return one;
        };
        return element('section', {class: 'okey-table', 'aria-label': Words.table('label')},
            element('header', {class: 'okey-header'},
                live(Lib.iconButton('leave', Texts.get('lobby.leave'), () => EventBus.emit('tableView:leave'))),
                element('p', {class: 'told', 'aria-hidden': 'true'}),
                Lib.iconButton('rules', Texts.get('rules.title'), Rules.open),
                live(Lib.iconButton('chat', Texts.get('chat'), Chat.open)), SettingsDialog.button()),
            element('div', {class: 'okey-felt'},
                ...['top', 'left', 'right', 'bottom'].map(place => element('div', {
                    class: 'table-seat', dataset: {place}
                })),
                ...Places.ALL.map(place => _pile(place)),
                element('div', {class: 'middle'},
                    button('stock', _tapStock),
                    element('p', {class: 'joker-note'}, Tiles.draw('0:BLACK'),
                        element('span', {text: Words.table('joker')})),
                    element('button', {
                        type: 'button', class: 'button cheat', text: Words.get('verbs', 'cheat'), hidden: true,
                        on: {click: () => _make('cheat')}
                    }))),
            element('div', {class: 'okey-own'},
                element('div', {class: 'own-line'},
                    element('p', {class: 'turn status-text', tabindex: -1}),
                    Life.tool('undo'), Life.tool('hint'),
                    element('button', {
                        type: 'button', class: 'button main act', on: {click: _act}
                    })),
                _rack.element,
                element('div', {class: 'sorts', role: 'group', 'aria-label': Words.table('sort')},
                    ...Object.keys(_ORDERS).map(_sortButton))),
            element('div', {class: 'open-racks', hidden: true}),
            element('div', {class: 'flights', 'aria-hidden': 'true'}));
    }

    /**
     * @param {string} order - How the rack is sorted.
     * @returns {HTMLElement} The button that does it.
     */
    function _sortButton(order) {
        const name = Words.table(`sort.${order}`);
        return Lib.element('button', {
            type: 'button', class: 'button', 'aria-label': name, title: name, 'aria-keyshortcuts': _ORDERS[order].key,
            on: {click: () => _sort(order)}
        },
        Lib.element('span', {class: 'sort-tiles'}, ..._ORDERS[order].tiles.map(Tiles.draw)),
        Lib.element('span', {class: 'sort-name', text: name}));
    }

    /**
     * @param {string} place - The place of the seat that draws from it.
     * @returns {HTMLElement} A discard.
     */
    function _pile(place) {
        return Lib.element('button', {
            type: 'button', class: 'pile', dataset: {pile: place, ...place === 'right' ? {drop: 'pile'} : {}},
            'aria-keyshortcuts': place === 'bottom' ? 'E' : null, on: {click: () => _tapPile(place)}
        });
    }

    /**
     * Draw the state, and show how what has happened led to it.
     *
     * @param {{event: string, context: any}[]} news - What happened.
     */
    function _render(news) {
        const before = OkeyMotion.capture(_life.root);
        _arrange(/** @type {Snapshot} */ (_life.shown), news.some(({event}) => event === 'dealt'));
        _draw();
        OkeyMotion.play(_life.root, before, news, _bottom());
    }

    /** @returns {number} The seat at the bottom: the own one. */
    function _bottom() {
        return Math.max(_life.shown?.me ?? 0, 0);
    }

    /**
     * Keep the tiles of the rack where they lie; a new rack begins sorted, or as it lay before a reload.
     *
     * @param {Snapshot} snapshot - The state.
     * @param {boolean} isNew - Were the tiles dealt just now?
     */
    function _arrange({me, private_state: own, public_state: table, choices}, isNew) {
        /** @type {string[]} */
        const tiles = own.rack ?? [];
        if (_life.options.isReplay) {
            _slots = own.arranged ?? [];
            return;
        }
        const kept = User.recall(_KEPT);
        const before = _slots.length > 0 ? _slots : kept?.table === table.table_name ? kept.slots : [];
        const chosen = _chosen === null ? null : _slots[_chosen];
        _slots = (isNew ? null : Rack.follow(before, tiles)) ?? choices.by_runs ?? own.arranged ?? [];
        _chosen = chosen !== null && _chosen !== null && _slots[_chosen] === chosen ? _chosen : null;
        if (me >= 0 && tiles.length > 0 && !_life.options.isTry) {
            User.remember(_KEPT, {table: table.table_name, slots: _slots});
        }
    }

    /** Draw the last state with the rack as it lies now. */
    function _draw() {
        if (_life.shown === null) {
            return;
        }
        const {public_state: table, private_state: own, choices, me} = _life.shown;
        const isReplay = _life.options.isReplay === true;
        _life.root.classList.toggle('is-watching', me < 0 || isReplay);
        _life.root.classList.toggle('is-replay', isReplay);
        _drawTable(/** @type {Protocol.OkeyPublic & PublicState} */ (table));
        _rack.draw({
            slots: _slots.length > 0 ? _slots : Array(Rack.ROW * Rack.ROWS).fill(null),
            groups: Rack.groups(_slots, {runs: choices.runs ?? [], sets: choices.sets ?? []}),
            chosen: _chosen,
            newest: !isReplay && own.rack?.length > 14 ? own.rack.at(-1) : null
        });
        _drawOffers();
        const racks = _life.part('.open-racks');
        racks.hidden = _life.options.hands === undefined;
        const names = table.player_names;
        const open = (_life.options.hands ?? []).map(({arranged}, seat) => ({name: names[seat], arranged}));
        Parts.fill(racks, open, () => open.map(({name, arranged}) => OkeyPainter.openRack(name, arranged)));
        _life.tick();
    }

    /**
     * Draw what lies on the table.
     *
     * @param {Protocol.OkeyPublic & PublicState} table - The table.
     */
    function _drawTable(table) {
        const bottom = _bottom();
        const count = table.player_names.length;
        table.player_names.forEach((_, seat) => {
            const place = Places.of(seat, bottom);
            OkeyPainter.seat(_life.part(`.table-seat[data-place=${place}]`), table, seat, table.winner === seat);
            const pile = _life.part(`.pile[data-pile=${place}]`);
            pile.dataset.seat = String(seat);
            OkeyPainter.pile(pile, table.stacks?.[seat] ?? [], table.player_names[(seat + count - 1) % count]);
        });
        OkeyPainter.stock(_life.part('.stock'), table.main ?? 0);
        const last = State.log.at(-1);
        if (last !== undefined && _life.shown !== null) {
            const line = _speech.of(last.event, last.context, _life.shown);
            _life.part('.told').textContent = line === '' ? _life.part('.told').textContent : line;
        }
    }

    /** Light what may be done, and name the button that does it. */
    function _drawOffers() {
        const legal = _life.legal;
        const draws = legal.has('draw main');
        _life.part('.stock').classList.toggle('is-legal', draws);
        _life.part('.pile[data-pile=bottom]').classList.toggle('is-legal', legal.has('draw exchange'));
        const puts = [...legal].some(move => move.startsWith('put '));
        _life.part('.pile[data-pile=right]').classList.toggle('is-legal', puts);
        _life.root.classList.toggle('may-put', puts);
        const wins = [...legal].some(move => move.startsWith('win '));
        _life.part('.stock').classList.toggle('is-winning', wins);
        const act = _life.part('.act');
        const says = draws ? 'draw' : wins ? 'win' : puts ? 'put' : '';
        act.hidden = says === '';
        act.textContent = says === '' ? '' : Words.table(`act.${says}`);
        /** @type {HTMLButtonElement} */ (act).disabled = says === 'put' && _chosen === null;
        // Drawing and putting have keys of their own.
        if (says === 'win') {
            act.setAttribute('aria-keyshortcuts', 'W');
        }
        else {
            act.removeAttribute('aria-keyshortcuts');
        }
        _life.part('.hint').toggleAttribute('disabled', legal.size === 0 || !_life.isOurs);
        _life.part('.cheat').hidden = !legal.has('cheat');
        _life.part('.undo').hidden = _life.shown?.mayUndo !== true;
        _life.part('.sorts').hidden = _slots.length === 0 || _life.shown?.choices.by_runs === undefined;
    }

    /** @returns {string} What is to be done in the own turn. */
    function _status() {
        const verbs = ['draw', 'win', 'put'];
        const verb = verbs.find(each => [..._life.legal].some(move => move.startsWith(`${each} `)));
        return verb === undefined ? '' : Words.table(`status.${verb}`);
    }

    // --- input ------------------------------------------------------------------------------------------------------

    /** @param {string} move - The move that is made, if it is legal. */
    function _make(move) {
        if (_life.legal.has(move)) {
            _chosen = null;
            EventBus.emit('tableView:move', {move});
        }
    }

    /**
     * A tile was moved on the rack.
     *
     * @param {number} from - Its slot.
     * @param {number} to - The other slot.
     */
    function _move(from, to) {
        _keep(Rack.move(_slots, from, to));
        SoundManager.play('select');
    }

    /** @param {Slots} slots - The new arrangement. */
    function _keep(slots) {
        _slots = slots;
        _chosen = null;
        User.remember(_KEPT, {table: _life.shown?.public_state.table_name, slots});
        _draw();
    }

    /**
     * A tile was taken up, or let go.
     *
     * @param {number | null} slot - Its slot.
     */
    function _choose(slot) {
        _chosen = slot;
        if (slot !== null) {
            SoundManager.play('select');
        }
        _draw();
    }

    /**
     * A tile was dropped on the table: on the discard it is put away, on the stock it ends the game.
     *
     * @param {number} from - Its slot.
     * @param {string} place - Where.
     */
    function _drop(from, place) {
        const tile = _slots[from];
        if (place === 'stock') {
            _make(`win ${tile}`);
        }
        else {
            _put(tile);
        }
    }

    /**
     * Put a tile away; one that costs much only at the second time.
     *
     * @param {string | null} tile - The tile.
     */
    function _put(tile) {
        const move = `put ${tile}`;
        if (_life.legal.has(move) && Guard.passes(move, _life.shown)) {
            _make(move);
        }
    }

    /** The stock was tapped. */
    function _tapStock() {
        if (_chosen !== null && _life.legal.has(`win ${_slots[_chosen]}`)) {
            _make(`win ${_slots[_chosen]}`);
        }
        else {
            _make('draw main');
        }
    }

    /**
     * A discard was tapped: from the own one a tile is taken, on the next one the chosen tile is put.
     *
     * @param {string} place - The place of the seat that draws from it.
     */
    function _tapPile(place) {
        if (place === 'bottom') {
            _make('draw exchange');
        }
        else if (place === 'right' && _chosen !== null) {
            _put(_slots[_chosen]);
        }
        else if (place === 'right' && _life.root.classList.contains('may-put')) {
            Lib.toast(Words.table('put.first'));
        }
    }

    /** The main button was pressed. */
    function _act() {
        const wins = [..._life.legal].filter(move => move.startsWith('win '));
        const chosen = _chosen === null ? '' : _slots[_chosen];
        if (_life.legal.has('draw main')) {
            _make('draw main');
        }
        else if (wins.length > 0) {
            _make(wins.find(move => move === `win ${chosen}`) ?? wins[0]);
        }
        else if (_chosen !== null) {
            _put(_slots[_chosen]);
        }
    }

    /** @param {string} order - How the rack is sorted: as the server sorts it. */
    function _sort(order) {
        const {choices, private_state: own} = /** @type {Snapshot} */ (_life.shown);
        /** @type {{[order: string]: Slots}} */
        const sorted = {runs: choices.by_runs, equals: choices.by_equals, groups: own.arranged};
        if (sorted[order] !== undefined) {
            _keep(sorted[order]);
            SoundManager.play('tiles');
        }
    }

    /** @param {KeyboardEvent} event - A key that was pressed anywhere on the page. */
    function _onKey(event) {
        const focused = /** @type {HTMLElement} */ (event.target).closest('.slot');
        const slot = focused instanceof HTMLElement && focused.dataset.tile !== ''
            ? Number(focused.dataset.slot) : _chosen;
        const put = () => slot !== null && _put(_slots[slot]);
        if (!_life.options.isReplay) {
            Keys.press(_life.root, event, {escape: () => _choose(null), delete: put, backspace: put});
        }
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
        /** @type {{[name: string]: string}} */
        const sounds = {dealt: 'tiles', put: 'tile', drawn: 'select', taken: 'take', won: 'score'};
        SoundManager.play(sounds[event] ?? '');
        if (event === 'chat') {
            Lib.toast(line);
        }
        else if (event === 'game_over') {
            OkeyResult.show(State.snapshot ?? snapshot, context, _speech);
        }
    }

    /**
     * @param {string} move - The strongest agent's move: its tile is taken up.
     * @returns {Element[]} The tile, if it is one of the rack.
     */
    function _hint(move) {
        const slot = _slots.indexOf(Moves.parse(move).operands[0]);
        if (/^(put|win) /.test(move) && slot >= 0) {
            _choose(slot);
        }
        return [..._life.root.querySelectorAll('.slot[aria-pressed="true"]')];
    }

    return {
        ..._life.view, name: 'okey-table-view', speech: _speech, picture: Tiles.draw
    };
})();

Games.register('okey', OkeyTable);
