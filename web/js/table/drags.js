/**
 * Drags: lets a finger or the mouse carry pieces from one place of a table to another.
 */

/**
 * What can be dragged in an area, and whither.
 *
 * @typedef {object} DragPlan
 * @property {(part: Element) => HTMLElement | null} piece - Finds the piece at a part of the area; null if none can go.
 * @property {string} places - Where pieces can be put, anywhere on the page: a selector.
 * @property {(piece: HTMLElement) => void} [begin] - A drag begins.
 * @property {(piece: HTMLElement, place: HTMLElement) => void} drop - A piece is put somewhere.
 */

const Drags = (() => {
    /** A finger that moves further than this drags. */
    const _SLACK = 6;

    /**
     * Keep the moves of fingers from the browser. `touch-action: none` is not enough: Chromium still takes the end of a
     * quick drag for a fling, and swallows the click of the next tap, as if that had stopped it.
     *
     * @param {HTMLElement} area - Where fingers drag; a tap still clicks.
     */
    function claim(area) {
        area.addEventListener('touchmove', event => {
            if (event.cancelable) {
                event.preventDefault();
            }
        }, {passive: false});
    }

    /**
     * Let pieces be dragged.
     *
     * @param {HTMLElement} area - Where they lie.
     * @param {DragPlan} plan - What can be dragged, and whither.
     */
    function attach(area, {piece, places, begin, drop}) {
        /** @type {{piece: HTMLElement, x: number, y: number, pointer: number, lifted: HTMLElement | null} | null} */
        let drag = null;
        let wasDragged = false;

        /** The drag is over, whatever became of it. */
        function end() {
            drag?.lifted?.remove();
            drag?.piece.classList.remove('is-lifted');
            _light(null);
            drag = null;
            document.removeEventListener('pointermove', move);
            document.removeEventListener('pointerup', release);
            document.removeEventListener('pointercancel', end);
        }

        /** @param {PointerEvent} event - The finger moves, perhaps outside the area at once. */
        function move(event) {
            if (drag === null || event.pointerId !== drag.pointer) {
                return;
            }
            if (drag.lifted === null) {
                if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < _SLACK) {
                    return;
                }
                area.setPointerCapture(event.pointerId);
                begin?.(drag.piece);
                drag.lifted = _lift(drag.piece, event.pointerType === 'touch');
            }
            drag.lifted.style.translate = `${event.clientX - drag.x}px ${event.clientY - drag.y}px`;
            _light(_below(drag.lifted, places));
        }

        /** @param {PointerEvent} event - A finger is lifted. */
        function release(event) {
            if (drag === null || event.pointerId !== drag.pointer) {
                return;
            }
            const {piece: dragged, lifted} = drag;
            const place = lifted === null ? null : _below(lifted, places);
            wasDragged = lifted !== null;
            end();
            if (place !== null) {
                drop(dragged, place);
            }
        }

        area.addEventListener('pointerdown', event => {
            const pressed = event.target instanceof Element ? piece(event.target) : null;
            wasDragged = false;
            if (pressed !== null && event.button === 0 && drag === null) {
                drag = {piece: pressed, x: event.clientX, y: event.clientY, pointer: event.pointerId, lifted: null};
                document.addEventListener('pointermove', move);
                document.addEventListener('pointerup', release);
                document.addEventListener('pointercancel', end);
            }
        });
        area.addEventListener('click', event => {
            if (wasDragged) {
                event.stopImmediatePropagation();
            }
            wasDragged = false;
        }, {capture: true});
    }

    /**
     * Take a piece up.
     *
     * @param {HTMLElement} piece - The piece.
     * @param {boolean} isFinger - Does a finger cover it? Then it is held above.
     * @returns {HTMLElement} Its picture in the air.
     */
    function _lift(piece, isFinger) {
        const picture = /** @type {Element} */ (piece.querySelector('svg'));
        const {left, top, width, height} = picture.getBoundingClientRect();
        const lifted = Lib.element('div', {class: 'lifted', 'aria-hidden': 'true'}, picture.cloneNode(true));
        lifted.style.left = `${left}px`;
        lifted.style.top = `${top - (isFinger ? height : 0)}px`;
        lifted.style.width = `${width}px`;
        piece.classList.add('is-lifted');
        document.body.append(lifted);
        return lifted;
    }

    /**
     * @param {HTMLElement} lifted - A piece in the air.
     * @param {string} places - Where it can be put.
     * @returns {HTMLElement | null} The place below it.
     */
    function _below(lifted, places) {
        const {left, top, width, height} = lifted.getBoundingClientRect();
        return document.elementFromPoint(left + width / 2, top + height / 2)?.closest(places) ?? null;
    }

    /**
     * Light the place to which a piece would go.
     *
     * @param {HTMLElement | null} target - The place.
     */
    function _light(target) {
        document.querySelectorAll('.is-target').forEach(one => one.classList.toggle('is-target', one === target));
        target?.classList.add('is-target');
    }

    return {claim, attach};
})();
