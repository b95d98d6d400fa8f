/**
 * MineKey: the personal key on the page of one's own games: it is made, carried to another device, and given up.
 */
const MineKey = (() => {
    /** What comes behind the address of the page in a link that carries a key. */
    const _CARRIED = /^#key=([\w-]{1,64})$/;

    /** Have the page drawn anew. */
    function _again() {
        EventBus.emit('mineKey:changed');
    }

    /**
     * Say why the server did not do it.
     *
     * @param {unknown} error - The failure.
     * @returns {string} The sentence for the user.
     */
    function sentence(error) {
        const status = error instanceof Lib.FetchError ? error.status : 0;
        const known = /** @type {{[status: number]: string}} */ ({
            400: 'error.name', 401: 'mine.unknown', 429: 'mine.busy', 503: 'mine.busy'
        });
        return Texts.get(known[status] ?? 'unreachable');
    }

    /**
     * Do something that the server may refuse.
     *
     * @param {() => Promise<void>} act - Does it.
     */
    async function _try(act) {
        try {
            await act();
        }
        catch (error) {
            Lib.toast(sentence(error), 'error');
        }
    }

    /**
     * @param {boolean} isOpen - Is there nothing else to see?
     * @returns {HTMLElement} What offers a key to one who has none.
     */
    function offer(isOpen) {
        const name = _nameField(User.name);
        const form = Lib.element('form', {
            novalidate: true, on: {submit: (/** @type {Event} */ event) => {
                event.preventDefault();
                void _try(() => _make(name.input.value.trim()));
            }}
        },
        Lib.element('p', {text: Texts.get('mine.offer_text')}),
        Lib.element('p', {class: 'mine-warning', text: Texts.get('mine.offer_warning')}),
        name.element,
        Lib.element('button', {type: 'submit', class: 'button main', text: Texts.get('mine.make')}));
        return Lib.element('details', {class: 'card mine-key', open: isOpen},
            Lib.element('summary', {}, Lib.element('h2', {text: Texts.get('mine.offer')})), form);
    }

    /**
     * @param {string} value - A name.
     * @returns {{element: HTMLElement, input: HTMLInputElement}} The field for it.
     */
    function _nameField(value) {
        const input = Lib.element('input', {
            id: 'mine-name', required: true, maxlength: Config.LONGEST_NAME, autocomplete: 'nickname'
        });
        input.value = value;
        const label = Lib.element('label', {for: 'mine-name', text: Texts.get('login.name')});
        return {element: Lib.element('div', {class: 'field'}, label, input), input};
    }

    /** @param {string} name - The name of the person who gets a key. */
    async function _make(name) {
        const {key} = await (await Key.ask('', {method: 'POST', body: {name}, key: ''})).json();
        Key.keep(key);
        User.name = name;
        void Key.sit();
        await _show(Texts.get('mine.made'), Texts.get('mine.made_text'), Texts.get('mine.kept'), true);
        _again();
    }

    /**
     * Show the link that carries the key, and its code.
     *
     * @param {string} title - The heading.
     * @param {string} text - What it is for.
     * @param {string} done - The text of the button.
     * @param {boolean} mustAnswer - May it be closed only by the button?
     */
    async function _show(title, text, done, mustAnswer) {
        const link = Lib.element('input', {readonly: true, 'aria-label': Texts.get('mine.link')});
        link.value = `${window.location.origin}/mine#key=${Key.value()}`;
        const code = Lib.element('div', {class: 'mine-code'});
        const copy = Lib.element('button', {
            type: 'button', class: 'button plain', text: Texts.get('lobby.copy'), on: {click: () => _copy(link)}
        });
        const {answer} = Dialog.open({
            title, name: 'mine-link', mustAnswer,
            content: [
                Lib.element('p', {text}), Lib.element('p', {text: Texts.get('mine.secret')}), code,
                Lib.element('div', {class: 'mine-copy'}, link, copy)
            ],
            actions: [{value: '', text: done, kind: 'main'}]
        });
        try {
            const drawn = await (await Key.ask('/code', {method: 'POST'})).text();
            code.append(Lib.element('img', {
                src: `data:image/svg+xml,${encodeURIComponent(drawn)}`, alt: Texts.get('mine.code'), width: 232,
                height: 232
            }));
        }
        catch {
            // The link carries the key as well.
        }
        await answer;
    }

    /**
     * Copy the link; browsers allow it to secure pages only, elsewhere the old way is tried.
     *
     * @param {HTMLInputElement} link - Where it stands.
     */
    async function _copy(link) {
        try {
            await navigator.clipboard.writeText(link.value);
        }
        catch {
            link.select();
            document.execCommand('copy');
        }
        Lib.toast(Texts.get('lobby.copied'));
    }

    /**
     * @param {string} name - The person's name.
     * @returns {HTMLElement} What they can do with their key.
     */
    function card(name) {
        const {element, input} = _nameField(name);
        const button = (/** @type {string} */ key, /** @type {() => Promise<void>} */ act, kind = 'plain') => (
            Lib.element('button', {
                type: 'button', class: `button ${kind}`, text: Texts.get(key), on: {click: () => void _try(act)}
            }));
        return Lib.element('details', {class: 'card mine-key'},
            Lib.element('summary', {}, Lib.element('h2', {text: Texts.get('mine.key')}),
                Lib.element('span', {text: name})),
            element, button('mine.rename', () => _rename(input.value.trim())),
            button('mine.carry', () => _show(Texts.get('mine.carry'), Texts.get('mine.carry_text'),
                Texts.get('close'), false)),
            button('mine.export', _export), button('mine.sign_out', _signOut),
            button('mine.delete', _delete, 'danger'));
    }

    /** @param {string} name - The person's new name. */
    async function _rename(name) {
        await Key.ask('', {method: 'PATCH', body: {name}});
        User.name = name;
        _again();
    }

    /** Download everything as a file. */
    async function _export() {
        const address = URL.createObjectURL(await (await Key.ask('/export')).blob());
        Lib.element('a', {href: address, download: 'tisch.json'}).click();
        URL.revokeObjectURL(address);
    }

    /** Let this device forget the key. */
    async function _signOut() {
        if (await _isSure('mine.sign_out')) {
            Key.keep('');
            _again();
        }
    }

    /** Delete everything. */
    async function _delete() {
        if (await _isSure('mine.delete')) {
            await Key.ask('', {method: 'DELETE'});
            Key.keep('');
            Lib.toast(Texts.get('mine.deleted'));
            _again();
        }
    }

    /**
     * @param {string} key - The key of what shall be done.
     * @returns {Promise<boolean>} Is the user sure?
     */
    async function _isSure(key) {
        return await Dialog.ask(Texts.get(key), Texts.get(`${key}_text`), [
            {value: 'yes', text: Texts.get(key), kind: 'danger'},
            {value: '', text: Texts.get('mine.keep'), kind: 'main'}
        ]) === 'yes';
    }

    /** Ask whether to take the key that the address carries, which goes from the address at once. */
    async function take() {
        const [, key] = _CARRIED.exec(window.location.hash) ?? [];
        if (key === undefined) {
            return;
        }
        window.history.replaceState(window.history.state, '', window.location.pathname);
        if (key === Key.value()) {
            return;
        }
        await _try(async () => {
            const {name} = await (await Key.ask('', {key})).json();
            const text = [Texts.get('mine.take_text', {name})];
            const answer = await Dialog.ask(Texts.get('mine.take'),
                (Key.value() === '' ? text : [...text, Texts.get('mine.take_other')]).join(' '), [
                    {value: '', text: Texts.get('remove.stay')},
                    {value: 'yes', text: Texts.get('mine.take_yes'), kind: 'main'}
                ]);
            if (answer === 'yes') {
                Key.keep(key);
                User.name ||= name;
            }
        });
    }

    return {offer, card, take, sentence};
})();
