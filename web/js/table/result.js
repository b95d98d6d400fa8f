/**
 * Result: the panels at the end of a round and of a game: who won, why, the points, the hands; and the ways on.
 */

/**
 * How a seat stands in a result.
 *
 * @typedef {object} Standing
 * @property {string} name
 * @property {boolean} isBest
 * @property {string} points - What counts now.
 * @property {string} [note] - More about it.
 * @property {Element[]} [cards] - The cards that are shown.
 * @property {string} [told] - The cards in words, for screen readers.
 */

/**
 * Tells the story of a game by all its events.
 *
 * @typedef {(events: GameEvent[]) => Story} Tell
 */

const Result = (() => {
    const _NAME = 'game';
    const _ROUND = 'round';
    /** How long the result of a round is shown where it does not stay (milliseconds). */
    const _SHOWN = 12000;

    /**
     * List how the seats stand.
     *
     * @param {Standing[]} rows - The seats, the best first.
     * @returns {HTMLElement} The list.
     */
    function standings(rows) {
        const {element} = Lib;
        const row = (/** @type {Standing} */ {name, isBest, points, note = '', cards = [], told = ''}) => (
            element('li', {class: isBest ? 'best' : null},
                element('strong', {text: name}), element('span', {class: 'result-points', text: points}),
                cards.length === 0 ? null
                    : element('span', {class: 'result-cards', role: 'img', 'aria-label': told}, ...cards.map(
                        card => element('span', {class: 'result-card'}, card))),
                note === '' ? null : element('small', {text: note}))
        );
        return element('ol', {class: 'result'}, ...rows.map(row));
    }

    /**
     * Show how a round ended. It stands alone: what comes after the round waits until the panel is closed. Where time
     * runs for somebody, or nobody here plays, it goes on by itself.
     *
     * @param {Snapshot} snapshot - The table.
     * @param {string} title - Who won, or what happened.
     * @param {HTMLElement[]} content - Why, the points and the hands.
     * @param {{text?: string, then?: () => void}} [on] - The text of the button, and what follows once the panel is
     *     closed by the user or by itself.
     */
    async function round({me, public_state: table}, title, content, {text, then} = {}) {
        const {player_kinds: kinds, table_options: {turn_limit: limit}} = table;
        const mayStay = me >= 0 && limit === 0 && kinds.filter(kind => kind === 'human').length < 2;
        EventBus.emit('result:open');
        const answer = await Panels.show(_ROUND, {
            title, content, actions: [{value: '', text: text ?? Texts.get('table.on'), kind: 'main'}]
        }, mayStay ? 0 : _SHOWN);
        EventBus.emit('result:close');
        if (answer !== null) {
            then?.();
        }
    }

    /** Close the panel of the round: it is not news any more. */
    function closeRound() {
        Panels.close(_ROUND);
    }

    /**
     * Make the place for the story of a game. It is empty until the story is there, and stays so without one.
     *
     * @param {Snapshot} snapshot - The table.
     * @param {number | string | null} gameId - The game; null if it cannot be told.
     * @param {Tell} tell - Tells the story.
     * @returns {HTMLElement} The place.
     */
    function story({public_state: {game}}, gameId, tell) {
        const made = Lib.element('section', {class: 'story', 'aria-label': Texts.get('story.title'), hidden: true});
        const fill = async () => {
            const [{events}] = await Promise.all([Lib.fetchJson(`/api/games/${gameId}/events`), Files.load('ending')]);
            const told = tell(events);
            made.replaceChildren(...Ending.make(told, game));
            made.hidden = false;
            const {step: last} = events.at(-1);
            if (gameId !== null && Setup.game(game)?.judged === true) {
                await Files.load('judging');
                await Ending.turn(made, told, gameId, last);
            }
        };
        if (gameId !== null) {
            fill().catch(() => {
                // The result stands without it.
                made.querySelector('.story-turn')?.remove();
            });
        }
        return made;
    }

    /**
     * Show how a game ended. The choice goes to the bus; closing the dialog leads to the lobby.
     *
     * @param {Snapshot} snapshot - The table.
     * @param {{id: number | string | null, tell?: Tell}} game - The game, to be told and to be watched again; null if
     *     it cannot be.
     * @param {string} title - How it ended, in a word.
     * @param {HTMLElement[]} content - How it ended: why, and seat by seat or round by round.
     */
    async function show(snapshot, {id, tell}, title, ...content) {
        const {me} = snapshot;
        const link = id === null ? [] : [Lib.element('a', {
            class: 'button plain', href: `/replay/${id}${me > 0 ? `#0-${me}` : ''}`, text: Texts.get('table.replay')
        })];
        const told = tell === undefined ? [] : [story(snapshot, id, tell)];
        const next = snapshot.public_state.challenge !== '' ? 'table.next'
            : Words.isTourOver ? 'tour.whole' : 'table.rematch';
        /** @type {DialogAction[]} */
        const rematch = me >= 0 ? [{value: 'rematch', text: Texts.get(next), kind: 'main'}] : [];
        const asked = again();
        const closed = Panels.show(_NAME, {
            title, content: [...Tour.ending(), ...content, ...told, ...link, ...challenge(snapshot), asked.element],
            actions: [{value: 'lobby', text: Texts.get('table.to_lobby')}, ...rematch]
        });
        // The panel stays until the next game begins.
        Panels.find(_NAME)?.querySelector('[value="rematch"]')?.addEventListener('click', event => {
            event.preventDefault();
            asked.ask();
        });
        const answer = await closed;
        asked.leave();
        if (answer !== null) {
            EventBus.emit('tableView:lobby');
        }
    }

    /**
     * Lead to what everybody made of a deal.
     *
     * @param {Snapshot} snapshot - The table.
     * @returns {HTMLElement[]} The link, if the table plays the deals of a challenge.
     */
    function challenge({public_state: {challenge: id}}) {
        return id === '' ? [] : [
            Lib.element('a', {class: 'button plain', href: `/challenge/${id}`, text: Texts.get('table.challenge')})
        ];
    }

    /**
     * Make the place where it is said why another game is refused.
     *
     * @returns {{element: HTMLElement, ask: (how?: {seed: string}) => void, leave: () => void}} The place, what asks
     *     for another game, and what listens no more.
     */
    function again() {
        const element = Lib.element('p', {class: 'message', role: 'alert'});
        let isAsked = false;
        const leave = EventBus.on('app:error', told => {
            if (isAsked) {
                isAsked = false;
                told.isTold = true;
                element.textContent = told.sentence ?? told.message;
            }
        });
        return {
            element,
            leave,
            ask(how) {
                isAsked = true;
                element.textContent = '';
                EventBus.emit('tableView:rematch', how);
            }
        };
    }

    /** Close the dialog: the next game has begun, or the table is left. */
    function close() {
        Panels.close(_NAME);
    }

    /**
     * Say how a game ended for a seat.
     *
     * @param {number[]} payoff - What each seat got; of several, the payoffs sum to zero.
     * @param {number} seat - The seat; -1 for a spectator.
     * @returns {'won' | 'lost' | 'over'} How; `over` if the seat has neither won nor lost.
     */
    function verdict(payoff, seat) {
        const own = payoff[seat] ?? 0;
        if (own > 0 && own === Math.max(...payoff)) {
            return 'won';
        }
        const isLast = payoff.length === 1 || own < 0 && own === Math.min(...payoff);
        return seat >= 0 && isLast ? 'lost' : 'over';
    }

    return {show, again, story, challenge, close, round, closeRound, standings, verdict};
})();
