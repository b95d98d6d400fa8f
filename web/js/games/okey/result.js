/**
 * OkeyResult: the end of a game: who has won, with all racks laid open, the winner's first.
 */
const OkeyResult = (() => {
    /**
     * Show how a game ended.
     *
     * @param {Snapshot} snapshot - The table.
     * @param {any} outcome - The end, as `game_over` tells it.
     * @param {Speech} speech - The game in words.
     */
    function show(snapshot, outcome, speech) {
        const {points, payoff, reason, game_id: id, layouts} = outcome;
        const {player_names: names} = snapshot.public_state;
        const order = names.map((_, seat) => seat).sort((one, other) => payoff[other] - payoff[one]);
        const write = (/** @type {string} */ name, /** @type {string} */ value) => speech.word(name, value, snapshot);
        const why = Words.sentence('outcomes', reason ?? '', write, snapshot.me);
        const racks = order.map(seat => {
            const rack = OkeyPainter.openRack(names[seat], layouts[seat]);
            rack.classList.toggle('best', points[seat] > 0);
            return rack;
        });
        const tell = (/** @type {GameEvent[]} */ events) => OkeyStory.tell(snapshot, outcome, events);
        void Result.show(snapshot, {id, tell}, Texts.get(`table.${Result.verdict(payoff, snapshot.me)}`),
            Lib.element('p', {text: why}), Lib.element('div', {class: 'result racks'}, ...racks));
    }

    return {show};
})();
