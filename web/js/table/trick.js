/**
 * Trick: the cards of a trick: in the middle those to beat, with a caption; before the others, smaller, what each
 * of them laid last.
 */

/**
 * Cards that a seat laid together.
 *
 * @typedef {object} Laid
 * @property {string} name - The name of the seat that laid them.
 * @property {string} team - A mark for the seat's colour; may be empty.
 * @property {string} title - The caption beside the name.
 * @property {string} description - The cards in words, for screen readers.
 * @property {{label: string, draw: () => Element}[]} cards
 */

const Trick = (() => {
    const {element} = Lib;

    /**
     * Draw the cards to beat.
     *
     * @param {Laid} laid - The cards.
     * @param {string} worth - A sign at them, such as their points; empty for none.
     * @returns {HTMLElement} How they lie in the middle.
     */
    function draw(laid, worth) {
        return element('div', {class: 'top'},
            element('div', {class: 'top-cards'}, _cards(laid),
                worth === '' ? null : element('span', {class: 'top-points', text: worth})),
            element('p', {class: 'top-caption'},
                element('strong', {class: 'top-name', dataset: {team: laid.team}, text: laid.name}),
                element('span', {class: 'top-title', text: laid.title})));
    }

    /**
     * Draw what lies before the other players.
     *
     * @param {HTMLElement} root - The table; it has an element `.before` with `data-place` for each seat.
     * @param {(Laid & {place: string})[]} laid - The last cards of some seats, with the places of these.
     */
    function drawBefore(root, laid) {
        for (const before of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('.before'))) {
            const own = laid.find(({place}) => place === before.dataset.place);
            Parts.fill(before, own?.description ?? '', () => own === undefined ? [] : [_cards(own)]);
        }
    }

    /**
     * @param {Laid} laid - Cards.
     * @returns {HTMLElement} How they lie.
     */
    function _cards({description, cards}) {
        const shown = element('div', {class: 'laid', role: 'img', 'aria-label': description}, ...cards.map(
            ({label, draw: face}) => element('span', {class: 'laid-card', dataset: {card: label}}, face())));
        shown.style.setProperty('--cards', String(cards.length));
        return shown;
    }

    return {draw, drawBefore};
})();
