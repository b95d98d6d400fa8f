//! How the seats of a playout decide: quickly, and by what a seat may know.

mod appraisal;
mod chances;
mod common;
mod greedy;
mod heuristic;
mod random;

use std::fmt;
use std::str::FromStr;

use super::moves::Move;
use super::round::{NOBODY, Phase, Round, Seats, at, each, next};
use crate::random::Random;

pub use self::greedy::GreedyPolicy;
pub use self::heuristic::HeuristicPolicy;
pub use self::random::RandomPolicy;

/// Decides for a team in one playout after the other.
pub trait Policy: Send {
    /// Forgets the last playout.
    fn start(&mut self) {}

    /// What a seat does that is awaited.
    fn decide(&mut self, round: &Round, seat: u8, random: &mut Random) -> Move;

    /// What a seat that holds a bomb throws out of turn, if anything; whether a bomb beats what lies is not known yet.
    fn interrupt(&mut self, round: &Round, seat: u8, random: &mut Random) -> Option<Move>;
}

/// The policies by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyName {
    /// Any legal move; calls nothing.
    Random,
    /// The lowest cards first, in the longest combination at hand; calls nothing.
    Greedy,
    /// The heuristic agent's play, its odds quickly estimated.
    Heuristic,
    /// The heuristic agent's play with its exact odds.
    Exact,
}

impl PolicyName {
    /// All of them, the quickest first.
    pub const ALL: [Self; 4] = [Self::Random, Self::Greedy, Self::Heuristic, Self::Exact];

    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Greedy => "greedy",
            Self::Heuristic => "heuristic",
            Self::Exact => "exact",
        }
    }

    /// A policy of this name.
    #[must_use]
    pub fn policy(self) -> Box<dyn Policy> {
        match self {
            Self::Random => Box::<RandomPolicy>::default(),
            Self::Greedy => Box::<GreedyPolicy>::default(),
            Self::Heuristic => Box::new(HeuristicPolicy::new(false)),
            Self::Exact => Box::new(HeuristicPolicy::new(true)),
        }
    }
}

/// A name that no policy has.
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
/// Before a seat that is awaited is asked, all others who hold bombs are heard, but before the first move none of those
/// who are silent.
pub fn finish<P: Policy + ?Sized>(round: &mut Round, teams: &mut [Box<P>; 2], random: &mut Random, silent: Seats) {
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
                    round.make(other, bomb);
                    continue 'moves;
                }
            }
        }
        let chosen = teams[usize::from(seat % 2)].decide(round, seat, random);
        round.make(seat, chosen);
    }
}

/// What a policy does for a seat at a moment; nothing if the seat is not awaited and keeps silent.
#[must_use]
pub fn decide(round: &Round, seat: u8, policy: PolicyName, random: &mut Random) -> Option<Move> {
    let mut policy = policy.policy();
    if round.awaited() >> seat & 1 == 1 {
        return Some(policy.decide(round, seat, random));
    }
    if round.may_bomb(seat) { policy.interrupt(round, seat, random) } else { None }
}
