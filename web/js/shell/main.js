/**
 * The way in: sets everything up and lets the app controller begin.
 */
(() => {
    for (const sheet of ['/images/icons.svg', '/images/games.svg']) {
        // Without a network there is nothing to draw them with; everything else works.
        Lib.keepSheet(sheet).catch(() => {});
    }
    SettingsDialog.apply();
    EventBus.on('user:settings', SettingsDialog.apply);
    for (const query of ['(prefers-color-scheme: dark)', '(prefers-reduced-motion: reduce)']) {
        window.matchMedia(query).addEventListener('change', SettingsDialog.apply);
    }
    new ResizeObserver(ViewManager.fit).observe(Lib.byId('screen'));
    ConnectionBanner.init();
    Tabs.init();
    StayAwake.init();
    MyGames.init();
    Calling.init();
    Bot.init();
    AppController.init();
    if ('serviceWorker' in navigator) {
        window.addEventListener('load', () => {
            navigator.serviceWorker.register('/service-worker.js').catch(() => {});
        });
    }
})();
