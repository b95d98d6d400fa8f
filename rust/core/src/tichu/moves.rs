//! The moves of a Tichu game, each in one word, and their texts.
//!
//! The rules decide when a move is legal. This module only defines the moves and their texts, and lists the plays of a
//! seat, the safest first.

use super::cards::{Cards, CardsError};
use super::classify::classify;
use super::combinations::{COUNT, Combination};
use super::hand::{Hand, Wish};
use super::plays::{Play, put_safest_first};
use super::shape::bits;
use std::fmt;
use std::str::FromStr;

/// A move: the number of the verb, or the code of the combination for laid cards, above 56 bits of operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(u64);

/// The verb of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// Lay cards.
    Play,
    /// Pass, or call no Grand Tichu.
    Pass,
    /// Call Grand Tichu.
    Grand,
    /// Call small Tichu.
    Tichu,
    /// Give a card away before the round.
    Give,
    /// Wish for a value.
    Wish,
    /// Collect the trick.
    Take,
    /// Give the trick won with the dragon to a seat.
    Dragon,
}

impl Verb {
    /// Returns the word at the beginning of the move's text.
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

/// The reason why a text is not a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveError {
    /// The text does not begin with a verb of this game, or its verb takes no such operands.
    Unknown(String),
    /// The cards are invalid.
    Cards(CardsError),
    /// The cards do not form a combination.
    NoCombination(Cards),
}

const OPERAND_BITS: u32 = 56;
const OPERAND: u64 = (1 << OPERAND_BITS) - 1;
/// The verbs without cards follow all combinations, of which passing is the last.
const VERBS: [Verb; 7] = [Verb::Pass, Verb::Grand, Verb::Tichu, Verb::Give, Verb::Wish, Verb::Take, Verb::Dragon];
/// The code of passing; lower codes are laid cards.
pub const PASS_CODE: u8 = COUNT as u8 - 1;

impl Move {
    /// Passing, or no call of Grand Tichu.
    pub const PASS: Self = Self::of(Verb::Pass, 0);
    /// The call of Grand Tichu.
    pub const GRAND: Self = Self::of(Verb::Grand, 0);
    /// The call of small Tichu.
    pub const TICHU: Self = Self::of(Verb::Tichu, 0);
    /// Collecting the trick.
    pub const TAKE: Self = Self::of(Verb::Take, 0);

    const fn of(verb: Verb, operand: u64) -> Self {
        Self(((PASS_CODE + verb as u8 - Verb::Pass as u8) as u64) << OPERAND_BITS | operand)
    }

    /// Returns the move that lays cards.
    #[must_use]
    pub const fn play(play: Play) -> Self {
        Self((play.place() as u64) << OPERAND_BITS | play.cards().mask())
    }

    /// Returns the play of this move; passing for every verb that lays no cards.
    #[must_use]
    pub const fn as_play(self) -> Play {
        match self.verb() {
            Verb::Play => Play::at(self.code(), self.cards().mask()),
            _ => Play::PASS,
        }
    }

    /// Returns the move that gives a card away before the round.
    #[must_use]
    pub const fn give(card: Cards) -> Self {
        Self::of(Verb::Give, card.mask())
    }

    /// Returns the move that wishes for a value.
    #[must_use]
    pub const fn wish(value: u8) -> Self {
        Self::of(Verb::Wish, value as u64)
    }

    /// Returns the move that gives the trick won with the dragon to a seat.
    #[must_use]
    pub const fn dragon(seat: u8) -> Self {
        Self::of(Verb::Dragon, seat as u64)
    }

    /// Returns the number of the verb, or the code of the combination for laid cards.
    #[must_use]
    pub const fn code(self) -> u8 {
        (self.0 >> OPERAND_BITS) as u8
    }

    /// Returns the verb.
    #[must_use]
    pub const fn verb(self) -> Verb {
        match self.code().checked_sub(PASS_CODE) {
            Some(verb) => VERBS[verb as usize],
            None => Verb::Play,
        }
    }

    /// Returns the cards that are laid or given away.
    #[must_use]
    pub const fn cards(self) -> Cards {
        match self.verb() {
            Verb::Play | Verb::Give => Cards::masked(self.0),
            _ => Cards::EMPTY,
        }
    }

    /// Returns the combination of the laid cards; passing for every other verb.
    #[must_use]
    pub const fn combination(self) -> Combination {
        match self.verb() {
            Verb::Play => super::combinations::ALL[self.code() as usize],
            _ => Combination::PASS,
        }
    }

    /// Returns the value of the wish, or the recipient of the trick; 0 for every other verb.
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

/// Appends the moves of a seat in turn: pass if legal, lay cards, and last call small Tichu; the safest first.
pub fn push_in_turn(hand: &Hand, trick: Combination, wish: Wish, may_call: bool, moves: &mut Vec<Move>) {
    push(moves, may_call, |plays| hand.push_plays(trick, wish, plays));
}

/// Appends the moves of a seat out of turn: throw a bomb that beats the trick, call small Tichu.
pub fn push_interrupts(hand: &Hand, trick: Combination, may_call: bool, moves: &mut Vec<Move>) {
    push(moves, may_call, |plays| hand.push_bombs_on(trick, plays));
}

/// Appends plays, the safest first, and then the call.
fn push(moves: &mut Vec<Move>, may_call: bool, list: impl FnOnce(&mut Vec<Play>)) {
    let first = moves.len();
    // Plays and moves are words of the same bits, so that collecting one from the other keeps the memory.
    let as_play = |each: Move| Play::at(each.code(), each.0 & OPERAND);
    let mut plays: Vec<Play> = std::mem::take(moves).into_iter().map(as_play).collect();
    list(&mut plays);
    put_safest_first(&mut plays[first..]);
    *moves = plays.into_iter().map(Move::play).collect();
    if may_call {
        moves.push(Move::TICHU);
    }
}

/// Appends the moves that give a card of a hand away: suited ones first, the lowest first, then the special ones.
pub fn push_gives(hand: Cards, moves: &mut Vec<Move>) {
    let special = hand.minus(Cards::SUITED);
    let cards = bits(hand.intersection(Cards::SUITED).mask()).chain(bits(special.mask()));
    moves.extend(cards.map(|card| Move::of(Verb::Give, card)));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the texts of the moves that are appended behind others.
    fn texts(list: impl FnOnce(&mut Vec<Move>)) -> Vec<String> {
        let mut moves = vec![Move::wish(9)];
        list(&mut moves);
        assert_eq!(moves[0], Move::wish(9));
        moves[1..].iter().map(ToString::to_string).collect()
    }

    fn hand(text: &str) -> Hand {
        Hand::new(text.parse().unwrap()).unwrap()
    }

    #[test]
    fn every_move_reads_back_from_its_text() {
        let mut moves = vec![Move::PASS, Move::GRAND, Move::TICHU, Move::TAKE];
        moves.extend((2..=14).map(Move::wish).chain((0..4).map(Move::dragon)));
        push_gives(Cards::DECK, &mut moves);
        push_in_turn(&hand("Ph Dr SA BA GA S5 S4 S3 S2 Ma Hu"), Combination::PASS, Wish::NONE, true, &mut moves);
        for each in moves {
            assert_eq!(each.to_string().parse(), Ok(each));
        }
    }

    #[test]
    fn the_safest_moves_come_first_and_the_call_last() {
        let trick = Combination::new(1, 1, 9).unwrap();
        let found = texts(|moves| push_in_turn(&hand("RA BZ S7 S2 B2 G2 R2"), trick, Wish::NONE, true, moves));
        assert_eq!(found, ["pass", "play BZ", "play RA", "play R2 G2 B2 S2", "tichu"]);
        let found = texts(|moves| push_interrupts(&hand("RA BZ S2 B2 G2 R2"), trick, false, moves));
        assert_eq!(found, ["play R2 G2 B2 S2"]);
        let found = texts(|moves| push_gives("Dr RA S2 Hu".parse().unwrap(), moves));
        assert_eq!(found, ["give S2", "give RA", "give Hu", "give Dr"]);
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
