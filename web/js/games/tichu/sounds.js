/**
 * TableSounds: which sounds a table of Tichu has, and what is heard of each event.
 */
const TableSounds = (() => {
    const NAMES = [
        'announce', 'bomb', 'play0', 'play1', 'play2', 'play3', 'schupf', 'score', 'select', 'shuffle', 'take'
    ];

    /**
     * Let an event be heard.
     *
     * @param {string} event - What happened.
     * @param {any} context - What belongs to it.
     * @param {number} bottom - The seat at the bottom; each seat sounds a little different.
     */
    function follow(event, context, bottom) {
        const name = sound(event, context, bottom);
        if (name !== '') {
            SoundManager.play(name);
        }
    }

    /**
     * Say which sound belongs to an event. Nothing is played.
     *
     * @param {string} event - What happened.
     * @param {any} context - What belongs to it.
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

    return {NAMES, follow, sound};
})();
