/**
 * MineView: the page of one's own games: with a key those of the person, else those of this device.
 *
 * Event: `mineKey:changed` (the person is another one, or has another name).
 *
 * @type {View & {open: () => Promise<void>}}
 */
const MineView = (() => {
    /** @type {HTMLElement} */
    let _content;

    /** Each drawing has a number: what an older one still waits for is not shown. */
    let _drawing = 0;

    EventBus.on('mineKey:changed', () => void _draw());

    /** Show the page, and first ask for the key that its address may carry. */
    async function open() {
        await MineKey.take();
        ViewManager.show(MineView);
    }

    /** Draw what the server knows of the person, or what this device knows. */
    async function _draw() {
        const drawing = ++_drawing;
        const isNews = () => drawing === _drawing;
        // Without a network, games have the names that they have in the files.
        await Setup.load().catch(() => null);
        if (Key.value() === '') {
            if (isNews()) {
                _content.replaceChildren(MineKey.offer(MyGames.list().length === 0), ..._local());
            }
            return;
        }
        try {
            const told = await (await Key.ask(`?language=${Texts.language}`)).json();
            if (isNews()) {
                _content.replaceChildren(MineKey.card(told.name), ..._own(told));
            }
        }
        catch (error) {
            if (error instanceof Lib.FetchError && error.status === 401) {
                Key.keep('');
                Lib.toast(Texts.get('mine.unknown'), 'error');
                await _draw();
            }
            else if (isNews()) {
                const text = MineKey.sentence(error);
                _content.replaceChildren(Lib.element('p', {class: 'card', role: 'alert', text}), ..._local());
            }
        }
    }

    /** @returns {HTMLElement[]} The games that were finished on this device. */
    function _local() {
        const games = MyGames.list();
        const kinds = [...new Set(games.map(({game}) => game))];
        return [
            _sums(kinds.map(kind => MineRows.sum(games.filter(({game}) => game === kind))), []),
            Lib.element('section', {class: 'card mine-list', 'aria-labelledby': 'mine-list-title'},
                Lib.element('h2', {id: 'mine-list-title', text: Texts.get('login.games')}),
                Lib.element('p', {class: 'mine-note', text: Texts.get('mine.note')}),
                _list(games),
                games.length === 0 ? null : Lib.element('button', {
                    type: 'button', class: 'button plain', text: Texts.get('mine.forget'), on: {click: _forget}
                }))
        ];
    }

    /**
     * @param {any} told - What the server tells of the person.
     * @returns {HTMLElement[]} What they have played.
     */
    function _own({kinds, companions, games}) {
        const list = _list(games.map(_translated));
        const section = Lib.element('section', {class: 'card mine-list', 'aria-labelledby': 'mine-list-title'},
            Lib.element('h2', {id: 'mine-list-title', text: Texts.get('login.games')}), list);
        const count = kinds.reduce((/** @type {number} */ sum, /** @type {MyKind} */ {tally}) => sum + tally.count, 0);
        if (games.length < count) {
            section.append(_older(list, games.at(-1).number, count));
        }
        return [_sums(kinds, companions), section];
    }

    /**
     * @param {MyKind[]} kinds - The sums by game.
     * @param {Companion[]} companions - The sums by who played along.
     * @returns {HTMLElement} Both; hidden if there is nothing.
     */
    function _sums(kinds, companions) {
        const isRated = kinds.some(({rating = null}) => rating !== null);
        return Lib.element('section', {class: 'card mine-sums', hidden: kinds.length === 0},
            Lib.element('ul', {class: 'mine-kinds'}, ...kinds.map(MineRows.kind)),
            isRated ? Lib.element('p', {class: 'mine-note', text: Texts.get('mine.strength_text')}) : null,
            companions.length === 0 ? null : Lib.element('h2', {text: Texts.get('mine.companions')}),
            companions.length === 0 ? null
                : Lib.element('ul', {class: 'mine-companions'}, ...companions.map(MineRows.companion)));
    }

    /**
     * @param {MyGame[]} games - Games.
     * @returns {HTMLElement} Their list, or that there are none.
     */
    function _list(games) {
        return games.length === 0
            ? Lib.element('p', {text: Texts.get('mine.nothing')})
            : Lib.element('ol', {class: 'mine-games'}, ...games.map(MineRows.game));
    }

    /**
     * @param {HTMLElement} list - The list of games.
     * @param {number} last - The number of the last game in it.
     * @param {number} count - How many there are in all.
     * @returns {HTMLElement} The button that adds older ones.
     */
    function _older(list, last, count) {
        let before = last;
        const button = Lib.element('button', {
            type: 'button', class: 'button plain', text: Texts.get('mine.more'), on: {click: async () => {
                button.disabled = true;
                try {
                    const {games} = await (await Key.ask(`/games?before=${before}`)).json();
                    list.append(...games.map(_translated).map(MineRows.game));
                    before = games.at(-1)?.number ?? 0;
                    button.hidden = games.length === 0 || list.childElementCount >= count;
                }
                catch (error) {
                    Lib.toast(MineKey.sentence(error), 'error');
                }
                button.disabled = false;
            }}
        });
        return button;
    }

    /**
     * @param {any} game - A game as the server tells it.
     * @returns {MyGame} The game as it is drawn.
     */
    function _translated({id, game, ended, me, players, points, verdict, has_replay: hasReplay}) {
        return {
            id, game, title: Setup.game(game)?.title ?? game, ended: 1000 * ended, me, verdict, seconds: null,
            others: players.filter((/** @type {string} */ _, /** @type {number} */ seat) => seat !== me),
            points: points.map(Lib.number), isGone: !hasReplay
        };
    }

    /** Ask whether to forget the games of this device, and do it. */
    async function _forget() {
        const answer = await Dialog.ask(Texts.get('mine.forget'), Texts.get('mine.forget_text'), [
            {value: 'forget', text: Texts.get('mine.forget'), kind: 'danger'},
            {value: '', text: Texts.get('mine.keep'), kind: 'main'}
        ]);
        if (answer === 'forget') {
            MyGames.forget();
            await _draw();
        }
    }

    return {
        name: 'mine-view',
        open,
        create() {
            _content = Lib.element('div', {class: 'mine-content'});
            const home = Texts.get('missing.home');
            return Lib.element('section', {class: 'mine', 'aria-labelledby': 'mine-title'},
                Lib.element('header', {},
                    Lib.element('a', {class: 'button icon-only', href: '/', 'aria-label': home, title: home},
                        Lib.icon('back')),
                    Lib.element('h1', {id: 'mine-title', text: Texts.get('mine.title')}),
                    SettingsDialog.button()),
                _content);
        },
        show() {
            document.title = `tisch · ${Texts.get('mine.title')}`;
            void _draw();
        },
        render() {
            // Nothing in it depends on a table's state.
        }
    };
})();
