/**
 * The way in: sets everything up and lets the app controller begin.
 */
(() => {
    // Without a network there is nothing to draw pictures with; everything else works.
    Files.load('shell').catch(() => {});
    SettingsDialog.apply();
    EventBus.on('user:settings', SettingsDialog.apply);
    for (const query of ['(prefers-color-scheme: dark)', '(prefers-reduced-motion: reduce)']) {
        window.matchMedia(query).addEventListener('change', SettingsDialog.apply);
    }
    const sizes = new ResizeObserver(ViewManager.fit);
    sizes.observe(Lib.byId('screen'));
    // As wide as a letter.
    sizes.observe(Lib.byId('announcer'));
    ConnectionBanner.init();
    Tabs.init();
    StayAwake.init();
    MyGames.init();
    Key.init();
    Calling.init();
    Bot.init();
    AppController.init();
    if ('serviceWorker' in navigator) {
        window.addEventListener('load', () => {
            navigator.serviceWorker.register('/service-worker.js').catch(() => {});
        });
    }
})();
