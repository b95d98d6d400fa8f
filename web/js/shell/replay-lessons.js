/**
 * ReplayLessons: learns from the mistakes of one seat: shows the position before each, lets the user make a move of
 * their own at the table, says how it compares, and shows the better move.
 */

/**
 * A mistake to learn from.
 *
 * @typedef {object} Lesson
 * @property {number} number - The number of the step where the decision began.
 * @property {number} at - The number of the step that was the mistake.
 * @property {string} move - The move that was made.
 * @property {string} made - The same in words.
 * @property {string} best - The best move in words.
 * @property {boolean} isSilence - Was it the best to do nothing?
 * @property {number} lost - What the move that was made loses.
 */

/**
 * What the lessons need of the replay.
 *
 * @typedef {object} Taught
 * @property {string} id - The game.
 * @property {string} name - The player who made the mistakes.
 * @property {(move: string, number: number) => string} say - Puts a move of a step into words.
 * @property {(decision: Decision) => string} best - Puts the best move of a decision into words.
 * @property {(value: number) => string} rounded - Writes a loss.
 * @property {(number: number) => void} go - Shows a step.
 * @property {(number: number, position: Position, take: (message: Message) => void) => void} attempt - Lets the user
 *     act at the table before a step.
 */

/**
 * What a table would have sent.
 *
 * @typedef {{type: string, payload?: {[key: string]: any}}} Message
 */

const ReplayLessons = (() => {
    const {element} = Lib;

    /**
     * @param {string} key - The key of a button's text.
     * @param {() => void} act - What it does.
     * @param {string} [kind] - Of which kind it is.
     * @returns {HTMLButtonElement} The button.
     */
    function _button(key, act, kind = 'plain') {
        return element('button', {type: 'button', class: `button ${kind}`, text: Texts.get(key), on: {click: act}});
    }

    /**
     * Ask about mistakes, one after the other.
     *
     * @param {Taught} game - The game.
     * @param {Lesson[]} lessons - The mistakes, at least one.
     * @param {() => void} end - Called when the user wants no more.
     * @returns {HTMLElement} Where it is asked.
     */
    function make(game, lessons, end) {
        const told = element('p', {class: 'lesson-told', role: 'status'});
        const choices = element('div', {class: 'lesson-choices'});
        let right = 0;
        /** Only the first try at a position counts. */
        let tried = -1;
        const show = (/** @type {HTMLElement[]} */ ...buttons) => {
            choices.replaceChildren(...buttons);
            buttons[0]?.focus();
        };
        const answer = (/** @type {number} */ index, /** @type {string} */ sentence, isRight = false) => {
            const {number, at} = lessons[index];
            right += Number(isRight && tried < index);
            tried = Math.max(tried, index);
            told.textContent = sentence;
            game.go(number - 1);
            const isLast = index === lessons.length - 1;
            show(_button(isLast ? 'lesson.sum' : 'lesson.next', () => isLast ? sum() : void ask(index + 1), 'main'),
                ...isRight ? [] : [_button('lesson.again', () => void ask(index))], _button('lesson.leave', end));
            void _explain(game.id, at, told, sentence);
        };
        const attempt = async (/** @type {number} */ index, /** @type {Message} */ message) => {
            told.textContent = Texts.get('lesson.judging');
            choices.replaceChildren();
            const query = new URLSearchParams({try: JSON.stringify(message)});
            const path = `/api/games/${game.id}/analysis/${lessons[index].number}?${query}`;
            try {
                const {decision, tried: moves} = await Lib.fetchJson(path);
                answer(index, _compared(game, lessons[index], moves, decision), decision?.mark === '');
            }
            catch {
                told.textContent = Texts.get('lesson.failed');
                game.go(lessons[index].number - 1);
                show(_button('lesson.again', () => void ask(index), 'main'), _button('lesson.leave', end));
            }
        };
        const ask = async (/** @type {number} */ index) => {
            const lesson = lessons[index];
            const shown = () => answer(index, Texts.get('lesson.shown', {
                best: lesson.best, made: lesson.made, lost: game.rounded(lesson.lost)
            }));
            told.textContent = Texts.get('lesson.ask', {at: index + 1, count: lessons.length, name: game.name});
            const {isSilence, best} = lesson;
            const silent = () => answer(index, Texts.get(isSilence ? 'lesson.silence' : 'lesson.shown', {
                best, made: lesson.made, lost: game.rounded(lesson.lost)
            }), isSilence);
            try {
                const position = await Lib.fetchJson(`/api/games/${game.id}/view/${lesson.number}`);
                game.attempt(lesson.number, position, message => void attempt(index, message));
                show(...position.request === null ? [_button('lesson.silent', silent)] : [],
                    _button('lesson.show', shown), _button('lesson.leave', end));
            }
            catch {
                told.textContent = Texts.get('lesson.failed');
                show(_button('lesson.again', () => void ask(index), 'main'), _button('lesson.leave', end));
            }
        };
        const sum = () => {
            told.textContent = Texts.get('lesson.end', {right, count: lessons.length});
            show(_button('close', end, 'main'));
        };
        const made = element('section', {class: 'lesson', 'aria-label': Texts.get('lesson.title')}, told, choices);
        void ask(0);
        return made;
    }

    /**
     * @param {Taught} game - The game.
     * @param {Lesson} lesson - A mistake.
     * @param {string[]} moves - The moves that the user tried.
     * @param {Decision | null} decision - What is thought of them.
     * @returns {string} How they compare with the move that was made and with the best one.
     */
    function _compared(game, lesson, moves, decision) {
        const move = moves.map((text, index) => game.say(text, lesson.number + index)).join(', ');
        if (decision === null) {
            return Texts.get('lesson.shown', {
                best: lesson.best, made: lesson.made, lost: game.rounded(lesson.lost)
            });
        }
        const {lost, mark} = decision;
        const isMade = moves.includes(lesson.move);
        const key = lost <= 0 ? 'best' : mark === '' ? 'good' : isMade ? 'same' : 'worse';
        return Texts.get(`lesson.${key}`, {
            move, best: game.best(decision), lost: game.rounded(lost <= 0 ? lesson.lost : lost)
        });
    }

    /**
     * Add why, if the strongest agent can say it.
     *
     * @param {string} id - The game.
     * @param {number} number - The step.
     * @param {HTMLElement} told - Where it is said.
     * @param {string} sentence - What is said there; nothing is added to anything else.
     */
    async function _explain(id, number, told, sentence) {
        const path = `/api/games/${id}/advice/${number}?language=${Texts.language}`;
        const {reason} = await Lib.fetchJson(path).catch(() => ({reason: ''}));
        if (reason && told.textContent === sentence) {
            told.textContent = `${sentence} ${reason}`;
        }
    }

    return {make};
})();
