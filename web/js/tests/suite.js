/**
 * Suite: the smallest thing that runs unit tests in a browser: named functions that throw if something is wrong.
 */
const Suite = (() => {
    /** @type {{name: string, body: () => void | Promise<void>}[]} */
    const _tests = [];

    /**
     * Add a test.
     *
     * @param {string} name - The scene.
     * @param {() => void | Promise<void>} body - Throws if it is not so.
     */
    function test(name, body) {
        _tests.push({name, body});
    }

    /**
     * Make sure that two values say the same.
     *
     * @param {any} actual - What there is.
     * @param {any} expected - What there must be.
     */
    function equal(actual, expected) {
        const [one, other] = [actual, expected].map(value => JSON.stringify(value));
        if (one !== other) {
            throw new Error(`${one} is not ${other}`);
        }
    }

    /**
     * Wait.
     *
     * @param {number} milliseconds - How long.
     * @returns {Promise<void>} Done when the time is over.
     */
    function wait(milliseconds) {
        return new Promise(resolve => {
            window.setTimeout(resolve, milliseconds);
        });
    }

    /**
     * Wait for a condition.
     *
     * @param {() => boolean} condition - The condition.
     */
    async function until(condition) {
        const end = performance.now() + 30_000;
        while (!condition()) {
            if (performance.now() > end) {
                throw new Error('It did not happen in time.');
            }
            await wait(10);
        }
    }

    /**
     * Speak a language, with the words of a game.
     *
     * @param {'de' | 'en'} language - The language.
     * @param {string} game - The game.
     * @returns {Promise<void>} Done when the words are there.
     */
    function speak(language, game) {
        Texts.choose(language);
        return Words.load(game);
    }

    /** Run all tests one after the other and show the results; the page's title sums up. */
    async function run() {
        let failed = 0;
        for (const {name, body} of _tests) {
            let text = `ok: ${name}`;
            try {
                await body();
            }
            catch (error) {
                failed += 1;
                text = `FAILED: ${name}: ${error}`;
            }
            Lib.byId('results').append(Lib.element('li', {text}));
        }
        document.title = `${_tests.length - failed} passed, ${failed} failed`;
    }

    return {test, equal, wait, until, speak, run};
})();
