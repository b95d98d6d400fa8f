/**
 * Seating: how the host removes a person, before a game or in it.
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

    return {
        remove,
        /** @returns {Map<number, string>} The people whom we may remove: the name on each seat. */
        get people() {
            return _people();
        }
    };
})();
