/**
 * Calling: calls the user who looks elsewhere when it is their turn or somebody sits down: by the title, the badge of
 * the installed application, and, if they allowed it, a notification. After a long wait the device vibrates.
 */
const Calling = (() => {
    const _TAG = 'tisch';
    const _ASKED = 'calling.asked';
    /** After how long a wait the device vibrates although the page is looked at (milliseconds). */
    const _LONG = 5000;
    const _BUZZ = [90, 60, 90];

    let _isOurs = false;
    let _waitingSince = 0;
    /** Did the user miss a turn while other people waited? */
    let _hasMissed = false;

    /** Listen to the table. */
    function init() {
        EventBus.on('app:state', _follow);
        EventBus.on('app:event', ({event, context}) => {
            if (event === 'player_joined' && context.public_state === undefined && !State.isRunning) {
                _call(Texts.get('joined', {name: context.player_name}));
            }
        });
        EventBus.on('viewManager:shown', _calm);
        document.addEventListener('visibilitychange', () => {
            if (!document.hidden) {
                _calm();
                _offer();
            }
        });
    }

    /** @param {Snapshot} snapshot - The table. */
    function _follow(snapshot) {
        const {me, public_state: {awaiting, is_running: isRunning, presences, player_kinds: kinds}} = snapshot;
        const isOurs = isRunning && awaiting.includes(me) && presences[me] !== 'away';
        if (isOurs && !_isOurs) {
            const isLong = performance.now() - _waitingSince > _LONG;
            if (document.hidden) {
                _hasMissed = kinds.filter(kind => kind === 'human').length > 1;
                _call(Texts.get('your_turn'));
            }
            else if (isLong && _waitingSince > 0 && !User.settings.muted) {
                navigator.vibrate?.(_BUZZ);
            }
        }
        if (!isOurs && _isOurs) {
            _waitingSince = performance.now();
            _calm();
        }
        _isOurs = isOurs;
    }

    /** @param {string} text - What happened. */
    function _call(text) {
        if (!document.hidden || Config.BOT) {
            return;
        }
        document.title = `● ${text}`;
        void navigator.setAppBadge?.().catch(() => {});
        void _notify(text);
    }

    /** @param {string} text - What a notification says, if they are allowed. */
    async function _notify(text) {
        if (!('Notification' in window) || Notification.permission !== 'granted') {
            return;
        }
        const worker = await navigator.serviceWorker?.getRegistration();
        const table = State.snapshot?.public_state.table_name ?? '';
        const options = {body: table, tag: _TAG, icon: '/images/icon-192.png', vibrate: _BUZZ, renotify: true};
        // The user may be back by now.
        if (document.hidden) {
            await worker?.showNotification(text, options).catch(() => {});
        }
    }

    /** The user looks at the page, or has moved: nobody needs to call any longer. */
    function _calm() {
        if (document.hidden) {
            return;
        }
        if (document.title.startsWith('●')) {
            document.title = Texts.get('title');
        }
        void navigator.clearAppBadge?.().catch(() => {});
        void navigator.serviceWorker?.getRegistration()
            .then(worker => worker?.getNotifications({tag: _TAG}))
            .then(shown => shown?.forEach(notification => notification.close()));
    }

    /** Ask once whether to notify, when the user comes back to people who waited for them. */
    function _offer() {
        const isOpen = 'Notification' in window && Notification.permission === 'default' && !User.recall(_ASKED);
        if (!_hasMissed || !isOpen) {
            return;
        }
        _hasMissed = false;
        User.remember(_ASKED, true);
        void Dialog.ask(Texts.get('calling.title'), Texts.get('calling.text'), [
            {value: '', text: Texts.get('calling.no')}, {value: 'yes', text: Texts.get('calling.yes'), kind: 'main'}
        ]).then(answer => answer === 'yes' ? Notification.requestPermission() : undefined);
    }

    return {init};
})();
