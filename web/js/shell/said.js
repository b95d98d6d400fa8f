/**
 * Said: what people say in words of their own, and whom this device does not want to hear.
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

    return {muted, mute, isMuted, takes};
})();
