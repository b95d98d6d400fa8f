//! The number of cards of each value in a hand, packed into 64 bits, without suits.
//!
//! Suits never affect the fewest combinations of a hand: four of a kind and a street of one suit are bombs, and a bomb
//! is just one combination. Values are the flags of [`shape`](super::super::shape).

use super::super::cards::Cards;
use super::super::shape::{ALL_VALUES, MAH_JONG_FLAG, TO_FLAGS};

/// The phoenix.
pub(super) const PHOENIX: u64 = 1 << 60;
/// A card that is always a combination of its own: dog or dragon.
const LONER: u64 = 1 << 56;
const EVERY_NIBBLE: u64 = 0x1111_1111_1111_1111;

/// The number of cards of each value: four bits each for the values 1 to 14, then dog and dragon together, then the
/// phoenix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tichu) struct Counts(pub u64);

/// The number of values with one, two, three and four cards.
#[derive(Clone, Copy, Debug)]
struct Groups {
    singles: u32,
    pairs: u32,
    triples: u32,
    quads: u32,
}

/// The role of the phoenix outside streets and stairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tichu) enum Joining {
    /// It is a combination of its own.
    Nothing,
    /// It makes a single card a pair.
    Single,
    /// It makes a pair a triple.
    Pair,
    /// It makes a triple two pairs.
    Triple,
    /// It makes four of a kind a triple and a pair, which joins another triple.
    Quad,
}

impl Joining {
    pub const ALL: [Self; 5] = [Self::Nothing, Self::Single, Self::Pair, Self::Triple, Self::Quad];
}

/// Returns how many fours of a kind are better split into two pairs each, for triples without a pair.
pub(super) fn quads_to_split(pairs: u32, triples: u32, quads: u32) -> u32 {
    (triples.saturating_sub(pairs) / 2).min(quads)
}

impl Groups {
    /// Returns the fewest combinations other than streets and stairs: every triple takes a pair if it can.
    fn least(self) -> u32 {
        let split = quads_to_split(self.pairs, self.triples, self.quads);
        self.singles + self.quads - split + self.triples.max(self.pairs + 2 * split)
    }
}

impl Counts {
    pub fn of(cards: Cards) -> Self {
        let loners = Cards::DOG.union(Cards::DRAGON);
        // The Mah Jong's bit ends in the nibble of its flag.
        let suited = cards.minus(loners).minus(Cards::PHOENIX).mask() << TO_FLAGS;
        let by_two = suited - ((suited >> 1) & 0x5555_5555_5555_5555);
        let by_four = (by_two & 0x3333_3333_3333_3333) + ((by_two >> 2) & 0x3333_3333_3333_3333);
        let phoenix = if cards.contains(Cards::PHOENIX) { PHOENIX } else { 0 };
        Self(by_four + u64::from(cards.intersection(loners).len()) * LONER + phoenix)
    }

    /// Returns the number of cards, if at most 15.
    pub const fn len(self) -> u32 {
        sum(self.0)
    }

    /// Returns one of the sixteen counts: those of the values 1 to 14, then of dog and dragon together, then of the
    /// phoenix.
    pub const fn digit(self, place: usize) -> u16 {
        (self.0 >> (4 * place) & 0b1111) as u16
    }

    /// Returns the number of cards of a value 1 to 14.
    pub const fn of_value(self, value: u8) -> u32 {
        self.digit(value as usize - 1) as u32
    }

    pub const fn has_phoenix(self) -> bool {
        self.0 & PHOENIX != 0
    }

    /// Returns the values with at least one card.
    pub const fn at_least_one(self) -> u64 {
        (self.0 | self.0 >> 1 | self.0 >> 2) & ALL_VALUES
    }

    /// Returns the values with at least two cards.
    pub const fn at_least_two(self) -> u64 {
        (self.0 >> 1 | self.0 >> 2) & ALL_VALUES
    }

    /// Returns the values with exactly one card.
    pub const fn exactly_one(self) -> u64 {
        self.0 & !(self.0 >> 1) & ALL_VALUES
    }

    /// Returns the fewest combinations without streets and stairs; every number from it to the number of cards is
    /// possible, since each combination can give off a card or split in two.
    pub fn least_without_runs(self) -> u32 {
        let (groups, loners) = (self.groups(), self.loners());
        if !self.has_phoenix() {
            return loners + groups.least();
        }
        loners + Joining::ALL.iter().filter_map(|&joining| self.joined(groups, joining)).min().unwrap_or(0)
    }

    /// Returns the best role of the phoenix outside streets and stairs.
    pub fn best_joining(self) -> Joining {
        let groups = self.groups();
        let least = |&&joining: &&Joining| self.joined(groups, joining).unwrap_or(u32::MAX);
        *Joining::ALL.iter().min_by_key(least).unwrap_or(&Joining::Nothing)
    }

    fn groups(self) -> Groups {
        let (low, high) = (self.0 & ALL_VALUES, self.0 >> 1 & ALL_VALUES);
        Groups {
            singles: sum(low & !high),
            pairs: sum(high & !low),
            triples: sum(low & high),
            quads: sum(self.0 >> 2 & ALL_VALUES),
        }
    }

    const fn loners(self) -> u32 {
        self.digit(14) as u32
    }

    /// Returns the fewest combinations without streets and stairs with this role of the phoenix, if possible.
    fn joined(self, mut groups: Groups, joining: Joining) -> Option<u32> {
        let mut alone = 0;
        match joining {
            Joining::Nothing => alone = 1,
            Joining::Single => {
                if self.exactly_one() & !MAH_JONG_FLAG == 0 {
                    return None;
                }
                groups.singles -= 1;
                groups.pairs += 1;
            }
            Joining::Pair => {
                groups.pairs = groups.pairs.checked_sub(1)?;
                groups.triples += 1;
            }
            Joining::Triple => {
                groups.triples = groups.triples.checked_sub(1)?;
                groups.pairs += 2;
            }
            Joining::Quad => {
                // A triple and a pair of one value do not form a full house; and if there is another pair, joining that
                // one and splitting the four is as good.
                if groups.triples == 0 || groups.pairs > 0 {
                    return None;
                }
                groups.quads = groups.quads.checked_sub(1)?;
                groups.triples += 1;
                groups.pairs += 1;
            }
        }
        Some(alone + groups.least())
    }
}

/// Returns the sum of all nibbles, if at most 15.
const fn sum(nibbles: u64) -> u32 {
    (nibbles.wrapping_mul(EVERY_NIBBLE) >> 60) as u32
}
