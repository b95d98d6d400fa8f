/**
 * Life: what every table does from the moment it is entered until it is left: it keeps the state and the events that
 * are to be drawn, counts the seconds, says whose turn it is, listens for keys, and says what is to be known in a first
 * game.
 */

/**
 * What a table adds to its life.
 *
 * @typedef {object} LifeTable
 * @property {string} game - The game's name.
 * @property {Speech} speech - Puts what happens into words.
 * @property {string[]} sounds - The sounds to load.
 * @property {() => HTMLElement} create - Makes the elements, once. In it, the line that says whose turn it is has the
 *     class `status-text`, and each `.table-seat` shows a clock.
 * @property {(news: {event: string, context: any}[], isFirst: boolean) => void} render - Draws the state; `news` led to
 *     it, and `isFirst` says that nothing was drawn before.
 * @property {(event: string, context: any, snapshot: Snapshot, line: string) => void} notify - Sounds and shows that
 *     something happened; `line` says it in words, and screen readers have got it.
 * @property {(move: string) => Element[]} hint - Lights what the strongest agent's move is made with, and returns it.
 * @property {(event: KeyboardEvent) => void} press - A key was pressed, wherever the focus is.
 * @property {(event: string, context: any) => Feelings} [mood] - Who feels what about an event of the game.
 * @property {(snapshot: Snapshot) => string} status - What is to be done in the own turn; empty for the usual line.
 * @property {(snapshot: Snapshot) => string} [line] - What is said instead, whoever's turn it is; empty for nothing.
 * @property {() => void} [tick] - Some time has passed.
 * @property {() => void} [begin] - The table is entered.
 * @property {() => void} [end] - The table is left.
 * @property {{[tip: string]: string}} [about] - Which parts of it the tips of a first game are about, as selectors.
 * @property {Record<string, () => void>} [calls] - What else is listened for on the bus.
 */

const Life = (() => {
    /**
     * Make the life of a table.
     *
     * @param {LifeTable} table - What the table adds.
     * @returns {{view: Pick<GameTable, 'create' | 'render' | 'notify' | 'show' | 'hide'>, root: HTMLElement,
     *     shown: Snapshot | null, options: RenderOptions, isOurs: boolean, legal: Set<string>,
     *     part: (selector: string) => HTMLElement, tick: () => void}} The parts of its view, and what is shown now.
     */
    function make(table) {
        /** @type {HTMLElement} */
        let root;
        /** @type {Snapshot | null} */
        let shown = null;
        /** @type {RenderOptions} */
        let options = {};
        /** @type {{event: string, context: any}[]} The events since the last render. */
        let news = [];
        let ticking = 0;
        /** What screen readers were told last about the own turn; empty outside it. */
        let told = '';
        /** The own decision that was shown last, to which a hint belongs. */
        let decision = '';
        /** @type {(() => void)[]} */
        let leaves = [];

        /** @returns {HTMLElement} The view's element. */
        function create() {
            root = table.create();
            root.addEventListener('pointerdown', () => Flights.skip(), {capture: true});
            root.addEventListener('keydown', table.press);
            return root;
        }

        /** The table becomes visible. */
        function show() {
            shown = null;
            options = {};
            news = [];
            told = '';
            Moods.clear();
            table.begin?.();
            leaves = [
                EventBus.on('app:hint', hint),
                EventBus.on('rules:tips', () => {
                    Tour.again(table.game);
                    teach();
                }),
                ...Object.entries(table.calls ?? {}).map(([event, act]) => EventBus.on(event, act))
            ];
            document.addEventListener('keydown', pressPage);
            ticking = window.setInterval(tick, 250);
            void SoundManager.preload(table.sounds);
        }

        /** The table is left. */
        function hide() {
            window.clearInterval(ticking);
            document.removeEventListener('keydown', pressPage);
            leaves.forEach(leave => leave());
            leaves = [];
            Flights.skip();
            Panels.closeAll();
            table.end?.();
        }

        /**
         * @param {Snapshot | null} snapshot - The server's last word.
         * @param {RenderOptions} [asked] - The render options.
         */
        function render(snapshot, asked = {}) {
            if (snapshot === null) {
                return;
            }
            const latest = news;
            const isFirst = shown === null;
            news = [];
            options = asked;
            shown = snapshot;
            if (latest.length > 0 && !options.isReplay && decision !== _decision(snapshot)) {
                Hint.close();
            }
            decision = _decision(snapshot);
            table.render(latest, isFirst);
            if (!options.isReplay && !options.isTry) {
                if (snapshot.public_state.is_running) {
                    Result.close();
                }
                teach();
            }
        }

        /** Say what is to be known of the own decision, in a first game. */
        function teach() {
            if (shown !== null && shown.me >= 0) {
                Tour.follow(root, shown, decision, table.about ?? {});
            }
        }

        /**
         * Something happened: sound and speech now, motion with the next render.
         *
         * @param {string} event - What.
         * @param {any} context - The event's context.
         */
        function notify(event, context) {
            news.push({event, context});
            const snapshot = shown ?? State.snapshot;
            Moods.note(event, context, table.mood?.(event, context));
            if (snapshot !== null) {
                const line = table.speech.of(event, context, snapshot);
                if (line !== '') {
                    Lib.announce(line);
                }
                table.notify(event, context, snapshot, line);
            }
        }

        /**
         * Show the strongest agent's move, until something happens.
         *
         * @param {{move: string, reason: string}} advice - Its move and why.
         */
        function hint({move, reason}) {
            if (shown !== null) {
                const lit = table.hint(move);
                Hint.show(root, table.speech.move(move, shown), reason, lit);
            }
        }

        /** @returns {boolean} Is it our turn, and not in a replay? */
        function isOurs() {
            return shown !== null && Turn.isOurs(shown) && !options.isReplay;
        }

        /** Count the seconds, and say whose turn it is. */
        function tick() {
            if (shown === null) {
                return;
            }
            const {player_names: names, awaiting, table_options: {turn_limit: limit}, held_for: held}
                = shown.public_state;
            const left = names.map((_, seat) => options.isReplay ? null : State.timeLeft(seat));
            for (const seat of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('.table-seat'))) {
                const number = Number(seat.dataset.seat);
                Seats.time(seat, awaiting.includes(number) ? left[number] : null, limit, held[number]);
            }
            const own = table.line?.(shown) ?? '';
            const task = own !== '' ? own : isOurs() ? table.status(shown) : '';
            const line = Turn.line(options.isReplay ? {...shown, me: -1} : shown, left, task);
            const status = part('.status-text');
            if (status.textContent !== line) {
                status.textContent = line;
            }
            root.classList.toggle('is-ours', isOurs());
            Moods.draw(root);
            // What is to be done changes within a turn; the seconds are not worth a word.
            const spoken = isOurs() ? task || Texts.get('table.mine') : '';
            if (spoken !== told && spoken !== '') {
                Lib.announce(spoken);
            }
            told = spoken;
            table.tick?.();
        }

        /**
         * @param {string} selector - Which part.
         * @returns {HTMLElement} The part; it must be there.
         */
        function part(selector) {
            return /** @type {HTMLElement} */ (root.querySelector(selector));
        }

        /** @param {KeyboardEvent} event - A key anywhere outside the table. */
        function pressPage(event) {
            if (!root.contains(/** @type {Node} */ (event.target))) {
                table.press(event);
            }
        }

        return {
            view: {create, render, notify, show, hide},
            part,
            tick,
            get root() {
                return root;
            },
            get shown() {
                return shown;
            },
            get options() {
                return options;
            },
            get isOurs() {
                return isOurs();
            },
            get legal() {
                return new Set(options.isReplay ? [] : shown?.choices.legal ?? []);
            }
        };
    }

    /**
     * @param {Snapshot} snapshot - The table.
     * @returns {string} What we are to decide, as a text that no other decision at this table has.
     */
    function _decision({choices, request, public_state: {awaiting}, me}) {
        return JSON.stringify([awaiting.includes(me), request?.request_id, choices.legal]);
    }

    /**
     * Make the tools of the own seat on a table that fills the screen: undo and hint.
     *
     * @param {'undo' | 'hint'} name - The tool.
     * @returns {HTMLButtonElement} A round button.
     */
    function tool(name) {
        const button = Lib.iconButton(name, Texts.get(`table.${name}`), () => EventBus.emit(`tableView:${name}`));
        button.classList.add(name);
        button.setAttribute('aria-keyshortcuts', name.charAt(0).toUpperCase());
        return button;
    }

    return {make, tool};
})();
