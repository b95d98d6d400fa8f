/**
 * Tests of TichuTable: it draws any true view of a game, whatever it drew before, and tells what the user decides.
 */
(() => {
    /** @type {HTMLElement} */
    let root;

    /**
     * Draw a view.
     *
     * @param {string} name - Which one.
     * @param {RenderOptions} [options] - The render options.
     */
    function draw(name, options) {
        if (root === undefined) {
            root = TichuTable.create();
            Lib.byId('wrapper').append(root);
        }
        const payload = structuredClone(TableViews[name]);
        State.update(payload);
        TichuTable.hide?.();
        TichuTable.show?.();
        TichuTable.render({
            ...payload, private_state: payload.private_state ?? {}, choices: payload.choices ?? {legal: []},
            me: payload.private_state?.player_index ?? -1
        }, options);
        Panels.closeAll();
    }

    /**
     * @param {string} selector - Which elements.
     * @returns {HTMLElement[]} The elements.
     */
    function all(selector) {
        return /** @type {HTMLElement[]} */ ([...root.querySelectorAll(selector)]);
    }

    /**
     * Collect the events that a table emits during an action.
     *
     * @param {string} event - The event.
     * @param {() => void} act - What is done.
     * @returns {any[]} The payloads.
     */
    function told(event, act) {
        /** @type {any[]} */
        const payloads = [];
        const end = EventBus.on(event, payload => payloads.push(payload));
        act();
        end();
        return payloads;
    }

    Suite.test('the seconds of a turn go by at a table, and a replay has none', () => {
        const {setInterval} = window;
        const seconds = (/** @type {boolean} */ isReplay) => {
            /** @type {() => void} */
            let tick = () => {};
            window.setInterval = /** @type {any} */ ((/** @type {() => void} */ act) => {
                tick = act;
                return 0;
            });
            let time = 1000;
            performance.now = () => time;
            draw('follow', {isReplay});
            time += 5000;
            tick();
            return all('.status-text')[0].textContent;
        };
        try {
            Suite.equal(seconds(false), Texts.get('table.timed', {line: Words.table('status.play'), seconds: 19}));
            const [name] = TableViews.follow.public_state.player_names;
            Suite.equal(seconds(true), Texts.get('table.wait', {name}));
        } finally {
            window.setInterval = setInterval;
            Reflect.deleteProperty(performance, 'now');
        }
    });

    Suite.test('a hint stays while others decide, and goes with the own decision', () => {
        const seen = (/** @type {(view: any) => void} */ change) => {
            draw('grand');
            EventBus.emit('app:hint', {move: 'pass', reason: ''});
            const view = structuredClone(TableViews.grand);
            change(view);
            TichuTable.notify?.('player_announced', {player_index: 1, grand: true});
            TichuTable.render({...view, me: view.private_state.player_index});
            const isSeen = Panels.find('hint') !== undefined;
            Panels.closeAll();
            return isSeen;
        };
        Suite.equal(seen(view => {
            view.public_state.announcements[1] = 2;
        }), true);
        Suite.equal(seen(view => {
            view.request.request_id += 1;
        }), false);
    });

    Suite.test('the same view looks the same, whatever was shown before', () => {
        const look = () => all('.table-seat, .trick, .hand-card').map(one => `${one.className} ${one.textContent}`);
        for (const name of ['follow', 'bomb', 'finished', 'schupf']) {
            draw(name);
            const first = look();
            draw('over');
            draw('grand');
            draw(name);
            Suite.equal(look(), first);
        }
    });

    Suite.test('every card of the hand is a button with a name', () => {
        draw('follow');
        const hand = TableViews.follow.private_state.hand_cards;
        Suite.equal(all('.hand-card').map(card => card.getAttribute('aria-label')?.split(',')[0]),
            Cards.sorted(hand).map(Cards.name));
        Suite.equal(all('.hand-card').filter(card => card.tabIndex === 0).length, 1);
    });

    Suite.test('what is suggested can be selected and laid', async () => {
        draw('follow');
        const right = all('.table-actions [data-place="right"]')[0];
        right.click();
        await Suite.wait(260);
        Suite.equal([right.textContent, all('.hand-card.is-selected').length],
            [Words.table('button.play'), TableViews.follow.choices.suggested.length]);
        const [response] = told('tableView:response', () => right.click());
        Suite.equal([response.action, response.request_id, Cards.sorted(response.response_data.cards)],
            ['play', 7, Cards.sorted(TableViews.follow.choices.suggested)]);
    });

    Suite.test('Grand Tichu is not called by a short press, but by a second one', () => {
        draw('grand');
        const grand = all('.table-actions [data-place="middle"]')[0];
        const press = (/** @type {number} */ detail) => told('tableView:response', () => {
            grand.dispatchEvent(new MouseEvent('click', {detail, bubbles: true}));
        });
        for (const detail of [0, 1]) {
            Suite.equal(press(detail), []);
            Suite.equal(press(detail)[0].response_data, {announced: true});
            draw('grand');
        }
    });

    Suite.test('a bomb is selected by its button and thrown out of turn', () => {
        draw('bomb');
        all('[data-tool="bomb"]')[0].click();
        Suite.equal(all('.hand-card.is-selected').length, TableViews.bomb.choices.bombs[0].length);
        const [bomb] = told('tableView:bomb', () => all('.table-actions [data-place="right"]')[0].click());
        Suite.equal(Cards.sorted(bomb.cards), Cards.sorted(TableViews.bomb.choices.bombs[0]));
    });

    Suite.test('in a replay all hands are open and nothing can be pressed', () => {
        const hands = [0, 1, 2, 3].map(seat => ({hand_cards: [[seat + 2, 1], [14, 4]]}));
        draw('waiting', {isReplay: true, hands});
        Suite.equal([all('.open-card').length, all('.table-actions button:enabled').length], [6, 0]);
    });

    Suite.test('who watches sees who plays, but no hand', () => {
        draw('spectator');
        Suite.equal([all('.hand-card').length, all('.table-seat .plate').length], [0, 4]);
        TichuTable.hide?.();
        root.remove();
    });
})();
