/**
 * TichuScene: the content of a Tichu table at one moment, as plain data: no elements, no clock, no memory.
 *
 * `TichuScene.of(snapshot, draft)` is a pure function. The snapshot is the server's last word; the draft is what the
 * user has in hand but not yet sent. All seats stand in the order bottom, right, top, left as the viewer sees them.
 */

/**
 * The user's draft: everything that is not sent yet.
 *
 * @typedef {object} Draft
 * @property {string[]} selected - The labels of the selected hand cards.
 * @property {(string | null)[]} zones - The labels laid out for right opponent, partner and left opponent.
 * @property {boolean} hasTakenUp - Are the received cards in the hand already?
 * @property {boolean} isRising - Do the suggested cards rise, so that nothing is pressed by mistake?
 */

/**
 * A seat as it is shown.
 *
 * @typedef {object} SeatScene
 * @property {number} seat - Its number at the table.
 * @property {'bottom' | 'right' | 'top' | 'left'} place - Where it is shown.
 * @property {string} name
 * @property {string} portrait - The head of who sits there; empty for a person without one.
 * @property {number} count - How many cards it holds.
 * @property {Card[] | null} hand - Its cards, if they lie open.
 * @property {boolean} isOwner - Does its combination win the trick so far?
 * @property {number} call - 0 none, 1 Tichu, 2 Grand Tichu.
 * @property {number} points - The points of its tricks.
 * @property {boolean} hasPassed - Has it passed on what lies?
 * @property {boolean} isFirst - Was it the first to finish?
 * @property {boolean} isOut - Has it finished?
 */

/**
 * Cards that a seat laid.
 *
 * @typedef {object} LaidScene
 * @property {number} seat
 * @property {string} name - The name of the seat that laid them.
 * @property {string} place - Where they sit.
 * @property {Card[]} cards
 * @property {string} title - The combination, such as "Paar Zehn".
 */

/**
 * A button of the bottom row.
 *
 * @typedef {object} ButtonScene
 * @property {string} text - The key of its text.
 * @property {boolean} isEnabled
 * @property {string} act - What it does: `pass`, `no-grand`, `grand`, `tichu`, `schupf`, `take-up`, `suggest`, `play`,
 *     `bomb`.
 */

/**
 * One card of the own hand.
 *
 * @typedef {object} HandCardScene
 * @property {Card} card
 * @property {string} label
 * @property {boolean} isSelected
 * @property {boolean} isLit - Can it be laid, together with what is selected?
 * @property {boolean} isDim - It is our turn, and it cannot.
 * @property {string} giver - Who gave it, as long as that is news; otherwise empty.
 */

/**
 * The cards to be given away, or those received.
 *
 * @typedef {object} ZonesScene
 * @property {'give' | 'given' | 'received'} kind
 * @property {{place: string, name: string, card: Card | null}[]} places - For right opponent, partner, left opponent.
 * @property {boolean} isOpen - Does a selected card wait for a place?
 */

/**
 * @typedef {object} TichuSceneData
 * @property {boolean} isWatching - No seat of our own.
 * @property {string} phase
 * @property {boolean} isOut - Have we laid our last card, so that the others' cards lie open?
 * @property {SeatScene[]} seats - Bottom, right, top, left.
 * @property {HandCardScene[]} hand
 * @property {ZonesScene | null} zones
 * @property {LaidScene | null} top - The combination to beat, or a dog.
 * @property {LaidScene[]} earlier - The last combination of each other seat in this trick.
 * @property {boolean} isBomb - Is the top a bomb?
 * @property {boolean} isTaking - Is the trick about to be taken?
 * @property {number} trickPoints
 * @property {number} trickOwner
 * @property {number} wish - The value wished for; 0 none.
 * @property {{own: number, other: number, ownTricks: number, otherTricks: number}} score - The viewer's team first.
 * @property {{left: ButtonScene, middle: ButtonScene, right: ButtonScene}} buttons
 * @property {boolean} hasBomb - Can a bomb be thrown?
 * @property {boolean} hasLastTrick
 * @property {{key: string, values: {[name: string]: string}} | null} line - What happens; null if the table waits for
 *     somebody.
 */

const TichuScene = (() => {
    /** @type {['bottom', 'right', 'top', 'left']} */
    const _PLACES = ['bottom', 'right', 'top', 'left'];
    const _BOMB = 7;
    const _PASS = 0;

    /** @returns {Draft} A draft in which nothing was begun. */
    function emptyDraft() {
        return {selected: [], zones: [null, null, null], hasTakenUp: true, isRising: false};
    }

    /**
     * Compute the scene.
     *
     * @param {Snapshot & {hands?: Card[][]}} snapshot - The server's last word; `hands` opens all hands.
     * @param {Draft} [draft] - The user's draft.
     * @returns {TichuSceneData} The scene.
     */
    function of(snapshot, draft = emptyDraft()) {
        const {private_state: own, choices, request, me} = snapshot;
        const table = /** @type {Protocol.TichuPublic & PublicState} */ (snapshot.public_state);
        const bottom = me < 0 ? 0 : me;
        const action = request?.action ?? '';
        const seats = _PLACES.map((place, offset) => _seat(snapshot, (bottom + offset) % 4, place));
        const laid = table.trick.filter((/** @type {any} */ turn) => turn[1].length > 0)
            .map((/** @type {any} */ turn) => _laid(turn, seats));
        const zones = me < 0 ? null : _zones(snapshot, draft, seats);
        const dealt = zones?.kind === 'received' ? own.received_schupf_cards.map(Cards.label) : [];
        const isTaking = table.phase === 'play' && laid.length > 0
            && table.current_turn_index === table.trick_owner_index;
        return {
            isWatching: me < 0,
            phase: table.phase,
            isOut: me >= 0 && seats[0].isOut && table.phase !== 'over' && action !== 'wish',
            seats,
            hand: me < 0 ? [] : _hand(snapshot, draft, seats, dealt),
            zones,
            top: laid.at(-1) ?? null,
            earlier: seats.flatMap(({seat}) => (
                laid.filter((/** @type {LaidScene} */ one) => one.seat === seat).slice(-1)
            )).filter(one => one !== laid.at(-1)),
            isBomb: table.trick_combination[0] === _BOMB,
            isTaking,
            trickPoints: table.trick_points,
            trickOwner: table.trick_owner_index,
            wish: Math.max(0, table.wish_value),
            score: _score(table, bottom),
            buttons: _buttons(snapshot, draft, zones),
            hasBomb: (choices.bombs ?? []).length > 0 && zones === null,
            hasLastTrick: table.tricks.length > 0,
            line: _line(snapshot, isTaking, zones)
        };
    }

    /**
     * @param {Snapshot & {hands?: Card[][]}} snapshot - The server's last word.
     * @param {number} seat - Which seat.
     * @param {'bottom' | 'right' | 'top' | 'left'} place - Where it is shown.
     * @returns {SeatScene} The seat as it is shown.
     */
    function _seat(snapshot, seat, place) {
        const table = snapshot.public_state;
        const open = snapshot.hands ?? snapshot.private_state.open_hands ?? [];
        const acts = table.trick.filter((/** @type {any} */ turn) => turn[0] === seat);
        const count = table.count_hand_cards[seat];
        return {
            seat,
            place,
            name: table.player_names[seat],
            portrait: Portraits.of(table, seat),
            count,
            hand: open.length > 0 && seat !== snapshot.me ? Cards.sorted(open[seat]) : null,
            isOwner: table.trick_owner_index === seat,
            call: table.announcements[seat] || (seat === snapshot.me && snapshot.private_state.announced_grand ? 2 : 0),
            points: table.points[seat],
            hasPassed: acts.length > 0 && acts.at(-1)[1].length === 0 && table.trick_owner_index !== seat,
            isFirst: table.winner_index === seat,
            isOut: count === 0 && table.start_player_index >= 0
        };
    }

    /**
     * @param {[number, Card[], Combination]} turn - The seat, its cards and their combination.
     * @param {SeatScene[]} seats - The seats.
     * @returns {LaidScene} The cards on the table.
     */
    function _laid([seat, cards, combination], seats) {
        const who = /** @type {SeatScene} */ (seats.find(one => one.seat === seat));
        return {
            seat,
            name: who.name,
            place: who.place,
            cards: Cards.sorted(cards),
            title: combination[0] === _PASS ? Cards.names(cards) : Cards.combinationName(combination, cards)
        };
    }

    /**
     * @param {Snapshot} snapshot - The server's last word.
     * @param {Draft} draft - The user's draft.
     * @param {SeatScene[]} seats - The seats.
     * @param {string[]} dealt - The received cards that are not yet taken up.
     * @returns {HandCardScene[]} The own hand.
     */
    function _hand(snapshot, draft, seats, dealt) {
        const {public_state: table, private_state: own, choices, request} = snapshot;
        const isPlaying = request?.action === 'play';
        const lit = isPlaying ? Cards.plays(choices.legal).around(draft.selected) : new Set();
        const received = (own.received_schupf_cards ?? []).map(Cards.label);
        const isNews = table.played_cards.length === 0;
        return Cards.sorted(own.hand_cards ?? []).map(card => ({card, label: Cards.label(card)}))
            .filter(({label}) => !dealt.includes(label) && !draft.zones.includes(label))
            .map(({card, label}) => ({
                card,
                label,
                isSelected: draft.selected.includes(label),
                isLit: lit.has(label),
                isDim: isPlaying && !lit.has(label) && !draft.selected.includes(label),
                giver: isNews && received.includes(label) ? seats[received.indexOf(label) + 1].name : ''
            }));
    }

    /**
     * @param {Snapshot} snapshot - The server's last word.
     * @param {Draft} draft - The user's draft.
     * @param {SeatScene[]} seats - The seats.
     * @returns {ZonesScene | null} The places for the cards given or received, while they matter.
     */
    function _zones(snapshot, draft, seats) {
        const {public_state: table, private_state: own, request} = snapshot;
        /** @type {'give' | 'given' | 'received'} */
        let kind;
        /** @type {(Card | null)[]} */
        let cards;
        if (request?.action === 'schupf') {
            kind = 'give';
            /** @type {Card[]} */
            const hand = own.hand_cards ?? [];
            cards = draft.zones.map(label => hand.find(card => Cards.label(card) === label) ?? null);
        }
        else if (table.phase === 'schupf') {
            kind = 'given';
            cards = own.given_schupf_cards ?? [];
        }
        else if (table.phase === 'play' && !draft.hasTakenUp && (own.received_schupf_cards ?? []).length === 3) {
            kind = 'received';
            cards = own.received_schupf_cards;
        }
        else {
            return null;
        }
        const places = [1, 2, 3].map(offset => (
            {place: seats[offset].place, name: seats[offset].name, card: cards[offset - 1] ?? null}
        ));
        return {kind, places, isOpen: kind === 'give' && draft.selected.length === 1};
    }

    /**
     * @param {Protocol.TichuPublic & PublicState} table - What everybody knows.
     * @param {number} bottom - The seat at the bottom.
     * @returns {{own: number, other: number, ownTricks: number, otherTricks: number}} The score by teams.
     */
    function _score(table, bottom) {
        const sum = (/** @type {number[]} */ numbers) => numbers.reduce((all, one) => all + one, 0);
        const [own, other] = [bottom % 2, (bottom + 1) % 2];
        return {
            own: sum(table.game_score[own]),
            other: sum(table.game_score[other]),
            ownTricks: table.points[own] + table.points[own + 2],
            otherTricks: table.points[other] + table.points[other + 2]
        };
    }

    /**
     * @param {Snapshot} snapshot - The server's last word.
     * @param {Draft} draft - The user's draft.
     * @param {ZonesScene | null} zones - The places for the schupf.
     * @returns {{left: ButtonScene, middle: ButtonScene, right: ButtonScene}} The three buttons.
     */
    function _buttons(snapshot, draft, zones) {
        const {choices, request} = snapshot;
        const action = request?.action ?? '';
        const isFree = !draft.isRising;
        const button = (/** @type {string} */ text, /** @type {boolean} */ isEnabled, act = text) => (
            {text: `button.${text}`, isEnabled: isEnabled && isFree, act}
        );
        if (snapshot.public_state.phase === 'grand') {
            const isAsked = action === 'announce_grand_tichu';
            return {left: button('no-grand', isAsked), middle: button('grand', isAsked), right: button('play', false)};
        }
        const left = button('pass', action === 'play' && choices.may_pass === true && zones === null);
        const middle = button('tichu', choices.may_announce === true);
        if (zones?.kind === 'give') {
            return {left, middle, right: button('schupf', zones.places.every(place => place.card !== null))};
        }
        if (zones !== null) {
            return {left, middle, right: button('take-up', zones.kind === 'received')};
        }
        return {left, middle, right: _playButton(snapshot, draft, button)};
    }

    /**
     * @param {Snapshot} snapshot - The server's last word.
     * @param {Draft} draft - The user's draft.
     * @param {(text: string, isEnabled: boolean, act?: string) => ButtonScene} button - Makes a button.
     * @returns {ButtonScene} The right button while cards are played.
     */
    function _playButton(snapshot, draft, button) {
        const {choices, request} = snapshot;
        const plays = Cards.plays(choices.legal);
        const isBomb = (choices.bombs ?? []).some((/** @type {Card[]} */ bomb) => (
            bomb.length === draft.selected.length && bomb.every(card => draft.selected.includes(Cards.label(card)))
        ));
        if (isBomb) {
            return button('bomb', true);
        }
        if (request?.action !== 'play') {
            return button('play', false);
        }
        if (plays.count === 0) {
            return button('no-move', false, 'play');
        }
        if (draft.selected.length === 0 && (choices.suggested ?? []).length > 0) {
            return button('suggest', true);
        }
        return button('play', plays.has(draft.selected));
    }

    /**
     * Say what is to be done in the own turn.
     *
     * @param {Snapshot} snapshot - The server's last word.
     * @returns {string} The key of the text.
     */
    function task({public_state: table, choices, request}) {
        const isLead = request?.action === 'play' && table.trick_combination[0] === _PASS;
        const isStuck = request?.action === 'play' && Cards.plays(choices.legal).count === 0;
        return `status.${isLead ? 'lead' : isStuck ? 'stuck' : request?.action ?? 'quiet'}`;
    }

    /**
     * Say what happens while it is nobody's turn.
     *
     * @param {Snapshot} snapshot - The server's last word.
     * @param {boolean} isTaking - Is the trick about to be taken?
     * @param {ZonesScene | null} zones - The places for the schupf.
     * @returns {TichuSceneData['line']} The line; null if it is somebody's turn.
     */
    function _line({public_state: table, me}, isTaking, zones) {
        const line = (/** @type {string} */ key, values = {}) => ({key: `status.${key}`, values});
        if (table.phase === 'over') {
            return line('over');
        }
        if (zones?.kind === 'received' && table.presences[me] !== 'away') {
            return line('received');
        }
        if (isTaking) {
            const owner = table.trick_owner_index;
            return owner === me ? line('you-take') : line('takes', {name: table.player_names[owner]});
        }
        return table.awaiting.length === 0 ? line('quiet') : null;
    }

    return {of, task, emptyDraft};
})();
