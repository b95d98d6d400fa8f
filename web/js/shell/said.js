/**
 * Said: shows what people say in words of their own, and what the server says of itself at a table. Loaded with the
 * table; whom this device does not want to hear, the controller knows by `User.recall('muted')`.
 */
const Said = (() => {
    const _KEPT = 'muted';
    /** The most names that the device keeps. */
    const _MOST = 100;

    /** @returns {string[]} The names of those who are not heard on this device. */
    function muted() {
        return User.recall(_KEPT) ?? [];
    }

    /**
     * Hear somebody no more, or again.
     *
     * @param {string} name - Their name.
     * @param {boolean} isOver - Are they heard no more?
     */
    function mute(name, isOver) {
        const others = muted().filter(other => other !== name);
        User.remember(_KEPT, isOver ? [name, ...others].slice(0, _MOST) : others);
    }

    /**
     * @param {string} name - A name.
     * @returns {boolean} Is whoever has it not heard on this device?
     */
    function isMuted(name) {
        return muted().includes(name);
    }

    /**
     * Show something that was said.
     *
     * @param {string} what - The event or the type of the message.
     * @param {any} context - Its fields.
     */
    function show(what, context) {
        if (what === 'said' && !isMuted(context.player_name)) {
            Lib.toast(Texts.get('chat.says', {name: context.player_name, phrase: context.text}), 'said');
        }
        else if (what === 'delayed') {
            Lib.toast(Texts.get('watch.delayed', context), 'word');
        }
        else if (what === 'reported') {
            Lib.toast(Texts.get('chat.reported'));
        }
        else if (what === 'game_started' && State.snapshot?.public_state.table_options.open_hands) {
            // Those who play know that others see all hands.
            const {watch_delay: seconds} = State.snapshot.public_state.table_options;
            Lib.toast(Texts.get('watch.open', {seconds}), 'said');
        }
    }

    return {muted, mute, isMuted, show};
})();
