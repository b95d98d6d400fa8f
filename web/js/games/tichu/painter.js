/**
 * TichuPainter: turns the scene into elements, part by part. It decides nothing and remembers nothing.
 */
const TichuPainter = (() => {
    const {element} = Lib;

    /**
     * Say what the plate of a seat shows.
     *
     * @param {SeatScene} seat - The seat.
     * @returns {FrameSeat} What it shows.
     */
    function plate({count, hand, call, points, place, isOwner, isFirst, isOut, hasPassed}) {
        const told = [];
        const words = [];
        const add = (/** @type {string} */ kind, /** @type {string} */ icon = '') => {
            told.push(Words.table(`seat.${kind}`));
            words.push(Seats.word(kind, Words.table(`word.${kind}`), icon));
        };
        if (call > 0) {
            told.push(Words.table(call === 2 ? 'seat.grand' : 'seat.tichu'));
        }
        if (isFirst) {
            add('first', 'crown');
        }
        else if (isOut) {
            add('out');
        }
        else if (hasPassed) {
            add('passed');
        }
        told.push(Words.table('seat.points', {points}));
        if (points !== 0) {
            words.push(Seats.word('points', Words.table('word.points', {points: Lib.number(points)})));
        }
        return {
            count, words, told: told.join(', '), sign: _call(call), isOurs: _team(place) === 'own', isOwner, isOut,
            ...hand === null ? {} : {open: {name: Cards.names(hand), draw: () => hand.map(Cards.draw)}}
        };
    }

    /**
     * @param {number} call - 0 none, 1 Tichu, 2 Grand Tichu.
     * @returns {HTMLElement | null} The sign of a call.
     */
    function _call(call) {
        return call === 0 ? null : element('span', {class: 'call', dataset: {call: call === 2 ? 'grand' : 'small'}},
            Lib.icon(call === 2 ? 'grand-tichu' : 'tichu'));
    }

    /**
     * Draw the score.
     *
     * @param {HTMLElement} root - The table.
     * @param {TichuSceneData} scene - The scene.
     * @param {() => void} open - Opens the scores of all rounds.
     */
    function score(root, scene, open) {
        const {own, other, ownTricks, otherTricks} = scene.score;
        const names = scene.isWatching
            ? [0, 1].map(team => `${scene.seats[team].name} + ${scene.seats[team + 2].name}`)
            : [Words.table('score.own'), Words.table('score.other')];
        const initials = scene.seats.map(seat => Lib.initial(seat.name));
        const signs = scene.isWatching ? [`${initials[0]} + ${initials[2]}`, `${initials[1]} + ${initials[3]}`] : names;
        Parts.fill(_find(root, '.score'), null, () => [element('button', {
            type: 'button', class: 'score-sides', on: {click: open}
        })]);
        const button = _find(root, '.score-sides');
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
     * @param {TichuSceneData} scene - The scene.
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
     * @param {TichuSceneData} scene - The table.
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
     * @param {TichuSceneData} scene - The scene.
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
            }, element('span', {class: 'zone-place'}, card === null ? _mark(scene, place) : _given(card)),
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
     * @param {Card} card - A card that is given away, or was received.
     * @returns {Element} Its picture, which flies by its label.
     */
    function _given(card) {
        const picture = Cards.draw(card);
        picture.dataset.card = Cards.label(card);
        return picture;
    }

    /**
     * @param {TichuSceneData} scene - The table.
     * @param {string} place - A seat's place.
     * @returns {HTMLElement} A small sign for the seat.
     */
    function _mark(scene, place) {
        const seat = /** @type {SeatScene} */ (scene.seats.find(one => one.place === place));
        const sign = seat.portrait === '' ? Lib.initial(seat.name) : Portraits.draw(seat.portrait);
        return element('span', {class: 'zone-mark', 'aria-hidden': 'true'}, sign);
    }

    /**
     * @param {HTMLElement} root - Where to look.
     * @param {string} selector - For what.
     * @returns {HTMLElement} The part; it must be there.
     */
    function _find(root, selector) {
        return /** @type {HTMLElement} */ (root.querySelector(selector));
    }

    return {plate, score, trick, zones};
})();
