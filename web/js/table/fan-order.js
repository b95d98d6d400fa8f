/**
 * FanOrder: lets a card of a hand be carried to another place in it. Where cards are swept, a finger first rests on it.
 */
const FanOrder = (() => {
    /** How long a finger rests on a card before it carries it (milliseconds), and how far it may move meanwhile. */
    const _REST = 350;
    const _SLACK = 8;
    const _CARRIED = 'is-carried';

    /**
     * Let cards be carried.
     *
     * @param {HTMLElement} hand - The hand.
     * @param {object} plan - What is done with them.
     * @param {boolean} plan.rests - Does a finger rest on a card first?
     * @param {() => boolean} plan.may - May cards be carried now?
     * @param {(card: string) => void} plan.begin - A card is taken up.
     * @param {(card: string, place: number) => void} plan.put - A card is put to a place, from 0.
     */
    function attach(hand, {rests, may, begin, put}) {
        /** @type {{card: string, x: number, y: number, pointer: number, isUp: boolean, resting: number} | null} */
        let carry = null;
        let wasCarried = false;

        const cards = () => /** @type {HTMLElement[]} */ ([...hand.querySelectorAll('.hand-card')]);
        const find = (/** @type {string} */ label) => cards().find(one => one.dataset.card === label);

        /** The card is taken up. */
        function lift() {
            if (carry !== null && find(carry.card) !== undefined) {
                carry.isUp = true;
                hand.classList.add(_CARRIED);
                find(carry.card)?.classList.add('is-lifted');
                begin(carry.card);
            }
        }

        /** It is over, whatever became of it. */
        function end() {
            window.clearTimeout(carry?.resting);
            wasCarried = carry?.isUp === true;
            hand.classList.remove(_CARRIED);
            hand.querySelector('.is-lifted')?.classList.remove('is-lifted');
            carry = null;
            document.removeEventListener('pointermove', move);
            document.removeEventListener('pointerup', end);
            document.removeEventListener('pointercancel', end);
        }

        /** @param {PointerEvent} event - The finger moves. */
        function move(event) {
            if (carry === null || event.pointerId !== carry.pointer) {
                return;
            }
            if (!carry.isUp) {
                if (Math.hypot(event.clientX - carry.x, event.clientY - carry.y) > _SLACK) {
                    rests ? end() : lift();
                }
                return;
            }
            const all = cards();
            const place = _nearest(all, event.clientX, event.clientY);
            if (all[place]?.dataset.card !== carry.card) {
                put(carry.card, place);
            }
        }

        hand.addEventListener('pointerdown', event => {
            const card = event.target instanceof Element ? event.target.closest('.hand-card') : null;
            wasCarried = false;
            if (card instanceof HTMLElement && event.button === 0 && carry === null && may()) {
                carry = {
                    card: card.dataset.card ?? '', x: event.clientX, y: event.clientY, pointer: event.pointerId,
                    isUp: false, resting: rests ? window.setTimeout(lift, _REST) : 0
                };
                document.addEventListener('pointermove', move);
                document.addEventListener('pointerup', end);
                document.addEventListener('pointercancel', end);
            }
        });
        hand.addEventListener('click', event => {
            if (wasCarried) {
                event.stopImmediatePropagation();
            }
            wasCarried = false;
        }, {capture: true});
    }

    /**
     * @param {HTMLElement[]} cards - The cards of a hand.
     * @param {number} x - Where the finger is.
     * @param {number} y - Where the finger is.
     * @returns {number} The place of the card whose visible corner is next to it.
     */
    function _nearest(cards, x, y) {
        const far = cards.map(card => {
            const {left, top, width, height} = card.getBoundingClientRect();
            // Of a card below others only its left part is seen, and rows lie over each other.
            return Math.hypot(x - left - width / 4, (y - top - height / 4) / 2);
        });
        return far.indexOf(Math.min(...far));
    }

    return {attach};
})();
