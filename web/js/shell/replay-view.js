/**
 * ReplayView: steps through a finished game, with all hands open, on the table that the game has.
 *
 * It is no view of its own: it feeds a table with the moments of the game and adds a bar of controls below.
 */

/**
 * A step of a finished game.
 *
 * @typedef {object} ReplayStep
 * @property {number} seat - The seat that moved; -1 before the first move.
 * @property {string} move
 * @property {{event: string, context: any}[]} events
 * @property {{[field: string]: any}} public_state - After the move.
 * @property {PrivateState[]} hands - The private state of each seat after it.
 */

const ReplayView = (() => {
    /** How long a step is looked at (milliseconds). */
    const _PACE = 1200;

    /** What a table sends that is no move. */
    const _TOOLS = ['hint', 'undo', 'chat', 'return', 'leave'];

    /** @type {{id: string, game: string, player_names: string[], sides: number[][], steps: ReplayStep[]}} */
    let _replay;
    /** @type {GameTable} */
    let _table;
    /** @type {{[part: string]: HTMLElement}} */
    let _parts = {};
    /** @type {HTMLInputElement} */
    let _slider;

    let _step = 0;
    let _seat = 0;
    let _playing = 0;
    /** @type {ReturnType<typeof ReplayAnalysis.open> | null} */
    let _analysis = null;

    /**
     * Show a finished game.
     *
     * @param {string} id - The game.
     */
    async function open(id) {
        try {
            _replay = await Lib.fetchJson(`/api/games/${id}/steps`);
        }
        catch {
            ViewManager.show(MissingView, {title: 'replay.missing', text: 'replay.missing_text'});
            return;
        }
        document.title = `tisch · ${Texts.get('replay.title')}`;
        [_table] = await Promise.all([Games.load(_replay.game), Words.load(_replay.game), Setup.load()]);
        document.body.dataset.mode = 'replay';
        // A link to a moment names its step, and whose view it is.
        const [step = 0, seat = 0] = window.location.hash.slice(1).split('-').map(Number);
        _seat = seat in _replay.player_names ? seat : 0;
        document.body.append(_bar());
        _go(Number.isInteger(step) ? step : 0);
        EventBus.on('user:settings', _retell);
    }

    /** Tell everything again, in another language. */
    async function _retell() {
        // Without its words, the game keeps those of the old language.
        await Words.load(_replay.game).catch(() => undefined);
        const wasAnalysed = _analysis !== null;
        document.getElementById('replay')?.replaceWith(_bar());
        _go(_step);
        if (wasAnalysed) {
            _toggleAnalysis();
        }
    }

    /** @returns {HTMLElement} The bar with the controls. */
    function _bar() {
        const last = _replay.steps.length - 1;
        _slider = Lib.element('input', {
            type: 'range', min: 0, max: last, value: _step, 'aria-label': Texts.get('replay.position'),
            on: {
                input: () => {
                    _pause();
                    _go(_slider.valueAsNumber);
                }
            }
        });
        const seat = Lib.element('select', {
            'aria-label': Texts.get('replay.seat'), on: {
                change: () => {
                    _seat = Number(seat.value);
                    _go(_step);
                }
            }
        }, ..._replay.player_names.map((text, value) =>
            Lib.element('option', {value, text, selected: value === _seat})));
        _parts = {
            play: Lib.iconButton('play', Texts.get('replay.play'), _toggle),
            told: Lib.element('p', {class: 'told', role: 'status'})
        };
        return Lib.element('section', {id: 'replay', class: 'replay', 'aria-label': Texts.get('replay.title')},
            _parts.told,
            Lib.element('div', {class: 'buttons'},
                Lib.iconButton('back', Texts.get('replay.home'), () => window.location.assign('/')),
                Lib.iconButton('step-back', Texts.get('replay.back'), () => _stepBy(-1)),
                _parts.play,
                Lib.iconButton('step-forward', Texts.get('replay.forward'), () => _stepBy(1)),
                _slider, seat,
                Lib.iconButton('hint', Texts.get('replay.why'), _tellWhy),
                Lib.iconButton('share', Texts.get('replay.link'), _share),
                ..._analyseButton()));
    }

    /** @returns {HTMLElement[]} The button that opens and closes the analysis, if decisions of this game are judged. */
    function _analyseButton() {
        _analysis?.close();
        _analysis = null;
        if (Setup.game(_replay.game)?.judged !== true) {
            return [];
        }
        const button = Lib.element('button', {
            type: 'button', class: 'button', 'aria-expanded': 'false', text: Texts.get('replay.analyse'),
            on: {click: _toggleAnalysis}
        });
        _parts.analyse = button;
        return [button];
    }

    /** Open the analysis, or close it. */
    function _toggleAnalysis() {
        if (_analysis === null) {
            _analysis = ReplayAnalysis.open(_analysed(), _step);
            Lib.byId('replay').before(_analysis.element);
        }
        else {
            _analysis.close();
            _analysis = null;
        }
        _parts.analyse.setAttribute('aria-expanded', String(_analysis !== null));
    }

    /** @returns {Analysed} What the analysis needs of this game. */
    function _analysed() {
        return {
            id: _replay.id, steps: _replay.steps.length - 1, sides: _replay.sides, names: _replay.player_names,
            say: _wordsOf, seat: () => _seat,
            go: number => {
                _pause();
                _go(number);
            },
            attempt: _attempt
        };
    }

    /**
     * Let the user act at the table in the place of who did: nothing goes to a server's table. Only the hand of the one
     * who acts is shown.
     *
     * @param {number} number - The number of the step before which the table is shown.
     * @param {Position} position - What can be done there.
     * @param {(message: Message) => void} take - Takes what the table would have sent.
     */
    function _attempt(number, {seat, request, choices}, take) {
        _pause();
        _step = number - 1;
        const {public_state: table, private_state: own} = _snapshotOf(_step, seat);
        _draw({number, public_state: table, private_state: own, choices, request}, {isTry: true});
        Network.divert((type, payload) => {
            // The tools of a running game have no meaning here.
            if (!_TOOLS.includes(type)) {
                Network.divert(null);
                take({type, payload});
            }
        });
    }

    /**
     * The state of the table after a step.
     *
     * @param {number} number - The step.
     * @param {number} seat - The viewer's seat; -1 for a spectator.
     * @returns {Snapshot} The snapshot as that seat saw it.
     */
    function _snapshotOf(number, seat) {
        const step = _replay.steps[number];
        const names = _replay.player_names;
        const nothing = names.map(() => null);
        return {
            number,
            public_state: {
                ...step.public_state,
                game: _replay.game, table_name: '', player_names: names, player_kinds: names.map(() => 'human'),
                portraits: names.map(() => ''),
                presences: names.map(() => 'here'), held_for: nothing, host_index: -1, is_private: false,
                is_running: true, awaiting: step.public_state.awaiting, time_left: nothing, spectators: 0,
                table_options: {
                    agent: '', turn_limit: 0, options: {}, free_chat: false, watch_delay: 0, open_hands: false
                },
                game_id: _replay.id,
                challenge: ''
            },
            private_state: {...step.hands[seat], player_index: seat},
            choices: {legal: []},
            request: null,
            me: seat
        };
    }

    /**
     * Show a step, with all hands open.
     *
     * @param {number} number - The step.
     */
    function _go(number) {
        Network.divert(null);
        Panels.closeAll();
        _step = Math.min(Math.max(number, 0), _replay.steps.length - 1);
        _draw(_snapshotOf(_step, _seat), {isReplay: true, hands: _replay.steps[_step].hands});
        window.history.replaceState(window.history.state, '', `#${_step}-${_seat}`);
        _slider.value = String(_step);
        _parts.told.textContent = `${_step} / ${_replay.steps.length - 1} · ${_tell(_step)}`;
        _slider.setAttribute('aria-valuetext', _parts.told.textContent);
        _analysis?.show(_step);
    }

    /**
     * Draw the table.
     *
     * @param {Parameters<typeof State.update>[0]} payload - The table at the step.
     * @param {RenderOptions} options - How it is shown.
     */
    function _draw(payload, options) {
        State.clear();
        State.update(payload);
        for (const {event, context} of _replay.steps.slice(0, _step + 1).flatMap(step => step.events)) {
            State.note(event, context);
        }
        ViewManager.show(_table, undefined, options);
    }

    /**
     * @param {number} number - A step.
     * @returns {string} A sentence about the move and its result.
     */
    function _tell(number) {
        const {seat, move, events} = _replay.steps[number];
        if (seat < 0) {
            return Texts.get('replay.begin');
        }
        const name = _replay.player_names[seat];
        const sentences = events.map(({event, context}) => _table.speech.of(event, context, _snapshotOf(number, -1)));
        const told = sentences.filter(sentence => sentence !== '').join(' · ') || _wordsOf(move, number);
        return told.startsWith(name) ? told : `${name} · ${told}`;
    }

    /**
     * @param {string} move - A move of the seat that moved in a step.
     * @param {number} number - The step.
     * @returns {string} The move in the game's words.
     */
    function _wordsOf(move, number) {
        return _table.speech.move(move, _snapshotOf(number - 1, _replay.steps[number].seat));
    }

    /** @param {number} count - How many steps to go, back if negative. */
    function _stepBy(count) {
        _pause();
        _go(_step + count);
    }

    /** Play, or stop playing. */
    function _toggle() {
        if (_playing !== 0) {
            _pause();
            return;
        }
        if (_step === _replay.steps.length - 1) {
            _go(0);
        }
        _playing = window.setInterval(_advance, _PACE);
        _showPlaying();
    }

    /** Advance by one step and play its events. */
    function _advance() {
        if (_step >= _replay.steps.length - 1) {
            _pause();
            return;
        }
        for (const {event, context} of _replay.steps[_step + 1].events) {
            _table.notify?.(event, context);
        }
        _go(_step + 1);
    }

    /** Stop playing. */
    function _pause() {
        window.clearInterval(_playing);
        _playing = 0;
        _showPlaying();
    }

    /** Update the label of the play button. */
    function _showPlaying() {
        const key = _playing === 0 ? 'replay.play' : 'replay.pause';
        _parts.play.setAttribute('aria-label', Texts.get(key));
        _parts.play.title = Texts.get(key);
        _parts.play.replaceChildren(Lib.icon(_playing === 0 ? 'play' : 'pause'));
    }

    /** Share the link to this moment, or copy it where nothing can be shared. */
    async function _share() {
        _pause();
        const url = window.location.href;
        try {
            if (navigator.share !== undefined) {
                await navigator.share({title: document.title, url});
                return;
            }
            await navigator.clipboard.writeText(url);
            Lib.toast(Texts.get('replay.copied'));
        }
        catch {
            // The address of the page is the link.
        }
    }

    /** Show the strongest agent's move and its reason. */
    async function _tellWhy() {
        _pause();
        const number = _step;
        if (number === 0) {
            return;
        }
        _parts.told.textContent = Texts.get('loading');
        try {
            const path = `/api/games/${_replay.id}/advice/${number}?language=${Texts.language}`;
            const {move, reason} = await Lib.fetchJson(path);
            _parts.told.textContent = Texts.get('replay.advice', {move: _wordsOf(move, number), reason});
        }
        catch {
            _parts.told.textContent = Texts.get('replay.no_advice');
        }
    }

    return {open};
})();
