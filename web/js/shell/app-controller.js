/**
 * AppController: updates the state from the server's messages, shows the matching view, and sends the user's decisions.
 *
 * Events from a table: `tableView:response` {action, response_data, request_id}, `tableView:move` {move},
 * `tableView:undo`, `tableView:hint`, `tableView:return`, `tableView:chat` {phrase}, `tableView:say` {text},
 * `tableView:report` {number}, `tableView:rematch`,
 * `tableView:leave` (asks for confirmation) and `tableView:lobby` (after a game). A table sends the messages of its own
 * game itself.
 * Events to a table: `app:state` snapshot, `app:event` {event, context}, `app:hint` {move, reason}, `app:error` {code,
 * message, context, sentence, isTold}, where whoever says the sentence at its place sets `isTold`, `user:settings`,
 * `viewManager:fitted`, `network:cut`, `network:close`.
 */
const AppController = (() => {
    /** Is the result of a finished game still shown? */
    let _isResultShown = false;

    /** Is the question whether to leave open? */
    let _isAsking = false;

    /** The language in which the view was drawn. */
    let _spoken = '';

    /** The game that the last login asked for. */
    let _wanted = '';

    /** Who played the empty seats before the short game from which one learns; empty if that is not known. */
    let _agent = '';

    /** @type {{tour?: boolean} | null} How the game begins as soon as we sit; null if it shall not. */
    let _atOnce = null;

    /** @type {{type: string, payload: any}[] | null} What came while the result of a round is read; null otherwise. */
    let _held = null;

    /** The addresses of the entrance. */
    const _PAGES = ['/', '/index.html'];

    /** @type {[RegExp, string[], (found: string) => unknown][]} Other pages: addresses, files, what shows. */
    const _OTHERS = [
        [/^\/replay\/([\w-]+)/, ['replay'], id => ReplayView.open(id)],
        [/^\/mine$/, ['mine'], () => MineView.open()],
        [/^\/challenge\/((?:(?:today|new)\/)?[\w-]+)$/, ['challenge'], path => ChallengeView.open(path)],
        [/^\/operator$/, ['operator'], () => ViewManager.show(OperatorView)]
    ];

    /** When a refused seat can be taken again: the keys of the texts, by the error's code. */
    const _LATER = /** @type {Record<number, string>} */ ({203: 'login.resume_later', 208: 'login.resume_round'});

    /** Events that are forwarded to the server unchanged. */
    const _SENT = {
        'lobbyView:swap': 'swap_players', 'lobbyView:options': 'set_options',
        'lobbyView:access': 'set_access', 'lobbyView:remove': 'remove_player',
        'lobbyView:host': 'pass_on_host',
        'tableView:response': 'response', 'tableView:move': 'move', 'tableView:return': 'return',
        'tableView:chat': 'chat', 'tableView:say': 'say', 'tableView:report': 'report', 'tableView:undo': 'undo'
    };

    /** Listen to everything, and begin. */
    function init() {
        for (const [event, type] of Object.entries(_SENT)) {
            EventBus.on(event, payload => Network.send(type, payload));
        }
        EventBus.on('tableView:hint', () => Network.send('hint', {language: Texts.language}));
        _spoken = Texts.language;
        EventBus.on('user:settings', _speak);
        EventBus.on('user:settings', _showPortrait);
        EventBus.on('network:message', _receive);
        EventBus.on('network:close', _close);
        EventBus.on('network:unsent', _tellUnsent);
        EventBus.on('result:open', () => {
            _held ??= [];
        });
        EventBus.on('result:close', _release);
        EventBus.on('loginView:login', _login);
        EventBus.on('loginView:alone', _playAlone);
        EventBus.on('loginView:watch', entry => _enter({spectator: '1', ...entry}));
        EventBus.on('loginView:resume', _resume);
        EventBus.on('challengeView:play', _playChallenge);
        EventBus.on('lobbyView:leave', _askToLeave);
        EventBus.on('tableView:leave', _askToLeave);
        EventBus.on('lobbyView:start', _start);
        EventBus.on('tableView:rematch', how => {
            _endTour();
            Network.send('start_game', how);
        });
        EventBus.on('tableView:lobby', () => {
            _endTour();
            _isResultShown = false;
            void _showFitting();
        });
        window.addEventListener('popstate', _goBack);
        void _begin();
    }

    /** Show the first view: another page, the seat that was held before, or the entrance. */
    async function _begin() {
        for (const [address, files, show] of _OTHERS) {
            const found = address.exec(window.location.pathname);
            if (found !== null) {
                ViewManager.show(LoadingView);
                await Promise.all(files.map(file => Files.load(file)));
                await show(found[1] ?? '');
                return;
            }
        }
        if (!_PAGES.includes(window.location.pathname)) {
            ViewManager.show(MissingView);
            return;
        }
        const session = User.session ?? User.lastSession;
        if (session === null) {
            await _beginAnew();
        }
        else if (_isInvitedElsewhere(session) || await Tabs.isHeld(session.sessionId)) {
            ViewManager.show(LoginView, {session});
        }
        else {
            _resume(session);
        }
    }

    /** Show the entrance, or what a shortcut of the installed application asks for. */
    async function _beginAnew() {
        const known = Config.ALONE === '' ? null : await Setup.load().catch(() => null);
        const game = known?.games.find(({name}) => name === Config.ALONE);
        if (game !== undefined) {
            _playAlone({playerName: User.name || Texts.get('login.guest'), tableName: game.title, game: game.name});
            return;
        }
        ViewManager.show(LoginView, {});
    }

    /**
     * @param {Session} session - A seat.
     * @returns {boolean} Does the address invite to another table?
     */
    function _isInvitedElsewhere(session) {
        return Config.INVITATION === ''
            ? Config.INVITED_TABLE !== '' && Config.INVITED_TABLE !== session.tableName
            : Config.INVITATION !== session.invitation;
    }

    /**
     * @param {{playerName: string, tableName: string, game: string, invitation?: string, isPrivate?: boolean}} login -
     *     The values of a login form.
     */
    function _login({playerName, tableName, game, invitation = '', isPrivate = false}) {
        _wanted = game;
        _enter({
            player_name: playerName, table_name: tableName, ...game === '' ? {} : {game},
            ...invitation === '' ? {} : {invitation}, ...isPrivate ? {private: '1'} : {}
        });
    }

    /** @param {{playerName: string, tableName: string, game: string}} login - The name, and a game to play at once. */
    function _playAlone(login) {
        _login({...login, isPrivate: true});
        _atOnce = {tour: _isFirst(login.game)};
        void _prepare(login.game);
    }

    /** @param {any} wish - The query of the connection, and whether the next deal begins at once. */
    function _playChallenge({isAlone, ...entry}) {
        // A reload leads to the seat.
        window.history.replaceState(null, '', '/');
        _enter(entry);
        _atOnce = isAlone ? {} : null;
    }

    /**
     * @param {string} game - A game.
     * @returns {boolean} Shall one learn it first? Whoever has seen a tip of it has begun to.
     */
    function _isFirst(game) {
        return !Config.BOT && Setup.game(game)?.has_tour === true && User.recall('tips')?.[game] === undefined
            && !(User.recall('toured') ?? []).includes(game);
    }

    /** @param {Session} session - The seat to take again. */
    function _resume(session) {
        _enter({player_name: session.playerName, table_name: session.tableName}, session.sessionId);
    }

    /**
     * Go to a table.
     *
     * @param {{[key: string]: string}} entry - The query of the connection.
     * @param {string} [sessionId] - The seat to take again.
     */
    function _enter(entry, sessionId) {
        _isResultShown = false;
        _atOnce = null;
        _held = null;
        State.clear();
        ViewManager.show(LoadingView);
        Network.open(entry, sessionId);
    }

    /** @param {{type: string, payload: any}} message - The server's message. */
    function _receive(message) {
        const {type, payload} = message;
        if (_held !== null && ['view', 'state', 'notification'].includes(type)) {
            // The next round begins for those who have read how this one ended.
            _held.push(message);
        }
        else if (type === 'view' || type === 'state') {
            State.update(payload);
            EventBus.emit('app:state', State.snapshot);
            _keepInvitation();
            document.body.toggleAttribute('data-challenge', payload.public_state.challenge !== '');
            if (_atOnce !== null) {
                void _startAtOnce(_atOnce);
                _atOnce = null;
            }
            else {
                void _showFitting();
            }
        }
        else if (type === 'notification') {
            _notify(payload.event, _withLeaver(payload.event, payload.context ?? {}));
        }
        else if (type === 'hint') {
            EventBus.emit('app:hint', payload);
        }
        else if (type === 'error') {
            const told = {...payload, sentence: Refusals.sentence(payload), isTold: false};
            EventBus.emit('app:error', told);
            if (State.snapshot !== null) {
                if (!told.isTold) {
                    Lib.toast(told.sentence, 'error');
                }
                // A game that should begin at once did not.
                if (ViewManager.current === LoadingView) {
                    void _showFitting();
                }
            }
        }
        else if (type === 'announcement') {
            Lib.toast(Texts.get(`announcement.${payload.kind}`, {text: payload.text}), 'word');
        }
        else if (type === 'delayed' || type === 'reported') {
            void _tell(type, payload);
        }
    }

    /**
     * Show what was said, by words that are loaded with the table.
     *
     * @param {string} what - The event or the type of the message.
     * @param {any} context - Its fields.
     */
    async function _tell(what, context) {
        await Files.load('table').then(() => Said.show(what, context)).catch(() => {
            // Without a network nobody says anything.
        });
    }

    /** @param {{tour?: boolean}} how - How a game begins as soon as we sit. */
    async function _startAtOnce(how) {
        if (State.snapshot?.public_state.challenge !== '') {
            // Whose a deal is must be known before it begins.
            await Key.sit();
        }
        _start(how);
    }

    /** @param {{tour?: boolean, seed?: string}} [how] - How a game begins. */
    function _start(how) {
        if (how?.tour) {
            _agent = State.snapshot?.public_state.table_options.agent ?? '';
        }
        Network.send('start_game', how);
    }

    /** After the short game from which one learns, whole games are played, against those who were there before. */
    function _endTour() {
        if (Words.isTourOver) {
            Network.send('set_options', {options: {}, ..._agent === '' ? {} : {agent: _agent}});
        }
    }

    /** The result of the round was read: catch up with what has happened meanwhile. */
    function _release() {
        const messages = _held ?? [];
        _held = null;
        messages.forEach(_receive);
    }

    /**
     * What the user has done did not arrive: say so, and let the table be usable again.
     *
     * @param {{isSure: boolean}} loss - Whether that is sure.
     */
    function _tellUnsent({isSure}) {
        const text = Texts.get(isSure ? 'cut.unsent' : 'cut.unsure');
        Lib.toast(text, 'error');
        EventBus.emit('app:error', {code: 0, message: text, context: {}});
    }

    /** Keep the invitation with the session: an address with the same one leads to our own seat. */
    function _keepInvitation() {
        const {session} = User;
        const invitation = State.snapshot?.invitation ?? '';
        if (session !== null && (session.invitation ?? '') !== invitation) {
            User.session = {...session, invitation};
        }
    }

    /**
     * The server names the player who sits there now; show the name of the player who left.
     *
     * @param {string} event - The event's name.
     * @param {any} context - The event's context.
     * @returns {any} The context with the name of the player who left.
     */
    function _withLeaver(event, context) {
        const name = State.snapshot?.public_state.player_names[context.player_index];
        return event === 'player_left' && name !== undefined ? {...context, player_name: name} : context;
    }

    /**
     * Something happened at the table.
     *
     * @param {string} event - What.
     * @param {any} context - The event's context.
     */
    function _notify(event, context) {
        // Our own join carries the whole table, and the session unless we are a spectator.
        const isOwn = context.public_state !== undefined;
        const {player_names: names, player_kinds: kinds} = State.snapshot?.public_state ?? {};
        if (event === 'said' || event === 'chat' && User.recall('muted')?.includes(names?.[context.player_index])) {
            State.note(event, context);
            void _tell(event, context);
            return;
        }
        if (event === 'player_joined' && context.session_id !== undefined) {
            User.session = {
                sessionId: context.session_id, tableName: context.public_state.table_name,
                playerName: context.player_name
            };
            if (context.public_state.challenge !== '') {
                // Who has no key shows these seats to see what others made of the same deals.
                const seat = {challenge: context.public_state.challenge, session: context.session_id};
                User.remember('challenges', [seat, ...User.recall('challenges') ?? []].slice(0, 100));
            }
            if (User.settings.portrait !== '') {
                Network.send('set_portrait', {portrait: User.settings.portrait});
            }
        }
        else if (event === 'player_joined' && !isOwn) {
            if (kinds?.[context.player_index] === 'human' && names?.[context.player_index] === context.player_name) {
                // Their seat was held; `seat_changed` reports that they are back.
                return;
            }
            Lib.toast(Texts.get('joined', {name: context.player_name}));
        }
        else if (event === 'player_left') {
            Lib.toast(Texts.get('left', {name: context.player_name}));
        }
        else if (event === 'host_changed') {
            const {host_index: host} = context;
            Lib.toast(host === State.snapshot?.me ? Texts.get('host.own')
                : Texts.get('host.other', {name: names?.[host] ?? ''}));
        }
        else if (event === 'game_started') {
            _isResultShown = false;
            void _tell(event, context);
        }
        else if (event === 'game_over') {
            _isResultShown = true;
            // What was said of the game is no news any more.
            Lib.endToasts();
        }
        State.note(event, context);
        EventBus.emit('app:event', {event, context});
        const view = ViewManager.current;
        if (view?.notify !== undefined) {
            view.notify(event, context);
        }
        else if (event === 'chat') {
            const name = State.snapshot?.public_state.player_names[context.player_index] ?? '';
            Lib.toast(Texts.get('chat.says', {name, phrase: Texts.get(`chat.${context.phrase}`)}));
        }
    }

    /** Show the view that fits the state. */
    async function _showFitting() {
        const game = State.snapshot?.public_state.game;
        try {
            await Files.load('lobby');
            if (game !== undefined && _isAtTable()) {
                // A table must know the names of its cards before it draws any.
                await Promise.all([Games.load(game), Words.load(game), Setup.load()]);
            }
        }
        catch {
            Lib.toast(Texts.get('error.table_files'), 'error');
            return;
        }
        const snapshot = State.snapshot;
        if (snapshot === null) {
            return;
        }
        _guardBack();
        const table = Games.table(snapshot.public_state.game);
        if (!_isAtTable()) {
            ViewManager.show(LobbyView);
            void _prepare(snapshot.public_state.game);
        }
        else if (table !== null) {
            ViewManager.show(table, undefined, snapshot.allHands && {hands: snapshot.allHands});
        }
    }

    /**
     * Load the game's words and its table's files while players are still joining.
     *
     * @param {string} game - The game.
     */
    async function _prepare(game) {
        const isNews = Setup.known === null || !Words.isKnown(game);
        // On a slow line the first card waits for these files: they come beside the words.
        const files = Games.load(game);
        files.catch(() => {});
        try {
            await Promise.all([Setup.load(), Words.load(game)]);
            if (isNews && ViewManager.current?.name === 'lobby-view') {
                ViewManager.show(LobbyView);
            }
            await files;
            // A game may add to its lobby.
            if (ViewManager.current?.name === 'lobby-view') {
                LobbyView.render(State.snapshot);
            }
        }
        catch {
            // The next state triggers another try, and the start of the game reports a failure.
        }
    }

    /** Let the others see the portrait that was chosen. */
    function _showPortrait() {
        const {snapshot} = State;
        const {portrait} = User.settings;
        if (snapshot !== null && snapshot.me >= 0 && snapshot.public_state.portraits[snapshot.me] !== portrait) {
            Network.send('set_portrait', {portrait});
        }
    }

    /** Speak the language that was chosen, with the words of the game that is on the screen. */
    async function _speak() {
        if (_spoken === Texts.language) {
            return;
        }
        _spoken = Texts.language;
        const game = State.snapshot?.public_state.game;
        if (game !== undefined) {
            await Words.load(game).catch(() => Lib.toast(Texts.get('error.table_files'), 'error'));
        }
        ViewManager.rebuild();
    }

    /** @returns {boolean} Is the table shown rather than the lobby? */
    function _isAtTable() {
        return State.isRunning || _isResultShown;
    }

    /**
     * The connection is over for good.
     *
     * @param {{code: number, error: any}} reason - Why.
     */
    function _close({code, error}) {
        if (code === 4001) {
            void _tellReplaced();
            return;
        }
        const session = User.session;
        const wasSeated = session !== null;
        // A seat may get free again, and the session is valid as long as the table exists.
        const later = _LATER[error?.code];
        const kept = wasSeated && later !== undefined ? {session, later} : {};
        User.session = kept.session ?? null;
        if (error?.context?.free_name !== undefined) {
            void _offerElsewhere(error.context);
            return;
        }
        let message = '';
        if (error !== null) {
            // The only message before a seat is taken holds the names.
            message = error.code === 101 && code === 1008 ? Texts.get('error.name') : Refusals.sentence(error);
        }
        else if (code !== 1000) {
            message = Texts.get(wasSeated ? 'gone' : 'unreachable');
        }
        _toLogin({message, ...kept});
    }

    /**
     * Another game is played at the requested table: say so, and offer a free name.
     *
     * @param {{table_name: string, game: string, free_name: string}} refused - The server's message.
     */
    async function _offerElsewhere({table_name: table, game, free_name: free}) {
        await Setup.load().catch(() => {});
        const title = (/** @type {string} */ name) => Setup.game(name)?.title ?? name;
        _toLogin({
            message: Texts.get('login.other_game', {table, game: title(game), free, wanted: title(_wanted)}),
            elsewhere: {tableName: free, game: _wanted}
        });
    }

    /** Another window took the seat over: ask before taking it back. */
    async function _tellReplaced() {
        const session = User.session;
        const answer = await Dialog.open({
            title: Texts.get('replaced.title'), content: [Lib.element('p', {text: Texts.get('replaced.text')})],
            actions: [
                {value: 'leave', text: Texts.get('replaced.leave')},
                {value: 'take', text: Texts.get('replaced.take_over'), kind: 'main'}
            ],
            mustAnswer: true
        }).answer;
        if (answer === 'take' && session !== null) {
            _resume(session);
        }
        else {
            _toLogin(session === null ? {} : {session});
        }
    }

    /** @param {Entrance} argument - What the entrance says and offers. */
    function _toLogin(argument) {
        _held = null;
        State.clear();
        _isResultShown = false;
        ViewManager.show(LoginView, argument);
        if (window.history.state?.isInside) {
            window.history.back();
        }
    }

    /** Ask whether to give the seat up, and do it. */
    async function _askToLeave() {
        if (_isAsking || document.body.dataset.mode === 'replay') {
            return;
        }
        _isAsking = true;
        const isWatching = (State.snapshot?.me ?? -1) < 0;
        const consequence = State.isRunning ? 'leave.running' : 'leave.lobby';
        const answer = await Dialog.ask(Texts.get('leave.title'),
            Texts.get(isWatching ? 'leave.watching' : consequence), [
                {value: 'leave', text: Texts.get('leave.go'), kind: 'danger'},
                {value: '', text: Texts.get('leave.stay'), kind: 'main'}
            ]);
        _isAsking = false;
        if (answer === 'leave') {
            Network.send('leave');
            Network.close();
            ConnectionBanner.hide();
            User.session = null;
            _toLogin({});
        }
    }

    /** Make the browser's back button ask before it leaves the table. */
    function _guardBack() {
        if (!window.history.state?.isInside) {
            window.history.pushState({isInside: true}, '');
        }
    }

    /** The browser's back button was pressed. */
    function _goBack() {
        if (State.snapshot !== null && !window.history.state?.isInside) {
            _guardBack();
            void _askToLeave();
        }
    }

    return {init};
})();
