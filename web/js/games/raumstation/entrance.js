/**
 * StationEntrance: what the lobby shows of Raumstation: the best times and the statistics of this device.
 */
const StationEntrance = (() => {
    const {element} = Lib;

    /**
     * Find out how hard a station is.
     *
     * @param {string} game - The game.
     * @param {{[name: string]: any}} options - Its options.
     * @returns {string} The preset that is played; own options as a text.
     */
    function level(game, options) {
        const presets = Object.entries(Setup.game(game)?.presets ?? {});
        const same = (/** @type {any} */ preset) => Object.keys(preset).every(name => preset[name] === options[name]);
        return presets.find(([, preset]) => same(preset))?.[0] ?? JSON.stringify(options);
    }

    /**
     * @param {string} which - A level.
     * @returns {string} How people call it.
     */
    function title(which) {
        return which.startsWith('{') ? Words.table('level.own') : Words.about('presets', which).name;
    }

    /**
     * Draw the card of the lobby.
     *
     * @param {PublicState} table - The table.
     * @returns {HTMLElement | undefined} The card; undefined as long as no station was played.
     */
    function draw({game}) {
        const levels = Object.keys(Setup.game(game)?.presets ?? {}).filter(each => StationTimes.count(each).played > 0);
        return levels.length === 0 ? undefined : element('div', {class: 'card station-entrance'},
            element('section', {'aria-labelledby': 'station-times'},
                element('h2', {id: 'station-times', text: Words.table('times')}),
                element('dl', {class: 'level-times'}, ...levels.flatMap(each => [
                    element('dt', {text: title(each)}),
                    element('dd', {}, element('b', {text: _bestText(each)}), element('span', {text: statistics(each)}))
                ]))));
    }

    /**
     * @param {string} which - A level.
     * @returns {string} The best time, or a dash.
     */
    function _bestText(which) {
        const [best] = StationTimes.best(which);
        return best === undefined ? '–' : StationTimes.text(best);
    }

    /**
     * @param {string} which - A level.
     * @returns {string} How many stations were played and solved.
     */
    function statistics(which) {
        return Words.table('times.count', StationTimes.count(which));
    }

    return {level, title, draw, statistics};
})();
