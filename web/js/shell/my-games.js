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
 * @property {boolean} [isGone] - Is its replay no longer kept?
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

    /** Forget all games. */
    function forget() {
        User.remember(_KEY, null);
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

    return {init, list, forget};
})();
