/**
 * TableSpeech: says in words what happens at a Tichu table, for those who hear it.
 */
const TableSpeech = (() => {
    /**
     * Say what happened.
     *
     * @param {string} event - What happened.
     * @param {any} context - What belongs to it.
     * @param {Snapshot} snapshot - The table before it.
     * @returns {string} A sentence; empty if it need not be said.
     */
    function of(event, context, snapshot) {
        const {player_names: names} = snapshot.public_state;
        const name = (/** @type {number} */ seat) => seat === snapshot.me ? Texts.get('table.said.you') : names[seat];
        const say = (/** @type {string} */ key, values = {}) => Texts.get(`table.said.${key}`, values);
        if (event === 'player_played') {
            const [seat, cards, combination] = context.turn;
            return say('played', {name: name(seat), cards: Cards.combinationName(combination, cards)});
        }
        if (event === 'trick_taken') {
            const {points, dragon_recipient: given, trick_owner_index: owner} = snapshot.public_state;
            const to = context.player_index;
            const isGiven = context.dragon_recipient !== given;
            return say(isGiven ? 'given' : 'taken', {
                name: name(isGiven ? owner : to), points: context.points - points[to],
                to: to === snapshot.me ? say('to-you') : names[to]
            });
        }
        if (event === 'player_turn_changed') {
            return snapshot.me >= 0 && context.current_turn_index === snapshot.me ? say('your-turn') : '';
        }
        if (event === 'player_announced') {
            return say(context.grand ? 'grand' : 'tichu', {name: name(context.player_index)});
        }
        if (event === 'wish_made') {
            return say('wish', {value: Cards.valueName(context.wish_value)});
        }
        if (event === 'chat') {
            return say('chat', {name: name(context.player_index), text: Texts.get(`chat.${context.phrase}`)});
        }
        if (event === 'start_playing' && context.received_schupf_cards !== undefined) {
            return say('received', {cards: Cards.names(context.received_schupf_cards)});
        }
        if (event === 'seat_changed') {
            return context.kind === 'human' ? say(context.presence, {name: context.player_name}) : '';
        }
        return event === 'player_passed' && context.player_index !== snapshot.me
            ? say('passed', {name: name(context.player_index)}) : _plain(event);
    }

    /**
     * @param {string} event - What happened.
     * @returns {string} What is said where nothing else need be known.
     */
    function _plain(event) {
        const key = `table.said.${event}`;
        return Texts.has(key) ? Texts.get(key) : '';
    }

    /**
     * Say a move's text in words.
     *
     * @param {string} text - The text, such as `play S7 B7`.
     * @param {Snapshot} snapshot - The table before it, as the one sees it who makes the move.
     * @returns {string} The words.
     */
    function move(text, {public_state: table, private_state: own}) {
        /** @type {Card[]} */
        const hand = own.hand_cards ?? [];
        const labels = Cards.played(text);
        if (labels !== null) {
            return Cards.names(hand.filter(card => labels.includes(Cards.label(card))));
        }
        const [verb, operand] = text.split(' ');
        if (verb === 'pass' && table.phase === 'grand') {
            return Texts.get('table.move.no-grand');
        }
        const card = hand.find(one => Cards.label(one) === operand);
        return Texts.get(`table.move.${verb}`, {
            card: card === undefined ? '' : Cards.name(card),
            name: verb === 'dragon' ? table.player_names[Number(operand)] : '',
            value: verb === 'wish' ? Cards.valueName(Number(operand)) : ''
        });
    }

    return {of, move};
})();
