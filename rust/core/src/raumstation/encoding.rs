//! Raumstation as arrays: `python/tisch/games/raumstation/encoding.py` defines and documents them; this is its fast twin.

use super::each;
use super::game::Raumstation;
use super::round::{Round, Verb};
use super::setup::CELLS;
use crate::simulation::{Encoded, Game as _, MoveOf, Row};

/// The number of planes, each of which has an element for each cell; the last two are −1 where nothing is known.
const PLANES: usize = 13;
const ROOM: usize = 8;
const REVEALED: usize = 9;
/// The number of flags before them.
const FLAGS: usize = 2;

impl Encoded for Raumstation {
    type Partial = ();
    const VERSION: u32 = 1;
    const SIZE: usize = FLAGS + PLANES * CELLS + 4;
    const ACTIONS: usize = 1 + 4 * CELLS;
    const FIXED: usize = FLAGS + REVEALED * CELLS;

    fn observe(&self, seat: usize, (): (), row: &mut [i8]) {
        let Round { ground, now, .. } = self.round();
        let (fixed, rest) = row.split_at_mut(Self::FIXED);
        let (flags, planes) = fixed.split_at_mut(FLAGS);
        Row::new(flags).flags(&[now.won == Some(false), now.won == Some(true)]);
        planes.fill(0);
        for (&cell, &connections) in ground.cells.iter().zip(&ground.connections) {
            let plane = |number: usize| number * CELLS + usize::from(cell);
            (0..ROOM).for_each(|direction| planes[plane(direction)] = (connections >> direction & 1).cast_signed());
            planes[plane(ROOM)] = 1;
        }
        self.observe_rest(seat, (), rest);
    }

    fn observe_rest(&self, _seat: usize, (): (), rest: &mut [i8]) {
        let Round { ground, known, now } = self.round();
        let (planes, rest) = rest.split_at_mut((PLANES - REVEALED) * CELLS);
        let mut planes = planes.chunks_exact_mut(CELLS);
        let [revealed, marked, trap, nearby] = std::array::from_fn(|_| planes.next().unwrap_or_default());
        revealed.fill(0);
        marked.fill(0);
        trap.fill(-1);
        nearby.fill(-1);
        let place = |room: usize| usize::from(ground.cells[room]);
        let mut show = |room: usize, number: Option<u8>| {
            trap[place(room)] = (now.traps >> room & 1) as i8;
            if let Some(number) = number {
                nearby[place(room)] = number.cast_signed();
            }
        };
        if now.won.is_some() {
            // Everything is shown.
            (0..ground.cells.len()).for_each(|room| show(room, Some(ground.station.number(room, now.traps))));
        } else {
            each(now.open).for_each(|room| show(room, Some(known.numbers[room])));
            each(now.told).for_each(|room| show(room, None));
        }
        each(now.open).for_each(|room| revealed[place(room)] = 1);
        each(now.marked).for_each(|room| marked[place(room)] = 1);
        let mut rest = Row::new(rest);
        rest.number(ground.options.width);
        rest.number(ground.options.height);
        rest.number(now.jokers);
        rest.number(u8::from(ground.options.protect));
    }

    fn next((): (), chosen: MoveOf<Self>, _seat: usize) -> u16 {
        let verb = match chosen.verb {
            Verb::Scan => 0,
            Verb::Joker => 1,
            Verb::Mark => 2,
            Verb::Unmark => 3,
        };
        1 + verb * CELLS as u16 + chosen.cell
    }
}
