/**
 * SettingsDialog: language, brightness, deck, sound and motion.
 */
const SettingsDialog = (() => {
    /** Show the dialog. */
    function open() {
        Dialog.open({title: '', actions: []});
    }

    return {open};
})();
