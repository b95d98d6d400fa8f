/**
 * GenericTableView: a plain table for any game: seats, boards, other fields, the own hand. Legal moves are lit cells,
 * lit cards, or buttons.
 *
 * @type {GameTable}
 */
const GenericTableView = (() => {
    /** @type {{[part: string]: HTMLElement}} */
    let _parts = {};
    let _ticking = 0;
    let _wasMyTurn = false;

    /** @type {{word: string, part: string, index: number}} The button that had the focus last. */
    let _focus = {word: '', part: '', index: 0};

    /** @type {RenderOptions} */
    let _options = {};

    /** @type {ReturnType<typeof GenericBoards.create>} */
    let _boards;

    const _speech = Speeches.make(Faces.text);

    const _words = (/** @type {string} */ move) => Moves.words(move, Faces.text);

    /** @returns {HTMLElement} The view's element. */
    function create() {
        _boards = GenericBoards.create(_act, () => State.snapshot !== null && _drawMoves(State.snapshot, _options));
        _parts = {
            title: Lib.element('h1'),
            seats: Lib.element('ul', {class: 'generic-seats', 'aria-label': Texts.get('lobby.seats')}),
            turn: Lib.element('p', {class: 'turn', tabindex: -1}),
            fields: Lib.element('div', {class: 'fields'}),
            hand: Lib.element('div', {class: 'generic-hand', role: 'group', 'aria-label': Texts.get('table.hand')}),
            actions: Lib.element('div', {class: 'actions'}),
            log: Lib.element('ol', {class: 'log', 'aria-label': Texts.get('table.log')})
        };
        const {title, seats, turn, fields, hand, actions, log} = _parts;
        return Lib.element('section', {class: 'generic-table'},
            Lib.element('header', {},
                Lib.iconButton('leave', Texts.get('lobby.leave'), () => EventBus.emit('tableView:leave')), title,
                Lib.iconButton('chat', Texts.get('chat'), Chat.open), SettingsDialog.button()),
            seats, Lib.element('div', {
                class: 'generic-felt', role: 'group', tabindex: 0, 'aria-label': Texts.get('table.felt')
            }, _boards.element, fields),
            Lib.element('div', {class: 'generic-own'}, turn, hand, actions),
            Lib.element('div', {class: 'log-frame', tabindex: 0}, log));
    }

    /**
     * Draw everything.
     *
     * @param {Snapshot | null} snapshot - The state.
     * @param {RenderOptions} [options] - The render options.
     */
    function render(snapshot, options = {}) {
        if (snapshot === null) {
            return;
        }
        _options = options;
        const table = snapshot.public_state;
        const hadFocus = _noteFocus();
        _parts.title.textContent = Setup.game(table.game)?.title ?? table.game;
        _parts.seats.replaceChildren(...table.player_names.map((_, seat) => _seat(table, seat, snapshot.me)));
        _boards.draw(snapshot, options.isReplay === true);
        _parts.fields.replaceChildren(...GenericFields.draw(snapshot));
        _drawMoves(snapshot, options);
        _drawLog(options.isReplay ? {...snapshot, me: -1} : snapshot);
        _drawTurn(snapshot, options);
        if (hadFocus) {
            _restoreFocus();
        }
        if (!options.isReplay && table.is_running) {
            Result.close();
        }
    }

    /**
     * @param {PublicState} table - The table.
     * @param {number} seat - A seat.
     * @param {number} me - The own seat.
     * @returns {HTMLElement} The seat: its name and its counts.
     */
    function _seat(table, seat, me) {
        const counted = GenericFields.called('counts');
        const counts = table[counted];
        const scores = table[GenericFields.called('scores')];
        const isAwaited = table.awaiting.includes(seat);
        const presence = table.presences[seat];
        return Lib.element('li', {class: `generic-seat${isAwaited ? ' awaited' : ''}${seat === me ? ' own' : ''}`},
            Lib.element('strong', {text: table.player_names[seat]}),
            table.player_kinds[seat] === 'ai' ? Lib.element('small', {text: Texts.get('lobby.ai')}) : null,
            presence === 'here' ? null : Lib.element('small', {text: Texts.get(`lobby.${presence}`)}),
            counts === undefined ? null : Lib.element('span', {
                class: 'count', text: String(counts[seat]), title: GenericFields.label(counted)
            }),
            scores === undefined ? null : Lib.element('small', {
                text: Texts.get('table.score', {points: scores[seat]})
            }));
    }

    /**
     * Draw the legal moves: cards of the hand, and buttons for the rest.
     *
     * @param {Snapshot} snapshot - The state.
     * @param {RenderOptions} options - The render options.
     */
    function _drawMoves(snapshot, options) {
        const legal = options.isReplay ? [] : snapshot.choices.legal;
        const hand = GenericFields.hand(snapshot.private_state);
        const groups = Moves.group(legal);
        const moves = [...groups.values()].flat();
        // A tap on a card makes its only move; if a card has several moves, they become buttons.
        const onHand = moves.filter(move => move.operands.length === 1 && hand.includes(move.operands[0]));
        const single = onHand.filter(move => onHand.every(other =>
            other === move || other.operands[0] !== move.operands[0]));
        if (options.hands === undefined) {
            Parts.keep(_parts.hand, hand.map(word => {
                const move = single.find(one => one.operands[0] === word)?.text;
                return move === undefined
                    ? {key: word, draw: () => Faces.draw(word)}
                    : {key: `${word} ${move}`, draw: () => Faces.draw(word, () => _act(move), _words(move))};
            }));
        }
        else {
            _parts.hand.replaceChildren(..._openHands(snapshot, options.hands));
        }
        _parts.hand.style.setProperty('--count', options.hands === undefined ? String(hand.length) : '');
        _parts.hand.hidden = _parts.hand.childElementCount === 0;
        const others = _boards.others(legal);
        const rest = moves.filter(move => !single.includes(move) && others.includes(move.text));
        const {primary} = snapshot.choices;
        const isAsked = legal.length > 0 && snapshot.public_state.awaiting.includes(snapshot.me);
        Parts.keep(_parts.actions, [
            ...Moves.choices(rest).map(all => (
                {key: [primary, ...all.map(({text}) => text)].join(), draw: () => _buttons(all, primary)})),
            ...isAsked ? [{key: 'hint', draw: _hintButton}] : []
        ]);
    }

    /**
     * @param {Snapshot} snapshot - The state.
     * @param {PrivateState[]} hands - The private state of each seat.
     * @returns {HTMLElement[]} A row for each hand.
     */
    function _openHands(snapshot, hands) {
        return hands.map((own, seat) => Lib.element('div', {class: 'open-hand'},
            Lib.element('span', {class: 'whose', text: snapshot.public_state.player_names[seat]}),
            ...GenericFields.hand(own).map(word => Faces.draw(word))))
            .filter(row => row.childElementCount > 1);
    }

    /**
     * @param {MoveParts[]} moves - Moves that differ only in one operand, or a single one.
     * @param {string | null | undefined} primary - The move that is emphasized.
     * @returns {HTMLElement} The button; several stand behind their verb.
     */
    function _buttons(moves, primary) {
        const isChoice = moves.length > 1;
        const buttons = moves.map(({text, operands}) => Lib.element('button', {
            type: 'button', class: `button${text === primary ? ' main' : ''}`, 'aria-label': _words(text),
            dataset: {word: text}, text: isChoice ? Faces.text(operands[0]) : _words(text),
            on: {click: () => _act(text)}
        }));
        return isChoice
            ? Lib.element('div', {class: 'choice'}, `${Words.get('verbs', moves[0].verb)}:`, ...buttons) : buttons[0];
    }

    /** @returns {HTMLElement} The hint button. */
    function _hintButton() {
        return Lib.element('button', {
            type: 'button', class: 'button ask-hint', 'aria-label': Texts.get('table.hint'), dataset: {word: 'hint'},
            on: {click: () => EventBus.emit('tableView:hint')}
        }, Lib.icon('hint'), Lib.element('span', {text: Texts.get('table.hint')}));
    }

    /** @param {string} move - The move that is made. */
    function _act(move) {
        EventBus.emit('tableView:move', {move});
    }

    /**
     * @param {string} part - A part of the table.
     * @returns {HTMLElement[]} Its buttons.
     */
    function _buttonsOf(part) {
        return [..._parts[part].querySelectorAll('button')];
    }

    /** @returns {boolean} Is the focus on a part that is about to be redrawn? A focused button is noted. */
    function _noteFocus() {
        const focused = document.activeElement;
        for (const part of ['hand', 'actions']) {
            const index = _buttonsOf(part).findIndex(button => button === focused);
            if (index >= 0) {
                _focus = {word: _buttonsOf(part)[index].dataset.word ?? '', part, index};
                return true;
            }
        }
        return focused === _parts.turn;
    }

    /**
     * Put the focus on the same button, or on the one in its place, or on any that makes a move; where no move can be
     * made, on the line that tells whose turn it is.
     */
    function _restoreFocus() {
        const {word, part, index} = _focus;
        const all = ['hand', 'actions'].flatMap(_buttonsOf);
        const same = all.find(button => word === button.dataset.word);
        const moves = (/** @type {HTMLElement[]} */ buttons) => buttons.filter(({dataset}) => dataset.word !== 'hint');
        const near = moves(_buttonsOf(part));
        (same ?? near[Math.min(index, near.length - 1)] ?? moves(all)[0] ?? _parts.turn).focus();
    }

    /**
     * Tell whose turn it is, and read it out if it has become ours.
     *
     * @param {Snapshot} snapshot - The state.
     * @param {RenderOptions} options - The render options.
     */
    function _drawTurn(snapshot, options) {
        const isMine = Turn.isOurs(snapshot) && !options.isReplay;
        _parts.turn.classList.toggle('mine', isMine);
        _parts.turn.textContent = Turn.line(options.isReplay ? {...snapshot, me: -1} : snapshot,
            snapshot.public_state.player_names.map((_, seat) => options.isReplay ? null : State.timeLeft(seat)));
        if (isMine && !_wasMyTurn) {
            Lib.announce(Texts.get('your_turn'));
        }
        _wasMyTurn = isMine;
    }

    /**
     * Draw the log, newest first.
     *
     * @param {Snapshot} snapshot - The state.
     */
    function _drawLog(snapshot) {
        const lines = State.log.map(({event, context}) => _speech.of(event, context, snapshot))
            .filter(line => line !== '');
        _parts.log.replaceChildren(...lines.slice(-30).reverse().map(text => Lib.element('li', {text})));
    }

    /**
     * Something happened.
     *
     * @param {string} event - What.
     * @param {any} context - The event's context.
     */
    function notify(event, context) {
        const {snapshot} = State;
        const line = snapshot === null ? '' : _speech.of(event, context, snapshot);
        if (line !== '' && context.seat !== snapshot?.me) {
            Lib.announce(line);
        }
        if (event === 'chat') {
            Lib.toast(line);
        }
        else if (event === 'game_over') {
            _showResult(context);
        }
    }

    /** @param {{points: number[], payoff: number[], reason?: string, game_id: string | number}} outcome - The end. */
    function _showResult({points, payoff, reason, game_id: gameId}) {
        const snapshot = State.snapshot;
        if (snapshot === null) {
            return;
        }
        const {player_names: names} = snapshot.public_state;
        const order = names.map((_, seat) => seat).sort((one, other) => payoff[other] - payoff[one]);
        const write = (/** @type {string} */ name, /** @type {string} */ value) => _speech.word(name, value, snapshot);
        const why = Words.sentence('outcomes', reason ?? '', write, snapshot.me);
        const scores = Lib.element('ol', {class: 'result'}, ...order.map(seat => Lib.element(
            'li', {class: Result.verdict(payoff, seat) === 'won' ? 'best' : null},
            Lib.element('strong', {text: names[seat]}), Lib.element('span', {text: String(points[seat])}))));
        void Result.show(snapshot, gameId, Texts.get(`table.${Result.verdict(payoff, snapshot.me)}`),
            ...why === '' ? [] : [Lib.element('p', {text: why})], scores);
    }

    EventBus.on('app:hint', ({move, reason}) => {
        if (ViewManager.current?.name === 'generic-table-view') {
            Lib.toast(Texts.get('table.hint_says', {move: _words(move), reason}));
            _boards.light(move);
        }
    });

    return {
        name: 'generic-table-view',
        speech: _speech,
        create,
        render,
        notify,
        show() {
            _wasMyTurn = false;
            _boards.clear();
            window.clearInterval(_ticking);
            _ticking = window.setInterval(() => {
                if (State.snapshot !== null) {
                    _drawTurn(State.snapshot, _options);
                }
            }, 500);
        },
        hide() {
            window.clearInterval(_ticking);
            Result.close();
        }
    };
})();

Games.register('plain', GenericTableView);
