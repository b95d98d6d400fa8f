/**
 * FrameHand: the own cards and buttons at the table of a game in turns, and the moves that they make.
 */

/**
 * A button of the game.
 *
 * @typedef {object} FrameAction
 * @property {string} move - The move that it makes.
 * @property {string} text - Its text.
 * @property {string} [key] - Its key.
 * @property {string} [place] - Which of the buttons it is, if its move changes.
 * @property {boolean} [isOpen] - Can it be pressed? Otherwise that is said by whether its move is legal.
 * @property {boolean} [isMain] - Is it the main one? Otherwise the server says so.
 */

/**
 * A hand of which a tap plays one card: the order in which its labels are held, and the move of a label.
 *
 * @typedef {{order: (hand: string[]) => string[], move: (label: string) => string}} FrameSingle
 */

/**
 * A hand of which cards are chosen before they are used.
 *
 * @typedef {object} FrameChoice
 * @property {(snapshot: Snapshot, isOurs: boolean) => FanCard[]} cards - The cards.
 * @property {(snapshot: Snapshot) => string} note - The text where there are none.
 * @property {Omit<FanCallbacks, 'put' | 'mayPut'>} calls - What the user does with them.
 * @property {() => boolean} [mayPut] - May cards be carried to other places of the hand now?
 * @property {(move: string) => boolean} hint - Chooses the cards of a move, if it is made with any.
 * @property {() => void} [revise] - The state has changed.
 * @property {(hand: HTMLElement) => void} [prepare] - The element of the hand was made.
 */

const FrameHand = (() => {
    /** What cannot be used now. */
    const _IDLE = ':disabled, [aria-disabled="true"], .is-dim';

    /**
     * Make the hand.
     *
     * @param {FrameTable} table - The table.
     * @returns {FanHand} The hand.
     */
    function create(table) {
        const {choice, game: {name}, life} = table;
        const hand = Fan.create(Texts.get('table.hand'), {
            ...choice.calls,
            mayPut: () => (life.shown?.me ?? -1) >= 0 && !life.options.isReplay && (choice.mayPut?.() ?? true),
            put(card, place) {
                const held = [...hand.element.querySelectorAll('.hand-card')].map(one => (
                    /** @type {HTMLElement} */ (one).dataset.card ?? ''));
                Order.put(name, held, card, place);
                if (life.shown !== null) {
                    draw(table, life.shown);
                }
            }
        });
        choice.prepare?.(hand.element);
        return hand;
    }

    /**
     * Hold a hand of which a tap plays one card: in one's turn, what may be laid is lit.
     *
     * @param {FrameTable} table - The table.
     * @param {FrameSingle} held - How it is held.
     * @returns {FrameChoice} How its cards are chosen.
     */
    function single(table, {order, move}) {
        const choose = (/** @type {string} */ label) => _tap(table, move(label));
        /** The card that a hint has lifted; empty without one. */
        let hinted = '';
        return {
            calls: {tap: choose, submit: choose, toggle: choose},
            note: () => '',
            cards: ({choices: {legal}, private_state: own}, isOurs) => order(own.hand ?? []).map(label => {
                const isLit = isOurs && legal.includes(move(label));
                const isDim = isOurs && !isLit;
                const card = Deck.name(label);
                return {
                    label, name: isDim ? Texts.get('table.dim', {card}) : card, isLit, isDim,
                    isSelected: label === hinted, mark: '', draw: () => Deck.draw(label)
                };
            }),
            hint(wanted) {
                /** @type {string[]} */
                const hand = table.life.shown?.private_state.hand ?? [];
                hinted = hand.find(label => move(label) === wanted) ?? '';
                return hinted !== '';
            },
            revise() {
                hinted = '';
            }
        };
    }

    /**
     * Draw the own hand.
     *
     * @param {FrameTable} table - The table.
     * @param {Snapshot} snapshot - What is shown.
     */
    function draw({game: {name}, life, hand, choice}, snapshot) {
        const sorted = choice.cards(snapshot, life.isOurs);
        const held = snapshot.me < 0 || life.options.isReplay ? null : Order.of(name, sorted.map(({label}) => label));
        const cards = held === null ? sorted
            : held.map(card => /** @type {FanCard} */ (sorted.find(({label}) => label === card)));
        hand.draw(cards, choice.note(snapshot));
        const again = life.root.querySelector('[data-tool="sort-again"]');
        again?.toggleAttribute('hidden', held === null || !Order.isOwn(name));
        for (const card of hand.element.querySelectorAll('.hand-card')) {
            // In a replay nothing can be decided.
            card.toggleAttribute('disabled', life.options.isReplay === true);
        }
    }

    /**
     * Draw the game's buttons; those that stay keep their elements, and so the focus.
     *
     * @param {FrameTable} table - The table.
     * @param {Snapshot} snapshot - What is shown.
     */
    function drawActions(table, snapshot) {
        const {game, life, isBusy} = table;
        const wanted = game.actions(snapshot);
        const actions = life.part('.table-actions');
        const kinds = wanted.map(({move, place}) => place ?? move.split(' ')[0]);
        Parts.fill(actions, kinds, () => wanted.map(action => _button(table, action)));
        wanted.forEach(({move, text, isOpen, isMain}, index) => {
            const button = /** @type {HTMLButtonElement} */ (actions.children[index]);
            button.dataset.move = move;
            button.classList.toggle('main', isMain ?? move === snapshot.choices.primary);
            button.disabled = isBusy || life.options.isReplay === true
                || !(isOpen ?? snapshot.choices.legal.includes(move));
            /** @type {HTMLElement} */ (button.querySelector('.table-button-text')).textContent = text;
        });
    }

    /**
     * @param {FrameTable} table - The table.
     * @param {FrameAction} action - An action.
     * @returns {HTMLButtonElement} Its button.
     */
    function _button(table, {key, place}) {
        const button = Lib.element('button', {
            class: 'table-button', type: 'button', 'aria-keyshortcuts': key ?? null,
            dataset: place === undefined ? {} : {place}
        }, Lib.element('span', {class: 'hold', 'aria-hidden': 'true'}),
        Lib.element('span', {class: 'table-button-text'}));
        const move = () => button.dataset.move ?? '';
        const perform = table.game.perform ?? ((/** @type {string} */ text) => act(table, text));
        Guard.attach(button, () => Guard.cost(move(), table.life.shown), () => perform(move()));
        return button;
    }

    /**
     * Can what has the focus be used now?
     *
     * @param {FrameTable} table - The table.
     * @returns {boolean} Whether it is a part of the table that can.
     */
    function isFocusUseful({life: {root}}) {
        const focused = document.activeElement;
        return root.contains(focused) && focused?.matches(_IDLE) === false;
    }

    /**
     * Put the focus on something that can be done, if what had it is gone or cannot be used any more.
     *
     * @param {FrameTable} table - The table.
     */
    function refocus(table) {
        if (!isFocusUseful(table)) {
            /** @type {HTMLElement | null} */
            const offer = table.life.root.querySelector('.offer, .hand-card.is-lit, .table-actions :enabled');
            if (offer === null) {
                table.hand.focus();
            }
            else {
                offer.focus();
            }
        }
    }

    /**
     * Make a move.
     *
     * @param {FrameTable} table - The table.
     * @param {string} move - The move.
     */
    function act(table, move) {
        send(table, 'tableView:move', {move});
    }

    /**
     * Send a decision, unless another one is on its way.
     *
     * @param {FrameTable} table - The table.
     * @param {string} event - Which kind.
     * @param {any} payload - The decision.
     */
    function send(table, event, payload) {
        if (!table.isBusy && !table.life.options.isReplay) {
            table.isBusy = true;
            EventBus.emit(event, payload);
        }
    }

    /**
     * A card of the hand was tapped: lay it; if it cannot be laid, the server says why.
     *
     * @param {FrameTable} table - The table.
     * @param {string} move - The move that lays it.
     */
    function _tap(table, move) {
        const {shown} = table.life;
        if (shown !== null && shown.me >= 0 && shown.public_state.is_running) {
            act(table, move);
        }
    }

    /**
     * The hand says no.
     *
     * @param {FrameTable} table - The table.
     */
    function shake({hand}) {
        if (Flights.isOn()) {
            const frames = [0, -12, 10, -6, 0].map(x => ({translate: `${x / 42}em 0`}));
            Flights.animate(hand.element, frames, {duration: 260, easing: 'linear'});
        }
    }

    return {create, single, draw, drawActions, isFocusUseful, refocus, act, send, shake};
})();
