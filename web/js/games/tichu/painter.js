/**
 * TablePainter: turns the scene into elements, part by part. It decides nothing and remembers nothing.
 */
const TablePainter = (() => {
    const {element} = Lib;

    /**
     * Draw the four seats.
     *
     * @param {HTMLElement} root - The table.
     * @param {TableSceneData} scene - The scene.
     */
    function seats(root, scene) {
        for (const seat of scene.seats) {
            const shown = _find(root, `.table-seat[data-place="${seat.place}"]`);
            shown.className = 'table-seat';
            shown.dataset.seat = String(seat.seat);
            shown.dataset.team = seat.place === 'bottom' || seat.place === 'top' ? 'own' : 'other';
            shown.dataset.presence = seat.presence;
            shown.classList.toggle('is-awaited', seat.isAwaited);
            shown.classList.toggle('is-owner', seat.isOwner);
            shown.classList.toggle('is-out', seat.isOut);
            if (Parts.isNew(shown, {...seat, timeLeft: null, isWatching: scene.isWatching})) {
                const bubble = shown.querySelector('.bubble');
                shown.replaceChildren(..._seat(seat, scene), ...bubble === null ? [] : [bubble]);
            }
        }
    }

    /**
     * @param {SeatScene} seat - A seat.
     * @param {TableSceneData} scene - The whole table.
     * @returns {HTMLElement[]} Its elements.
     */
    function _seat(seat, scene) {
        const isOwn = seat.place === 'bottom' && !scene.isWatching;
        const plate = Seats.plate({...seat, description: _describe(seat), sign: _call(seat), words: _line(seat)});
        return isOwn || seat.isOut ? [plate] : [_heldCards(seat), plate];
    }

    /**
     * @param {SeatScene} seat - A seat.
     * @returns {string} The seat in words.
     */
    function _describe(seat) {
        const parts = [seat.name];
        const add = (/** @type {boolean} */ isSo, /** @type {string} */ key, values = {}) => {
            if (isSo) {
                parts.push(Words.table(`seat.${key}`, values));
            }
        };
        add(seat.isAi, 'ai');
        add(seat.presence !== 'here', seat.presence, {seconds: Math.ceil(seat.heldFor ?? 0)});
        add(seat.call === 1, 'tichu');
        add(seat.call === 2, 'grand');
        add(!seat.isOut, 'cards', {count: seat.count});
        add(seat.isFirst, 'first');
        add(seat.isOut && !seat.isFirst, 'out');
        add(seat.hasPassed, 'passed');
        add(seat.isAwaited, 'awaited');
        add(true, 'points', {points: seat.points});
        return parts.join(', ');
    }

    /**
     * @param {SeatScene} seat - A seat.
     * @returns {HTMLElement[]} The small words below its name.
     */
    function _line(seat) {
        const words = [];
        if (seat.presence === 'cut') {
            words.push(Seats.held(seat.heldFor ?? 0));
        }
        else if (seat.presence === 'away') {
            words.push(Seats.word('away', Words.table('word.away'), 'away'));
        }
        if (seat.isFirst) {
            words.push(Seats.word('first', Words.table('word.first'), 'crown'));
        }
        else if (seat.isOut) {
            words.push(Seats.word('out', Words.table('word.out')));
        }
        else if (seat.hasPassed) {
            words.push(Seats.word('passed', Words.table('word.passed')));
        }
        if (seat.points !== 0) {
            words.push(Seats.word('points', Words.table('word.points', {points: Lib.number(seat.points)})));
        }
        return words;
    }

    /**
     * @param {SeatScene} seat - A seat.
     * @returns {HTMLElement | null} The sign of its call.
     */
    function _call(seat) {
        if (seat.call === 0) {
            return null;
        }
        return element('span', {class: 'call', dataset: {call: seat.call === 2 ? 'grand' : 'small'}},
            Lib.icon(seat.call === 2 ? 'grand-tichu' : 'tichu'));
    }

    /**
     * @param {SeatScene} seat - A seat.
     * @returns {HTMLElement} Its hand: backs and their number, or open cards.
     */
    function _heldCards(seat) {
        return seat.hand === null
            ? Seats.backs(seat.count, () => Cards.draw(null))
            : Seats.openHand(Cards.names(seat.hand), seat.hand.map(Cards.draw));
    }

    /**
     * Draw the score.
     *
     * @param {HTMLElement} root - The table.
     * @param {TableSceneData} scene - The scene.
     */
    function score(root, scene) {
        const {own, other, ownTricks, otherTricks} = scene.score;
        const button = _find(root, '.score');
        const names = scene.isWatching
            ? [0, 1].map(team => `${scene.seats[team].name} + ${scene.seats[team + 2].name}`)
            : [Words.table('score.own'), Words.table('score.other')];
        const initials = scene.seats.map(seat => Lib.initial(seat.name));
        const signs = scene.isWatching ? [`${initials[0]} + ${initials[2]}`, `${initials[1]} + ${initials[3]}`] : names;
        button.title = names.join(' : ');
        Parts.fill(button, [signs, scene.score], () => [
            element('span', {class: 'visually-hidden', text: Words.table('score.label')}),
            _scoreSide('own', signs[0], own, ownTricks), _scoreSide('other', signs[1], other, otherTricks)
        ]);
        const last = /** @type {HTMLButtonElement} */ (_find(root, '[data-tool="trick"]'));
        last.disabled = !scene.hasLastTrick;
    }

    /**
     * @param {string} team - `own` or `other`.
     * @param {string} name - The team's name.
     * @param {number} total - Its points.
     * @param {number} tricks - The points of its tricks in this round.
     * @returns {HTMLElement} The team's half of the score.
     */
    function _scoreSide(team, name, total, tricks) {
        return element('span', {class: 'score-side', dataset: {team}},
            element('span', {class: 'score-name', text: name}),
            element('span', {class: 'score-total', text: Lib.number(total)}),
            element('span', {class: 'score-round', text: tricks < 0 ? Lib.number(tricks) : `+${tricks}`}));
    }

    /**
     * Draw the trick in the middle and the wish.
     *
     * @param {HTMLElement} root - The table.
     * @param {TableSceneData} scene - The scene.
     */
    function trick(root, scene) {
        const {top} = scene;
        const shown = _find(root, '.trick');
        shown.classList.toggle('is-bomb', scene.isBomb);
        shown.classList.toggle('is-taking', scene.isTaking);
        shown.dataset.from = top?.place ?? '';
        _wish(root, scene.wish);
        Trick.drawBefore(root, scene.earlier.map(laid => ({..._laid(laid), place: laid.place})));
        const worth = scene.trickPoints === 0 ? '' : Words.table('word.points', {points: scene.trickPoints});
        Parts.fill(shown, [top, worth, scene.phase === 'play'], () => [
            top === null ? _emptyTrick(scene) : Trick.draw(_laid(top), worth)
        ]);
    }

    /**
     * Draw the wish.
     *
     * @param {HTMLElement} root - The table.
     * @param {number} value - The value wished for; 0 none.
     */
    function _wish(root, value) {
        const sign = _find(root, '.wish-sign');
        sign.hidden = value === 0;
        if (value > 0) {
            Parts.fill(sign, value, () => [
                element('span', {class: 'wish-word', text: Words.table('wish.word')}),
                element('span', {class: 'wish-value', text: Cards.sign(value)})
            ]);
        }
    }

    /**
     * @param {string} place - A seat's place.
     * @returns {string} The team of the seat there.
     */
    function _team(place) {
        return place === 'bottom' || place === 'top' ? 'own' : 'other';
    }

    /**
     * @param {TableSceneData} scene - The table.
     * @returns {HTMLElement} The placeholder.
     */
    function _emptyTrick(scene) {
        return element('div', {class: 'no-trick', 'aria-hidden': 'true'},
            scene.phase === 'play' ? Lib.icon('trick') : Lib.icon('tichu'));
    }

    /**
     * @param {LaidScene} laid - The laid cards.
     * @returns {Laid} The cards as the trick shows them.
     */
    function _laid({name, place, title, cards}) {
        return {
            name, title, team: _team(place), description: `${name}: ${Cards.names(cards)}`,
            cards: cards.map(card => ({label: Cards.label(card), draw: () => Cards.draw(card)}))
        };
    }

    /**
     * Draw the places for given and received cards.
     *
     * @param {HTMLElement} root - The table.
     * @param {TableSceneData} scene - The scene.
     * @param {(index: number) => void} choose - Called with the place that was chosen.
     */
    function zones(root, scene, choose) {
        const shown = _find(root, '.zones');
        const {zones: wanted} = scene;
        const focused = [...shown.children].indexOf(/** @type {Element} */ (document.activeElement));
        shown.hidden = wanted === null;
        if (!Parts.isNew(shown, wanted)) {
            return;
        }
        if (wanted === null) {
            shown.replaceChildren();
            return;
        }
        shown.dataset.kind = wanted.kind;
        // They lie as the others sit: left opponent, partner, right opponent.
        const order = [2, 1, 0];
        shown.replaceChildren(...order.map(index => {
            const {name, card, place} = wanted.places[index];
            const words = Words.table(`zone.${wanted.kind === 'received' ? 'from' : 'to'}`, {name});
            const zone = element('button', {
                class: 'zone', type: 'button', dataset: {index, place, card: card === null ? '' : Cards.label(card)},
                disabled: wanted.kind !== 'give', 'aria-keyshortcuts': index + 1,
                on: {click: () => choose(index)}
            }, element('span', {class: 'zone-place'}, card === null ? _mark(scene, place) : Cards.draw(card)),
            element('span', {class: 'zone-name', text: words}),
            element('span', {
                class: 'visually-hidden', text: card === null ? Words.table('zone.empty') : Cards.name(card)
            }));
            zone.classList.toggle('is-open', wanted.isOpen && card === null);
            return zone;
        }));
        if (focused >= 0) {
            /** @type {HTMLElement} */ (shown.children[focused]).focus();
        }
    }

    /**
     * @param {TableSceneData} scene - The table.
     * @param {string} place - A seat's place.
     * @returns {HTMLElement} A small sign for the seat.
     */
    function _mark(scene, place) {
        const seat = /** @type {SeatScene} */ (scene.seats.find(one => one.place === place));
        const sign = seat.isAi ? Lib.icon('robot') : Lib.initial(seat.name);
        return element('span', {class: 'zone-mark', 'aria-hidden': 'true'}, sign);
    }

    /**
     * Draw the three buttons, the bomb and the hint.
     *
     * @param {HTMLElement} root - The table.
     * @param {TableSceneData} scene - The scene.
     */
    function buttons(root, scene) {
        for (const [place, wanted] of Object.entries(scene.buttons)) {
            const button = /** @type {HTMLButtonElement} */ (_find(root, `.table-actions [data-place="${place}"]`));
            button.dataset.act = wanted.act;
            button.disabled = !wanted.isEnabled;
            _find(button, '.table-button-text').textContent = Words.table(wanted.text);
        }
        const bomb = /** @type {HTMLButtonElement} */ (_find(root, '[data-tool="bomb"]'));
        bomb.hidden = !scene.hasBomb;
        const hint = /** @type {HTMLButtonElement} */ (_find(root, '[data-tool="hint"]'));
        hint.hidden = scene.isWatching;
        _find(root, '[data-tool="undo"]').hidden = !scene.mayUndo;
        hint.disabled = !scene.mayHint;
    }

    /**
     * Update everything that depends on time: the status line, the rings and the held seats.
     *
     * @param {HTMLElement} root - The table.
     * @param {TableSceneData} scene - The scene.
     * @param {number} passed - The seconds since the server said so.
     * @param {number} limit - The seconds that a decision may take; 0 without limit.
     */
    function time(root, scene, passed, limit) {
        const left = (/** @type {number | null} */ seconds) => seconds === null ? null : Math.max(0, seconds - passed);
        for (const seat of scene.seats) {
            const shown = _find(root, `.table-seat[data-place="${seat.place}"]`);
            const seconds = seat.isAwaited ? left(seat.timeLeft) : null;
            Seats.time(shown, seconds, limit, left(seat.heldFor));
        }
        const {key, values, seat} = scene.status;
        const waited = scene.seats.find(one => one.seat === seat);
        const seconds = waited === undefined ? null : left(waited.timeLeft);
        const count = seconds === null ? '' : Words.table('status.seconds', {seconds: Math.ceil(seconds)});
        _write(_find(root, '.status-text'), Words.table(key, values));
        _write(_find(root, '.status-time'), count);
    }

    /**
     * Write a text unless it is already there: screen readers may announce a rewrite.
     *
     * @param {HTMLElement} part - Where.
     * @param {string} text - The text.
     */
    function _write(part, text) {
        if (part.textContent !== text) {
            part.textContent = text;
        }
    }

    /**
     * Draw the speech bubbles.
     *
     * @param {HTMLElement} root - The table.
     * @param {TableSceneData} scene - The scene.
     * @param {{seat: number, text: string}[]} said - The phrases by seat.
     */
    function bubbles(root, scene, said) {
        for (const seat of scene.seats) {
            const shown = _find(root, `.table-seat[data-place="${seat.place}"]`);
            const last = said.filter(one => one.seat === seat.seat).at(-1);
            Seats.bubble(shown, last?.text ?? '');
        }
    }

    /**
     * @param {HTMLElement} root - Where to look.
     * @param {string} selector - For what.
     * @returns {HTMLElement} The part; it must be there.
     */
    function _find(root, selector) {
        return /** @type {HTMLElement} */ (root.querySelector(selector));
    }

    return {seats, score, trick, zones, buttons, time, bubbles};
})();
