/**
 * SettingsDialog: language, light, deck, sound and motion, and in a game the host's ways with the people at the table;
 * each change holds at once.
 */
const SettingsDialog = (() => {
    /** @type {[keyof Settings, string[]][]} */
    const _CHOICES = [
        ['language', ['auto', 'de', 'en']],
        ['theme', ['auto', 'bright', 'dark']],
        ['deck', ['four-colour', 'two-colour', 'colour-safe']],
        ['motion', ['auto', 'full', 'reduced']]
    ];

    /** @returns {HTMLElement} A button that shows the dialog. */
    function button() {
        return Lib.iconButton('settings', Texts.get('settings'), open);
    }

    /** Show the dialog; without a network, without the pictures to choose from. */
    async function open() {
        const portraits = await Files.load('portraits').then(() => PortraitChoice.draw(), () => null);
        Dialog.open({
            title: Texts.get('settings'), name: 'settings',
            content: [portraits, ..._CHOICES.map(([name, values]) => _choice(name, values)), _sound(), Seating.menu()]
                .filter(part => part !== null),
            actions: [{value: '', text: Texts.get('close'), kind: 'main'}]
        });
    }

    /**
     * @param {keyof Settings} name - The option's name.
     * @param {string[]} values - The possible values.
     * @returns {HTMLElement} A row of radio buttons.
     */
    function _choice(name, values) {
        const chosen = User.settings[name];
        return Lib.element('fieldset', {},
            Lib.element('legend', {text: Texts.get(`settings.${name}`)}),
            Lib.element('div', {class: 'segments'}, ...values.map(value => Lib.element('label', {},
                Lib.element('input', {
                    type: 'radio', name, value, checked: value === chosen,
                    on: {change: () => void _change({[name]: value})}
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

    /** @param {Partial<Settings>} change - The changes. */
    async function _change(change) {
        User.change(change);
        if (change.language !== undefined) {
            const [name, value] = Object.entries(change)[0];
            document.querySelector('dialog.settings')?.remove();
            await open();
            // The dialog is a new one: restore the keyboard focus.
            /** @type {HTMLElement | null} */
            (document.querySelector(`dialog.settings input[name="${name}"][value="${value}"]`))?.focus();
        }
    }

    /** Apply the settings to the page. */
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
     * @param {string} chosen - The user's choice; `auto` leaves it to the device.
     * @param {string} query - The media query.
     * @param {string} yes - The value if the query matches.
     * @param {string} no - The value if it does not.
     * @returns {string} The resulting value.
     */
    function _resolved(chosen, query, yes, no) {
        if (chosen !== 'auto') {
            return chosen;
        }
        return window.matchMedia(query).matches ? yes : no;
    }

    return {button, open, apply};
})();
