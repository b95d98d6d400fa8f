/**
 * Frame: makes the table of a game in turns: header, seats, own hand, buttons, clock, keys, hints and panels. A game
 * adds what lies in the middle, what its events look like, and its words. Seats, hand and motion are in the files
 * beside.
 */

/**
 * What a game adds to the frame. `draw` draws the middle and the header.
 *
 * @typedef {object} FrameGame
 * @property {string} name - The game's name.
 * @property {Speech} speech
 * @property {string[]} sounds - The sounds to load.
 * @property {() => HTMLElement[]} middle - Makes the elements of the middle, once.
 * @property {() => HTMLElement[]} [around] - Makes elements round the middle, once.
 * @property {(event: string, context: any) => Feelings} [mood] - Who feels what about an event.
 * @property {{[tip: string]: string}} [about] - Which parts of it the tips of a first game are about, as selectors.
 * @property {() => HTMLElement[]} [tools] - Makes tools of its own, once.
 * @property {(snapshot: Snapshot, options: RenderOptions) => void} [compute] - Computes what all parts show, before any
 *     of them is drawn.
 * @property {(root: HTMLElement, snapshot: Snapshot, options: RenderOptions) => void} draw
 * @property {(snapshot: Snapshot, seat: number) => FrameSeat} seat
 * @property {() => Element} [back] - Draws the back of a card, if the game has cards of its own.
 * @property {FrameSingle | FrameChoice} hand - How the own cards are held and chosen.
 * @property {(snapshot: Snapshot) => FrameAction[]} actions
 * @property {(move: string) => void} [perform] - What a button does, if it is not the move of its name.
 * @property {(snapshot: Snapshot) => string} status - What is to be done in the own turn; empty for the usual line.
 * @property {(snapshot: Snapshot) => string} [line] - What is said instead, whoever's turn it is; empty for nothing.
 * @property {(event: string, context: any, snapshot: Snapshot) => string} sound - An event's sound; empty for silence.
 * @property {(event: string, context: any, snapshot: Snapshot) => {seat: number, text: string} | null} bubble - What a
 *     seat says.
 * @property {(before: Snapshot | null, snapshot: Snapshot) => void} [revise] - Drops what the user has begun and a new
 *     state does not allow any more, before it is drawn.
 * @property {(event: string, context: any) => void} [note] - Notes what an event changes, before it is drawn.
 * @property {(event: string, context: any, motion: FrameMotion) => void} animate
 * @property {(news: {event: string, context: any}[], snapshot: Snapshot) => void} follow - Opens and closes panels.
 * @property {{[key: string]: (root: HTMLElement) => void}} keys - What keys do, beside those of buttons.
 * @property {{[tool: string]: string}} toolKeys - The keys of tools.
 * @property {() => void} [begin] - A table is entered.
 */

/**
 * A table that a frame has made: the game, its life, and what is on the screen beside the server's last word.
 *
 * @typedef {object} FrameTable
 * @property {FrameGame} game
 * @property {ReturnType<typeof Life.make>} life
 * @property {FrameChoice} choice
 * @property {FanHand} hand
 * @property {Snapshot | null} before - What was drawn last.
 * @property {{seat: number, text: string, until: number}[]} bubbles - What seats have just said, and until when it
 *     shows.
 * @property {boolean} isBusy - Was a move sent that the server has not answered?
 */

/**
 * What a table does for its game.
 *
 * @typedef {object} FrameTools
 * @property {() => void} redraw - Draws it again, after a change of the game's own.
 * @property {(event: string, context: any, change: () => void) => void} happen - Animates such a change.
 * @property {(move: string) => void} act - Makes a move.
 * @property {(event: string, payload: any) => void} send - Sends a decision that is no move; nothing else is decided
 *     until the server has answered.
 * @property {(selector: string) => HTMLElement} part - A part of it, which must be there.
 * @property {Snapshot | null} shown - What is shown.
 * @typedef {GameTable & FrameTools} FrameMade
 */

const Frame = (() => {
    const {element} = Lib;

    /**
     * Make a table.
     *
     * @param {FrameGame} game - What the game adds.
     * @returns {FrameMade} The table.
     */
    function make(game) {
        const name = `${game.name}-table`;
        const redraw = () => _draw(table);
        const life = Life.make({
            game: game.name, speech: game.speech, sounds: game.sounds, status: game.status, line: game.line,
            about: game.about, mood: game.mood,
            create: () => _create(table, name),
            render: (latest, isFirst) => _render(table, latest, isFirst),
            notify: (event, context, snapshot) => _notify(table, event, context, snapshot),
            hint: move => _hint(table, move),
            press: event => _press(table, event),
            tick: () => FrameSeats.tick(table),
            begin() {
                Object.assign(table, {bubbles: [], isBusy: false, before: null});
                game.begin?.();
            },
            calls: {'app:error': () => _refuse(table), 'viewManager:fitted': redraw}
        });
        /** @type {FrameTable} */
        const table = {
            game, life, choice: /** @type {any} */ (null), hand: /** @type {any} */ (null), before: null, bubbles: [],
            isBusy: false
        };
        table.choice = 'order' in game.hand ? FrameHand.single(table, game.hand) : game.hand;
        return {
            ...life.view, name, speech: game.speech, redraw, part: life.part,
            happen: (event, context, change) => _happen(table, event, context, change),
            act: move => FrameHand.act(table, move),
            send: (event, payload) => FrameHand.send(table, event, payload),
            picture: word => Deck.has(word) ? Deck.draw(word) : null,
            get shown() {
                return life.shown;
            }
        };
    }

    /**
     * @param {FrameTable} table - The table.
     * @param {string} name - Its name.
     * @returns {HTMLElement} The view's element.
     */
    function _create(table, name) {
        const {game} = table;
        const tools = game.tools?.() ?? [];
        const tool = (/** @type {string} */ icon, /** @type {string} */ text, /** @type {() => void} */ does,
            isForAll = false) => Panels.tool(icon, Texts.get(text), does, isForAll, game.toolKeys[icon] ?? '');
        table.hand = FrameHand.create(table);
        return element('section', {class: `table-view ${name}`, 'aria-label': Texts.get('table.felt')},
            element('header', {class: 'table-header'},
                tool('leave', 'lobby.leave', () => EventBus.emit('tableView:leave')),
                element('div', {class: 'score'}),
                element('div', {class: 'tools'},
                    tool('rules', 'rules.title', Rules.open, true), tool('chat', 'chat', Chat.open),
                    tool('settings', 'settings', SettingsDialog.open))),
            element('div', {class: 'top-seats'}),
            element('div', {class: 'middle'}, ...game.middle()), ...game.around?.() ?? [],
            element('div', {class: 'own-row'},
                element('div', {class: 'table-seat', dataset: {place: 'bottom'}}),
                element('p', {class: 'status'}, element('span', {class: 'status-text'})),
                element('div', {class: 'own-tools'},
                    tool('undo', 'table.undo', () => EventBus.emit('tableView:undo')), ...tools,
                    ...tools.some(one => one.dataset.tool === 'sort') ? [] : [_sortAgain(table)],
                    tool('hint', 'table.hint', () => EventBus.emit('tableView:hint')))),
            table.hand.element,
            element('div', {class: 'table-actions', role: 'group', 'aria-label': Texts.get('table.actions')}),
            element('div', {class: 'flights', 'aria-hidden': 'true'}));
    }

    /**
     * @param {FrameTable} table - The table.
     * @returns {HTMLElement} The tool that holds the hand again as the table sorts it; it is there while it is not.
     */
    function _sortAgain(table) {
        const made = Panels.tool('sort', Texts.get('table.sort'), () => {
            Order.keep(table.game.name, []);
            _draw(table);
        });
        made.dataset.tool = 'sort-again';
        made.hidden = true;
        return made;
    }

    /**
     * Draw the last snapshot.
     *
     * @param {FrameTable} table - The table.
     */
    function _draw(table) {
        const {game, life: {shown, root, options, isOurs, part, tick}} = table;
        if (shown === null) {
            return;
        }
        root.classList.toggle('is-watching', shown.me < 0);
        root.classList.toggle('is-replay', options.isReplay === true);
        game.compute?.(shown, options);
        FrameSeats.draw(table, shown);
        game.draw(root, shown, options);
        FrameHand.draw(table, shown);
        FrameHand.drawActions(table, shown);
        part('[data-tool="undo"]').hidden = !shown.mayUndo;
        part('[data-tool="hint"]').toggleAttribute('disabled', !isOurs || table.isBusy);
        tick();
    }

    /**
     * Draw the state, and show how what has happened led to it.
     *
     * @param {FrameTable} table - The table.
     * @param {{event: string, context: any}[]} latest - What happened.
     * @param {boolean} isFirst - Was nothing drawn before?
     */
    function _render(table, latest, isFirst) {
        const {game, life} = table;
        const before = isFirst ? null : FrameFlights.capture(table, latest);
        const wasUseful = FrameHand.isFocusUseful(table);
        latest.forEach(({event, context}) => game.note?.(event, context));
        const shown = /** @type {Snapshot} */ (life.shown);
        Object.assign(table, {isBusy: false});
        table.choice.revise?.();
        game.revise?.(table.before, shown);
        table.before = shown;
        _draw(table);
        if (wasUseful) {
            FrameHand.refocus(table);
        }
        FrameFlights.play(table, latest, before);
        if (!life.options.isReplay) {
            game.follow(latest, shown);
        }
    }

    /**
     * Something happened at the table that is no event of the game.
     *
     * @param {FrameTable} table - The table.
     * @param {string} event - What.
     * @param {any} context - More about it.
     * @param {() => void} change - Changes what the game draws.
     */
    function _happen(table, event, context, change) {
        const latest = [{event, context}];
        const before = table.life.shown === null ? null : FrameFlights.capture(table, latest);
        change();
        _draw(table);
        FrameFlights.play(table, latest, before);
    }

    /**
     * Something happened: sound and bubbles now, motion with the next render.
     *
     * @param {FrameTable} table - The table.
     * @param {string} event - What.
     * @param {any} context - The event's context.
     * @param {Snapshot} snapshot - The table before it.
     */
    function _notify(table, event, context, snapshot) {
        const sound = table.game.sound(event, context, snapshot);
        if (sound !== '') {
            SoundManager.play(sound);
        }
        const said = event === 'chat'
            ? {seat: context.player_index, text: Texts.get(`chat.${context.phrase}`)}
            : table.game.bubble(event, context, snapshot);
        if (said !== null) {
            FrameSeats.say(table, said.seat, said.text);
        }
    }

    /**
     * The server refused: the decision is open again, and the hand says no.
     *
     * @param {FrameTable} table - The table.
     */
    function _refuse(table) {
        table.isBusy = false;
        FrameHand.shake(table);
        _draw(table);
    }

    /**
     * Lift the cards of the strongest agent's move.
     *
     * @param {FrameTable} table - The table.
     * @param {string} move - The move.
     * @returns {Element[]} The cards, if it is made with any.
     */
    function _hint(table, move) {
        if (!table.choice.hint(move)) {
            return [];
        }
        _draw(table);
        return [...table.hand.element.querySelectorAll('.is-selected')];
    }

    /**
     * @param {FrameTable} table - The table.
     * @param {KeyboardEvent} event - A key.
     */
    function _press({game, life: {root}, hand}, event) {
        const own = Object.entries(game.keys).map(([key, does]) => [key, () => does(root)]);
        const arrows = event.target === document.body ? ['arrowleft', 'arrowright', 'home', 'end'] : [];
        Keys.press(root, event, Object.fromEntries([...own, ...arrows.map(key => [key, hand.focus])]));
    }

    return {make};
})();
