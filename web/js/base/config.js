/**
 * Config: the constants of the application. What a server decides is not here; it tells by /api/setup.
 */
const Config = (() => {
    /** @type {URLSearchParams} */
    const parameters = new URLSearchParams(window.location.search);

    return {
        /** How often an open connection is tested, and after how long a silence it counts as dead (milliseconds). */
        PING_INTERVAL: 2000,
        SILENCE_LIMIT: 5000,
        /** How long to wait before connecting again (milliseconds). */
        RECONNECT_DELAY: 1000,
        /** For how long the server holds a seat that was cut off (seconds). */
        SEAT_HELD: 20,
        /** The longest name of a player or a table. */
        LONGEST_NAME: 24,
        /** How long the bot thinks (milliseconds). */
        BOT_DELAY: 400,
        /** Does the bot play? */
        BOT: parameters.get('bot') === 'true',
        /** The parameters of an invitation link. */
        INVITED_TABLE: parameters.get('table_name') ?? '',
        INVITED_PLAYER: parameters.get('player_name') ?? '',
        INVITED_GAME: parameters.get('game') ?? '',
        INVITATION: parameters.get('invitation') ?? '',
        /** What a shortcut of the installed application asks for: a game to play alone. */
        ALONE: parameters.get('alone') ?? ''
    };
})();
