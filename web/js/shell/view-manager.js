/**
 * ViewManager: shows one view at a time in `#wrapper`, and tells the style sheets by `data-layout` (`tall` or `wide`)
 * how the screen lies, and by `data-text` (`usual` or `large`) how large the user wants letters. All else is their
 * business.
 */

/**
 * Options of a render beside the snapshot.
 *
 * @typedef {object} RenderOptions
 * @property {boolean} [isReplay] - A finished game is shown: nothing can be decided.
 * @property {boolean} [isTry] - A decision of a finished game is made again: there is no table behind it.
 * @property {PrivateState[]} [hands] - In a replay what each seat sees.
 */

/**
 * A view. Only its own file touches its elements.
 *
 * @typedef {object} View
 * @property {string} name - The id of its element.
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

    /** From this factor on, text is large: the parts of a table move apart. */
    const _LARGE = 1.3;

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

    /** Tell the view how the screen lies, and that it or its letters may have another size. */
    function fit() {
        const {clientWidth: width, clientHeight: height} = Lib.byId('screen');
        const wrapper = Lib.byId('wrapper');
        const text = parseFloat(window.getComputedStyle(wrapper).getPropertyValue('--text'));
        wrapper.dataset.layout = width > height * 1.15 ? 'wide' : 'tall';
        wrapper.dataset.text = text >= _LARGE ? 'large' : 'usual';
        EventBus.emit('viewManager:fitted');
    }

    return {
        show,
        rebuild,
        fit,
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
