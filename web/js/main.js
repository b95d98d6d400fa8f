/**
 * The way in: sets everything up and lets the app controller begin.
 */
(() => {
    SettingsDialog.apply();
    EventBus.on('user:settings', SettingsDialog.apply);
    window.matchMedia('(prefers-reduced-motion: reduce)').addEventListener('change', SettingsDialog.apply);
    window.addEventListener('resize', ViewManager.fit);
    ConnectionBanner.init();
    Tabs.init();
    StayAwake.init();
    Bot.init();
    AppController.init();
    if ('serviceWorker' in navigator) {
        window.addEventListener('load', () => {
            navigator.serviceWorker.register('/service-worker.js').catch(() => {});
        });
    }
})();
