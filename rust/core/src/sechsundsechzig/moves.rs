//! The moves, and their texts.

use std::fmt;

use super::{COLOURS, RANKS};

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Lay a card.
    Lay(u8),
    /// Swap the nine of trumps for the open card.
    Swap,
    /// Announce a pair that is not of trumps.
    Announce,
    /// Announce the pair of trumps.
    AnnounceTrump,
    /// Close the stock.
    Close,
    /// Stop with a claim of 66 points.
    Stop,
    /// Deal the next game of a series.
    Restart,
}

/// The letters of the colours, and the ranks, by number.
const LETTERS: [char; COLOURS as usize] = ['X', 'P', 'H', 'K'];
const NAMES: [&str; RANKS as usize] = ["A", "10", "K", "D", "B", "9"];

/// Returns the colour with a letter.
#[must_use]
pub fn colour_of(letter: char) -> Option<u32> {
    LETTERS.iter().zip(0..).find_map(|(&each, colour)| (each == letter).then_some(colour))
}

/// Returns the card with a label, such as `X10`.
#[must_use]
pub fn card_of(label: &str) -> Option<u8> {
    let letter = label.chars().next()?;
    let name = &label[letter.len_utf8()..];
    let rank = NAMES.iter().zip(0..).find_map(|(&each, rank)| (each == name).then_some(rank))?;
    Some((RANKS * colour_of(letter)?) as u8 + rank)
}

/// Returns the label of a card.
#[must_use]
pub fn label(card: u8) -> String {
    let (colour, rank) = (usize::from(card) / RANKS as usize, usize::from(card) % RANKS as usize);
    format!("{}{}", LETTERS[colour], NAMES[rank])
}

impl Move {
    /// Returns the move of a verb and its operand, which is empty for most.
    #[must_use]
    pub fn read(verb: &str, operand: &str) -> Option<Self> {
        Some(match (verb, operand) {
            ("lay", label) => Self::Lay(card_of(label)?),
            ("swap", "") => Self::Swap,
            ("announce", "") => Self::Announce,
            ("announce", "trump") => Self::AnnounceTrump,
            ("close", "") => Self::Close,
            ("stop", "") => Self::Stop,
            ("restart", "") => Self::Restart,
            _ => return None,
        })
    }

    /// Returns the number of the move: that of the card to lay, then swap, announce, announce trump, close, stop and
    /// restart.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Self::Lay(card) => card,
            Self::Swap => 24,
            Self::Announce => 25,
            Self::AnnounceTrump => 26,
            Self::Close => 27,
            Self::Stop => 28,
            Self::Restart => 29,
        }
    }
}

/// Writes the engine's text, such as `lay X10`.
impl fmt::Display for Move {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Lay(card) => return write!(formatter, "lay {}", label(*card)),
            Self::Swap => "swap",
            Self::Announce => "announce",
            Self::AnnounceTrump => "announce trump",
            Self::Close => "close",
            Self::Stop => "stop",
            Self::Restart => "restart",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_has_a_number_and_a_text() {
        let others = [Move::Swap, Move::Announce, Move::AnnounceTrump, Move::Close, Move::Stop, Move::Restart];
        for (chosen, number) in (0..24).map(Move::Lay).chain(others).zip(0..) {
            let text = chosen.to_string();
            let (verb, operand) = text.split_once(' ').unwrap_or((&text, ""));
            assert_eq!((Move::read(verb, operand), chosen.number()), (Some(chosen), number));
        }
        assert_eq!([0, 7, 23].map(label), ["XA", "P10", "K9"]);
        assert_eq!(Move::AnnounceTrump.to_string(), "announce trump");
    }

    #[test]
    fn what_is_no_move_is_not_read() {
        for (verb, operand) in
            [("lay", ""), ("lay", "X8"), ("lay", "♣A"), ("swap", "XA"), ("announce", "pair"), ("", "")]
        {
            assert_eq!(Move::read(verb, operand), None);
        }
    }
}
