//! The policies that decide for the seats of a playout: fast, and based only on a seat's knowledge.

mod appraisal;
mod calls;
mod chances;
mod common;
mod greedy;
mod heuristic;
mod pieces;
mod random;
mod style;
mod weighing;

use std::fmt;
use std::str::FromStr;

use super::moves::Move;
use super::round::{NOBODY, Phase, Round, Seats, at, each, next};
use crate::random::Random;

pub use self::calls::Calls;
pub(super) use self::common::Sight;
pub use self::greedy::GreedyPolicy;
pub(super) use self::heuristic::Weighed;
pub use self::heuristic::{GRAND_ACE, Heuristic, HeuristicPolicy, grand_promise};
pub use self::random::RandomPolicy;
pub use self::style::{Style, is_too_late};
pub use self::weighing::{Known, OUT};

/// Decides for a team in one playout after the other.
pub trait Policy: Send {
    /// Forgets the last playout.
    fn start(&mut self) {}

    /// Returns the move of an awaited seat.
    fn decide(&mut self, round: &Round, seat: u8, random: &mut Random) -> Move;

    /// Returns the bomb that a seat throws out of turn, if any; it is not yet known whether a bomb beats the trick.
    fn interrupt(&mut self, round: &Round, seat: u8, random: &mut Random) -> Option<Move>;
}

/// The policies by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyName {
    /// Any legal move; no calls.
    Random,
    /// The lowest cards first, in the longest combination at hand; no calls.
    Greedy,
    /// The heuristic agent's play with estimated odds and prices that last for some tricks.
    Quick,
    /// The heuristic agent's play with estimated odds.
    Heuristic,
    /// The heuristic agent's play with its exact odds.
    Exact,
}

impl PolicyName {
    /// All policies, the fastest first.
    pub const ALL: [Self; 5] = [Self::Random, Self::Greedy, Self::Quick, Self::Heuristic, Self::Exact];

    /// Returns the name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Greedy => "greedy",
            Self::Quick => "quick",
            Self::Heuristic => "heuristic",
            Self::Exact => "exact",
        }
    }

    /// Creates a policy of this name.
    #[must_use]
    pub fn policy(self) -> Box<dyn Policy> {
        match self {
            Self::Random => Box::<RandomPolicy>::default(),
            Self::Greedy => Box::<GreedyPolicy>::default(),
            Self::Quick => Box::new(HeuristicPolicy::quick()),
            Self::Heuristic => Box::new(HeuristicPolicy::new(false)),
            Self::Exact => Box::new(HeuristicPolicy::new(true)),
        }
    }
}

/// The name is not that of a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoPolicy(pub String);

impl fmt::Display for NoPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = PolicyName::ALL.map(PolicyName::name).join(", ");
        write!(f, "There is no policy '{}', only: {names}.", self.0)
    }
}

impl std::error::Error for NoPolicy {}

impl FromStr for PolicyName {
    type Err = NoPolicy;

    fn from_str(text: &str) -> Result<Self, NoPolicy> {
        Self::ALL.into_iter().find(|policy| policy.name() == text).ok_or_else(|| NoPolicy(text.into()))
    }
}

/// Plays a round to its end; the first policy decides for seats 0 and 2, the second for seats 1 and 3.
///
/// Before an awaited seat is asked, all others with a bomb are asked; before the first move, those in `silent` are not.
pub fn finish<P: Policy + ?Sized>(round: &mut Round, teams: &mut [Box<P>; 2], random: &mut Random, silent: Seats) {
    finish_watched(round, teams, random, silent, |_, _, _| ());
}

/// Plays a round to its end like [`finish`], and calls a function with each move that is about to be made.
pub(super) fn finish_watched<P: Policy + ?Sized>(
    round: &mut Round,
    teams: &mut [Box<P>; 2],
    random: &mut Random,
    silent: Seats,
    mut watch: impl FnMut(&Round, u8, Move),
) {
    let mut heard = !silent;
    for team in teams.iter_mut() {
        team.start();
    }
    'moves: while round.phase != Phase::Over {
        let seat = if round.turn == NOBODY { next(round.awaited, 3) } else { round.turn };
        let others = round.bombers & heard & !(1 << at(seat));
        heard = Seats::MAX;
        if others != 0 {
            for other in each(others).filter(|&other| round.may_bomb(other)) {
                if let Some(bomb) = teams[usize::from(other % 2)].interrupt(round, other, random) {
                    watch(round, other, bomb);
                    round.make(other, bomb);
                    continue 'moves;
                }
            }
        }
        let chosen = teams[usize::from(seat % 2)].decide(round, seat, random);
        watch(round, seat, chosen);
        round.make(seat, chosen);
    }
}

/// Returns a policy's move for a seat; none if the seat is not awaited and keeps silent.
#[must_use]
pub fn decide(round: &Round, seat: u8, policy: PolicyName, random: &mut Random) -> Option<Move> {
    let mut policy = policy.policy();
    if round.awaited() >> seat & 1 == 1 {
        return Some(policy.decide(round, seat, random));
    }
    if round.may_bomb(seat) { policy.interrupt(round, seat, random) } else { None }
}
