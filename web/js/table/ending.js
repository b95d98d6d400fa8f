/**
 * Ending: the story of a game that is over: the curve of the points, what each player did, and what decided it; and a
 * picture of it to be shared. The story is the game's, told by the events of the whole game, which the server has.
 */

/**
 * @typedef {{event: string, context: any, step: number}} GameEvent
 */

/**
 * The story of a game, as its own file tells it.
 *
 * @typedef {object} Story
 * @property {string} title - Who has won, for whoever sees the picture.
 * @property {{name: string, points: string, isBest: boolean}[]} standings - How the seats or sides stand, best first.
 * @property {{title: string, lines: {name: string, values: number[]}[], ends?: number[], turn?: number}} [curve] - How
 *     the points grew; `ends` are the steps by which all values but the first were reached, `turn` is the place of the
 *     turning point among the values, once it is known.
 * @property {{heads: string[], rows: {label: string, values: string[]}[]}} [facts] - What each player did.
 * @property {string[]} moments - What decided the game, in sentences.
 * @property {{title: string, hands: {name: string, pictures: SVGSVGElement[]}[], isApart?: boolean}} [cards] - Hands
 *     worth a look, in the picture only. Tiles are seen only if they lie apart.
 * @property {() => SVGSVGElement} [drawing] - Draws what the table shows itself, for the picture only.
 * @property {string} [note] - What the table says itself, for the picture only.
 */

const Ending = (() => {
    const {element, drawing} = Lib;

    /** The curve's room, and the space round it for its numbers, in units of the drawing. */
    const _WIDTH = 600;
    const _HEIGHT = 220;
    const _EDGE = 16;

    /**
     * Draw a story, with a button that shares its picture.
     *
     * @param {Story} story - The story.
     * @param {string} game - The game's name.
     * @returns {HTMLElement[]} Its parts.
     */
    function make(story, game) {
        return [...draw(story), _share(story, game)];
    }

    /**
     * Draw a story.
     *
     * @param {Story} story - The story.
     * @returns {HTMLElement[]} Its parts.
     */
    function draw({curve, facts, moments}) {
        return [
            ...curve === undefined || curve.lines[0].values.length < 3 ? [] : [_curve(curve)],
            ...facts === undefined ? [] : [_facts(facts)],
            ...moments.length === 0 ? [] : [
                element('ul', {class: 'story-moments'}, ...moments.map(text => element('li', {text})))]
        ];
    }

    /**
     * @param {NonNullable<Story['curve']>} curve - The points.
     * @returns {HTMLElement} The curve.
     */
    function _curve({title, lines}) {
        const told = lines.map(({name, values}) => `${name}: ${values.map(Lib.number).join(', ')}`).join('. ');
        const at = scale(lines.map(({values}) => values), _WIDTH, _HEIGHT, _EDGE);
        const zero = at(0, 0).y;
        return element('figure', {class: 'story-curve'},
            element('figcaption', {}, element('span', {text: title}), ...lines.map(({name}, index) => (
                element('span', {class: 'story-name', dataset: {line: index + 1}, text: name})))),
            element('div', {class: 'story-lines'},
                drawing('svg', {viewBox: `0 0 ${_WIDTH} ${_HEIGHT}`, role: 'img', 'aria-label': told},
                    drawing('line', {class: 'story-zero', x1: 0, x2: _WIDTH, y1: zero, y2: zero}),
                    ...lines.map(({values}, index) => drawing('polyline', {
                        'data-line': index + 1,
                        'points': values.map((value, step) => at(step, value)).map(({x, y}) => `${x},${y}`).join(' ')
                    })))));
    }

    /**
     * Look for the turning point of a game whose story is drawn, and show it: as a sentence, and on the curve.
     *
     * @param {HTMLElement} drawn - Where the story is drawn.
     * @param {Story} story - The story.
     * @param {number | string} game - The finished game.
     * @param {number} last - Its last step.
     */
    async function turn(drawn, story, game, last) {
        const line = element('p', {class: 'story-turn', text: Texts.get('story.turn.sought')});
        drawn.querySelector('.share-story')?.before(line);
        const found = await Turning.find(game, story.curve, last, () => drawn.isConnected);
        if (found === null) {
            line.textContent = Texts.get('story.turn.none');
            return;
        }
        const {decision: {number, seat}, sentence, at} = found;
        const href = `/replay/${game}#${number}-${seat}`;
        line.replaceChildren(element('a', {href, text: sentence}));
        story.moments.push(sentence);
        const lines = drawn.querySelector('.story-lines');
        if (lines !== null && at !== null && story.curve !== undefined) {
            story.curve.turn = at;
            const {x} = scale(story.curve.lines.map(({values}) => values), _WIDTH, _HEIGHT, _EDGE)(at, 0);
            const mark = element('a', {
                class: 'story-mark', href, title: sentence, 'aria-label': Texts.get('story.turn.mark')
            });
            mark.style.left = `${100 * x / _WIDTH}%`;
            lines.append(mark);
        }
    }

    /**
     * Say where the points of a curve lie.
     *
     * @param {number[][]} lines - The values of each line.
     * @param {number} width - The room across.
     * @param {number} height - The room down.
     * @param {number} edge - The space that is left free at each side.
     * @returns {(step: number, value: number) => {x: number, y: number}} Where a value of a step lies.
     */
    function scale(lines, width, height, edge) {
        const all = [0, ...lines.flat()];
        const [least, most] = [Math.min(...all), Math.max(...all)];
        const steps = Math.max(1, ...lines.map(({length}) => length - 1));
        return (step, value) => ({
            x: edge + (width - 2 * edge) * step / steps,
            y: height - edge - (height - 2 * edge) * (value - least) / Math.max(1, most - least)
        });
    }

    /**
     * @param {NonNullable<Story['facts']>} facts - What each player did.
     * @returns {HTMLElement} The table.
     */
    function _facts({heads, rows}) {
        return element('div', {class: 'story-facts', tabindex: 0}, element('table', {},
            element('thead', {}, element('tr', {}, element('td'), ...heads.map(text => (
                element('th', {scope: 'col', text, title: text}))))),
            element('tbody', {}, ...rows.map(({label, values}) => element('tr', {},
                element('th', {scope: 'row', text: label}), ...values.map(text => element('td', {text})))))));
    }

    /**
     * @param {Story} story - The story.
     * @param {string} game - The game's name.
     * @returns {HTMLElement} The button that shares its picture, or keeps it where nothing can be shared.
     */
    function _share(story, game) {
        const key = Picture.mayShare() ? 'story.share' : 'story.save';
        return element('button', {
            type: 'button', class: 'button plain share-story',
            on: {click: () => Picture.share(story, game).catch(() => Lib.toast(Texts.get('story.failed'), 'error'))}
        }, Lib.icon('share'), element('span', {text: Texts.get(key)}));
    }

    /**
     * Join names as people do.
     *
     * @param {string[]} all - The names.
     * @returns {string} Such as "Ben, Kim und Max".
     */
    function names(all) {
        return new Intl.ListFormat(Texts.language, {type: 'conjunction'}).format(all);
    }

    /**
     * Say who has won.
     *
     * @param {string[]} winners - Their names.
     * @returns {string} The sentence, without a full stop.
     */
    function won(winners) {
        return Texts.get('story.won', {names: names(winners), count: winners.length});
    }

    /**
     * Say since when the winners were ahead.
     *
     * @param {number[]} ahead - By how much they were ahead, before the first round and after each.
     * @param {string[]} winners - Their names.
     * @param {string} [round] - What a round is called in this game.
     * @returns {string[]} The sentence; none for a game of one round.
     */
    function lead(ahead, winners, round = Texts.get('story.round')) {
        const since = ahead.map(points => points <= 0).lastIndexOf(true) + 1;
        const values = {names: names(winners), count: winners.length, round, number: since};
        return ahead.length < 3 || since >= ahead.length ? []
            : [Texts.get(since === 1 ? 'story.always' : 'story.lead', values)];
    }

    /**
     * Add up.
     *
     * @param {number[]} values - Some numbers.
     * @returns {number[]} 0, and the sum of the first of them, of the first two, and so on.
     */
    function sums(values) {
        let sum = 0;
        return [0, ...values.map(value => sum += value)];
    }

    /**
     * Say by which steps something happened.
     *
     * @param {GameEvent[]} events - All events of the game.
     * @param {string} name - The name of those that count.
     * @returns {number[]} The steps.
     */
    function ends(events, name) {
        return events.filter(({event}) => event === name).map(({step}) => step);
    }

    return {make, draw, turn, scale, names, won, lead, sums, ends};
})();
