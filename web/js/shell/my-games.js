/**
 * MyGames: the games that were finished on this device, with their results; nothing of it leaves the device.
 */

/**
 * A finished game.
 *
 * @typedef {object} MyGame
 * @property {string} id - By which its replay is found.
 * @property {string} game
 * @property {string} title - The game's title.
 * @property {number} ended - When, in milliseconds since 1970.
 * @property {string[]} others - The other players.
 * @property {'won' | 'lost' | 'over'} verdict
 * @property {string[]} points - By seat.
 * @property {number} me
 * @property {number | null} seconds - How long it took, if this page saw its beginning.
 */

const MyGames = (() => {
    const _KEY = 'mygames';
    const _BEGUN = 'begun';
    /** The most games that the device keeps. */
    const _MOST = 200;

    /** Listen to the table. */
    function init() {
        EventBus.on('app:event', ({event, context}) => {
            if (event === 'game_started') {
                User.remember(_BEGUN, {session: User.session?.sessionId ?? '', at: Date.now()});
            }
            else if (event === 'game_over') {
                _enter(context);
            }
        });
    }

    /** @returns {MyGame[]} The games, the latest first. */
    function list() {
        return User.recall(_KEY) ?? [];
    }

    /** @param {any} outcome - The end of a game, as the server tells it. */
    function _enter(outcome) {
        const {snapshot} = State;
        if (snapshot === null || snapshot.me < 0 || list().some(({id}) => id === outcome.game_id)) {
            return;
        }
        const {me, public_state: {game, player_names: names}} = snapshot;
        const begun = User.recall(_BEGUN);
        const isKnown = begun !== null && begun.session === (User.session?.sessionId ?? '');
        /** @type {MyGame} */
        const entry = {
            id: outcome.game_id, game, title: Setup.game(game)?.title ?? game, ended: Date.now(), me,
            others: names.filter((_, seat) => seat !== me),
            verdict: Result.verdict(outcome.payoff, me), points: outcome.points.map(Lib.number),
            seconds: isKnown ? Math.round((Date.now() - begun.at) / 1000) : null
        };
        User.remember(_KEY, [entry, ...list()].slice(0, _MOST));
    }

    /**
     * Sum up the games of a kind.
     *
     * @param {MyGame[]} games - The games.
     * @returns {{count: number, won: number, best: number | null}} How many, how many of them were won, and the
     *     shortest time in seconds of a game for one that was won.
     */
    function sum(games) {
        const won = games.filter(({verdict}) => verdict === 'won');
        const times = won.filter(({others}) => others.length === 0).flatMap(({seconds}) => seconds ?? []);
        return {count: games.length, won: won.length, best: times.length === 0 ? null : Math.min(...times)};
    }

    /** Show the games. */
    async function open() {
        const games = list();
        const kinds = [...new Set(games.map(({game}) => game))];
        const nothing = games.length === 0 ? Lib.element('p', {text: Texts.get('mine.nothing')}) : null;
        const answer = await Dialog.open({
            title: Texts.get('mine.title'), name: 'my-games',
            content: [
                Lib.element('p', {class: 'mine-note', text: Texts.get('mine.note')}),
                nothing ?? Lib.element('ul', {class: 'mine-kinds'}, ...kinds.map(kind => (
                    _kind(games.filter(({game}) => game === kind))))),
                Lib.element('ol', {class: 'mine-games', hidden: nothing !== null}, ...games.map(_game))
            ],
            actions: [
                ...nothing === null
                    ? [/** @type {DialogAction} */ ({value: 'forget', text: Texts.get('mine.forget')})] : [],
                {value: '', text: Texts.get('close'), kind: 'main'}
            ]
        }).answer;
        if (answer === 'forget' && await _isSure()) {
            User.remember(_KEY, null);
        }
    }

    /** @returns {Promise<boolean>} Does the user want to forget all games? */
    async function _isSure() {
        return await Dialog.ask(Texts.get('mine.forget'), Texts.get('mine.forget_text'), [
            {value: 'forget', text: Texts.get('mine.forget'), kind: 'danger'},
            {value: '', text: Texts.get('mine.keep'), kind: 'main'}
        ]) === 'forget';
    }

    /**
     * @param {MyGame[]} games - All games of a kind.
     * @returns {HTMLElement} Their sum.
     */
    function _kind(games) {
        const {count, won, best} = sum(games);
        const rate = Math.round(100 * won / count);
        return Lib.element('li', {},
            GameCards.picture(games[0].game),
            Lib.element('div', {},
                Lib.element('strong', {text: games[0].title}),
                Lib.element('span', {text: Texts.get('mine.rate', {won, count, rate})}),
                best === null ? null : Lib.element('span', {text: Texts.get('mine.best', {time: _time(best)})})));
    }

    /**
     * @param {MyGame} game - A game.
     * @returns {HTMLElement} Its row.
     */
    function _game({id, title, ended, others, verdict, points, seconds}) {
        const clock = seconds === null ? '' : _time(seconds);
        const date = new Date(ended).toLocaleString(Texts.language, {dateStyle: 'medium', timeStyle: 'short'});
        const against = others.length === 0 ? '' : Texts.get('mine.with', {names: others.join(', ')});
        const result = [Texts.get(`mine.${verdict}`), others.length === 0 ? clock : score(points)]
            .filter(part => part !== '').join(' · ');
        return Lib.element('li', {class: verdict},
            Lib.element('div', {},
                Lib.element('strong', {text: title}),
                Lib.element('span', {class: 'verdict', text: result}),
                Lib.element('small', {text: [date, against].filter(part => part !== '').join(' · ')})),
            Lib.element('a', {
                class: 'button plain', href: `/replay/${id}`, text: Texts.get('mine.replay'),
                'aria-label': `${Texts.get('mine.replay')}: ${title}, ${date}`
            }));
    }

    /**
     * @param {string[]} points - The points by seat.
     * @returns {string} The score; of partners, who have the same, once.
     */
    function score(points) {
        const half = points.length / 2;
        const areTeams = points.length > 2 && points.every((own, seat) => own === points[(seat + half) % (2 * half)]);
        return points.slice(0, areTeams ? half : undefined).join(' : ');
    }

    /**
     * @param {number} seconds - A time.
     * @returns {string} Minutes and seconds, as a clock shows them.
     */
    function _time(seconds) {
        return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    }

    return {init, list, sum, score, open};
})();
