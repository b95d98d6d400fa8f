/**
 * Tests of how the plain table shows words, moves and fields.
 */
(() => {
    const speech = Speeches.make(Faces.text);

    /**
     * @param {any} publicState - What is public.
     * @param {any} [privateState] - What is private.
     * @returns {Snapshot} A moment at a table.
     */
    function snapshot(publicState, privateState = {}) {
        return {
            number: 1, public_state: {player_names: ['Ben', 'Kim'], ...publicState}, private_state: privateState,
            choices: {legal: []}, request: null, me: 0
        };
    }

    /**
     * Sit at a table, with the setup and the words of its game.
     *
     * @param {string} game - The game.
     */
    async function sitAt(game) {
        await Promise.all([Setup.load(), Words.load(game)]);
        State.update(/** @type {any} */ ({...snapshot({game})}));
    }

    Suite.test('cards have the faces that their game gives them, other words have none', async () => {
        Texts.choose('de');
        for (const game of ['maumau', 'sechsundsechzig']) {
            await sitAt(game);
            // As the players of the seed type them: K♦ is "k", ♣ is "x", ♠ is "p".
            Suite.equal(['H10', 'K10', 'X10', 'P10'].map(Faces.text), ['♥ 10', '♦ 10', '♣ 10', '♠ 10']);
            Suite.equal(Faces.of('XB')?.name, 'Kreuz Bube');
            Suite.equal(['K', 'X'].map(Faces.suit), ['♦ Karo', '♣ Kreuz']);
        }
        Suite.equal([Faces.of('H1'), Faces.of('H7'), Faces.of('9:GREEN'), Faces.of('scan')], [null, null, null, null]);
        await Suite.speak('en', 'maumau');
        Suite.equal(Faces.text('XB'), '♣ J');
    });

    Suite.test('a hand is sorted as its game sorts it', async () => {
        const hand = ['XA', 'H10', 'K9', 'H9', 'KK', 'X10'];
        await sitAt('maumau');
        Suite.equal(PlainFields.hand({hand}), ['X10', 'XA', 'H9', 'H10', 'K9', 'KK']);
        // Kreuz, Pik, Herz, Karo, each from the ace down, the ten before the king.
        await sitAt('sechsundsechzig');
        Suite.equal(PlainFields.hand({hand}), ['XA', 'X10', 'H10', 'H9', 'KK', 'K9']);
    });

    Suite.test("the look of a game of one's own names its suits, its hand and the seats of its events", async () => {
        await Suite.speak('en', 'maumau');
        await sitAt('maumau');
        const {look} = Setup;
        Setup.look = () => ({
            cards: ['D9', 'C10', 'Fool'], suits: {D: 'diamonds', C: 'clubs'}, fields: {holding: 'hand', left: 'counts'},
            whose: ['taker'], glyphs: {}, grids: {}
        });
        try {
            Suite.equal(['D9', 'C10', 'C', 'Fool'].map(Faces.text), ['♦ 9', '♣ 10', '♣ clubs', 'Fool']);
            Suite.equal(PlainFields.hand({holding: ['Fool', 'D9'], hand: ['C10']}), ['D9', 'Fool']);
            Suite.equal(PlainFields.called('counts'), 'left');
            const told = [0, 1].map(taker => speech.of('play', {taker, card: 'D9'}, snapshot({game: 'maumau'})));
            Suite.equal(told, ['You play ♦ 9', 'Kim plays ♦ 9']);
        }
        finally {
            Setup.look = look;
        }
    });

    Suite.test('what a game tells of its fields is shown so', async () => {
        Texts.choose('de');
        const text = async (/** @type {any} */ fields) => {
            await sitAt(fields.game);
            return PlainFields.draw(snapshot(fields)).map(element => element.textContent).join(' ');
        };
        Suite.equal(await text({game: 'maumau', stock: 0, penalty: 0}), 'Stapel0');
        const end = {winner: 0, points: 3, won: 'Won3f'};
        Suite.equal(await text({game: 'sechsundsechzig', number: 0, closer: 0, announced: 'announce trump', end}),
            'Spiel1Zugemacht vonBenAngesagtTrumpf-Hochzeit ansagenEndeBen · 3 P. · der Gegner hat ohne 66 gestoppt');
        Suite.equal(await text({game: 'sechsundsechzig', lacks: ['', 'HX']}), 'Fehlende FarbenKim♥ Herz, ♣ Kreuz ');
    });

    Suite.test('moves are grouped by what they do', () => {
        const groups = Moves.group(['lay HA', 'close', 'lay H9', 'announce', 'announce trump']);
        Suite.equal([...groups.keys()], ['lay', 'close', 'announce']);
        Suite.equal(groups.get('lay')?.map(move => move.operands), [['HA'], ['H9']]);
    });

    Suite.test('moves that differ only in what they are made with are one choice', () => {
        const moves = ['wish H', 'wish X', 'wish P', 'swap', 'draw main', 'draw exchange'].map(Moves.parse);
        Suite.equal(Moves.choices(moves).map(same => same.map(move => move.text)),
            [['wish H', 'wish X', 'wish P'], ['swap'], ['draw main'], ['draw exchange']]);
    });

    Suite.test('fields with nothing to tell are not shown, lists by seat are told seat by seat', async () => {
        await sitAt('sechsundsechzig');
        const fields = {forced: false, trump: '', hidden: 14, tricks: [[], ['HA', 'H9']]};
        const drawn = PlainFields.draw(snapshot({game: 'sechsundsechzig', ...fields}));
        const text = drawn.map(element => element.textContent).join(' ');
        Suite.equal([text.includes('14'), text.includes('Kim'), text.includes('Ben')], [true, true, false]);
    });

    Suite.test('a list is shown whole, however long, and a list of lists row by row', async () => {
        await Suite.speak('en', 'maumau');
        await sitAt('maumau');
        const rows = (/** @type {any} */ fields) => PlainFields.draw(snapshot({game: 'maumau', ...fields}))
            .flatMap(part => [...part.querySelectorAll('.field-row')].map(row => [...row.children].map(
                each => each.textContent).join(' ')));
        const long = Array.from({length: 42}, (_, index) => index);
        Suite.equal(rows({pile: long}), [long.join(' ')]);
        Suite.equal(rows({pile: [[1, 2, 3], [], [0, 0, 0]]}), ['1 2 3', '', '0 0 0']);
        Suite.equal(rows({pile: [[0, 0], [0, 5]]}), ['Ben 0 0', 'Kim 0 5']);
        Suite.equal(rows({pile: [{a: 1, b: 2}, {a: 3, b: 4}, {a: 5, b: 6}]}), ['1 · 2', '3 · 4', '5 · 6']);
        // Nobody need be told of a seat that has nothing at all.
        Suite.equal([rows({pile: [[], []]}), rows({pile: []})], [[], []]);
    });

    Suite.test('cells are called as the look of their board says', () => {
        /** @type {(changes?: any) => GridLook} */
        const grid = changes => ({...Cells.PLAIN, ...changes});
        Suite.equal([0, 25, 26, 51, 52, 701].map(column => Cells.columnLabel(grid(), column)),
            ['a', 'z', 'aa', 'az', 'ba', 'zz']);
        Suite.equal([0, 7].map(row => Cells.label(grid({is_upward: true}), row, 4, 8)), ['e8', 'e1']);
        Suite.equal(Cells.label(grid({columns: 'numbers'}), 2, 11, 19), '12,3');
        Suite.equal(Cells.label(grid({columns: 'numbers', rows: 'letters'}), 2, 11, 19), '12c');
    });

    Suite.test('moves name places as the look of their board says', () => {
        const rows = Array.from({length: 4}, () => Array.from({length: 4}, () => ''));
        const places = (/** @type {string} */ meant, /** @type {string} */ move) => (
            Cells.moves({...Cells.PLAIN, moves: {go: meant.split(' ')}}, rows, [move]).get(move)
                ?.map(({row, column}) => `${row ?? '*'} ${column ?? '*'}`));
        Suite.equal(places('cell', 'go c3'), ['2 2']);
        Suite.equal(places('cell cell', 'go a1 b2'), ['0 0', '1 1']);
        Suite.equal([places('column', 'go d'), places('row', 'go 2')], [['* 3'], ['1 *']]);
        Suite.equal([places('column row', 'go d 2'), places('row column', 'go 2 d')], [['1 3'], ['1 3']]);
        Suite.equal(places('column row column row', 'go a 1 b 2'), ['0 0', '1 1']);
        Suite.equal(places('nothing cell nothing', 'go x c3 queen'), ['2 2']);
        Suite.equal([places('cell', 'stay c3'), places('cell', 'go c3 d4'), places('nothing', 'go x')],
            [undefined, undefined, undefined]);
    });

    Suite.test('an event that nobody has words for is no line', () => {
        Suite.equal(speech.of('unheard_of', {}, snapshot({})), '');
    });

    Suite.test('an event is told in other words to the one who did it, if nothing is missing in them', async () => {
        Texts.choose('de');
        await sitAt('okey');
        const at = snapshot({game: 'okey'});
        const line = (/** @type {string} */ event, /** @type {any} */ context) => speech.of(event, context, at);
        Suite.equal(line('put', {seat: 1, tile: '7:RED'}), 'Kim legt 7:RED ab');
        Suite.equal(line('put', {seat: 0, tile: '7:RED'}), 'Du legst 7:RED ab');
        Suite.equal(line('drawn', {seat: 0}), 'Ben zieht vom Hauptstapel');
    });

    Suite.test('moves are called by their words, by how they begin, or by their verb', async () => {
        Texts.choose('de');
        await sitAt('okey');
        Suite.equal(['draw main', 'put 7:RED', 'cheat'].map(text => Moves.words(text, Faces.text)),
            ['Vom Hauptstapel ziehen', '7:RED ablegen', 'Schummeln']);
        await sitAt('maumau');
        Suite.equal(['take 1', 'take 4', 'play HA'].map(text => Moves.words(text, Faces.text)),
            ['Eine Karte ziehen', '4 Karten ziehen', 'Legen: ♥ A']);
    });

    Suite.test('a refusal is told by the sentence of the game, with what it names', async () => {
        Texts.choose('de');
        await sitAt('sechsundsechzig');
        const at = snapshot({game: 'sechsundsechzig'});
        const write = (/** @type {string} */ name, /** @type {string} */ value) => speech.word(name, value, at);
        Suite.equal(Words.sentence('refusals', 'Seat 1 does not hold H10.', write), '♥ 10 hast du nicht.');
        Suite.equal(Words.sentence('refusals', 'There is no deck to be closed.', write),
            'Es gibt kein Deck mehr, das du zumachen könntest.');
        Suite.equal(Words.sentence('refusals', 'Nobody has a word for this.', write), '');
    });
})();
