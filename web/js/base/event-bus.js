/**
 * EventBus: carries messages between modules that do not know each other. An event's name is `sender:what`.
 */
const EventBus = (() => {
    /**
     * @callback Listener
     * @param {any} [payload] - What belongs to the event.
     * @returns {void}
     */

    /** @type {Map<string, Set<Listener>>} */
    const _listeners = new Map();

    /**
     * Listen to an event.
     *
     * @param {string} event - The event's name.
     * @param {Listener} listener - Who is called.
     * @returns {() => void} Ends the listening.
     */
    function on(event, listener) {
        const listeners = _listeners.get(event) ?? new Set();
        _listeners.set(event, listeners.add(listener));
        return () => {
            listeners.delete(listener);
        };
    }

    /**
     * Tell an event to all who listen.
     *
     * @param {string} event - The event's name.
     * @param {any} [payload] - What belongs to it.
     */
    function emit(event, payload) {
        for (const listener of [...(_listeners.get(event) ?? [])]) {
            listener(payload);
        }
    }

    return {on, emit};
})();
