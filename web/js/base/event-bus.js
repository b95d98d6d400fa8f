/**
 * EventBus: carries messages between modules that do not know each other. An event's name is `sender:what`.
 */
const EventBus = (() => {
    /**
     * @callback Listener
     * @param {any} [payload] - The payload.
     * @returns {void}
     */

    /** @type {Map<string, Set<Listener>>} */
    const _listeners = new Map();

    /**
     * Listen to an event.
     *
     * @param {string} event - The event's name.
     * @param {Listener} listener - The listener.
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
     * Call all listeners of an event.
     *
     * @param {string} event - The event's name.
     * @param {any} [payload] - The event's context.
     */
    function emit(event, payload) {
        for (const listener of [...(_listeners.get(event) ?? [])]) {
            listener(payload);
        }
    }

    return {on, emit};
})();
