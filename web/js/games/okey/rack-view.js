/**
 * RackView: the own rack: its slots, and how tiles are moved on it and from it by dragging, by two taps or by keys.
 */

/**
 * The callbacks for what the user does. A tile goes to another slot, or to a place on the table: an element with
 * `data-drop`.
 *
 * @typedef {object} RackCallbacks
 * @property {(from: number, to: number) => void} move
 * @property {(from: number, place: string) => void} drop
 * @property {(slot: number | null) => void} choose - A tile was taken up, or none is any more.
 */

/**
 * @typedef {object} RackScene
 * @property {Slots} slots
 * @property {number[]} groups - For each slot the number of its group; 0 for none.
 * @property {number | null} chosen - The slot of the tile that was taken up.
 * @property {string | null} newest - The tile that came last.
 */

const RackView = (() => {
    /**
     * Make a rack.
     *
     * @param {RackCallbacks} calls - The callbacks.
     * @returns {{element: HTMLElement, draw: (scene: RackScene) => void, focus: () => void,
     *     slot: (index: number) => HTMLElement}} The rack; `slot` finds a slot's element.
     */
    function create(calls) {
        const slots = Array.from({length: Rack.ROW * Rack.ROWS}, (_, index) => Lib.element('button', {
            type: 'button', class: 'slot', tabindex: index === 0 ? 0 : -1, dataset: {slot: index}
        }));
        const rows = Array.from({length: Rack.ROWS}, (_, row) => Lib.element('div', {class: 'rack-row'},
            ...slots.slice(row * Rack.ROW, (row + 1) * Rack.ROW)));
        const element = Lib.element('div', {class: 'rack', role: 'group', 'aria-label': Words.table('rack')}, ...rows);
        /** @type {number | null} */
        let chosen = null;

        /** @param {number} slot - A slot that was tapped, or on which a key was pressed. */
        function tap(slot) {
            if (chosen !== null && chosen !== slot) {
                calls.move(chosen, slot);
            }
            else {
                calls.choose(chosen === slot || slots[slot].dataset.tile === '' ? null : slot);
            }
        }

        Drags.claim(element);
        Drags.attach(element, {
            piece: part => part.closest('.slot:not([data-tile=""])'),
            places: '.okey-own .slot, [data-drop]',
            begin: () => calls.choose(null),
            drop(slot, place) {
                const from = Number(slot.dataset.slot);
                if (place.dataset.drop === undefined) {
                    calls.move(from, Number(place.dataset.slot));
                }
                else {
                    calls.drop(from, place.dataset.drop);
                }
            }
        });
        element.addEventListener('click', event => {
            const slot = _at(event.target);
            if (slot !== null) {
                tap(Number(slot.dataset.slot));
            }
        });
        element.addEventListener('keydown', event => {
            const slot = _at(event.target);
            if (slot !== null && _goTo(event.key, Number(slot.dataset.slot), slots)) {
                event.preventDefault();
            }
        });
        return {
            element,
            draw(scene) {
                chosen = scene.chosen;
                slots.forEach((slot, index) => _drawSlot(slot, index, scene));
            },
            focus() {
                (slots.find(slot => slot.tabIndex === 0) ?? slots[0]).focus();
            },
            slot: index => slots[index]
        };
    }

    /**
     * @param {HTMLElement} slot - A slot.
     * @param {number} index - Its number.
     * @param {RackScene} scene - What lies on the rack.
     */
    function _drawSlot(slot, index, {slots, groups, chosen, newest}) {
        const tile = slots[index];
        if (slot.dataset.tile !== (tile ?? '')) {
            slot.replaceChildren(...tile === null ? [] : [Tiles.draw(tile)]);
            slot.dataset.tile = tile ?? '';
        }
        const group = groups[index];
        const goesOn = (/** @type {number} */ other) => group > 0 && groups[other] === group;
        slot.classList.toggle('is-grouped', group > 0);
        slot.classList.toggle('is-first', group > 0 && (index % Rack.ROW === 0 || !goesOn(index - 1)));
        slot.classList.toggle('is-last', group > 0 && (index % Rack.ROW === Rack.ROW - 1 || !goesOn(index + 1)));
        slot.classList.toggle('is-newest', tile !== null && tile === newest && slots.lastIndexOf(tile) === index);
        slot.setAttribute('aria-pressed', String(index === chosen));
        const name = tile === null ? Words.table('slot.empty') : Tiles.text(tile);
        slot.setAttribute('aria-label', Words.table(group > 0 ? 'slot.grouped' : 'slot', {
            row: Math.floor(index / Rack.ROW) + 1, place: index % Rack.ROW + 1, tile: name
        }));
    }

    /**
     * Move the focus by the arrow keys.
     *
     * @param {string} key - The key.
     * @param {number} at - The slot that has the focus.
     * @param {HTMLElement[]} slots - All slots.
     * @returns {boolean} Does the key do anything?
     */
    function _goTo(key, at, slots) {
        const row = at - at % Rack.ROW;
        /** @type {{[key: string]: number}} */
        const goals = {
            ArrowLeft: Math.max(at - 1, row), ArrowRight: Math.min(at + 1, row + Rack.ROW - 1),
            ArrowUp: at - Rack.ROW, ArrowDown: at + Rack.ROW, Home: row, End: row + Rack.ROW - 1
        };
        const goal = slots[goals[key]];
        if (goal !== undefined) {
            slots.forEach(slot => {
                slot.tabIndex = slot === goal ? 0 : -1;
            });
            goal.focus();
        }
        return key in goals;
    }

    /**
     * @param {EventTarget | null} target - Where something happened.
     * @returns {HTMLElement | null} The slot there.
     */
    function _at(target) {
        return target instanceof Element ? target.closest('.slot') : null;
    }

    return {create};
})();
