/**
 * Network: the connection to the server. It notices dead links, reconnects by itself and requests missed notifications.
 *
 * Events: `network:open` (connected), `network:message` {type, payload} (each message),
 * `network:cut` {heldUntil} (lost, reconnecting), `network:close` {code, error} (closed for good), `network:unsent`
 * {isSure} (a message of the user did not arrive, or perhaps did not).
 */
const Network = (() => {
    /** The query of a connection: names and a table, or a table to watch. A session replaces it. */
    /**
     * @typedef {{player_name?: string, table_name?: string, game?: string, spectator?: string, private?: string,
     *     invitation?: string}} Entry
     */

    /** @type {WebSocket | null} */
    let _socket = null;

    /** @type {Entry | null} */
    let _entry = null;

    /** @type {string} */
    let _sessionId = '';

    /** @type {number | null} The number of the last notification. */
    let _number = null;

    /** @type {any} The last error before the seat was taken. */
    let _error = null;

    /** The messages that the page sends by itself, or whose loss changes nothing. */
    const _UNNOTED = ['ping', 'resync', 'leave'];

    /** Was a message of the user sent to which nothing has been heard yet? */
    let _isUnheard = false;

    /**
     * @typedef {(type: string, payload?: {[key: string]: any}) => void} Taker
     */

    /** @type {Taker | null} Who takes what is sent, if not the server. */
    let _taker = null;

    let _hasEntered = false;
    let _lastHeard = 0;
    let _heldUntil = 0;
    let _pinging = 0;
    let _retry = 0;

    /**
     * Connect; an old connection is dropped.
     *
     * @param {Entry} entry - The query of the connection.
     * @param {string} [sessionId] - The seat to take again.
     */
    function open(entry, sessionId = '') {
        _drop();
        _entry = entry;
        _sessionId = sessionId;
        _hasEntered = false;
        _heldUntil = 0;
        _connect();
    }

    /** Connect with the session if there is one. */
    function _connect() {
        window.clearTimeout(_retry);
        const query = new URLSearchParams(_sessionId ? {session_id: _sessionId} : {..._entry});
        query.set('view', '1');
        const scheme = window.location.protocol === 'https:' ? 'wss' : 'ws';
        const socket = new WebSocket(`${scheme}://${window.location.host}/ws?${query}`);
        _socket = socket;
        _number = null;
        _error = null;
        _lastHeard = performance.now();
        socket.addEventListener('open', () => {
            EventBus.emit('network:open');
        });
        socket.addEventListener('message', event => {
            if (socket === _socket) {
                _hear(JSON.parse(event.data));
            }
        });
        socket.addEventListener('close', event => {
            if (socket === _socket) {
                _lose(event.code);
            }
        });
        window.clearInterval(_pinging);
        _pinging = window.setInterval(_test, Config.PING_INTERVAL);
    }

    /**
     * Take a message.
     *
     * @param {{type: string, payload?: any}} message - The message.
     */
    function _hear(message) {
        _lastHeard = performance.now();
        const payload = message.payload ?? {};
        if (message.type === 'pong') {
            return;
        }
        _isUnheard = false;
        if (message.type === 'error') {
            _error = payload;
        }
        if (message.type === 'notification') {
            if (_number !== null && payload.number > _number + 1) {
                send('resync');
            }
            _number = payload.number;
            _sessionId = payload.context?.session_id ?? _sessionId;
        }
        if (message.type === 'view' || message.type === 'state') {
            _number = payload.number;
            _hasEntered = true;
            _heldUntil = 0;
        }
        EventBus.emit('network:message', {type: message.type, payload});
    }

    /** Send a ping; after too long a silence the connection counts as dead. */
    function _test() {
        if (performance.now() - _lastHeard > Config.SILENCE_LIMIT) {
            const socket = _socket;
            _socket = null;
            socket?.close();
            _lose(1006);
        }
        else {
            send('ping');
        }
    }

    /**
     * The connection is lost: reconnect, or report that it is closed.
     *
     * @param {number} code - The close code.
     */
    function _lose(code) {
        window.clearInterval(_pinging);
        _socket = null;
        const canResume = _hasEntered || _sessionId !== '';
        if (code === 1000 || code === 1008 || code === 4001 || !canResume) {
            const isOver = code !== 1008 || _error?.code !== 105 || !canResume;
            if (isOver) {
                _entry = null;
                EventBus.emit('network:close', {code, error: _error});
                return;
            }
        }
        if (_heldUntil === 0) {
            _heldUntil = performance.now() + Config.SEAT_HELD * 1000;
        }
        EventBus.emit('network:cut', {heldUntil: _heldUntil});
        if (_isUnheard) {
            _isUnheard = false;
            EventBus.emit('network:unsent', {isSure: false});
        }
        _retry = window.setTimeout(_connect, Config.RECONNECT_DELAY * (_error?.code === 105 ? 5 : 1));
    }

    /** Drop the connection without any event. */
    function _drop() {
        window.clearTimeout(_retry);
        window.clearInterval(_pinging);
        const socket = _socket;
        _socket = null;
        socket?.close();
    }

    /**
     * Send a message; if there is no connection, an event says so.
     *
     * @param {string} type - Its type.
     * @param {{[key: string]: any}} [payload] - Its payload.
     */
    function send(type, payload) {
        const isNoted = !_UNNOTED.includes(type);
        if (_taker !== null) {
            _taker(type, payload);
        }
        else if (_socket?.readyState === WebSocket.OPEN) {
            _socket.send(JSON.stringify(payload === undefined ? {type} : {type, payload}));
            _isUnheard ||= isNoted;
        }
        else if (isNoted) {
            EventBus.emit('network:unsent', {isSure: true});
        }
    }

    /**
     * Let somebody else than the server have what is sent: a finished game is tried again.
     *
     * @param {Taker | null} taker - Takes it; null for the server.
     */
    function divert(taker) {
        _taker = taker;
    }

    /** Close the connection for good, and forget the session. */
    function close() {
        _drop();
        _entry = null;
        _sessionId = '';
    }

    /** Lose the connection as if the cable were cut, for tests. */
    function cut() {
        const socket = _socket;
        _socket = null;
        socket?.close(4000);
        _lose(1006);
    }

    return {
        open,
        send,
        divert,
        close,
        cut,
        /**
         * Is the connection open?
         *
         * @returns {boolean} Whether it does.
         */
        get isOpen() {
            return _socket?.readyState === WebSocket.OPEN;
        }
    };
})();
