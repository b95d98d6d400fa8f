/**
 * Invitation: where the link leads that opened the page: who invites to which game, and whether a seat is free. Loaded
 * for those who are invited.
 */

/**
 * @typedef {{table_name: string, game: string, host: string | null, is_running: boolean, free_seats: number}} Invited
 */

/**
 * What the entrance shows to one who is invited.
 *
 * @typedef {object} InvitationCard
 * @property {HTMLElement} pictures - Where the pictures of what is played stand.
 * @property {HTMLElement} title - The title.
 * @property {HTMLElement} about - Where more is said, above what asks for the name.
 * @property {HTMLElement} ask - What asks for the name, hidden until it is known where the link leads.
 */

Texts.add({
    de: {
        'invitation.by': '{host} lädt dich zu {game} ein.',
        'invitation.to': 'Du bist zu {game} eingeladen.',
        'invitation.place': 'Am Tisch „{table}“',
        'invitation.full': 'Alle Plätze sind besetzt, aber du kannst zuschauen.'
    },
    en: {
        'invitation.by': '{host} invites you to play {game}.',
        'invitation.to': 'You are invited to play {game}.',
        'invitation.place': 'At the table “{table}”',
        'invitation.full': 'All seats are taken, but you can watch.'
    }
});

const Invitation = (() => {
    /** @returns {{[key: string]: string}} The part of a query that leads to the table. */
    function _entry() {
        const {INVITED_TABLE: table, INVITATION: invitation} = Config;
        return {table_name: table, ...invitation === '' ? {} : {invitation}};
    }

    /**
     * Ask where the link leads, and show it.
     *
     * @param {GameInfo[]} games - The games.
     * @param {InvitationCard} card - Where to show it.
     * @returns {Promise<boolean>} Whether the invitation is still good.
     */
    async function show(games, {pictures, title, about, ask}) {
        const found = await Lib.fetchJson(`/api/invitation?${new URLSearchParams(_entry())}`);
        const link = /** @type {Invited | null} */ (found.table);
        pictures.replaceChildren(...games.filter(({name}) => link === null || name === link.game)
            .map(({name}) => GameCards.picture(name)));
        title.textContent = link === null ? title.textContent : _title(link, games);
        const isFull = link !== null && link.free_seats === 0;
        const said = `${link?.table_name} ${isFull}`;
        if (about.dataset.said !== said) {
            // What has not changed keeps its focus.
            about.dataset.said = said;
            about.replaceChildren(...link === null ? [] : [
                Lib.element('p', {text: Texts.get('invitation.place', {table: link.table_name})}),
                ...isFull ? _full() : []
            ]);
        }
        // A name without an invitation leads to a table that is opened then.
        const isGood = link !== null || Config.INVITATION === '';
        const isAsked = isGood && !isFull;
        if (isAsked && ask.hidden) {
            ask.hidden = false;
            ask.querySelector('input')?.focus();
        }
        ask.hidden = !isAsked;
        return isGood;
    }

    /**
     * @param {Invited} link - Where the link leads.
     * @param {GameInfo[]} games - The games.
     * @returns {string} Who invites to which game.
     */
    function _title({host, game: name}, games) {
        const game = games.find(other => other.name === name)?.title ?? name;
        return host === null ? Texts.get('invitation.to', {game}) : Texts.get('invitation.by', {host, game});
    }

    /** @returns {HTMLElement[]} What is offered where no seat is free. */
    function _full() {
        return [
            Lib.element('p', {role: 'status', text: Texts.get('invitation.full')}),
            Lib.element('button', {
                type: 'button', class: 'button main', text: Texts.get('login.watch'),
                on: {click: () => EventBus.emit('loginView:watch', _entry())}
            })
        ];
    }

    return {show};
})();
