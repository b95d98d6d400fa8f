/**
 * SechsundsechzigTable: the deck with the trump under it, the two cards of a trick, and the tricks of both players.
 */
const SechsundsechzigTable = (() => {
    const {element} = Lib;

    /** From how many points on a trick makes glad, and sad. */
    const _DEAR = 10;

    /** How long a trick stays in sight before it goes to its winner (milliseconds). */
    const _SEEN = 1500;

    const _MOVES = ['swap', 'announce', 'announce trump', 'close', 'stop'];
    const _KEYS = ['T', 'A', 'J', 'Z', 'E'];

    const _speech = Speeches.make(Deck.write);

    /** @type {string[]} The own cards in the order in which they are held. */
    let _order = [];

    /** @type {{seat: number, card: string}[]} The cards of the trick, as they were laid. */
    let _laid = [];

    /** @type {{seat: number, card: string}[]} The trick that stays in sight. */
    let _seen = [];

    let _collecting = 0;

    /** @type {any} The last end of a game, and the tricks that it had. */
    let _ended = null;

    /** @returns {HTMLElement[]} The elements of the middle. */
    function middle() {
        return [element('div', {class: 'duel'},
            element('div', {class: 'deck', role: 'img', dataset: {pile: 'deck'}}),
            element('div', {class: 'trick-cards', role: 'group', 'aria-label': Words.table('middle')},
                ...['rival', 'own'].map(place => element('div', {class: 'slot', dataset: {place}}))),
            ...['rival', 'own'].map(place => element('button', {
                class: 'tricks', type: 'button', dataset: {place, pile: `tricks-${place}`}, on: {click: _showLast}
            })))];
    }

    /** @returns {HTMLElement[]} The tools of the game. */
    function tools() {
        return [
            Panels.tool('spectator', Words.table('tool.points'), _toggleTricks, true, 'P'),
            Panels.tool('sort', Words.table('tool.sort'), _sort, false, 'S')
        ];
    }

    /** Show tricks and points, or hide them as at a real table. */
    function _toggleTricks() {
        User.change({openTricks: !User.settings.openTricks});
        _table.redraw();
    }

    /** Sort the own cards. */
    function _sort() {
        _order = Deck.sorted(_order);
        Order.keep('sechsundsechzig', []);
        SoundManager.play('select');
        _table.redraw();
    }

    /** Show the last trick. */
    function _showLast() {
        /** @type {string[]} */
        const last = State.snapshot?.public_state.last ?? [];
        if (last.length > 0) {
            void Panels.show('trick', {
                title: Words.table('last.title'),
                content: [element('div', {class: 'result-cards is-large', role: 'img', 'aria-label': Deck.names(last)},
                    ...last.map(card => element('span', {class: 'result-card'}, Deck.draw(card))))],
                actions: [{value: '', text: Texts.get('close'), kind: 'main'}]
            });
        }
    }

    /**
     * Draw the header and the middle.
     *
     * @param {HTMLElement} root - The table.
     * @param {Snapshot} snapshot - The state.
     */
    function draw(root, snapshot) {
        const {me} = snapshot;
        const table = /** @type {Protocol.SechsundsechzigPublic & PublicState} */ (snapshot.public_state);
        const find = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (root.querySelector(selector));
        const goal = table.table_options.options.goal;
        const bottom = Math.max(me, 0);
        const points = [bottom, 1 - bottom].map(seat => table.scores[seat]).join(' : ');
        Parts.fill(find('.score'), [points, goal], () => [element('div', {class: 'score-line'},
            element('strong', {text: points}),
            element('span', {text: goal === undefined ? Words.table('series.open') : Words.table('series', {goal})})
        )]);
        const open = find('[data-tool="spectator"]');
        open.setAttribute('aria-pressed', String(User.settings.openTricks));
        _drawDeck(find('.deck'), table);
        _drawTrick(root, table, bottom);
        ['own', 'rival'].forEach((place, offset) => {
            _drawTricks(find(`.tricks[data-place="${place}"]`), table, (bottom + offset) % 2);
        });
    }

    /**
     * Draw the deck: the open card lies sideways under it; once it is closed, on it.
     *
     * @param {HTMLElement} deck - Its place.
     * @param {Protocol.SechsundsechzigPublic & PublicState} table - The state.
     */
    function _drawDeck(deck, table) {
        const {open, hidden, closer, trump} = table;
        const suit = Deck.suitName(trump);
        const isClosed = closer !== null;
        const told = isClosed ? Words.table('stock.closed', {name: table.player_names[closer], suit})
            : open === null ? Words.table('stock.empty', {suit})
                : Words.table('stock', {count: hidden, card: Deck.name(open)});
        deck.setAttribute('aria-label', told);
        deck.classList.toggle('is-closed', isClosed);
        Parts.fill(deck, [open, hidden, isClosed, trump, table.forced], () => [
            open === null ? null
                : element('span', {class: 'trump-card', dataset: {card: open}}, Deck.draw(isClosed ? null : open)),
            hidden > 0 || isClosed ? element('span', {class: 'face-down'}, Deck.draw(null)) : null,
            hidden > 0 ? element('span', {class: 'count', text: String(hidden)}) : null,
            element('span', {class: 'trump-sign'}, Deck.drawSuit(trump),
                element('span', {text: isClosed ? Words.table('closed') : Words.table('trump')})),
            table.forced && !isClosed ? element('span', {class: 'forced', text: Words.table('forced')}) : null
        ]);
    }

    /**
     * Draw the trick: the cards face each other; the last one stays in sight for a while.
     *
     * @param {HTMLElement} root - The table.
     * @param {Protocol.SechsundsechzigPublic & PublicState} table - The state.
     * @param {number} bottom - The seat at the bottom.
     */
    function _drawTrick(root, table, bottom) {
        // A card that lies alone is the other's whom the table does not wait for.
        const lying = table.middle.length > 0
            ? table.middle.map((/** @type {string} */ card) => ({card, seat: 1 - (table.turn ?? 0)})) : _seen;
        for (const slot of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('.slot'))) {
            const seat = slot.dataset.place === 'own' ? bottom : 1 - bottom;
            const card = lying.find((/** @type {{seat: number}} */ one) => one.seat === seat)?.card ?? '';
            slot.dataset.shown = card;
            Parts.fill(slot, card, () => card === '' ? [] : [element('span', {
                class: 'laid-card', dataset: {card}, role: 'img', 'aria-label': Deck.name(card)
            }, Deck.draw(card))]);
        }
    }

    /**
     * Draw the tricks of a player: face down, as at a real table, or open with their points.
     *
     * @param {HTMLElement} pile - Their place.
     * @param {Protocol.SechsundsechzigPublic & PublicState} table - The state.
     * @param {number} seat - The player.
     */
    function _drawTricks(pile, table, seat) {
        const cards = table.tricks[seat];
        const isOpen = User.settings.openTricks;
        const points = isOpen ? Words.table('tricks.points', {points: table.points[seat]}) : '';
        const told = Words.table('tricks', {name: table.player_names[seat], count: cards.length / 2});
        pile.setAttribute('aria-label', [told, points].filter(text => text !== '').join(', '));
        /** @type {(string | null)[]} */
        const shown = isOpen ? cards.slice(-2) : cards.slice(-6).map(() => null);
        const count = points === '' ? String(cards.length / 2) : points;
        Parts.fill(pile, [shown, count], () => [
            element('span', {class: 'tricks-cards'}, ...shown.map((card, at) => {
                const one = element('span', {class: 'trick-back'}, Deck.draw(card));
                one.style.setProperty('--at', String(at));
                return one;
            })),
            element('span', {class: 'tricks-count', text: count})
        ]);
    }

    /**
     * @param {Snapshot} snapshot - The state.
     * @returns {FrameAction[]} The buttons: always the same, at the same place.
     */
    function actions({choices}) {
        if (choices.legal.includes('restart')) {
            return [{move: 'restart', text: Words.table('on')}];
        }
        return _MOVES.map((move, index) => ({move, text: Words.table(`button.${move}`), key: _KEYS[index]}));
    }

    /**
     * @param {Snapshot} snapshot - The state.
     * @returns {string} What is to be done.
     */
    function status({public_state: table}) {
        if (table.end !== null) {
            return Words.table('on');
        }
        const isLed = table.middle.length > 0;
        return Words.table(table.announced !== null ? 'status.pair' : !isLed ? 'status.lead'
            : table.forced ? 'status.forced' : 'status.follow');
    }

    /**
     * @param {Snapshot} snapshot - The state.
     * @param {number} seat - A seat.
     * @returns {FrameSeat} What its plate shows.
     */
    function describe({public_state: table}, seat) {
        const score = Words.table('score', {points: table.scores[seat]});
        const told = Words.table('tricks', {name: '', count: table.tricks[seat].length / 2});
        return {count: table.counts[seat], words: [Seats.word('points', score)], told: `${score}${told}`};
    }

    /**
     * @param {string} event - An event.
     * @param {any} context - Its context.
     * @param {Snapshot} snapshot - The state before it.
     * @returns {string} Its sound.
     */
    function sound(event, context, {me}) {
        /** @type {{[name: string]: string}} */
        const sounds = {
            dealt: 'shuffle', trick: 'take', announced: 'announce', swapped: 'schupf', closed: 'tile',
            stopped: 'announce', ended: 'score'
        };
        return event === 'laid' ? `play${context.seat === Math.max(me, 0) ? 0 : 2}` : sounds[event] ?? '';
    }

    /**
     * @param {string} event - An event.
     * @param {any} context - Its context.
     * @returns {{seat: number, text: string} | null} What a seat says.
     */
    function bubble(event, context) {
        /** @type {{[name: string]: () => string}} */
        const said = {
            announced: () => Words.table('said.announce', {points: context.points}),
            closed: () => Words.table('said.close'),
            stopped: () => Words.table('said.stop'),
            swapped: () => Words.table('said.swap')
        };
        const text = said[event]?.() ?? '';
        return text === '' ? null : {seat: context.seat, text};
    }

    /**
     * Note what an event changes of the trick in sight, before it is drawn.
     *
     * @param {string} event - An event.
     * @param {any} context - Its context.
     */
    function note(event, context) {
        if (event === 'laid') {
            _laid = context.middle.length === 1 ? [] : _laid;
            _laid.push({seat: context.seat, card: context.card});
            _see([]);
        }
        else if (event === 'trick') {
            _see(_laid.length === 2 ? _laid : []);
            if (_seen.length > 0) {
                _collecting = window.setTimeout(_collect, _SEEN, context.seat);
            }
        }
        else if (event === 'dealt') {
            _order = [];
            _see([]);
        }
    }

    /** @param {{seat: number, card: string}[]} trick - The trick that stays in sight from now on. */
    function _see(trick) {
        window.clearTimeout(_collecting);
        _seen = trick;
    }

    /**
     * The trick goes to its winner.
     *
     * @param {number} winner - The winner.
     */
    function _collect(winner) {
        const cards = _seen.map(({card}) => card);
        _table.happen('collected', {cards, winner}, () => _see([]));
    }

    /**
     * @param {string} event - An event.
     * @param {any} context - Its context.
     * @param {FrameMotion} motion - How things move.
     */
    function animate(event, context, {all, glide, away, seat: find}) {
        const me = Math.max(State.snapshot?.me ?? 0, 0);
        if (event === 'laid') {
            all('.slot .laid-card').filter(card => card.dataset.card === context.card).forEach(card => {
                glide(card, context.seat === me ? `card:${context.card}` : `seat:${context.seat}`, 0,
                    context.seat === me ? 1 : 0.4);
            });
        }
        else if (event === 'collected') {
            away(context.cards, context.winner);
        }
        else if (event === 'drawn') {
            all('.hand-card').filter(card => card.dataset.card === context.card)
                .forEach(card => glide(card, 'pile:deck', 120, 0.9));
            const backs = find(1 - me)?.querySelector('.backs');
            if (backs !== null && backs !== undefined) {
                glide(/** @type {HTMLElement} */ (backs), 'pile:deck', 120, 0.9);
            }
        }
        else if (event === 'dealt') {
            all('.hand-card').forEach((card, index) => glide(card, 'pile:deck', index * 50, 0.6));
        }
        else if (event === 'swapped') {
            all('.trump-card').forEach(card => glide(card, `seat:${context.seat}`, 0, 0.6));
            all('.hand-card').filter(card => card.dataset.card === context.taken)
                .forEach(card => glide(card, 'pile:deck', 0, 0.8));
        }
        else if (event === 'closed') {
            all('.trump-card').forEach(card => Flights.pop(card));
        }
    }

    /**
     * Open and close the panels.
     *
     * @param {{event: string, context: any}[]} news - The events.
     * @param {Snapshot} snapshot - The state after them.
     */
    function follow(news, snapshot) {
        for (const {event, context} of news) {
            if (event === 'ended') {
                _ended = {...context, tricks: snapshot.public_state.tricks};
                if (snapshot.public_state.is_running) {
                    SechsundsechzigEnding.game(snapshot, context, snapshot.public_state.tricks, _goOn);
                }
            }
            else if (event === 'game_over') {
                SechsundsechzigEnding.series(snapshot, _ended, _ended?.tricks ?? [[], []], context);
            }
            else if (event === 'game_started') {
                Result.closeRound();
            }
        }
    }

    /** The result was read: the winner begins the next game, if nobody has. */
    function _goOn() {
        const {snapshot} = State;
        if (snapshot?.choices.legal.includes('restart') && snapshot.public_state.awaiting.includes(snapshot.me)) {
            _table.act('restart');
        }
    }

    /**
     * Hold the own hand: new cards come last until they are sorted, so that none jumps.
     *
     * @param {string[]} hand - The cards.
     * @returns {string[]} The same cards as they are held.
     */
    function hold(hand) {
        const kept = _order.filter(card => hand.includes(card));
        _order = [...kept, ...hand.filter(card => !kept.includes(card))];
        return _order;
    }

    /** @type {{[key: string]: (root: HTMLElement) => void}} */
    const keys = Object.fromEntries([0, 1, 2, 3, 4, 5].map(index => [String(index + 1), root => {
        const card = /** @type {HTMLElement | undefined} */ (root.querySelectorAll('.hand-card')[index])?.dataset.card;
        if (card !== undefined && State.snapshot !== null && State.snapshot.me >= 0) {
            _table.act(`lay ${card}`);
        }
    }]));

    /**
     * @param {string} event - An event.
     * @param {any} context - Its context.
     * @returns {Feelings} Who is glad about it and who is not.
     */
    function mood(event, {seat, points, winner}) {
        if (event === 'ended') {
            return winner < 0 ? {} : {glad: [winner], sad: [1 - winner]};
        }
        if (event === 'trick' && points >= _DEAR) {
            return {glad: [seat], sad: [1 - seat]};
        }
        return ['announced', 'swapped'].includes(event) ? {glad: [seat]} : {};
    }

    const _table = Frame.make({
        name: 'sechsundsechzig', speech: _speech, middle, tools, draw, seat: describe, actions, status, mood, sound,
        bubble, note, animate, follow,
        sounds: ['announce', 'play0', 'play2', 'schupf', 'score', 'select', 'shuffle', 'take', 'tile'],
        hand: {order: hold, move: label => `lay ${label}`},
        keys: {...keys, l: _showLast},
        about: {
            announce: '[data-move^="announce"]:enabled', swap: '[data-move="swap"]', lead: '.hand', follow: '.hand',
            count: '.tricks[data-place="own"]', stop: '[data-move="stop"]', close: '[data-move="close"]'
        },
        toolKeys: {hint: 'H', undo: 'U', chat: 'C'},
        begin() {
            _order = [];
            _laid = [];
            _ended = null;
            _see([]);
        }
    });

    return _table;
})();

Games.register('sechsundsechzig', SechsundsechzigTable);
