/**
 * Tests of what the generic table makes of words, moves and fields.
 */
(() => {
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

    Suite.test('cards and tiles have faces, other words have none', () => {
        Texts.choose('de');
        Suite.equal(Faces.text('H10'), '♥ 10');
        Suite.equal(Faces.of('XB')?.name, 'Karo Bube');
        Suite.equal(Faces.text('7:RED'), 'Rot 7');
        Suite.equal(Faces.text('0:BLACK'), 'Joker');
        Suite.equal([Faces.of('H1'), Faces.of('9:GREEN'), Faces.of('scan')], [null, null, null]);
        Texts.choose('en');
        Suite.equal(Faces.text('XB'), '♦ J');
    });

    Suite.test('a hand is sorted by suit and rank', () => {
        const hand = GenericFields.hand({hand: ['XA', 'H10', 'K9', 'H9', 'K7']});
        Suite.equal(hand, ['K7', 'K9', 'H9', 'H10', 'XA']);
    });

    Suite.test('moves are grouped by what they do', () => {
        const groups = GenericMoves.group(['lay HA', 'close', 'lay H9', 'announce', 'announce trump']);
        Suite.equal([...groups.keys()], ['lay', 'close', 'announce']);
        Suite.equal(groups.get('lay')?.map(move => move.operands), [['HA'], ['H9']]);
    });

    Suite.test('moves that differ only in what they are made with are one choice', () => {
        const moves = ['wish H', 'wish X', 'wish P', 'swap', 'draw main', 'draw exchange'].map(GenericMoves.parse);
        Suite.equal(GenericMoves.choices(moves).map(same => same.map(move => move.text)),
            [['wish H', 'wish X', 'wish P'], ['swap'], ['draw main'], ['draw exchange']]);
    });

    Suite.test('a move at a place is told from a move with a card', () => {
        const isPlaced = (/** @type {string} */ move) => GenericMoves.isPlaced(GenericMoves.parse(move));
        Suite.equal([isPlaced('scan 5 12'), isPlaced('take 2'), isPlaced('play H9')], [true, false, false]);
    });

    Suite.test('fields with nothing to tell are not shown, lists by seat are told seat by seat', () => {
        const drawn = GenericFields.draw(snapshot({penalty: 0, wish: '', stock: 14, tricks: [[], ['HA', 'H9']]}));
        const text = drawn.map(element => element.textContent).join(' ');
        Suite.equal([text.includes('14'), text.includes('Kim'), text.includes('Ben')], [true, true, false]);
    });

    Suite.test('places with x and y are a map', () => {
        const rooms = [{x: 1, y: 2}];
        Suite.equal(GenericFields.findMap(snapshot({rooms})), rooms);
        Suite.equal(GenericFields.findMap(snapshot({pile: ['HA']})), null);
    });

    Suite.test('an event that nobody has words for is no line', () => {
        Suite.equal(GenericLog.line('unheard_of', {}), '');
    });
})();
