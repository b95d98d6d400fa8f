/**
 * Tests of TichuScene: what a table shows, by true views of games (see table-views.js).
 */
(() => {
    /**
     * @param {string} name - Which view.
     * @returns {Snapshot} The view as State hands it on.
     */
    function snapshot(name) {
        const payload = structuredClone(TableViews[name]);
        return {
            ...payload, private_state: payload.private_state ?? {}, choices: payload.choices ?? {legal: []},
            me: payload.private_state?.player_index ?? -1
        };
    }

    /**
     * @param {string} name - Which view.
     * @param {Partial<Draft>} [draft] - What differs from an empty draft.
     * @returns {TichuSceneData} The scene.
     */
    function scene(name, draft = {}) {
        return TichuScene.of(snapshot(name), {...TichuScene.emptyDraft(), ...draft});
    }

    /**
     * @param {TichuSceneData} data - A scene.
     * @returns {string[]} What the three buttons do, in brackets where they cannot.
     */
    function acts({buttons}) {
        return [buttons.left, buttons.middle, buttons.right].map(({text, isEnabled}) => (
            isEnabled ? text.split('.')[1] : `(${text.split('.')[1]})`
        ));
    }

    Suite.test('while the AI plays for us, we are not asked to take cards up', () => {
        const received = {...snapshot('received'), request: null, choices: {legal: []}};
        const line = () => TichuScene.of(received, {...TichuScene.emptyDraft(), hasTakenUp: false}).line?.key ?? '';
        Suite.equal(line(), 'status.received');
        received.public_state.presences[0] = 'away';
        Suite.equal(line(), '');
    });

    Suite.test('Grand Tichu: continue, call, and nothing to play', () => {
        Suite.equal(acts(scene('grand')), ['no-grand', 'grand', '(play)']);
    });

    Suite.test('schupf: the right button waits for three cards', () => {
        const labels = scene('schupf').hand.map(one => one.label);
        Suite.equal(labels.length, 14);
        Suite.equal(acts(scene('schupf')), ['(pass)', '(tichu)', '(schupf)']);
        const two = scene('schupf', {zones: [labels[0], labels[1], null]});
        Suite.equal([two.hand.length, acts(two)[2]], [12, '(schupf)']);
        const three = scene('schupf', {zones: labels.slice(0, 3)});
        Suite.equal([three.hand.length, acts(three)[2]], [11, 'schupf']);
        Suite.equal(three.zones?.places.map(({place, name}) => [place, name]),
            [['right', 'Ben'], ['top', 'Maximiliane'], ['left', 'Clara']]);
    });

    Suite.test('after the schupf the cards wait to be taken up', () => {
        Suite.equal(acts(scene('given')), ['(pass)', '(tichu)', '(take-up)']);
        const waiting = scene('received', {hasTakenUp: false});
        Suite.equal([waiting.hand.length, acts(waiting)[2], waiting.zones?.kind], [11, 'take-up', 'received']);
        const taken = scene('received');
        Suite.equal([taken.hand.length, acts(taken)[2], taken.zones], [14, 'suggest', null]);
        Suite.equal(taken.hand.filter(one => one.giver !== '').length, 3);
    });

    Suite.test('in turn: select, then play what is legal and nothing else', () => {
        const {choices} = snapshot('follow');
        Suite.equal(acts(scene('follow'))[2], 'suggest');
        const selected = choices.suggested.map(Cards.label);
        Suite.equal(acts(scene('follow', {selected}))[2], 'play');
        const dim = scene('follow').hand.find(one => one.isDim);
        Suite.equal(acts(scene('follow', {selected: [dim?.label ?? '']}))[2], '(play)');
        Suite.equal(acts(scene('follow', {isRising: true})), ['(pass)', '(tichu)', '(suggest)']);
    });

    Suite.test('in turn every card is lit or dim, as the legal plays say', () => {
        const {choices} = snapshot('follow');
        const legal = new Set(choices.legal.flatMap(text => Cards.played(text) ?? []));
        for (const one of scene('follow').hand) {
            Suite.equal([one.label, one.isLit, one.isDim], [one.label, legal.has(one.label), !legal.has(one.label)]);
        }
    });

    Suite.test('without a legal play there is no move but to pass', () => {
        Suite.equal([acts(scene('stuck'))[0], acts(scene('stuck'))[2]], ['pass', '(no-move)']);
    });

    Suite.test('out of turn nothing can be played, and no card is dim', () => {
        Suite.equal([acts(scene('waiting'))[0], acts(scene('waiting'))[2]], ['(pass)', '(play)']);
        Suite.equal(scene('waiting').hand.some(one => one.isDim), false);
    });

    Suite.test('out of turn a whole bomb may be thrown, a part of it may not', () => {
        const {choices, request} = snapshot('bomb');
        const bomb = choices.bombs[0].map(Cards.label);
        Suite.equal([request, scene('bomb').hasBomb, acts(scene('bomb'))[2]], [null, true, '(play)']);
        Suite.equal(acts(scene('bomb', {selected: bomb}))[2], 'bomb');
        Suite.equal(acts(scene('bomb', {selected: bomb.slice(1)}))[2], '(play)');
    });

    Suite.test('the trick tells what is to be beaten, and what each other seat laid last', () => {
        const shown = snapshot('follow');
        /** @type {[number, Card[], Combination][]} */
        const trick = [
            [1, [[3, 1]], [1, 1, 3]], [2, [[4, 1]], [1, 1, 4]], [3, [], [0, 0, 0]], [0, [[5, 1]], [1, 1, 5]],
            [1, [[6, 1]], [1, 1, 6]], [2, [], [0, 0, 0]], [3, [], [0, 0, 0]], [0, [[7, 1]], [1, 1, 7]]
        ];
        shown.public_state.trick = trick;
        const {top, earlier} = TichuScene.of(shown);
        const seen = (/** @type {LaidScene | null} */ one) => [one?.place, one?.cards.map(Cards.label)];
        Suite.equal(seen(top), ['bottom', ['S7']]);
        Suite.equal(earlier.map(seen), [['right', ['S6']], ['top', ['S4']]]);
    });

    Suite.test('seats stand as the viewer sees them: right is the next one', () => {
        Suite.equal(scene('follow').seats.map(({seat, place}) => `${seat} ${place}`),
            ['0 bottom', '1 right', '2 top', '3 left']);
        const turned = snapshot('waiting');
        turned.me = 3;
        Suite.equal(TichuScene.of(turned).seats.map(({seat}) => seat), [3, 0, 1, 2]);
        const {own, other} = TichuScene.of(turned).score;
        const mine = scene('waiting').score;
        Suite.equal([own, other], [mine.other, mine.own]);
    });

    Suite.test('one who watches sees no hand and has nothing to press', () => {
        const watched = scene('spectator');
        Suite.equal([watched.isWatching, watched.hand, watched.zones], [true, [], null]);
        Suite.equal(acts(watched).every(act => act.startsWith('(')), true);
    });

    Suite.test('one who has finished sees the others\' cards', () => {
        const {seats, isOut} = scene('finished');
        const others = seats.slice(1);
        Suite.equal([isOut, others.map(seat => seat.hand?.length)], [true, others.map(seat => seat.count)]);
    });

    Suite.test('in a replay all hands but the own lie open at the seats', () => {
        const hands = [[[2, 1]], [[3, 1]], [[4, 1], [5, 1]], [[6, 1]]];
        const {seats} = TichuScene.of({...snapshot('waiting'), hands: /** @type {any} */ (hands)});
        Suite.equal(seats.map(seat => seat.hand?.length ?? null), [null, 1, 2, 1]);
    });

    Suite.test('the line below says what is to be done, and who takes a trick', () => {
        const task = (/** @type {string} */ name) => TichuScene.task(snapshot(name));
        Suite.equal(['follow', 'stuck', 'grand', 'schupf', 'wish', 'dragon'].map(task), [
            'status.play', 'status.stuck', 'status.announce_grand_tichu', 'status.schupf', 'status.wish',
            'status.give_dragon_away'
        ]);
        const taking = snapshot('follow');
        Suite.equal(TichuScene.of(taking).line, null);
        const owner = taking.public_state.trick_owner_index;
        taking.public_state.current_turn_index = owner;
        const name = taking.public_state.player_names[owner];
        Suite.equal(TichuScene.of(taking).line, {key: 'status.takes', values: {name}});
        Suite.equal(TichuScene.of({...taking, me: owner}).line?.key, 'status.you-take');
    });

    Suite.test('every true view of a game can be shown, in both languages, and no word is missing', async () => {
        for (const language of /** @type {('de' | 'en')[]} */ (['de', 'en'])) {
            await Suite.speak(language, 'tichu');
            for (const name of Object.keys(TableViews)) {
                const {line, buttons} = scene(name);
                const shown = line?.key ?? TichuScene.task(snapshot(name));
                const keys = [shown, ...Object.values(buttons).map(button => button.text)];
                Suite.equal([name, keys.filter(key => !Words.has('table', key))], [name, []]);
            }
        }
        Texts.choose('de');
    });
})();
