/**
 * ChallengeRows: what people made of the deals of a challenge, as tables.
 */

/**
 * @typedef {object} ChallengeRow
 * @property {string} name - Empty for somebody who has deleted everything.
 * @property {boolean} [is_own]
 * @property {boolean} [is_running]
 * @property {number} [seat]
 * @property {number} [value] - The result, if there is one.
 * @property {number} [seconds]
 * @property {string} [replay] - The id of the game.
 */

/**
 * @typedef {object} ChallengeDeal
 * @property {boolean} is_begun
 * @property {boolean} is_open - May the results be seen?
 * @property {number[] | null} par - What the AI made of it, by seat.
 * @property {string | null} replay - The AI's game.
 * @property {number} count - How many people have begun it.
 * @property {ChallengeRow[]} rows
 */

/**
 * @typedef {object} ChallengeTold
 * @property {string} id
 * @property {string} game
 * @property {string} agent
 * @property {string} day - Empty unless it is the deal of a day.
 * @property {'points' | 'win'} measure
 * @property {ChallengeDeal[]} deals
 */

const ChallengeRows = (() => {
    const {element} = Lib;

    /**
     * @param {number} value - A number.
     * @returns {string} It with its sign, at most one digit behind the point.
     */
    function signed(value) {
        const rounded = Math.round(value * 10) / 10;
        return `${rounded > 0 ? '+' : ''}${Lib.number(rounded)}`;
    }

    /**
     * @param {number} seconds - A time.
     * @returns {string} Minutes and seconds, as a clock shows them.
     */
    function _time(seconds) {
        const whole = Math.round(seconds);
        return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
    }

    /**
     * Tell a result.
     *
     * @param {'points' | 'win'} measure - How results are compared.
     * @param {number | undefined} value - The result, if there is one.
     * @param {number | null} [seconds] - How long it took, if that matters.
     * @returns {string} In words.
     */
    function result(measure, value, seconds = null) {
        if (value === undefined) {
            return Texts.get('challenge.broken');
        }
        if (measure === 'points') {
            return signed(value);
        }
        return value <= 0 ? Texts.get('challenge.lost')
            : seconds === null ? Texts.get('challenge.won') : Texts.get('challenge.won_in', {time: _time(seconds)});
    }

    /**
     * Say how much better or worse than the AI something is.
     *
     * @param {number} difference - By how much.
     * @returns {string} In words.
     */
    function _difference(difference) {
        return difference === 0 ? Texts.get('challenge.level') : signed(difference);
    }

    /**
     * @param {string[]} heads - The heads of the columns.
     * @param {string} label - What the table shows.
     * @param {HTMLElement[]} rows - Its rows.
     * @returns {HTMLElement} The table, which scrolls where it is too wide.
     */
    function _table(heads, label, rows) {
        // What scrolls is reached by the keyboard.
        return element('div', {class: 'challenge-scroll', tabindex: 0, role: 'group', 'aria-label': label},
            element('table', {class: 'challenge-table'},
                element('thead', {}, element('tr', {}, ...heads.map(text => element('th', {scope: 'col', text})))),
                element('tbody', {}, ...rows)));
    }

    /**
     * @param {string} name - Who.
     * @param {(string | HTMLElement)[]} cells - The other cells.
     * @param {string} [kind] - The class of the row.
     * @returns {HTMLElement} The row.
     */
    function _row(name, cells, kind) {
        return element('tr', {class: kind ?? null}, element('th', {scope: 'row', text: name}),
            ...cells.map(cell => element('td', {}, cell)));
    }

    /**
     * @param {string | null | undefined} id - A game.
     * @param {string} name - Whose it is.
     * @param {number} seat - Their seat.
     * @returns {string | HTMLElement} The link to it.
     */
    function _replay(id, name, seat) {
        return id === null || id === undefined ? '' : element('a', {
            href: `/replay/${id}${seat > 0 ? `#0-${seat}` : ''}`, text: Texts.get('challenge.replay'),
            'aria-label': Texts.get('challenge.replay_of', {name})
        });
    }

    /**
     * @param {ChallengeRow} row - Somebody.
     * @returns {string} Their name.
     */
    function _name({name, is_own: isOwn = false}) {
        const told = name === '' ? '–' : name;
        return isOwn ? Texts.get('challenge.you', {name: told}) : told;
    }

    /**
     * Draw a deal.
     *
     * @param {ChallengeTold} challenge - Its challenge.
     * @param {number} index - Which of its deals.
     * @param {boolean} isTimed - Does the time matter?
     * @returns {HTMLElement} The deal.
     */
    function deal(challenge, index, isTimed) {
        const told = challenge.deals[index];
        const title = Texts.get('challenge.deal', {number: index + 1});
        const shown = told === undefined || !told.is_open ? _closed(told) : [_open(challenge, told, title, isTimed)];
        return element('section', {class: 'card challenge-deal', 'aria-label': title},
            element('h2', {text: title}), ...shown);
    }

    /**
     * @param {ChallengeDeal | undefined} told - A deal that is not to be seen yet.
     * @returns {HTMLElement[]} Who has begun it.
     */
    function _closed(told) {
        const rows = told?.rows ?? [];
        const rest = (told?.count ?? 0) - rows.length;
        const names = [rows.map(_name).join(', '), rest > 0 ? Texts.get('challenge.others', {count: rest}) : '']
            .filter(part => part !== '').join(' ');
        return [
            told?.is_begun ? element('p', {text: Texts.get('challenge.own_running')}) : null,
            element('p', {
                text: names === '' ? Texts.get('challenge.nobody') : Texts.get('challenge.begun_by', {names})
            })
        ].filter(part => part !== null);
    }

    /**
     * @param {ChallengeTold} challenge - The challenge.
     * @param {ChallengeDeal} told - One of its deals.
     * @param {string} title - How it is called.
     * @param {boolean} isTimed - Does the time matter?
     * @returns {HTMLElement} What everybody made of it.
     */
    function _open({measure}, {par, replay, rows}, title, isTimed) {
        const seat = rows.find(({is_own: isOwn}) => isOwn)?.seat ?? 0;
        const ai = Texts.get('challenge.ai');
        const own = rows.map(row => {
            const {value, seconds = null} = row;
            const ours = par?.[row.seat ?? 0];
            return _row(_name(row), [
                row.is_running ? Texts.get('challenge.running') : result(measure, value, isTimed ? seconds : null),
                value === undefined || ours === undefined ? '' : _difference(value - ours),
                _replay(row.replay, row.name, row.seat ?? 0)
            ], row.is_own ? 'is-own' : undefined);
        });
        const played = par === null ? _row(ai, [Texts.get('challenge.no_par'), '', '']) : _row(ai, [
            result(measure, par[seat]), '', _replay(replay, ai, seat)
        ], 'is-ai');
        return _table(['who', 'result', 'against', 'replay'].map(key => Texts.get(`challenge.${key}`)), title,
            [...own, played]);
    }

    /**
     * Sum up what everybody made of the deals that may be seen; only of those who have a result of each in common with
     * the reader.
     *
     * @param {ChallengeTold} challenge - The challenge.
     * @returns {HTMLElement | null} The standing; null if there is nothing to sum up.
     */
    function sums({measure, deals}) {
        const open = deals.filter(told => told.is_open);
        if (deals.length < 2 || open.length === 0) {
            return null;
        }
        /** @type {Map<string, {count: number, value: number, against: number, isOwn: boolean}>} */
        const found = new Map();
        for (const {rows, par} of open) {
            for (const row of rows.filter(({value}) => value !== undefined)) {
                const value = row.value ?? 0;
                const {count, value: before, against} = found.get(_name(row)) ?? {count: 0, value: 0, against: 0};
                found.set(_name(row), {
                    count: count + 1, value: before + value, isOwn: row.is_own ?? false,
                    against: against + value - (par?.[row.seat ?? 0] ?? value)
                });
            }
        }
        const best = [...found].sort(([, one], [, other]) => other.count - one.count || other.value - one.value);
        const rows = best.map(([name, {count, value, against, isOwn}]) => _row(name, [
            String(count), measure === 'points' ? signed(value) : String(value), _difference(against)
        ], isOwn ? 'is-own' : undefined));
        const title = Texts.get('challenge.sums');
        return element('section', {class: 'card', 'aria-label': title}, element('h2', {text: title}),
            _table(['who', 'games', 'result', 'against'].map(key => Texts.get(`challenge.${key}`)), title, rows));
    }

    return {deal, sums, result, signed};
})();
