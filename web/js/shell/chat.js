/**
 * Chat: the phrases that can be said with one tap.
 */
const Chat = (() => {
    /** Show the phrases; the one that is tapped is said. */
    async function open() {
        const {phrases} = await Setup.load();
        const phrase = await Dialog.open({
            title: Texts.get('chat'), name: 'phrases',
            actions: [
                ...phrases.map(value => ({value, text: Texts.get(`chat.${value}`)})),
                {value: '', text: Texts.get('close'), kind: 'main'}
            ]
        }).answer;
        if (phrase !== '') {
            EventBus.emit('tableView:chat', {phrase});
        }
    }

    return {open};
})();
