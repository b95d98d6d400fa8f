/**
 * GameCards: the games at the entrance, each with its picture: one tap plays alone, another makes a table for friends.
 */
const GameCards = (() => {
    const _SHEET = '/images/games.svg';

    /**
     * Draw the picture of a game.
     *
     * @param {string} game - The game's name.
     * @returns {SVGSVGElement} Its picture; a game without files of its own gets that of the table.
     */
    function picture(game) {
        const name = Files.has(`game-${game}`) ? game : 'other';
        return Lib.drawing('svg', {class: 'game-picture', viewBox: '0 0 120 84', 'aria-hidden': 'true'},
            Lib.drawing('use', {href: Lib.symbol(`game-${name}`, _SHEET)}));
    }

    /**
     * List the games.
     *
     * @param {GameInfo[]} games - The games.
     * @param {(game: GameInfo) => void} alone - Plays one alone.
     * @param {(game: GameInfo) => void} friends - Makes a table for friends.
     * @returns {HTMLElement[]} The items of a list.
     */
    function draw(games, alone, friends) {
        return games.map(game => Lib.element('li', {class: 'game-card', dataset: {game: game.name}},
            _alone(game, alone), game.seats > 1 ? _friends(game, friends)
                : Lib.element('p', {class: 'game-friends', text: Texts.get('login.solo')})));
    }

    /**
     * @param {GameInfo} game - A game.
     * @param {(game: GameInfo) => void} act - Plays it alone.
     * @returns {HTMLElement} The picture, the name and what it is, as one large button.
     */
    function _alone(game, act) {
        const {summaries, title, seats} = game;
        const way = Texts.get(seats > 1 ? 'login.alone' : 'login.alone_solo');
        return Lib.element('button', {
            type: 'button', class: 'game-alone', on: {click: () => act(game)}
        },
        picture(game.name),
        Lib.element('strong', {text: title}),
        Lib.element('small', {text: summaries[Texts.language] ?? ''}),
        Lib.element('span', {class: 'button main', text: way}));
    }

    /**
     * @param {GameInfo} game - A game.
     * @param {(game: GameInfo) => void} act - Makes a table for friends.
     * @returns {HTMLElement} A button.
     */
    function _friends(game, act) {
        const text = Texts.get('login.friends');
        return Lib.element('button', {
            type: 'button', class: 'button plain game-friends', 'aria-label': `${game.title}: ${text}`,
            on: {click: () => act(game)}
        }, Lib.icon('friends'), Lib.element('span', {text}));
    }

    return {draw, picture};
})();
