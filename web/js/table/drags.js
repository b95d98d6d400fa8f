/**
 * Drags: what places share on which a finger drags.
 */
const Drags = (() => {
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

    return {claim};
})();
