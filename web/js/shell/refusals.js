/**
 * Refusals: says in the user's language what the server refused.
 */
const Refusals = (() => {
    /**
     * Say what the server refused: by the game's own sentence, or by the shell's for the code and the server's reason.
     *
     * @param {{code: number, message?: string, context?: {reason?: string}}} error - An error of the server.
     * @returns {string} The sentence for the user.
     */
    function sentence({code, message, context}) {
        const reason = context?.reason ?? '';
        const precise = `error.${code}.${reason}`;
        if (Texts.has(precise)) {
            return Texts.get(precise);
        }
        const own = reason === '' ? '' : Words.sentence('refusals', reason, _write);
        if (own !== '') {
            return own;
        }
        if (Words.has('refusals', String(code))) {
            return Words.get('refusals', String(code));
        }
        const known = Texts.has(`error.${code}`) ? Texts.get(`error.${code}`) : message;
        return [known ?? Texts.get('error.unknown', {code}), reason].filter(part => part !== '').join(' ');
    }

    /**
     * @param {string} name - The name of a value in a refusal.
     * @param {string} value - The value as the server writes it.
     * @returns {string} The value as people read it.
     */
    function _write(name, value) {
        const {snapshot} = State;
        const table = snapshot === null ? null : Games.table(snapshot.public_state.game);
        return snapshot === null || table === null ? value : table.speech.word(name, value, snapshot);
    }

    return {sentence};
})();
