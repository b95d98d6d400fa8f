/**
 * Tests of Cards: labels, order, and comparing a selection with what the server allows.
 */
Suite.test('cards are labelled as in the texts of moves', () => {
    /** @type {Card[]} */
    const cards = [[0, 0], [1, 0], [2, 1], [10, 2], [11, 3], [14, 4], [15, 0], [16, 0]];
    Suite.equal(cards.map(Cards.label), ['Hu', 'Ma', 'S2', 'BZ', 'GB', 'RA', 'Dr', 'Ph']);
});

Suite.test('a hand is held in falling order', () => {
    Suite.equal(Cards.sorted([[0, 0], [5, 4], [16, 0], [5, 1], [15, 0]]).map(Cards.label),
        ['Ph', 'Dr', 'S5', 'R5', 'Hu']);
});

Suite.test('a selection is playable exactly if its set is among the legal plays, in any order', () => {
    const plays = Cards.plays(['pass', 'tichu', 'play S7', 'play S7 B7', 'play S7 B7 G7 R7']);
    Suite.equal(plays.count, 3);
    Suite.equal([['S7'], ['B7', 'S7'], ['B7'], ['S7', 'G7'], []].map(one => plays.has(one)),
        [true, true, false, false, false]);
});

Suite.test('what is lit is part of a legal play that holds the selection', () => {
    const plays = Cards.plays(['play S7 B7', 'play S7 S8 S9', 'play RA']);
    Suite.equal([...plays.around([])].sort(), ['B7', 'RA', 'S7', 'S8', 'S9']);
    Suite.equal([...plays.around(['S7'])].sort(), ['B7', 'S7', 'S8', 'S9']);
    Suite.equal([...plays.around(['B7'])].sort(), ['B7', 'S7']);
    Suite.equal([...plays.around(['B7', 'RA'])], []);
});

Suite.test('only moves that lay cards are plays', () => {
    Suite.equal([Cards.played('wish 8'), Cards.played('pass'), Cards.played('play Ph RA')], [null, null, ['Ph', 'RA']]);
});

Suite.test('cards and combinations have names in both languages', async () => {
    await Suite.speak('de', 'tichu');
    Suite.equal([Cards.name([10, 4]), Cards.name([15, 0]), Cards.sign(11), Cards.combinationName([2, 2, 9], [])],
        ['Rote Zehn', 'Drache', 'B', 'Paar Neun']);
    Suite.equal([[11, 1], [13, 2], [14, 3]].map(card => Cards.name(/** @type {Card} */ (card))),
        ['Schwarzer Bube', 'Blauer König', 'Grünes Ass']);
    await Suite.speak('en', 'tichu');
    Suite.equal([Cards.name([10, 4]), Cards.name([15, 0]), Cards.sign(11), Cards.combinationName([2, 2, 9], [])],
        ['Red Ten', 'Dragon', 'J', 'Pair Nine']);
    Texts.choose('de');
    // A single phoenix lies with the rank of what it beat, and is named as what it is.
    Suite.equal(Cards.combinationName([1, 1, 9], [[16, 0]]), 'Phönix');
});

Suite.test('every picture names a symbol of the sheet', async () => {
    const sheet = await (await fetch('/images/cards.svg')).text();
    for (const card of /** @type {(Card | null)[]} */ ([null, [0, 0], [16, 0], [2, 1], [14, 4]])) {
        const symbol = Cards.draw(card).querySelector('use')?.getAttribute('href')?.split('#')[1];
        Suite.equal([symbol, sheet.includes(`id="${symbol}"`)], [symbol, true]);
    }
});
