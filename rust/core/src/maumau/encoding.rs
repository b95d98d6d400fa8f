//! Mau-Mau as arrays: `python/tisch/games/maumau/encoding.py` defines and documents them; this is its fast twin.

use super::game::MauMau;
use super::round::{Move, SEATS};
use super::{CARDS, COLOURS};
use crate::simulation::{Encoded, Game as _, MoveOf, Row};

/// The first ids of the kinds of moves, and the number of ids.
const PLAY: u16 = 1;
const WISH: u16 = PLAY + CARDS as u16;
const TAKE: u16 = WISH + COLOURS as u16;
const FINISH: u16 = TAKE + 5;
const IDS: u16 = FINISH + 1;
/// The largest number of an element.
const MOST: u32 = 127;

impl Encoded for MauMau {
    type Partial = ();
    const VERSION: u32 = 1;
    const SIZE: usize = 3 * CARDS as usize + COLOURS as usize + 2 * SEATS + 3 + SEATS + 4 + 2 * SEATS;
    const ACTIONS: usize = IDS as usize;

    fn observe(&self, seat: usize, (): (), row: &mut [i8]) {
        let round = self.round();
        let seats = round.seats;
        let around = |place: usize| (seat + place) % seats;
        let mut row = Row::new(row);
        row.bits(round.hands[seat].into(), CARDS as usize);
        row.bits(round.laid().into(), CARDS as usize);
        row.bits(1 << round.top(), CARDS as usize);
        row.bits(round.wish.map_or(0, |colour| 1 << colour), COLOURS as usize);
        row.bits(if round.over { 0 } else { 1 << ((round.turn + seats - seat) % seats) }, SEATS);
        row.bits((1 << seats) - 1, SEATS);
        row.flags(&[round.wishing, round.drew, round.jacks == 1]);
        (0..SEATS)
            .for_each(|place| row.number(if place < seats { round.hands[around(place)].count_ones() } else { 0 }));
        row.number(round.left as u32);
        row.number(round.penalty);
        row.number((self.number() + 1).min(MOST));
        row.number(self.options.rounds.min(MOST));
        for place in 0..SEATS {
            let score = if place < seats { self.scores[around(place)] } else { 0 };
            row.number((score / 100).min(MOST));
            row.number(score % 100);
        }
    }

    fn next((): (), chosen: MoveOf<Self>, _seat: usize) -> u16 {
        match chosen {
            Move::Play(card) => PLAY + u16::from(card),
            Move::Wish(colour) => WISH + u16::from(colour),
            // 1, 2, 4, 6 or 8 cards.
            Move::Take(count) => TAKE + u16::from(count / 2),
            Move::Finish => FINISH,
        }
    }
}
