/**
 * StayAwake: keeps the screen awake at a table if the device supports it.
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

    /** Hold the lock exactly while a table is visible. */
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
                // A device in battery saver mode refuses; the game continues without the lock.
            }
        }
    }

    return {init};
})();
