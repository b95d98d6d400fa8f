/**
 * Bot: plays by itself when the address says `?bot=true`. It sits down where the address says (`player_name`,
 * `table_name`, `game`), starts the game if it is the host, and makes the moves that the table suggests, or the safest.
 */
const Bot = (() => {
    /** How long the bot pauses after a rate limit error, in milliseconds. */
    const _PATIENCE = 2000;

    let _waiting = 0;

    /** Begin to play, if the address says so. */
    function init() {
        if (!Config.BOT) {
            return;
        }
        EventBus.on('viewManager:shown', name => {
            if (name === 'login-view') {
                _later(_sit);
            }
        });
        EventBus.on('app:state', () => _later(_decide));
        // Send the refused message again.
        EventBus.on('app:error', () => _later(_decide, _PATIENCE));
    }

    /**
     * Run a callback after a delay; an earlier one that is still pending is dropped.
     *
     * @param {() => void} act - What.
     * @param {number} [delay] - After how many milliseconds.
     */
    function _later(act, delay = Config.BOT_DELAY) {
        window.clearTimeout(_waiting);
        _waiting = window.setTimeout(act, delay);
    }

    /** Sit down. */
    function _sit() {
        EventBus.emit('loginView:login', {
            playerName: Config.INVITED_PLAYER || 'Bot', tableName: Config.INVITED_TABLE || 'Bots',
            game: Config.INVITED_GAME
        });
    }

    /** Start the game, or make a move if one is awaited. */
    function _decide() {
        const snapshot = State.snapshot;
        if (snapshot === null || snapshot.me < 0) {
            return;
        }
        const {public_state: table, me, choices} = snapshot;
        if (!table.is_running) {
            if (table.host_index === me) {
                EventBus.emit('lobbyView:start');
            }
        }
        else if (table.awaiting.includes(me) && choices.legal.length > 0) {
            const answer = Games.table(table.game)?.suggest?.(snapshot) ?? null;
            if (answer === null) {
                EventBus.emit('tableView:move', {move: choices.legal[0]});
            }
            else {
                EventBus.emit('tableView:response', answer);
            }
        }
    }

    return {init};
})();
