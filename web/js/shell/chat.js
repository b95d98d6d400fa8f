/**
 * Chat: the phrases that can be said with one tap; and where the host allows it, words of one's own, with what was said
 * before, which can be reported, and people who can be muted.
 */
Texts.add({
    de: {
        'watch.delayed': 'Du siehst alles später; der Anfang erscheint in {seconds|einer Sekunde|# Sekunden}.',
        'watch.open': 'Zuschauer sehen alle Karten, {seconds|eine Sekunde|# Sekunden} später.',
        'chat.words': 'Zuletzt gesagt',
        'chat.own': 'Eigene Worte',
        'chat.send': 'Sagen',
        'chat.hint': 'Eine Zeile, keine Links. Nichts davon wird aufbewahrt.',
        'chat.report': 'Melden',
        'chat.report_named': 'Melden: was {name} gesagt hat',
        'chat.reported': 'Gemeldet. Der Betreiber des Servers kann es lesen.',
        'chat.mute': 'Stumm',
        'chat.mute_named': 'Stumm: {name}',
        'chat.muted': '{name} ist auf diesem Gerät stumm.',
        'chat.hear': 'Wieder hören',
        'chat.hear_named': 'Wieder hören: {name}'
    },
    en: {
        'watch.delayed': 'You see everything later; the beginning appears in {seconds|a second|# seconds}.',
        'watch.open': 'Spectators see all hands, {seconds|a second|# seconds} later.',
        'chat.words': 'Said lately',
        'chat.own': 'Your own words',
        'chat.send': 'Say',
        'chat.hint': 'One line, no links. None of it is kept.',
        'chat.report': 'Report',
        'chat.report_named': 'Report what {name} said',
        'chat.reported': 'Reported. The operator of the server can read it.',
        'chat.mute': 'Mute',
        'chat.mute_named': 'Mute {name}',
        'chat.muted': '{name} is muted on this device.',
        'chat.hear': 'Unmute',
        'chat.hear_named': 'Unmute {name}'
    }
});

const Chat = (() => {
    const {element} = Lib;
    /** The longest words, and how much of what was said is shown. */
    const _LONGEST = 200;
    const _SHOWN = 30;

    /** Show the phrases; the one that is tapped is said. */
    async function open() {
        const {phrases} = await Setup.load();
        const isFree = State.snapshot?.public_state.table_options.free_chat === true;
        const {element: dialog, answer} = Dialog.open({
            title: Texts.get('chat'), name: 'phrases',
            content: isFree ? [_words(), ..._ownWords()] : [],
            actions: [
                ...phrases.map(value => ({value, text: Texts.get(`chat.${value}`)})),
                {value: '', text: Texts.get('close'), kind: 'main'}
            ]
        });
        dialog.querySelector('.said-words')?.lastElementChild?.scrollIntoView({block: 'nearest'});
        const phrase = await answer;
        if (phrase !== '') {
            EventBus.emit('tableView:chat', {phrase});
        }
    }

    /** @returns {HTMLElement} What was said lately, but for those who are muted. */
    function _words() {
        const list = element('ol', {class: 'said-words', 'aria-label': Texts.get('chat.words')});
        const draw = () => {
            const words = State.log.filter(({event, context}) => (
                event === 'said' && !Said.isMuted(context.player_name)));
            list.replaceChildren(
                ...words.slice(-_SHOWN).map(({context}) => _said(context, draw)),
                ...Said.muted().map(name => _muted(name, draw)));
            list.hidden = list.childElementCount === 0;
        };
        draw();
        return list;
    }

    /**
     * @param {any} context - What was said.
     * @param {() => void} draw - Draws the list anew.
     * @returns {HTMLElement} It, and what can be done about it.
     */
    function _said({player_index: seat, player_name: name, text, words}, draw) {
        const isOwn = seat === State.snapshot?.me;
        const report = _button('chat.report', 'chat.report_named', name, () => {
            report.disabled = true;
            EventBus.emit('tableView:report', {number: words});
        });
        return element('li', {},
            element('span', {}, element('strong', {text: name}), ` ${text}`),
            isOwn || (State.snapshot?.me ?? -1) < 0 ? null : report,
            isOwn ? null : _button('chat.mute', 'chat.mute_named', name, () => {
                Said.mute(name, true);
                draw();
            }));
    }

    /**
     * @param {string} name - Somebody who is muted.
     * @param {() => void} draw - Draws the list anew.
     * @returns {HTMLElement} That they are, and what ends it.
     */
    function _muted(name, draw) {
        return element('li', {}, element('span', {text: Texts.get('chat.muted', {name})}),
            _button('chat.hear', 'chat.hear_named', name, () => {
                Said.mute(name, false);
                draw();
            }));
    }

    /**
     * @param {string} key - The key of its text.
     * @param {string} label - The key of what it does.
     * @param {string} name - To whom.
     * @param {() => void} act - Does it.
     * @returns {HTMLButtonElement} A button.
     */
    function _button(key, label, name, act) {
        return element('button', {
            type: 'button', class: 'button plain', text: Texts.get(key), 'aria-label': Texts.get(label, {name}),
            on: {click: act}
        });
    }

    /** @returns {HTMLElement[]} Where one's own words are written; nothing for who only watches. */
    function _ownWords() {
        if ((State.snapshot?.me ?? -1) < 0) {
            return [];
        }
        const input = element('input', {
            id: 'chat-text', maxlength: _LONGEST, autocomplete: 'off', enterkeyhint: 'send'
        });
        const send = () => {
            const text = input.value.trim();
            if (text === '') {
                input.focus();
                return;
            }
            EventBus.emit('tableView:say', {text});
            input.closest('dialog')?.close('');
        };
        input.addEventListener('keydown', event => {
            if (event.key === 'Enter') {
                // The form would say its first phrase.
                event.preventDefault();
                send();
            }
        });
        return [
            element('label', {for: 'chat-text', text: Texts.get('chat.own')}),
            element('div', {class: 'own-words'}, input,
                element('button', {
                    type: 'button', class: 'button main', text: Texts.get('chat.send'), on: {click: send}
                })),
            element('p', {class: 'hint', text: Texts.get('chat.hint')})
        ];
    }

    return {open};
})();
