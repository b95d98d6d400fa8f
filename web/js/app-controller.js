/**
 * AppController: takes what the server says into the state, shows the view that fits, and sends what the user decides.
 *
 * What a table may tell the bus: `tableView:response` {action, response_data, request_id}, `tableView:move` {move},
 * `tableView:announce`, `tableView:bomb` {cards}, `tableView:hint`, `tableView:return`, `tableView:chat` {phrase},
 * `tableView:leave` (asks first), `tableView:rematch` and `tableView:lobby` (after a game).
 * What it may hear: `app:hint` {move, reason}, `app:error` {code, context}, `user:settings`, `viewManager:fitted`.
 */
const AppController = (() => {
    /** Did the last game end here, and is its result still looked at? */
    let _isResultShown = false;

    /** Listen to everything. */
    function init() {
        EventBus.on('network:message', _receive);
        EventBus.on('loginView:login', _login);
        EventBus.on('loginView:watch', ({tableName}) => _enter({spectator: '1', table_name: tableName}));
        EventBus.on('lobbyView:start', () => Network.send('start_game'));
        EventBus.on('lobbyView:swap', payload => Network.send('swap_players', payload));
        EventBus.on('lobbyView:options', payload => Network.send('set_options', payload));
        EventBus.on('lobbyView:leave', askToLeave);
        EventBus.on('tableView:response', payload => Network.send('response', payload));
        EventBus.on('tableView:move', payload => Network.send('move', payload));
        EventBus.on('tableView:announce', () => Network.send('announce'));
        EventBus.on('tableView:bomb', payload => Network.send('bomb', payload));
        EventBus.on('tableView:hint', () => Network.send('hint'));
        EventBus.on('tableView:return', () => Network.send('return'));
        EventBus.on('tableView:chat', payload => Network.send('chat', payload));
        EventBus.on('tableView:leave', askToLeave);
        EventBus.on('tableView:rematch', () => Network.send('start_game'));
        EventBus.on('tableView:lobby', () => {
            _isResultShown = false;
            _showFitting();
        });
    }

    /** @param {{playerName: string, tableName: string, game: string}} login - What was typed. */
    function _login({playerName, tableName, game}) {
        User.name = playerName;
        _enter({player_name: playerName, table_name: tableName, game});
    }

    /** @param {{[key: string]: string}} entry - Who sits down where. */
    function _enter(entry) {
        ViewManager.show(LoadingView);
        Network.open(entry);
    }

    /** @param {{type: string, payload: any}} message - What the server said. */
    function _receive({type, payload}) {
        if (type === 'view') {
            State.update(payload);
            _showFitting();
        }
        else if (type === 'notification') {
            State.note(payload.event, payload.context);
            ViewManager.current?.notify?.(payload.event, payload.context ?? {});
        }
    }

    /** Show the view that fits the state. */
    async function _showFitting() {
        if (!State.isRunning && !_isResultShown) {
            ViewManager.show(LobbyView);
            return;
        }
        await Lib.loadTableFiles();
        const snapshot = State.snapshot;
        if (snapshot !== null) {
            ViewManager.show(ViewManager.tableFor(snapshot.public_state.game));
        }
    }

    /** Ask whether to give the seat up. */
    function askToLeave() {
        Network.send('leave');
    }

    return {init, askToLeave};
})();
