/**
 * TableHand: the own hand as a fan: where each card lies, and choosing cards by tapping, sweeping or keys.
 */
const TableHand = (() => {
    /** Below this strip a hand is held in two rows, so that a finger meets one card (44 pixels on a small phone). */
    const _LEAST_STRIP = 132;
    const _MOST_STRIP = 150;
    const _LIFT = 46;
    /** What of the upper row stays visible above the lower one, in widths of a card. */
    const _ROW = 0.7;

    /**
     * @typedef {object} HandCallbacks
     * @property {(label: string, isSelected: boolean, isSwiped: boolean) => void} toggle
     * @property {() => void} submit
     */

    /** @type {HandCallbacks} */
    let _calls;

    /** @type {{isSelecting: boolean, last: string} | null} A finger that is down. */
    let _sweep = null;

    let _pressedAt = -1000;

    /** @type {{key: string, hand: HTMLElement | null, width: number, card: number}} What was measured last. */
    let _room = {key: '', hand: null, width: 0, card: 0};

    /**
     * Say where the cards of a hand lie.
     *
     * @param {number} count - How many cards.
     * @param {number} width - The room, in stage units.
     * @param {number} card - The width of a card.
     * @param {boolean} mayStack - May it have two rows?
     * @returns {{x: number, y: number, turn: number}[]} The left upper corner and the slant (degrees) of each card.
     */
    function layout(count, width, card, mayStack) {
        const strip = (/** @type {number} */ cards) => (
            cards < 2 ? 0 : Math.min(_MOST_STRIP, (width - card) / (cards - 1))
        );
        const isStacked = mayStack && count > 1 && strip(count) < _LEAST_STRIP;
        const rows = isStacked ? [Math.ceil(count / 2), Math.floor(count / 2)] : [count];
        return rows.flatMap((cards, row) => {
            const step = strip(cards);
            const start = (width - card - step * (cards - 1)) / 2;
            return Array.from({length: cards}, (_, index) => {
                const off = index - (cards - 1) / 2;
                return {
                    x: start + index * step,
                    y: off * off * (14 / Math.max(3, cards)) + card * _ROW * (isStacked ? row : mayStack ? 0.5 : 0),
                    turn: off * 9 / Math.max(5, cards)
                };
            });
        });
    }

    /**
     * Make the element of the hand.
     *
     * @param {HandCallbacks} calls - Who is told what the user does.
     * @returns {HTMLElement} The element.
     */
    function create(calls) {
        _calls = calls;
        const hand = Lib.element('div', {class: 'hand', role: 'group', 'aria-label': Words.table('hand')});
        hand.addEventListener('pointerdown', _press);
        hand.addEventListener('pointermove', _move);
        hand.addEventListener('pointerup', () => {
            _sweep = null;
        });
        hand.addEventListener('pointercancel', () => {
            _sweep = null;
        });
        hand.addEventListener('click', _click);
        hand.addEventListener('keydown', _key);
        return hand;
    }

    /**
     * Draw the hand.
     *
     * @param {HTMLElement} root - The table.
     * @param {TableSceneData} scene - What it shows.
     */
    function draw(root, scene) {
        const hand = /** @type {HTMLElement} */ (root.querySelector('.hand'));
        const old = new Map([...hand.children].map(child => [/** @type {HTMLElement} */ (child).dataset.card, child]));
        const focused = hand.contains(document.activeElement)
            ? /** @type {HTMLElement} */ (document.activeElement).dataset.card ?? '' : null;
        // Measured, because the style sheet makes the size of the cards depend on the stage.
        const {width, card} = _measured(hand);
        const isTall = root.closest('[data-layout="wide"]') === null;
        const places = layout(scene.hand.length, width, card, isTall);
        const shown = scene.hand.map((one, index) => {
            const element = /** @type {HTMLElement} */ (old.get(one.label) ?? _card(one));
            old.delete(one.label);
            const {x, y, turn} = places[index];
            const lift = one.isSelected ? _LIFT : 0;
            element.style.transform = `translate(${x}px, ${y + _LIFT - lift}px) rotate(${turn}deg)`;
            element.style.zIndex = String(index + 1);
            element.classList.toggle('is-selected', one.isSelected);
            element.classList.toggle('is-lit', one.isLit);
            element.classList.toggle('is-dim', one.isDim);
            element.setAttribute('aria-pressed', String(one.isSelected));
            element.setAttribute('aria-label', _name(one));
            element.dataset.giver = one.giver;
            return element;
        });
        old.forEach(gone => gone.remove());
        if (scene.isOut) {
            hand.append(Lib.element('p', {class: 'hand-note', text: Words.table('note.out')}));
        }
        shown.forEach((element, index) => {
            if (hand.children[index] !== element) {
                hand.insertBefore(element, hand.children[index] ?? null);
            }
        });
        _rove(hand, focused);
    }

    /**
     * Measure the hand, once for each size of the screen: to measure, a browser must lay out all that is drawn anew.
     *
     * @param {HTMLElement} hand - The hand.
     * @returns {{width: number, card: number}} Its room and the width of its cards, in stage units.
     */
    function _measured(hand) {
        const key = `${window.innerWidth} ${window.innerHeight} ${hand.closest('#wrapper')?.getAttribute('style')}`;
        if (_room.key !== key || _room.hand !== hand || _room.width === 0) {
            const probe = Lib.element('span', {class: 'hand-card'});
            hand.append(probe);
            _room = {key, hand, width: hand.clientWidth, card: probe.offsetWidth};
            probe.remove();
        }
        return _room;
    }

    /**
     * @param {HandCardScene} one - A card.
     * @returns {string} What a screen reader says.
     */
    function _name(one) {
        const parts = [Cards.name(one.card)];
        if (one.isDim) {
            parts.push(Words.table('card.dim'));
        }
        if (one.giver !== '') {
            parts.push(Words.table('card.from', {name: one.giver}));
        }
        return parts.join(', ');
    }

    /**
     * @param {HandCardScene} one - A card.
     * @returns {HTMLElement} Its button.
     */
    function _card(one) {
        return Lib.element('button', {class: 'hand-card', type: 'button', dataset: {card: one.label}, tabindex: '-1'},
            Cards.draw(one.card));
    }

    /**
     * Let exactly one card be reached by the tabulator, and keep the focus in the hand if it was there.
     *
     * @param {HTMLElement} hand - The hand.
     * @param {string | null} focused - The label that had the focus; null if it was elsewhere.
     */
    function _rove(hand, focused) {
        const cards = /** @type {HTMLElement[]} */ ([...hand.children]);
        const current = cards.find(card => card.dataset.card === focused)
            ?? cards.find(card => card.tabIndex === 0) ?? cards[0];
        cards.forEach(card => {
            card.tabIndex = card === current ? 0 : -1;
        });
        if (focused !== null && current !== undefined && document.activeElement !== current) {
            current.focus();
        }
    }

    /**
     * Put the focus on the hand.
     *
     * @param {HTMLElement} root - The table.
     */
    function focus(root) {
        /** @type {HTMLElement | null} */ (root.querySelector('.hand-card[tabindex="0"]'))?.focus();
    }

    /**
     * @param {PointerEvent} event - A finger touches a card.
     */
    function _press(event) {
        const card = _at(event.target);
        if (card === null || event.button !== 0) {
            return;
        }
        // The capture that a touch gives to the card would keep the other cards from being met.
        card.releasePointerCapture?.(event.pointerId);
        _pressedAt = performance.now();
        _sweep = {isSelecting: card.getAttribute('aria-pressed') !== 'true', last: card.dataset.card ?? ''};
        _calls.toggle(_sweep.last, _sweep.isSelecting, false);
    }

    /**
     * @param {PointerEvent} event - The finger moves.
     */
    function _move(event) {
        if (_sweep === null || event.buttons === 0) {
            _sweep = null;
            return;
        }
        const card = _at(document.elementFromPoint(event.clientX, event.clientY));
        const label = card?.dataset.card ?? '';
        if (card !== null && label !== _sweep.last) {
            _sweep.last = label;
            if ((card.getAttribute('aria-pressed') === 'true') !== _sweep.isSelecting) {
                _calls.toggle(label, _sweep.isSelecting, true);
            }
        }
    }

    /**
     * A click without a touch before comes from a key or a screen reader.
     *
     * @param {MouseEvent} event - The click.
     */
    function _click(event) {
        const card = _at(event.target);
        if (card !== null && performance.now() - _pressedAt > 1000) {
            _calls.toggle(card.dataset.card ?? '', card.getAttribute('aria-pressed') !== 'true', false);
        }
        else if (event.detail > 0) {
            _pressedAt = -1000;
        }
    }

    /**
     * @param {KeyboardEvent} event - A key on a card.
     */
    function _key(event) {
        const card = _at(event.target);
        if (card === null) {
            return;
        }
        const cards = /** @type {HTMLElement[]} */ ([...(card.parentElement?.children ?? [])]);
        const at = cards.indexOf(card);
        /** @type {{[key: string]: number}} */
        const goals = {
            ArrowLeft: at - 1, ArrowRight: at + 1, ArrowUp: at - Math.ceil(cards.length / 2),
            ArrowDown: at + Math.ceil(cards.length / 2), Home: 0, End: cards.length - 1
        };
        if (event.key in goals) {
            const next = cards[Math.max(0, Math.min(cards.length - 1, goals[event.key]))];
            cards.forEach(one => {
                one.tabIndex = one === next ? 0 : -1;
            });
            next.focus();
        }
        else if (event.key === 'Enter') {
            _calls.submit();
        }
        else if (event.key === ' ') {
            _calls.toggle(card.dataset.card ?? '', card.getAttribute('aria-pressed') !== 'true', false);
        }
        else {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    }

    /**
     * @param {EventTarget | null} target - Where something happened.
     * @returns {HTMLElement | null} The hand card there.
     */
    function _at(target) {
        return target instanceof Element ? target.closest('.hand-card') : null;
    }

    return {layout, create, draw, focus};
})();
