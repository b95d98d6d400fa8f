/**
 * Tests of State.
 */
(() => {
    const table = /** @type {any} */ ({
        game: 'null', player_names: ['Ben', 'Emil'], is_running: true, awaiting: [1], time_left: [null, 12.5]
    });

    Suite.test('a spectator has no seat and nothing to choose', () => {
        State.update({number: 3, public_state: table, private_state: null, choices: null, request: null});
        Suite.equal([State.snapshot?.me, State.snapshot?.choices, State.snapshot?.request], [-1, {legal: []}, null]);
    });

    Suite.test('the time left runs by itself', async () => {
        const begun = performance.now();
        const first = State.timeLeft(1) ?? 0;
        await Suite.wait(60);
        const second = State.timeLeft(1) ?? 0;
        const most = (performance.now() - begun) / 1000;
        Suite.equal([State.timeLeft(0), first <= 12.5, second < first, first - second < most + 0.001],
            [null, true, true, true]);
    });

    Suite.test('only the last events are kept', () => {
        for (let number = 0; number < 250; number += 1) {
            State.note('event', number);
        }
        Suite.equal([State.log.length, State.log.at(-1)?.context], [200, 249]);
        State.clear();
        Suite.equal([State.snapshot, State.log, State.isRunning], [null, [], false]);
    });
})();
