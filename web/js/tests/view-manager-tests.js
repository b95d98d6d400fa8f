/**
 * Tests of ViewManager: how the stage fits the screen.
 */
Suite.test('phones from 360×640 to 430×932 show the stage with hardly any bar', () => {
    for (const [width, height] of [[360, 640], [375, 667], [390, 844], [412, 915], [430, 932], [360, 800]]) {
        const {width: own, height: tall, scale, layout} = ViewManager.stage(width, height);
        const covered = own * scale * tall * scale / (width * height);
        Suite.equal([width, height, own, layout, covered > 0.95], [width, height, 1080, 'tall', true]);
    }
});

Suite.test('a phone that lies and a desktop have a wide stage that fills them', () => {
    for (const [width, height] of [[640, 360], [915, 412], [1440, 900], [1920, 1080]]) {
        const {width: wide, height: own, scale, layout} = ViewManager.stage(width, height);
        const covered = wide * scale * own * scale / (width * height);
        Suite.equal([width, height, own, layout, covered > 0.95], [width, height, 1080, 'wide', true]);
    }
});

Suite.test('the stage is never larger than the screen', () => {
    for (const [width, height] of [[300, 900], [768, 1024], [800, 800], [3000, 400]]) {
        const stage = ViewManager.stage(width, height);
        const [wide, high] = [stage.width * stage.scale, stage.height * stage.scale];
        Suite.equal([wide <= width + 0.01, high <= height + 0.01], [true, true]);
    }
});
