/**
 * State: the last snapshot and the events of the table. Views read it; only the app controller writes it.
 */

/**
 * The public state of a table of any game; a game adds its own fields.
 *
 * @typedef {{[key: string]: any} & Protocol.PublicState} PublicState
 */

/**
 * The private state of a seat; a spectator's is empty.
 *
 * @typedef {{[key: string]: any} & Partial<Protocol.PrivateState>} PrivateState
 */

/**
 * The legal moves of a seat, in turn or out of it; a game adds its own fields.
 *
 * @typedef {{[key: string]: any} & Partial<Protocol.Choices> & {legal: string[]}} Choices
 */

/**
 * A decision that the server waits for.
 *
 * @typedef {Omit<Protocol.Request, 'context'> & {context: {[key: string]: any}}} ServerRequest
 */

/**
 * The answer to such a request.
 *
 * @typedef {object} ServerAnswer
 * @property {number} request_id
 * @property {string} action
 * @property {{[key: string]: any}} response_data
 */

/**
 * Everything at one moment: all that a table's view needs to be drawn.
 *
 * @typedef {object} Snapshot
 * @property {number} number - The number of the last notification in it.
 * @property {PublicState} public_state
 * @property {PrivateState} private_state
 * @property {Choices} choices
 * @property {ServerRequest | null} request
 * @property {boolean} [mayUndo] - May the own last moves be undone?
 * @property {string} [invitation] - The secret in the link of a private table; empty at an open one.
 * @property {number} me - The own seat; -1 for a spectator.
 * @property {PrivateState[]} [allHands] - By seat what it holds, for a spectator who may see it.
 */

const State = (() => {
    /** @type {Snapshot | null} */
    let _snapshot = null;

    /** @type {number} When the snapshot came, by the page's clock. */
    let _receivedAt = 0;

    /** @type {{event: string, context: any}[]} */
    let _log = [];

    /**
     * Take over a message of the server.
     *
     * @param {{number: number, public_state: PublicState, private_state: PrivateState | null,
     *     choices?: Choices | null, request?: ServerRequest | null,
     *     may_undo?: boolean, invitation?: string | null,
     *     hands?: PrivateState[]}} payload - The payload of a `view` or a `state`.
     */
    function update(payload) {
        const privateState = payload.private_state ?? {};
        _snapshot = {
            number: payload.number,
            public_state: payload.public_state,
            private_state: privateState,
            choices: payload.choices ?? {legal: []},
            request: payload.request ?? null,
            mayUndo: payload.may_undo ?? false,
            invitation: payload.invitation ?? '',
            me: privateState.player_index ?? -1,
            ...payload.hands === undefined ? {} : {allHands: payload.hands}
        };
        _receivedAt = performance.now();
    }

    /**
     * Note what happened.
     *
     * @param {string} event - The event's name.
     * @param {any} context - The event's context.
     */
    function note(event, context) {
        _log.push({event, context});
        _log = _log.slice(-200);
    }

    /** Forget the table. */
    function clear() {
        _snapshot = null;
        _log = [];
    }

    return {
        update,
        note,
        clear,
        /**
         * The last snapshot; null before the first.
         *
         * @returns {Snapshot | null} The snapshot.
         */
        get snapshot() {
            return _snapshot;
        },
        /**
         * The events at this table since we joined, oldest first.
         *
         * @returns {{event: string, context: any}[]} The events.
         */
        get log() {
            return _log;
        },
        /**
         * How the last game at this table ended, as `game_over` tells it; null before.
         *
         * @returns {any} The end.
         */
        get outcome() {
            return _log.filter(({event}) => event === 'game_over').at(-1)?.context ?? null;
        },
        /**
         * Is a game going on?
         *
         * @returns {boolean} Whether it is.
         */
        get isRunning() {
            return _snapshot?.public_state.is_running ?? false;
        },
        /**
         * For how many seconds a seat may still think.
         *
         * @param {number} seat - The seat.
         * @returns {number | null} The seconds; null if there is no limit.
         */
        timeLeft(seat) {
            const seconds = _snapshot?.public_state.time_left[seat] ?? null;
            return seconds === null ? null : Math.max(0, seconds - (performance.now() - _receivedAt) / 1000);
        }
    };
})();
