/**
 * PlainTable: a plain table for any game: seats, boards, other fields, the own hand. Legal moves are lit cells,
 * lit cards, or buttons.
 *
 * @type {GameTable}
 */
const PlainTable = (() => {
    /** @type {{[part: string]: HTMLElement}} */
    let _parts = {};

    /** @type {{word: string, part: string, index: number}} The button that had the focus last. */
    let _focus = {word: '', part: '', index: 0};

    /** @type {Boards} */
    let _boards;

    const _speech = Speeches.make(Faces.text);

    const _words = (/** @type {string} */ move) => Moves.words(move, Faces.text);

    const _life = Life.make({
        get game() {
            return State.snapshot?.public_state.game ?? '';
        },
        speech: _speech, sounds: [], create: _create, render: _render, notify: _notify, hint: _hint,
        press: event => Keys.press(_life.root, event),
        status: () => '',
        tick: () => _parts.turn.classList.toggle('mine', _life.isOurs),
        begin: () => PlainBoards.clear(_boards),
        end: Result.close
    });

    /** @returns {HTMLElement} The view's element. */
    function _create() {
        _boards = PlainBoards.create(_act, _drawMoves);
        _parts = {
            title: Lib.element('h1'),
            seats: Lib.element('ul', {class: 'plain-seats', 'aria-label': Texts.get('lobby.seats')}),
            turn: Lib.element('p', {class: 'turn status-text', tabindex: -1}),
            undo: Life.tool('undo'),
            fields: Lib.element('div', {class: 'fields'}),
            hand: Lib.element('div', {class: 'plain-hand', role: 'group', 'aria-label': Texts.get('table.hand')}),
            actions: Lib.element('div', {class: 'actions'}),
            log: Lib.element('ol', {class: 'log', 'aria-label': Texts.get('table.log')})
        };
        const {title, seats, turn, undo, fields, hand, actions, log} = _parts;
        return Lib.element('section', {class: 'plain-table'},
            Lib.element('header', {},
                Lib.iconButton('leave', Texts.get('lobby.leave'), () => EventBus.emit('tableView:leave')), title,
                Lib.iconButton('chat', Texts.get('chat'), Chat.open), SettingsDialog.button()),
            seats, Lib.element('div', {
                class: 'plain-felt', role: 'group', tabindex: 0, 'aria-label': Texts.get('table.felt')
            }, _boards.root, fields),
            Lib.element('div', {class: 'plain-own'},
                Lib.element('div', {class: 'turn-line'}, undo, turn), hand, actions),
            Lib.element('div', {class: 'log-frame', tabindex: 0}, log));
    }

    /** Draw everything. */
    function _render() {
        const snapshot = /** @type {Snapshot} */ (_life.shown);
        const isReplay = _life.options.isReplay === true;
        const table = snapshot.public_state;
        const hadFocus = _noteFocus();
        _parts.title.textContent = Setup.game(table.game)?.title ?? table.game;
        _parts.seats.replaceChildren(...table.player_names.map((_, seat) => _seat(table, seat, snapshot.me)));
        PlainBoards.draw(_boards, snapshot, [..._life.legal]);
        _parts.fields.replaceChildren(...PlainFields.draw(snapshot));
        _drawMoves();
        _drawLog(isReplay ? {...snapshot, me: -1} : snapshot);
        _life.tick();
        if (hadFocus) {
            _restoreFocus();
        }
    }

    /**
     * @param {PublicState} table - The table.
     * @param {number} seat - A seat.
     * @param {number} me - The own seat.
     * @returns {HTMLElement} The seat: its name and its counts.
     */
    function _seat(table, seat, me) {
        const counted = PlainFields.called('counts');
        const counts = table[counted];
        const scores = table[PlainFields.called('scores')];
        const isAwaited = table.awaiting.includes(seat);
        const presence = table.presences[seat];
        return Lib.element('li', {class: `plain-seat${isAwaited ? ' awaited' : ''}${seat === me ? ' own' : ''}`},
            Lib.element('strong', {text: table.player_names[seat]}),
            table.player_kinds[seat] === 'ai' ? Lib.element('small', {text: Texts.get('lobby.ai')}) : null,
            presence === 'here' ? null : Lib.element('small', {text: Texts.get(`lobby.${presence}`)}),
            counts === undefined ? null : Lib.element('span', {
                class: 'count', text: String(counts[seat]), title: PlainFields.label(counted)
            }),
            scores === undefined ? null : Lib.element('small', {
                text: Texts.get('table.score', {points: scores[seat]})
            }));
    }

    /** Draw the legal moves: cards of the hand, and buttons for the rest. */
    function _drawMoves() {
        const snapshot = /** @type {Snapshot} */ (_life.shown);
        const {options} = _life;
        _parts.undo.hidden = options.isReplay === true || snapshot.mayUndo !== true;
        const legal = [..._life.legal];
        const hand = PlainFields.hand(snapshot.private_state);
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
        const others = PlainBoards.others(_boards, legal);
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
            ...PlainFields.hand(own).map(word => Faces.draw(word))))
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
            type: 'button', class: 'button ask-hint', 'aria-label': Texts.get('table.hint'), 'aria-keyshortcuts': 'H',
            dataset: {word: 'hint'},
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
     * @param {Snapshot} snapshot - The table.
     * @param {string} line - It in words.
     */
    function _notify(event, context, snapshot, line) {
        if (event === 'chat') {
            Lib.toast(line);
        }
        else if (event === 'game_over') {
            _showResult(context, snapshot);
        }
    }

    /**
     * Light what the strongest agent's move is made with.
     *
     * @param {string} move - The move.
     * @returns {Element[]} Cells of a board, or a button.
     */
    function _hint(move) {
        const cells = PlainBoards.light(_boards, move);
        const buttons = ['hand', 'actions'].flatMap(_buttonsOf);
        return cells.length > 0 ? cells : buttons.filter(({dataset}) => dataset.word === move);
    }

    /**
     * @param {{points: number[], payoff: number[], reason?: string, game_id: string | number}} outcome - The end.
     * @param {Snapshot} snapshot - The table.
     */
    function _showResult({points, payoff, reason, game_id: gameId}, snapshot) {
        const {player_names: names} = snapshot.public_state;
        const order = names.map((_, seat) => seat).sort((one, other) => payoff[other] - payoff[one]);
        const write = (/** @type {string} */ name, /** @type {string} */ value) => _speech.word(name, value, snapshot);
        const why = Words.sentence('outcomes', reason ?? '', write, snapshot.me);
        const scores = Lib.element('ol', {class: 'result'}, ...order.map(seat => Lib.element(
            'li', {class: Result.verdict(payoff, seat) === 'won' ? 'best' : null},
            Lib.element('strong', {text: names[seat]}), Lib.element('span', {text: String(points[seat])}))));
        void Result.show(snapshot, {id: gameId}, Texts.get(`table.${Result.verdict(payoff, snapshot.me)}`),
            ...why === '' ? [] : [Lib.element('p', {text: why})], scores);
    }

    return {..._life.view, name: 'plain-table', speech: _speech};
})();

Games.register('plain', PlainTable);
