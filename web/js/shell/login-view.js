/**
 * What the entrance says and offers.
 *
 * @typedef {object} Entrance
 * @property {string} [message] - Why one is here again.
 * @property {Session} [session] - A seat to take again.
 * @property {string} [later] - When a refused seat can be taken again: the key of the text.
 * @property {{tableName: string, game: string}} [elsewhere] - A free table and the game that was wanted.
 */

/**
 * LoginView: the entrance. Users play a game alone, make a table for friends, join an open one, or name one. An
 * invitation asks only for a name.
 *
 * @type {View}
 */
const LoginView = (() => {
    /** How often the list of open tables is fetched while it is visible (milliseconds). */
    const _REFRESH = 10000;

    let _isInvited = Config.INVITED_TABLE !== '' || Config.INVITATION !== '';
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
    let _cards;
    /** @type {InvitationCard} What stands there for one who is invited. */
    let _card;
    /** @type {HTMLElement | undefined} */
    let _today;
    /** @type {HTMLElement} */
    let _tables;
    /** @type {HTMLElement} */
    let _more;
    /** @type {HTMLDetailsElement} */
    let _named;
    /** @type {HTMLElement} */
    let _resume;

    /** @returns {HTMLElement} The view's element. */
    function create() {
        const field = {required: true, maxlength: Config.LONGEST_NAME, autocomplete: 'off', enterkeyhint: 'go'};
        _name = Lib.element('input', {...field, id: 'login-name', autocomplete: 'nickname', name: 'nickname'});
        _name.value = Config.INVITED_PLAYER || User.name;
        _name.addEventListener('change', () => {
            User.name = _name.value.trim();
        });
        _table = Lib.element('input', {...field, id: 'login-table'});
        _table.value = Config.INVITED_TABLE || Texts.get('login.table_default');
        _game = Lib.element('select', {id: 'login-game'});
        _message = Lib.element('p', {class: 'message', role: 'alert', id: 'login-message'});
        _cards = Lib.element('ul', {class: 'game-cards', 'aria-label': Texts.get('login.games')});
        _tables = Lib.element('ul', {class: 'table-list'});
        _resume = Lib.element('div', {class: 'card resume', hidden: true});
        const header = Lib.element('header', {class: 'house'},
            Lib.element('h1', {id: 'login-title', text: Texts.get('title')}),
            Lib.element('p', {text: Texts.get('slogan')}),
            Lib.element('div', {class: 'house-tools'},
                Lib.element('a', {
                    class: 'button icon-only', href: '/mine', 'aria-label': Texts.get('mine.title'),
                    title: Texts.get('mine.title')
                }, Lib.icon('games')), SettingsDialog.button()));
        const content = _isInvited ? _invitation() : _entrance();
        _fillGames();
        return Lib.element('section', {
            class: `login${_isInvited ? ' is-invited' : ''}`, 'aria-labelledby': 'login-title'
        }, header, _resume, ...content);
    }

    /** @returns {HTMLElement[]} The form for an invitation: only the name. */
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
        const table = Config.INVITED_TABLE;
        _card = {
            pictures: Lib.element('div', {class: 'invited-pictures', 'aria-hidden': 'true'}),
            title: Lib.element('h2', {
                text: Texts.get(table === '' ? 'login.invited_somewhere' : 'login.invited', {table})
            }),
            about: Lib.element('div', {class: 'invited-about'}),
            ask: Lib.element('div', {class: 'invited-ask', hidden: true}, _labelled('login.name', _name), _sitButton())
        };
        return [_card.pictures, Lib.element('form', {
            class: 'card entrance', novalidate: true, on: {submit: _submit}
        }, _card.title, _card.about, _card.ask, _message, other)];
    }

    /** @returns {HTMLElement[]} What everybody else sees: the name, the games, open tables, a table by its name. */
    function _entrance() {
        _named = Lib.element('details', {class: 'named'},
            Lib.element('summary', {class: 'button plain', text: Texts.get('login.by_name')}),
            Lib.element('form', {class: 'card entrance', novalidate: true, on: {submit: _submit}},
                _labelled('login.table', _table, 'login.table_hint'), _labelled('login.game', _game), _sitButton()));
        _more = Lib.element('div', {class: 'login-more', hidden: true},
            _todays(),
            Lib.element('section', {class: 'open-tables', 'aria-labelledby': 'open-tables-title'},
                Lib.element('h2', {id: 'open-tables-title', text: Texts.get('login.open_tables')}), _tables),
            _named);
        return [
            Lib.element('div', {class: 'who'}, _labelled('login.name', _name), _message),
            OfflineNote.create(_load), _cards, _more
        ];
    }

    /** @returns {HTMLElement} The way to the deal of the day of each game. */
    function _todays() {
        _today = Lib.element('ul', {class: 'todays'});
        return Lib.element('section', {'aria-labelledby': 'today-title'},
            Lib.element('h2', {id: 'today-title', text: Texts.get('login.today')}),
            Lib.element('p', {text: Texts.get('login.today_text')}), _today);
    }

    /** @returns {HTMLElement} The button that sends a form. */
    function _sitButton() {
        return Lib.element('button', {class: 'button main', type: 'submit', text: Texts.get('login.sit')});
    }

    /** @param {Event} event - A form was sent. */
    function _submit(event) {
        event.preventDefault();
        if (_isInvited) {
            _sit({tableName: _table.value.trim(), game: Config.INVITED_GAME, invitation: Config.INVITATION});
        }
        else {
            _sit({tableName: _table.value.trim(), game: _game.value || User.game});
        }
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

    /**
     * Sit down, if a name was given.
     *
     * @param {{tableName: string, game: string, invitation?: string, isPrivate?: boolean}} where - The table: its name
     *     and its game, which is empty for the table's own.
     */
    function _sit(where) {
        const playerName = _name.value.trim();
        if (playerName === '' || where.tableName === '') {
            const missing = playerName === '' ? _name : _table;
            _say(Texts.get(playerName === '' ? 'login.need_name' : 'login.need_table'));
            missing.setAttribute('aria-invalid', 'true');
            missing.focus();
            return;
        }
        User.name = playerName;
        User.game = where.game || User.game;
        EventBus.emit('loginView:login', {playerName, ...where});
    }

    /**
     * Play at once, alone with the AI: nobody needs a name for that.
     *
     * @param {GameInfo} game - The game.
     */
    function _playAlone({name, title}) {
        User.game = name;
        const playerName = _name.value.trim() || Texts.get('login.guest');
        EventBus.emit('loginView:alone', {playerName, tableName: title, game: name});
    }

    /**
     * Make a private table for friends, named after its host.
     *
     * @param {GameInfo} game - The game.
     */
    function _inviteFriends({name: game}) {
        const host = _name.value.trim();
        const room = Config.LONGEST_NAME - Texts.get('login.table_of', {name: ''}).length;
        // Joined emoji are one character, which must not be cut.
        const signs = [...new Intl.Segmenter().segment(host)].map(({segment}) => segment);
        const tableName = Texts.get('login.table_of', {name: signs.slice(0, room).join('').trim()});
        _sit({tableName, game, isPrivate: true});
    }

    /** @param {string} text - The error; empty if there is none. */
    function _say(text) {
        _message.textContent = text;
        _name.removeAttribute('aria-invalid');
        _table.removeAttribute('aria-invalid');
    }

    /** Draw the games, and fill the list of them. */
    function _fillGames() {
        _cards.replaceChildren(...GameCards.draw(_games, _playAlone, _inviteFriends));
        _game.replaceChildren(..._games.map(({name, title}) => Lib.element('option', {value: name, text: title})));
        _today?.replaceChildren(..._games.map(({name, title}) => Lib.element('li', {},
            Lib.element('a', {class: 'button plain', href: `/challenge/today/${name}`, text: title}))));
        const wanted = _elsewhere?.game ?? (Config.INVITED_GAME || User.game);
        if (_games.some(({name}) => name === wanted)) {
            _game.value = wanted;
        }
    }

    /** Ask for the games and the open tables, and show them. */
    async function _load() {
        try {
            const [{games}, {tables}] = await Promise.all([
                Setup.load(), _isInvited ? {tables: []} : Lib.fetchJson('/api/tables')
            ]);
            if (_games.length === 0) {
                _games = games;
                _fillGames();
            }
            if (_isInvited) {
                await Files.load('invitation');
                const isGood = await Invitation.show(games, _card);
                if (_isInvited && !isGood && _message.textContent === '') {
                    _say(Texts.get('error.206'));
                }
            }
            else {
                _tables.replaceChildren(...OpenTables.draw(tables, ({table_name: tableName, game}) => (
                    _sit({tableName, game}))));
                _more.hidden = false;
                OfflineNote.hide();
            }
        }
        catch {
            if (_isInvited) {
                _say(Texts.get('unreachable'));
            }
            else {
                OfflineNote.show();
            }
        }
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
        _named.open = true;
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
        create,
        /** @param {Entrance} [argument] - The message and the offers. */
        show(argument = {}) {
            if (argument.elsewhere !== undefined) {
                _offerElsewhere(argument.elsewhere);
            }
            _say(argument.message ?? '');
            _resume.hidden = true;
            if (argument.session !== undefined) {
                // A seat that was not refused is held by another window.
                _offer(argument.session, argument.later ?? 'login.resume');
            }
            void _load();
            window.clearInterval(_refresh);
            _refresh = window.setInterval(_load, _REFRESH);
            // A phone would open its keyboard over the games.
            if (_isInvited) {
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
