/**
 * Seating: who may sit at a table: how the host removes a person, keeps strangers out of a running game, and lets
 * somebody else be the host.
 */
const Seating = (() => {
    /**
     * Ask whether to remove a player, and do it.
     *
     * @param {number | null} seat - Their seat.
     */
    async function remove(seat) {
        const name = seat === null ? '' : _people().get(seat) ?? '';
        if (name === '') {
            return;
        }
        const isPrivate = State.snapshot?.public_state.is_private ?? false;
        const answer = await Dialog.ask(Texts.get('remove.title', {name}),
            Texts.get(isPrivate ? 'remove.private' : 'remove.open', {name}), [
                {value: 'remove', text: Texts.get('remove.go'), kind: 'danger'},
                {value: '', text: Texts.get('remove.stay'), kind: 'main'}
            ]);
        // Somebody else may sit there by now.
        if (answer === 'remove' && seat !== null && _people().get(seat) === name) {
            EventBus.emit('lobbyView:remove', {player_index: seat});
        }
    }

    /** @returns {Map<number, string>} The people whom we may remove as the host: the name on each seat. */
    function _people() {
        const {snapshot} = State;
        if (snapshot === null || snapshot.me < 0 || snapshot.me !== snapshot.public_state.host_index) {
            return new Map();
        }
        const {player_names: names, player_kinds: kinds} = snapshot.public_state;
        const seats = [...names.entries()];
        return new Map(seats.filter(([seat]) => seat !== snapshot.me && kinds[seat] === 'human'));
    }

    /**
     * Make what the host can do about the people at the table while a game runs; the lobby has its own ways.
     *
     * @returns {HTMLElement | null} The switch for access and a button for each person; null for everybody else.
     */
    function menu() {
        const {snapshot} = State;
        const people = [..._people()];
        if (snapshot === null || !State.isRunning || people.length === 0) {
            return null;
        }
        // Strangers can be kept out at any time, but are let in only between two games.
        const wasPrivate = snapshot.public_state.is_private ?? false;
        const isPrivate = Lib.element('input', {
            type: 'checkbox', checked: wasPrivate, disabled: wasPrivate,
            on: {
                change: () => {
                    isPrivate.disabled = true;
                    EventBus.emit('lobbyView:access', {is_private: true});
                }
            }
        });
        return Lib.element('fieldset', {class: 'seating'},
            Lib.element('legend', {text: Texts.get('seating')}),
            Lib.element('label', {class: 'check'}, isPrivate, Lib.element('span', {text: Texts.get('lobby.private')})),
            ...people.flatMap(([seat, name]) => [
                ...snapshot.public_state.presences[seat] === 'here' ? [_button('pass-on', 'lobby.pass_on', name, () => (
                    EventBus.emit('lobbyView:host', {player_index: seat})))] : [],
                _button('remove', 'lobby.remove', name, () => void remove(seat))
            ]));
    }

    /**
     * @param {string} kind - What it is for.
     * @param {string} key - The key of the text.
     * @param {string} name - Whom it is about.
     * @param {() => void} act - What it does, once the dialog is closed.
     * @returns {HTMLElement} The button.
     */
    function _button(kind, key, name, act) {
        return Lib.element('button', {
            type: 'button', class: `button plain ${kind}`, text: Texts.get(key, {name}),
            on: {
                click: (/** @type {Event} */ {target}) => {
                    /** @type {HTMLElement} */ (target).closest('dialog')?.close();
                    act();
                }
            }
        });
    }

    return {remove, menu};
})();
