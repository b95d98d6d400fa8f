/**
 * Tests of TichuSounds: which sound belongs to what, and that each of them is there.
 */
Suite.test('each seat sounds a little different, and a bomb like a bomb', () => {
    const played = (/** @type {number} */ seat, /** @type {number} */ type) => (
        TichuSounds.sound('player_played', {turn: [seat, [], [type, 1, 5]]}, 1)
    );
    Suite.equal([played(1, 1), played(2, 1), played(3, 1), played(0, 1), played(0, 7)],
        ['play0', 'play1', 'play2', 'play3', 'bomb']);
    Suite.equal([TichuSounds.sound('trick_taken', {}, 0), TichuSounds.sound('chat', {}, 0)], ['take', '']);
});

Suite.test('all eleven sounds can be loaded', async () => {
    const found = await Promise.all(TichuSounds.NAMES.map(async name => (await fetch(`/sounds/${name}.flac`)).ok));
    Suite.equal([found.length, found.every(one => one)], [11, true]);
});
