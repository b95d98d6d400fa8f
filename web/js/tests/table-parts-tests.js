/**
 * Tests of the parts of every table: moves, turn, panels, result, seats, trick.
 */
(() => {
    /**
     * @param {any} publicState - The public state besides the players.
     * @param {number} me - The own seat.
     * @returns {Snapshot} A table of three.
     */
    function table(publicState, me = 0) {
        const players = {
            player_names: ['Ben', 'Kim', 'Max'], presences: ['here', 'here', 'here'], awaiting: [], host_index: 0,
            is_running: true
        };
        return /** @type {any} */ ({
            number: 1, public_state: {...players, ...publicState}, private_state: {}, choices: {legal: []},
            request: null, me
        });
    }

    Suite.test('the line of the turn names whom the table waits for, and the seconds that are left', () => {
        Texts.choose('de');
        const line = (/** @type {any} */ state, /** @type {(number | null)[]} */ left = []) => (
            Turn.line(table(state), left));
        Suite.equal([
            line({awaiting: [0]}), line({awaiting: [0]}, [4.2]), line({awaiting: [1, 2]}, [null, null, 9]),
            line({awaiting: [2]}), line({awaiting: []})
        ], [
            'Du bist am Zug', 'Du bist am Zug · 5 s', 'Warte auf Kim, Max · 9 s', 'Warte auf Max',
            'Das Spiel ist zu Ende.'
        ]);
        const away = {awaiting: [0], presences: ['away', 'here', 'here']};
        Suite.equal([line(away), Turn.isOurs(table(away))], ['Die KI spielt für dich', false]);
        Suite.equal([Turn.isOurs(table({awaiting: [0]})), Turn.isOurs(table({awaiting: [1]}))], [true, false]);
    });

    Suite.test('what shows the same stays, with its focus, whatever comes and goes beside it', () => {
        const part = Lib.element('div', {});
        const span = () => [Lib.element('span', {})];
        document.body.append(part);
        Parts.fill(part, [1, 'a'], span);
        const first = part.firstElementChild;
        Parts.fill(part, [1, 'a'], span);
        Suite.equal(part.firstElementChild === first, true);
        Parts.fill(part, [2, 'a'], span);
        Suite.equal(part.firstElementChild === first, false);
        const keep = (/** @type {string} */ keys) => Parts.keep(part, [...keys].map(key => (
            {key, draw: () => Lib.element('button', {text: key})})));
        const [, middle] = keep('abb');
        middle.focus();
        let blurs = 0;
        middle.addEventListener('blur', () => {
            blurs += 1;
        });
        const [, , same] = keep('xcbcb');
        Suite.equal([part.textContent, same === middle, blurs], ['xcbcb', true, 0]);
        part.remove();
    });

    Suite.test('a press meets what lies there in the end, and nothing that flies', () => {
        const button = Lib.element('button', {}, Lib.element('i', {}));
        const root = Lib.element('div', {}, button, Lib.element('span', {}));
        const place = 'position: fixed; left: 40px; width: 30px; height: 30px; display: block; ';
        root.setAttribute('style', 'position: fixed; inset: 0; z-index: 9');
        button.setAttribute('style', `${place} top: 20px; padding: 0; border: 0`);
        root.lastElementChild?.setAttribute('style', `${place} top: 120px`);
        document.body.append(root);
        const hit = (/** @type {number} */ y) => document.elementFromPoint(55, y)?.closest('button, span, div');
        const from = new DOMRect(40, 220, 30, 30);
        Suite.equal([hit(35) === button, hit(135)?.localName, hit(235) === root], [true, 'span', true]);
        for (const each of /** @type {HTMLElement[]} */ ([...root.children])) {
            Flights.glide(each, from, 10000);
        }
        Suite.equal([hit(35) === button, hit(135) === root], [true, true]);
        Suite.equal(root.lastElementChild?.getBoundingClientRect().top, 220);
        Suite.equal(hit(235) === root || hit(235) === button, true);
        Flights.skip();
        Suite.equal(hit(135)?.localName, 'span');
        root.remove();
    });

    Suite.test('of several, only the best has won, and only the last has lost', () => {
        Suite.equal([
            Result.verdict([1, -1], 0), Result.verdict([1, -1], 1), Result.verdict([2, 4, -6], 0),
            Result.verdict([2, 4, -6], 1), Result.verdict([0, 0], 0), Result.verdict([0], 0), Result.verdict([1], 0),
            Result.verdict([1, -1], -1)
        ], ['won', 'lost', 'over', 'won', 'over', 'lost', 'won', 'over']);
    });

    Suite.test('a panel is open once, and tells a choice from being closed by the user or by the table', async () => {
        const open = () => Panels.show('test', {title: 'T', actions: [{value: 'yes', text: 'Y'}], isModal: false});
        const first = open();
        const second = open();
        Suite.equal([await first, document.querySelectorAll('dialog.test-dialog').length], [null, 1]);
        /** @type {HTMLButtonElement} */ (document.querySelector('dialog.test-dialog button')).click();
        Suite.equal([await second, Panels.find('test')], ['yes', undefined]);
        const third = open();
        /** @type {HTMLDialogElement} */ (document.querySelector('dialog.test-dialog')).close();
        Suite.equal(await third, '');
        const fourth = open();
        Panels.closeAll();
        Suite.equal(await fourth, null);
    });

    Suite.test('a costly button acts by a second press or by holding', async () => {
        let cost = 'It costs 3 points.';
        let acts = 0;
        const button = Lib.element('button', {type: 'button'});
        document.body.append(button);
        Guard.attach(button, () => cost, () => {
            acts++;
        });
        button.click();
        Suite.equal([acts, button.classList.contains('is-armed')], [0, true]);
        button.click();
        Suite.equal([acts, button.classList.contains('is-armed')], [1, false]);
        button.click();
        // The question has changed: it is asked anew.
        cost = 'It costs 5 points.';
        button.click();
        Suite.equal(acts, 1);
        button.dispatchEvent(new PointerEvent('pointerdown', {button: 0}));
        await Suite.wait(760);
        Suite.equal(acts, 2);
        button.dispatchEvent(new PointerEvent('pointerup'));
        button.dispatchEvent(new MouseEvent('click', {detail: 1}));
        Suite.equal(acts, 2);
        cost = '';
        button.click();
        Suite.equal(acts, 3);
        button.remove();
    });

    Suite.test('the result of a round goes on by itself where time runs, or nobody here plays', async () => {
        /** @type {number[]} */
        const waits = [];
        const {setTimeout: wait} = window;
        window.setTimeout = /** @type {any} */ ((/** @type {any} */ act, /** @type {number} */ time) => {
            waits.push(time);
            return wait(act, time);
        });
        /** @type {string[]} */
        const done = [];
        /** @type {string[]} */
        const heard = [];
        const leaves = ['open', 'close'].map(name => EventBus.on(`result:${name}`, () => heard.push(name)));
        /** @type {[string[], number, number][]} */
        const tables = [
            [['human', 'ai', 'ai'], 0, 0], [['human', 'human', 'ai'], 0, 0], [['human', 'ai'], 30, 0],
            [['ai', 'ai'], 0, -1]
        ];
        for (const [index, [kinds, limit, me]] of tables.entries()) {
            const snapshot = table({player_kinds: kinds, table_options: {turn_limit: limit, options: {}}}, me);
            void Result.round(snapshot, 'R', [], {then: () => done.push(`${index} ${heard.at(-1)}`)});
            const dialog = /** @type {HTMLElement} */ (document.querySelector('.round-dialog'));
            // It stands alone: nothing can be done at the table.
            Suite.equal([dialog.matches(':modal'), heard.at(-1)], [true, 'open']);
            /** @type {HTMLButtonElement} */ (dialog.querySelector('button')).click();
            await Suite.until(() => done.length > index);
        }
        leaves.forEach(leave => leave());
        window.setTimeout = wait;
        Suite.equal(waits.filter(time => time > 5000).length, 3);
        Suite.equal(done, ['0 close', '1 close', '2 close', '3 close']);
    });

    Suite.test('the end of a game offers a rematch to all who sit there, or leads to the lobby', async () => {
        /** @type {string[]} */
        const heard = [];
        const leaves = ['rematch', 'lobby'].map(name => EventBus.on(`tableView:${name}`, () => heard.push(name)));
        const buttons = () => [.../** @type {NodeListOf<HTMLButtonElement>} */ (
            document.querySelectorAll('dialog.game-dialog button'))];
        for (const [me, press] of [[0, 1], [0, 0], [1, 1], [-1, 0]]) {
            const shown = Result.show(table({}, me), {id: null}, 'T', Lib.element('p'));
            Suite.equal(buttons().length, me >= 0 ? 2 : 1);
            buttons()[press].click();
            if (press === 1) {
                // It stays until the next game begins; what is refused is said in it.
                EventBus.emit('app:error', {code: 107, sentence: 'W'});
                Suite.equal(document.querySelector('dialog.game-dialog [role="alert"]')?.textContent, 'W');
                Result.close();
            }
            await shown;
        }
        const closed = Result.show(table({}), {id: 'game'}, 'T', Lib.element('p'));
        Suite.equal(document.querySelector('dialog.game-dialog a')?.getAttribute('href'), '/replay/game');
        Result.close();
        await closed;
        leaves.forEach(leave => leave());
        Suite.equal(heard, ['rematch', 'lobby', 'rematch', 'lobby']);
    });

    Suite.test('a seat shows how little time is left, and what is said at it', () => {
        const seat = Lib.element('div', {class: 'table-seat'}, Seats.held(12.3));
        Seats.time(seat, 5, 20, 7.5);
        Suite.equal([seat.style.getPropertyValue('--time'), seat.className, seat.textContent],
            ['25', 'table-seat is-late', '8']);
        Seats.time(seat, null, 20, null);
        Suite.equal([seat.style.getPropertyValue('--time'), seat.className], ['100', 'table-seat']);
        Seats.bubble(seat, 'Hallo!');
        const bubble = seat.querySelector('.bubble');
        Seats.bubble(seat, 'Hallo!');
        Suite.equal([seat.querySelectorAll('.bubble').length, seat.querySelector('.bubble') === bubble], [1, true]);
        Seats.bubble(seat, '');
        Suite.equal(seat.querySelector('.bubble'), null);
    });

    Suite.test('a hidden hand draws one back and tells its number', () => {
        let drawn = 0;
        const backs = Seats.backs(3, () => {
            drawn += 1;
            return Lib.element('i');
        });
        Suite.equal([drawn, backs.querySelectorAll('.back').length, backs.textContent], [1, 3, '3']);
    });

    Suite.test('a trick shows what is to be beaten, and before the other players what they laid', () => {
        const [laid, other] = [1, 2].map(number => ({
            name: `P${number}`, team: '', title: `T${number}`, description: `D${number}`, place: 'left',
            cards: [{label: `c${number}`, draw: () => Lib.element('i')}]
        }));
        const shown = Lib.element('div', {}, Trick.draw(laid, '10'));
        Suite.equal(['.top-points', '.top-name', '.top-title'].map(part => (
            shown.querySelector(part)?.textContent)), ['10', 'P1', 'T1']);
        Suite.equal(Trick.draw(laid, '').querySelector('.top-points'), null);
        const root = Lib.element('div', {}, ...['left', 'right'].map(place => (
            Lib.element('div', {class: 'before', dataset: {place}}))));
        const seen = () => [...root.children].map(before => (
            before.querySelector('[role=img]')?.getAttribute('aria-label') ?? ''));
        Trick.drawBefore(root, [other]);
        Suite.equal(seen(), ['D2', '']);
        Trick.drawBefore(root, []);
        Suite.equal(seen(), ['', '']);
    });
})();
