/**
 * TichuModals: the dialogs of a Tichu table. None of them blocks the table's own course.
 */
/**
 * The result of a round, for the viewer's team and the other.
 *
 * @typedef {object} RoundResult
 * @property {[number, number]} round - The points of the round.
 * @property {[number, number]} total - The points of the game.
 * @property {boolean} isDouble - Was it a double victory?
 * @property {{name: string, isGrand: boolean, isMade: boolean}[]} calls - The calls and their outcome.
 * @property {{text: string, points: [number, number]}[]} way - Where the points come from, besides the calls.
 * @property {{name: string, cards: Card[], combination: Combination}[]} last - The last trick.
 */

const TichuModals = (() => {
    const {element} = Lib;

    /** @type {{[value: number]: string}} The keys of values that are no digit, in every language. */
    const _WISHES = {10: '0', 11: 'B J', 12: 'D Q', 13: 'K', 14: 'A'};

    /** @returns {DialogAction} The button that only closes. */
    function _closing() {
        return {value: '', text: Words.table('dialog.close'), kind: 'main'};
    }

    /**
     * Ask for a wish. The own hand stays in sight.
     *
     * @param {(value: number) => void} tell - Called with the value.
     */
    async function wish(tell) {
        const values = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14];
        const choices = element('div', {class: 'wish-choices'}, ...values.map(value => element('button', {
            class: 'wish-choice', type: 'submit', value, 'aria-keyshortcuts': _WISHES[value] ?? value
        }, `${Cards.sign(value)} `, element('small', {text: Cards.valueName(value)}))));
        const chosen = await Panels.show('wish', {
            title: Words.table('wish.title'), content: [choices], actions: [], isModal: false, mustAnswer: true
        });
        if (chosen) {
            tell(Number(chosen));
        }
    }

    /**
     * Ask who gets the trick that the dragon has won.
     *
     * @param {{seat: number, name: string, count: number, points: number}[]} opponents - Left and right opponent.
     * @param {number} points - The points of the trick.
     * @param {(seat: number) => void} tell - Called with the seat.
     */
    async function dragon(opponents, points, tell) {
        const buttons = opponents.map(({seat, name, count, points: own}, index) => (
            element('button', {
                class: 'dragon-choice', type: 'submit', value: seat, 'aria-keyshortcuts': index + 1
            },
            element('strong', {text: name}),
            element('span', {text: Words.table('dragon.about', {count, points: own})}))
        ));
        const chosen = await Panels.show('dragon', {
            title: Words.table('dragon.title', {points}),
            content: [element('div', {class: 'dragon-choices'}, ...buttons)], actions: [],
            isModal: false,
            mustAnswer: true
        });
        if (chosen) {
            tell(Number(chosen));
        }
    }

    /**
     * Show the result of a round: the points, the way to them, and the last trick.
     *
     * @param {Snapshot} snapshot - The table.
     * @param {RoundResult} result - The round.
     */
    function round(snapshot, result) {
        void Result.round(snapshot, Words.table(result.isDouble ? 'round.double' : 'round.title'), [
            _teams(result.round, result.total), ..._way(result), _calls(result), ..._lastTrick(result)
        ]);
    }

    /**
     * @param {RoundResult} result - The round.
     * @returns {HTMLElement[]} The way to the points.
     */
    function _way({way, isDouble}) {
        if (isDouble) {
            return [element('p', {text: Words.table('round.none')})];
        }
        return [element('table', {class: 'way', 'aria-label': Words.table('round.way')}, element('tbody', {},
            ...way.map(({text, points}) => element('tr', {}, element('th', {scope: 'row', text}),
                ...points.map((point, side) => element('td', {
                    dataset: {team: side === 0 ? 'own' : 'other'}, text: point === 0 ? '–' : _signed(point)
                }))))))];
    }

    /**
     * @param {RoundResult} result - The round.
     * @returns {HTMLElement[]} The last trick, if it was seen.
     */
    function _lastTrick({last}) {
        return last.length === 0 ? [] : [element('details', {class: 'last-trick'},
            element('summary', {text: Words.table('round.trick')}),
            element('ol', {class: 'trick-turns'}, ...last.map(({name, cards, combination}) => (
                _turn(name, cards, combination)))))];
    }

    /**
     * @param {[number, number]} points - The points of the round.
     * @param {[number, number]} total - The points of the game.
     * @returns {HTMLElement} Both teams side by side.
     */
    function _teams(points, total) {
        return element('div', {class: 'teams'}, ...['own', 'other'].map((team, index) => (
            element('div', {class: 'team', dataset: {team}},
                element('span', {class: 'team-name', text: Words.table(`score.${team}`)}),
                element('strong', {class: 'team-round', text: _signed(points[index])}),
                element('span', {
                    class: 'team-total', text: Words.table('round.total', {points: Lib.number(total[index])})
                }))
        )));
    }

    /**
     * @param {RoundResult} result - The round.
     * @returns {HTMLElement} The calls and their outcome.
     */
    function _calls({calls}) {
        return element('ul', {class: 'calls', hidden: calls.length === 0}, ...calls.map(({name, isGrand, isMade}) => (
            element('li', {dataset: {made: String(isMade)}}, Lib.icon(isGrand ? 'grand-tichu' : 'tichu'), Words.table(
                `round.${isMade ? 'made' : 'failed'}`,
                {name, call: Words.table(`button.${isGrand ? 'grand' : 'tichu'}`), points: isGrand ? 200 : 100}
            ))
        )));
    }

    /**
     * @param {number} points - Some points.
     * @returns {string} The points with their sign.
     */
    function _signed(points) {
        return points < 0 ? Lib.number(points) : `+${points}`;
    }

    /**
     * Show how the game has ended.
     *
     * @param {Snapshot} snapshot - The table.
     * @param {number | string | null} gameId - Its id.
     */
    function game(snapshot, gameId) {
        const {own, other} = TichuScene.of(snapshot).score;
        const key = snapshot.me < 0 ? 'over' : own > other ? 'won' : 'lost';
        const tell = (/** @type {GameEvent[]} */ events) => TichuStory.tell(snapshot, events);
        void Result.show(snapshot, {id: gameId, tell}, Words.table(`game.${key}`), _sheet(snapshot));
    }

    /**
     * Show the scores of all rounds.
     *
     * @param {Snapshot} snapshot - The table.
     */
    function sheet(snapshot) {
        const content = [_sheet(snapshot)];
        void Panels.show('sheet', {title: Words.table('sheet.title'), content, actions: [_closing()]});
    }

    /**
     * @param {Snapshot} snapshot - The table.
     * @returns {HTMLElement} The scores by round.
     */
    function _sheet(snapshot) {
        const bottom = snapshot.me < 0 ? 0 : snapshot.me;
        const {game_score: scores, player_names: names, points} = snapshot.public_state;
        const teams = [bottom % 2, (bottom + 1) % 2];
        const cell = (/** @type {string} */ text) => element('td', {text});
        const totals = [0, 0];
        const rows = scores[0].map((/** @type {number} */ _, /** @type {number} */ number) => {
            const cells = teams.map((team, side) => {
                totals[side] += scores[team][number];
                return element('td', {},
                    element('span', {class: 'sheet-round', text: _signed(scores[team][number])}),
                    element('span', {class: 'sheet-total', text: Lib.number(totals[side])}));
            });
            return element('tr', {}, element('th', {scope: 'row', text: String(number + 1)}), ...cells);
        });
        const heads = teams.map((team, side) => element('th', {
            scope: 'col', dataset: {team: side === 0 ? 'own' : 'other'}, text: `${names[team]} + ${names[team + 2]}`
        }));
        heads.unshift(element('th', {scope: 'col', text: Words.table('sheet.round')}));
        const now = snapshot.public_state.phase === 'over' ? [] : [element('tr', {class: 'sheet-now'},
            element('th', {scope: 'row', text: Words.table('sheet.now')}),
            ...teams.map(team => cell(_signed(points[team] + points[team + 2]))))];
        return element('div', {class: 'sheet', tabindex: '0'}, element('table', {},
            element('thead', {}, element('tr', {}, ...heads)),
            element('tbody', {}, ...rows, ...now),
            element('tfoot', {}, element('tr', {}, element('th', {scope: 'row', text: Words.table('sheet.total')}),
                ...totals.map(total => cell(Lib.number(total)))))));
    }

    /**
     * Show the last trick that was taken.
     *
     * @param {Snapshot} snapshot - The table.
     */
    function trick(snapshot) {
        const {tricks, player_names: names} = snapshot.public_state;
        /** @type {[number, Card[], Combination][]} */
        const turns = tricks.at(-1);
        const rows = turns.map(([seat, cards, combination]) => _turn(names[seat], cards, combination));
        void Panels.show('trick', {
            title: Words.table('trick.last'),
            content: [element('ol', {class: 'trick-turns', tabindex: '0'}, ...rows)],
            actions: [_closing()]
        });
    }

    /**
     * @param {string} name - A player.
     * @param {Card[]} cards - What they laid; nothing if they passed.
     * @param {Combination} combination - The combination.
     * @returns {HTMLElement} The turn.
     */
    function _turn(name, cards, combination) {
        return element('li', {class: 'trick-turn'},
            element('span', {class: 'trick-name', text: name}),
            cards.length === 0
                ? element('span', {class: 'trick-pass', text: Words.table('word.passed')})
                : element('span', {
                    class: 'trick-cards', role: 'img',
                    'aria-label': `${Cards.combinationName(combination, cards)}: ${Cards.names(cards)}`
                }, ...Cards.sorted(cards).map(card => element('span', {class: 'small-card'}, Cards.draw(card)))));
    }

    return {wish, dragon, round, game, sheet, trick};
})();
