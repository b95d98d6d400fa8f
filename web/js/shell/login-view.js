/**
 * LoginView: the entrance. An invitation asks only for a name; without one, users name a table or choose an open one.
 *
 * @type {View}
 */
const LoginView = (() => {
    /**
     * @typedef {{table_name: string, game: string, player_names: string[], player_kinds: string[],
     *     is_running: boolean, free_seats: number, spectators: number}} TableInfo
     */

    /** How often the list of open tables is fetched while it is visible (milliseconds). */
    const _REFRESH = 10000;

    let _isInvited = Config.INVITED_TABLE !== '';
    let _refresh = 0;

    /** @type {GameInfo[]} */
    let _games = [];

    /** @type {{tableName: string, game: string} | null} The table offered instead of the requested one. */
    let _elsewhere = null;

    /** @type {HTMLInputElement} */
    let _name;
    /** @type {HTMLInputElement} */
    let _table;
    /** @type {HTMLSelectElement} */
    let _game;
    /** @type {HTMLElement} */
    let _message;
    /** @type {HTMLElement} */
    let _tables;
    /** @type {HTMLElement} */
    let _resume;

    /** @returns {HTMLElement} The view's element. */
    function create() {
        const field = {required: true, maxlength: Config.LONGEST_NAME, autocomplete: 'off', enterkeyhint: 'go'};
        _name = Lib.element('input', {...field, id: 'login-name', autocomplete: 'nickname', name: 'nickname'});
        _name.value = Config.INVITED_PLAYER || User.name;
        _table = Lib.element('input', {...field, id: 'login-table', list: 'login-table-names'});
        _table.value = Config.INVITED_TABLE || Texts.get('login.table_default');
        _game = Lib.element('select', {id: 'login-game'});
        _message = Lib.element('p', {class: 'message', role: 'alert', id: 'login-message'});
        _tables = Lib.element('ul', {class: 'table-list'});
        _resume = Lib.element('div', {class: 'card resume', hidden: true});
        _fillGames();
        return Lib.element('section', {class: 'login', 'aria-labelledby': 'login-title'},
            _header(), _resume, _isInvited ? _invitation() : _entrance(), _isInvited ? null : _openTables());
    }

    /** @returns {HTMLElement} The name of the house, and the way to the settings. */
    function _header() {
        return Lib.element('header', {class: 'house'},
            Lib.element('h1', {id: 'login-title', text: Texts.get('title')}),
            Lib.element('p', {text: Texts.get('slogan')}),
            Lib.element('div', {class: 'house-cards', 'aria-hidden': 'true'},
                Lib.element('i'), Lib.element('i'), Lib.element('i')),
            SettingsDialog.button());
    }

    /** @returns {HTMLElement} The form for an invitation: only the name. */
    function _invitation() {
        const other = Lib.element('button', {
            type: 'button', class: 'button link', text: Texts.get('login.other_table'),
            on: {
                click: () => {
                    _isInvited = false;
                    ViewManager.rebuild();
                }
            }
        });
        return _form(
            Lib.element('h2', {text: Texts.get('login.invited', {table: Config.INVITED_TABLE})}),
            _labelled('login.name', _name), _message, _submit(), other);
    }

    /** @returns {HTMLElement} The form of everybody else. */
    function _entrance() {
        return _form(
            _labelled('login.name', _name), _labelled('login.table', _table, 'login.table_hint'),
            _labelled('login.game', _game), _message, _submit());
    }

    /**
     * @param {...Node} content - The children.
     * @returns {HTMLElement} A form that sits down when it is sent.
     */
    function _form(...content) {
        return Lib.element('form', {
            class: 'card entrance', novalidate: true,
            on: {
                submit: (/** @type {Event} */ event) => {
                    event.preventDefault();
                    _sit(_table.value.trim(), _isInvited ? Config.INVITED_GAME : _game.value || User.game);
                }
            }
        }, ...content);
    }

    /** @returns {HTMLElement} The button that sends the form. */
    function _submit() {
        return Lib.element('button', {class: 'button main', type: 'submit', text: Texts.get('login.sit')});
    }

    /**
     * @param {string} key - The key of the label.
     * @param {HTMLElement} control - The labelled control.
     * @param {string} [hint] - The key of the hint below.
     * @returns {HTMLElement} Both together.
     */
    function _labelled(key, control, hint) {
        if (hint !== undefined) {
            control.setAttribute('aria-describedby', `${control.id}-hint`);
        }
        return Lib.element('div', {class: 'field'},
            Lib.element('label', {for: control.id, text: Texts.get(key)}), control,
            hint === undefined ? null : Lib.element('small', {id: `${control.id}-hint`, text: Texts.get(hint)}));
    }

    /** @returns {HTMLElement} The tables that are open. */
    function _openTables() {
        return Lib.element('section', {class: 'open-tables', 'aria-labelledby': 'open-tables-title'},
            Lib.element('h2', {id: 'open-tables-title', text: Texts.get('login.open_tables')}), _tables);
    }

    /**
     * Sit down, if a name was given.
     *
     * @param {string} tableName - Where.
     * @param {string} game - The game; empty takes the table's.
     */
    function _sit(tableName, game) {
        const playerName = _name.value.trim();
        if (playerName === '' || tableName === '') {
            const missing = playerName === '' ? _name : _table;
            _say(Texts.get(playerName === '' ? 'login.need_name' : 'login.need_table'));
            missing.setAttribute('aria-invalid', 'true');
            missing.focus();
            return;
        }
        User.game = game || User.game;
        EventBus.emit('loginView:login', {playerName, tableName, game});
    }

    /** @param {string} text - The error; empty if there is none. */
    function _say(text) {
        _message.textContent = text;
        _name.removeAttribute('aria-invalid');
        _table.removeAttribute('aria-invalid');
    }

    /** Fill the list of games. */
    function _fillGames() {
        _game.replaceChildren(..._games.map(({name, title}) => Lib.element('option', {value: name, text: title})));
        const wanted = _elsewhere?.game ?? (Config.INVITED_GAME || User.game);
        if (_games.some(({name}) => name === wanted)) {
            _game.value = wanted;
        }
    }

    /** Ask for the open tables and show them. */
    async function _load() {
        try {
            if (_games.length === 0) {
                _games = (await Setup.load()).games;
                _fillGames();
            }
            if (!_isInvited) {
                _showTables((await Lib.fetchJson('/api/tables')).tables);
            }
        }
        catch {
            _say(Texts.get('unreachable'));
        }
    }

    /** @param {TableInfo[]} all - The open tables; those without people are left out. */
    function _showTables(all) {
        const tables = all.filter(({player_kinds: kinds}) => kinds.includes('human'));
        if (tables.length === 0) {
            _tables.replaceChildren(Lib.element('li', {class: 'nothing', text: Texts.get('login.no_tables')}));
            return;
        }
        _tables.replaceChildren(...tables.map(_row));
    }

    /**
     * @param {TableInfo} table - A table.
     * @returns {HTMLElement} Its row.
     */
    function _row(table) {
        const people = table.player_names.filter((_, seat) => table.player_kinds[seat] === 'human').join(', ');
        const title = _games.find(({name}) => name === table.game)?.title ?? table.game;
        const state = [
            title, Texts.get(table.is_running ? 'login.running' : 'login.waiting'),
            table.free_seats > 0 ? Texts.get('login.free', {count: table.free_seats}) : Texts.get('login.full')
        ].join(' · ');
        const named = {table: table.table_name};
        return Lib.element('li', {class: 'card table-row'},
            Lib.element('div', {class: 'table-about'},
                Lib.element('strong', {text: table.table_name}),
                Lib.element('span', {text: people}),
                Lib.element('small', {text: state})),
            Lib.element('div', {class: 'buttons'},
                Lib.element('button', {
                    type: 'button', class: 'button plain', text: Texts.get('login.watch'),
                    'aria-label': Texts.get('login.watch_named', named),
                    on: {click: () => EventBus.emit('loginView:watch', {tableName: table.table_name})}
                }),
                table.free_seats > 0 ? Lib.element('button', {
                    type: 'button', class: 'button main', text: Texts.get('login.join'),
                    'aria-label': Texts.get('login.join_named', named),
                    on: {click: () => _sit(table.table_name, table.game)}
                }) : null));
    }

    /**
     * Offer a free table when another game is played at the requested one.
     *
     * @param {{tableName: string, game: string}} elsewhere - The free table, and the game.
     */
    function _offerElsewhere(elsewhere) {
        _elsewhere = elsewhere;
        if (_isInvited) {
            _isInvited = false;
            ViewManager.rebuild();
        }
        _table.value = elsewhere.tableName;
        _fillGames();
    }

    /**
     * Offer a seat to take again.
     *
     * @param {Session} session - The seat.
     * @param {string} key - The text's key.
     */
    function _offer(session, key) {
        _resume.hidden = false;
        _resume.replaceChildren(
            Lib.element('p', {text: Texts.get(key, {table: session.tableName})}),
            Lib.element('button', {
                type: 'button', class: 'button plain', text: Texts.get('login.resume_here'),
                on: {click: () => EventBus.emit('loginView:resume', session)}
            }));
    }

    return {
        name: 'login-view',
        isScaled: false,
        create,
        /**
         * @param {{message?: string, session?: Session, elsewhere?: {tableName: string, game: string}}} [argument] -
         *     The message and the offers.
         */
        show(argument = {}) {
            if (argument.elsewhere !== undefined) {
                _offerElsewhere(argument.elsewhere);
            }
            _say(argument.message ?? '');
            _resume.hidden = true;
            if (argument.session !== undefined) {
                // With a message, the table is full; without one, another window holds the seat.
                _offer(argument.session, argument.message ? 'login.resume_later' : 'login.resume');
            }
            void _load();
            window.clearInterval(_refresh);
            _refresh = window.setInterval(_load, _REFRESH);
            // A phone would open its keyboard over the list of tables.
            if (window.matchMedia('(hover: hover)').matches || _isInvited) {
                _name.focus();
            }
        },
        hide() {
            window.clearInterval(_refresh);
        },
        render() {
            // Nothing in it depends on a table's state.
        }
    };
})();
