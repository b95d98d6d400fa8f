/**
 * Beside: puts a panel that is not modal where it covers the least of a table, and nothing that it is about. The table
 * makes no room for it, so nothing moves.
 */
const Beside = (() => {
    /** What a panel had better not cover. */
    const _WORTHY = 'button:enabled, .table-seat, p, .laid, .top-caption, [role="img"], [data-pile], .counts, .score';
    /** How many times as bad it is to cover what is lit, and what has the focus. */
    const _LIT = 1e6;
    const _FOCUSED = 1e3;
    /** What says what is to be done now, and how bad it is to cover that. */
    const _TASK = '.status-text';
    const _READ = 8;
    /** A panel stays where it is as long as it covers little more there than elsewhere (square pixels). */
    const _SLACK = 2000;
    /** How bad each pixel is between a panel and what it is about, where it had better be near (square pixels). */
    const _FAR = 25;
    /** The distance between two rows that are tried, and from the edges and what is lit (pixels). */
    const _STEP = 8;
    /** How near to a corner an arrow may be (pixels). */
    const _CORNER = 28;
    /** The columns that are tried, as shares of the width; of equally good ones, the first is taken. */
    const _COLUMNS = [0.5, 0, 1, 0.25, 0.75, 0.125, 0.875, 0.375, 0.625];

    /**
     * Put a panel where it covers the least, or leave it where it covers little.
     *
     * @param {HTMLElement} panel - The panel.
     * @param {HTMLElement} root - The table.
     * @param {Element[]} [lit] - What the panel is about.
     * @param {boolean} [isNear] - Had it better be near to that?
     */
    function put(panel, root, lit = [], isNear = false) {
        const {left, top, width, height} = panel.getBoundingClientRect();
        const screen = _grown(Lib.byId('screen').getBoundingClientRect(), -_STEP);
        const boxes = _settled(root, () => _boxes(panel, root, lit));
        const cost = (/** @type {number} */ x, /** @type {number} */ y) => {
            let sum = 0;
            for (const box of boxes) {
                const across = Math.min(x + width, box.right) - Math.max(x, box.left);
                const down = Math.min(y + height, box.bottom) - Math.max(y, box.top);
                sum += across > 0 && down > 0 ? box.weight * across * down : 0;
                sum += isNear && box.weight === _LIT ? _FAR * Math.max(0, -across, -down) : 0;
            }
            return sum;
        };
        const right = screen.right - width;
        let best = {x: screen.left, y: screen.top, cost: Infinity};
        for (let y = screen.top; y <= screen.bottom - height; y += _STEP) {
            for (const column of _COLUMNS) {
                const x = screen.left + column * (right - screen.left);
                const own = cost(x, y);
                best = own < best.cost ? {x, y, cost: own} : best;
            }
        }
        const isWithin = panel.style.left !== '' && left >= screen.left - 1 && left <= right + 1
            && top >= screen.top && top + height <= screen.bottom;
        if (!isWithin || cost(left, top) > best.cost + _SLACK) {
            panel.style.left = `${best.x}px`;
            panel.style.top = `${best.y}px`;
        }
        if (isNear) {
            _point(panel, lit);
        }
    }

    /**
     * Say in which direction what the panel is about lies, and where at that edge an arrow leads to it.
     *
     * @param {HTMLElement} panel - The panel.
     * @param {Element[]} lit - What it is about.
     */
    function _point(panel, lit) {
        delete panel.dataset.points;
        if (lit.length === 0) {
            return;
        }
        const box = panel.getBoundingClientRect();
        const boxes = lit.map(each => each.getBoundingClientRect());
        const left = Math.min(...boxes.map(each => each.left));
        const right = Math.max(...boxes.map(each => each.right));
        const top = Math.min(...boxes.map(each => each.top));
        const bottom = Math.max(...boxes.map(each => each.bottom));
        const ways = {down: top - box.bottom, up: box.top - bottom, right: left - box.right, left: box.left - right};
        const [way, distance] = Object.entries(ways).sort(([, one], [, other]) => other - one)[0];
        if (distance < 0) {
            return;
        }
        const isUpright = way === 'down' || way === 'up';
        const at = isUpright ? (left + right) / 2 - box.left : (top + bottom) / 2 - box.top;
        const end = (isUpright ? box.width : box.height) - _CORNER;
        panel.dataset.points = way;
        panel.style.setProperty('--at', `${Math.min(Math.max(at, _CORNER), end)}px`);
    }

    /**
     * @param {HTMLElement} panel - The panel.
     * @param {HTMLElement} root - The table.
     * @param {Element[]} lit - What is lit.
     * @returns {{left: number, right: number, top: number, bottom: number, weight: number}[]} What it may lie on, and
     *     how bad that is.
     */
    function _boxes(panel, root, lit) {
        const others = [...document.querySelectorAll('dialog[open]')].filter(each => each !== panel);
        return [
            // An arrow has its room.
            ...lit.map(each => ({box: _grown(each.getBoundingClientRect(), 2 * _STEP), weight: _LIT})),
            ...[...root.querySelectorAll(_TASK)].map(each => (
                {box: _grown(each.getBoundingClientRect(), _STEP / 2), weight: _READ})),
            ...[...others, ...root.querySelectorAll(_WORTHY)].map(each => (
                {box: each.getBoundingClientRect(), weight: each === document.activeElement ? _FOCUSED : 1}))
        ].map(({box: {left, right, top, bottom}, weight}) => ({left, right, top, bottom, weight}));
    }

    /**
     * Measure a table as it will be when everything that moves now has arrived.
     *
     * @template T
     * @param {HTMLElement} root - The table.
     * @param {() => T} measure - Measures.
     * @returns {T} What it returns.
     */
    function _settled(root, measure) {
        const moves = root.getAnimations({subtree: true})
            .map(move => ({move, now: move.currentTime, end: Number(move.effect?.getComputedTiming().endTime)}))
            .filter(({end}) => Number.isFinite(end));
        moves.forEach(({move, end}) => {
            // At the very end it would be over.
            move.currentTime = Math.max(0, end - 1);
        });
        const measured = measure();
        moves.forEach(({move, now}) => {
            move.currentTime = now;
        });
        return measured;
    }

    /**
     * @param {DOMRect} box - A box.
     * @param {number} margin - How much.
     * @returns {DOMRect} The same with a margin.
     */
    function _grown({x, y, width, height}, margin) {
        return new DOMRect(x - margin, y - margin, width + 2 * margin, height + 2 * margin);
    }

    return {put};
})();
