//! Raumstation as arrays: `python/tisch/games/raumstation/encoding.py` defines and documents them; this is its fast twin.

use super::each;
use super::game::Raumstation;
use super::round::Verb;
use super::setup::CELLS;
use crate::simulation::{Encoded, Game as _, MoveOf, Row};

/// The number of planes, each of which has an element for each cell; the last two are −1 where nothing is known.
const PLANES: usize = 13;
const ROOM: usize = 8;
const REVEALED: usize = 9;
const MARKED: usize = 10;
const TRAP: usize = 11;
const NEARBY: usize = 12;
/// The number of flags before them.
const FLAGS: usize = 2;

impl Encoded for Raumstation {
    type Partial = ();
    const VERSION: u32 = 1;
    const SIZE: usize = FLAGS + PLANES * CELLS + 4;
    const ACTIONS: usize = 1 + 4 * CELLS;

    fn observe(&self, _seat: usize, (): (), row: &mut [i8]) {
        let round = self.round();
        let (ground, now) = (&*round.ground, round.now);
        let (flags, row) = row.split_at_mut(FLAGS);
        Row::new(flags).flags(&[now.won == Some(false), now.won == Some(true)]);
        let (planes, rest) = row.split_at_mut(PLANES * CELLS);
        let (facts, unknown) = planes.split_at_mut(TRAP * CELLS);
        facts.fill(0);
        unknown.fill(-1);
        // At the end everything is shown.
        let counted = if now.won.is_some() { !0 } else { now.open };
        for (room, (&cell, &connections)) in ground.cells.iter().zip(&ground.connections).enumerate() {
            let bit = 1 << room;
            let mut write = |plane: usize, number: u8| planes[plane * CELLS + usize::from(cell)] = number.cast_signed();
            each(connections.into()).for_each(|direction| write(direction, 1));
            write(ROOM, 1);
            write(REVEALED, (now.open & bit != 0).into());
            write(MARKED, (now.marked & bit != 0).into());
            if (counted | now.told) & bit != 0 {
                write(TRAP, (now.traps & bit != 0).into());
            }
            if counted & bit != 0 {
                write(NEARBY, ground.station.number(room, now.traps));
            }
        }
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
