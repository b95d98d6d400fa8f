/**
 * SettingsDialog: language, light, deck, sound and motion; each change holds at once.
 */
const SettingsDialog = (() => {
    /** @type {[keyof Settings, string[]][]} */
    const _CHOICES = [
        ['language', ['auto', 'de', 'en']],
        ['theme', ['auto', 'bright', 'dark']],
        ['deck', ['four-colour', 'colour-safe']],
        ['motion', ['auto', 'full', 'reduced']]
    ];

    /** @returns {HTMLElement} A button that shows the dialog. */
    function button() {
        return Lib.iconButton('settings', Texts.get('settings'), open);
    }

    /** Show the dialog. */
    function open() {
        Dialog.open({
            title: Texts.get('settings'), name: 'settings',
            content: [..._CHOICES.map(([name, values]) => _choice(name, values)), _sound()],
            actions: [{value: '', text: Texts.get('close'), kind: 'main'}]
        });
    }

    /**
     * @param {keyof Settings} name - What is set.
     * @param {string[]} values - What it may be.
     * @returns {HTMLElement} A row of radio buttons.
     */
    function _choice(name, values) {
        const chosen = User.settings[name];
        return Lib.element('fieldset', {},
            Lib.element('legend', {text: Texts.get(`settings.${name}`)}),
            Lib.element('div', {class: 'segments'}, ...values.map(value => Lib.element('label', {},
                Lib.element('input', {
                    type: 'radio', name, value, checked: value === chosen,
                    on: {change: () => _change({[name]: value})}
                }),
                Lib.element('span', {text: Texts.get(`settings.${name}.${value}`)})))));
    }

    /** @returns {HTMLElement} The volume, and the switch that mutes. */
    function _sound() {
        const volume = Lib.element('input', {
            type: 'range', id: 'settings-volume', min: 0, max: 100, step: 5, value: User.settings.volume,
            on: {change: () => User.change({volume: Number(volume.value), muted: false})}
        });
        const muted = Lib.element('input', {
            type: 'checkbox', checked: User.settings.muted,
            on: {change: () => User.change({muted: muted.checked})}
        });
        return Lib.element('div', {class: 'sound'},
            Lib.element('label', {for: volume.id, text: Texts.get('settings.volume')}), volume,
            Lib.element('label', {class: 'check'}, muted, Lib.element('span', {text: Texts.get('settings.muted')})));
    }

    /** @param {Partial<Settings>} change - What changes. */
    function _change(change) {
        User.change(change);
        if (change.language !== undefined) {
            const [name, value] = Object.entries(change)[0];
            document.querySelector('dialog.settings')?.remove();
            open();
            // The dialog is a new one: who uses the keyboard goes on where he was.
            /** @type {HTMLElement | null} */
            (document.querySelector(`dialog.settings input[name="${name}"][value="${value}"]`))?.focus();
        }
    }

    /** Let the page look as it is set. */
    function apply() {
        const {language, theme, deck, motion} = User.settings;
        const root = document.documentElement;
        Texts.choose(language);
        root.dataset.theme = _resolved(theme, '(prefers-color-scheme: dark)', 'dark', 'bright');
        root.dataset.deck = deck;
        root.dataset.letters = Texts.language === 'de' ? 'german' : 'english';
        root.dataset.motion = _resolved(motion, '(prefers-reduced-motion: reduce)', 'reduced', 'full');
    }

    /**
     * @param {string} chosen - What the user chose; `auto` leaves it to his device.
     * @param {string} query - What the device is asked.
     * @param {string} yes - What holds if it says so.
     * @param {string} no - What holds if not.
     * @returns {string} What holds.
     */
    function _resolved(chosen, query, yes, no) {
        if (chosen !== 'auto') {
            return chosen;
        }
        return window.matchMedia(query).matches ? yes : no;
    }

    return {button, open, apply};
})();
