/**
 * Key: the personal key of this device, if it has one. The games of a seat are its person's from the moment when the
 * server knows both.
 */
const Key = (() => {
    const _KEPT = 'key';
    const _HEADER = 'Tisch-Key';

    /** The session that the server has put together with the key. */
    let _seated = '';

    /** Listen to the table. */
    function init() {
        EventBus.on('app:event', ({event, context}) => {
            if (event === 'game_started' || event === 'player_joined' && context.session_id !== undefined) {
                void sit();
            }
        });
    }

    /** @returns {string} The key; empty without one. */
    function value() {
        return User.recall(_KEPT) ?? '';
    }

    /**
     * Keep a key on this device, instead of the one before.
     *
     * @param {string} key - The key; empty forgets it.
     */
    function keep(key) {
        User.remember(_KEPT, key || null);
        _seated = '';
    }

    /** @returns {{[header: string]: string}} The header that shows the key. */
    function shown() {
        return {[_HEADER]: value()};
    }

    /**
     * Ask the server for something of one's own.
     *
     * @param {string} path - What, behind `/api/me`.
     * @param {{method?: string, body?: any, key?: string}} [options] - How, and with which key.
     * @returns {Promise<Response>} The answer. It fails with a FetchError, or with an error of the network.
     */
    async function ask(path, {method = 'GET', body, key = value()} = {}) {
        const response = await fetch(`/api/me${path}`, {
            method, headers: key === '' ? {} : {[_HEADER]: key}, cache: 'no-store',
            body: body === undefined ? null : JSON.stringify(body)
        });
        if (!response.ok) {
            throw new Lib.FetchError(path, response.status);
        }
        return response;
    }

    /** Let the games of the own seat be one's own; without an answer, the next game tries again. */
    async function sit() {
        const session = User.session?.sessionId ?? '';
        if (value() === '' || session === '' || session === _seated) {
            return;
        }
        try {
            await ask('/seat', {method: 'POST', body: {session_id: session}});
            _seated = session;
        }
        catch {
            // The page of the own games says what is wrong with the key.
        }
    }

    return {init, value, keep, shown, ask, sit};
})();
