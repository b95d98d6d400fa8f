/**
 * StationStory: the story of a station that is over: how hard it was, the time, and how it was solved.
 */
const StationStory = (() => {
    /**
     * Tell the story.
     *
     * @param {Snapshot} snapshot - The table after the game.
     * @param {boolean} hasWon - Was the station solved?
     * @param {string} level - How hard it was.
     * @param {GameEvent[]} events - All events of the game.
     * @returns {Story} The story.
     */
    function tell({public_state: {player_names: names}}, hasWon, level, events) {
        const count = (/** @type {string} */ name) => events.filter(({event}) => event === name).length;
        /** @type {Room[]} */
        const rooms = events.find(({event}) => event === 'over')?.context.rooms ?? [];
        const traps = rooms.filter(room => room.is_dangerous);
        const found = traps.filter(room => room.is_marked).length;
        const time = StationTimes.text(StationTimes.seconds());
        const row = (/** @type {string} */ key, /** @type {string | number} */ value) => (
            {label: Words.table(`story.${key}`), values: [String(value)]});
        return {
            title: Words.table(hasWon ? 'story.solved' : 'story.failed', {level: StationEntrance.title(level)}),
            standings: [{name: names[0], points: time, isBest: hasWon}],
            facts: {heads: [names[0]], rows: [
                row('rooms', rooms.length), row('traps', traps.length), row('marked', found),
                row('scanned', count('scanned')), row('jokers', count('told'))
            ]},
            drawing: () => _draw(rooms),
            moments: StationTimes.isHelped() ? [Words.table('story.helped')] : []
        };
    }

    /**
     * Draw the station with all that is in it.
     *
     * @param {Room[]} rooms - Its rooms.
     * @returns {SVGSVGElement} The drawing.
     */
    function _draw(rooms) {
        const {drawing} = Lib;
        const [across, down] = [rooms.map(({x}) => x), rooms.map(({y}) => y)];
        const [left, top] = [Math.min(...across) - 0.7, Math.min(...down) - 0.7];
        const [width, height] = [Math.max(...across) + 0.7 - left, Math.max(...down) + 0.7 - top];
        const corridors = rooms.flatMap(({x, y, connections}) => StationMap.WAYS
            .filter((_, bit) => connections >> bit & 1)
            .map(({step}) => drawing('line', {x1: x, y1: y, x2: x + step[0] / 2, y2: y + step[1] / 2})));
        return drawing('svg', {viewBox: `${left} ${top} ${width} ${height}`},
            drawing('rect', {x: left, y: top, width, height, rx: 0.3, fill: 'var(--space)'}),
            drawing('g', {'stroke': 'var(--hull)', 'stroke-width': 0.12}, ...corridors),
            ...rooms.map(_drawRoom));
    }

    /**
     * @param {Room} room - A room.
     * @returns {SVGGElement} The room with its number, or the trap in it.
     */
    function _drawRoom({x, y, is_dangerous: isTrap, is_revealed: isOpen, dangerous_nearby_rooms: number}) {
        const {drawing} = Lib;
        const ground = isTrap ? 'trap-ground' : isOpen ? 'floor' : 'hatch';
        return drawing('g', {},
            drawing('rect', {
                'x': x - 0.36, 'y': y - 0.36, 'width': 0.72, 'height': 0.72, 'rx': 0.17, 'fill': `var(--${ground})`,
                'stroke': 'var(--hull-light)', 'stroke-width': 0.04
            }),
            isTrap || !isOpen
                ? drawing('use', {
                    href: Lib.symbol(isTrap ? 'station-trap' : 'station-safe', '/images/station.svg'),
                    x: x - 0.25, y: y - 0.25, width: 0.5, height: 0.5, color: `var(--${isTrap ? 'trap-ink' : 'known'})`
                })
                : drawing('text', {
                    'x': x, 'y': y + 0.16, 'text-anchor': 'middle', 'font-size': 0.46, 'font-weight': 650,
                    'font-family': 'sans-serif', 'fill': `var(--number-${number ?? 0})`
                }, document.createTextNode(String(number))));
    }

    return {tell};
})();
