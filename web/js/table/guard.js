/**
 * Guard: asks before something is done that costs much: a button acts when it is held, or pressed once more; elsewhere
 * a second tap confirms the first.
 */
const Guard = (() => {
    const _HOLD = 700;
    const _WITHIN = 4000;

    /**
     * Let a button act, but ask first where it costs much.
     *
     * @param {HTMLButtonElement} button - The button; a part `.hold` of it fills while it is held.
     * @param {() => string} ask - What acting would cost now, as a sentence; empty where nothing need be asked.
     * @param {() => void} act - Acts.
     */
    function attach(button, ask, act) {
        /** What was asked, and until when a second press confirms it. */
        let asked = '';
        let until = 0;
        let holding = 0;
        let hasHeld = false;
        const release = () => {
            window.clearTimeout(holding);
            button.classList.remove('is-held');
        };
        const disarm = () => {
            asked = '';
            button.classList.remove('is-armed');
        };
        button.addEventListener('pointerdown', event => {
            hasHeld = false;
            if (event.button === 0 && !button.disabled && ask() !== '') {
                button.classList.add('is-held');
                holding = window.setTimeout(() => {
                    hasHeld = true;
                    release();
                    disarm();
                    act();
                }, _HOLD);
            }
        });
        for (const end of ['pointerup', 'pointerleave', 'pointercancel']) {
            button.addEventListener(end, release);
        }
        button.addEventListener('click', event => {
            const question = ask();
            const isConfirmed = question === asked && performance.now() < until;
            disarm();
            if (hasHeld && event.detail > 0) {
                // The finger that held the button is lifted now.
                hasHeld = false;
            }
            else if (question === '' || isConfirmed) {
                act();
            }
            else {
                asked = question;
                until = performance.now() + _WITHIN;
                button.classList.add('is-armed');
                window.setTimeout(() => performance.now() >= until && disarm(), _WITHIN + 50);
                const text = `${question} ${Texts.get('table.confirm')}`;
                Lib.toast(text);
                Lib.announce(text);
            }
        });
    }

    /**
     * Say what a move costs, if it costs much.
     *
     * @param {string} move - The move's text.
     * @param {Snapshot | null} snapshot - The table.
     * @returns {string} The game's sentence; empty where nothing need be asked.
     */
    function cost(move, snapshot) {
        const doubtful = snapshot?.choices.doubtful ?? [];
        return doubtful.includes(move) ? Words.get('doubts', move.split(' ')[0]) : '';
    }

    /** The move that was asked about last, and until when it may be made. */
    let _doubted = {move: '', until: 0};

    /**
     * May a move be made now? One that costs much may be made only if it is tried again soon.
     *
     * @param {string} move - The move's text.
     * @param {Snapshot | null} snapshot - The table.
     * @returns {boolean} Whether it may; if not, the user has been asked.
     */
    function passes(move, snapshot) {
        const question = cost(move, snapshot);
        const isConfirmed = _doubted.move === move && performance.now() < _doubted.until;
        _doubted = {move, until: performance.now() + _WITHIN};
        if (question === '' || isConfirmed) {
            _doubted = {move: '', until: 0};
            return true;
        }
        const text = `${question} ${Texts.get('table.again')}`;
        Lib.toast(text);
        Lib.announce(text);
        return false;
    }

    return {attach, cost, passes};
})();
