/**
 * Speeches: makes the speech of a table that uses only the words of its game.
 */
const Speeches = (() => {
    /**
     * Make a speech.
     *
     * @param {(word: string) => string} write - Writes a card, or any other word of the game, for people.
     * @returns {Speech} The speech.
     */
    function make(write) {
        const writeAll = (/** @type {any} */ value) => [value].flat().map(each => write(String(each))).join(' ');
        return {
            of(event, context, snapshot) {
                const {game, player_names: names} = snapshot.public_state;
                const values = Object.fromEntries(
                    Object.entries(context).map(([name, value]) => [name, writeAll(value)]));
                if (event === 'chat') {
                    values.phrase = Texts.get(`chat.${context.phrase}`);
                }
                const whose = Setup.look(game).whose.find(name => typeof context[name] === 'number') ?? '';
                const seat = context[whose] ?? -1;
                values.name = context.player_name ?? names[seat] ?? '';
                // What is about nobody in particular may have a sentence for those who see more of it.
                return Words.tell(event, values, snapshot.me >= 0 && (seat < 0 || seat === snapshot.me));
            },
            move: text => Moves.words(text, write),
            word(name, value, snapshot) {
                if (name === 'seat' || name === 'seats') {
                    const names = snapshot.public_state.player_names;
                    return value.split(' and ').map(seat => names[Number(seat)] ?? seat).join(', ');
                }
                return name === 'move' ? Moves.words(value, write) : writeAll(value.split(' '));
            }
        };
    }

    return {make};
})();
