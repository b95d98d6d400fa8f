/**
 * PlainFields: draws the fields of any game's view: cards as cards, numbers as badges, places as a map.
 *
 * It goes by the shape of a value, not by the game: a list as long as the table has seats is told seat by seat, objects
 * with `x` and `y` are a map, texts that are cards look like cards.
 */
const PlainFields = (() => {
    /** Fields of every table, and those by which every game names the seat itself and whose turn it is. */
    const _SHOWN_ELSEWHERE = new Set([
        'game', 'table_name', 'player_names', 'player_kinds', 'presences', 'held_for', 'host_index', 'is_running',
        'awaiting', 'time_left', 'spectators', 'table_options', 'game_id', 'player_index', 'seat', 'turn'
    ]);

    /** The readings of fields that the hand, the seats and the boards show. */
    const _APART = new Set(['hand', 'counts', 'scores', 'grid']);

    /**
     * Draw the fields on the table.
     *
     * @param {Snapshot} snapshot - The state.
     * @returns {HTMLElement[]} Its fields, the ones with cards first.
     */
    function draw(snapshot) {
        const fields = {...snapshot.public_state, ...snapshot.private_state};
        const names = snapshot.public_state.player_names;
        const cards = [];
        const badges = [];
        const readings = Setup.look(snapshot.public_state.game).fields;
        for (const [name, value] of Object.entries(fields)) {
            const reading = readings[name] ?? '';
            if (_SHOWN_ELSEWHERE.has(name) || _APART.has(reading) || _isEmpty(value, reading)) {
                continue;
            }
            // A field whose name is an empty text is not shown.
            if (label(name) === '') {
                continue;
            }
            if (Array.isArray(value) || Faces.of(String(value)) !== null) {
                cards.push(_list(name, value, names, reading));
            }
            else if (typeof value === 'object') {
                const parts = Object.entries(value).map(([part, each]) => [`${name}.${part}`, each]);
                badges.push(_badge(name, parts.map(([part, each]) => _part(part, each, names, readings)).join(' · ')));
            }
            else {
                badges.push(_badge(name, _word(value, names, reading)));
            }
        }
        return [...cards, Lib.element('dl', {class: 'badges'}, ...badges)];
    }

    /**
     * @param {string} name - A field inside a field.
     * @param {any} value - Its value.
     * @param {string[]} names - The players.
     * @param {{[field: string]: string}} readings - How fields are read.
     * @returns {string} The text.
     */
    function _part(name, value, names, readings) {
        const word = _word(value, names, readings[name] ?? '');
        return Words.has('fields', name) ? Words.get('fields', name, {value: word}) : word;
    }

    /**
     * @param {any} value - A field's value.
     * @param {string} [reading] - How it is read.
     * @returns {boolean} Is there nothing to tell?
     */
    function _isEmpty(value, reading = '') {
        if (value === null || value === '') {
            return true;
        }
        if (Array.isArray(value)) {
            // A zero of a list is one of its values.
            return value.every(each => each !== 0 && each !== false && _isEmpty(each));
        }
        return !['amount', 'seat', 'ordinal'].includes(reading) && (value === false || value === 0);
    }

    /**
     * @param {string} name - A field.
     * @returns {string} How people call it.
     */
    function label(name) {
        return Words.get('fields', name);
    }

    /**
     * @param {any} value - A field's value.
     * @param {string[]} names - The players.
     * @param {string} reading - How it is read.
     * @returns {string} The value in a word.
     */
    function _word(value, names, reading) {
        if (typeof value === 'boolean') {
            return Texts.get(value ? 'lobby.yes' : 'lobby.no');
        }
        if (reading === 'seat') {
            return names[value];
        }
        if (reading === 'move') {
            return Moves.words(value, Faces.text);
        }
        return reading === 'ordinal' ? String(value + 1) : Faces.text(String(value));
    }

    /**
     * @param {string} name - The field.
     * @param {string} text - The text.
     * @returns {HTMLElement} Both, small.
     */
    function _badge(name, text) {
        return Lib.element('div', {class: 'badge'}, Lib.element('dt', {text: label(name)}), Lib.element('dd', {text}));
    }

    /**
     * @param {string} name - The field.
     * @param {any} value - A list, or a card.
     * @param {string[]} names - The players.
     * @param {string} reading - How it is read.
     * @returns {HTMLElement} Its cards, or a row for each player.
     */
    function _list(name, value, names, reading) {
        const list = [value].flat();
        const isBySeat = reading !== 'list' && list.length === names.length
            && (names.length > 1 || Array.isArray(list[0]))
            && (Array.isArray(list[0]) || typeof list[0] === 'number' || reading === 'suits');
        const row = (/** @type {any} */ each) => Lib.element('div', {class: 'field-row'}, ..._cards(name, each, names));
        const isNested = list.some(each => typeof each === 'object' && each !== null);
        const rows = isBySeat
            ? list.map((each, seat) => ({each, seat})).filter(({each}) => !_isEmpty(each)).map(({each, seat}) => (
                Lib.element('div', {class: 'field-row'}, Lib.element('span', {class: 'whose', text: names[seat]}),
                    ...reading === 'suits'
                        ? [_number([...each].map(Faces.suit).join(', '))] : _cards(name, each, names))))
            : isNested ? list.map(row) : [row(list)];
        return Lib.element('section', {class: `field-group${isBySeat ? ' by-seat' : ''}`, 'aria-label': label(name)},
            Lib.element('h2', {text: label(name)}), ...rows);
    }

    /**
     * @param {string | number} text - A number, or a few words.
     * @returns {HTMLElement} How it looks.
     */
    function _number(text) {
        return Lib.element('span', {class: 'number', text});
    }

    /**
     * Draw a value of a list, however long it is.
     *
     * @param {string} name - The field.
     * @param {any} value - A card, a number, an object, or a list of them.
     * @param {string[]} names - The players.
     * @returns {HTMLElement[]} How it looks.
     */
    function _cards(name, value, names) {
        return [value].flat().map(each => {
            if (Array.isArray(each)) {
                return Lib.element('span', {class: 'group'}, ..._cards(name, each, names));
            }
            if (typeof each === 'object' && each !== null) {
                const {fields} = Setup.look(State.snapshot?.public_state.game ?? '');
                const parts = Object.entries(each);
                return _number(parts.map(([part, one]) => _part(`${name}.${part}`, one, names, fields)).join(' · '));
            }
            return typeof each === 'number' ? _number(each) : Faces.draw(String(each ?? '–'));
        });
    }

    /**
     * Find the field that the game reads in a certain way.
     *
     * @param {'hand' | 'counts' | 'scores'} reading - The reading.
     * @returns {string} The field; empty if the game has none.
     */
    function called(reading) {
        const {fields} = Setup.look(State.snapshot?.public_state.game ?? '');
        return Object.keys(fields).find(name => fields[name] === reading) ?? '';
    }

    /**
     * The player's own hand.
     *
     * @param {PrivateState} own - The player's private state.
     * @returns {string[]} The cards, sorted.
     */
    function hand(own) {
        return [...own[called('hand')] ?? []].sort((one, other) => Faces.order(one) - Faces.order(other));
    }

    return {draw, label, called, hand};
})();
