/**
 * SoundManager: loads the sounds once and plays them. Browsers let a page sound only after the first touch or key.
 */
const SoundManager = (() => {
    /** @type {AudioContext | null} */
    let _context = null;

    /** @type {Map<string, AudioBuffer>} */
    const _sounds = new Map();

    /** @type {Set<string>} The requested sounds. */
    const _asked = new Set();

    /**
     * Load sounds, each once; what cannot be loaded stays silent.
     *
     * @param {string[]} names - Which ones.
     */
    async function preload(names) {
        if (typeof AudioContext === 'undefined') {
            return;
        }
        const context = _context ?? _begin();
        const missing = names.filter(name => !_asked.has(name));
        missing.forEach(name => _asked.add(name));
        await Promise.all(missing.map(async name => {
            try {
                const response = await fetch(Lib.address(`/sounds/${name}.flac`));
                _sounds.set(name, await context.decodeAudioData(await response.arrayBuffer()));
            }
            catch {
                // A sound that cannot be loaded stays silent.
            }
        }));
    }

    /** @returns {AudioContext} What sounds are played by, from the first touch or key on. */
    function _begin() {
        _context = new AudioContext();
        for (const gesture of ['pointerdown', 'keydown']) {
            document.addEventListener(gesture, _unlock, {capture: true});
        }
        return _context;
    }

    /** Unlock the sound after the first touch or key. */
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

    return {preload, play};
})();
