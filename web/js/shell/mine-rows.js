/**
 * MineRows: draws the rows of the page of one's own games: games, and sums by game and by who played along.
 */

/**
 * @typedef {{count: number, won: number, lost: number}} Tally
 */

/**
 * What is told of the games of a kind.
 *
 * @typedef {object} MyKind
 * @property {string} game
 * @property {string} [title] - The game's title, where the server cannot tell it.
 * @property {Tally} tally
 * @property {number | null} [rating]
 * @property {number | null} [deviation]
 * @property {{[agent: string]: number}} [agents] - The ratings of agents by their names.
 * @property {number | null} [best] - The shortest time of a game for one that was won, in seconds.
 */

/**
 * @typedef {{name: string, together: Tally, against: Tally}} Companion
 */

const MineRows = (() => {
    /**
     * Sum up the games of a kind that are kept on this device.
     *
     * @param {MyGame[]} games - The games.
     * @returns {MyKind} What is told of them.
     */
    function sum(games) {
        const won = games.filter(({verdict}) => verdict === 'won');
        const lost = games.filter(({verdict}) => verdict === 'lost');
        const times = won.filter(({others}) => others.length === 0).flatMap(({seconds}) => seconds ?? []);
        return {
            game: games[0]?.game ?? '', title: games[0]?.title ?? '',
            tally: {count: games.length, won: won.length, lost: lost.length},
            best: times.length === 0 ? null : Math.min(...times)
        };
    }

    /**
     * @param {MyKind} kind - The games of a kind.
     * @returns {HTMLElement} Their sum.
     */
    function kind({game: name, title, tally: {won, count}, rating = null, deviation = null, agents = {}, best = null}) {
        const rivals = Object.entries(agents).map(([agent, value]) => `${agent} ${value}`).join(' · ');
        const rate = Math.round(100 * won / count);
        // With 95 %, the true value lies within twice the deviation.
        const strength = {rating: rating ?? 0, deviation: 2 * (deviation ?? 0)};
        return Lib.element('li', {},
            GameCards.picture(name),
            Lib.element('div', {},
                Lib.element('strong', {text: Setup.game(name)?.title ?? title ?? name}),
                Lib.element('span', {text: Texts.get('mine.rate', {won, count, rate})}),
                rating === null ? null : Lib.element('span', {text: Texts.get('mine.strength', strength)}),
                rivals === '' ? null : Lib.element('small', {text: Texts.get('mine.agents', {agents: rivals})}),
                best === null ? null : Lib.element('span', {text: Texts.get('mine.best', {time: _time(best)})})));
    }

    /**
     * @param {Companion} companion - Somebody who played along.
     * @returns {HTMLElement} The results with them.
     */
    function companion({name, together, against}) {
        const tell = (/** @type {string} */ key, /** @type {Tally} */ {won, count}) => (
            count === 0 ? null : Lib.element('span', {text: Texts.get(key, {won, count})}));
        return Lib.element('li', {},
            Lib.element('strong', {text: name || Texts.get('mine.somebody')}),
            tell('mine.together', together), tell('mine.against', against));
    }

    /**
     * @param {MyGame} game - A game.
     * @returns {HTMLElement} Its row.
     */
    function game({id, title, ended, others, verdict, points, seconds, isGone = false}) {
        const clock = seconds === null ? '' : _time(seconds);
        const date = new Date(ended).toLocaleString(Texts.language, {dateStyle: 'medium', timeStyle: 'short'});
        const names = others.map(name => name || Texts.get('mine.somebody')).join(', ');
        const against = others.length === 0 ? '' : Texts.get('mine.with', {names});
        const result = [Texts.get(`mine.${verdict}`), others.length === 0 ? clock : score(points)]
            .filter(part => part !== '').join(' · ');
        const replay = isGone ? Lib.element('small', {text: Texts.get('mine.gone')}) : Lib.element('a', {
            class: 'button plain', href: `/replay/${id}`, text: Texts.get('mine.replay'),
            'aria-label': `${Texts.get('mine.replay')}: ${title}, ${date}`
        });
        return Lib.element('li', {class: verdict},
            Lib.element('div', {},
                Lib.element('strong', {text: title}),
                Lib.element('span', {class: 'verdict', text: result}),
                Lib.element('small', {text: [date, against].filter(part => part !== '').join(' · ')})),
            replay);
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

    return {sum, kind, companion, game, score};
})();
