/**
 * Said: what people say in words of their own, whom this device does not want to hear, and what the server says.
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
     * Show words of somebody's own; what is said by those who are muted is not shown.
     *
     * @param {string} event - What happened.
     * @param {any} context - The event's context.
     * @param {string} name - Whoever it is about.
     * @returns {boolean} Is that all that there is to show?
     */
    function takes(event, context, name) {
        if (event === 'said' && !isMuted(context.player_name)) {
            Lib.toast(Texts.get('chat.says', {name: context.player_name, phrase: context.text}), 'said');
        }
        return event === 'said' || event === 'chat' && isMuted(name);
    }

    /**
     * Show what the server says of itself.
     *
     * @param {string} type - The type of its message.
     * @param {any} payload - The message's payload.
     */
    function tell(type, payload) {
        if (type === 'announcement') {
            Lib.toast(Texts.get(`announcement.${payload.kind}`, {text: payload.text}), 'word');
        }
        else if (type === 'delayed') {
            Lib.toast(Texts.get('watch.delayed', payload), 'word');
        }
        else if (type === 'reported') {
            Lib.toast(Texts.get('chat.reported'));
        }
    }

    /** A game begins: say so if others will see all hands. */
    function warn() {
        const options = State.snapshot?.public_state.table_options;
        const {open_hands: areOpen = false, watch_delay: seconds = 0} = options ?? {};
        if (areOpen) {
            Lib.toast(Texts.get('watch.open', {seconds}), 'said');
        }
    }

    return {muted, mute, isMuted, takes, tell, warn};
})();
