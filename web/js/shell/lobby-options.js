/**
 * LobbyOptions: how a table plays: the strength of the AI, the time to think, the game's own options. The host changes
 * them, others read them. It knows no game: the server tells what there is to set.
 */

/**
 * @typedef {object} LobbyOptions
 * @property {HTMLElement} element - The card with the options.
 * @property {(table: PublicState, isHost: boolean) => void} render - Draws them.
 */

const LobbyOptions = (() => {
    /** How much later spectators may see what happens (seconds). */
    const _DELAYS = [0, 30, 120, 300];

    /** @returns {LobbyOptions} The card and how it is drawn. */
    function create() {
        const list = Lib.element('div', {class: 'option-list'});
        const element = Lib.element('section', {class: 'card options', 'aria-labelledby': 'options-title'},
            Lib.element('h2', {id: 'options-title', text: Texts.get('lobby.options')}), list);
        let drawn = '';
        /** @type {() => void} */
        let drawLatest = () => {};
        list.addEventListener('focusout', () => drawLatest());
        // A refused value must not look as if it were set.
        EventBus.on('app:error', () => {
            /** @type {NodeListOf<HTMLInputElement>} */
            const fields = list.querySelectorAll('input[type="number"]:not(:focus)');
            fields.forEach(field => {
                field.value = field.defaultValue;
            });
            drawn = '';
            drawLatest();
        });

        /**
         * Draw the options if they have changed, but never while the user types a number.
         *
         * @param {PublicState} table - The table.
         * @param {boolean} isHost - May they be changed?
         */
        function render(table, isHost) {
            drawLatest = () => render(table, isHost);
            if (list.querySelector('input[type="number"]:focus') !== null) {
                return;
            }
            const known = [Setup.known !== null, Words.isKnown(table.game)];
            const wanted = JSON.stringify([table.table_options, table.game, table.player_names.length, isHost, known]);
            if (wanted === drawn) {
                return;
            }
            drawn = wanted;
            const focused = document.activeElement?.id;
            list.replaceChildren(..._rows(table, isHost));
            if (focused) {
                document.getElementById(focused)?.focus();
            }
        }

        return {element, render};
    }

    /**
     * @param {PublicState} table - The table.
     * @param {boolean} isHost - May they be changed?
     * @returns {HTMLElement[]} A row for each option.
     */
    function _rows(table, isHost) {
        if (!Words.isKnown(table.game)) {
            return [];
        }
        const {agent, turn_limit: limit, options, free_chat: isFree} = table.table_options;
        const levels = Setup.game(table.game)?.levels ?? [];
        const played = player(table);
        const limits = (Setup.known?.turn_limits ?? [limit]).map(seconds => ({value: seconds, text: _limit(seconds)}));
        // A program may have chosen an agent by its name.
        const players = levels.includes(agent) ? levels : [...levels, agent];
        const named = players.map(name => ({value: name, text: _player(levels, name).name}));
        const own = Setup.game(table.game)?.options ?? [];
        // One who plays alone meets nobody who is strong or slow.
        const others = table.player_names.length === 1 ? [] : [
            _row('agent', Texts.get('lobby.agent'), isHost
                ? _select('agent', named, agent, value => _send({agent: value})) : played.name, played.help),
            _row('turn-limit', Texts.get('lobby.turn_limit'), isHost
                ? _select('turn-limit', limits, limit, value => _send({turn_limit: Number(value)})) : _limit(limit)),
            _row('free-chat', Texts.get('lobby.free_chat'), isHost
                ? _check('free-chat', isFree, value => _send({free_chat: value}))
                : Texts.get(isFree ? 'lobby.yes' : 'lobby.no'), Texts.get('lobby.free_chat_help')),
            ..._stage(table, isHost)
        ];
        return [
            ..._presets(table, isHost), ...others,
            ...own.map(option => _ownRow(option, options, isHost))
        ];
    }

    /**
     * @param {PublicState} table - The table.
     * @param {boolean} isHost - May they be changed?
     * @returns {HTMLElement[]} What spectators see, and how much later.
     */
    function _stage({table_options: {watch_delay: delay, open_hands: areOpen}}, isHost) {
        const delays = _DELAYS.map(seconds => ({value: seconds, text: _delay(seconds)}));
        const later = _row('watch-delay', Texts.get('lobby.watch_delay'), isHost
            // Without a delay nobody may see the hands of others.
            ? _select('watch-delay', delays, delay, value => _send({
                watch_delay: Number(value), ...value === '0' ? {open_hands: false} : {}
            })) : _delay(delay));
        return delay === 0 ? [later] : [later, _row('open-hands', Texts.get('lobby.open_hands'), isHost
            ? _check('open-hands', areOpen, value => _send({open_hands: value}))
            : Texts.get(areOpen ? 'lobby.yes' : 'lobby.no'), Texts.get('lobby.open_hands_help'))];
    }

    /**
     * @param {number} seconds - How much later spectators see something.
     * @returns {string} How people call it.
     */
    function _delay(seconds) {
        return seconds === 0 ? Texts.get('lobby.at_once') : seconds < 60 ? Texts.get('lobby.later', {count: seconds})
            : Texts.get('lobby.minutes', {count: seconds / 60});
    }

    /**
     * @param {PublicState} table - The table.
     * @param {boolean} isHost - May they be changed?
     * @returns {HTMLElement[]} A row with the options that the game offers by a name, if it does.
     */
    function _presets({game, table_options: {options}}, isHost) {
        const presets = Object.entries(Setup.game(game)?.presets ?? {});
        if (presets.length === 0) {
            return [];
        }
        const isSet = (/** @type {any} */ preset) => Object.keys(preset).every(name => preset[name] === options[name]);
        const set = presets.find(([, preset]) => isSet(preset))?.[0];
        const {name: told, help} = set === undefined
            ? {name: Texts.get('lobby.preset_own'), help: ''} : Words.about('presets', set);
        const buttons = presets.map(([name, preset]) => Lib.element('button', {
            type: 'button', id: `preset-${name}`, class: 'button plain', 'aria-pressed': String(name === set),
            text: Words.about('presets', name).name, on: {click: () => _send({options: preset})}
        }));
        const label = Texts.get('lobby.preset');
        return [Lib.element('div', {class: 'option'}, Lib.element('span', {text: label}), isHost
            ? Lib.element('div', {class: 'presets', role: 'group', 'aria-label': label}, ...buttons)
            : Lib.element('strong', {text: told}), help === '' ? null : Lib.element('small', {text: help}))];
    }

    /**
     * Describe who plays the empty seats.
     *
     * @param {PublicState} table - The table.
     * @returns {{name: string, help: string}} How strong or of what kind they are, and a sentence about it.
     */
    function player({game, table_options: {agent}}) {
        return _player(Setup.game(game)?.levels ?? [], agent);
    }

    /**
     * @param {string[]} levels - The game's levels.
     * @param {string} name - A level or an agent.
     * @returns {{name: string, help: string}} How people call it, and a sentence about it.
     */
    function _player(levels, name) {
        return Words.about(levels.includes(name) ? 'levels' : 'agents', name);
    }

    /**
     * @param {OptionInfo} option - One of the game's options.
     * @param {{[name: string]: any}} options - The options that are set.
     * @param {boolean} isHost - May it be changed?
     * @returns {HTMLElement} Its row.
     */
    function _ownRow(option, options, isHost) {
        const {name} = option;
        const value = options[name] ?? option.default;
        const set = (/** @type {any} */ changed) => _send({options: {...options, [name]: changed}});
        const {name: label, help} = Words.about('options', name);
        const told = typeof option.default === 'boolean' ? Texts.get(value ? 'lobby.yes' : 'lobby.no') : String(value);
        const make = () => (
            typeof option.default === 'boolean' ? _check(name, value, set) : _number(name, value, set, option)
        );
        return _row(name, label, isHost ? make() : told, help);
    }

    /**
     * @param {string} name - The option's name.
     * @param {string} label - How it is called.
     * @param {HTMLElement | string} control - The control, or the value as text.
     * @param {string} [help] - A sentence about it.
     * @returns {HTMLElement} A row.
     */
    function _row(name, label, control, help = '') {
        const told = help === '' ? null : Lib.element('small', {id: `help-${name}`, text: help});
        if (typeof control === 'string') {
            return Lib.element('div', {class: 'option'},
                Lib.element('span', {text: label}), Lib.element('strong', {text: control}), told);
        }
        if (told !== null) {
            control.setAttribute('aria-describedby', told.id);
        }
        if (control instanceof HTMLInputElement && control.type === 'checkbox') {
            // A box is small: its whole row can be tapped.
            control.setAttribute('aria-label', label);
            return Lib.element('label', {class: 'option'}, Lib.element('span', {text: label}), control, told);
        }
        return Lib.element('div', {class: 'option'},
            Lib.element('label', {for: `option-${name}`, text: label}), control, told);
    }

    /**
     * @param {string} name - The option's name.
     * @param {{value: string | number, text: string}[]} values - The possible values.
     * @param {string | number} chosen - The current value.
     * @param {(value: string) => void} set - Sets it.
     * @returns {HTMLElement} A list to choose from.
     */
    function _select(name, values, chosen, set) {
        const select = Lib.element('select', {id: `option-${name}`, on: {change: () => set(select.value)}},
            ...values.map(({value, text}) => Lib.element('option', {value, text, selected: value === chosen})));
        return select;
    }

    /**
     * @param {string} name - The option's name.
     * @param {boolean} value - Is it so?
     * @param {(value: boolean) => void} set - Sets it.
     * @returns {HTMLElement} A box to tick.
     */
    function _check(name, value, set) {
        const box = Lib.element('input', {
            type: 'checkbox', id: `option-${name}`, checked: value, on: {change: () => set(box.checked)}
        });
        return box;
    }

    /**
     * @param {string} name - The option's name.
     * @param {number} value - The current value.
     * @param {(value: number) => void} set - Sets it.
     * @param {OptionInfo} option - The possible values.
     * @returns {HTMLElement} A field for a number.
     */
    function _number(name, value, set, option) {
        const field = Lib.element('input', {
            type: 'number', id: `option-${name}`, value, min: option.zero === false ? 1 : 0, inputmode: 'decimal',
            step: option.type === 'float' ? 0.05 : 1,
            on: {
                change: () => {
                    if (field.value !== '' && Number.isFinite(field.valueAsNumber)) {
                        set(field.valueAsNumber);
                    }
                }
            }
        });
        return field;
    }

    /**
     * @param {number} seconds - A limit.
     * @returns {string} How people call it.
     */
    function _limit(seconds) {
        return seconds === 0 ? Texts.get('lobby.unlimited') : Texts.get('lobby.seconds', {count: seconds});
    }

    /** @param {object} payload - The changed options. */
    function _send(payload) {
        EventBus.emit('lobbyView:options', payload);
    }

    return {create, player};
})();
