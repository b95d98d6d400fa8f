/**
 * Tests of Texts, and of all texts: no key is missing in a language, no value is said in one language only.
 */
Suite.test('both languages have the same keys', () => {
    const {de, en} = Texts.all;
    Suite.equal(Object.keys(de).filter(key => !(key in en)), []);
    Suite.equal(Object.keys(en).filter(key => !(key in de)), []);
});

Suite.test('both languages fill in the same values', () => {
    const {de, en} = Texts.all;
    const values = (/** @type {string} */ text) => Texts.names(text).sort();
    for (const key of Object.keys(de)) {
        Suite.equal([key, ...values(de[key])], [key, ...values(en[key])]);
    }
});

Suite.test('no text is empty', () => {
    const {de, en} = Texts.all;
    Suite.equal([...Object.entries(de), ...Object.entries(en)].filter(([, text]) => text.trim() === ''), []);
});

Suite.test('every key that the code asks for by its full name is there', async () => {
    const page = await (await fetch('/')).text();
    const sources = [...page.matchAll(/src="(\/js\/[^"]+)"/g)].map(([, source]) => source);
    const codes = await Promise.all(sources.map(async source => (await fetch(source)).text()));
    const keys = codes.flatMap(code => [...code.matchAll(/Texts\.get\('([^']+)'/g)].map(([, key]) => key));
    Suite.equal(keys.length > 50, true);
    Suite.equal([...new Set(keys)].filter(key => !Texts.has(key)), []);
});

Suite.test('every error of Tichu has its sentence, and every word of its table is there', async () => {
    const codes = [102, 103, 302, 303, 305, 306, 307, 308];
    const files = ['cards', 'scene', 'speech', 'modals', 'dialogs', 'painter', 'view'];
    const all = await Promise.all(files.map(async name => (await fetch(`/js/games/tichu/${name}.js`)).text()));
    const keys = all.flatMap(code => [...code.matchAll(/Words\.table\('([^']+)'/g)].map(([, key]) => key));
    Suite.equal(keys.length > 20, true);
    for (const language of /** @type {('en' | 'de')[]} */ (['en', 'de'])) {
        await Suite.speak(language, 'tichu');
        Suite.equal(codes.filter(code => !Words.has('refusals', String(code))), []);
        Suite.equal(keys.filter(key => !Words.has('table', key)), []);
    }
});

Suite.test('values stand for the words in braces, and a text that is not there is its key', () => {
    Texts.choose('de');
    Suite.equal(Texts.get('lobby.waiting', {name: 'Ben'}), 'Warten auf Ben …');
    Texts.choose('en');
    Suite.equal(Texts.get('lobby.waiting', {name: '<b>'}), 'Waiting for <b> …');
    Suite.equal(Texts.get('no.such.text'), 'no.such.text');
});

Suite.test('what is counted agrees with its number', () => {
    const text = 'Noch {count|kein Stein|# Stein|# Steine}, {points|# Punkt|# Punkte} und {count}.';
    const told = [0, 1, 2, 21].map(count => Texts.fill(text, {count, points: count}));
    Suite.equal(told, [
        'Noch kein Stein, 0 Punkte und 0.', 'Noch 1 Stein, 1 Punkt und 1.', 'Noch 2 Steine, 2 Punkte und 2.',
        'Noch 21 Steine, 21 Punkte und 21.'
    ]);
    Suite.equal(['-1', '−1', '1.000', 11].map(points => Texts.fill('{points|# Punkt|# Punkte}', {points})),
        ['-1 Punkt', '−1 Punkt', '1.000 Punkte', '11 Punkte']);
    Suite.equal(Texts.names(text), ['count', 'points', 'count']);
});

Suite.test('the page says which language it speaks', () => {
    Texts.choose('de');
    Suite.equal(document.documentElement.lang, 'de');
    Texts.choose('en');
    Suite.equal(document.documentElement.lang, 'en');
});
