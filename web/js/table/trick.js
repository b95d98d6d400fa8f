/**
 * Trick: the cards in the middle of a table: those to beat, with a caption, and before them, smaller, the earlier ones.
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

    /** How many of the earlier cards are shown. */
    const _EARLIER = 3;

    /**
     * Draw a trick.
     *
     * @param {Laid[]} laid - The cards, oldest first; there are some.
     * @param {string} worth - A sign at the last cards, such as their points; empty for none.
     * @returns {HTMLElement[]} The row of the earlier cards, and the last ones.
     */
    function draw(laid, worth) {
        const top = laid[laid.length - 1];
        const earlier = laid.slice(0, -1).slice(-_EARLIER).map(each => element('div', {class: 'earlier'},
            _cards(each), element('span', {class: 'earlier-name', text: each.name})));
        const more = laid.length - 1 - earlier.length;
        return [
            element('div', {class: 'earlier-row'},
                more > 0 ? element('span', {class: 'earlier-more', text: `+${more}`}) : null, ...earlier),
            element('div', {class: 'top'},
                element('div', {class: 'top-cards'}, _cards(top),
                    worth === '' ? null : element('span', {class: 'top-points', text: worth})),
                element('p', {class: 'top-caption'},
                    element('strong', {class: 'top-name', dataset: {team: top.team}, text: top.name}),
                    element('span', {class: 'top-title', text: top.title})))
        ];
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

    return {draw};
})();
