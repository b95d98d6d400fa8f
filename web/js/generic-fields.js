/**
 * GenericFields: draws the fields of any game's view: cards as cards, numbers as badges, places as a map.
 *
 * It goes by the shape of a value, not by the game: a list as long as the table has seats is told seat by seat, objects
 * with `x` and `y` are a map, texts that are cards look like cards.
 */
const GenericFields = (() => {
    /** What every table has, and what the seats already show. */
    const _SHOWN_ELSEWHERE = new Set([
        'game', 'table_name', 'player_names', 'player_kinds', 'presences', 'held_for', 'host_index', 'is_running',
        'awaiting', 'time_left', 'spectators', 'table_options', 'game_id', 'player_index', 'seat', 'turn', 'options',
        'counts', 'held', 'scores', 'hand', 'rack'
    ]);

    /** The longest row of cards; of a longer one the last are shown. */
    const _LONGEST = 6;

    /**
     * Draw what lies on the table.
     *
     * @param {Snapshot} snapshot - The state.
     * @returns {HTMLElement[]} Its fields, the ones with cards first.
     */
    function draw(snapshot) {
        const fields = {...snapshot.public_state, ...snapshot.private_state};
        const names = snapshot.public_state.player_names;
        const cards = [];
        const badges = [];
        for (const [name, value] of Object.entries(fields)) {
            if (_SHOWN_ELSEWHERE.has(name) || _isEmpty(value) || _isMap(value)) {
                continue;
            }
            if (Array.isArray(value) || Faces.of(String(value)) !== null) {
                cards.push(_list(name, value, names));
            }
            else if (typeof value === 'object') {
                badges.push(_badge(name, Object.values(value).map(each => Faces.text(String(each))).join(' · ')));
            }
            else {
                badges.push(_badge(name, _word(name, value, names)));
            }
        }
        return [...cards, Lib.element('dl', {class: 'badges'}, ...badges)];
    }

    /**
     * @param {any} value - A field's value.
     * @returns {boolean} Is there nothing to tell?
     */
    function _isEmpty(value) {
        return value === null || value === '' || value === false || value === 0
            || Array.isArray(value) && value.every(_isEmpty);
    }

    /**
     * @param {any} value - A field's value.
     * @returns {boolean} Is it a list of places?
     */
    function _isMap(value) {
        return Array.isArray(value) && value.length > 0 && value[0] !== null && typeof value[0] === 'object'
            && 'x' in value[0] && 'y' in value[0];
    }

    /**
     * Find the map among the fields.
     *
     * @param {Snapshot} snapshot - The state.
     * @returns {any[] | null} Its places; null if the game has no map.
     */
    function findMap(snapshot) {
        return Object.values({...snapshot.public_state, ...snapshot.private_state}).find(_isMap) ?? null;
    }

    /**
     * @param {string} name - A field.
     * @returns {string} How people call it.
     */
    function label(name) {
        return Texts.has(`field.${name}`) ? Texts.get(`field.${name}`) : name.replaceAll('_', ' ');
    }

    /**
     * @param {string} name - The field.
     * @param {any} value - Its value.
     * @param {string[]} names - The players.
     * @returns {string} The value in a word.
     */
    function _word(name, value, names) {
        if (value === true) {
            return Texts.get('lobby.yes');
        }
        if (typeof value === 'number' && (name === 'winner' || name === 'closer')) {
            return names[value] ?? String(value);
        }
        return Faces.text(String(value));
    }

    /**
     * @param {string} name - The field.
     * @param {string} text - What it says.
     * @returns {HTMLElement} Both, small.
     */
    function _badge(name, text) {
        return Lib.element('div', {class: 'badge'}, Lib.element('dt', {text: label(name)}), Lib.element('dd', {text}));
    }

    /**
     * @param {string} name - The field.
     * @param {any} value - A list, or a card.
     * @param {string[]} names - The players.
     * @returns {HTMLElement} Its cards, or a row for each player.
     */
    function _list(name, value, names) {
        const list = Array.isArray(value) ? value : [value];
        const isBySeat = list.length === names.length && (names.length > 1 || Array.isArray(list[0]))
            && (Array.isArray(list[0]) || typeof list[0] === 'number' || list.includes(''));
        const rows = isBySeat
            ? list.map((each, seat) => _isEmpty(each) ? null : Lib.element('div', {class: 'field-row'},
                Lib.element('span', {class: 'whose', text: names[seat]}), ..._cards(each)))
            : [Lib.element('div', {class: 'field-row'}, ..._cards(list))];
        return Lib.element('section', {class: `field-group${isBySeat ? ' by-seat' : ''}`, 'aria-label': label(name)},
            Lib.element('h3', {text: label(name)}), ...rows.filter(row => row !== null));
    }

    /**
     * @param {any} value - Cards, numbers, or lists of them.
     * @returns {HTMLElement[]} How they look.
     */
    function _cards(value) {
        const list = Array.isArray(value) ? value : [value];
        const last = list.slice(-_LONGEST);
        const drawn = last.map(each => {
            if (Array.isArray(each)) {
                return Lib.element('span', {class: 'group'}, ..._cards(each));
            }
            return typeof each === 'number'
                ? Lib.element('span', {class: 'number', text: String(each)})
                : Faces.draw(String(each));
        });
        const hidden = list.length - last.length;
        return hidden > 0 ? [Lib.element('span', {class: 'more', text: `+${hidden}`}), ...drawn] : drawn;
    }

    /**
     * The hand of the player: the cards that only he sees.
     *
     * @param {PrivateState} own - What he sees.
     * @returns {string[]} The cards, sorted.
     */
    function hand({hand: cards, rack}) {
        return [...cards ?? rack ?? []].sort((one, other) => Faces.order(one) - Faces.order(other));
    }

    return {draw, findMap, label, hand};
})();
