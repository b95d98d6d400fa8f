//! Partitions of a hand into combinations: the fewest, the cheapest, or all.

mod cheapest;
mod counts;
mod cover;
mod fewest;
mod memo;
mod reach;
mod runs;

use std::fmt;
use std::num::NonZeroUsize;

use self::memo::Memo;
use super::cards::Cards;
use super::hand::Hand;
use super::plays::Play;

pub(super) use self::cheapest::Costs;
pub(super) use self::counts::Counts;

pub use self::cheapest::{Prices, PricesError};
pub use self::cover::Partitions;

/// The hand does not hold all of these cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotInHand(pub Cards);

impl fmt::Display for NotInHand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Not all of the cards {} are in the hand.", self.0)
    }
}

impl std::error::Error for NotInHand {}

/// Returns the fewest combinations that together use each card of a hand once, in the order of plays.
#[must_use]
pub fn fewest(hand: &Hand) -> Vec<Play> {
    fewest::split(hand.cards())
}

/// Returns, for each set of cards, into how few combinations the hand can be split without these cards.
///
/// # Errors
/// A set of cards is not in the hand.
pub fn fewest_after(hand: &Hand, gone: impl IntoIterator<Item = Cards>) -> Result<Vec<u32>, NotInHand> {
    let mut memo = Memo::new(hand.cards());
    let all = memo.part(hand.cards());
    let left = |cards: Cards| {
        if !hand.cards().contains(cards) {
            return Err(NotInHand(cards));
        }
        let rest = all.minus(memo.part(cards));
        Ok(memo.numbers(rest).trailing_zeros())
    };
    gone.into_iter().map(left).collect()
}

/// Returns, for each set of cards, the lowest price of a partition of the hand without these cards.
///
/// # Errors
/// A set of cards is not in the hand.
pub fn cheapest_after(
    hand: &Hand,
    prices: &Prices,
    gone: impl IntoIterator<Item = Cards>,
) -> Result<Vec<i32>, NotInHand> {
    let mut costs = Costs::new(hand, prices);
    let left = |cards: Cards| {
        if !hand.cards().contains(cards) {
            return Err(NotInHand(cards));
        }
        let rest = costs.part(hand.cards().minus(cards));
        Ok(costs.of(rest))
    };
    gone.into_iter().map(left).collect()
}

/// Returns the partitions of a hand, those of the fewest combinations first, up to a limit.
#[must_use]
pub fn partitions(hand: &Hand, limit: NonZeroUsize) -> Partitions {
    Partitions::of(hand, limit)
}
