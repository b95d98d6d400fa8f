//! Hands without a given combination: automata that read the number of cards of each value.
//!
//! An automaton reads the values one after the other, in the order of a [`Walk`](super::walk::Walk), and dies as soon
//! as the cards read so far contain the combination in question. It reads only the *active* values, those that can take
//! part in a combination of a suitable rank; each of its states then says how many cards the remaining values may have.

use crate::tichu::cards::{ACE, PHOENIX_VALUE};
use crate::tichu::combinations::{Combination, Kind};

/// The combinations of the same type and length to search for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Search {
    /// Those of higher rank.
    Higher,
    /// Those of lower rank.
    Lower,
}

/// The state of an automaton; its meaning is private to the automaton.
pub type State = u8;
/// The initial state of each automaton.
pub const BEGIN: State = 0;
/// The state at the end of a [`Jump`](super::walk::Jump) over a one-suit street: a value without cards must follow.
pub const LANDED: State = State::MAX;
/// Any number of cards of a value.
pub const ANY: u8 = 4;

/// An automaton that finds combinations of one type and length.
pub struct Automaton {
    forbidden: Forbidden,
    fours: bool,
}

/// The condition under which an automaton dies.
enum Forbidden {
    /// More cards of an active value.
    MoreThan(u8),
    /// This number of adjacent values with `need` cards each. A state is the length of the last run.
    Run { length: u8, need: u8 },
    /// The same, with the phoenix as one of the cards. A state is the length of the last run without the phoenix, and
    /// sixteen times that with it, which is never shorter.
    RunWithPhoenix { length: u8, need: u8, phoenix_may_be_first: bool },
    /// A triple among the active values and a pair of any other value.
    FullHouse,
    /// The same, with the phoenix as one of the five cards; an inactive value may have this number of cards beside an
    /// active pair.
    FullHouseWithPhoenix { beside_pair: u8 },
}

const DEAD: State = State::MAX;
/// Next states by number of cards: no pair yet; a pair but no triple; one triple and never a pair.
const FULL_HOUSE: [[State; 5]; 3] = [[0, 0, 1, 2, 2], [1, 1, 1, DEAD, DEAD], [2, 2, DEAD, DEAD, DEAD]];
/// Next states by number of cards: nothing yet; single cards; single cards and one pair; only one triple or four.
const FULL_HOUSE_WITH_PHOENIX: [[State; 5]; 4] =
    [[0, 1, 2, 3, 3], [1, 1, 2, DEAD, DEAD], [2, 2, DEAD, DEAD, DEAD], [3, DEAD, DEAD, DEAD, DEAD]];

impl Automaton {
    /// Returns the automaton that dies of a combination of this type and length, in hands with or without the phoenix.
    pub fn against(combination: Combination, phoenix: bool, search: Search) -> Self {
        let (length, higher) = (combination.length, search == Search::Higher);
        let forbidden = match (combination.kind, phoenix) {
            (Kind::Pass, _) => Forbidden::MoreThan(ANY),
            (Kind::Single, _) | (Kind::Pair, true) => Forbidden::MoreThan(0),
            (Kind::Pair, false) | (Kind::Triple, true) => Forbidden::MoreThan(1),
            (Kind::Triple, false) => Forbidden::MoreThan(2),
            (Kind::Bomb, _) => Forbidden::MoreThan(3),
            (Kind::Stair, false) => Forbidden::Run { length: length / 2, need: 2 },
            (Kind::Stair, true) => {
                Forbidden::RunWithPhoenix { length: length / 2, need: 2, phoenix_may_be_first: true }
            }
            (Kind::FullHouse, false) => Forbidden::FullHouse,
            (Kind::FullHouse, true) => Forbidden::FullHouseWithPhoenix { beside_pair: if higher { 1 } else { ANY } },
            (Kind::Street, false) => Forbidden::Run { length, need: 1 },
            // As the lowest card of a street, the phoenix would rather be its highest, and the street would no longer
            // be lower.
            (Kind::Street, true) => Forbidden::RunWithPhoenix { length, need: 1, phoenix_may_be_first: higher },
        };
        Self { forbidden, fours: true }
    }

    /// Returns the same automaton with four cards of one value forbidden as well.
    pub fn without_fours(self) -> Self {
        Self { fours: false, ..self }
    }

    /// Returns the state after a value with this number of cards, if the automaton survives it.
    ///
    /// States that no longer differ when only `left` active values remain are merged.
    pub fn next(&self, state: State, count: u8, left: u8) -> Option<State> {
        if count == 4 && !self.fours {
            return None;
        }
        if state == LANDED {
            return (count == 0).then_some(BEGIN);
        }
        match self.forbidden {
            Forbidden::MoreThan(most) => (count <= most).then_some(BEGIN),
            Forbidden::Run { length, need } => {
                let run = if count >= need { state + 1 } else { 0 };
                (run < length).then(|| if run + left < length { BEGIN } else { run })
            }
            Forbidden::RunWithPhoenix { length, need, phoenix_may_be_first } => {
                let (plain, patched) = (state % 16, state / 16);
                let (plain, patched) = if count >= need {
                    (plain + 1, patched + 1)
                } else if count + 1 == need && (plain > 0 || phoenix_may_be_first) {
                    (0, plain + 1)
                } else {
                    (0, 0)
                };
                let hopeful = |run: u8| if run + left < length { 0 } else { run };
                (patched < length).then(|| 16 * hopeful(patched) + hopeful(plain))
            }
            Forbidden::FullHouse => alive(FULL_HOUSE[usize::from(state)][usize::from(count)]),
            Forbidden::FullHouseWithPhoenix { .. } => {
                alive(FULL_HOUSE_WITH_PHOENIX[usize::from(state)][usize::from(count)])
            }
        }
    }

    /// Returns how many cards each inactive value may have.
    pub fn rest(&self, state: State) -> u8 {
        let rest = match (&self.forbidden, state) {
            (Forbidden::FullHouse, 2) => 1,
            (Forbidden::FullHouseWithPhoenix { beside_pair }, 2) => *beside_pair,
            (Forbidden::FullHouseWithPhoenix { .. }, 3) => 0,
            _ => ANY,
        };
        if self.fours { rest } else { rest.min(3) }
    }
}

fn alive(state: State) -> Option<State> {
    (state != DEAD).then_some(state)
}

/// Returns how many values, from the ace down, can take part in a combination that tops this one, which is not the dog.
pub fn active_above(combination: Combination) -> usize {
    let span = match combination.kind {
        Kind::Stair => combination.length / 2,
        Kind::Street => combination.length,
        _ => 1,
    };
    match combination.rank {
        // A phoenix that was led ranks 1.
        PHOENIX_VALUE => usize::from(ACE - 1),
        ACE.. => 0,
        rank => usize::from(ACE - 1 - rank + span),
    }
}
