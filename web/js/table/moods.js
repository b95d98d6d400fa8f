/**
 * Moods: how the players at a table feel: glad or sad for some seconds about what has just happened, and up to the next
 * game about how one has ended. Their portraits show it.
 */

/**
 * Who feels what about an event.
 *
 * @typedef {{glad?: number[], sad?: number[]}} Feelings
 */

const Moods = (() => {
    /** How long it lasts (milliseconds). */
    const _LASTS = 5000;
    /** What is said cheerfully, and what is not. */
    const _GLAD = ['well_played', 'thanks', 'wow', 'one_more'];
    const _SAD = ['sorry', 'oops'];

    /** @type {Map<number, {mood: string, until: number}>} How seats feel, and until when. */
    let _felt = new Map();

    /** Nobody feels anything. */
    function clear() {
        _felt = new Map();
    }

    /**
     * Something happened.
     *
     * @param {string} event - What.
     * @param {any} context - The event's context.
     * @param {Feelings} [feelings] - Who feels what about it, if it is an event of the game.
     */
    function note(event, context, feelings = {}) {
        if (event === 'game_started') {
            clear();
        }
        const {glad = [], sad = []} = {...feelings, ..._common(event, context)};
        const until = event === 'game_over' ? Infinity : performance.now() + _LASTS;
        glad.forEach(seat => _felt.set(seat, {mood: 'glad', until}));
        sad.forEach(seat => _felt.set(seat, {mood: 'sad', until}));
    }

    /**
     * @param {string} event - An event.
     * @param {any} context - Its context.
     * @returns {Feelings} Who feels what about it in every game.
     */
    function _common(event, context) {
        if (event === 'chat') {
            const {phrase, player_index: seat} = context;
            return _GLAD.includes(phrase) ? {glad: [seat]} : _SAD.includes(phrase) ? {sad: [seat]} : {};
        }
        return event === 'game_over' ? of(context.payoff) : {};
    }

    /**
     * @param {number[]} payoff - What each seat got.
     * @returns {Feelings} Whoever got something is glad, whoever lost something is sad.
     */
    function of(payoff) {
        const seats = payoff.map((_, seat) => seat);
        return {glad: seats.filter(seat => payoff[seat] > 0), sad: seats.filter(seat => payoff[seat] < 0)};
    }

    /**
     * Let the portraits show it.
     *
     * @param {HTMLElement} root - The table.
     */
    function draw(root) {
        for (const drawn of /** @type {NodeListOf<SVGElement>} */ (root.querySelectorAll('.table-seat .portrait'))) {
            const seat = Number(drawn.closest('.table-seat')?.getAttribute('data-seat'));
            const felt = _felt.get(seat);
            Portraits.feel(drawn, felt !== undefined && felt.until > performance.now() ? felt.mood : 'calm');
        }
    }

    return {clear, note, of, draw};
})();
