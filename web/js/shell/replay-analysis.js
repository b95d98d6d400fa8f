/**
 * ReplayAnalysis: judges a finished game step by step, and shows the curve of the expected result and the mistakes.
 *
 * The server judges one step at a time, after its tables; the panel asks for one after the other while it is open.
 */

/**
 * A judged decision.
 *
 * @typedef {object} Decision
 * @property {number} number - The number of the step.
 * @property {number} seat
 * @property {string} move
 * @property {string | null} best - The best move; null is silence.
 * @property {number} expected - The expected payoff of the seat after the best move.
 * @property {number} lost - What the move that was made loses against it.
 * @property {number} error
 * @property {'' | 'inaccuracy' | 'mistake' | 'blunder'} mark
 */

/**
 * What the panel needs of the replay.
 *
 * @typedef {object} Analysed
 * @property {string} id - The game.
 * @property {number} steps - The number of moves.
 * @property {number[][]} sides - The seats of each side.
 * @property {string[]} names - The players' names.
 * @property {(move: string, number: number) => string} say - Puts a move of a step into words.
 * @property {(number: number) => void} go - Shows a step.
 */

const ReplayAnalysis = (() => {
    /** How long to wait when the server is busy, and how often to try in a row (milliseconds). */
    const _WAIT = 1000;
    const _TRIES = 30;
    const _WIDTH = 600;
    const _HEIGHT = 80;

    /**
     * Open the panel and begin.
     *
     * @param {Analysed} game - The game.
     * @returns {{element: HTMLElement, close: () => void}} The panel, and what ends the analysis.
     */
    function open(game) {
        /** @type {Decision[]} */
        const decisions = [];
        const label = Texts.get('analysis.progress');
        const progress = Lib.element('progress', {max: game.steps, value: 0, 'aria-label': label});
        const told = Lib.element('p', {class: 'analysis-told', role: 'status'});
        const curve = Lib.element('div', {class: 'analysis-curve'});
        const list = Lib.element('ol', {class: 'analysis-list', 'aria-label': Texts.get('analysis.mistakes')});
        const element = Lib.element('section', {class: 'analysis', 'aria-label': Texts.get('analysis.title')},
            progress, told, curve, list);
        let isOpen = true;

        const run = async () => {
            for (let number = 1; number <= game.steps && isOpen; number += 1) {
                const decision = await _ask(`/api/games/${game.id}/analysis/${number}`, () => isOpen);
                progress.value = number;
                if (decision !== null) {
                    decisions.push(decision);
                    curve.replaceChildren(_curve(game, decisions));
                    if (decision.mark !== '') {
                        list.append(_item(game, decision));
                    }
                }
            }
            progress.hidden = true;
            told.textContent = _summary(decisions);
        };
        run().catch(() => {
            told.textContent = Texts.get('analysis.failed');
        });
        return {
            element,
            close: () => {
                isOpen = false;
                element.remove();
            }
        };
    }

    /**
     * Ask for a step, again and again while the server is busy.
     *
     * @param {string} path - Where.
     * @param {() => boolean} isWanted - Is the answer still wanted?
     * @returns {Promise<Decision | null>} The decision; null if it was forced.
     */
    async function _ask(path, isWanted) {
        for (let tries = 1; ; tries += 1) {
            try {
                return (await Lib.fetchJson(path)).decision;
            }
            catch (error) {
                if (tries >= _TRIES || !isWanted()) {
                    throw error;
                }
            }
            await new Promise(resolve => {
                window.setTimeout(resolve, _WAIT);
            });
        }
    }

    /**
     * @param {Decision[]} decisions - All decisions.
     * @returns {string} How many of them were marked.
     */
    function _summary(decisions) {
        const count = (/** @type {string} */ mark) => decisions.filter(each => each.mark === mark).length;
        return Texts.get('analysis.summary', {
            decisions: decisions.length, inaccuracies: count('inaccuracy'), mistakes: count('mistake'),
            blunders: count('blunder')
        });
    }

    /**
     * @param {Analysed} game - The game.
     * @param {Decision} decision - A marked decision.
     * @returns {HTMLElement} Its line, which shows its step.
     */
    function _item(game, {number, seat, move, best, lost, mark}) {
        const text = Texts.get(`analysis.${mark}`, {
            number, name: game.names[seat], move: game.say(move, number),
            lost: lost.toLocaleString(Texts.language, {maximumFractionDigits: 2}),
            best: best === null ? Texts.get('analysis.silence') : game.say(best, number)
        });
        return Lib.element('li', {class: mark},
            Lib.element('button', {type: 'button', text, on: {click: () => game.go(number)}}));
    }

    /**
     * @param {Analysed} game - The game.
     * @param {Decision[]} decisions - What is judged so far.
     * @returns {Element} The curve: the expected result of the first side, or one line for each of several sides.
     */
    function _curve(game, decisions) {
        const isDuel = game.sides.length === 2;
        const sideOf = (/** @type {number} */ seat) => game.sides.findIndex(side => side.includes(seat));
        const points = decisions.map(({number, seat, expected, lost}) => {
            const side = sideOf(seat);
            const value = expected - lost;
            return {number, line: isDuel ? 0 : side, value: isDuel && side === 1 ? -value : value};
        });
        const most = Math.max(...points.map(({value}) => Math.abs(value)), 1e-9);
        const x = (/** @type {number} */ number) => number / Math.max(game.steps, 1) * _WIDTH;
        const y = (/** @type {number} */ value) => _HEIGHT / 2 - value / most * (_HEIGHT / 2 - 4);
        const lines = game.sides.map((_, side) => points.filter(({line}) => line === side))
            .filter(own => own.length > 0)
            .map((own, index) => Lib.drawing('polyline', {
                class: `line line-${index}`, points: own.map(({number, value}) => `${x(number)},${y(value)}`).join(' ')
            }));
        const marks = decisions.filter(({mark}) => mark !== '').map(({number, mark}) => Lib.drawing('line', {
            class: mark, x1: x(number), x2: x(number), y1: 0, y2: _HEIGHT
        }));
        const zero = Lib.drawing('line', {class: 'zero', x1: 0, x2: _WIDTH, y1: _HEIGHT / 2, y2: _HEIGHT / 2});
        return Lib.drawing('svg', {
            viewBox: `0 0 ${_WIDTH} ${_HEIGHT}`, preserveAspectRatio: 'none', role: 'img',
            'aria-label': Texts.get(isDuel ? 'analysis.curve' : 'analysis.curves', {name: _named(game, 0)})
        }, zero, ...marks, ...lines);
    }

    /**
     * @param {Analysed} game - The game.
     * @param {number} side - A side.
     * @returns {string} The names of its players.
     */
    function _named(game, side) {
        return game.sides[side].map(seat => game.names[seat]).join(', ');
    }

    return {open};
})();
