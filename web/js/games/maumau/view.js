/**
 * MauMauTable: the pile and the stock in the middle, the wish and the cards to draw beside them.
 */
const MauMauTable = (() => {
    const {element} = Lib;

    /** How many of the earlier cards lie below the top one in sight. */
    const _BELOW = 3;

    /** How the cards of the pile are turned, by their place in it (degrees). */
    const _TURNS = [-7, 5, -3, 8, -5, 2, 6, -8];

    const _speech = Speeches.make(Deck.write);

    /** @type {any} The last round's result, until it is shown. */
    let _result = null;

    /** @returns {HTMLElement[]} The elements of the middle. */
    function middle() {
        return [
            element('div', {class: 'piles'},
                element('div', {class: 'stock-place'},
                    element('button', {
                        class: 'stock', type: 'button', dataset: {pile: 'stock'}, 'aria-keyshortcuts': 'Z',
                        on: {click: _draw}
                    }),
                    element('span', {class: 'penalty', role: 'img', hidden: true})),
                element('div', {class: 'pile', role: 'img', dataset: {pile: 'laid'}}),
                element('div', {class: 'wish-mark', role: 'img', hidden: true}),
                element('button', {
                    class: 'table-button main finish', type: 'button', 'aria-keyshortcuts': 'E', hidden: true,
                    on: {click: () => _table.act('finish')}
                })),
            element('div', {class: 'suit-choices', role: 'group', hidden: true})
        ];
    }

    /** The stock was tapped: draw; if that is not possible, the server says why. */
    function _draw() {
        const take = State.snapshot?.choices.legal.find(move => move.startsWith('take')) ?? 'take 1';
        if ((State.snapshot?.me ?? -1) >= 0) {
            _table.act(take);
        }
    }

    /**
     * Draw the header and the middle.
     *
     * @param {HTMLElement} root - The table.
     * @param {Snapshot} snapshot - The state.
     */
    function draw(root, snapshot) {
        const table = snapshot.public_state;
        const find = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (root.querySelector(selector));
        const points = table.scores[Math.max(snapshot.me, 0)];
        Parts.fill(find('.score'), null, () => [element('button', {
            type: 'button', class: 'score-line', 'aria-keyshortcuts': 'P', title: Words.table('standing'),
            on: {click: _showStanding}
        })]);
        Parts.fill(find('.score-line'), [table.round, table.rounds, points], () => [
            element('strong', {text: Words.table('round', {round: table.round, rounds: table.rounds})}),
            element('span', {text: Words.table('points', {points})})
        ]);
        _drawStock(find('.stock'), snapshot);
        const penalty = find('.penalty');
        penalty.hidden = table.penalty === 0;
        penalty.textContent = `+${table.penalty}`;
        penalty.setAttribute('aria-label', Words.table('penalty', {count: table.penalty}));
        _drawPile(find('.pile'), table.pile);
        const wish = find('.wish-mark');
        wish.hidden = table.wish === '';
        if (table.wish !== '') {
            wish.setAttribute('aria-label', Words.table('wished', {suit: Deck.suitName(table.wish)}));
            Parts.fill(wish, table.wish, () => [Deck.drawSuit(table.wish)]);
        }
        _drawFinish(find('.finish'), snapshot.choices.legal.includes('finish'));
        _drawChoices(find('.suit-choices'), snapshot);
        find('.piles').classList.toggle('is-wishing', !find('.suit-choices').hidden);
    }

    /**
     * @param {HTMLElement} stock - The stock.
     * @param {Snapshot} snapshot - The state.
     */
    function _drawStock(stock, {public_state: table, choices}) {
        const {stock: count} = table;
        const mayDraw = choices.legal.some(move => move.startsWith('take'));
        stock.setAttribute('aria-label', Words.table('stock', {count}));
        // One who taps it all the same is told why not.
        stock.setAttribute('aria-disabled', String(!mayDraw));
        stock.classList.toggle('is-lit', mayDraw);
        stock.classList.toggle('offer', mayDraw);
        stock.style.setProperty('--depth', String(Math.min(6, Math.ceil(count / 4))));
        Parts.fill(stock, count, () => [
            count > 0 ? Deck.draw(null) : element('span', {class: 'empty'}),
            element('span', {class: 'count', text: String(count)})
        ]);
    }

    /**
     * @param {HTMLElement} finish - The button that lays all Jacks at once.
     * @param {boolean} isLegal - Whether it can be used.
     */
    function _drawFinish(finish, isLegal) {
        finish.hidden = !isLegal;
        finish.classList.toggle('offer', isLegal);
        Parts.fill(finish, 'finish', () => [element('span', {text: Moves.words('finish', Deck.write)})]);
    }

    /**
     * @param {HTMLElement} pile - The pile.
     * @param {string[]} cards - Its cards, the top last.
     */
    function _drawPile(pile, cards) {
        const first = Math.max(0, cards.length - 1 - _BELOW);
        const seen = cards.slice(first);
        pile.setAttribute('aria-label', Words.table('pile', {card: Deck.name(cards[cards.length - 1])}));
        Parts.fill(pile, [first, seen], () => seen.map((card, index) => {
            const laid = element('span', {class: 'laid-card', dataset: {card}}, Deck.draw(card));
            laid.style.setProperty('--turn-by', `${_TURNS[(first + index) % _TURNS.length]}deg`);
            return laid;
        }));
    }

    /**
     * Draw the suits to wish for, as long as the server asks.
     *
     * @param {HTMLElement} choices - Their place.
     * @param {Snapshot} snapshot - The state.
     */
    function _drawChoices(choices, snapshot) {
        const suits = Object.keys(Setup.look(snapshot.public_state.game).suits);
        const isAsked = snapshot.choices.legal.some(move => move.startsWith('wish'));
        choices.hidden = !isAsked;
        choices.setAttribute('aria-label', Words.table('wish'));
        Parts.fill(choices, isAsked, () => !isAsked ? [] : suits.map((suit, index) => element('button', {
            type: 'button', class: 'suit-choice offer', 'aria-keyshortcuts': String(index + 1), dataset: {suit},
            on: {click: () => _table.act(`wish ${suit}`)}
        }, Deck.drawSuit(suit), element('span', {text: Deck.suitName(suit)}))));
    }

    /**
     * @param {Snapshot} snapshot - The state.
     * @returns {string} What is to be done.
     */
    function status({choices, public_state: table}) {
        const verbs = new Set(choices.legal.map(move => move.split(' ')[0]));
        return Words.table(verbs.has('wish') ? 'status.wish' : verbs.has('take') ? 'status.draw'
            : table.penalty > 0 ? 'status.seven' : 'status.lay');
    }

    /**
     * @param {Snapshot} snapshot - The state.
     * @param {number} seat - A seat.
     * @returns {FrameSeat} What its plate shows.
     */
    function describe({public_state: table}, seat) {
        const count = table.counts[seat];
        const points = Words.table('points', {points: table.scores[seat]});
        const words = table.rounds > 1 ? [Seats.word('points', points)] : [];
        if (count === 1) {
            words.push(Seats.word('last', Words.table('mau')));
        }
        return {count, words, told: points};
    }

    /**
     * @param {string} event - An event.
     * @param {any} context - Its context.
     * @param {Snapshot} snapshot - The state before it.
     * @returns {string} Its sound.
     */
    function sound(event, context, {me, public_state: table}) {
        const count = table.player_names.length;
        /** @type {{[name: string]: string}} */
        const sounds = {
            deal: 'shuffle', stack: 'shuffle', draw: 'take', skip: 'select', wish: 'announce', result: 'score'
        };
        return event === 'play' ? `play${(context.seat - Math.max(me, 0) + count) % count % 4}` : sounds[event] ?? '';
    }

    /**
     * @param {string} event - An event.
     * @param {any} context - Its context.
     * @returns {Feelings} Who is glad about it and who is not.
     */
    function mood(event, {seat, count, winner}) {
        if (event === 'result') {
            return {glad: [winner]};
        }
        const hurts = event === 'skip' || event === 'draw' && count > 1;
        return hurts ? {sad: [seat]} : event === 'wish' ? {glad: [seat]} : {};
    }

    /**
     * @param {string} event - An event.
     * @param {any} context - Its context.
     * @returns {{seat: number, text: string} | null} What a seat says.
     */
    function bubble(event, context) {
        /** @type {{[name: string]: () => string}} */
        const said = {
            skip: () => Words.table('skipped'),
            wish: () => Words.table('wishes', {suit: Deck.suitName(context.colour)}),
            draw: () => context.count > 1 ? Words.table('draws', {count: context.count}) : ''
        };
        const text = said[event]?.() ?? '';
        return text === '' ? null : {seat: context.seat, text};
    }

    /**
     * @param {string} event - An event.
     * @param {any} context - Its context.
     * @param {FrameMotion} motion - How things move.
     */
    function animate(event, context, {root, all, glide, seat: find}) {
        if (event === 'play') {
            const card = all('.pile .laid-card').find(one => one.dataset.card === context.card);
            if (card !== undefined) {
                const isOwn = State.snapshot?.me === context.seat;
                glide(card, isOwn ? `card:${context.card}` : `seat:${context.seat}`, 0, isOwn ? 1 : 0.4);
            }
        }
        else if (event === 'draw') {
            const cards = new Set(context.cards ?? []);
            all('.hand-card').filter(card => cards.has(card.dataset.card)).forEach((card, index) => {
                glide(card, 'pile:stock', index * 60, 0.9);
            });
            const backs = find(context.seat)?.querySelector('.backs');
            if (backs !== null && backs !== undefined) {
                glide(/** @type {HTMLElement} */ (backs), 'pile:stock', 0, 0.9);
            }
        }
        else if (event === 'deal') {
            all('.hand-card').forEach((card, index) => glide(card, 'pile:stock', index * 40, 0.6));
        }
        else if (event === 'wish') {
            Flights.pop(root.querySelector('.wish-mark'));
        }
        else if (event === 'player' && context.penalty > 0) {
            Flights.pop(root.querySelector('.penalty'));
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
            if (event === 'result') {
                _result = context;
                if (snapshot.public_state.is_running) {
                    _showRound(snapshot, context);
                }
            }
            else if (event === 'game_over') {
                _showEnd(snapshot, context);
            }
            else if (event === 'game_started') {
                Result.closeRound();
            }
        }
    }

    /**
     * List the seats after a round: the hands that were left and their points, the fewest first.
     *
     * @param {Snapshot} snapshot - The state.
     * @param {any} result - The round's result; null if it was not seen.
     * @param {number[]} totals - The points of all rounds.
     * @returns {HTMLElement} The list.
     */
    function _standings({public_state: table}, result, totals) {
        const counted = result?.points ?? totals;
        const seats = table.player_names.map((_, seat) => seat).sort((one, other) => counted[one] - counted[other]);
        return Result.standings(seats.map(seat => {
            const left = Deck.sorted(result?.hands[seat] ?? []);
            const total = Texts.get('table.total', {points: totals[seat]});
            const isBest = result === null ? totals[seat] === Math.min(...totals) : seat === result.winner;
            return {
                name: table.player_names[seat], isBest, points: Words.table('points', {points: counted[seat]}),
                cards: left.map(Deck.draw), told: Deck.names(left),
                note: [
                    result !== null && left.length === 0 ? Words.table('gone') : '',
                    result !== null && table.rounds > 1 ? total : ''
                ].filter(text => text !== '').join(' · ')
            };
        }));
    }

    /**
     * @param {Snapshot} snapshot - The state.
     * @param {any} result - The round's result.
     * @returns {{title: string, why: string}} Who won the round, and why.
     */
    function _told({me, public_state: table}, {winner}) {
        const name = table.player_names[winner];
        return winner === me
            ? {title: Words.table('you won'), why: Words.table('you why')}
            : {title: Words.table('won', {name}), why: Words.table('why', {name})};
    }

    /**
     * Show the result of a round that is not the last.
     *
     * @param {Snapshot} snapshot - The state.
     * @param {any} result - The result.
     */
    function _showRound(snapshot, result) {
        const {title, why} = _told(snapshot, result);
        void Result.round(snapshot, title,
            [element('p', {text: why}), _standings(snapshot, result, result.scores)]);
    }

    /**
     * Show the end of the game.
     *
     * @param {Snapshot} snapshot - The state.
     * @param {{points: number[], payoff: number[], reason?: string, game_id: string}} outcome - The end.
     */
    function _showEnd(snapshot, {points, payoff, reason, game_id: gameId}) {
        Result.closeRound();
        const write = (/** @type {string} */ name, /** @type {string} */ value) => _speech.word(name, value, snapshot);
        const why = Words.sentence('outcomes', reason ?? '', write, snapshot.me);
        const last = _result === null ? [] : [element('p', {text: _told(snapshot, _result).title})];
        const tell = (/** @type {GameEvent[]} */ events) => MauMauStory.tell(snapshot, points, events);
        void Result.show(snapshot, {id: gameId, tell}, Texts.get(`table.${Result.verdict(payoff, snapshot.me)}`),
            element('p', {text: why}), ...last, _standings(snapshot, _result, points),
            element('small', {text: Words.table('fewer')}));
    }

    /** Show the points so far. */
    function _showStanding() {
        const {snapshot} = State;
        if (snapshot === null) {
            return;
        }
        void Panels.show('standing', {
            title: Words.table('standing'),
            content: [
                _standings(snapshot, null, snapshot.public_state.scores), element('p', {text: Words.table('fewer')})
            ],
            actions: [{value: '', text: Texts.get('close'), kind: 'main'}]
        });
    }

    const _table = Frame.make({
        name: 'maumau', speech: _speech, middle, draw, seat: describe, status, mood, sound, bubble, animate,
        follow,
        actions: () => [],
        sounds: ['announce', 'play0', 'play1', 'play2', 'play3', 'score', 'select', 'shuffle', 'take'],
        hand: {order: Deck.sorted, move: label => `play ${label}`},
        keys: {},
        about: {
            play: '.hand', wish: '.suit-choices', seven: '.stock', take: '.stock', wished: '.pile',
            skip: '.pile', points: '.score'
        },
        toolKeys: {hint: 'H', undo: 'U', chat: 'C'},
        begin() {
            _result = null;
        }
    });

    return _table;
})();

Games.register('maumau', MauMauTable);
