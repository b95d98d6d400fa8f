/**
 * OpenTables: the tables that are open to everybody, to play at or to watch.
 */

/**
 * @typedef {{table_name: string, game: string, player_names: string[], player_kinds: string[],
 *     is_running: boolean, free_seats: number, spectators: number}} TableInfo
 */

const OpenTables = (() => {
    /**
     * List the tables with people.
     *
     * @param {TableInfo[]} all - The open tables.
     * @param {(table: TableInfo) => void} join - Sits down at one.
     * @returns {HTMLElement[]} The items of a list.
     */
    function draw(all, join) {
        const tables = all.filter(({player_kinds: kinds}) => kinds.includes('human'));
        return tables.length === 0
            ? [Lib.element('li', {class: 'nothing', text: Texts.get('login.no_tables')})]
            : tables.map(table => _row(table, join));
    }

    /**
     * @param {TableInfo} table - A table.
     * @param {(table: TableInfo) => void} join - Sits down.
     * @returns {HTMLElement} Its row.
     */
    function _row(table, join) {
        const people = table.player_names.filter((_, seat) => table.player_kinds[seat] === 'human').join(', ');
        const state = [
            Setup.game(table.game)?.title ?? table.game,
            Texts.get(table.is_running ? 'login.running' : 'login.waiting'),
            table.free_seats > 0 ? Texts.get('login.free', {count: table.free_seats}) : Texts.get('login.full')
        ].join(' · ');
        const named = {table: table.table_name};
        return Lib.element('li', {class: 'card table-row'},
            GameCards.picture(table.game),
            Lib.element('div', {class: 'table-about'},
                Lib.element('strong', {text: table.table_name}),
                Lib.element('span', {text: people}),
                Lib.element('small', {text: state})),
            Lib.element('div', {class: 'buttons'},
                Lib.element('button', {
                    type: 'button', class: 'button plain', text: Texts.get('login.watch'),
                    'aria-label': Texts.get('login.watch_named', named),
                    on: {click: () => EventBus.emit('loginView:watch', {table_name: table.table_name})}
                }),
                table.free_seats > 0 ? Lib.element('button', {
                    type: 'button', class: 'button main', text: Texts.get('login.join'),
                    'aria-label': Texts.get('login.join_named', named), on: {click: () => join(table)}
                }) : null));
    }

    return {draw};
})();
