/**
 * StationResult: how a game ended, beside the map, which stays to be looked at: the time and the best ones, and the
 * ways on, with a new station or with the same one.
 */
const StationResult = (() => {
    const {element} = Lib;

    /**
     * Draw the end of a game.
     *
     * @param {Snapshot} snapshot - The table.
     * @param {any} outcome - The end, as `game_over` tells it.
     * @param {string} level - How hard the station was.
     * @param {number | null} place - The place of the time in the list; null if it is not in it.
     * @param {{element: HTMLElement, again: (seed: string | null) => void}} on - Starts a new station, or the one of a
     *     seed, and says where why that is refused.
     * @returns {HTMLElement[]} What stands beside the map.
     */
    function draw(snapshot, outcome, level, place, {element: refusal, again}) {
        const {reason, game_id: gameId, payoff, seed} = outcome;
        const hasWon = payoff[0] > 0;
        const best = StationTimes.best(level);
        // The event of the end knows all rooms; the state of the table may be older.
        /** @type {Room[]} */
        const rooms = State.log.filter(({event}) => event === 'over').at(-1)?.context.rooms ?? [];
        const traps = Words.table('end.traps', {count: rooms.filter(room => room.is_dangerous).length});
        const why = Words.sentence('outcomes', reason, (_, value) => value);
        const mayStart = snapshot.me >= 0;
        const isChallenge = snapshot.public_state.challenge !== '';
        const time = StationTimes.text(StationTimes.seconds());
        return [
            element('h2', {text: Words.table(hasWon ? 'end.won' : 'end.lost'), tabindex: -1}),
            element('p', {text: `${why} ${Words.table('end.time', {time})} ${traps}`}),
            ...Tour.ending(),
            hasWon && place === 1 ? element('p', {class: 'record', text: Words.table('end.record')}) : null,
            hasWon && StationTimes.isHelped() ? element('p', {text: Words.table('end.helped')}) : null,
            best.length === 0 ? null : element('div', {class: 'best-times'},
                element('h3', {text: Words.table('end.best', {level: StationEntrance.title(level)})}),
                element('ol', {}, ...best.map((seconds, index) => element('li', {
                    class: hasWon && index + 1 === place ? 'is-own' : null, text: StationTimes.text(seconds)
                })))),
            StationTimes.count(level).played === 0 ? null
                : element('p', {class: 'statistics', text: StationEntrance.statistics(level)}),
            element('p', {class: 'seed', text: Words.table('end.seed', {seed})}),
            refusal,
            element('div', {class: 'ways-on'},
                ...mayStart ? [
                    _button('main', isChallenge ? Texts.get('table.next') : Words.table('end.new'),
                        () => again(null)),
                    ...Words.isTourOver || isChallenge ? []
                        : [_button('plain', Words.table('end.same'), () => again(seed))]
                ] : [],
                _button('plain', Texts.get('table.to_lobby'), () => EventBus.emit('tableView:lobby')),
                element('a', {class: 'button plain', href: `/replay/${gameId}`, text: Texts.get('table.replay')}),
                ...Result.challenge(snapshot)),
            Result.story(snapshot, gameId, events => StationStory.tell(snapshot, hasWon, level, events))
        ].filter(part => part !== null);
    }

    /**
     * @param {string} kind - Which kind of button.
     * @param {string} text - Its text.
     * @param {() => void} act - What it does.
     * @returns {HTMLElement} The button.
     */
    function _button(kind, text, act) {
        return element('button', {type: 'button', class: `button ${kind}`, text, on: {click: act}});
    }

    return {draw};
})();
