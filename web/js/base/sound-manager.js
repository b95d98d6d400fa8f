/**
 * SoundManager: loads the sounds once and plays them. Browsers let a page sound only after the first touch or key.
 */
const SoundManager = (() => {
    const _NAMES = [
        'announce', 'bomb', 'play0', 'play1', 'play2', 'play3', 'schupf', 'score', 'select', 'shuffle', 'take'
    ];

    /** @type {AudioContext | null} */
    let _context = null;

    /** @type {Map<string, AudioBuffer>} */
    const _sounds = new Map();

    let _isLoaded = false;

    /** Load all sounds; what cannot be loaded stays silent. */
    async function preload() {
        if (_isLoaded || typeof AudioContext === 'undefined') {
            return;
        }
        _isLoaded = true;
        const context = new AudioContext();
        _context = context;
        for (const gesture of ['pointerdown', 'keydown']) {
            document.addEventListener(gesture, _unlock, {capture: true});
        }
        await Promise.all(_NAMES.map(async name => {
            try {
                const response = await fetch(`/sounds/${name}.flac`);
                _sounds.set(name, await context.decodeAudioData(await response.arrayBuffer()));
            }
            catch {
                // A sound is an ornament: the table is played without it.
            }
        }));
    }

    /** The user has touched something: from now on it may sound. */
    function _unlock() {
        _context?.resume();
        for (const gesture of ['pointerdown', 'keydown']) {
            document.removeEventListener(gesture, _unlock, {capture: true});
        }
    }

    /**
     * Play a sound.
     *
     * @param {string} name - Which one.
     */
    function play(name) {
        const buffer = _sounds.get(name);
        const {muted, volume} = User.settings;
        if (_context === null || _context.state !== 'running' || buffer === undefined || muted || volume === 0) {
            return;
        }
        const source = _context.createBufferSource();
        const gain = _context.createGain();
        gain.gain.value = (volume / 100) ** 2;
        source.buffer = buffer;
        source.connect(gain).connect(_context.destination);
        source.start();
    }

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
            play(name);
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

    return {preload, play, follow, sound, NAMES: _NAMES};
})();
