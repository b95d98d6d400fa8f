//! The combination of a set of cards: type, length and rank.

use std::fmt;

use super::cards::{DOG_VALUE, DRAGON_VALUE, MAH_JONG_VALUE, PHOENIX_VALUE};

/// The types of combinations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    /// A pass.
    Pass = 0,
    /// One card.
    Single = 1,
    /// Two cards of one value.
    Pair = 2,
    /// Three cards of one value.
    Triple = 3,
    /// Two or more pairs in sequence.
    Stair = 4,
    /// A triple and a pair of different values.
    FullHouse = 5,
    /// Five or more cards in sequence.
    Street = 6,
    /// Four of a kind, or a street of one suit.
    Bomb = 7,
}

/// A combination: its type, number of cards and rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Combination {
    /// The type.
    pub kind: Kind,
    /// The number of cards.
    pub length: u8,
    /// The rank; 16 is a phoenix led alone.
    pub rank: u8,
}

/// A type, length and rank that no set of cards forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Impossible {
    /// The number of the type.
    pub kind: u8,
    /// The number of cards.
    pub length: u8,
    /// The rank.
    pub rank: u8,
}

impl fmt::Display for Impossible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "No cards form the combination ({}, {}, {}).", self.kind, self.length, self.rank)
    }
}

impl std::error::Error for Impossible {}

/// The number of combinations, including passing.
pub const COUNT: usize = 227;
/// The number of bombs; they are the first in the order.
pub const BOMBS: usize = 58;

/// All combinations in the order of results: bombs first, passing last; bombs and others longer before shorter, then
/// lower rank first, then by the number of the type.
pub const ALL: [Combination; COUNT] = in_order();

const PLACES: [[[u8; 17]; 15]; 8] = places();

const fn in_order() -> [Combination; COUNT] {
    let mut all = [Combination::PASS; COUNT];
    let mut count = 0;
    let mut round = 0;
    while round < 2 * 14 {
        let (bombs, length) = (round < 14, 14 - round % 14);
        let mut rank = 0;
        while rank <= 16 {
            let mut kind = if bombs { Kind::Bomb as u8 } else { Kind::Single as u8 };
            let end = if bombs { Kind::Bomb as u8 + 1 } else { Kind::Bomb as u8 };
            while kind < end {
                if let Ok(combination) = Combination::new(kind, length, rank) {
                    all[count] = combination;
                    count += 1;
                }
                kind += 1;
            }
            rank += 1;
        }
        round += 1;
    }
    assert!(count == COUNT - 1);
    all
}

const fn places() -> [[[u8; 17]; 15]; 8] {
    let mut places = [[[0; 17]; 15]; 8];
    let mut place = 0;
    while place < COUNT {
        let Combination { kind, length, rank } = ALL[place];
        places[kind as usize][length as usize][rank as usize] = place as u8;
        place += 1;
    }
    places
}

impl Kind {
    /// Returns the type with this number.
    #[must_use]
    pub const fn from_number(number: u8) -> Option<Self> {
        Some(match number {
            0 => Self::Pass,
            1 => Self::Single,
            2 => Self::Pair,
            3 => Self::Triple,
            4 => Self::Stair,
            5 => Self::FullHouse,
            6 => Self::Street,
            7 => Self::Bomb,
            _ => return None,
        })
    }
}

impl Combination {
    /// Passing.
    pub const PASS: Self = Self { kind: Kind::Pass, length: 0, rank: 0 };
    /// The dog.
    pub const DOG: Self = Self { kind: Kind::Single, length: 1, rank: DOG_VALUE };
    /// The phoenix led alone.
    pub const PHOENIX: Self = Self { kind: Kind::Single, length: 1, rank: PHOENIX_VALUE };

    /// Returns the combination with these numbers, if cards exist that form it; passing is one.
    ///
    /// # Errors
    /// No cards form it.
    pub const fn new(kind: u8, length: u8, rank: u8) -> Result<Self, Impossible> {
        let impossible = Impossible { kind, length, rank };
        let Some(kind) = Kind::from_number(kind) else { return Err(impossible) };
        let fits = match kind {
            Kind::Pass => length == 0 && rank == 0,
            Kind::Single => length == 1 && rank <= PHOENIX_VALUE,
            Kind::Pair => length == 2 && rank >= 2 && rank <= 14,
            Kind::Triple => length == 3 && rank >= 2 && rank <= 14,
            Kind::Stair => length >= 4 && length <= 14 && length.is_multiple_of(2) && rank > length / 2 && rank <= 14,
            Kind::FullHouse => length == 5 && rank >= 2 && rank <= 14,
            Kind::Street => length >= 5 && rank >= length && rank <= 14,
            Kind::Bomb => (length == 4 && rank >= 2 || length >= 5 && rank > length) && rank <= 14,
        };
        if fits { Ok(Self { kind, length, rank }) } else { Err(impossible) }
    }

    /// Returns the index of this combination in [`ALL`].
    #[must_use]
    pub const fn place(self) -> u8 {
        PLACES[self.kind as usize][self.length as usize][self.rank as usize]
    }

    /// Returns whether this combination may be laid on the other one.
    ///
    /// A phoenix laid alone ranks 16 and beats every single card except dog and dragon; led, it counts as 1. Nothing
    /// may be laid on the dog.
    #[must_use]
    pub const fn beats(self, other: Self) -> bool {
        if matches!(other.kind, Kind::Pass) || matches!(other.kind, Kind::Single) && other.rank == DOG_VALUE {
            return false;
        }
        match (self.kind, other.kind) {
            (Kind::Pass, _) => false,
            (Kind::Bomb, Kind::Bomb) => {
                self.length > other.length || self.length == other.length && self.rank > other.rank
            }
            (Kind::Bomb, _) => true,
            (Kind::Single, Kind::Single) => {
                let lying = if other.rank == PHOENIX_VALUE { MAH_JONG_VALUE } else { other.rank };
                if self.rank == PHOENIX_VALUE { lying != DRAGON_VALUE } else { self.rank > lying }
            }
            (ours, theirs) => ours as u8 == theirs as u8 && self.length == other.length && self.rank > other.rank,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comb(kind: u8, length: u8, rank: u8) -> Combination {
        Combination::new(kind, length, rank).unwrap()
    }

    #[test]
    fn only_possible_triples_are_combinations() {
        assert!(Combination::new(6, 5, 5).is_ok() && Combination::new(6, 14, 14).is_ok());
        for (kind, length, rank) in [(8, 1, 1), (6, 5, 4), (7, 5, 5), (4, 4, 2), (1, 1, 17), (0, 1, 0), (2, 2, 1)] {
            assert_eq!(Combination::new(kind, length, rank), Err(Impossible { kind, length, rank }));
        }
    }

    #[test]
    fn every_combination_has_its_place_in_the_order() {
        assert!(ALL.iter().enumerate().all(|(place, combination)| usize::from(combination.place()) == place));
        assert!(ALL.iter().enumerate().all(|(place, combination)| (combination.kind == Kind::Bomb) == (place < BOMBS)));
        assert_eq!((ALL[0], ALL[BOMBS], ALL[COUNT - 1]), (comb(7, 13, 14), comb(4, 14, 8), Combination::PASS));
    }

    #[test]
    fn the_phoenix_beats_all_single_cards_but_dog_and_dragon() {
        let phoenix = Combination::PHOENIX;
        assert!((1..=14).all(|rank| phoenix.beats(comb(1, 1, rank))));
        assert!(!phoenix.beats(comb(1, 1, 15)) && !phoenix.beats(Combination::DOG));
        assert!(comb(1, 1, 2).beats(phoenix) && !comb(1, 1, 1).beats(phoenix) && comb(1, 1, 15).beats(phoenix));
    }

    #[test]
    fn bombs_beat_by_length_then_rank() {
        assert!(comb(7, 5, 6).beats(comb(7, 4, 14)) && !comb(7, 4, 14).beats(comb(7, 5, 6)));
        assert!(comb(7, 4, 3).beats(comb(7, 4, 2)) && comb(7, 4, 2).beats(comb(1, 1, 15)));
        assert!(!comb(7, 4, 2).beats(Combination::DOG));
        assert!(!comb(6, 6, 14).beats(comb(6, 5, 6)) && comb(6, 5, 7).beats(comb(6, 5, 6)));
    }
}
