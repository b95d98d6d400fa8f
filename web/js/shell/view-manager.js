/**
 * ViewManager: shows one view at a time on the stage `#wrapper`, and fits the stage into the screen.
 *
 * A table is laid out on a stage of 1080 units on its short side (9:16, stretched a little to the screen's ratio),
 * which is scaled as a whole: `--stage-width`, `--stage-height`, `--stage-scale` and `data-layout` (`tall` or `wide`)
 * tell the style sheets. Views that are forms fill the screen in plain pixels instead.
 */

/**
 * Options of a render beside the snapshot.
 *
 * @typedef {object} RenderOptions
 * @property {boolean} [isReplay] - A finished game is shown: nothing can be decided.
 * @property {PrivateState[]} [hands] - In a replay what each seat sees.
 */

/**
 * A view. Only its own file touches its elements.
 *
 * @typedef {object} View
 * @property {string} name - The id of its element.
 * @property {boolean} isScaled - Is it laid out on the scaled stage?
 * @property {() => HTMLElement} create - Makes its element, once.
 * @property {(snapshot: Snapshot | null, options?: RenderOptions) => void} render - Draws all of it. Depends on
 *     nothing but its arguments, so that a replay can draw any moment.
 * @property {(event: string, context: any) => void} [notify] - Animates and sounds what happened; the state that
 *     results is drawn by the render that follows.
 * @property {(argument?: any) => void} [show] - It becomes visible.
 * @property {() => void} [hide] - It is left.
 */

const ViewManager = (() => {
    /** @type {Map<View, HTMLElement>} */
    const _elements = new Map();

    /** The size of text that browsers begin with, and that of a large screen (pixels): see `html` in base.css. */
    const _USUAL_TEXT = 16;
    const _LARGEST_TEXT = 40;

    /** @type {View | null} */
    let _current = null;

    /**
     * Show a view and hide the one before.
     *
     * @param {View} view - The view.
     * @param {any} [argument] - The argument of its `show`.
     * @param {RenderOptions} [options] - The render options.
     */
    function show(view, argument, options) {
        const isNew = view !== _current;
        if (isNew) {
            _current?.hide?.();
            const element = _elements.get(view) ?? view.create();
            element.id = view.name;
            element.classList.add('view');
            _elements.set(view, element);
            _current = view;
            Lib.byId('wrapper').replaceChildren(..._heading(element), element);
            document.body.dataset.view = view.name;
            fit();
        }
        if (isNew || argument !== undefined) {
            view.show?.(argument);
        }
        view.render(State.snapshot, options);
        if (isNew) {
            EventBus.emit('viewManager:shown', view.name);
        }
    }

    /**
     * Give a view a heading for screen readers if it shows none: the game at a table.
     *
     * @param {HTMLElement} element - The view's element.
     * @returns {HTMLElement[]} The heading, before the element.
     */
    function _heading(element) {
        const game = State.snapshot?.public_state.game ?? '';
        const text = Setup.game(game)?.title ?? Texts.get('title');
        return element.querySelector('h1') === null ? [Lib.element('h1', {class: 'visually-hidden', text})] : [];
    }

    /** Rebuild the current view, for instance in another language. */
    function rebuild() {
        const view = _current;
        view?.hide?.();
        _elements.clear();
        _current = null;
        if (view !== null) {
            show(view);
        }
    }

    /** Fit the stage into the screen. */
    function fit() {
        const screen = Lib.byId('screen');
        const wrapper = Lib.byId('wrapper');
        const size = _current?.isScaled
            ? stage(screen.clientWidth, screen.clientHeight)
            : {width: screen.clientWidth, height: screen.clientHeight, scale: 1, layout: _layout(screen)};
        wrapper.dataset.layout = size.layout;
        wrapper.dataset.stage = _current?.isScaled ? 'scaled' : 'fluid';
        wrapper.style.setProperty('--stage-width', `${size.width}px`);
        wrapper.style.setProperty('--stage-height', `${size.height}px`);
        wrapper.style.setProperty('--stage-scale', String(size.scale));
        wrapper.style.setProperty('--stage-text', String(_text()));
        EventBus.emit('viewManager:fitted', size);
    }

    /**
     * How much larger text is wanted than usual on such a screen: a stage has its own units, and room for some of it.
     *
     * @returns {number} The factor.
     */
    function _text() {
        const grown = 0.019 * Math.min(window.innerWidth, window.innerHeight);
        const usual = Math.min(Math.max(_USUAL_TEXT, grown), _LARGEST_TEXT);
        const wanted = parseFloat(window.getComputedStyle(document.documentElement).fontSize) / usual;
        return Math.min(Math.max(wanted, 1), Config.STAGE.text);
    }

    /**
     * @param {HTMLElement} screen - The screen.
     * @returns {'tall' | 'wide'} How the screen lies.
     */
    function _layout(screen) {
        return screen.clientWidth > screen.clientHeight * 1.15 ? 'wide' : 'tall';
    }

    /**
     * Reckon the stage for a screen.
     *
     * @param {number} width - The screen's width in pixels.
     * @param {number} height - Its height.
     * @returns {{width: number, height: number, scale: number, layout: 'tall' | 'wide'}} The stage in its own units,
     *     and the pixels of one unit.
     */
    function stage(width, height) {
        const {short, tall, wide} = Config.STAGE;
        const isWide = width > height * 1.15;
        const [least, most] = isWide ? wide : tall;
        const ratio = isWide ? width / height : height / width;
        const long = Math.round(Math.min(most, Math.max(least, short * ratio)));
        const own = isWide ? {width: long, height: short} : {width: short, height: long};
        const scale = Math.min(width / own.width, height / own.height);
        return {...own, scale, layout: isWide ? 'wide' : 'tall'};
    }

    return {
        show,
        rebuild,
        fit,
        stage,
        /**
         * The view that is shown.
         *
         * @returns {View | null} The view.
         */
        get current() {
            return _current;
        }
    };
})();
