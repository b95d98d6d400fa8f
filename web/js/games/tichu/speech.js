/**
 * TichuSpeech: puts the events and moves of a Tichu table into words, for screen readers and replays.
 */
const TichuSpeech = (() => {
    /** Events whose sentences need no values. */
    const _PLAIN = ['round_started', 'wish_fulfilled', 'round_over', 'game_over'];

    /**
     * Put an event into words.
     *
     * @param {string} event - The event's name.
     * @param {any} context - The event's context.
     * @param {Snapshot} snapshot - The table before it.
     * @returns {string} A sentence; empty if it need not be said.
     */
    function of(event, context, snapshot) {
        const {player_names: names} = snapshot.public_state;
        const name = (/** @type {number} */ seat) => seat === snapshot.me ? Words.table('said.you') : names[seat];
        const say = (/** @type {string} */ key, values = {}) => Words.table(`said.${key}`, values);
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
        if (event === 'player_announced') {
            return say(context.grand ? 'grand' : 'tichu', {name: name(context.player_index)});
        }
        if (event === 'wish_made') {
            return say('wish', {value: Cards.valueName(context.wish_value)});
        }
        if (event === 'chat') {
            const phrase = Texts.get(`chat.${context.phrase}`);
            return Words.tell(event, {name: name(context.player_index), phrase}, false);
        }
        if (event === 'start_playing' && context.received_schupf_cards !== undefined) {
            return say('received', {cards: Cards.names(context.received_schupf_cards)});
        }
        if (event === 'seat_changed') {
            return context.kind === 'human' ? say(context.presence, {name: context.player_name}) : '';
        }
        const isSaid = event === 'player_passed' ? context.player_index !== snapshot.me : _PLAIN.includes(event);
        return isSaid ? Words.tell(event, {name: names[context.player_index] ?? ''}, false) : '';
    }

    /**
     * Say a move's text in words.
     *
     * @param {string} text - The text, such as `play S7 B7`.
     * @param {Snapshot} snapshot - The table before it, as the acting seat sees it.
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
            return Words.get('moves', 'no-grand');
        }
        if (operand === undefined) {
            return Words.get('verbs', verb);
        }
        const card = hand.find(one => Cards.label(one) === operand);
        return Words.get('moves', verb, {
            1: card !== undefined ? Cards.name(card)
                : verb === 'dragon' ? table.player_names[Number(operand)] : Cards.valueName(Number(operand))
        });
    }

    /**
     * Write a value of a refusal for people.
     *
     * @param {string} name - The current value.
     * @param {string} value - As the server writes it.
     * @param {Snapshot} snapshot - The table.
     * @returns {string} The words.
     */
    function word(name, value, {public_state: table, private_state: own}) {
        if (name === 'seat') {
            return table.player_names[Number(value)] ?? value;
        }
        if (name === 'value') {
            return Cards.valueName(Number(value));
        }
        /** @type {Card[]} */
        const hand = own.hand_cards ?? [];
        const labels = value.split(' ');
        const cards = hand.filter(card => labels.includes(Cards.label(card)));
        return cards.length === labels.length ? Cards.names(cards) : value;
    }

    return {of, move, word};
})();
