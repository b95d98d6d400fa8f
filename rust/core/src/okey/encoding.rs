//! Okey as arrays: `python/tisch/games/okey/encoding.py` defines and documents them; this is its fast twin.

use super::game::Okey;
use super::round::{Move, SEATS};
use super::tiles::KINDS;
use crate::simulation::{Encoded, MoveOf, Row};

/// The number of kinds of tiles.
const WIDTH: usize = KINDS as usize;
/// The first ids of the kinds of moves, and the number of ids.
const DRAW: u16 = 1;
const PUT: u16 = DRAW + 2;
const WIN: u16 = PUT + KINDS as u16;
const CHEAT: u16 = WIN + KINDS as u16;
const IDS: u16 = CHEAT + 1;

impl Encoded for Okey {
    type Partial = ();
    const VERSION: u32 = 1;
    const SIZE: usize = WIDTH * (1 + SEATS + 1 + 2 * SEATS) + 2 * SEATS + SEATS + 1 + 2 * SEATS;
    const ACTIONS: usize = IDS as usize;

    fn observe(&self, seat: usize, (): (), row: &mut [i8]) {
        let round = &self.round;
        let around = || (seat..SEATS).chain(0..seat);
        let relative = |other: usize| (other + SEATS - seat) % SEATS;
        row.fill(0);
        let (tops, row) = row.split_at_mut(WIDTH * (1 + SEATS));
        let (flags, row) = row.split_at_mut(2 * SEATS);
        let (counts, numbers) = row.split_at_mut(WIDTH * (1 + 2 * SEATS));
        let newest = round.racks[seat].top();
        let shown = std::iter::once(newest).chain(around().map(|other| round.stacks[other].top()));
        for (part, tile) in tops.chunks_exact_mut(WIDTH).zip(shown) {
            if let Some(tile) = tile {
                part[usize::from(tile)] = 1;
            }
        }
        if !round.over {
            flags[relative(round.turn)] = 1;
        }
        if let Some(winner) = round.winner {
            flags[SEATS + relative(winner)] = 1;
        }
        let stacks = around().map(|other| round.stacks[other].set());
        let known = around().map(|other| round.known[other]);
        let sets = std::iter::once(round.racks[seat].set()).chain(stacks).chain(known);
        counts.chunks_exact_mut(WIDTH).zip(sets).for_each(|(part, tiles)| tiles.write(part));
        let mut numbers = Row::new(numbers);
        around().for_each(|other| numbers.number(round.racks[other].len()));
        numbers.number(round.main.len());
        around().for_each(|other| numbers.number(round.drawn[other]));
        around().for_each(|other| numbers.number(round.taken[other]));
    }

    fn next((): (), chosen: MoveOf<Self>, _seat: usize) -> u16 {
        match chosen {
            Move::DrawMain => DRAW,
            Move::DrawExchange => DRAW + 1,
            Move::Put(tile) => PUT + u16::from(tile),
            Move::Win(tile) => WIN + u16::from(tile),
            Move::Cheat => CHEAT,
        }
    }
}
