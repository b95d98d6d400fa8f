//! A play: cards and the combination they are laid as, in one word.

use super::cards::{Cards, DECK_SIZE, value_at};
use super::classify::classify;
use super::combinations::{ALL, BOMBS, COUNT, Combination, Kind};

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

    /// Cards laid as what they form, if they form something.
    #[must_use]
    pub fn of(cards: Cards) -> Option<Self> {
        classify(cards).map(|combination| Self::new(cards, combination))
    }

    /// A single card laid; the phoenix as it is led.
    pub(super) const fn single(card: Cards) -> Self {
        let value = value_at(card.mask().trailing_zeros());
        Self::at(Combination { kind: Kind::Single, length: 1, rank: value }.place(), card.mask())
    }

    /// Cards laid as this combination, which they must form.
    pub(super) const fn new(cards: Cards, combination: Combination) -> Self {
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

/// Bombs and others by length, for each place of the order of combinations.
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

/// Puts plays that stand in the order of results into the order of caution: passing first, then shorter before longer,
/// bombs last; plays of one length stay as they are, lower rank first.
pub fn put_safest_first(plays: &mut [Play]) {
    let group = |play: &Play| GROUPS[usize::from(play.place())];
    plays.reverse();
    for alike in plays.chunk_by_mut(|one, other| group(one) == group(other)) {
        alike.reverse();
    }
}
