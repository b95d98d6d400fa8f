/**
 * Tabs: lets the tabs of one browser detect each other, so that a new tab does not take over a seat in use.
 */
const Tabs = (() => {
    /** How long another tab has to answer (milliseconds). */
    const _PATIENCE = 250;

    const _channel = 'BroadcastChannel' in window ? new BroadcastChannel('tisch') : null;

    /** Answer other tabs that ask about our seat. */
    function init() {
        _channel?.addEventListener('message', ({data}) => {
            if (data.asked !== undefined && data.asked === User.session?.sessionId && Network.isOpen) {
                _channel.postMessage({held: data.asked});
            }
        });
    }

    /**
     * Ask whether another tab plays at a seat.
     *
     * @param {string} sessionId - The seat's session.
     * @returns {Promise<boolean>} Whether one does.
     */
    function isHeld(sessionId) {
        const channel = _channel;
        if (channel === null) {
            return Promise.resolve(false);
        }
        return new Promise(resolve => {
            const hear = (/** @type {MessageEvent} */ {data}) => {
                if (data.held === sessionId) {
                    end(true);
                }
            };
            const end = (/** @type {boolean} */ result) => {
                channel.removeEventListener('message', hear);
                resolve(result);
            };
            channel.addEventListener('message', hear);
            channel.postMessage({asked: sessionId});
            window.setTimeout(end, _PATIENCE, false);
        });
    }

    return {init, isHeld};
})();
