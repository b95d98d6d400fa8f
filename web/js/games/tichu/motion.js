/**
 * Motion: lets cards fly. The new view stands at once; what moves is only how it looks on the way there.
 *
 * `capture` notes where everything lies before a view is drawn, `play` lets it glide from there. Nothing waits for a
 * movement, every touch and every next view ends it.
 */

/**
 * Where things lay before.
 *
 * @typedef {object} Places
 * @property {Map<string, DOMRect>} cards - By label: hand, middle and zones.
 * @property {Map<string, DOMRect>} seats - By place.
 * @property {{copy: HTMLElement, rect: DOMRect}[]} laid - The cards of the trick.
 * @property {{copy: HTMLElement, rect: DOMRect, place: string}[]} given - The cards in the zones.
 */

const Motion = (() => {
    const _GLIDE = 340;
    const _EASE = 'cubic-bezier(0.16, 0.84, 0.3, 1)';

    /** @type {Set<Animation>} */
    const _running = new Set();

    /**
     * May things move?
     *
     * @returns {boolean} Whether the user and his system want it.
     */
    function isOn() {
        return document.documentElement.dataset.motion !== 'reduced';
    }

    /** End all that moves. */
    function skip() {
        for (const animation of [..._running]) {
            animation.finish();
        }
        _running.clear();
    }

    /**
     * Note where everything lies.
     *
     * @param {HTMLElement} root - The table.
     * @param {{event: string, context: any}[]} news - What happened; if nothing did, nothing need be noted.
     * @returns {Places | null} The places; null if nothing will move.
     */
    function capture(root, news) {
        skip();
        if (news.length === 0 || !isOn() || document.hidden) {
            return null;
        }
        const rect = (/** @type {Element} */ element) => element.getBoundingClientRect();
        const all = (/** @type {string} */ selector) => _all(root, selector);
        const copy = (/** @type {HTMLElement} */ element) => (
            {copy: /** @type {HTMLElement} */ (element.cloneNode(true)), rect: rect(element)}
        );
        return {
            cards: new Map(all('.hand-card, .laid-card').map(card => [card.dataset.card ?? '', rect(card)])),
            seats: new Map(all('.table-seat').map(seat => [seat.dataset.place ?? '', rect(seat)])),
            laid: all('.laid-card').map(copy),
            given: all('.zone .card-picture').map(card => ({
                ...copy(card), place: /** @type {HTMLElement} */ (card.closest('.zone')).dataset.place ?? ''
            }))
        };
    }

    /**
     * @param {HTMLElement} root - The table.
     * @param {string} selector - Which parts.
     * @returns {HTMLElement[]} The parts.
     */
    function _all(root, selector) {
        return /** @type {HTMLElement[]} */ ([...root.querySelectorAll(selector)]);
    }

    /**
     * Let what happened be seen.
     *
     * @param {HTMLElement} root - The table as it is now.
     * @param {Places | null} before - Where everything lay.
     * @param {{event: string, context: any}[]} news - What happened, the first first.
     * @param {number} bottom - The seat at the bottom.
     */
    function play(root, before, news, bottom) {
        if (before === null) {
            return;
        }
        const place = (/** @type {number} */ seat) => ['bottom', 'right', 'top', 'left'][(seat - bottom + 4) % 4];
        for (const {event, context} of news) {
            if (event === 'player_played') {
                _lay(root, before, place(context.turn[0]), context.turn);
            }
            else if (event === 'trick_taken') {
                _flyAway(root, before.laid, () => place(context.player_index));
            }
            else if (event === 'hand_cards_dealt' && context.player_index === bottom) {
                _deal(root, before);
            }
            else if (event === 'player_schupfed' && context.player_index === bottom) {
                _flyAway(root, before.given, card => /** @type {any} */ (card).place);
            }
            else if (event === 'start_playing') {
                _receive(root, before);
            }
            else if (event === 'taken_up') {
                _takeUp(root, before);
            }
            else if (event === 'player_announced') {
                _call(root, place(context.player_index));
            }
            else if (event === 'round_over') {
                _pop(root.querySelector('.score'));
            }
        }
    }

    /**
     * Start a movement that can be ended.
     *
     * @param {Element | null} element - What moves.
     * @param {Keyframe[]} frames - From where to where.
     * @param {KeyframeAnimationOptions} [timing] - How.
     * @returns {Animation | null} The movement.
     */
    function _animate(element, frames, timing = {}) {
        if (element === null) {
            return null;
        }
        const animation = element.animate(frames, {duration: _GLIDE, easing: _EASE, fill: 'backwards', ...timing});
        _running.add(animation);
        animation.onfinish = () => _running.delete(animation);
        return animation;
    }

    /**
     * How far one place is from another, in the units of the stage.
     *
     * @param {HTMLElement} root - The table.
     * @param {DOMRect} from - One place.
     * @param {DOMRect} to - The other.
     * @returns {{x: number, y: number}} The way from the second to the first.
     */
    function _way(root, from, to) {
        const scale = root.getBoundingClientRect().width / root.offsetWidth || 1;
        return {
            x: (from.left + from.width / 2 - to.left - to.width / 2) / scale,
            y: (from.top + from.height / 2 - to.top - to.height / 2) / scale
        };
    }

    /**
     * Let an element glide from where something lay.
     *
     * @param {HTMLElement} root - The table.
     * @param {HTMLElement} element - What glides.
     * @param {DOMRect | undefined} from - From where.
     * @param {number} [delay] - After how many milliseconds.
     * @param {number} [size] - How large it is at the beginning, beside its own size.
     */
    function _glide(root, element, from, delay = 0, size = 1) {
        if (from !== undefined) {
            const {x, y} = _way(root, from, element.getBoundingClientRect());
            _animate(element, [{translate: `${x}px ${y}px`, scale: size}, {translate: '0 0', scale: 1}], {delay});
        }
    }

    /**
     * Cards fly from a seat to the middle.
     *
     * @param {HTMLElement} root - The table.
     * @param {Places} before - Where everything lay.
     * @param {string} place - Who lays them.
     * @param {[number, Card[], Combination]} turn - What is laid.
     */
    function _lay(root, before, place, [, cards, combination]) {
        const labels = cards.map(Cards.label);
        const laid = _all(root, '.top .laid-card').filter(card => labels.includes(card.dataset.card ?? ''));
        laid.forEach((card, index) => {
            const own = before.cards.get(card.dataset.card ?? '');
            _glide(root, card, own ?? before.seats.get(place), Math.min(index * 14, 100), own === undefined ? 0.4 : 1);
        });
        if (laid.length > 0 && combination[0] === 7) {
            _bomb(root);
        }
    }

    /**
     * A bomb shakes the table and lights it.
     *
     * @param {HTMLElement} root - The table.
     */
    function _bomb(root) {
        const shake = [0, -14, 12, -9, 6, 0].map(x => ({translate: `${x}px ${-x / 2}px`}));
        _animate(root.querySelector('.middle'), shake, {duration: 420, delay: 140, easing: 'linear'});
        const flash = Lib.element('div', {class: 'flash'});
        _fly(root, flash, [{opacity: 0}, {opacity: 0.85, offset: 0.2}, {opacity: 0}], {duration: 420, delay: 140});
    }

    /**
     * Something flies above the table and is gone afterwards.
     *
     * @param {HTMLElement} root - The table.
     * @param {HTMLElement} element - What flies.
     * @param {Keyframe[]} frames - From where to where.
     * @param {KeyframeAnimationOptions} [timing] - How.
     */
    function _fly(root, element, frames, timing) {
        root.querySelector('.flights')?.append(element);
        const animation = _animate(element, frames, timing);
        if (animation !== null) {
            const remove = () => {
                _running.delete(animation);
                element.remove();
            };
            animation.onfinish = remove;
            animation.oncancel = remove;
        }
    }

    /**
     * Copies of cards that are no longer there fly to a seat.
     *
     * @param {HTMLElement} root - The table.
     * @param {{copy: HTMLElement, rect: DOMRect}[]} cards - The cards.
     * @param {(card: {copy: HTMLElement, rect: DOMRect}) => string} whither - To whom each flies.
     */
    function _flyAway(root, cards, whither) {
        const stage = root.getBoundingClientRect();
        const scale = stage.width / root.offsetWidth || 1;
        cards.forEach((card, index) => {
            const seat = root.querySelector(`.table-seat[data-place="${whither(card)}"] .avatar`);
            const goal = seat?.getBoundingClientRect();
            if (goal === undefined) {
                return;
            }
            const flying = Lib.element('span', {class: 'flight'}, card.copy);
            flying.style.left = `${(card.rect.left - stage.left) / scale}px`;
            flying.style.top = `${(card.rect.top - stage.top) / scale}px`;
            flying.style.width = `${card.rect.width / scale}px`;
            const {x, y} = _way(root, goal, card.rect);
            _fly(root, flying, [
                {translate: '0 0', scale: 1, opacity: 1},
                {translate: `${x}px ${y}px`, scale: 0.35, opacity: 0.2}
            ], {delay: Math.min(index * 8, 100), easing: 'cubic-bezier(0.5, 0, 0.5, 1)'});
        });
    }

    /**
     * New cards come from the middle.
     *
     * @param {HTMLElement} root - The table.
     * @param {Places} before - Where everything lay.
     */
    function _deal(root, before) {
        const middle = root.querySelector('.middle')?.getBoundingClientRect();
        const dealt = _all(root, '.hand-card').filter(card => !before.cards.has(card.dataset.card ?? ''));
        dealt.forEach((card, index) => _glide(root, card, middle, index * 10, 0.5));
    }

    /**
     * The received cards come from those who gave them.
     *
     * @param {HTMLElement} root - The table.
     * @param {Places} before - Where everything lay.
     */
    function _receive(root, before) {
        for (const zone of _all(root, '.zone')) {
            const card = /** @type {HTMLElement | null} */ (zone.querySelector('.zone-place'));
            if (card !== null) {
                _glide(root, card, before.seats.get(zone.dataset.place ?? ''), 0, 0.4);
            }
        }
    }

    /**
     * The received cards go into the hand.
     *
     * @param {HTMLElement} root - The table.
     * @param {Places} before - Where everything lay.
     */
    function _takeUp(root, before) {
        const middle = before.given[1]?.rect;
        for (const card of _all(root, '.hand-card')) {
            _glide(root, card, before.cards.get(card.dataset.card ?? '') ?? middle);
        }
    }

    /**
     * A call is seen by all.
     *
     * @param {HTMLElement} root - The table.
     * @param {string} place - Who calls.
     */
    function _call(root, place) {
        _animate(root.querySelector(`.table-seat[data-place="${place}"] .call`),
            [{scale: 3.2, opacity: 0}, {scale: 1, opacity: 1}], {duration: 420});
    }

    /**
     * Something swells for a moment.
     *
     * @param {Element | null} element - What.
     */
    function _pop(element) {
        _animate(element, [{scale: 1}, {scale: 1.12}, {scale: 1}], {duration: 400});
    }

    return {isOn, skip, capture, play};
})();
