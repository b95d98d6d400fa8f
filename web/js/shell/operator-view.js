/**
 * OperatorView: the page of the operator: who is at which table, and what nobody else may do. The page keeps the secret
 * until it is left.
 *
 * @type {View}
 */
const OperatorView = (() => {
    /**
     * @typedef {{seat: number, name: string, address: string, presence: string}} Sitting
     * @typedef {{id: string, name: string, game: string, is_private: boolean, is_running: boolean, seats: number,
     *     people: Sitting[], watchers: string[]}} TableRow
     * @typedef {{number: number, table: string, table_name: string, name: string, address: string, texts: string[],
     *     by: string, when: number}} Reported
     * @typedef {{maintenance: boolean, tables: TableRow[], bans: {range: string, since: number}[],
     *     reports: Reported[]}} Overview
     */

    const _ADDRESS = '/api/operator';
    /** How often the page is brought up to date while it is visible (milliseconds). */
    const _REFRESH = 5000;

    /** @type {HTMLElement} */
    let _content;
    /** @type {HTMLElement} What changes by itself. */
    let _lists;
    /** @type {HTMLInputElement} */
    let _maintenance;
    let _refresh = 0;
    let _secret = '';

    /**
     * Ask the server, and show what it answers.
     *
     * @param {any} [act] - What shall be done.
     * @returns {Promise<boolean>} Whether it was done.
     */
    async function _ask(act) {
        const response = await fetch(_ADDRESS, {
            method: act === undefined ? 'GET' : 'POST', headers: {'Tisch-Operator': encodeURIComponent(_secret)},
            cache: 'no-store', body: act === undefined ? null : JSON.stringify(act)
        }).catch(() => null);
        if (response?.ok) {
            _draw(await response.json());
            return true;
        }
        if (response !== null && [401, 404].includes(response.status)) {
            _secret = '';
            _askForSecret(Texts.get(`operator.${response.status}`));
        }
        else if (response === null) {
            Lib.toast(Texts.get('unreachable'), 'error');
        }
        else {
            Lib.toast(response.status === 429 ? Texts.get('operator.429')
                : Texts.get('operator.refused', {reason: await response.text()}), 'error');
        }
        return false;
    }

    /** @param {string} message - Why the secret is asked for once more; empty at first. */
    function _askForSecret(message) {
        window.clearInterval(_refresh);
        const input = Lib.element('input', {
            id: 'operator-secret', type: 'password', autocomplete: 'current-password', required: true
        });
        _content.replaceChildren(Lib.element('form', {
            class: 'card', novalidate: true, on: {submit: (/** @type {Event} */ event) => {
                event.preventDefault();
                _secret = input.value;
                void _ask();
            }}
        },
        Lib.element('p', {text: Texts.get('operator.about')}),
        Lib.element('p', {class: 'message', role: 'alert', text: message}),
        Lib.element('div', {class: 'field'},
            Lib.element('label', {for: input.id, text: Texts.get('operator.secret')}), input),
        Lib.element('button', {type: 'submit', class: 'button main', text: Texts.get('operator.enter')})));
        input.focus();
    }

    /** @param {Overview} told - What the server tells. */
    function _draw(told) {
        if (!_lists.isConnected) {
            _content.replaceChildren(_word(), _lists);
            window.clearInterval(_refresh);
            _refresh = window.setInterval(() => document.hidden || void _ask(), _REFRESH);
        }
        _maintenance.checked = told.maintenance;
        const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.key : undefined;
        const typed = /** @type {HTMLInputElement | null} */ (_lists.querySelector('#operator-range'))?.value ?? '';
        const reports = told.reports.length === 0 ? [] : [_reports(told.reports)];
        _lists.replaceChildren(...reports, _tables(told.tables), _bans(told.bans, typed));
        if (focused !== undefined) {
            /** @type {HTMLElement | null} */ (_lists.querySelector(`[data-key="${CSS.escape(focused)}"]`))?.focus();
        }
    }

    /** @returns {HTMLElement} What is said to all, and the maintenance. */
    function _word() {
        const input = Lib.element('input', {id: 'operator-text', maxlength: 500, autocomplete: 'off'});
        _maintenance = Lib.element('input', {
            type: 'checkbox', id: 'operator-maintenance',
            on: {change: () => void _ask({do: 'maintenance', on: _maintenance.checked})}
        });
        return Lib.element('form', {
            class: 'card', novalidate: true, on: {submit: async (/** @type {Event} */ event) => {
                event.preventDefault();
                if (input.value.trim() !== '' && await _ask({do: 'say', text: input.value.trim()})) {
                    input.value = '';
                    Lib.toast(Texts.get('operator.said'));
                }
            }}
        },
        Lib.element('div', {class: 'field'},
            Lib.element('label', {for: input.id, text: Texts.get('operator.text')}), input),
        Lib.element('button', {type: 'submit', class: 'button main', text: Texts.get('operator.say')}),
        Lib.element('label', {class: 'check'}, _maintenance,
            Lib.element('span', {text: Texts.get('operator.maintenance')})));
    }

    /**
     * @param {TableRow[]} tables - The tables.
     * @returns {HTMLElement} Their list.
     */
    function _tables(tables) {
        return Lib.element('section', {class: 'card', 'aria-labelledby': 'operator-tables'},
            Lib.element('h2', {id: 'operator-tables', text: Texts.get('operator.tables')}),
            tables.length === 0 ? Lib.element('p', {text: Texts.get('operator.nothing')})
                : Lib.element('ul', {class: 'operator-tables'}, ...tables.map(_table)));
    }

    /**
     * @param {Reported[]} reports - What was reported.
     * @returns {HTMLElement} Its list, the latest first.
     */
    function _reports(reports) {
        return Lib.element('section', {class: 'card', 'aria-labelledby': 'operator-reports'},
            Lib.element('h2', {id: 'operator-reports', text: Texts.get('operator.reports')}),
            ...[...reports].reverse().map(({number, name, address, texts, by, when, table_name: table}) => {
                const date = new Date(1000 * when).toLocaleString(Texts.language, {
                    dateStyle: 'medium', timeStyle: 'short'
                });
                const row = _row(name, Texts.get('operator.report', {address, table, by, date}),
                    _banButton(`report ${number}`, address),
                    _button(`dismiss ${number}`, 'operator.dismiss', Texts.get('operator.dismiss_named', {name}), '',
                        {do: 'dismiss', report: number}));
                const said = texts.map(text => Lib.element('li', {text}));
                row.append(Lib.element('ul', {class: 'operator-said'}, ...said));
                return row;
            }));
    }

    /**
     * @param {TableRow} table - A table.
     * @returns {HTMLElement} Its row, with the people who are there.
     */
    function _table({id, name, game, is_private: isPrivate, is_running: isRunning, seats, people, watchers}) {
        const about = [
            Setup.game(game)?.title ?? game, Texts.get(isRunning ? 'operator.running' : 'operator.waiting'),
            ...isPrivate ? [Texts.get('operator.private')] : [], `${people.length}/${seats}`
        ].join(' · ');
        const close = _button(`close ${id}`, 'operator.close', Texts.get('operator.close_named', {table: name}),
            Texts.get('operator.close_text'), {do: 'close', table: id});
        return Lib.element('li', {},
            _row(name, about, close),
            ...people.map(({seat, name: player, address, presence}) => _row(player,
                presence === 'cut' ? Texts.get('operator.cut') : address,
                _button(`remove ${id} ${seat}`, 'operator.remove', Texts.get('operator.remove_named', {name: player}),
                    Texts.get('operator.remove_text', {name: player}), {do: 'remove', table: id, seat}),
                address === '' ? null : _banButton(`${id} ${seat}`, address))),
            ...watchers.map((address, at) => _row(Texts.get('operator.watcher'), address,
                _banButton(`${id} w${at}`, address))));
    }

    /**
     * @param {string} name - What it is.
     * @param {string} about - More about it.
     * @param {...(HTMLElement | null)} buttons - What can be done with it.
     * @returns {HTMLElement} A row.
     */
    function _row(name, about, ...buttons) {
        return Lib.element('div', {class: 'operator-row'},
            Lib.element('div', {}, Lib.element('strong', {text: name}), Lib.element('small', {text: about})),
            Lib.element('span', {class: 'operator-buttons'}, ...buttons));
    }

    /**
     * @param {string} key - Tells it from the others.
     * @param {string} range - The range that it bans.
     * @returns {HTMLElement} A button.
     */
    function _banButton(key, range) {
        return _button(`ban ${key}`, 'operator.ban', Texts.get('operator.ban_named', {name: range}),
            Texts.get('operator.ban_text'), {do: 'ban', range});
    }

    /**
     * @param {string} key - Tells it from the others, so that it keeps the focus.
     * @param {string} text - The key of its text.
     * @param {string} title - What it does; also the question before it.
     * @param {string} consequence - What follows; empty if nobody needs to be asked.
     * @param {any} act - What the server is asked for.
     * @returns {HTMLElement} A button.
     */
    function _button(key, text, title, consequence, act) {
        return Lib.element('button', {
            type: 'button', class: 'button plain', text: Texts.get(text),
            'aria-label': title, dataset: {key}, on: {click: async () => {
                const answer = consequence === '' ? 'yes' : await Dialog.ask(title, consequence, [
                    {value: 'yes', text: Texts.get(text), kind: 'danger'},
                    {value: '', text: Texts.get('operator.stay'), kind: 'main'}
                ]);
                if (answer === 'yes') {
                    void _ask(act);
                }
            }}
        });
    }

    /**
     * @param {{range: string, since: number}[]} bans - The banned networks.
     * @param {string} typed - What was typed into the field.
     * @returns {HTMLElement} Their list, and a field for another one.
     */
    function _bans(bans, typed) {
        const input = Lib.element('input', {id: 'operator-range', autocomplete: 'off', dataset: {key: 'range'}});
        input.value = typed;
        const date = (/** @type {number} */ since) => new Date(1000 * since).toLocaleString(Texts.language, {
            dateStyle: 'medium', timeStyle: 'short'
        });
        return Lib.element('section', {class: 'card', 'aria-labelledby': 'operator-bans'},
            Lib.element('h2', {id: 'operator-bans', text: Texts.get('operator.bans')}),
            bans.length === 0 ? Lib.element('p', {text: Texts.get('operator.no_bans')}) : null,
            ...bans.map(({range, since}) => _row(range, date(since), _button(`unban ${range}`, 'operator.unban',
                Texts.get('operator.unban_named', {name: range}), '', {do: 'unban', range}))),
            Lib.element('form', {
                novalidate: true, on: {submit: async (/** @type {Event} */ event) => {
                    event.preventDefault();
                    const range = input.value.trim();
                    input.value = '';
                    if (range !== '' && !await _ask({do: 'ban', range})) {
                        input.value = range;
                    }
                }}
            },
            Lib.element('div', {class: 'field'},
                Lib.element('label', {for: input.id, text: Texts.get('operator.range')}), input),
            Lib.element('button', {type: 'submit', class: 'button plain', text: Texts.get('operator.ban')})));
    }

    return {
        name: 'operator-view',
        create() {
            _content = Lib.element('div', {class: 'operator-content'});
            _lists = Lib.element('div', {class: 'operator-lists'});
            const home = Texts.get('missing.home');
            return Lib.element('section', {class: 'operator', 'aria-labelledby': 'operator-title'},
                Lib.element('header', {},
                    Lib.element('a', {class: 'button icon-only', href: '/', 'aria-label': home, title: home},
                        Lib.icon('back')),
                    Lib.element('h1', {id: 'operator-title', text: Texts.get('operator.title')}),
                    SettingsDialog.button()),
                _content);
        },
        show() {
            document.title = `tisch · ${Texts.get('operator.title')}`;
            // The titles of the games; without them, their names will do.
            void Setup.load().catch(() => null);
            if (_secret === '') {
                _askForSecret('');
            }
            else {
                void _ask();
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
