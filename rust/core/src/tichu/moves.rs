//! The moves of a Tichu game, each in one word, and their texts.
//!
//! What may be done when is the rules' business; here stands only which moves there are, how they are written, and
//! which cards a seat may lay at this moment, the safest first.

use super::cards::{Cards, CardsError};
use super::classify::classify;
use super::combinations::{COUNT, Combination};
use super::hand::{Hand, Wish};
use super::plays::{Play, put_safest_first};
use std::fmt;
use std::str::FromStr;

/// A move: the number of the verb, or for laid cards that of their combination, above 56 bits of operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(u64);

/// What a move does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// Cards are laid.
    Play,
    /// Nothing is laid, or no Grand Tichu called.
    Pass,
    /// Grand Tichu is called.
    Grand,
    /// Small Tichu is called.
    Tichu,
    /// A card is given away before the round.
    Give,
    /// A value is wished for.
    Wish,
    /// The trick is collected.
    Take,
    /// The trick won with the dragon is given to this seat.
    Dragon,
}

impl Verb {
    /// The word that a move of it begins with.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Play => "play",
            Self::Pass => "pass",
            Self::Grand => "grand",
            Self::Tichu => "tichu",
            Self::Give => "give",
            Self::Wish => "wish",
            Self::Take => "take",
            Self::Dragon => "dragon",
        }
    }
}

/// Why a text is no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveError {
    /// The text does not begin with a verb of this game, or has operands that the verb does not take.
    Unknown(String),
    /// The cards are none.
    Cards(CardsError),
    /// The cards form no combination.
    NoCombination(Cards),
}

const OPERAND_BITS: u32 = 56;
const OPERAND: u64 = (1 << OPERAND_BITS) - 1;
/// The verbs without cards stand behind all combinations, of which passing is the last.
const VERBS: [Verb; 7] = [Verb::Pass, Verb::Grand, Verb::Tichu, Verb::Give, Verb::Wish, Verb::Take, Verb::Dragon];
/// The code of passing; lower codes are laid cards.
pub const PASS_CODE: u8 = COUNT as u8 - 1;

impl Move {
    /// Nothing is laid, or no Grand Tichu called.
    pub const PASS: Self = Self::of(Verb::Pass, 0);
    /// Grand Tichu is called.
    pub const GRAND: Self = Self::of(Verb::Grand, 0);
    /// Small Tichu is called.
    pub const TICHU: Self = Self::of(Verb::Tichu, 0);
    /// The trick is collected.
    pub const TAKE: Self = Self::of(Verb::Take, 0);

    const fn of(verb: Verb, operand: u64) -> Self {
        Self(((PASS_CODE + verb as u8 - Verb::Pass as u8) as u64) << OPERAND_BITS | operand)
    }

    /// Cards are laid.
    #[must_use]
    pub const fn play(play: Play) -> Self {
        Self((play.place() as u64) << OPERAND_BITS | play.cards().mask())
    }

    /// A card is given away before the round.
    #[must_use]
    pub const fn give(card: Cards) -> Self {
        Self::of(Verb::Give, card.mask())
    }

    /// A value is wished for.
    #[must_use]
    pub const fn wish(value: u8) -> Self {
        Self::of(Verb::Wish, value as u64)
    }

    /// The trick won with the dragon is given to a seat.
    #[must_use]
    pub const fn dragon(seat: u8) -> Self {
        Self::of(Verb::Dragon, seat as u64)
    }

    /// The number of the verb, or for laid cards that of their combination.
    #[must_use]
    pub const fn code(self) -> u8 {
        (self.0 >> OPERAND_BITS) as u8
    }

    /// What the move does.
    #[must_use]
    pub const fn verb(self) -> Verb {
        match self.code().checked_sub(PASS_CODE) {
            Some(verb) => VERBS[verb as usize],
            None => Verb::Play,
        }
    }

    /// The cards that are laid or given away.
    #[must_use]
    pub const fn cards(self) -> Cards {
        match self.verb() {
            Verb::Play | Verb::Give => Cards::masked(self.0),
            _ => Cards::EMPTY,
        }
    }

    /// As what the cards are laid; passing for every other verb.
    #[must_use]
    pub const fn combination(self) -> Combination {
        match self.verb() {
            Verb::Play => super::combinations::ALL[self.code() as usize],
            _ => Combination::PASS,
        }
    }

    /// The value wished for, or the seat that gets the trick; 0 for every other verb.
    #[must_use]
    pub const fn operand(self) -> u8 {
        match self.verb() {
            Verb::Wish | Verb::Dragon => (self.0 & OPERAND) as u8,
            _ => 0,
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.verb().name())?;
        match self.verb() {
            Verb::Play | Verb::Give => write!(f, " {}", self.cards()),
            Verb::Wish | Verb::Dragon => write!(f, " {}", self.operand()),
            Verb::Pass | Verb::Grand | Verb::Tichu | Verb::Take => Ok(()),
        }
    }
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(text) => write!(f, "'{text}' is no move of Tichu."),
            Self::Cards(error) => error.fmt(f),
            Self::NoCombination(cards) => write!(f, "The cards '{cards}' form no combination."),
        }
    }
}

impl std::error::Error for MoveError {}

impl FromStr for Move {
    type Err = MoveError;

    fn from_str(text: &str) -> Result<Self, MoveError> {
        let (verb, operands) = text.split_once(' ').unwrap_or((text, ""));
        let unknown = || MoveError::Unknown(text.chars().take(60).collect());
        let read = || operands.parse::<Cards>().map_err(MoveError::Cards);
        let number = || operands.parse::<u8>().ok().filter(|number| number.to_string() == operands).ok_or_else(unknown);
        match (verb, operands) {
            ("pass", "") => Ok(Self::PASS),
            ("grand", "") => Ok(Self::GRAND),
            ("tichu", "") => Ok(Self::TICHU),
            ("take", "") => Ok(Self::TAKE),
            ("play", _) => {
                let cards = read()?;
                classify(cards)
                    .filter(|as_what| *as_what != Combination::PASS)
                    .map(|as_what| Self::play(Play::new(cards, as_what)))
                    .ok_or(MoveError::NoCombination(cards))
            }
            ("give", _) => Some(read()?).filter(|cards| cards.len() == 1).map(Self::give).ok_or_else(unknown),
            ("wish", _) => Some(number()?).filter(|value| (2..=14).contains(value)).map(Self::wish).ok_or_else(unknown),
            ("dragon", _) => Some(number()?).filter(|&seat| seat < 4).map(Self::dragon).ok_or_else(unknown),
            _ => Err(unknown()),
        }
    }
}

/// What a seat in turn may do: pass where that is allowed, lay cards, and last call small Tichu; the safest first.
#[must_use]
pub fn in_turn(hand: &Hand, trick: Combination, wish: Wish, may_call: bool) -> Vec<Move> {
    let mut plays = Vec::with_capacity(64);
    hand.push_plays(trick, wish, &mut plays);
    with_call(plays, may_call)
}

/// What a seat may do while it is not asked: throw a bomb that beats the trick, call small Tichu.
#[must_use]
pub fn interrupts(hand: &Hand, trick: Combination, may_call: bool) -> Vec<Move> {
    let mut plays = Vec::new();
    hand.push_bombs_on(trick, &mut plays);
    with_call(plays, may_call)
}

fn with_call(mut plays: Vec<Play>, may_call: bool) -> Vec<Move> {
    put_safest_first(&mut plays);
    let mut moves: Vec<Move> = plays.into_iter().map(Move::play).collect();
    if may_call {
        moves.push(Move::TICHU);
    }
    moves
}

/// The cards of a hand to be given away: suited ones first, the lowest first, then the special ones.
#[must_use]
pub fn gives(hand: Cards) -> Vec<Move> {
    let lowest_first = |cards: Cards| {
        let mut cards: Vec<Cards> = cards.iter().collect();
        cards.reverse();
        cards
    };
    let special = hand.minus(Cards::SUITED);
    lowest_first(hand.intersection(Cards::SUITED)).into_iter().chain(lowest_first(special)).map(Move::give).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(moves: &[Move]) -> Vec<String> {
        moves.iter().map(ToString::to_string).collect()
    }

    fn hand(text: &str) -> Hand {
        Hand::new(text.parse().unwrap()).unwrap()
    }

    #[test]
    fn every_move_reads_back_from_its_text() {
        let mut moves = vec![Move::PASS, Move::GRAND, Move::TICHU, Move::TAKE];
        moves.extend((2..=14).map(Move::wish).chain((0..4).map(Move::dragon)));
        moves.extend(gives(Cards::DECK));
        moves.extend(in_turn(&hand("Ph Dr SA BA GA S5 S4 S3 S2 Ma Hu"), Combination::PASS, Wish::NONE, true));
        for each in moves {
            assert_eq!(each.to_string().parse(), Ok(each));
        }
    }

    #[test]
    fn the_safest_moves_come_first_and_the_call_last() {
        let trick = Combination::new(1, 1, 9).unwrap();
        let moves = in_turn(&hand("RA BZ S7 S2 B2 G2 R2"), trick, Wish::NONE, true);
        assert_eq!(texts(&moves), ["pass", "play BZ", "play RA", "play R2 G2 B2 S2", "tichu"]);
        let moves = interrupts(&hand("RA BZ S2 B2 G2 R2"), trick, false);
        assert_eq!(texts(&moves), ["play R2 G2 B2 S2"]);
        assert_eq!(texts(&gives("Dr RA S2 Hu".parse().unwrap())), ["give S2", "give RA", "give Hu", "give Dr"]);
    }

    #[test]
    fn a_text_that_is_no_move_is_named() {
        for text in ["", "pass now", "wish 1", "wish 010", "wish x", "dragon 4", "give S2 B2", "lay S2", "play "] {
            assert!(text.parse::<Move>().is_err(), "{text}");
        }
        let error = "play S2 B3".parse::<Move>().unwrap_err();
        assert_eq!(error.to_string(), "The cards 'B3 S2' form no combination.");
        assert_eq!("play XX".parse::<Move>().unwrap_err().to_string(), "There is no card 'XX'.");
    }
}
