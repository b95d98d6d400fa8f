/**
 * The way in: sets everything up and shows the first view.
 */
(() => {
    Texts.choose(User.settings.language);
    window.addEventListener('resize', ViewManager.fit);
    AppController.init();
    Bot.init();
    ViewManager.show(LoginView);
})();
