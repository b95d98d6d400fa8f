/**
 * ReplayLessons: learns from the mistakes of one seat: shows the position before each, asks which of two moves is
 * better, the one that was made or the best one, and says how much it brings.
 */

/**
 * A question about a mistake.
 *
 * @typedef {object} Lesson
 * @property {number} number - The number of the step.
 * @property {string} made - The move that was made, in words.
 * @property {string} best - The best move in words.
 * @property {string} lost - What the move that was made loses.
 */

const ReplayLessons = (() => {
    const {element} = Lib;

    /**
     * Ask about mistakes, one after the other.
     *
     * @param {Lesson[]} lessons - The questions, at least one.
     * @param {string} name - The player who made the mistakes.
     * @param {(number: number, isOpen?: boolean) => void} go - Shows a step, with all hands open or one's own only.
     * @param {() => void} end - Called when the user wants no more.
     * @returns {HTMLElement} Where it is asked.
     */
    function make(lessons, name, go, end) {
        const told = element('p', {class: 'lesson-told', role: 'status'});
        const choices = element('div', {class: 'lesson-choices'});
        let right = 0;
        const next = (/** @type {string} */ text, /** @type {() => void} */ act) => element('button', {
            type: 'button', class: 'button main', text, on: {click: act}
        });
        const show = (/** @type {HTMLElement[]} */ ...buttons) => {
            choices.replaceChildren(...buttons);
            buttons[0].focus();
        };
        const ask = (/** @type {number} */ index) => {
            const lesson = lessons[index];
            const {number, made, best} = lesson;
            go(number - 1, false);
            told.textContent = Texts.get('lesson.ask', {at: index + 1, count: lessons.length, name});
            const answer = (/** @type {boolean} */ isRight) => {
                right += Number(isRight);
                told.textContent = Texts.get(isRight ? 'lesson.right' : 'lesson.wrong', {best, lost: lesson.lost});
                go(number);
                const isLast = index === lessons.length - 1;
                show(isLast ? next(Texts.get('lesson.sum'), sum)
                    : next(Texts.get('lesson.next'), () => ask(index + 1)));
            };
            const buttons = [made, best].map((text, which) => element('button', {
                type: 'button', class: 'button plain', text, on: {click: () => answer(which === 1)}
            }));
            // Which of them comes first says nothing.
            show(...number % 2 === 0 ? buttons : buttons.reverse());
        };
        const sum = () => {
            told.textContent = Texts.get('lesson.end', {right, count: lessons.length});
            show(next(Texts.get('close'), end));
        };
        const made = element('section', {class: 'lesson', 'aria-label': Texts.get('lesson.title')}, told, choices);
        ask(0);
        return made;
    }

    return {make};
})();
