/**
 * TableView: the Tichu table. It draws the scene and sends the user's decisions to the bus.
 *
 * `TableView.render(snapshot, options)` draws all of it and depends on its arguments and on the own draft only (the
 * selection that was not sent yet); with `options.isReplay` also the draft is left out, nothing can be decided, and
 * `options.hands` lie open. Notifications only animate, sound and are read out.
 */
const TableView = (() => {
    /** @type {HTMLElement} */
    let _root;

    /** @type {FanHand} */
    let _hand;

    /** @type {Snapshot | null} The snapshot that is shown. */
    let _snapshot = null;

    /** @type {RenderOptions} */
    let _options = {};

    let _draft = TableScene.emptyDraft();

    /** @type {TableSceneData | null} */
    let _scene = null;

    /** @type {{event: string, context: any}[]} The events since the last render. */
    let _news = [];

    let _shownAt = 0;
    let _ticking = 0;
    let _bombIndex = -1;

    /** @type {{seat: number, text: string, until: number}[]} */
    let _bubbles = [];

    /** @type {(() => void)[]} */
    let _leaves = [];

    /**
     * Make the elements that stay.
     *
     * @returns {HTMLElement} The view's element.
     */
    function create() {
        const {element} = Lib;
        _scene = null;
        _hand = Fan.create(Words.table('hand'), {toggle: _toggle, submit: _submit});
        _root = element('section', {class: 'table-view tichu-table', 'aria-label': Words.table('label')},
            _header(),
            ...['right', 'top', 'left'].map(place => element('div', {class: 'table-seat', dataset: {place}})),
            element('div', {class: 'middle'},
                element('div', {class: 'trick', role: 'group', 'aria-label': Words.table('trick')}),
                element('div', {class: 'zones', role: 'group', 'aria-label': Words.table('zones'), hidden: true}),
                element('div', {class: 'wish-sign', hidden: true})),
            ...['right', 'top', 'left', 'bottom'].map(place => element('div', {class: 'before', dataset: {place}})),
            element('div', {class: 'own-row'},
                element('div', {class: 'table-seat', dataset: {place: 'bottom'}}),
                element('p', {class: 'status'},
                    element('span', {class: 'status-text'}), element('span', {class: 'status-time'})),
                element('div', {class: 'own-tools'}, _tool('undo', () => EventBus.emit('tableView:undo'), false, 'U'),
                    _tool('trick', _openLastTrick, true, 'L'), _tool('hint', _askHint, false, 'H'),
                    _tool('bomb', _chooseBomb, false, 'B'))),
            _hand.element,
            element('div', {class: 'table-actions', role: 'group', 'aria-label': Words.table('actions')},
                ...['left', 'middle', 'right'].map(_actionButton)),
            element('div', {class: 'away-panel', hidden: true},
                element('p', {text: Words.table('away.text')}),
                element('button', {
                    class: 'table-button main', type: 'button', text: Words.table('away.return'),
                    on: {click: () => EventBus.emit('tableView:return')}
                })),
            element('div', {class: 'flights', 'aria-hidden': 'true'}));
        _root.addEventListener('pointerdown', () => Flights.skip(), {capture: true});
        _root.addEventListener('keydown', _onKey);
        Drags.claim(_part('.zones'));
        [_hand.element, _part('.zones')].forEach(_letGive);
        return _root;
    }

    /** @returns {HTMLElement} The row above: leave, score, tools. */
    function _header() {
        const {element} = Lib;
        return element('header', {class: 'table-header'},
            _tool('leave', () => EventBus.emit('tableView:leave')),
            element('button', {class: 'score', type: 'button', on: {click: _openSheet}}),
            element('div', {class: 'tools'},
                _tool('rules', Rules.open, true), _tool('chat', Chat.open, false, 'C'),
                _tool('settings', SettingsDialog.open)));
    }

    /**
     * @param {string} name - The tool's name and icon.
     * @param {() => void} act - Called on a click.
     * @param {boolean} [isForAll] - Do spectators and replays need it?
     * @param {string} [key] - Its key.
     * @returns {HTMLButtonElement} A round button.
     */
    function _tool(name, act, isForAll = false, key = '') {
        const label = name === 'undo' ? Texts.get('table.undo') : Words.table(`tool.${name}`);
        return Panels.tool(name, label, act, isForAll, key);
    }

    /**
     * @param {string} place - `left`, `middle` or `right`.
     * @returns {HTMLButtonElement} One of the three buttons below the hand.
     */
    function _actionButton(place) {
        const button = Lib.element('button', {
            class: `table-button${place === 'right' ? ' main' : ''}`, type: 'button', dataset: {place},
            'aria-keyshortcuts': {left: 'P', middle: 'T', right: 'S'}[place]
        }, Lib.element('span', {class: 'hold', 'aria-hidden': 'true'}),
        Lib.element('span', {class: 'table-button-text'}));
        const act = () => button.dataset.act ?? '';
        Guard.attach(button, () => Guard.cost(act(), _snapshot), () => _act(act()));
        return button;
    }

    /** The view becomes visible: subscribe and start the clock. */
    function show() {
        _draft = TableScene.emptyDraft();
        _snapshot = null;
        _news = [];
        _bubbles = [];
        _leaves = [
            EventBus.on('app:hint', _showHint),
            EventBus.on('app:error', _onError),
            EventBus.on('viewManager:fitted', () => _draw())
        ];
        document.addEventListener('keydown', _onPageKey);
        _ticking = window.setInterval(_tick, 250);
        SoundManager.preload(TableSounds.NAMES);
    }

    /** The view is left: stop the clock and close all dialogs. */
    function hide() {
        window.clearInterval(_ticking);
        document.removeEventListener('keydown', _onPageKey);
        _leaves.forEach(leave => leave());
        _leaves = [];
        Flights.skip();
        Panels.closeAll();
    }

    /**
     * Draw all of it.
     *
     * @param {Snapshot | null} snapshot - The server's last word.
     * @param {RenderOptions} [options] - The render options.
     */
    function render(snapshot, options = {}) {
        if (snapshot === null) {
            return;
        }
        const news = _news;
        _news = [];
        _options = options;
        _revise(snapshot);
        _snapshot = snapshot;
        _shownAt = performance.now();
        const before = Motion.capture(_root, news);
        _draw();
        Motion.play(_root, before, news, snapshot.me < 0 ? 0 : snapshot.me);
        if (!options.isReplay) {
            TableDialogs.follow(snapshot, news);
            if (snapshot.me >= 0 && snapshot.public_state.is_running) {
                void Tour.begin(_root, 'tichu');
            }
        }
    }

    /**
     * Keep the parts of the draft that are still valid.
     *
     * @param {Snapshot} snapshot - The snapshot to be shown.
     */
    function _revise(snapshot) {
        const {public_state: table, private_state: own, request} = snapshot;
        const hand = new Set((own.hand_cards ?? []).map(Cards.label));
        const isOtherAction = request?.action !== _snapshot?.request?.action;
        const isGiving = request?.action === 'schupf';
        const isPlaying = ['play', 'wish', 'dragon'].includes(table.phase);
        const keepsSelection = isPlaying && !(isOtherAction && _snapshot?.request?.action === 'schupf');
        _draft = {
            selected: keepsSelection || isGiving && !isOtherAction ? _draft.selected.filter(one => hand.has(one)) : [],
            zones: isGiving && !isOtherAction ? _draft.zones : [null, null, null],
            hasTakenUp: isPlaying && (table.tricks.length > 0
                || (_snapshot === null ? table.played_cards.length > 0 : _draft.hasTakenUp)),
            isBusy: false
        };
        _dropUnplayable(snapshot);
    }

    /**
     * Drop a selection that was made before the turn and cannot be laid now.
     *
     * @param {Snapshot} snapshot - The snapshot to be shown.
     */
    function _dropUnplayable(snapshot) {
        if (snapshot.request?.action === 'play' && snapshot.request.request_id !== _snapshot?.request?.request_id
            && Cards.plays(snapshot.choices.legal).around(_draft.selected).size === 0) {
            _draft.selected = [];
        }
    }

    /** Draw the last snapshot with the draft of now. */
    function _draw() {
        if (_snapshot === null) {
            return;
        }
        const scene = _options.isReplay
            ? TableScene.of({..._snapshot, hands: _options.hands?.map(hand => hand.hand_cards)})
            : TableScene.of(_snapshot, _draft);
        _scene = scene;
        _root.dataset.phase = scene.phase;
        _root.classList.toggle('is-watching', scene.isWatching);
        _root.classList.toggle('is-replay', _options.isReplay === true);
        _root.classList.toggle('is-ours', scene.status.isOurs);
        _root.classList.toggle('has-zones', scene.zones !== null);
        TablePainter.seats(_root, scene);
        TablePainter.score(_root, scene);
        TablePainter.trick(_root, scene);
        TablePainter.zones(_root, scene, _placeInZone);
        TablePainter.buttons(_root, scene);
        _hand.draw(scene.hand.map(_fanCard), scene.isOut ? Words.table('note.out') : '');
        _part('.away-panel').hidden = !scene.isAway;
        _tick();
    }

    /**
     * @param {HandCardScene} one - A card of the hand.
     * @returns {FanCard} The card as the fan shows it.
     */
    function _fanCard({card, label, isSelected, isLit, isDim, giver}) {
        const parts = [
            Cards.name(card), isDim ? Words.table('card.dim') : '',
            giver === '' ? '' : Words.table('card.from', {name: giver})
        ];
        const name = parts.filter(part => part !== '').join(', ');
        return {label, name, isSelected, isLit, isDim, mark: giver, draw: () => Cards.draw(card)};
    }

    /**
     * @param {string} selector - Which part.
     * @returns {HTMLElement} The part of this view; it must be there.
     */
    function _part(selector) {
        return /** @type {HTMLElement} */ (_root.querySelector(selector));
    }

    /** Count the seconds, and let bubbles fade. */
    function _tick() {
        if (_scene !== null) {
            const passed = _options.isReplay ? 0 : (performance.now() - _shownAt) / 1000;
            _bubbles = _bubbles.filter(bubble => bubble.until > performance.now());
            TablePainter.time(_root, _scene, passed, _snapshot?.public_state.table_options.turn_limit ?? 0);
            TablePainter.bubbles(_root, _scene, _bubbles);
        }
    }

    /**
     * Something happened: sound now, move with the next render.
     *
     * @param {string} event - The event's name.
     * @param {any} context - The event's context.
     */
    function notify(event, context) {
        _news.push({event, context});
        if (_snapshot === null) {
            return;
        }
        const me = _snapshot.me < 0 ? 0 : _snapshot.me;
        TableSounds.follow(event, context, me);
        const text = TableSpeech.of(event, context, _snapshot);
        if (text !== '') {
            Lib.announce(text);
        }
        if (event === 'chat') {
            _bubbles.push({
                seat: context.player_index, text: Texts.get(`chat.${context.phrase}`), until: performance.now() + 4000
            });
        }
    }

    // --- input ------------------------------------------------------------------------------------------------------

    /**
     * Answer a request.
     *
     * @param {string} action - Which one.
     * @param {{[key: string]: any}} data - The decision.
     */
    function _respond(action, data) {
        _draft.isBusy = true;
        EventBus.emit('tableView:response', {action, response_data: data, request_id: _snapshot?.request?.request_id});
        _draw();
    }

    /**
     * A card was chosen or put back.
     *
     * @param {string} label - Which one.
     * @param {boolean} isSelected - The new state.
     * @param {boolean} isSwiped - Was it swept over rather than tapped?
     */
    function _toggle(label, isSelected, isSwiped) {
        const action = _snapshot?.request?.action ?? '';
        const {selected} = _draft;
        if (!isSelected) {
            _draft.selected = selected.filter(one => one !== label);
        }
        else if (action === 'schupf') {
            // One card at a time: that which was pressed, wherever the finger goes from there.
            if (isSwiped) {
                return;
            }
            _draft.selected = [label];
        }
        else if (action === 'play' && !_fits([...selected, label])) {
            if (isSwiped || !_fits([label])) {
                return;
            }
            _draft.selected = [label];
        }
        else {
            _draft.selected = [...selected, label];
        }
        _bombIndex = -1;
        SoundManager.play('select');
        _draw();
    }

    /**
     * @param {string[]} labels - Some cards.
     * @returns {boolean} Whether they are part of something that may be laid.
     */
    function _fits(labels) {
        return Cards.plays(_snapshot?.choices.legal ?? []).around(labels).size > 0;
    }

    /** Put all cards back. */
    function _clearSelection() {
        _draft.selected = [];
        _draft.zones = [null, null, null];
        _draw();
    }

    /**
     * A place for a card to be given away was chosen.
     *
     * @param {number} index - 0 right opponent, 1 partner, 2 left opponent.
     */
    function _placeInZone(index) {
        if (_scene?.zones?.kind !== 'give') {
            return;
        }
        const [label] = _draft.selected;
        if (label === undefined && _draft.zones[index] === null) {
            Lib.toast(Words.table('zone.first'));
            return;
        }
        _draft.zones[index] = label ?? null;
        _draft.selected = [];
        SoundManager.play('select');
        _draw();
        _hand.focus();
    }

    /**
     * Let cards be dragged to the places for those that are given away, and from one place to another or back.
     *
     * @param {HTMLElement} area - Where they lie.
     */
    function _letGive(area) {
        Drags.attach(area, {
            piece: part => (
                _scene?.zones?.kind === 'give' ? part.closest('.hand-card, .zone:not([data-card=""])') : null),
            places: '.zone, .hand',
            drop({dataset: {card}}, {dataset: {index}}) {
                _draft.zones = _draft.zones.map(one => one === card ? null : one);
                if (index === undefined) {
                    _draw();
                }
                else {
                    _draft.selected = [card ?? ''];
                    _placeInZone(Number(index));
                }
            }
        });
    }

    /** Enter on a card presses the right button. */
    function _submit() {
        const button = /** @type {HTMLButtonElement} */ (_part('.table-actions [data-place="right"]'));
        if (!button.disabled) {
            button.click();
        }
    }

    /**
     * Perform the action of a button.
     *
     * @param {string} act - What.
     */
    function _act(act) {
        const hand = /** @type {Card[]} */ (_snapshot?.private_state.hand_cards ?? []);
        const cards = hand.filter(card => _draft.selected.includes(Cards.label(card)));
        const isAsked = _snapshot?.request?.action === 'play';
        if (act === 'no-grand' || act === 'grand') {
            _respond('announce_grand_tichu', {announced: act === 'grand'});
        }
        else if (act === 'tichu') {
            EventBus.emit('tableView:announce');
        }
        else if (act === 'schupf') {
            const given = _draft.zones.map(label => hand.find(card => Cards.label(card) === label));
            _respond('schupf', {given_schupf_cards: given});
        }
        else if (act === 'take-up') {
            _draft.hasTakenUp = true;
            SoundManager.play('take');
            _drawMoved([{event: 'taken_up', context: {}}]);
        }
        else if (act === 'suggest') {
            _suggest();
        }
        else if (act === 'bomb' && !isAsked) {
            EventBus.emit('tableView:bomb', {cards});
        }
        else if (act === 'pass') {
            _respond('play', {cards: []});
        }
        else if (act === 'play' || act === 'bomb') {
            _respond('play', {cards});
        }
    }

    /** Select the server's suggestion; the button changes once the cards have risen. */
    function _suggest() {
        _draft.selected = (_snapshot?.choices.suggested ?? []).map(Cards.label);
        _draft.isBusy = true;
        SoundManager.play('select');
        _draw();
        window.setTimeout(() => {
            _draft.isBusy = false;
            _draw();
        }, Flights.isOn() ? 220 : 0);
    }

    /**
     * Draw and animate a change that the server does not know of.
     *
     * @param {{event: string, context: any}[]} news - The events.
     */
    function _drawMoved(news) {
        const before = Motion.capture(_root, news);
        _draw();
        Motion.play(_root, before, news, _snapshot?.me ?? 0);
    }

    /** Select a bomb, with each press the next one. */
    function _chooseBomb() {
        const bombs = /** @type {Card[][]} */ (_snapshot?.choices.bombs ?? []);
        if (bombs.length > 0) {
            _bombIndex = (_bombIndex + 1) % bombs.length;
            _draft.selected = bombs[_bombIndex].map(Cards.label);
            SoundManager.play('select');
            Lib.announce(Words.table('said.selected', {cards: Cards.names(bombs[_bombIndex])}));
            _draw();
        }
    }

    /** Ask for the strongest agent's move. */
    function _askHint() {
        EventBus.emit('tableView:hint');
    }

    /**
     * Show the agent's answer.
     *
     * @param {{move: string, reason: string}} hint - Its move and why.
     */
    function _showHint({move, reason}) {
        const labels = Cards.played(move);
        if (labels !== null && _snapshot?.request?.action === 'play') {
            _draft.selected = labels;
            _draw();
        }
        if (_snapshot !== null) {
            const lit = labels === null ? [] : [..._root.querySelectorAll('.hand-card.is-selected')];
            Hint.show(_root, TableSpeech.move(move, _snapshot), reason, lit);
        }
    }

    /** The server refused: the decision is open again. */
    function _onError() {
        _draft.isBusy = false;
        _draw();
    }

    /** Show the scores of all rounds. */
    function _openSheet() {
        if (_snapshot !== null) {
            Modals.sheet(_snapshot);
        }
    }

    /** Show the last trick that was taken. */
    function _openLastTrick() {
        if (_snapshot !== null && _snapshot.public_state.tricks.length > 0) {
            Modals.trick(_snapshot);
        }
    }

    /**
     * The keys of the table, wherever else the focus is.
     *
     * @param {KeyboardEvent} event - The key.
     */
    function _onPageKey(event) {
        if (!_root.contains(/** @type {Node} */ (event.target))) {
            _onKey(event);
        }
    }

    /**
     * @param {KeyboardEvent} event - The key.
     */
    function _onKey(event) {
        const arrows = event.target === document.body ? ['arrowleft', 'arrowright', 'home', 'end'] : [];
        Keys.press(_root, event, {
            escape: _clearSelection, ...Object.fromEntries(arrows.map(key => [key, _hand.focus]))
        });
    }

    for (const type of ['announce', 'bomb']) {
        EventBus.on(`tableView:${type}`, payload => Network.send(type, payload));
    }

    /**
     * Suggest an answer to the open request: the longest, lowest combination, where one is to be laid.
     *
     * @param {Snapshot} snapshot - The table.
     * @returns {ServerAnswer | null} The answer; null if there is nothing to suggest.
     */
    function suggest({choices: {suggested: cards}, request}) {
        return request === null || cards.length === 0 ? null
            : {action: request.action, request_id: request.request_id, response_data: {cards}};
    }

    return {
        name: 'table-view', speech: TableSpeech, create, render, notify, show, hide, suggest,
        picture: (/** @type {string} */ word) => Cards.draw(/** @type {Card} */ (word.split('-').map(Number)))
    };
})();

Games.register('tichu', TableView);
