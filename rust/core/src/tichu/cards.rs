//! A set of Tichu cards as a 64-bit mask, and the labels of cards.
//!
//! The bit of a card is its index in the deck: dog 0, Mah Jong 1, then the values 2 to 14 with four suits each, dragon
//! 54, phoenix 55. Each value is therefore four adjacent bits ([`Cards::of_value`]).

use std::fmt;
use std::str::FromStr;

/// The number of cards in the deck.
pub const DECK_SIZE: u32 = 56;
/// The lowest value of the suited cards.
pub const LOWEST: u8 = 2;
/// The value of the ace, the highest of the suited cards.
pub const ACE: u8 = 14;
/// The value of the dog.
pub const DOG_VALUE: u8 = 0;
/// The value of the Mah Jong.
pub const MAH_JONG_VALUE: u8 = 1;
/// The value of the dragon.
pub const DRAGON_VALUE: u8 = 15;
/// The value of the phoenix.
pub const PHOENIX_VALUE: u8 = 16;

const VALUE_SIGNS: &[u8; 13] = b"23456789ZBDKA";
const SUIT_SIGNS: &[u8; 4] = b"SBGR";

/// A set of cards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cards(u64);

/// The reason why a text or a mask is not a set of cards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CardsError {
    /// The text has a label that belongs to no card.
    UnknownLabel(String),
    /// The text names the same card twice.
    Twice(String),
    /// The mask has bits beyond the deck.
    BeyondDeck(u64),
}

impl fmt::Display for CardsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownLabel(label) => write!(f, "There is no card '{label}'."),
            Self::Twice(label) => write!(f, "The card '{label}' is named twice."),
            Self::BeyondDeck(mask) => write!(f, "The mask {mask:#x} has bits beyond the 56 cards of the deck."),
        }
    }
}

impl std::error::Error for CardsError {}

impl Cards {
    /// The empty set.
    pub const EMPTY: Self = Self(0);
    /// All 56 cards.
    pub const DECK: Self = Self((1 << DECK_SIZE) - 1);
    /// The dog.
    pub const DOG: Self = Self(1);
    /// The Mah Jong.
    pub const MAH_JONG: Self = Self(1 << 1);
    /// The dragon.
    pub const DRAGON: Self = Self(1 << 54);
    /// The phoenix.
    pub const PHOENIX: Self = Self(1 << 55);
    /// The 52 cards with a suit.
    pub const SUITED: Self = Self(Self::DECK.0 & !(1 << 55 | 1 << 54 | 1 << 1 | 1));

    /// Creates a set from a mask.
    ///
    /// # Errors
    /// A bit is beyond the deck.
    pub const fn from_mask(mask: u64) -> Result<Self, CardsError> {
        if mask & !Self::DECK.0 == 0 { Ok(Self(mask)) } else { Err(CardsError::BeyondDeck(mask)) }
    }

    /// Creates a set from those bits of a mask that are within the deck.
    pub(super) const fn masked(mask: u64) -> Self {
        Self(mask & Self::DECK.0)
    }

    /// Returns the set as a mask.
    #[must_use]
    pub const fn mask(self) -> u64 {
        self.0
    }

    /// Returns the card at an index of the deck; indices beyond it wrap around.
    #[must_use]
    pub const fn at(index: u32) -> Self {
        Self(1 << (index % DECK_SIZE))
    }

    /// Returns all four cards of a value 2 to 14; for a special value its single card.
    #[must_use]
    pub const fn of_value(value: u8) -> Self {
        match value {
            DOG_VALUE => Self::DOG,
            MAH_JONG_VALUE => Self::MAH_JONG,
            LOWEST..=ACE => Self(0b1111 << first_bit(value)),
            DRAGON_VALUE => Self::DRAGON,
            PHOENIX_VALUE => Self::PHOENIX,
            _ => Self::EMPTY,
        }
    }

    /// Returns all cards of this value 0 to 16 and above.
    #[must_use]
    pub const fn from_value(value: u8) -> Self {
        match value {
            DOG_VALUE => Self::DECK,
            PHOENIX_VALUE.. => Self::PHOENIX,
            _ => {
                Self(Self::DECK.0 & !(Self::of_value(value).0 & Self::of_value(value).0.wrapping_neg()).wrapping_sub(1))
            }
        }
    }

    /// Returns all 13 cards of a suit 1 to 4; for suit 0 the four special cards.
    #[must_use]
    pub const fn of_suit(suit: u8) -> Self {
        match suit {
            0 => Self(Self::DECK.0 & !Self::SUITED.0),
            1..=4 => Self(0x0004_4444_4444_4444 << (suit - 1)),
            _ => Self::EMPTY,
        }
    }

    /// Returns the number of cards.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns whether the set holds all of these cards.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns the cards in either set.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the cards in both sets.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the cards of this set that are not in the other.
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns which suits of a value 2 to 14 are present, as four bits: sword lowest, star highest.
    #[must_use]
    pub const fn suits(self, value: u8) -> u8 {
        ((self.0 >> first_bit(value)) & 0b1111) as u8
    }

    /// Returns the number of cards of a value 2 to 14.
    #[must_use]
    pub const fn count(self, value: u8) -> u32 {
        (self.suits(value)).count_ones()
    }

    /// Returns the points of the cards in a trick: 5 for fives, 10 for tens and kings, dragon 25, phoenix −25.
    #[must_use]
    pub fn points(self) -> i32 {
        let tens = self.count(10) + self.count(13);
        let mut points = (5 * self.count(5) + 10 * tens).cast_signed();
        if self.contains(Self::DRAGON) {
            points += 25;
        }
        if self.contains(Self::PHOENIX) {
            points -= 25;
        }
        points
    }

    /// Returns the cards one by one in descending order, as a hand is shown: phoenix, dragon, aces … Mah Jong, dog.
    pub fn iter(self) -> impl Iterator<Item = Self> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let top = 63_u32.checked_sub(rest.leading_zeros())?;
            rest ^= 1 << top;
            Some(Self(1 << top))
        })
    }

    /// Returns the deck index of the lowest card, if there is one.
    #[must_use]
    pub const fn lowest_index(self) -> Option<u32> {
        if self.0 == 0 { None } else { Some(self.0.trailing_zeros()) }
    }

    /// Returns the value of the lowest card, if there is one.
    #[must_use]
    pub const fn lowest_value(self) -> Option<u8> {
        match self.lowest_index() {
            Some(index) => Some(value_at(index)),
            None => None,
        }
    }
}

/// Returns the lowest bit of a value 2 to 14.
const fn first_bit(value: u8) -> u32 {
    4 * value as u32 - 6
}

/// Returns the value of the card at an index of the deck.
#[must_use]
pub const fn value_at(index: u32) -> u8 {
    match index {
        0 => DOG_VALUE,
        1 => MAH_JONG_VALUE,
        54 => DRAGON_VALUE,
        55 => PHOENIX_VALUE,
        _ => ((index + 6) / 4) as u8,
    }
}

/// Returns the suit of the card at an index of the deck: 1 sword, 2 pagoda, 3 jade, 4 star, 0 for the special cards.
#[must_use]
pub const fn suit_at(index: u32) -> u8 {
    match index {
        2..=53 => ((index - 2) % 4 + 1) as u8,
        _ => 0,
    }
}

/// Returns the label of the card at an index of the deck.
fn label_at(index: u32) -> [u8; 2] {
    match index {
        0 => *b"Hu",
        1 => *b"Ma",
        54 => *b"Dr",
        55 => *b"Ph",
        _ => [SUIT_SIGNS[usize::from(suit_at(index)) - 1], VALUE_SIGNS[usize::from(value_at(index)) - 2]],
    }
}

/// Returns the card with a label, if there is one.
fn card_of(label: &str) -> Option<Cards> {
    match label {
        "Hu" => return Some(Cards::DOG),
        "Ma" => return Some(Cards::MAH_JONG),
        "Dr" => return Some(Cards::DRAGON),
        "Ph" => return Some(Cards::PHOENIX),
        _ => {}
    }
    let &[suit, value] = label.as_bytes() else { return None };
    let suit = SUIT_SIGNS.iter().position(|&sign| sign == suit)?;
    let value = VALUE_SIGNS.iter().position(|&sign| sign == value)?;
    Some(Cards::at((2 + 4 * value + suit) as u32))
}

impl fmt::Display for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, card) in self.iter().enumerate() {
            if place > 0 {
                f.write_str(" ")?;
            }
            for sign in label_at(card.0.trailing_zeros()) {
                write!(f, "{}", char::from(sign))?;
            }
        }
        Ok(())
    }
}

impl FromStr for Cards {
    type Err = CardsError;

    /// Parses labels separated by blanks, in any order.
    fn from_str(text: &str) -> Result<Self, CardsError> {
        let mut cards = Self::EMPTY;
        for label in text.split_whitespace() {
            let card = card_of(label).ok_or_else(|| CardsError::UnknownLabel(label.to_owned()))?;
            if cards.contains(card) {
                return Err(CardsError::Twice(label.to_owned()));
            }
            cards = cards.union(card);
        }
        Ok(cards)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_reads_back_from_its_label() {
        for index in 0..DECK_SIZE {
            let card = Cards::at(index);
            assert_eq!(card.to_string().parse(), Ok(card));
        }
    }

    #[test]
    fn a_hand_is_written_in_falling_order() {
        let hand: Cards = "Hu Ma S2 RA Dr B7 Ph SZ".parse().unwrap();
        assert_eq!(hand.to_string(), "Ph Dr RA SZ B7 S2 Ma Hu");
    }

    #[test]
    fn the_deck_counts_a_hundred_points() {
        assert_eq!(Cards::DECK.points(), 100);
        assert_eq!(Cards::DECK.len(), 56);
    }

    #[test]
    fn values_and_suits_follow_the_deck_order() {
        let ten: Cards = "SZ".parse().unwrap();
        let index = ten.lowest_index().unwrap();
        assert_eq!((index, value_at(index), suit_at(index)), (34, 10, 1));
        assert!((2..=14).all(|value| Cards::DECK.suits(value) == 0b1111 && Cards::of_value(value).len() == 4));
    }

    #[test]
    fn bad_texts_name_what_is_wrong() {
        assert_eq!("S2 X9".parse::<Cards>(), Err(CardsError::UnknownLabel("X9".into())));
        assert_eq!("S2 S2".parse::<Cards>(), Err(CardsError::Twice("S2".into())));
        assert_eq!(Cards::from_mask(1 << 56), Err(CardsError::BeyondDeck(1 << 56)));
    }
}
