/**
 * Tour: what a person should know in their first games of a kind, said when it is asked for the first time, beside
 * what it is about. It takes neither place nor focus from the table, and can be left at any moment; the rules lead back
 * to it.
 */
const Tour = (() => {
    /** Where the device keeps the games of which nothing more is to be said, and by game the tips that were shown. */
    const _LEFT = 'toured';
    const _SHOWN = 'tips';
    const _NAME = 'tour';
    /** The class of what the open tip is about. */
    const _ABOUT = 'is-told';

    /**
     * @type {{game: string, tip: string, decision: string, find: () => Element[]} | null} The open tip: its decision,
     *     and what finds the parts of the table that it is about.
     */
    let _open = null;

    /**
     * @param {string} game - A game.
     * @returns {string[]} The tips that this device has shown.
     */
    function _shown(game) {
        return User.recall(_SHOWN)?.[game] ?? [];
    }

    /**
     * Find what is to be said of a decision.
     *
     * @param {TourTip[]} tips - The tips.
     * @param {string[]} legal - The legal moves.
     * @param {string[]} shown - The tips that were shown.
     * @returns {TourTip | undefined} The first that fits.
     */
    function next(tips, legal, shown) {
        const may = (/** @type {string} */ start) => legal.some(move => move === start || move.startsWith(`${start} `));
        return tips.find(({name, asked, unless, after}) => (
            !shown.includes(name) && asked.every(may) && !unless.some(may)
            && (after === '' || State.log.some(({event}) => event === after))));
    }

    /**
     * Say what is to be known of the decision that is asked now, or nothing.
     *
     * @param {HTMLElement} root - The table.
     * @param {Snapshot} snapshot - What is shown.
     * @param {string} decision - A text that no other decision at this table has.
     * @param {{[tip: string]: string}} about - What tips are about, as selectors.
     */
    function follow(root, snapshot, decision, about) {
        const {public_state: {awaiting, game, is_running: isRunning}, choices: {legal}, me} = snapshot;
        const panel = Panels.find(_NAME);
        if (_open !== null && panel !== undefined && isRunning && decision === _open.decision) {
            _light();
            // What is played now may lie where it is.
            Beside.put(panel, root, _open.find(), true);
            return;
        }
        _close();
        const {tour} = Words;
        if (!isRunning || !awaiting.includes(me) || tour === null || Config.BOT
            || (User.recall(_LEFT) ?? []).includes(game)) {
            return;
        }
        const tip = next(tour.tips, legal, _shown(game))?.name;
        if (tip !== undefined) {
            const parts = about[tip];
            const find = () => parts === undefined ? []
                : [...document.querySelectorAll(parts)].filter(part => part.checkVisibility());
            _open = {game, tip, decision, find};
            void _show(root, _open, () => follow(root, snapshot, decision, about));
        }
    }

    /**
     * @param {HTMLElement} root - The table.
     * @param {{game: string, tip: string, find: () => Element[]}} said - What is said.
     * @param {() => void} goOn - Says what else is to be known of the same decision.
     */
    async function _show(root, said, goOn) {
        const {title, text} = Words.tip(said.tip);
        _light();
        const answer = await Panels.showBeside(root, said.find, _NAME, {
            title, content: [Lib.element('p', {text})],
            actions: [
                {value: 'leave', text: Texts.get('tour.leave')}, {value: 'on', text: Texts.get('tour.on'), kind: 'main'}
            ]
        }, {isNear: true});
        if (_open !== said) {
            return;
        }
        if (answer === null) {
            // The table is left: it is said again at the next one.
            _open = null;
            return;
        }
        _close();
        if (answer === 'leave') {
            User.remember(_LEFT, [...User.recall(_LEFT) ?? [], said.game]);
            Lib.toast(Texts.get('tour.left'));
        }
        else if (answer === 'on') {
            goOn();
        }
    }

    /** The open tip has been read, or its decision was made. */
    function _close() {
        document.querySelectorAll(`.${_ABOUT}`).forEach(part => part.classList.remove(_ABOUT));
        if (_open !== null) {
            const {game, tip} = _open;
            User.remember(_SHOWN, {...User.recall(_SHOWN), [game]: [..._shown(game), tip]});
            _open = null;
            Panels.close(_NAME);
        }
    }

    /** Mark what the open tip is about; what was drawn anew has lost its mark. */
    function _light() {
        _open?.find().forEach(part => part.classList.add(_ABOUT));
    }

    /**
     * Say everything again, from now on.
     *
     * @param {string} game - The game.
     */
    function again(game) {
        User.remember(_LEFT, (User.recall(_LEFT) ?? []).filter((/** @type {string} */ left) => left !== game));
        User.remember(_SHOWN, {...User.recall(_SHOWN), [game]: []});
    }

    /** @returns {HTMLElement[]} What is said at the end of the game from which one learns; otherwise nothing. */
    function ending() {
        const {title, text} = Words.tip('end');
        return !Words.isTourOver ? []
            : [Lib.element('p', {class: 'tour-end'}, Lib.element('strong', {text: title}), ` ${text}`)];
    }

    return {follow, next, again, ending};
})();
