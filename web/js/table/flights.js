/**
 * Flights: animations on a table. The new view is drawn at once; animations only change how it gets there.
 * Nothing waits for an animation, and every touch and every next view ends it.
 */
const Flights = (() => {
    const _GLIDE = 340;
    const _EASE = 'cubic-bezier(0.16, 0.84, 0.3, 1)';

    /** @type {Set<Animation>} */
    const _running = new Set();

    /**
     * Are animations allowed?
     *
     * @returns {boolean} Whether the user and their system want it.
     */
    function isOn() {
        return document.documentElement.dataset.motion !== 'reduced';
    }

    /** End all animations. */
    function skip() {
        for (const animation of [..._running]) {
            animation.finish();
        }
        _running.clear();
    }

    /**
     * Start an animation that can be ended.
     *
     * @param {Element | null} element - The element.
     * @param {Keyframe[]} frames - The keyframes.
     * @param {KeyframeAnimationOptions} [timing] - How.
     * @returns {Animation | null} The animation.
     */
    function animate(element, frames, timing = {}) {
        if (element === null) {
            return null;
        }
        const animation = element.animate(frames, {duration: _GLIDE, easing: _EASE, fill: 'backwards', ...timing});
        _running.add(animation);
        animation.onfinish = () => _running.delete(animation);
        return animation;
    }

    /**
     * How far one place is from another.
     *
     * @param {DOMRect} from - One place.
     * @param {DOMRect} to - The other.
     * @returns {{x: number, y: number}} The way from the second to the first.
     */
    function _way(from, to) {
        return {
            x: from.left + from.width / 2 - to.left - to.width / 2,
            y: from.top + from.height / 2 - to.top - to.height / 2
        };
    }

    /**
     * Animate an element from an earlier position. A press meets what lies there in the end: what can be pressed stays
     * in its place, and only its picture flies; what flies lets presses through.
     *
     * @param {HTMLElement} element - The element.
     * @param {DOMRect | undefined} from - From where.
     * @param {number} [delay] - After how many milliseconds.
     * @param {number} [size] - How large it is at the beginning, beside its own size.
     */
    function glide(element, from, delay = 0, size = 1) {
        if (from !== undefined) {
            const picture = element instanceof HTMLButtonElement ? element.firstElementChild : element;
            const {x, y} = _way(from, element.getBoundingClientRect());
            const pointerEvents = 'none';
            animate(picture, [
                {translate: `${x}px ${y}px`, scale: size, pointerEvents}, {translate: '0 0', scale: 1, pointerEvents}
            ], {delay});
        }
    }

    /**
     * Animate an element above the table and remove it afterwards.
     *
     * @param {HTMLElement} root - The table.
     * @param {HTMLElement} element - The element.
     * @param {Keyframe[]} frames - The keyframes.
     * @param {KeyframeAnimationOptions} [timing] - How.
     */
    function fly(root, element, frames, timing) {
        root.querySelector('.flights')?.append(element);
        const animation = animate(element, frames, timing);
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
     * Animate copies of removed cards towards the `.avatar` of a seat.
     *
     * @param {HTMLElement} root - The table.
     * @param {{copy: HTMLElement, rect: DOMRect}[]} cards - The cards.
     * @param {(card: {copy: HTMLElement, rect: DOMRect}) => string} whither - To whom each flies.
     */
    function flyAway(root, cards, whither) {
        const stage = root.getBoundingClientRect();
        cards.forEach((card, index) => {
            const seat = root.querySelector(`.table-seat[data-place="${whither(card)}"] .avatar`);
            const goal = seat?.getBoundingClientRect();
            if (goal === undefined) {
                return;
            }
            const flying = Lib.element('span', {class: 'flight'}, card.copy);
            flying.style.left = `${card.rect.left - stage.left}px`;
            flying.style.top = `${card.rect.top - stage.top}px`;
            flying.style.width = `${card.rect.width}px`;
            const {x, y} = _way(goal, card.rect);
            fly(root, flying, [
                {translate: '0 0', scale: 1, opacity: 1},
                {translate: `${x}px ${y}px`, scale: 0.35, opacity: 0.2}
            ], {delay: Math.min(index * 8, 100), easing: 'cubic-bezier(0.5, 0, 0.5, 1)'});
        });
    }

    /**
     * Enlarge an element for a moment.
     *
     * @param {Element | null} element - What.
     */
    function pop(element) {
        animate(element, [{scale: 1}, {scale: 1.12}, {scale: 1}], {duration: 400});
    }

    return {isOn, skip, animate, glide, fly, flyAway, pop};
})();
