/**
 * Portraits: the drawn heads of players. People choose theirs, agents have one by their seat.
 */
const Portraits = (() => {
    const _SHEET = '/images/portraits.svg';
    /** @type {PublicState['portraits']} The heads of agents, by their seats; the others if a person has theirs. */
    const _AGENTS = ['owl', 'fox', 'cat', 'bear', 'hare'];
    const _OTHERS = ['hedgehog', 'badger', 'penguin', 'frog', 'mouse'];

    /**
     * @param {PublicState} table - A table.
     * @param {number} seat - A seat.
     * @returns {string} The head of who sits there; empty for a person without one.
     */
    function of({player_kinds: kinds, portraits}, seat) {
        const own = _AGENTS[seat % _AGENTS.length];
        return kinds[seat] === 'human' ? portraits[seat]
            : portraits.includes(own) ? _OTHERS[seat % _OTHERS.length] : own;
    }

    /**
     * Draw a head.
     *
     * @param {string} name - Whose.
     * @returns {SVGSVGElement} The head, which is calm.
     */
    function draw(name) {
        const drawn = Lib.drawing('svg', {class: 'portrait', viewBox: '0 0 64 64', 'aria-hidden': 'true'},
            Lib.drawing('use', {}));
        drawn.dataset.portrait = name;
        feel(drawn, 'calm');
        return drawn;
    }

    /**
     * Let a head show how its player feels.
     *
     * @param {SVGElement} drawn - The head.
     * @param {string} mood - `calm`, `glad` or `sad`.
     */
    function feel(drawn, mood) {
        if (drawn.dataset.mood !== mood) {
            drawn.dataset.mood = mood;
            drawn.firstElementChild?.setAttribute('href', Lib.symbol(`${drawn.dataset.portrait}-${mood}`, _SHEET));
        }
    }

    /**
     * Draw who sits on a seat: the head, or the first letter of the name.
     *
     * @param {PublicState} table - The table.
     * @param {number} seat - The seat.
     * @returns {Element} The picture.
     */
    function avatar(table, seat) {
        const name = of(table, seat);
        return name === '' ? Lib.element('span', {text: Lib.initial(table.player_names[seat])}) : draw(name);
    }

    return {of, draw, feel, avatar};
})();
