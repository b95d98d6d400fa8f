/**
 * Seats: the seats round a table: the plate with the name, the hand, the clock and speech bubbles. A seat is an element
 * `.table-seat` with `data-place`.
 */

/**
 * A seat as its plate shows it.
 *
 * @typedef {object} PlateData
 * @property {string} name
 * @property {Element} avatar - Who it is, as a picture.
 * @property {string} description - The seat in words, for screen readers.
 * @property {HTMLElement | null} sign - A sign at the avatar.
 * @property {HTMLElement[]} words - The small words below the name; see `word`.
 */

const Seats = (() => {
    const {element} = Lib;

    /** With fewer seconds left, time is short. */
    const _LATE = 6;

    /**
     * Draw the plate of a seat.
     *
     * @param {PlateData} seat - The seat.
     * @returns {HTMLElement} Its avatar, with the ring that runs down with the time, its name and its words.
     */
    function plate({name, avatar, description, sign, words}) {
        const ring = Lib.drawing('svg', {class: 'ring', viewBox: '0 0 100 100'}, ...['ring-ground', 'ring-time'].map(
            part => Lib.drawing('circle', {class: part, cx: 50, cy: 50, r: 46, pathLength: 100})));
        return element('div', {class: 'plate', role: 'group', 'aria-label': description},
            element('div', {class: 'avatar', 'aria-hidden': 'true'},
                ring, avatar, sign),
            element('div', {class: 'plate-words', 'aria-hidden': 'true'},
                element('span', {class: 'plate-name', text: name}),
                element('span', {class: 'plate-line'}, ...words)));
    }

    /**
     * Draw a small word below a name.
     *
     * @param {string} kind - Which one; the style sheets know some.
     * @param {string} text - The text.
     * @param {string} [icon] - The icon before it.
     * @returns {HTMLElement} The word.
     */
    function word(kind, text, icon = '') {
        return element('span', {class: 'plate-word', dataset: {kind}}, icon === '' ? null : Lib.icon(icon), text);
    }

    /**
     * Draw the countdown of a seat that is held for a disconnected player; `time` updates it.
     *
     * @param {number} seconds - How long it is.
     * @returns {HTMLElement} The word.
     */
    function held(seconds) {
        return element('span', {class: 'plate-word', dataset: {kind: 'cut'}},
            Lib.icon('reconnect'), element('span', {class: 'held', text: String(Math.ceil(seconds))}));
    }

    /**
     * Draw a hidden hand.
     *
     * @param {number} count - How many cards are in it.
     * @param {() => Element} draw - Draws the back of a card.
     * @returns {HTMLElement} Their backs and their number.
     */
    function backs(count, draw) {
        const all = Array.from({length: count}, (_, index) => {
            // Of those below only an edge is seen.
            const back = element('span', {class: 'back'}, index === count - 1 ? draw() : null);
            back.style.setProperty('--off', String(index - (count - 1) / 2));
            return back;
        });
        return element('div', {class: 'backs', 'aria-hidden': 'true'},
            ...all, element('span', {class: 'count', text: String(count)}));
    }

    /**
     * Draw a hand that lies open.
     *
     * @param {string} name - The accessible name.
     * @param {Element[]} cards - Its cards.
     * @returns {HTMLElement} The hand.
     */
    function openHand(name, cards) {
        return element('div', {class: 'open-hand', role: 'img', 'aria-label': name},
            ...cards.map(card => element('span', {class: 'open-card'}, card)));
    }

    /**
     * Show how much time a seat has left.
     *
     * @param {HTMLElement} seat - The seat.
     * @param {number | null} seconds - The seconds for its decision; null without a limit.
     * @param {number} limit - The seconds that a decision may take.
     * @param {number | null} heldFor - The seconds for which the seat is held; null if it is not.
     */
    function time(seat, seconds, limit, heldFor) {
        const share = seconds === null ? 100 : Math.min(100, 100 * seconds / Math.max(1, limit));
        seat.style.setProperty('--time', String(share));
        seat.classList.toggle('is-late', seconds !== null && seconds < _LATE);
        const shown = seat.querySelector('.held');
        if (shown !== null) {
            shown.textContent = String(Math.ceil(heldFor ?? 0));
        }
    }

    /**
     * Show a speech bubble.
     *
     * @param {HTMLElement} seat - The seat.
     * @param {string} text - The text; empty for none.
     */
    function bubble(seat, text) {
        const old = seat.querySelector('.bubble');
        if ((old?.textContent ?? '') !== text) {
            old?.remove();
            if (text !== '') {
                seat.append(element('p', {class: 'bubble', text}));
            }
        }
    }

    return {plate, word, held, backs, openHand, time, bubble};
})();
