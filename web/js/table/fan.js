/**
 * Fan: a hand as a fan in one row or two: where each card lies, and how cards are chosen by a tap, a sweep or keys.
 */

/**
 * A card of the hand.
 *
 * @typedef {object} FanCard
 * @property {string} label - The unique label.
 * @property {string} name - The accessible name.
 * @property {boolean} isSelected
 * @property {boolean} isLit - Can it be used now?
 * @property {boolean} isDim - It is our turn, and it cannot be used.
 * @property {string} mark - Anything but an empty text puts a mark on it.
 * @property {() => Element} draw - Draws its face, once.
 */

/**
 * The callbacks for what the user does.
 *
 * @typedef {object} FanCallbacks
 * @property {(label: string, isSelected: boolean, isSwiped: boolean) => void} toggle
 * @property {(label: string) => void} submit - Enter on a card.
 * @property {(label: string) => void} [tap] - A tap acts on one card, instead of choosing it: nothing is swept.
 * @property {(label: string, place: number) => void} put - A card is put to another place of the hand, from 0.
 * @property {() => boolean} mayPut - May cards be carried to other places now?
 */

/**
 * A hand on the table.
 *
 * @typedef {object} FanHand
 * @property {HTMLElement} element
 * @property {(cards: FanCard[], note: string) => void} draw - Draws the cards, and a note where there are none.
 * @property {() => void} focus - Puts the focus on the hand.
 */

const Fan = (() => {
    /** Below this strip a hand is held in two rows, so that a finger meets one card (44 pixels on a small phone). */
    const _LEAST_STRIP = 132;
    const _MOST_STRIP = 150;
    const _LIFT = 46;
    /** The click of a press comes this soon after its end, if at all (milliseconds). */
    const _CLICKED = 500;
    /** The part of the upper row that stays visible above the lower one, in widths of a card. */
    const _ROW = 0.7;

    /** How often the screen has changed its size. */
    let _fitted = 0;
    EventBus.on('viewManager:fitted', () => {
        _fitted += 1;
    });

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
     * Make a hand.
     *
     * @param {string} name - The accessible name.
     * @param {FanCallbacks} calls - The callbacks.
     * @returns {FanHand} The hand.
     */
    function create(name, calls) {
        const element = Lib.element('div', {class: 'hand', role: 'group', 'aria-label': name});
        const measure = _measure(element);
        Drags.claim(element);
        FanOrder.attach(element, {
            rests: calls.tap === undefined, may: calls.mayPut, put: calls.put,
            begin: card => {
                // The finger that rests on it has chosen it.
                if (calls.tap === undefined) {
                    const isChosen = element.querySelector('.is-lifted')?.getAttribute('aria-pressed') === 'true';
                    calls.toggle(card, !isChosen, false);
                }
            }
        });
        if (calls.tap === undefined) {
            _sweep(element, calls.toggle);
        }
        else {
            const {tap} = calls;
            element.addEventListener('click', event => {
                const card = _at(event.target);
                if (card !== null) {
                    tap(card.dataset.card ?? '');
                }
            });
        }
        element.addEventListener('keydown', event => {
            const card = _at(event.target);
            if (card !== null && (event.shiftKey ? _carry : _press)(event.key, card, calls)) {
                event.preventDefault();
                event.stopPropagation();
            }
        });
        return {
            element,
            draw(cards, note) {
                _draw(element, cards, note, measure());
            },
            focus() {
                /** @type {HTMLElement | null} */ (element.querySelector('.hand-card[tabindex="0"]'))?.focus();
            }
        };
    }

    /**
     * @param {HTMLElement} hand - The hand.
     * @param {FanCard[]} cards - Its cards.
     * @param {string} note - The text if there are no cards.
     * @param {{width: number, card: number}} room - Its room and the width of its cards.
     */
    function _draw(hand, cards, note, {width, card}) {
        const focused = hand.contains(document.activeElement)
            ? /** @type {HTMLElement} */ (document.activeElement).dataset.card ?? '' : null;
        const isTall = hand.closest('[data-layout="wide"]') === null;
        const places = layout(cards.length, width, card, isTall);
        const notes = note === '' ? [] : [{key: note, draw: () => Lib.element('p', {class: 'hand-note', text: note})}];
        const shown = Parts.keep(hand, [...cards.map(one => ({key: one.label, draw: () => _card(one)})), ...notes]);
        cards.forEach((one, index) => {
            const element = shown[index];
            const {x, y, turn} = places[index];
            const lift = one.isSelected ? _LIFT : 0;
            element.style.transform = `translate(calc(${x} * var(--u)), calc(${y + _LIFT - lift} * var(--u)))`
                + ` rotate(${turn}deg)`;
            element.style.zIndex = String(index + 1);
            element.classList.toggle('is-selected', one.isSelected);
            element.classList.toggle('is-lit', one.isLit);
            element.classList.toggle('is-dim', one.isDim);
            element.setAttribute('aria-pressed', String(one.isSelected));
            element.setAttribute('aria-label', one.name);
            element.dataset.mark = one.mark;
        });
        _rove(shown.slice(0, cards.length), focused);
    }

    /**
     * Measure a hand, once for each size of the screen: to measure, a browser must lay out all that is drawn anew.
     *
     * @param {HTMLElement} hand - The hand.
     * @returns {() => {width: number, card: number}} Tells its room and the width of its cards, in stage units.
     */
    function _measure(hand) {
        let room = {fitted: 0, width: 0, card: 0};
        return () => {
            if (room.fitted !== _fitted || room.width === 0) {
                // The style sheet makes the size of the cards depend on the stage.
                const probe = Lib.element('span', {class: 'hand-card'});
                hand.append(probe);
                const unit = parseFloat(window.getComputedStyle(hand).getPropertyValue('--u'));
                room = {fitted: _fitted, width: hand.clientWidth / unit, card: probe.offsetWidth / unit};
                probe.remove();
            }
            return room;
        };
    }

    /**
     * @param {FanCard} one - A card.
     * @returns {HTMLElement} Its button.
     */
    function _card(one) {
        return Lib.element('button', {class: 'hand-card', type: 'button', dataset: {card: one.label}, tabindex: '-1'},
            one.draw());
    }

    /**
     * Make exactly one card reachable by the tab key, and keep the focus in the hand.
     *
     * @param {HTMLElement[]} cards - The cards of the hand.
     * @param {string | null} focused - The label that had the focus; null if it was elsewhere.
     */
    function _rove(cards, focused) {
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
     * Select cards by taps and sweeps.
     *
     * @param {HTMLElement} hand - The hand.
     * @param {FanCallbacks['toggle']} toggle - The callback.
     */
    function _sweep(hand, toggle) {
        /** @type {{isSelecting: boolean, last: string} | null} The current sweep of a finger. */
        let sweep = null;
        /** Is there a press to which the next click belongs, and since when is it over? */
        let wasPressed = false;
        let lifted = 0;
        const isPressed = (/** @type {HTMLElement} */ card) => card.getAttribute('aria-pressed') === 'true';
        const lift = () => {
            sweep = null;
            window.clearTimeout(lifted);
            lifted = window.setTimeout(() => {
                wasPressed = false;
            }, _CLICKED);
        };
        hand.addEventListener('pointerdown', event => {
            const card = _at(event.target);
            if (card !== null && event.button === 0) {
                // Release the implicit pointer capture of a touch, or no other card would get events.
                card.releasePointerCapture?.(event.pointerId);
                window.clearTimeout(lifted);
                wasPressed = true;
                sweep = {isSelecting: !isPressed(card), last: card.dataset.card ?? ''};
                toggle(sweep.last, sweep.isSelecting, false);
                // It may end anywhere.
                document.addEventListener('pointerup', lift, {once: true});
                document.addEventListener('pointercancel', lift, {once: true});
            }
        });
        hand.addEventListener('pointermove', event => {
            if (sweep === null || event.buttons === 0 || hand.matches('.is-carried')) {
                sweep = null;
                return;
            }
            const card = _at(document.elementFromPoint(event.clientX, event.clientY));
            const label = card?.dataset.card ?? '';
            if (card !== null && label !== sweep.last) {
                sweep.last = label;
                if (isPressed(card) !== sweep.isSelecting) {
                    toggle(label, sweep.isSelecting, true);
                }
            }
        });
        hand.addEventListener('click', event => {
            // A click without a press comes from a screen reader.
            const card = _at(event.target);
            if (card !== null && !wasPressed) {
                toggle(card.dataset.card ?? '', !isPressed(card), false);
            }
            wasPressed = false;
        });
    }

    /**
     * @param {string} key - A key that was pressed with the shift key: an arrow carries the card.
     * @param {HTMLElement} card - The card that has the focus.
     * @param {FanCallbacks} calls - The callback.
     * @returns {boolean} Does it do anything here?
     */
    function _carry(key, card, {put, mayPut}) {
        const cards = [...card.parentElement?.querySelectorAll('.hand-card') ?? []];
        const place = cards.indexOf(card) + ({ArrowLeft: -1, ArrowRight: 1}[key] ?? 0);
        const isArrow = key === 'ArrowLeft' || key === 'ArrowRight';
        if (isArrow && mayPut() && cards[place] !== undefined) {
            put(card.dataset.card ?? '', place);
            Lib.announce(Texts.get('table.carried', {
                card: card.getAttribute('aria-label') ?? '', place: place + 1, count: cards.length
            }));
        }
        return isArrow;
    }

    /**
     * @param {string} key - A key that was pressed.
     * @param {HTMLElement} card - The card that has the focus.
     * @param {FanCallbacks} calls - The callback.
     * @returns {boolean} Does it do anything here?
     */
    function _press(key, card, {toggle, submit}) {
        const cards = /** @type {HTMLElement[]} */ ([...(card.parentElement?.children ?? [])]);
        const at = cards.indexOf(card);
        const half = Math.ceil(cards.length / 2);
        /** @type {{[key: string]: number}} */
        const goals = {
            ArrowLeft: at - 1, ArrowRight: at + 1, ArrowUp: at - half, ArrowDown: at + half, Home: 0,
            End: cards.length - 1
        };
        if (key in goals) {
            const next = cards[Math.max(0, Math.min(cards.length - 1, goals[key]))];
            cards.forEach(one => {
                one.tabIndex = one === next ? 0 : -1;
            });
            next.focus();
        }
        else if (key === 'Enter') {
            submit(card.dataset.card ?? '');
        }
        else if (key === ' ') {
            toggle(card.dataset.card ?? '', card.getAttribute('aria-pressed') !== 'true', false);
        }
        return key in goals || key === 'Enter' || key === ' ';
    }

    /**
     * @param {EventTarget | null} target - Where something happened.
     * @returns {HTMLElement | null} The card there.
     */
    function _at(target) {
        return target instanceof Element ? target.closest('.hand-card') : null;
    }

    return {layout, create};
})();
