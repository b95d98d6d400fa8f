/**
 * Tests of User.
 */
Suite.test('a session is kept for the tab and for the browser, and forgotten in both', () => {
    const session = {sessionId: 'one', tableName: 'Stube', playerName: 'Ben'};
    User.session = session;
    Suite.equal([User.session, User.lastSession], [session, session]);
    User.session = null;
    Suite.equal([User.session, User.lastSession], [null, null]);
});

Suite.test('a tab that leaves does not forget the seat of another tab', () => {
    User.session = {sessionId: 'one', tableName: 'Stube', playerName: 'Ben'};
    const other = {sessionId: 'two', tableName: 'Stube', playerName: 'Kim'};
    window.localStorage.setItem('tisch.session', JSON.stringify(other));
    User.session = null;
    Suite.equal(User.lastSession, other);
    window.localStorage.removeItem('tisch.session');
});

Suite.test('settings change one by one, are kept, and are told', () => {
    const before = User.settings;
    /** @type {any[]} */
    const told = [];
    const stop = EventBus.on('user:settings', settings => told.push(settings.volume));
    User.change({volume: 35});
    Suite.equal([User.settings.volume, User.settings.deck, told], [35, before.deck, [35]]);
    Suite.equal(JSON.parse(window.localStorage.getItem('tisch.settings') ?? '').volume, 35);
    stop();
    User.change(before);
});

Suite.test('what is stored and no longer understood is as if it were not there', () => {
    window.sessionStorage.setItem('tisch.session', '{broken');
    Suite.equal(User.session, null);
    window.sessionStorage.removeItem('tisch.session');
});
