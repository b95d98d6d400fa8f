/**
 * Tabs: lets the tabs of one browser know of each other, so that a new one does not take a seat that another plays at.
 */
const Tabs = (() => {
    /** How long another tab has to answer (milliseconds). */
    const _PATIENCE = 250;

    const _channel = 'BroadcastChannel' in window ? new BroadcastChannel('tisch') : null;

    /** Answer other tabs that ask for the own seat. */
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
