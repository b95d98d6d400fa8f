/**
 * ReplayAnalysis: judges a finished game step by step, and shows what was expected at each of them, and the mistakes.
 *
 * The server judges one step at a time, after its tables; the panel asks for one after the other while it is open.
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
 * @property {(number: number, isOpen?: boolean) => void} go - Shows a step, with all hands open or one's own only.
 * @property {() => number} seat - Whose view is shown.
 * @property {(number: number, position: Position, take: (message: Message) => void) => void} attempt - Lets the user
 *     act at the table before a step.
 */

const ReplayAnalysis = (() => {
    const _WIDTH = 600;
    const _HEIGHT = 80;

    /**
     * Open the panel and begin.
     *
     * @param {Analysed} game - The game.
     * @param {number} first - The step that is shown.
     * @returns {{element: HTMLElement, show: (step: number) => void, close: () => void}} The panel, what tells it that
     *     another step is shown, and what ends the analysis.
     */
    function open(game, first) {
        /** @type {Map<number, Decision | null>} */
        const judged = new Map();
        const progress = Lib.element('progress', {
            max: game.steps, value: 0, 'aria-label': Texts.get('analysis.progress')
        });
        // Only its end is announced: a sentence for each step would talk all the time.
        const counted = Lib.element('p', {class: 'analysis-counted'});
        const told = Lib.element('p', {class: 'analysis-told', role: 'status'});
        const here = Lib.element('p', {class: 'analysis-here', role: 'status'});
        const curve = Lib.element('div', {
            'class': 'analysis-curve', 'role': 'slider', 'tabindex': 0, 'aria-label': Texts.get('analysis.step'),
            'aria-valuemin': 0, 'aria-valuemax': game.steps
        });
        const list = Lib.element('ol', {class: 'analysis-list', 'aria-label': Texts.get('analysis.mistakes')});
        const only = Lib.element('input', {type: 'checkbox', on: {change: () => drawList()}});
        const onlyName = Lib.element('span');
        const learn = Lib.element('button', {
            type: 'button', class: 'button', text: Texts.get('lesson.title'), disabled: true, on: {click: () => teach()}
        });
        const tools = Lib.element('div', {class: 'analysis-tools'}, Lib.element('label', {}, only, onlyName), learn);
        const element = Lib.element('section', {class: 'analysis', 'aria-label': Texts.get('analysis.title')},
            progress, counted, told, here, curve, _caption(game), tools, list);
        let step = first;
        let isOpen = true;
        let isOver = false;

        const own = () => _marked(judged).filter(({seat}) => seat === game.seat());
        const drawList = () => {
            onlyName.textContent = Texts.get('analysis.only', {name: game.names[game.seat()]});
            learn.disabled = !isOver || own().length === 0;
            Parts.keep(list, (only.checked ? own() : _marked(judged)).map(each => (
                {key: String(each.number), draw: () => _item(game, each)})));
        };
        const teach = () => {
            const asked = own().map(each => _lesson(game, _decisions(judged), each))
                .filter(({made, best}) => made !== best);
            const end = () => {
                game.go(step);
                element.classList.remove('is-lesson');
                lesson.remove();
                learn.focus();
            };
            const lesson = ReplayLessons.make({
                ...game, name: game.names[game.seat()], best: decision => _best(game, decision),
                rounded: value => _rounded(value, 'never')
            }, asked, end);
            element.classList.add('is-lesson');
            element.prepend(lesson);
        };
        const draw = () => {
            const sentence = _here(game, judged, step);
            if (here.textContent !== sentence) {
                here.textContent = sentence;
            }
            curve.replaceChildren(..._curve(game, _decisions(judged), _marked(judged), step));
            curve.setAttribute('aria-valuenow', String(step));
            curve.setAttribute('aria-valuetext', `${step}: ${sentence}`);
        };
        const show = (/** @type {number} */ number) => {
            step = number;
            draw();
            drawList();
            for (const button of list.querySelectorAll('button')) {
                const isShown = Number(button.dataset.step) === step;
                button.setAttribute('aria-current', isShown ? 'step' : 'false');
                if (isShown) {
                    button.scrollIntoView({block: 'nearest'});
                }
            }
        };
        const run = async () => {
            for (let number = 1; number <= game.steps && isOpen; number += 1) {
                const decision = await Judging.ask(game.id, number, () => isOpen);
                judged.set(number, decision);
                progress.value = number;
                counted.textContent = Texts.get('analysis.judged', {number, steps: game.steps});
                drawList();
                draw();
            }
            isOver = true;
            drawList();
            told.textContent = _summary(_decisions(judged).length, _marked(judged));
        };
        run().catch(() => {
            told.textContent = Texts.get('analysis.failed');
        }).finally(() => {
            progress.hidden = true;
            counted.hidden = true;
        });
        show(step);
        curve.addEventListener('click', ({clientX}) => {
            const {left, width} = curve.children[0].getBoundingClientRect();
            game.go(Math.round((clientX - left) / width * game.steps));
        });
        curve.addEventListener('keydown', event => {
            const to = _turn(event.key, step, game.steps, _marked(judged).map(({number}) => number));
            if (to !== null) {
                event.preventDefault();
                game.go(to);
            }
        });
        return {
            element,
            show,
            close: () => {
                isOpen = false;
                element.remove();
            }
        };
    }

    /**
     * Say where a key leads on the curve: to the next step, to the next mistake, to either end.
     *
     * @param {string} key - The key.
     * @param {number} step - The step that is shown.
     * @param {number} last - The last one.
     * @param {number[]} marked - The steps that were mistakes.
     * @returns {number | null} The step; null if the key means nothing here.
     */
    function _turn(key, step, last, marked) {
        /** @type {{[key: string]: number}} */
        const to = {
            ArrowLeft: step - 1, ArrowDown: step - 1, ArrowRight: step + 1, ArrowUp: step + 1, Home: 0, End: last,
            PageUp: marked.find(number => number > step) ?? last,
            PageDown: [...marked].reverse().find(number => number < step) ?? 0
        };
        return key in to ? Math.min(last, Math.max(0, to[key])) : null;
    }

    /**
     * @param {Analysed} game - The game.
     * @param {Decision[]} decisions - All decisions.
     * @param {Decision} decision - A marked decision.
     * @returns {Lesson} A question about it. It is asked where the decision began.
     */
    function _lesson(game, decisions, decision) {
        const {number, seat, move, best, lost} = decision;
        const own = decisions.filter(each => each.seat === seat);
        let first = own.indexOf(decision);
        while (own[first - 1]?.goes_on === true) {
            first -= 1;
        }
        return {
            number: own[first].number, at: number, move, made: game.say(move, number), best: _best(game, decision),
            isSilence: best === null, lost
        };
    }

    /**
     * @param {Map<number, Decision | null>} judged - What is judged so far.
     * @returns {Decision[]} The decisions among it.
     */
    function _decisions(judged) {
        return [...judged.values()].filter(each => each !== null);
    }

    /**
     * @param {Map<number, Decision | null>} judged - What is judged so far.
     * @returns {Decision[]} The marked decisions among it, each mistake once.
     */
    function _marked(judged) {
        const counted = new Set(Judging.once(_decisions(judged)));
        return _decisions(judged).filter(each => each.mark !== '' && counted.has(each));
    }

    /**
     * @param {number} decisions - The number of decisions.
     * @param {Decision[]} marked - Those that were marked.
     * @returns {string} How many they are.
     */
    function _summary(decisions, marked) {
        const count = (/** @type {string} */ mark) => marked.filter(each => each.mark === mark).length;
        return Texts.get('analysis.summary', {
            decisions, inaccuracies: count('inaccuracy'), mistakes: count('mistake'), blunders: count('blunder')
        });
    }

    /**
     * @param {number} value - A payoff, or a loss.
     * @param {'always' | 'never'} [sign] - Whether its sign is written.
     * @returns {string} Its two leading digits: what comes after them is noise.
     */
    function _rounded(value, sign = 'always') {
        const digits = {maximumSignificantDigits: 2, signDisplay: sign};
        return value.toLocaleString(Texts.language, digits).replace('-', '−');
    }

    /**
     * @param {Analysed} game - The game.
     * @param {Map<number, Decision | null>} judged - What is judged so far.
     * @param {number} step - A step.
     * @returns {string} What is thought of it.
     */
    function _here(game, judged, step) {
        const decision = judged.get(step);
        if (step === 0 || decision === undefined) {
            return Texts.get(step === 0 ? 'analysis.begin' : 'analysis.waiting');
        }
        if (decision === null) {
            return Texts.get('analysis.forced');
        }
        const {seat, move, best, expected, lost} = decision;
        return Texts.get(move === best ? 'analysis.best' : 'analysis.other', {
            name: game.names[seat], value: _rounded(expected - lost), expected: _rounded(expected),
            best: _best(game, decision)
        });
    }

    /**
     * @param {Analysed} game - The game.
     * @param {Decision} decision - A decision.
     * @returns {string} Its best move in words.
     */
    function _best(game, {best, number}) {
        return best === null ? Texts.get('analysis.silence') : game.say(best, number);
    }

    /**
     * @param {Analysed} game - The game.
     * @param {Decision} decision - A marked decision.
     * @returns {HTMLElement} Its line, which shows its step.
     */
    function _item(game, decision) {
        const {number, seat, move, lost, mark, certain} = decision;
        const text = Texts.get(`analysis.${mark}`, {
            number, name: game.names[seat], move: game.say(move, number), lost: _rounded(lost, 'never'),
            best: _best(game, decision), certain: certain ? Texts.get('analysis.certain') : ''
        });
        return Lib.element('li', {class: mark},
            Lib.element('button', {type: 'button', 'data-step': number, text, on: {click: () => game.go(number)}}));
    }

    /**
     * @param {Analysed} game - The game.
     * @returns {HTMLElement} What the curve shows; if it has several lines, whose they are.
     */
    function _caption(game) {
        const isDuel = game.sides.length === 2;
        const payoff = Words.has('analysis', 'payoff') ? Words.get('analysis', 'payoff') : '';
        const text = [Texts.get(isDuel ? 'analysis.curve' : 'analysis.curves', {name: _named(game, 0)}), payoff]
            .filter(part => part !== '').join(': ');
        const keys = isDuel ? [] : game.sides.map((_, side) => Lib.element('span', {class: 'analysis-key'},
            Lib.drawing('svg', {viewBox: '0 0 24 4', 'aria-hidden': 'true'},
                Lib.drawing('polyline', {class: `line line-${side}`, points: '0,2 24,2'})), _named(game, side)));
        return Lib.element('p', {class: 'analysis-caption'}, Lib.element('span', {text}), ...keys);
    }

    /**
     * Seats with different cards expect different things: a line is the mean of what its seats expected last.
     *
     * @param {Analysed} game - The game.
     * @param {Decision[]} decisions - What is judged so far.
     * @returns {{number: number, line: number, value: number}[]} The points of the first side's line, to which all
     *     seats contribute, or of the lines of several sides.
     */
    function _points(game, decisions) {
        const isDuel = game.sides.length === 2;
        /** @type {Map<number, number>[]} What the seats of each line expected last. */
        const latest = game.sides.map(() => new Map());
        return decisions.map(({number, seat, expected, lost}) => {
            const side = game.sides.findIndex(seats => seats.includes(seat));
            const line = isDuel ? 0 : side;
            latest[line].set(seat, (expected - lost) * (isDuel && side === 1 ? -1 : 1));
            const all = [...latest[line].values()];
            return {number, line, value: all.reduce((sum, each) => sum + each, 0) / all.length};
        });
    }

    /**
     * @param {Analysed} game - The game.
     * @param {Decision[]} decisions - What is judged so far.
     * @param {Decision[]} marked - The mistakes among it.
     * @param {number} step - The step that is shown.
     * @returns {Element[]} The curve of the expected payoff of the first side, or one for each of several sides, and
     *     the ends of its scale.
     */
    function _curve(game, decisions, marked, step) {
        const points = _points(game, decisions);
        const most = Math.max(...points.map(({value}) => Math.abs(value)), 1e-9);
        const x = (/** @type {number} */ number) => number / Math.max(game.steps, 1) * _WIDTH;
        const y = (/** @type {number} */ value) => _HEIGHT / 2 - value / most * (_HEIGHT / 2 - 4);
        const upright = (/** @type {string} */ kind, /** @type {number} */ number) =>
            Lib.drawing('line', {class: kind, x1: x(number), x2: x(number), y1: 0, y2: _HEIGHT});
        const lines = game.sides.map((_, side) => ({side, own: points.filter(({line}) => line === side)}))
            .filter(({own}) => own.length > 0)
            .map(({side, own}) => Lib.drawing('polyline', {
                class: `line line-${side}`, points: own.map(({number, value}) => `${x(number)},${y(value)}`).join(' ')
            }));
        const marks = marked.map(({number, mark}) => upright(mark, number));
        const zero = Lib.drawing('line', {class: 'zero', x1: 0, x2: _WIDTH, y1: _HEIGHT / 2, y2: _HEIGHT / 2});
        const drawn = Lib.drawing('svg', {
            viewBox: `0 0 ${_WIDTH} ${_HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true'
        }, zero, ...marks, upright('here', step), ...lines);
        const ends = points.length === 0 ? [] : [most, -most].map(value =>
            Lib.element('span', {class: 'analysis-end', 'aria-hidden': 'true', text: _rounded(value)}));
        return [drawn, ...ends];
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
