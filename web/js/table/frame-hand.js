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
        const choose = (/** @type {string} */ label) => _tap(table, label);
        return Fan.create(Texts.get('table.hand'), {tap: choose, submit: choose, toggle: choose});
    }

    /**
     * Draw the own hand: in one's turn, what may be laid is lit.
     *
     * @param {FrameTable} table - The table.
     * @param {Snapshot} snapshot - What is shown.
     */
    function draw({game, life, hand, hinted}, snapshot) {
        const {legal} = snapshot.choices;
        const cards = game.hand(snapshot.private_state.hand ?? []).map(label => {
            const isLit = life.isOurs && legal.includes(game.move(label));
            const isDim = life.isOurs && !isLit;
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
     * @param {FrameTable} table - The table.
     * @param {Snapshot} snapshot - What is shown.
     */
    function drawActions(table, snapshot) {
        const {game, life, isBusy} = table;
        const wanted = game.actions(snapshot);
        const actions = life.part('.table-actions');
        const kinds = wanted.map(({move}) => move.split(' ')[0]);
        Parts.fill(actions, kinds, () => wanted.map(action => _button(table, action)));
        wanted.forEach(({move, text}, index) => {
            const button = /** @type {HTMLButtonElement} */ (actions.children[index]);
            button.dataset.move = move;
            button.classList.toggle('main', move === snapshot.choices.primary);
            button.disabled = isBusy || life.options.isReplay === true || !snapshot.choices.legal.includes(move);
            /** @type {HTMLElement} */ (button.querySelector('.table-button-text')).textContent = text;
        });
    }

    /**
     * @param {FrameTable} table - The table.
     * @param {FrameAction} action - An action.
     * @returns {HTMLButtonElement} Its button.
     */
    function _button(table, {key}) {
        const button = Lib.element('button', {
            class: 'table-button', type: 'button', 'aria-keyshortcuts': key ?? null
        }, Lib.element('span', {class: 'hold', 'aria-hidden': 'true'}),
        Lib.element('span', {class: 'table-button-text'}));
        const move = () => button.dataset.move ?? '';
        Guard.attach(button, () => Guard.cost(move(), table.life.shown), () => act(table, move()));
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
        if (!table.isBusy && !table.life.options.isReplay) {
            table.isBusy = true;
            EventBus.emit('tableView:move', {move});
        }
    }

    /**
     * A card of the hand was tapped: lay it; if it cannot be laid, the server says why.
     *
     * @param {FrameTable} table - The table.
     * @param {string} label - The card.
     */
    function _tap(table, label) {
        const {shown} = table.life;
        if (shown !== null && shown.me >= 0 && shown.public_state.is_running) {
            act(table, table.game.move(label));
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

    return {create, draw, drawActions, isFocusUseful, refocus, act, shake};
})();
