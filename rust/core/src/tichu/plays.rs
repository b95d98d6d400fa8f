//! A play: cards and the combination they are laid as, in one word.

use super::cards::{Cards, DECK_SIZE};
use super::combinations::{ALL, BOMBS, Combination};

/// Cards with the combination they form; the empty one is passing.
///
/// The combination's place in the order stands above the cards' bits. Plays therefore compare in the order in which
/// results are given: bombs first (longer before shorter, then lower rank first), then the others longer before
/// shorter, then lower rank first; ties by the number of the type, then by the cards' masks; passing last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Play(u64);

impl Play {
    /// Passing.
    pub const PASS: Self = Self::new(Cards::EMPTY, Combination::PASS);

    /// Cards laid as the combination that they form.
    #[must_use]
    pub const fn new(cards: Cards, combination: Combination) -> Self {
        Self::at(combination.place(), cards.mask())
    }

    /// The cards of a mask laid as the combination at a place of the order.
    pub(super) const fn at(place: u8, mask: u64) -> Self {
        Self((place as u64) << DECK_SIZE | mask)
    }

    /// The same combination with these cards besides.
    pub(super) const fn with(self, mask: u64) -> Self {
        Self(self.0 | mask)
    }

    /// What is laid.
    #[must_use]
    pub const fn cards(self) -> Cards {
        Cards::masked(self.0)
    }

    /// As what it is laid.
    #[must_use]
    pub const fn combination(self) -> Combination {
        ALL[self.place() as usize]
    }

    /// The place of the combination in the order of all of them.
    #[must_use]
    pub const fn place(self) -> u8 {
        (self.0 >> DECK_SIZE) as u8
    }

    /// Is it a bomb?
    #[must_use]
    pub const fn is_bomb(self) -> bool {
        (self.place() as usize) < BOMBS
    }
}

/// Puts plays that stand in the order of results into the order of caution: passing first, then shorter before longer,
/// bombs last; plays of one length stay as they are, lower rank first.
#[must_use]
pub fn safest_first(plays: &[Play]) -> Vec<Play> {
    let group = |play: &Play| (play.is_bomb(), play.combination().length);
    let mut safest = Vec::with_capacity(plays.len());
    for alike in plays.chunk_by(|one, other| group(one) == group(other)).rev() {
        safest.extend_from_slice(alike);
    }
    safest
}
