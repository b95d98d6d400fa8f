/**
 * Chat: the phrases that can be said with one tap; for the host, also the way to remove somebody from a running game.
 */
const Chat = (() => {
    /** The answer by which the host removes the player of a seat. */
    const _REMOVE = 'remove ';

    /** Show the phrases; the one that is tapped is said. The host may remove people here, in a game, too. */
    async function open() {
        const {phrases} = await Setup.load();
        const phrase = await Dialog.open({
            title: Texts.get('chat'), name: 'phrases',
            actions: [
                ...phrases.map(value => ({value, text: Texts.get(`chat.${value}`)})),
                ...[...Seating.people].map(([seat, name]) => (
                    /** @type {DialogAction} */ ({
                        value: `${_REMOVE}${seat}`, text: Texts.get('lobby.remove', {name}), kind: 'danger'
                    }))),
                {value: '', text: Texts.get('close'), kind: 'main'}
            ]
        }).answer;
        if (phrase.startsWith(_REMOVE)) {
            void Seating.remove(Number(phrase.slice(_REMOVE.length)));
        }
        else if (phrase !== '') {
            EventBus.emit('tableView:chat', {phrase});
        }
    }

    return {open};
})();
