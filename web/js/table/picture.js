/**
 * Picture: the story of a game as a picture, made on this device, to be shared or kept.
 */

/**
 * What a picture is drawn with: where it has come to, from above.
 *
 * @typedef {{context: CanvasRenderingContext2D, y: number}} Pen
 */

const Picture = (() => {
    const _WIDTH = 1080;
    const _EDGE = 72;
    const _ROOM = _WIDTH - 2 * _EDGE;
    /** No picture is higher while it is drawn. */
    const _HIGHEST = 4000;
    const _CURVE = 360;
    /** How a line of a curve is dashed, as in the style sheet. */
    const _DASHES = [[], [16, 6], [3, 7], [22, 6, 3, 6], [9, 9]];
    const _CARD = 92;
    /** The room for the names beside hands. */
    const _NAMES = 250;

    /**
     * @param {string} name - The name of a token.
     * @returns {string} Its value on this page.
     */
    function _token(name) {
        return window.getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
    }

    /**
     * Write a text, in as many lines as it needs.
     *
     * @param {Pen} pen - The pen; it is below the text afterwards.
     * @param {string} text - The text.
     * @param {{size: number, colour?: string, font?: string, weight?: number}} style - How.
     */
    function _write(pen, text, {size, colour = 'felt-ink', font = 'font', weight = 400}) {
        const {context} = pen;
        context.font = `${weight} ${size}px ${_token(font)}`;
        context.fillStyle = _token(colour);
        context.textAlign = 'left';
        let line = '';
        const end = () => {
            pen.y += size;
            context.fillText(line, _EDGE, pen.y);
            pen.y += size * 0.32;
        };
        for (const word of text.split(' ')) {
            const longer = line === '' ? word : `${line} ${word}`;
            if (line !== '' && context.measureText(longer).width > _ROOM) {
                end();
                line = word;
            }
            else {
                line = longer;
            }
        }
        end();
    }

    /**
     * Write a short text at a place, narrower if it has to be.
     *
     * @param {Pen} pen - The pen, which stays.
     * @param {string} text - The text.
     * @param {{x: number, size: number, room: number, align?: CanvasTextAlign, colour?: string, weight?: number}} style
     *     - Where and how.
     */
    function _put({context, y}, text, {x, size, room, align = 'left', colour = 'felt-ink', weight = 400}) {
        context.font = `${weight} ${size}px ${_token('font')}`;
        context.fillStyle = _token(colour);
        context.textAlign = align;
        let shown = text;
        while (shown.length > 2 && context.measureText(shown).width > room) {
            shown = `${shown.slice(0, shown.endsWith('…') ? -2 : -1)}…`;
        }
        context.fillText(shown, x, y);
    }

    /**
     * @param {Pen} pen - The pen.
     * @param {Story['standings']} standings - How the seats or sides stand.
     */
    function _standings(pen, standings) {
        for (const {name, points, isBest} of standings) {
            const colour = isBest ? 'accent-ink' : 'felt-ink';
            pen.context.fillStyle = _token(isBest ? 'accent' : 'felt-well');
            pen.context.beginPath();
            pen.context.roundRect(_EDGE, pen.y, _ROOM, 84, 20);
            pen.context.fill();
            pen.y += 56;
            _put(pen, name, {x: _EDGE + 28, size: 40, room: _ROOM / 2 - 40, colour, weight: isBest ? 650 : 400});
            _put(pen, points, {
                x: _WIDTH - _EDGE - 28, size: 40, room: _ROOM / 2 - 40, align: 'right', colour, weight: 650
            });
            pen.y += 42;
        }
        pen.y += 20;
    }

    /**
     * @param {Pen} pen - The pen.
     * @param {NonNullable<Story['curve']>} curve - The points.
     */
    function _curve(pen, {title, lines, turn}) {
        const {context} = pen;
        _write(pen, title, {size: 32, colour: 'felt-ink-soft'});
        const at = Ending.scale(lines.map(({values}) => values), _ROOM, _CURVE, 24);
        const top = pen.y + 8;
        context.fillStyle = _token('felt-well');
        context.beginPath();
        context.roundRect(_EDGE, top, _ROOM, _CURVE, 20);
        context.fill();
        context.strokeStyle = _token('felt-line');
        context.lineWidth = 2;
        context.strokeRect(_EDGE, top + at(0, 0).y, _ROOM, 0);
        lines.forEach(({values}, index) => {
            context.strokeStyle = _token(`curve-${index + 1}`);
            context.lineWidth = 7;
            context.lineJoin = 'round';
            context.setLineDash(_DASHES[index]);
            context.beginPath();
            values.map((value, step) => at(step, value)).forEach(({x, y}) => context.lineTo(_EDGE + x, top + y));
            context.stroke();
        });
        context.setLineDash([6, 8]);
        context.lineWidth = 3;
        context.strokeStyle = _token('felt-ink');
        if (turn !== undefined) {
            context.strokeRect(_EDGE + at(turn, 0).x, top, 0, _CURVE);
        }
        context.setLineDash([]);
        pen.y = top + _CURVE + 44;
        const room = _ROOM / lines.length;
        lines.forEach(({name}, index) => {
            _put(pen, `● ${name}`, {x: _EDGE + index * room, size: 30, room: room - 16, colour: `curve-${index + 1}`});
        });
        pen.y += 44;
    }

    /**
     * @param {Pen} pen - The pen.
     * @param {NonNullable<Story['facts']>} facts - What each player did.
     */
    function _facts(pen, {heads, rows}) {
        const first = heads.length > 2 ? 370 : 480;
        const room = (_ROOM - first) / heads.length;
        const write = (/** @type {string[]} */ values, /** @type {string} */ colour, /** @type {number} */ weight) => {
            values.forEach((text, index) => _put(pen, text, {
                x: _EDGE + first + (index + 1) * room, size: 30, room: room - 14, align: 'right', colour, weight
            }));
        };
        pen.y += 36;
        write(heads, 'felt-ink-soft', 400);
        for (const {label, values} of rows) {
            pen.context.fillStyle = _token('felt-line');
            pen.context.fillRect(_EDGE, pen.y + 18, _ROOM, 2);
            pen.y += 60;
            _put(pen, label, {x: _EDGE, size: 30, room: first - 10});
            write(values, 'felt-ink', 650);
        }
        pen.y += 52;
    }

    /**
     * Draw hands beside the names: cards lie one on the other, tiles side by side.
     *
     * @param {Pen} pen - The pen.
     * @param {NonNullable<Story['cards']>} cards - The hands.
     */
    async function _cards(pen, {title, hands, isApart = false}) {
        _write(pen, title, {size: 32, colour: 'felt-ink-soft'});
        for (const {name, pictures} of hands) {
            const {width, height} = pictures[0].viewBox.baseVal;
            const room = _ROOM - _NAMES;
            const own = isApart ? Math.min(_CARD, room / pictures.length) : _CARD;
            const step = isApart ? own : Math.min(own * 0.62, (room - own) / Math.max(1, pictures.length - 1));
            const size = {width: own, height: own * height / width};
            const image = await _image(Lib.drawing('svg', {
                width: step * (pictures.length - 1) + own, height: size.height
            }, ...pictures.map((picture, index) => Lib.drawing('use', {
                href: picture.querySelector('use')?.getAttribute('href') ?? '', x: index * step, ...size
            }))));
            pen.context.drawImage(image, _EDGE + _NAMES, pen.y + 10);
            pen.y += 20 + size.height / 2;
            _put(pen, name, {x: _EDGE, size: 32, room: _NAMES - 20});
            pen.y += size.height / 2 - 10;
        }
        pen.y += 30;
    }

    /**
     * Make a picture of a drawing that uses symbols and colours of the page.
     *
     * @param {SVGElement} drawn - The drawing; it gets all that it needs.
     * @returns {Promise<HTMLImageElement>} The picture.
     */
    async function _image(drawn) {
        const names = [...drawn.querySelectorAll('use')].map(use => use.getAttribute('href') ?? '');
        const sheets = new Set(names.map(name => document.querySelector(`symbol${name}`)?.closest('svg')));
        drawn.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
        const known = [...sheets].filter(sheet => sheet instanceof SVGSVGElement);
        drawn.append(...known.map(sheet => sheet.cloneNode(true)));
        const write = () => new XMLSerializer().serializeToString(drawn);
        for (const [, name] of write().matchAll(/var\(--([\w-]+)/g)) {
            drawn.style.setProperty(`--${name}`, _token(name));
        }
        const image = new Image();
        image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(write())}`;
        await image.decode();
        return image;
    }

    /**
     * @param {Pen} pen - The pen.
     * @param {SVGSVGElement} drawn - A drawing of the game's own.
     */
    async function _drawing(pen, drawn) {
        const {width, height} = drawn.viewBox.baseVal;
        const size = {width: _ROOM, height: _ROOM * height / width};
        drawn.setAttribute('width', String(size.width));
        drawn.setAttribute('height', String(size.height));
        pen.context.drawImage(await _image(drawn), _EDGE, pen.y);
        pen.y += size.height + 30;
    }

    /**
     * Draw a story.
     *
     * @param {Story} story - The story.
     * @param {string} game - The game's name.
     * @returns {Promise<Blob>} The picture.
     */
    async function make(story, game) {
        const tall = Object.assign(document.createElement('canvas'), {width: _WIDTH, height: _HIGHEST});
        const pen = {context: /** @type {CanvasRenderingContext2D} */ (tall.getContext('2d')), y: _EDGE};
        const day = new Date().toLocaleDateString(Texts.language, {dateStyle: 'long'});
        _write(pen, `${Setup.game(game)?.title ?? game} · ${day}`, {size: 36, colour: 'accent'});
        _write(pen, story.title, {size: 76, font: 'font-title', weight: 650});
        pen.y += 28;
        _standings(pen, story.standings);
        if (story.curve !== undefined && story.curve.lines[0].values.length > 2) {
            _curve(pen, story.curve);
        }
        if (story.cards !== undefined) {
            await _cards(pen, story.cards);
        }
        if (story.drawing !== undefined) {
            await _drawing(pen, story.drawing());
        }
        if (story.facts !== undefined) {
            _facts(pen, story.facts);
        }
        story.moments.forEach(text => _write(pen, text, {size: 34}));
        if (story.note !== undefined) {
            _write(pen, story.note, {size: 28, colour: 'felt-ink-soft'});
        }
        pen.y += 28;
        _write(pen, `tisch · ${window.location.host}`, {size: 28, colour: 'felt-ink-soft'});
        return _finish(tall, Math.ceil(pen.y) + _EDGE - 28);
    }

    /**
     * Lay what was drawn on felt.
     *
     * @param {HTMLCanvasElement} drawn - What was drawn.
     * @param {number} height - How much of it is used.
     * @returns {Promise<Blob>} The picture.
     */
    function _finish(drawn, height) {
        const canvas = Object.assign(document.createElement('canvas'), {width: _WIDTH, height});
        const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
        const felt = context.createLinearGradient(0, 0, 0, height);
        felt.addColorStop(0, _token('felt-tone'));
        felt.addColorStop(1, _token('felt-deep'));
        context.fillStyle = felt;
        context.fillRect(0, 0, _WIDTH, height);
        context.drawImage(drawn, 0, 0);
        return new Promise((resolve, reject) => {
            canvas.toBlob(blob => blob === null ? reject(new Error('The picture is empty.')) : resolve(blob));
        });
    }

    /** @returns {boolean} Can this device share a picture? */
    function mayShare() {
        return navigator.canShare?.({files: [new File([], 'a.png', {type: 'image/png'})]}) === true;
    }

    /**
     * Share the picture of a story, or keep it where nothing can be shared.
     *
     * @param {Story} story - The story.
     * @param {string} game - The game's name.
     */
    async function share(story, game) {
        const blob = await make(story, game);
        if (mayShare()) {
            const files = [new File([blob], `${game}.png`, {type: 'image/png'})];
            await navigator.share({files, title: story.title}).catch(error => {
                if (error.name !== 'AbortError') {
                    throw error;
                }
            });
            return;
        }
        const href = URL.createObjectURL(blob);
        Lib.element('a', {href, download: `${game}.png`}).click();
        window.setTimeout(() => URL.revokeObjectURL(href), 10000);
    }

    return {make, mayShare, share};
})();
