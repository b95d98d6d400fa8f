//! The exact probability that a hidden hand can top a combination: counted, neither sampled nor bounded.
//!
//! The hidden hand is any hand of a given size from the unseen cards, each equally likely. The module counts the hands
//! with *nothing* suitable: those with and without the phoenix separately, each by an automaton that reads the values
//! one after the other (`automaton`, `walk`).

mod anything;
mod automaton;
mod holds;
mod same_kind;
mod suit_streets;
mod walk;

use std::fmt;

use self::automaton::Search;
use super::cards::Cards;
use super::combinations::{COUNT, Combination, Impossible, Kind};
use super::hand::HAND_SIZE;

/// The reason why odds are undefined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OddsError {
    /// No hand has this number of cards.
    TooLarge(u32),
    /// There are not enough unseen cards.
    TooFewUnseen {
        /// The number of cards of the hidden hand.
        size: u32,
        /// The number of unseen cards.
        unseen: u32,
    },
    /// Passing is not a combination to top.
    Pass,
    /// No cards form the combination.
    Impossible(Impossible),
}

impl fmt::Display for OddsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge(size) => write!(f, "A hand has 0 to {HAND_SIZE} cards, not {size}."),
            Self::TooFewUnseen { size, unseen } => {
                write!(f, "A hand of {size} cards cannot come from {unseen} unseen cards.")
            }
            Self::Pass => write!(f, "Passing is no combination that could be topped."),
            Self::Impossible(impossible) => impossible.fmt(f),
        }
    }
}

impl std::error::Error for OddsError {}

/// Returns the probability that a hand of `size` cards holds a combination of the same type and length that tops this
/// one; against a bomb also a longer bomb.
///
/// # Errors
/// The size of the hand or the combination is invalid.
pub fn higher(unseen: Cards, size: u32, lying: Combination) -> Result<f64, OddsError> {
    check(unseen, size, lying)?;
    if lying == Combination::DOG || lying.kind == Kind::Bomb {
        return beats(unseen, size, lying);
    }
    Ok(share(unseen, size, same_kind::hands_without(unseen, size as usize, lying, Search::Higher)))
}

/// Returns the probability that none of several hidden hands can top a combination with its own type, each hand
/// considered separately.
///
/// # Errors
/// The size of a hand or the combination is invalid.
pub fn holds(unseen: Cards, sizes: &[u32], lying: Combination) -> Result<f64, OddsError> {
    let mut last = (0, 1.0);
    sizes.iter().try_fold(1.0, |holds, &size| {
        if size != last.0 {
            last = (size, 1.0 - higher(unseen, size, lying)?);
        }
        Ok(holds * last.1)
    })
}

/// Returns [`holds`] for several combinations in order, counted together.
///
/// # Errors
/// The size of a hand or a combination is invalid.
pub fn holds_each(unseen: Cards, sizes: &[u32], lying: &[Combination]) -> Result<Vec<f64>, OddsError> {
    let mut ranks = Ranks::default();
    for &combination in lying {
        check(unseen, 0, combination)?;
        ranks.add(combination);
    }
    let mut found = [0.0; COUNT];
    each_holds(unseen, sizes, &ranks, |place, holds| found[usize::from(place)] = holds)?;
    let of = |&combination: &Combination| match combination.kind {
        Kind::Bomb => holds(unseen, sizes, combination),
        _ => Ok(found[usize::from(combination.place())]),
    };
    lying.iter().map(of).collect()
}

/// The ranks of combinations as bits, by type and length.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ranks([[u32; 15]; 8]);

impl Ranks {
    /// Adds a combination.
    pub const fn add(&mut self, Combination { kind, length, rank }: Combination) {
        self.0[kind as usize][length as usize] |= 1 << rank;
    }

    /// Calls a function with each combination.
    pub fn each(&self, mut call: impl FnMut(Combination)) {
        for kind in [Kind::Single, Kind::Pair, Kind::Triple, Kind::FullHouse, Kind::Stair, Kind::Street] {
            self.each_of(kind, 1, &mut call);
        }
    }

    /// Calls a function with each combination of a type of this number of cards or more.
    fn each_of(&self, kind: Kind, shortest: usize, call: &mut impl FnMut(Combination)) {
        for (length, &ranks) in self.0[kind as usize].iter().enumerate().skip(shortest) {
            for rank in holds::bits(ranks) {
                call(Combination { kind, length: length as u8, rank });
            }
        }
    }
}

/// Calls a function with the code of each combination of some ranks, bombs left out, and [`holds`] for it.
///
/// # Errors
/// The size of a hand is invalid.
pub(super) fn each_holds(
    unseen: Cards,
    sizes: &[u32],
    ranks: &Ranks,
    mut tell: impl FnMut(u8, f64),
) -> Result<(), OddsError> {
    for &size in sizes {
        check(unseen, size, Combination::DOG)?;
    }
    let shortest = sizes.iter().max().map_or(0, |&size| size as usize + 1);
    for kind in [Kind::Stair, Kind::Street] {
        // Nobody has as many cards.
        ranks.each_of(kind, shortest, &mut |combination| tell(combination.place(), 1.0));
    }
    holds::each_hands_without(unseen, sizes, ranks, |combination, hands| {
        let (mut found, mut last) = (1.0, (None, 1.0));
        for (place, &size) in sizes.iter().enumerate() {
            if last.0 != Some(size) {
                let all = holds::choose(unseen.len() as usize, size as usize);
                last = (Some(size), 1.0 - (all - hands(place, size as usize)) / all);
            }
            found *= last.1;
        }
        tell(combination.place(), found);
    });
    Ok(())
}

/// Returns the probability that a hand of `size` cards holds anything that may be laid on this combination, including
/// bombs.
///
/// # Errors
/// The size of the hand or the combination is invalid.
pub fn beats(unseen: Cards, size: u32, lying: Combination) -> Result<f64, OddsError> {
    Ok(table(unseen, &[size], &[lying])?[0])
}

/// Returns the probability that a hand of `size` cards holds a combination of the same type and length that this one
/// tops.
///
/// # Errors
/// The size of the hand or the combination is invalid.
pub fn lower(unseen: Cards, size: u32, laid: Combination) -> Result<f64, OddsError> {
    check(unseen, size, laid)?;
    Ok(share(unseen, size, same_kind::hands_without(unseen, size as usize, laid, Search::Lower)))
}

/// Returns [`beats`] for several combinations in order, each for hands of all these sizes.
///
/// # Errors
/// The size of a hand or a combination is invalid.
pub fn table(unseen: Cards, sizes: &[u32], lying: &[Combination]) -> Result<Vec<f64>, OddsError> {
    for &size in sizes {
        check(unseen, size, Combination::DOG)?;
    }
    for &combination in lying {
        check(unseen, 0, combination)?;
    }
    Ok(anything::table(unseen, sizes, lying))
}

fn check(unseen: Cards, size: u32, combination: Combination) -> Result<(), OddsError> {
    if size > HAND_SIZE {
        return Err(OddsError::TooLarge(size));
    }
    if size > unseen.len() {
        return Err(OddsError::TooFewUnseen { size, unseen: unseen.len() });
    }
    if combination == Combination::PASS {
        return Err(OddsError::Pass);
    }
    let Combination { kind, length, rank } = combination;
    Combination::new(kind as u8, length, rank).map(|_| ()).map_err(OddsError::Impossible)
}

/// Returns the share of hands that hold something suitable, given the number of hands that hold nothing.
fn share(unseen: Cards, size: u32, nothing: f64) -> f64 {
    let all = choose(unseen.len(), size as usize);
    (all - nothing) / all
}

/// Returns the number of ways to choose `size` of these cards.
fn choose(cards: u32, size: usize) -> f64 {
    (0..size as u32).fold(1.0, |ways, chosen| ways * f64::from(cards.saturating_sub(chosen)) / f64::from(chosen + 1))
}
