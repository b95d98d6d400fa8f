/**
 * Tests of EventBus.
 */
Suite.test('an event reaches all who listen, with what belongs to it, until they stop', () => {
    /** @type {any[]} */
    const heard = [];
    const stop = EventBus.on('test:one', payload => heard.push(['a', payload]));
    EventBus.on('test:one', payload => heard.push(['b', payload]));
    EventBus.emit('test:one', 1);
    stop();
    EventBus.emit('test:one', 2);
    EventBus.emit('test:other', 3);
    Suite.equal(heard, [['a', 1], ['b', 1], ['b', 2]]);
});

Suite.test('who stops listening while an event is told disturbs nobody', () => {
    /** @type {string[]} */
    const heard = [];
    const stop = EventBus.on('test:two', () => {
        heard.push('a');
        stop();
    });
    EventBus.on('test:two', () => heard.push('b'));
    EventBus.emit('test:two');
    EventBus.emit('test:two');
    Suite.equal(heard, ['a', 'b', 'b']);
});
