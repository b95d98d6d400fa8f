/**
 * Frame: makes the table of a game in turns on the scaled stage: header, seats, own hand, buttons, clock, keys, hints
 * and panels. A game adds what lies in the middle, what its events look like, and its words.
 */

/**
 * What the plate of a seat shows of the game.
 *
 * @typedef {object} FrameSeat
 * @property {number} count - How many cards it holds.
 * @property {HTMLElement[]} words - Small words below the name; see `Seats.word`.
 * @property {string} told - The same for screen readers.
 */

/**
 * A button of the game.
 *
 * @typedef {object} FrameAction
 * @property {string} move - The move that it makes.
 * @property {string} text - Its text.
 * @property {string} [key] - Its key.
 */

/**
 * Where things lay before, and how they get to where they are.
 *
 * @typedef {object} FrameMotion
 * @property {HTMLElement} root - The table.
 * @property {(selector: string) => HTMLElement[]} all - Parts of the table as it is now.
 * @property {(element: HTMLElement, from: string, delay?: number, size?: number) => void} glide - Lets an element come
 *     from where `from` was: `card:` and a label, `pile:` and a name, or `seat:` and a number.
 * @property {(cards: string[], seat: number) => void} away - Lets cards of the middle fly to a seat.
 * @property {(seat: number) => HTMLElement | null} seat - The element of a seat.
 */

/**
 * What a game adds to the frame. `draw` draws the middle and the header; `hand` gives the labels of the own hand in the
 * order in which they are held; `move` turns a card into a move's text.
 *
 * @typedef {object} FrameGame
 * @property {string} name - The game's name.
 * @property {Speech} speech
 * @property {string[]} sounds - The sounds to load.
 * @property {() => HTMLElement[]} middle - Makes the elements of the middle, once.
 * @property {() => HTMLElement[]} [tools] - Makes tools of its own, once.
 * @property {(root: HTMLElement, snapshot: Snapshot, options: RenderOptions) => void} draw
 * @property {(snapshot: Snapshot, seat: number) => FrameSeat} seat
 * @property {(hand: string[]) => string[]} hand
 * @property {(label: string) => string} move
 * @property {(snapshot: Snapshot) => FrameAction[]} actions
 * @property {(snapshot: Snapshot) => string} status - What is to be done in the own turn; empty for the usual line.
 * @property {(event: string, context: any, snapshot: Snapshot) => string} sound - An event's sound; empty for silence.
 * @property {(event: string, context: any, snapshot: Snapshot) => {seat: number, text: string} | null} bubble - What a
 *     seat says.
 * @property {(event: string, context: any) => void} [note] - Notes what an event changes, before it is drawn.
 * @property {(event: string, context: any, motion: FrameMotion) => void} animate
 * @property {(news: {event: string, context: any}[], snapshot: Snapshot) => void} follow - Opens and closes panels.
 * @property {{[key: string]: (root: HTMLElement) => void}} keys - What keys do, beside those of buttons.
 * @property {{[tool: string]: string}} toolKeys - The keys of tools.
 * @property {() => void} [begin] - A table is entered.
 */

const Frame = (() => {
    const {element} = Lib;

    /** Where the other seats are, by how many there are, counter-clockwise. */
    const _PLACES = [
        [], ['top'], ['right', 'left'], ['right', 'top', 'left'], ['right', 'top-right', 'top-left', 'left']
    ];
    /** What cannot be used now. */
    const _IDLE = ':disabled, [aria-disabled="true"], .is-dim';

    /**
     * Make a table.
     *
     * @param {FrameGame} game - What the game adds.
     * @returns {GameTable & {redraw: () => void, act: (move: string) => void, happen: (event: string, context: any,
     *     change: () => void) => void}} The table; `redraw` draws it again after a change of the game's own, `happen`
     *     animates one, `act` makes a move.
     */
    function make(game) {
        const name = `${game.name}-table`;
        const life = Life.make({
            game: game.name, speech: game.speech, sounds: game.sounds, status: game.status,
            create, render, notify, hint, press, tick,
            begin() {
                bubbles = [];
                isBusy = false;
                game.begin?.();
            },
            calls: {'app:error': refuse, 'viewManager:fitted': draw}
        });
        const {part} = life;
        /** @type {FanHand} */
        let hand;
        /** @type {{seat: number, text: string, until: number}[]} */
        let bubbles = [];
        let isBusy = false;
        let hinted = '';

        /** @returns {HTMLElement} The view's element. */
        function create() {
            hand = Fan.create(Texts.get('table.hand'), {tap, submit: tap, toggle: tap});
            const tools = game.tools?.() ?? [];
            return element('section', {class: `table-view ${name}`, 'aria-label': Texts.get('table.felt')},
                element('header', {class: 'table-header'},
                    tool('leave', 'lobby.leave', () => EventBus.emit('tableView:leave')),
                    element('div', {class: 'score'}),
                    element('div', {class: 'tools'},
                        tool('rules', 'rules.title', Rules.open, true), tool('chat', 'chat', Chat.open),
                        tool('settings', 'settings', SettingsDialog.open))),
                element('div', {class: 'top-seats'}),
                element('div', {class: 'middle'}, ...game.middle()),
                element('div', {class: 'own-row'},
                    element('div', {class: 'table-seat', dataset: {place: 'bottom'}}),
                    element('p', {class: 'status'}, element('span', {class: 'status-text'})),
                    element('div', {class: 'own-tools'},
                        tool('undo', 'table.undo', () => EventBus.emit('tableView:undo')), ...tools,
                        tool('hint', 'table.hint', () => EventBus.emit('tableView:hint')))),
                hand.element,
                element('div', {class: 'table-actions', role: 'group', 'aria-label': Texts.get('table.actions')}),
                element('div', {class: 'flights', 'aria-hidden': 'true'}));
        }

        /**
         * Draw the state, and show how what has happened led to it.
         *
         * @param {{event: string, context: any}[]} latest - What happened.
         * @param {boolean} isFirst - Was nothing drawn before?
         */
        function render(latest, isFirst) {
            const before = isFirst ? null : capture(latest);
            const focused = document.activeElement;
            const wasUseful = life.root.contains(focused) && focused?.matches(_IDLE) === false;
            latest.forEach(({event, context}) => game.note?.(event, context));
            isBusy = false;
            hinted = '';
            draw();
            if (wasUseful) {
                refocus();
            }
            if (before !== null) {
                latest.forEach(({event, context}) => game.animate(event, context, motion(before)));
            }
            if (life.shown !== null && !life.options.isReplay) {
                game.follow(latest, life.shown);
            }
        }

        /**
         * Something happened at the table that is no event of the game.
         *
         * @param {string} event - What.
         * @param {any} context - More about it.
         * @param {() => void} change - Changes what the game draws.
         */
        function happen(event, context, change) {
            const before = life.shown === null ? null : capture([{event, context}]);
            change();
            draw();
            if (before !== null) {
                game.animate(event, context, motion(before));
            }
        }

        /**
         * Something happened: sound and bubbles now, motion with the next render.
         *
         * @param {string} event - What.
         * @param {any} context - The event's context.
         * @param {Snapshot} snapshot - The table before it.
         */
        function notify(event, context, snapshot) {
            const sound = game.sound(event, context, snapshot);
            if (sound !== '') {
                SoundManager.play(sound);
            }
            const said = event === 'chat'
                ? {seat: context.player_index, text: Texts.get(`chat.${context.phrase}`)}
                : game.bubble(event, context, snapshot);
            if (said !== null) {
                bubbles.push({...said, until: performance.now() + 4000});
            }
        }

        /** Put the focus on something that can be done, if what had it is gone or cannot be used any more. */
        function refocus() {
            const focused = document.activeElement;
            if (!life.root.contains(focused) || focused?.matches(_IDLE)) {
                /** @type {HTMLElement | null} */
                const offer = life.root.querySelector('.offer, .hand-card.is-lit, .table-actions :enabled');
                if (offer === null) {
                    hand.focus();
                }
                else {
                    offer.focus();
                }
            }
        }

        // --- drawing ----------------------------------------------------------------------------------------------

        /** Draw the last snapshot. */
        function draw() {
            const {shown, root, options, isOurs} = life;
            if (shown === null) {
                return;
            }
            root.classList.toggle('is-watching', shown.me < 0);
            root.classList.toggle('is-replay', options.isReplay === true);
            drawSeats(shown);
            game.draw(root, shown, options);
            drawHand(shown, isOurs);
            drawActions(shown);
            part('[data-tool="undo"]').hidden = !shown.mayUndo;
            part('[data-tool="hint"]').toggleAttribute('disabled', !isOurs || isBusy);
            life.tick();
        }

        /**
         * Draw the seats round the table, each only if it has changed.
         *
         * @param {Snapshot} snapshot - The table.
         */
        function drawSeats(snapshot) {
            const {root} = life;
            const {player_names: names} = snapshot.public_state;
            const bottom = Math.max(snapshot.me, 0);
            const places = ['bottom', ..._PLACES[names.length - 1]];
            if (root.dataset.seats !== `${names.length} ${bottom}`) {
                root.dataset.seats = `${names.length} ${bottom}`;
                root.querySelectorAll('.table-seat:not([data-place="bottom"])').forEach(seat => seat.remove());
                places.slice(1).forEach(place => {
                    const made = element('div', {class: 'table-seat', dataset: {place}});
                    if (place.startsWith('top')) {
                        part('.top-seats').prepend(made);
                    }
                    else {
                        part('.middle').before(made);
                    }
                });
            }
            places.forEach((place, offset) => {
                drawSeat(snapshot, (bottom + offset) % names.length, part(`.table-seat[data-place="${place}"]`));
            });
        }

        /**
         * @param {Snapshot} snapshot - The table.
         * @param {number} seat - A seat.
         * @param {HTMLElement} into - Its element.
         */
        function drawSeat(snapshot, seat, into) {
            const table = snapshot.public_state;
            const presence = table.presences[seat];
            const {count, words, told} = game.seat(snapshot, seat);
            const isAi = table.player_kinds[seat] === 'ai';
            into.dataset.seat = String(seat);
            into.dataset.team = seat === Math.max(snapshot.me, 0) ? 'own' : 'other';
            into.dataset.presence = presence;
            into.classList.toggle('is-awaited', table.awaiting.includes(seat));
            if (presence === 'cut') {
                words.unshift(Seats.held(table.held_for[seat] ?? 0));
            }
            else if (presence === 'away') {
                words.unshift(Seats.word('away', Texts.get('lobby.away'), 'away'));
            }
            const open = seat === snapshot.me ? undefined : life.options.hands?.[seat]?.hand;
            const description = [
                table.player_names[seat], isAi ? Texts.get('lobby.ai') : '',
                presence === 'here' ? '' : Texts.get(`lobby.${presence}`),
                Texts.get('table.cards', {count}), told
            ].filter(text => text !== '').join(', ');
            const bubble = into.querySelector('.bubble');
            if (Parts.isNew(into, [description, count, open, words.map(word => word.textContent)])) {
                const held = open === undefined
                    ? Seats.backs(count, () => Deck.draw(null)) : Seats.openHand(Deck.names(open), open.map(Deck.draw));
                const plate = Seats.plate({name: table.player_names[seat], isAi, description, sign: null, words});
                const parts = [seat === snapshot.me ? null : held, plate, bubble].filter(each => each !== null);
                into.replaceChildren(...parts);
            }
        }

        /**
         * Draw the own hand: in one's turn, what may be laid is lit.
         *
         * @param {Snapshot} snapshot - The table.
         * @param {boolean} isOurs - Is it our turn?
         */
        function drawHand(snapshot, isOurs) {
            const {legal} = snapshot.choices;
            const cards = game.hand(snapshot.private_state.hand ?? []).map(label => {
                const isLit = isOurs && legal.includes(game.move(label));
                const isDim = isOurs && !isLit;
                const card = Deck.name(label);
                return {
                    label, name: isDim ? Texts.get('table.dim', {card}) : card, isLit, isDim,
                    isSelected: label === hinted, mark: '', draw: () => Deck.draw(label)
                };
            });
            hand.draw(cards, '');
            for (const card of hand.element.querySelectorAll('.hand-card')) {
                // In a replay nothing can be decided.
                card.toggleAttribute('disabled', life.options.isReplay === true);
            }
        }

        /**
         * Draw the game's buttons; those that stay keep their elements, and so the focus.
         *
         * @param {Snapshot} snapshot - The table.
         */
        function drawActions(snapshot) {
            const wanted = game.actions(snapshot);
            const actions = part('.table-actions');
            Parts.fill(actions, wanted.map(({move}) => move.split(' ')[0]), () => wanted.map(actionButton));
            wanted.forEach(({move, text}, index) => {
                const button = /** @type {HTMLButtonElement} */ (actions.children[index]);
                button.dataset.move = move;
                button.classList.toggle('main', move === snapshot.choices.primary);
                button.disabled = isBusy || life.options.isReplay === true || !snapshot.choices.legal.includes(move);
                /** @type {HTMLElement} */ (button.querySelector('.table-button-text')).textContent = text;
            });
        }

        /**
         * @param {FrameAction} action - An action.
         * @returns {HTMLButtonElement} Its button.
         */
        function actionButton({key}) {
            const button = element('button', {
                class: 'table-button', type: 'button', 'aria-keyshortcuts': key ?? null
            }, element('span', {class: 'hold', 'aria-hidden': 'true'}), element('span', {class: 'table-button-text'}));
            const move = () => button.dataset.move ?? '';
            Guard.attach(button, () => Guard.cost(move(), life.shown), () => act(move()));
            return button;
        }

        /**
         * @param {string} icon - The tool's name and icon.
         * @param {string} text - The key of its text.
         * @param {() => void} does - What it does.
         * @param {boolean} [isForAll] - Do spectators and replays need it?
         * @returns {HTMLButtonElement} A round button.
         */
        function tool(icon, text, does, isForAll = false) {
            return Panels.tool(icon, Texts.get(text), does, isForAll, game.toolKeys[icon] ?? '');
        }

        /** Let bubbles fade. */
        function tick() {
            bubbles = bubbles.filter(bubble => bubble.until > performance.now());
            for (const seat of /** @type {NodeListOf<HTMLElement>} */ (life.root.querySelectorAll('.table-seat'))) {
                const said = bubbles.filter(bubble => bubble.seat === Number(seat.dataset.seat)).at(-1);
                Seats.bubble(seat, said?.text ?? '');
            }
        }

        // --- motion -----------------------------------------------------------------------------------------------

        /**
         * Note where everything lies.
         *
         * @param {{event: string, context: any}[]} latest - The events that will be animated.
         * @returns {{places: Map<string, DOMRect>, copies: Map<string, {copy: HTMLElement, rect: DOMRect}>} | null} The
         *     places; null if nothing will move.
         */
        function capture(latest) {
            Flights.skip();
            if (latest.length === 0 || !Flights.isOn() || document.hidden) {
                return null;
            }
            const places = new Map();
            const copies = new Map();
            for (const each of /** @type {NodeListOf<HTMLElement>} */ (
                life.root.querySelectorAll('[data-card], [data-pile], .table-seat')
            )) {
                const {card, pile, seat} = each.dataset;
                const rect = each.getBoundingClientRect();
                const own = card !== undefined ? `card:${card}` : pile !== undefined ? `pile:${pile}` : `seat:${seat}`;
                places.set(own, rect);
                if (card !== undefined && each.classList.contains('laid-card')) {
                    copies.set(card, {copy: /** @type {HTMLElement} */ (each.cloneNode(true)), rect});
                }
            }
            return {places, copies};
        }

        /**
         * @param {NonNullable<ReturnType<typeof capture>>} before - Where everything lay.
         * @returns {FrameMotion} How things get to where they are.
         */
        function motion({places, copies}) {
            const {root} = life;
            const find = (/** @type {number} */ seat) => (
                /** @type {HTMLElement | null} */ (root.querySelector(`.table-seat[data-seat="${seat}"]`))
            );
            return {
                root,
                all: selector => /** @type {HTMLElement[]} */ ([...root.querySelectorAll(selector)]),
                glide: (each, from, delay, size) => Flights.glide(each, places.get(from), delay, size),
                away(cards, seat) {
                    const flying = cards.map(card => copies.get(card)).filter(copy => copy !== undefined);
                    Flights.flyAway(root, flying, () => find(seat)?.dataset.place ?? '');
                },
                seat: find
            };
        }

        // --- input ------------------------------------------------------------------------------------------------

        /**
         * Make a move.
         *
         * @param {string} move - The move.
         */
        function act(move) {
            if (!isBusy && !life.options.isReplay) {
                isBusy = true;
                EventBus.emit('tableView:move', {move});
            }
        }

        /**
         * A card of the hand was tapped: lay it; if it cannot be laid, the server says why.
         *
         * @param {string} label - The card.
         */
        function tap(label) {
            if (life.shown !== null && life.shown.me >= 0 && life.shown.public_state.is_running) {
                act(game.move(label));
            }
        }

        /** The server refused: the decision is open again, and the hand says no. */
        function refuse() {
            isBusy = false;
            const shake = [0, -12, 10, -6, 0].map(x => ({translate: `${x / 42}em 0`}));
            if (Flights.isOn()) {
                Flights.animate(hand.element, shake, {duration: 260, easing: 'linear'});
            }
            draw();
        }

        /**
         * Lift the card of the strongest agent's move.
         *
         * @param {string} move - The move.
         * @returns {Element[]} The card, if it is one.
         */
        function hint(move) {
            /** @type {string[]} */
            const held = life.shown?.private_state.hand ?? [];
            hinted = held.find(label => game.move(label) === move) ?? '';
            draw();
            return [...hand.element.querySelectorAll('.is-selected')];
        }

        /** @param {KeyboardEvent} event - A key. */
        function press(event) {
            const own = Object.entries(game.keys).map(([key, does]) => [key, () => does(life.root)]);
            const arrows = event.target === document.body ? ['arrowleft', 'arrowright', 'home', 'end'] : [];
            Keys.press(life.root, event, Object.fromEntries([...own, ...arrows.map(key => [key, hand.focus])]));
        }

        return {
            ...life.view, name, speech: game.speech, redraw: draw, happen, act,
            picture: word => Deck.has(word) ? Deck.draw(word) : null
        };
    }

    return {make};
})();
