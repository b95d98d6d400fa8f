/**
 * Judging: what the strongest judge thinks of the decisions of a finished game. The server judges one step at a time,
 * after its tables.
 */

/**
 * A judged decision.
 *
 * @typedef {object} Decision
 * @property {number} number - The number of the step.
 * @property {number} seat
 * @property {string} move
 * @property {string | null} best - The best move; null is silence.
 * @property {number} expected - The expected payoff of the seat after the best move.
 * @property {number} lost - What the move that was made loses against it.
 * @property {number} error
 * @property {'' | 'inaccuracy' | 'mistake' | 'blunder'} mark
 * @property {boolean} [certain] - Whether the loss is certain, whatever others hold.
 * @property {boolean} [goes_on] - Is the seat's next move a part of the same decision?
 */

/**
 * What a seat saw and could do before a step, as the server tells it.
 *
 * @typedef {object} Position
 * @property {number} seat
 * @property {{[field: string]: any}} public_state
 * @property {PrivateState} private_state
 * @property {ServerRequest | null} request
 * @property {Choices} choices
 */

const Judging = (() => {
    /** How long to wait when the server is busy, and how often to try in a row (milliseconds). */
    const _WAIT = 1000;
    const _TRIES = 30;

    /**
     * Ask for a step, again and again while the server is busy or out of reach.
     *
     * @param {number | string} game - The game.
     * @param {number} step - The number of the step.
     * @param {() => boolean} isWanted - Is the answer still wanted?
     * @returns {Promise<Decision | null>} The decision; null if it was forced.
     */
    async function ask(game, step, isWanted) {
        for (let tries = 1; ; tries += 1) {
            try {
                return (await Lib.fetchJson(`/api/games/${game}/analysis/${step}`)).decision;
            }
            catch (error) {
                // A game that is not there does not come by waiting.
                const isGone = error instanceof Lib.FetchError && error.status === 404;
                if (tries >= _TRIES || !isWanted() || isGone) {
                    throw error;
                }
            }
            await new Promise(resolve => {
                window.setTimeout(resolve, _WAIT);
            });
        }
    }

    /**
     * Count each mistake once, as `once` of the Python module `tisch.agents.analysis` describes it.
     *
     * @param {Decision[]} decisions - The judged decisions, in order.
     * @returns {Decision[]} For each mistake its worst decision, and all decisions without one.
     */
    function once(decisions) {
        /** @type {Map<number, Decision>} */
        const last = new Map();
        /** @type {Map<number, Decision>} */
        const worst = new Map();
        const others = new Set();
        for (const decision of decisions) {
            const {seat} = decision;
            const [before, most] = [last.get(seat), worst.get(seat)];
            const isSame = before !== undefined && most !== undefined && _isSame(before, decision);
            const isWorse = !isSame || decision.lost > most.lost;
            if (isSame) {
                others.add(isWorse ? most : decision);
            }
            if (isWorse) {
                worst.set(seat, decision);
            }
            last.set(seat, decision);
        }
        return decisions.filter(decision => !others.has(decision));
    }

    /**
     * @param {Decision} one - A decision.
     * @param {Decision} other - The next one of the same seat.
     * @returns {boolean} Have they the same mistake?
     */
    function _isSame(one, other) {
        const isMissed = one.lost > 0 && other.lost > 0 && one.best === other.best;
        return one.goes_on === true || isMissed && other.expected > one.expected - one.lost / 2;
    }

    return {ask, once};
})();
