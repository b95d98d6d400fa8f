//! Common parts of the policies that reason: wishes, the dragon, the trick, and the players near the end.

use crate::tichu::cards::{ACE, Cards, LOWEST, MAH_JONG_VALUE};
use crate::tichu::combinations::ALL;
use crate::tichu::hand::Hand;
use crate::tichu::moves::Move;
use crate::tichu::plays::Play;
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

    /// Returns the cards that the opponents may hold: all unseen ones except those given to the partner.
    pub const fn hidden(&self) -> Cards {
        self.unseen().minus(self.given(1))
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

    /// Returns the wish: the value given to the right opponent, otherwise the highest value that others hold.
    pub fn wish(&self) -> Move {
        let unseen = self.unseen();
        let given = self.given(0);
        let value = given.lowest_value().filter(|value| unseen.contains(given) && (LOWEST..=ACE).contains(value));
        let highest = || (LOWEST..=ACE).rev().find(|&value| unseen.count(value) > 0).unwrap_or(ACE);
        Move::wish(value.unwrap_or_else(highest))
    }

    /// Returns the recipient of the trick won with the dragon: an opponent without a call, then the one with more
    /// cards.
    pub fn dragon(&self) -> Move {
        let rank = |seat| (self.call(seat), u32::MAX - self.count(seat));
        Move::dragon(if rank(self.right()) > rank(self.left()) { self.left() } else { self.right() })
    }

    /// Returns the move that collects the trick or gives it away, if one is due.
    pub fn routine(&self) -> Option<Move> {
        match self.round.phase {
            Phase::Play if self.round.owner == self.seat => Some(Move::TAKE),
            Phase::Wish => Some(self.wish()),
            Phase::Dragon => Some(self.dragon()),
            _ => None,
        }
    }

    /// Adds the bombs that may be laid on the trick.
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
