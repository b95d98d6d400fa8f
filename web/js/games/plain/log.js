/**
 * GenericLog: tells in words what happened.
 */
const GenericLog = (() => {
    /**
     * Tell an event in a line.
     *
     * @param {string} event - What happened.
     * @param {any} context - What belongs to it.
     * @returns {string} The line; empty if it is not worth one.
     */
    function line(event, context) {
        const key = `event.${event}`;
        if (!Texts.has(key)) {
            return '';
        }
        const names = State.snapshot?.public_state.player_names ?? [];
        /** @type {{[name: string]: string}} */
        const values = {};
        for (const [name, value] of Object.entries(context)) {
            values[name] = Array.isArray(value) ? value.map(each => Faces.text(String(each))).join(' ')
                : Faces.text(String(value));
        }
        const seat = context.seat ?? context.player_index ?? context.winner ?? context.first ?? -1;
        const phrase = event === 'chat' ? Texts.get(`chat.${context.phrase}`) : '';
        return Texts.get(key, {...values, name: context.player_name ?? names[seat] ?? '', phrase});
    }

    return {line};
})();
