//! What a hand may hold without holding a combination: automata that read how many cards of each value it has.
//!
//! An automaton reads the values one after the other, in the order of a [`Walk`](super::walk::Walk), and dies as soon
//! as the cards read so far hold the combination in question. It reads only the *active* values, those that can take
//! part in a combination of a fitting rank; each of its states then says how many cards the remaining values may have.

use crate::tichu::cards::{ACE, PHOENIX_VALUE};
use crate::tichu::combinations::{Combination, Kind};

/// On which side of a combination the others of its type and length are looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Those that rank higher.
    Above,
    /// Those that rank lower.
    Below,
}

/// The state that no hand leaves: it holds the combination.
pub const DEAD: u8 = u8::MAX;
/// As many cards of a value as there are.
pub const ANY: u8 = 4;

/// How many values a combination of this type and length spans where that matters.
const fn span(combination: Combination) -> u8 {
    match combination.kind {
        Kind::Stair => combination.length / 2,
        Kind::Street => combination.length,
        _ => 1,
    }
}

/// How many values, from the ace down, can take part in a combination that tops this one.
pub fn active_above(combination: Combination) -> usize {
    match combination.rank {
        PHOENIX_VALUE => active_above(Combination { rank: 1, ..combination }),
        ACE.. => 0,
        rank => usize::from(ACE - 1 - rank + span(combination)),
    }
}

/// An automaton that starts in state 0.
pub struct Automaton {
    /// For each state the next one, by the number of cards of the value that is read.
    steps: Vec<[u8; 5]>,
    /// For each state how many cards each value may have that is not active.
    rest: Vec<u8>,
}

impl Automaton {
    /// The automaton that dies of a combination of this type and length, in hands with or without the phoenix.
    pub fn against(combination: Combination, phoenix: bool, side: Side) -> Self {
        let above = side == Side::Above;
        match (combination.kind, phoenix) {
            (Kind::Pass, _) => Self::at_most(ANY),
            (Kind::Single, _) | (Kind::Pair, true) => Self::at_most(0),
            (Kind::Pair, false) | (Kind::Triple, true) => Self::at_most(1),
            (Kind::Triple, false) => Self::at_most(2),
            (Kind::Bomb, _) => Self::at_most(3),
            (Kind::Stair, false) => Self::no_run(combination.length / 2, 2),
            (Kind::Stair, true) => Self::no_run_with_phoenix(combination.length / 2, 2, true),
            (Kind::FullHouse, false) => Self::no_full_house(),
            (Kind::FullHouse, true) => Self::no_full_house_with_phoenix(if above { 1 } else { ANY }),
            (Kind::Street, false) => Self::no_run(combination.length, 1),
            // The phoenix as the lowest of a street would rather be its highest, and the street no longer a lower one.
            (Kind::Street, true) => Self::no_run_with_phoenix(combination.length, 1, above),
        }
    }

    /// Each active value has at most so many cards.
    pub fn at_most(limit: u8) -> Self {
        let step = std::array::from_fn(|count| if count <= usize::from(limit) { 0 } else { DEAD });
        Self { steps: vec![step], rest: vec![ANY] }
    }

    /// No `length` neighbouring values have `need` cards each.
    pub fn no_run(length: u8, need: u8) -> Self {
        let steps = (0..length)
            .map(|run| {
                let longer = if run + 1 == length { DEAD } else { run + 1 };
                std::array::from_fn(|count| if count >= usize::from(need) { longer } else { 0 })
            })
            .collect();
        Self { steps, rest: vec![ANY; usize::from(length)] }
    }

    /// No `length` neighbouring values have `need` cards each, where one card more may be thought of.
    ///
    /// Unless it may stand first, that card never counts for the first value of a run.
    pub fn no_run_with_phoenix(length: u8, need: u8, may_stand_first: bool) -> Self {
        // A state is the length of the run read last without the phoenix and with it, which is never shorter.
        let index = |plain: u8, patched: u8| patched * (patched + 1) / 2 + plain;
        let step = |plain: u8, patched: u8, count: u8| match count + 1 {
            enough if enough > need => (plain + 1, patched + 1),
            one_short if one_short == need && (plain > 0 || may_stand_first) => (0, plain + 1),
            _ => (0, 0),
        };
        let mut steps = Vec::new();
        for patched in 0..length {
            for plain in 0..=patched {
                steps.push(std::array::from_fn(|count| match step(plain, patched, count as u8) {
                    (_, patched) if patched == length => DEAD,
                    (plain, patched) => index(plain, patched),
                }));
            }
        }
        let rest = vec![ANY; steps.len()];
        Self { steps, rest }
    }

    /// No triple among the active values goes with a pair of any other value.
    pub fn no_full_house() -> Self {
        Self {
            // No pair yet; a pair but no triple; one triple and never a pair.
            steps: vec![[0, 0, 1, 2, 2], [1, 1, 1, DEAD, DEAD], [2, 2, DEAD, DEAD, DEAD]],
            rest: vec![ANY, ANY, 1],
        }
    }

    /// No triple among the active values goes with a pair of any other value, the phoenix being one of the five cards.
    ///
    /// It makes a full house of two pairs too; `beside_pair` says how many cards of a value that is not active may go
    /// with an active pair without making a fitting one.
    pub fn no_full_house_with_phoenix(beside_pair: u8) -> Self {
        Self {
            // Nothing yet; single cards only; single cards and one pair; three or four of one value and nothing else.
            steps: vec![[0, 1, 2, 3, 3], [1, 1, 2, DEAD, DEAD], [2, 2, DEAD, DEAD, DEAD], [3, DEAD, DEAD, DEAD, DEAD]],
            rest: vec![ANY, ANY, beside_pair, 0],
        }
    }

    /// A further state that is only ever entered by a jump: it wants a value without cards next, then starts anew.
    pub fn with_landing(mut self) -> Self {
        self.steps.push([0, DEAD, DEAD, DEAD, DEAD]);
        self.rest.push(ANY);
        self
    }

    /// The same, but four cards of one value are as forbidden as the combination itself.
    pub fn without_fours(mut self) -> Self {
        for step in &mut self.steps {
            step[4] = DEAD;
        }
        for limit in &mut self.rest {
            *limit = (*limit).min(3);
        }
        self
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// The state after a value with so many cards.
    pub fn next(&self, state: usize, count: usize) -> Option<usize> {
        match self.steps[state][count] {
            DEAD => None,
            next => Some(usize::from(next)),
        }
    }

    /// How many cards each value that is not active may have.
    pub fn rest(&self, state: usize) -> u8 {
        self.rest[state]
    }
}
