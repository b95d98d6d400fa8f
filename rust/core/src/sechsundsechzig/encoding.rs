//! Sechsundsechzig as arrays: the ids of moves, and what a seat knows as a row of small numbers.
//!
//! `python/tisch/games/sechsundsechzig/encoding.py` defines and documents both; this is its fast twin. The id of a move is
//! its number plus one.

use super::moves::Move;
use super::{CARDS, COLOURS, game::Sechsundsechzig};
use crate::simulation::{Encoded, Game as _, Round as _, Row};

/// The number of elements of a set of cards.
const SET: usize = CARDS as usize;
/// The number of elements of a set of colours.
const SUITS: usize = COLOURS as usize;
/// The largest hundreds of an element.
const MOST: i64 = 127;

impl Encoded for Sechsundsechzig {
    type Partial = ();
    const VERSION: u32 = 1;
    const SIZE: usize = 10 * SET + 3 * SUITS + 8 + 11;
    const ACTIONS: usize = 1 + SET + 6;

    fn observe(&self, seat: usize, (): (), row: &mut [i8]) {
        let (round, evidence, standing) = (self.round(), self.evidence(), self.standing());
        let (around, ended) = ([seat, 1 - seat], round.result.is_some());
        let sides = around.map(|seat| &round.sides[seat]);
        let card = |card: Option<u32>| card.map_or(0, |card| 1 << card);
        let mut row = Row::new(row);
        let [hands, tricks] = [sides.map(|side| side.hand), sides.map(|side| side.taken)];
        let shown = around.map(|seat| evidence.shown[seat]);
        let at_end = if ended { hands } else { [0; 2] };
        let single = [hands[0], card(round.led), standing.last];
        for cards in single.into_iter().chain(tricks).chain(shown).chain(at_end).chain([card(round.open)]) {
            row.bits(cards.into(), SET);
        }
        row.bits(1 << round.trump, SUITS);
        for seat in around {
            row.bits(evidence.lacks[seat].into(), SUITS);
        }
        let awaited = round.awaited() != 0;
        row.flags(&around.map(|seat| awaited && round.turn == seat));
        row.flags(&sides.map(|side| side.closed));
        row.flags(&[false, true].map(|trump| round.announced == Some(trump)));
        row.flags(&[round.stock.left() == 0, ended]);
        row.number(round.stock.left().saturating_sub(1));
        for hand in hands {
            row.number(hand.count_ones());
        }
        let points = sides.map(|side| i64::from(side.points));
        for number in points.into_iter().chain(around.map(|seat| standing.scores[seat])) {
            row.number((number / 100).min(MOST));
            row.number(number % 100);
        }
    }

    fn next((): (), chosen: Move, _seat: usize) -> u16 {
        1 + u16::from(chosen.number())
    }
}
