/**
 * ChallengeView: the page of a challenge: what it is, the button that plays its next deal, the link to pass on, and
 * what everybody made of it; and the page that makes one.
 *
 * Event: `challengeView:play` {challenge, player_name, table_name, isAlone}.
 *
 * @type {View & {open: (path: string) => Promise<void>}}
 */
const ChallengeView = (() => {
    const {element} = Lib;
    /** The most deals of a challenge, and how many are proposed. */
    const _MOST = 16;
    const _USUAL = 8;
    const _SEATS = 'Tisch-Seats';

    /** What the page shows: `ID`, `today/GAME` or `new/GAME`. */
    let _path = '';

    /** @type {HTMLElement} */
    let _title;
    /** @type {HTMLElement} */
    let _content;

    /** Each drawing has a number: what an older one still waits for is not shown. */
    let _drawing = 0;

    /**
     * Show a page.
     *
     * @param {string} path - What it shows.
     */
    async function open(path) {
        _path = path;
        // Without a network, games have the names that they have in the files.
        await Setup.load().catch(() => null);
        ViewManager.show(ChallengeView, {});
    }

    /** Draw the page. */
    async function _draw() {
        const drawing = ++_drawing;
        const [, way, game = ''] = /^(today|new)\/([\w-]+)$/.exec(_path) ?? [];
        if (way === 'new') {
            _call(Texts.get('challenge.new', {game: _gameTitle(game)}));
            _content.replaceChildren(_form(game));
            return;
        }
        try {
            const told = await _ask(`/api/challenges/${_path}`, way === 'today' ? null : _path);
            // Whoever has played today's shows their seat, which the first question did not know.
            const known = way === 'today' && _seats(told.id) !== ''
                ? await _ask(`/api/challenges/${told.id}`, told.id) : told;
            if (drawing === _drawing) {
                _fill(known);
            }
        }
        catch (error) {
            if (drawing === _drawing) {
                _call(Texts.get('challenge.table_solo'));
                _content.replaceChildren(element('p', {class: 'card', role: 'alert', text: _sentence(error)}));
            }
        }
    }

    /**
     * Ask the server, and show it who asks.
     *
     * @param {string} address - The address.
     * @param {string | null} id - The challenge; null if it is not known.
     * @returns {Promise<ChallengeTold>} What it tells.
     */
    async function _ask(address, id) {
        const seats = id === null ? '' : _seats(id);
        const headers = {
            ...Key.value() === '' ? {} : Key.shown(), ...seats === '' ? {} : {[_SEATS]: seats}
        };
        const response = await fetch(address, {headers, cache: 'no-store'});
        if (!response.ok) {
            throw new Lib.FetchError(address, response.status);
        }
        return response.json();
    }

    /**
     * @param {string} id - A challenge.
     * @returns {string} The seats on which this device has played it.
     */
    function _seats(id) {
        const all = /** @type {{challenge: string, session: string}[]} */ (User.recall('challenges') ?? []);
        return all.filter(seat => seat.challenge === id).map(({session}) => session).join(' ');
    }

    /**
     * @param {unknown} error - What went wrong.
     * @returns {string} What to say of it.
     */
    function _sentence(error) {
        const status = error instanceof Lib.FetchError ? error.status : 0;
        const key = status === 404 ? 'challenge.gone' : status === 401 ? 'challenge.key_unknown'
            : status === 429 || status === 503 ? 'challenge.busy' : 'unreachable';
        return Texts.get(key);
    }

    /** @param {string} title - How the page is called. */
    function _call(title) {
        _title.textContent = title;
        document.title = `tisch · ${title}`;
    }

    /**
     * @param {string} game - A game.
     * @returns {string} How people call it.
     */
    function _gameTitle(game) {
        return Setup.game(game)?.title ?? game;
    }

    /** @param {ChallengeTold} told - The challenge. */
    function _fill(told) {
        const game = Setup.game(told.game);
        const isTimed = told.measure === 'win' && game?.seats === 1;
        const title = _gameTitle(told.game);
        _call(Texts.get(told.day === '' ? 'challenge.title' : 'challenge.day', {game: title}));
        _content.replaceChildren(
            _card(told, (game?.seats ?? 1) > 1),
            ...[ChallengeRows.sums(told)].filter(part => part !== null),
            ...told.deals.map((_, index) => ChallengeRows.deal(told, index, isTimed)));
    }

    /**
     * @param {ChallengeTold} told - The challenge.
     * @param {boolean} isForSeveral - Has the game seats for friends?
     * @returns {HTMLElement} What it is, and the ways on.
     */
    function _card(told, isForSeveral) {
        const done = told.deals.filter(deal => deal.is_begun).length;
        const isOver = done === told.deals.length;
        const name = element('input', {
            id: 'challenge-name', required: true, maxlength: Config.LONGEST_NAME, autocomplete: 'nickname'
        });
        name.value = User.name;
        const button = (/** @type {string} */ key, /** @type {string} */ kind, /** @type {boolean} */ isAlone) => (
            element('button', {
                type: 'button', class: `button ${kind}`, text: Texts.get(key),
                on: {click: () => _play(told, name, isAlone)}
            }));
        return element('div', {class: 'card challenge-about'},
            GameCards.picture(told.game),
            element('p', {text: Texts.get(told.day === '' ? 'challenge.about' : 'challenge.about_day')}),
            element('p', {class: 'challenge-note', text: Texts.get('challenge.fair')}),
            Key.value() !== '' ? null : element('p', {class: 'challenge-note'},
                element('a', {href: '/mine', text: Texts.get('challenge.key')})),
            element('p', {
                role: 'status',
                text: isOver ? Texts.get('challenge.all')
                    : Texts.get('challenge.progress', {done, count: told.deals.length})
            }),
            isOver ? null : element('div', {class: 'field'},
                element('label', {for: 'challenge-name', text: Texts.get('login.name')}), name),
            isOver ? null : element('div', {class: 'buttons'},
                button(done === 0 ? 'challenge.play' : 'challenge.next', 'main', true),
                isForSeveral ? button('challenge.friends', 'plain', false) : null),
            _link(told), _others(told));
    }

    /**
     * Play the next deal.
     *
     * @param {ChallengeTold} told - The challenge.
     * @param {HTMLInputElement} name - Where the name stands.
     * @param {boolean} isAlone - Does it begin at once?
     */
    function _play(told, name, isAlone) {
        const playerName = name.value.trim();
        if (playerName === '') {
            name.setAttribute('aria-invalid', 'true');
            name.focus();
            Lib.toast(Texts.get('login.need_name'), 'error');
            return;
        }
        User.name = playerName;
        EventBus.emit('challengeView:play', {
            challenge: told.id, player_name: playerName, table_name: Texts.get('challenge.table_solo'), isAlone
        });
    }

    /**
     * @param {ChallengeTold} told - The challenge.
     * @returns {HTMLElement} Its link, to copy and to share.
     */
    function _link(told) {
        const link = element('input', {
            id: 'challenge-link', readonly: true, on: {focus: () => link.select()}
        });
        link.value = `${window.location.origin}/challenge/${told.id}`;
        const copy = async () => {
            try {
                await navigator.clipboard.writeText(link.value);
            }
            catch {
                link.select();
                document.execCommand('copy');
            }
            Lib.toast(Texts.get('lobby.copied'));
        };
        const share = () => navigator.share({
            title: 'tisch', text: Texts.get('challenge.share_text', {title: _title.textContent ?? ''}), url: link.value
        }).catch(() => {
            // The user closed the device's dialog: nothing to do.
        });
        return element('div', {class: 'challenge-link'},
            element('label', {for: 'challenge-link', text: Texts.get('challenge.share')}), link,
            element('div', {class: 'buttons'},
                element('button', {
                    type: 'button', class: 'button plain', text: Texts.get('lobby.copy'), on: {click: copy}
                }),
                'share' in navigator ? element('button', {
                    type: 'button', class: 'button plain', on: {click: share}
                }, Lib.icon('share'), Texts.get('lobby.share')) : null));
    }

    /**
     * @param {ChallengeTold} told - The challenge.
     * @returns {HTMLElement} The ways to other challenges of the game.
     */
    function _others(told) {
        const way = (/** @type {string} */ kind, /** @type {string} */ key) => element('a', {
            class: 'button plain', href: `/challenge/${kind}/${told.game}`, text: Texts.get(key)
        });
        return element('div', {class: 'buttons'},
            told.day === '' ? way('today', 'challenge.today_link') : null, way('new', 'challenge.new_link'));
    }

    /**
     * @param {string} game - A game.
     * @returns {HTMLElement} What asks how many deals a challenge shall have.
     */
    function _form(game) {
        const count = element('input', {
            id: 'challenge-count', type: 'number', inputmode: 'numeric', min: 1, max: _MOST, required: true
        });
        count.value = String(_USUAL);
        const message = element('p', {class: 'message', role: 'alert'});
        return element('form', {
            class: 'card challenge-about', novalidate: true,
            on: {submit: (/** @type {Event} */ event) => {
                event.preventDefault();
                void _make(game, count, message);
            }}
        },
        GameCards.picture(game), element('p', {text: Texts.get('challenge.new_text')}),
        element('div', {class: 'field'},
            element('label', {for: 'challenge-count', text: Texts.get('challenge.count', {most: _MOST})}), count),
        message, element('button', {type: 'submit', class: 'button main', text: Texts.get('challenge.make')}));
    }

    /**
     * Make a challenge, and show it.
     *
     * @param {string} game - The game.
     * @param {HTMLInputElement} count - Where the number of deals stands.
     * @param {HTMLElement} message - Where it is said what went wrong.
     */
    async function _make(game, count, message) {
        const deals = Number(count.value);
        const isGood = Number.isInteger(deals) && deals >= 1 && deals <= _MOST;
        count.toggleAttribute('aria-invalid', !isGood);
        message.textContent = isGood ? '' : Texts.get('challenge.bad_count', {most: _MOST});
        if (!isGood) {
            count.focus();
            return;
        }
        try {
            const response = await fetch('/api/challenges', {method: 'POST', body: JSON.stringify({game, deals})});
            if (!response.ok) {
                throw new Lib.FetchError('/api/challenges', response.status);
            }
            _path = (await response.json()).id;
            window.history.replaceState(null, '', `/challenge/${_path}`);
            await _draw();
            _title.focus();
        }
        catch (error) {
            message.textContent = _sentence(error);
        }
    }

    return {
        name: 'challenge-view',
        open,
        create() {
            _title = element('h1', {id: 'challenge-title', tabindex: -1});
            _content = element('div', {class: 'challenge-content'});
            const home = Texts.get('missing.home');
            return element('section', {class: 'challenge', 'aria-labelledby': 'challenge-title'},
                element('header', {},
                    element('a', {class: 'button icon-only', href: '/', 'aria-label': home, title: home},
                        Lib.icon('back')),
                    _title, SettingsDialog.button()),
                _content);
        },
        show() {
            void _draw();
        },
        render() {
            // Nothing in it depends on a table's state.
        }
    };
})();
