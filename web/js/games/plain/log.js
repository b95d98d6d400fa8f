/**
 * GenericLog: tells in words what happened.
 */
const GenericLog = (() => {
    /**
     * Tell an event in a line.
     *
     * @param {string} event - What happened.
     * @param {any} context - What belongs to it.
     * @param {Snapshot | null} [snapshot] - The table at which it happened.
     * @returns {string} The line; empty if it is not worth one.
     */
    function line(event, context, snapshot = State.snapshot) {
        const names = snapshot?.public_state.player_names ?? [];
        /** @type {{[name: string]: string}} */
        const values = {};
        for (const [name, value] of Object.entries(context)) {
            values[name] = Array.isArray(value) ? value.map(each => Faces.text(String(each))).join(' ')
                : Faces.text(String(value));
        }
        const seat = context.seat ?? context.player_index ?? context.winner ?? context.first ?? -1;
        if (event === 'chat') {
            values.phrase = Texts.get(`chat.${context.phrase}`);
        }
        const name = context.player_name ?? names[seat] ?? '';
        return Words.tell(event, {...values, name}, seat >= 0 && seat === snapshot?.me);
    }

    /**
     * Write a value of a refusal for people.
     *
     * @param {string} name - What it is.
     * @param {string} value - As the server writes it.
     * @param {Snapshot} snapshot - The table.
     * @returns {string} The words.
     */
    function word(name, value, snapshot) {
        if (name === 'seat') {
            return snapshot.public_state.player_names[Number(value)] ?? value;
        }
        return name === 'move' ? GenericMoves.moveText(value) : value.split(' ').map(Faces.text).join(' ');
    }

    return {line, word};
})();
