/**
 * LobbyView: the seats before a game. The host swaps seats, sets the options and starts; after a game everybody may.
 *
 * @type {View}
 */
const LobbyView = (() => {
    /** @type {HTMLElement} */
    let _title;
    /** @type {HTMLElement} */
    let _about;
    /** @type {HTMLElement} */
    let _seats;
    /** @type {HTMLElement} */
    let _added;
    /** @type {HTMLElement} */
    let _hint;
    /** @type {LobbyOptions} */
    let _options;
    /** @type {HTMLButtonElement} */
    let _remove;
    /** @type {HTMLButtonElement} */
    let _passOn;
    /** @type {HTMLInputElement} */
    let _private;
    /** @type {HTMLElement} */
    let _access;
    /** @type {HTMLInputElement} */
    let _link;
    /** @type {HTMLElement} */
    let _qr;
    /** @type {HTMLButtonElement} */
    let _start;
    /** @type {HTMLElement} */
    let _waiting;
    /** @type {HTMLAnchorElement} */
    let _replay;

    /** @type {number | null} The seat that was tapped first. */
    let _chosen = null;

    /** @returns {HTMLElement} The view's element. */
    function create() {
        _title = Lib.element('h1', {id: 'lobby-title'});
        _about = Lib.element('p');
        _seats = Lib.element('div', {class: 'seats', role: 'group', 'aria-label': Texts.get('lobby.seats')});
        _hint = Lib.element('p', {class: 'hint', role: 'status'});
        _remove = Lib.element('button', {
            type: 'button', class: 'button danger remove', hidden: true, on: {click: () => Seating.remove(_chosen)}
        });
        _passOn = Lib.element('button', {
            type: 'button', class: 'button plain pass-on', hidden: true,
            on: {click: () => EventBus.emit('lobbyView:host', {player_index: _chosen})}
        });
        _added = Lib.element('div', {class: 'lobby-added'});
        _options = LobbyOptions.create();
        _waiting = Lib.element('p', {class: 'waiting', role: 'status'});
        _replay = Lib.element('a', {class: 'button plain', text: Texts.get('lobby.replay')});
        _start = Lib.element('button', {
            type: 'button', class: 'button main', text: Texts.get('lobby.start'),
            on: {click: () => EventBus.emit('lobbyView:start')}
        });
        return Lib.element('section', {class: 'lobby', 'aria-labelledby': 'lobby-title'},
            Lib.element('header', {},
                Lib.iconButton('back', Texts.get('lobby.leave'), () => EventBus.emit('lobbyView:leave')),
                Lib.element('div', {}, _title, _about),
                Lib.iconButton('rules', Texts.get('rules.title'), Rules.open), SettingsDialog.button()),
            Lib.element('div', {class: 'lobby-table'}, _hint, _seats, _passOn, _remove, _added),
            Lib.element('div', {class: 'lobby-side'}, _invitation(), _options.element),
            Lib.element('footer', {}, _replay, _waiting, _start));
    }

    /** @returns {HTMLElement} The link for friends, to copy, to share, to photograph. */
    function _invitation() {
        _link = Lib.element('input', {id: 'lobby-link', readonly: true, on: {focus: () => _link.select()}});
        _qr = Lib.element('div', {class: 'qr', hidden: true});
        const share = 'share' in navigator ? Lib.element('button', {
            type: 'button', class: 'button plain', on: {click: _share}
        }, Lib.icon('share'), Texts.get('lobby.share')) : null;
        return Lib.element('section', {class: 'card invitation', 'aria-labelledby': 'invitation-title'},
            Lib.element('h2', {id: 'invitation-title', text: Texts.get('lobby.invite')}),
            Lib.element('label', {for: 'lobby-link', class: 'visually-hidden', text: Texts.get('lobby.link')}), _link,
            Lib.element('div', {class: 'buttons'},
                Lib.element('button', {
                    type: 'button', class: 'button plain', text: Texts.get('lobby.copy'), on: {click: _copy}
                }),
                share,
                Lib.element('button', {
                    type: 'button', class: 'button plain', 'aria-expanded': 'false', text: Texts.get('lobby.qr'),
                    on: {click: _toggleQr}
                })),
            _qr, _accessLine());
    }

    /** @returns {HTMLElement} Who may come: a switch for the host, a sentence for the others. */
    function _accessLine() {
        _private = Lib.element('input', {
            type: 'checkbox', id: 'lobby-private', 'aria-describedby': 'lobby-access',
            on: {change: () => EventBus.emit('lobbyView:access', {is_private: _private.checked})}
        });
        _access = Lib.element('small', {id: 'lobby-access'});
        return Lib.element('div', {class: 'access'},
            Lib.element('label', {class: 'check'}, _private,
                Lib.element('span', {text: Texts.get('lobby.private')})), _access);
    }

    /** Copy the link; browsers allow it to secure pages only, elsewhere the old way is tried. */
    async function _copy() {
        try {
            await navigator.clipboard.writeText(_link.value);
        }
        catch {
            _link.select();
            document.execCommand('copy');
        }
        Lib.toast(Texts.get('lobby.copied'));
    }

    /** Let the device share the link. */
    async function _share() {
        const {table_name: table = '', game: name = ''} = State.snapshot?.public_state ?? {};
        const text = Texts.get('lobby.share_text', {table, game: Setup.game(name)?.title ?? name});
        try {
            await navigator.share({title: 'tisch', text, url: _link.value});
        }
        catch {
            // The user closed the device's dialog: nothing to do.
        }
    }

    /** @param {Event} event - The click on the button. */
    function _toggleQr(event) {
        _qr.hidden = !_qr.hidden;
        /** @type {Element} */ (event.currentTarget).setAttribute('aria-expanded', String(!_qr.hidden));
        if (!_qr.hidden) {
            _drawQr();
        }
    }

    /** Draw the code of the link as it is now. */
    function _drawQr() {
        const {public_state: table, invitation = ''} = /** @type {Snapshot} */ (State.snapshot);
        const source = `/api/tables/${encodeURIComponent(table.table_name)}/invite.svg`
            + (invitation === '' ? '' : `?invitation=${invitation}`);
        if (_qr.querySelector('img')?.getAttribute('src') !== source) {
            _qr.replaceChildren(Lib.element('img', {
                src: source, alt: Texts.get('lobby.qr_alt'), width: 232, height: 232
            }));
        }
    }

    /**
     * Draw everything.
     *
     * @param {Snapshot | null} snapshot - The state.
     */
    function render(snapshot) {
        if (snapshot === null) {
            return;
        }
        const {public_state: table, me} = snapshot;
        const isHost = me >= 0 && me === table.host_index;
        _title.textContent = table.table_name;
        _about.textContent = _sumUp(table);
        _drawInvitation(snapshot, isHost);
        _drawSeats(table, me, isHost);
        _drawAdded(table);
        _options.render(table, isHost && table.challenge === '');
        const mayStart = isHost || me >= 0 && table.game_id !== null;
        _start.hidden = !mayStart;
        _waiting.hidden = mayStart;
        const watching = me < 0 ? `${Texts.get('lobby.spectating')} ` : '';
        _waiting.textContent = watching + (table.host_index < 0
            ? Texts.get('lobby.waiting_anybody')
            : Texts.get('lobby.waiting', {name: table.player_names[table.host_index]}));
        _replay.hidden = table.game_id === null;
        _replay.href = `/replay/${table.game_id}`;
    }

    /**
     * @param {Snapshot} snapshot - The state.
     * @param {boolean} isHost - May we open and close the table?
     */
    function _drawInvitation({public_state: table, invitation = '', me}, isHost) {
        const isPrivate = table.is_private ?? false;
        const query = new URLSearchParams({table_name: table.table_name, ...invitation === '' ? {} : {invitation}});
        _link.value = `${window.location.origin}/?${query}`;
        // Spectators of a private table have no link to pass on, and a game for one person has no seat for friends.
        const mayInvite = (!isPrivate || me >= 0) && table.player_names.length > 1;
        /** @type {HTMLElement} */ (_link.closest('.invitation')).hidden = !mayInvite;
        _private.checked = isPrivate;
        /** @type {HTMLElement} */ (_private.closest('label')).hidden = !isHost || table.challenge !== '';
        _access.textContent = Texts.get(isPrivate ? 'lobby.access_private' : 'lobby.access_open');
        if (!_qr.hidden && mayInvite) {
            _drawQr();
        }
    }

    /**
     * Draw what the game adds, once its files and words are here; what has not changed keeps the focus. Until then
     * there is room for as much as it added last on this device, so that nothing jumps.
     *
     * @param {PublicState} table - The table.
     */
    function _drawAdded(table) {
        const draw = Words.isKnown(table.game) ? Games.table(table.game)?.lobby : undefined;
        const added = draw?.(table);
        if (added === undefined || !added.isEqualNode(_added.firstElementChild)) {
            _added.replaceChildren(...added === undefined ? [] : [added]);
        }
        const kept = `lobby.${table.game}`;
        if (added !== undefined) {
            User.remember(kept, added.offsetHeight);
        }
        const isHere = Games.table(table.game) !== null;
        _added.style.minHeight = isHere ? '' : `${User.recall(kept) ?? 0}px`;
    }

    /**
     * @param {PublicState} table - The table.
     * @returns {string} The game, its teams and the number of spectators.
     */
    function _sumUp({game, spectators, challenge}) {
        return [
            Setup.game(game)?.title ?? game,
            challenge === '' ? '' : Texts.get('lobby.challenge'),
            Words.isKnown(game) && Words.has('table', 'teams') ? Words.table('teams') : '',
            spectators > 0 ? Texts.get('lobby.spectators', {count: spectators}) : ''
        ].filter(part => part !== '').join(' · ');
    }

    /**
     * @param {PublicState} table - The table.
     * @param {number} me - The own seat.
     * @param {boolean} isHost - May seats be swapped?
     */
    function _drawSeats(table, me, isHost) {
        const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.seat : undefined;
        const isSwapping = isHost && table.player_names.length > 2;
        if (_chosen !== null && table.player_kinds[_chosen] === undefined) {
            _chosen = null;
        }
        _seats.classList.toggle('is-single', table.player_names.length === 1);
        _seats.replaceChildren(...table.player_names.map((_, seat) => _seat(table, seat, me, isHost)));
        if (focused !== undefined) {
            /** @type {HTMLElement | null} */ (_seats.querySelector(`[data-seat="${focused}"]`))?.focus();
        }
        const chosen = _chosen === null || table.player_kinds[_chosen] === 'ai' ? '' : table.player_names[_chosen];
        _remove.hidden = !isHost || chosen === '';
        _remove.textContent = Texts.get('lobby.remove', {name: chosen});
        _passOn.hidden = _remove.hidden || _chosen !== null && table.presences[_chosen] !== 'here';
        _passOn.textContent = Texts.get('lobby.pass_on', {name: chosen});
        _hint.hidden = !isSwapping;
        _hint.textContent = _chosen === null
            ? Texts.get('lobby.swap_hint')
            : Texts.get('lobby.swap_second', {name: table.player_names[_chosen] ?? ''});
    }

    /**
     * @param {PublicState} table - The table.
     * @param {number} seat - A seat.
     * @param {number} me - The own seat.
     * @param {boolean} isHost - May we swap seats and remove people?
     * @returns {HTMLElement} The seat: a button for the host, otherwise only to look at.
     */
    function _seat(table, seat, me, isHost) {
        const name = table.player_names[seat];
        const isAi = table.player_kinds[seat] === 'ai';
        const agent = Words.isKnown(table.game) ? LobbyOptions.player(table) : {name: '', help: ''};
        const marks = [
            seat === me ? Texts.get('lobby.you') : '',
            seat === table.host_index ? Texts.get('lobby.host') : '',
            isAi ? Texts.get('lobby.ai') : '', isAi ? agent.name : '',
            table.presences[seat] === 'here' ? '' : Texts.get(`lobby.${table.presences[seat]}`)
        ].filter(mark => mark !== '').join(' · ');
        const content = [
            Lib.element('span', {class: 'face', 'aria-hidden': 'true'},
                Portraits.avatar(table, seat),
                seat === table.host_index ? Lib.icon('crown') : null),
            Lib.element('span', {class: 'visually-hidden', text: Texts.get('lobby.seat', {number: seat + 1})}),
            Lib.element('strong', {text: name}),
            Lib.element('small', {text: marks})
        ];
        const classes = `seat ${isAi ? 'ai' : 'human'}${seat === me ? ' own' : ''}`;
        const canChoose = isHost && seat !== me && (table.player_names.length > 2 || !isAi);
        const made = canChoose
            ? Lib.element('button', {
                type: 'button', class: classes, 'aria-pressed': String(seat === _chosen), dataset: {seat},
                on: {click: () => _choose(seat)}
            }, ...content)
            : Lib.element('div', {class: classes}, ...content);
        made.title = isAi ? agent.help : '';
        _place(made, seat, Math.max(me, 0), table.player_names.length);
        return made;
    }

    /**
     * Place a seat at the round table: the own one below, the next ones counter-clockwise.
     *
     * @param {HTMLElement} element - The seat.
     * @param {number} seat - Its number.
     * @param {number} below - The seat that is below.
     * @param {number} count - How many there are.
     */
    function _place(element, seat, below, count) {
        const angle = Math.PI / 2 - (seat - below) * 2 * Math.PI / count;
        element.style.setProperty('--x', Math.cos(angle).toFixed(3));
        element.style.setProperty('--y', Math.sin(angle).toFixed(3));
    }

    /**
     * Two seats that are tapped one after the other are swapped.
     *
     * @param {number} seat - The seat.
     */
    function _choose(seat) {
        if (_chosen !== null && _chosen !== seat && (State.snapshot?.public_state.player_names.length ?? 0) > 2) {
            EventBus.emit('lobbyView:swap', {player_index_1: _chosen, player_index_2: seat});
            _chosen = null;
        }
        else {
            _chosen = _chosen === seat ? null : seat;
        }
        render(State.snapshot);
    }

    return {
        name: 'lobby-view',
        create,
        render,
        show() {
            _chosen = null;
        }
    };
})();
