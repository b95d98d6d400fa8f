//! Common parts of the policies that reason: wishes, the dragon, the trick, and the players near the end.

use super::weighing::Known;
use crate::tichu::cards::{Cards, MAH_JONG_VALUE};
use crate::tichu::combinations::ALL;
use crate::tichu::hand::{Hand, Wish};
use crate::tichu::moves::Move;
use crate::tichu::plays::{Play, put_safest_first};
use crate::tichu::round::{Phase, Round, SEATS, at, gift};
use crate::tichu::shape::bits;

/// The table from the point of view of a seat.
#[derive(Clone, Copy)]
pub struct Sight<'a> {
    pub round: &'a Round,
    pub seat: u8,
}

impl Sight<'_> {
    pub const fn hand(&self) -> Cards {
        self.round.hands[at(self.seat)]
    }

    pub const fn partner(&self) -> u8 {
        (self.seat + 2) % SEATS
    }

    pub const fn right(&self) -> u8 {
        (self.seat + 1) % SEATS
    }

    pub const fn left(&self) -> u8 {
        (self.seat + 3) % SEATS
    }

    /// Returns the number of cards of a seat.
    pub const fn count(&self, seat: u8) -> u32 {
        self.round.hands[at(seat)].len()
    }

    /// Returns the call of a seat.
    pub const fn call(&self, seat: u8) -> u8 {
        self.round.calls[at(seat)]
    }

    /// Returns the card given to the right opponent (0), the partner (1) or the left opponent (2).
    pub const fn given(&self, place: usize) -> Cards {
        gift(self.round.given[at(self.seat)][place])
    }

    /// Returns the cards that others hold.
    pub const fn unseen(&self) -> Cards {
        Cards::DECK.minus(self.round.played()).minus(self.hand())
    }

    /// Returns the smallest number of cards of an opponent; 14 if both are out.
    pub fn nearest(&self) -> u32 {
        let count = |seat| if self.count(seat) == 0 { 14 } else { self.count(seat) };
        count(self.right()).min(count(self.left()))
    }

    /// Returns whether an opponent owns the trick.
    pub const fn opponents_trick(&self) -> bool {
        self.round.owner < SEATS && self.round.owner % 2 != self.seat % 2
    }

    /// Returns the move that collects the trick or gives it away, if one is due.
    pub fn routine(&self) -> Option<Move> {
        match self.round.phase {
            Phase::Play if self.round.owner == self.seat => Some(Move::TAKE),
            Phase::Wish => Some(Known::of(self).wish()),
            Phase::Dragon => Some(Known::of(self).dragon()),
            _ => None,
        }
    }

    /// Lists what may be laid in turn, or passing, the safest first.
    pub fn plays(&self, plays: &mut Vec<Play>) {
        let wish = Wish::new(self.round.wish.into()).unwrap_or_default();
        plays.clear();
        Hand::of(self.hand()).push_plays(ALL[usize::from(self.round.top)], wish, plays);
        put_safest_first(plays);
    }

    /// Lists the bombs that may be laid on the trick.
    pub fn bombs(&self, plays: &mut Vec<Play>) {
        plays.clear();
        Hand::of(self.hand()).push_bombs_on(ALL[usize::from(self.round.top)], plays);
    }
}

/// Odd values go to the right and even ones to the left, so that the partners never contribute to the same bomb.
pub fn sides(one: Cards, other: Cards) -> (Cards, Cards) {
    let odd = |card: Cards| card.lowest_value().unwrap_or(MAH_JONG_VALUE) % 2;
    if odd(one) >= odd(other) { (one, other) } else { (other, one) }
}

/// Returns this number of the lowest cards, as a set.
pub fn lowest(cards: Cards, count: usize) -> Cards {
    bits(cards.mask()).take(count).fold(Cards::EMPTY, |all, card| all.union(Cards::at(card.trailing_zeros())))
}
