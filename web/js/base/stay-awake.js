/**
 * StayAwake: keeps the screen awake at a table, where the device can do that.
 */
const StayAwake = (() => {
    /** @type {WakeLockSentinel | null} */
    let _lock = null;

    /** Follow the views. */
    function init() {
        EventBus.on('viewManager:shown', _follow);
        // The browser takes the lock away when the page is hidden.
        document.addEventListener('visibilitychange', _follow);
    }

    /** Hold the lock exactly at a table that is seen. */
    async function _follow() {
        const isWanted = State.snapshot !== null && document.visibilityState === 'visible';
        if (!isWanted) {
            const lock = _lock;
            _lock = null;
            await lock?.release();
        }
        else if ((_lock === null || _lock.released) && 'wakeLock' in navigator) {
            try {
                _lock = await navigator.wakeLock.request('screen');
            }
            catch {
                // A device that saves its battery refuses; the game goes on all the same.
            }
        }
    }

    return {init};
})();
