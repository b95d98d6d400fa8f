/**
 * Rules: the page about a game: what it is, its rules with pictures, and the keys of its table.
 */
const Rules = (() => {
    /** The word for a gap in a picture. */
    const _GAP = '|';

    /** Show the rules, and lead to the tips, or to the short game from which one learns. */
    async function open() {
        const paragraphs = Words.rules.flatMap(({heading, text, picture = []}) => [
            Lib.element('h3', {text: heading}), _picture(picture), Lib.element('p', {text})
        ]).filter(part => part !== null);
        const name = Setup.game(Words.game)?.title;
        const title = Texts.get('rules.title');
        const answer = await Dialog.open({
            title: name === undefined ? title : `${name} · ${title}`, name: 'rules',
            content: [
                Lib.element('div', {
                    class: 'rules-text', tabindex: 0, role: 'group', 'aria-label': title
                }, Lib.element('p', {text: Words.summary}), ...paragraphs, ..._keys())
            ],
            actions: [..._ways(), {value: '', text: Texts.get('close'), kind: 'main'}]
        }).answer;
        if (answer === 'tips') {
            EventBus.emit('rules:tips');
        }
        else if (answer === 'tour') {
            EventBus.emit('lobbyView:start', {tour: true});
        }
    }

    /** @returns {DialogAction[]} What else can be done to learn the game here. */
    function _ways() {
        const {snapshot} = State;
        if (snapshot === null || snapshot.me < 0 || Words.tour === null) {
            return [];
        }
        const {is_running: isRunning, player_kinds: kinds, host_index: host} = snapshot.public_state;
        const isAlone = host === snapshot.me && kinds.every((kind, seat) => kind === 'ai' || seat === snapshot.me);
        const way = isRunning ? 'tips' : isAlone ? 'tour' : '';
        return way === '' ? [] : [{value: way, text: Texts.get(`rules.${way}`)}];
    }

    /**
     * @param {string[]} words - What is shown, in the words of the game, with gaps between.
     * @returns {HTMLElement | null} The picture; null if the game's table, which draws it, is not loaded.
     */
    function _picture(words) {
        const draw = Games.table(Words.game)?.picture;
        if (words.length === 0 || draw === undefined) {
            return null;
        }
        return Lib.element('div', {class: 'rules-picture', 'aria-hidden': 'true'},
            ...words.map(word => (
                Lib.element('span', {class: word === _GAP ? 'gap' : null}, word === _GAP ? null : draw(word)))));
    }

    /** @returns {HTMLElement[]} The keys of the table. */
    function _keys() {
        const keys = Words.shortcuts;
        return keys.length === 0 ? [] : [
            Lib.element('h3', {text: Texts.get('rules.keys')}),
            Lib.element('dl', {class: 'rules-keys'}, ...keys.flatMap(([key, use]) => [
                Lib.element('dt', {}, Lib.element('kbd', {text: key})), Lib.element('dd', {text: use})
            ]))
        ];
    }

    return {open};
})();
