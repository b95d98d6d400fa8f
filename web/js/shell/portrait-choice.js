/**
 * PortraitChoice: where people choose the picture by which the others see them.
 */
const PortraitChoice = (() => {
    Texts.add({
        de: {
            'settings.portrait': 'Dein Bild',
            'settings.portrait.none': 'ohne Bild',
            'settings.portrait.fox': 'Fuchs',
            'settings.portrait.owl': 'Eule',
            'settings.portrait.bear': 'Bär',
            'settings.portrait.cat': 'Katze',
            'settings.portrait.hare': 'Hase',
            'settings.portrait.badger': 'Dachs',
            'settings.portrait.frog': 'Frosch',
            'settings.portrait.hedgehog': 'Igel',
            'settings.portrait.penguin': 'Pinguin',
            'settings.portrait.mouse': 'Maus'
        },
        en: {
            'settings.portrait': 'Your picture',
            'settings.portrait.none': 'no picture',
            'settings.portrait.fox': 'fox',
            'settings.portrait.owl': 'owl',
            'settings.portrait.bear': 'bear',
            'settings.portrait.cat': 'cat',
            'settings.portrait.hare': 'hare',
            'settings.portrait.badger': 'badger',
            'settings.portrait.frog': 'frog',
            'settings.portrait.hedgehog': 'hedgehog',
            'settings.portrait.penguin': 'penguin',
            'settings.portrait.mouse': 'mouse'
        }
    });

    /** @returns {HTMLElement | null} A row of pictures to choose from; null before they are known. */
    function draw() {
        const all = Setup.known?.portraits ?? [];
        const own = User.settings.portrait;
        return all.length === 0 ? null : Lib.element('fieldset', {class: 'portraits'},
            Lib.element('legend', {text: Texts.get('settings.portrait')}),
            Lib.element('div', {class: 'segments'}, ...['', ...all].map(name => Lib.element('label', {},
                Lib.element('input', {
                    type: 'radio', name: 'portrait', value: name, checked: name === own,
                    'aria-label': Texts.get(`settings.portrait.${name || 'none'}`),
                    on: {change: () => User.change({portrait: name})}
                }),
                name === '' ? Lib.element('span', {text: Lib.initial(User.name) || '–'}) : Portraits.draw(name)))));
    }

    return {draw};
})();
