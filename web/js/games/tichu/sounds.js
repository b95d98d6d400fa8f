/**
 * TichuSounds: the sounds of a table of Tichu, and the events that play them.
 */
const TichuSounds = (() => {
    const NAMES = [
        'announce', 'bomb', 'play0', 'play1', 'play2', 'play3', 'schupf', 'score', 'select', 'shuffle', 'take'
    ];

    /**
     * Find the sound of an event.
     *
     * @param {string} event - The event's name.
     * @param {any} context - The event's context.
     * @param {number} bottom - The seat at the bottom.
     * @returns {string} The sound's name; empty if it is silent.
     */
    function sound(event, context, bottom) {
        if (event === 'player_played') {
            const [seat, , combination] = context.turn;
            return combination[0] === 7 ? 'bomb' : `play${(seat - bottom + 4) % 4}`;
        }
        /** @type {{[name: string]: string}} */
        const sounds = {
            round_started: 'shuffle', player_announced: 'announce', start_playing: 'schupf', trick_taken: 'take',
            round_over: 'score', game_over: 'score'
        };
        return sounds[event] ?? '';
    }

    return {NAMES, sound};
})();
