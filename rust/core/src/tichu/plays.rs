//! A play: cards and their combination, in one word.

use super::cards::{Cards, DECK_SIZE, value_at};
use super::classify::classify;
use super::combinations::{ALL, BOMBS, COUNT, Combination, Kind};

/// Cards with the combination they form; the empty play is a pass.
///
/// The index of the combination in the order is above the bits of the cards. So plays compare in the order of results:
/// bombs first (longer before shorter, then lower rank first), then the others, longer before shorter, then lower rank
/// first; ties by the number of the type, then by the masks of the cards; passing last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Play(u64);

impl Play {
    /// Passing.
    pub const PASS: Self = Self::new(Cards::EMPTY, Combination::PASS);

    /// Returns the play of these cards, if they form a combination.
    #[must_use]
    pub fn of(cards: Cards) -> Option<Self> {
        classify(cards).map(|combination| Self::new(cards, combination))
    }

    /// Returns the play of a single card, with the phoenix as led.
    pub(super) const fn single(card: Cards) -> Self {
        let value = value_at(card.mask().trailing_zeros());
        Self::at(Combination { kind: Kind::Single, length: 1, rank: value }.place(), card.mask())
    }

    /// Returns the play of cards that must form this combination.
    pub(super) const fn new(cards: Cards, combination: Combination) -> Self {
        Self::at(combination.place(), cards.mask())
    }

    /// Returns the play of a mask of cards that form the combination at an index of the order.
    pub(super) const fn at(place: u8, mask: u64) -> Self {
        Self((place as u64) << DECK_SIZE | mask)
    }

    /// Returns the same combination with additional cards.
    pub(super) const fn with(self, mask: u64) -> Self {
        Self(self.0 | mask)
    }

    /// Returns the cards.
    #[must_use]
    pub const fn cards(self) -> Cards {
        Cards::masked(self.0)
    }

    /// Returns the combination.
    #[must_use]
    pub const fn combination(self) -> Combination {
        ALL[self.place() as usize]
    }

    /// Returns the index of the combination in the order of all combinations.
    #[must_use]
    pub const fn place(self) -> u8 {
        (self.0 >> DECK_SIZE) as u8
    }

    /// Returns whether it is a bomb.
    #[must_use]
    pub const fn is_bomb(self) -> bool {
        (self.place() as usize) < BOMBS
    }
}

/// Returns the group of each combination in the order of caution: bombs and others by length.
static GROUPS: [u8; 256] = groups();

const fn groups() -> [u8; 256] {
    let mut groups = [0; 256];
    let mut place = 0;
    while place < COUNT {
        groups[place] = ALL[place].length + if place < BOMBS { 16 } else { 0 };
        place += 1;
    }
    groups
}

/// Sorts plays from the order of results into the order of caution: passing first, then shorter before longer, bombs
/// last; plays of one length keep their order, lower rank first.
pub fn put_safest_first(plays: &mut [Play]) {
    let group = |play: &Play| GROUPS[usize::from(play.place())];
    plays.reverse();
    for alike in plays.chunk_by_mut(|one, other| group(one) == group(other)) {
        alike.reverse();
    }
}
