/**
 * TichuTable: the trick in the middle, the places for the cards that are given away, and what the user has in hand but
 * not yet sent.
 */
const TichuTable = (() => {
    const {element} = Lib;

    /** How long the suggested cards rise before the button that plays them can be pressed (milliseconds). */
    const _RISING = 220;

    let _draft = TichuScene.emptyDraft();

    /** @type {TichuSceneData} What is drawn. */
    let _scene;

    /** @type {Snapshot | null} The table before the last events. */
    let _before = null;

    let _bombIndex = -1;

    /** @returns {HTMLElement[]} The elements of the middle. */
    function middle() {
        const zones = element('div', {class: 'zones', role: 'group', 'aria-label': Words.table('zones'), hidden: true});
        Drags.claim(zones);
        _letGive(zones);
        return [
            element('div', {class: 'trick', role: 'group', 'aria-label': Words.table('trick')}),
            zones, element('div', {class: 'wish-sign', hidden: true})
        ];
    }

    /** @returns {HTMLElement[]} Where the cards lie that others have laid. */
    function around() {
        return ['right', 'top', 'left', 'bottom'].map(place => element('div', {class: 'before', dataset: {place}}));
    }

    /** @returns {HTMLElement[]} The tools of the game. */
    function tools() {
        return [
            Panels.tool('bomb', Words.table('tool.bomb'), _chooseBomb, false, 'B'),
            Panels.tool('trick', Words.table('tool.trick'), _openLastTrick, true, 'L')
        ];
    }

    /**
     * Keep the parts of the draft that are still valid.
     *
     * @param {Snapshot | null} before - What was drawn last.
     * @param {Snapshot} snapshot - What is drawn next.
     */
    function revise(before, snapshot) {
        const {public_state: table, private_state: own, request} = snapshot;
        const hand = new Set((own.hand_cards ?? []).map(Cards.label));
        const isOtherAction = request?.action !== before?.request?.action;
        const isGiving = request?.action === 'schupf';
        const isPlaying = ['play', 'wish', 'dragon'].includes(table.phase);
        const keepsSelection = isPlaying && !(isOtherAction && before?.request?.action === 'schupf');
        _draft = {
            selected: keepsSelection || isGiving && !isOtherAction ? _draft.selected.filter(one => hand.has(one)) : [],
            zones: isGiving && !isOtherAction ? _draft.zones : [null, null, null],
            hasTakenUp: isPlaying && (table.tricks.length > 0
                || (before === null ? table.played_cards.length > 0 : _draft.hasTakenUp)),
            isRising: false
        };
        // A selection that was made before the turn may not fit now.
        if (request?.action === 'play' && request.request_id !== before?.request?.request_id
            && Cards.plays(snapshot.choices.legal).around(_draft.selected).size === 0) {
            _draft.selected = [];
        }
        _before = before;
    }

    /**
     * Draw the header and the middle.
     *
     * @param {HTMLElement} root - The table.
     * @param {Snapshot} _ - The state.
     * @param {RenderOptions} options - The render options.
     */
    function draw(root, _, {isReplay}) {
        root.classList.toggle('has-zones', _scene.zones !== null);
        TichuPainter.score(root, _scene, _openSheet);
        TichuPainter.trick(root, _scene);
        TichuPainter.zones(root, _scene, _placeInZone);
        _table.part('[data-tool="bomb"]').hidden = !_scene.hasBomb || isReplay === true;
    }

    /**
     * Compute what is to be drawn.
     *
     * @param {Snapshot} snapshot - The state.
     * @param {RenderOptions} options - The render options.
     */
    function compute(snapshot, {isReplay, hands}) {
        _scene = isReplay || hands !== undefined
            ? TichuScene.of({...snapshot, hands: hands?.map(hand => hand.hand_cards)})
            : TichuScene.of(snapshot, _draft);
    }

    /**
     * @param {Snapshot} _ - The state.
     * @param {number} seat - A seat.
     * @returns {FrameSeat} What its plate shows.
     */
    function describe(_, seat) {
        return TichuPainter.plate(/** @type {SeatScene} */ (_scene.seats.find(one => one.seat === seat)));
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

    /** @returns {FrameAction[]} The three buttons below the hand. */
    function actions() {
        return Object.entries({left: 'P', middle: 'T', right: 'S'}).map(([place, key]) => {
            const {text, isEnabled, act} = _scene.buttons[/** @type {'left' | 'middle' | 'right'} */ (place)];
            return {move: act, text: Words.table(text), key, place, isOpen: isEnabled, isMain: place === 'right'};
        });
    }

    /** @returns {string} What happens while it is nobody's turn. */
    function line() {
        return _scene.line === null ? '' : Words.table(_scene.line.key, _scene.line.values);
    }

    // --- input ------------------------------------------------------------------------------------------------------

    /**
     * Answer a request.
     *
     * @param {string} action - Which one.
     * @param {{[key: string]: any}} data - The decision.
     */
    function _respond(action, data) {
        const {request} = /** @type {Snapshot} */ (_table.shown);
        _table.send('tableView:response', {action, response_data: data, request_id: request?.request_id});
        _table.redraw();
    }

    /**
     * A card was chosen or put back.
     *
     * @param {string} label - Which one.
     * @param {boolean} isSelected - The new state.
     * @param {boolean} isSwiped - Was it swept over rather than tapped?
     */
    function _toggle(label, isSelected, isSwiped) {
        const action = _table.shown?.request?.action ?? '';
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
        _table.redraw();
    }

    /**
     * @param {string[]} labels - Some cards.
     * @returns {boolean} Whether they are part of something that may be laid.
     */
    function _fits(labels) {
        return Cards.plays(_table.shown?.choices.legal ?? []).around(labels).size > 0;
    }

    /** Put all cards back. */
    function _clearSelection() {
        _draft.selected = [];
        _draft.zones = [null, null, null];
        _table.redraw();
    }

    /**
     * A place for a card to be given away was chosen.
     *
     * @param {number} index - 0 right opponent, 1 partner, 2 left opponent.
     */
    function _placeInZone(index) {
        if (_scene.zones?.kind !== 'give') {
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
        _table.redraw();
        _table.part('.hand-card[tabindex="0"]').focus();
    }

    /**
     * Let cards be dragged to the places for those that are given away, and from one place to another or back.
     *
     * @param {HTMLElement} area - Where they lie.
     */
    function _letGive(area) {
        Drags.attach(area, {
            piece: part => (
                _scene.zones?.kind === 'give' ? part.closest('.hand-card, .zone:not([data-card=""])') : null),
            places: '.zone, .hand',
            drop({dataset: {card}}, {dataset: {index}}) {
                _draft.zones = _draft.zones.map(one => one === card ? null : one);
                if (index === undefined) {
                    _table.redraw();
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
        const button = /** @type {HTMLButtonElement} */ (_table.part('.table-actions [data-place="right"]'));
        if (!button.disabled) {
            button.click();
        }
    }

    /** @returns {Card[]} The selected cards. */
    function _selected() {
        const hand = /** @type {Card[]} */ (_table.shown?.private_state.hand_cards ?? []);
        return hand.filter(card => _draft.selected.includes(Cards.label(card)));
    }

    /**
     * Perform the action of a button.
     *
     * @param {string} act - What.
     */
    function perform(act) {
        const cards = _selected();
        const isBomb = act === 'bomb' && _table.shown?.request?.action !== 'play';
        /** @type {{[act: string]: () => void}} */
        const acts = {
            'no-grand': () => _respond('announce_grand_tichu', {announced: false}),
            'grand': () => _respond('announce_grand_tichu', {announced: true}),
            'tichu': () => EventBus.emit('tableView:announce'),
            'schupf': _give,
            'take-up': _takeUp,
            'suggest': _suggest,
            'pass': () => _respond('play', {cards: []}),
            'play': () => _respond('play', {cards}),
            'bomb': () => isBomb ? EventBus.emit('tableView:bomb', {cards}) : _respond('play', {cards})
        };
        acts[act]?.();
    }

    /** Give the three cards away. */
    function _give() {
        const hand = /** @type {Card[]} */ (_table.shown?.private_state.hand_cards ?? []);
        const given = _draft.zones.map(label => hand.find(card => Cards.label(card) === label));
        _respond('schupf', {given_schupf_cards: given});
    }

    /** Take the received cards up into the hand. */
    function _takeUp() {
        SoundManager.play('take');
        _table.happen('taken_up', {}, () => {
            _draft.hasTakenUp = true;
        });
    }

    /** Select the server's suggestion; the button changes once the cards have risen. */
    function _suggest() {
        _draft.selected = (_table.shown?.choices.suggested ?? []).map(Cards.label);
        _draft.isRising = true;
        SoundManager.play('select');
        _table.redraw();
        window.setTimeout(() => {
            _draft.isRising = false;
            _table.redraw();
        }, Flights.isOn() ? _RISING : 0);
    }

    /** Select a bomb, with each press the next one. */
    function _chooseBomb() {
        const bombs = /** @type {Card[][]} */ (_table.shown?.choices.bombs ?? []);
        if (bombs.length > 0) {
            _bombIndex = (_bombIndex + 1) % bombs.length;
            _draft.selected = bombs[_bombIndex].map(Cards.label);
            SoundManager.play('select');
            Lib.announce(Words.table('said.selected', {cards: Cards.names(bombs[_bombIndex])}));
            _table.redraw();
        }
    }

    /**
     * Select the cards of a move.
     *
     * @param {string} move - The move.
     * @returns {boolean} Whether it is made with cards that can be laid now.
     */
    function _choose(move) {
        const labels = Cards.played(move);
        const isNow = labels !== null && _table.shown?.request?.action === 'play';
        _draft.selected = isNow ? labels : _draft.selected;
        return isNow;
    }

    /** Show the scores of all rounds. */
    function _openSheet() {
        if (_table.shown !== null) {
            TichuModals.sheet(_table.shown);
        }
    }

    /** Show the last trick that was taken. */
    function _openLastTrick() {
        if (_table.shown !== null && _table.shown.public_state.tricks.length > 0) {
            TichuModals.trick(_table.shown);
        }
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

    const _table = Frame.make({
        name: 'tichu', speech: TichuSpeech, sounds: TichuSounds.NAMES, middle, around, tools, compute, draw,
        seat: describe, actions, perform, line, revise,
        back: () => Cards.draw(null),
        hand: {
            cards: () => _scene.hand.map(_fanCard),
            note: () => _scene.isOut ? Words.table('note.out') : '',
            calls: {toggle: _toggle, submit: _submit},
            hint: _choose,
            prepare: _letGive,
            // While cards are given away, a finger carries them there.
            mayPut: () => _table.shown?.request?.action !== 'schupf'
        },
        about: {
            grand: '.table-actions', give: '.zones', received: '.zones', lead: '.hand', follow: '.hand',
            pass: '.table-actions [data-place="left"]', tichu: '.table-actions [data-place="middle"]',
            wish: '.wish-dialog', dragon: '.dragon-dialog', points: '.score'
        },
        status: snapshot => Words.table(TichuScene.task(snapshot)),
        mood: TichuMoods.of,
        sound: (event, context, {me}) => TichuSounds.sound(event, context, Math.max(me, 0)),
        bubble: () => null,
        animate: (event, context, motion) => TichuMotion.animate(event, context, motion, _before),
        follow: (news, snapshot) => TichuDialogs.follow(snapshot, news),
        keys: {escape: _clearSelection},
        toolKeys: {hint: 'H', undo: 'U', chat: 'C'},
        begin() {
            _draft = TichuScene.emptyDraft();
            _before = null;
        }
    });

    return {
        ..._table, suggest,
        picture: (/** @type {string} */ word) => Cards.draw(/** @type {Card} */ (word.split('-').map(Number)))
    };
})();

Games.register('tichu', TichuTable);
