//! The search: a seat's candidates are tried in worlds that it cannot distinguish from the true one, and each world is
//! played to its end by a policy.
//!
//! The heuristic policy proposes the candidates, and its choice stands unless another is better beyond doubt.

mod candidates;
mod worlds;

use std::num::NonZeroUsize;

use super::moves::Move;
use super::policies::PolicyName;
use super::round::{Phase, Round};
use crate::simulation::Reader;
use crate::simulation::search::{Candidate, Effort};

pub use self::candidates::list;
pub use self::worlds::{Likely, Table, Worlds};

/// The standard deviation of the differences between two candidates that is assumed at first, in points.
pub const DOUBT: f64 = 60.0;
/// A question out of turn comes up often, and gets one in so many playouts.
const OUT_OF_TURN: usize = 4;
/// Whole rounds are long, and gifts differ little: the decisions before the first trick get one in so many playouts.
const BEFORE: usize = 2;
/// No world is chosen from more draws: all of them are kept at once.
const MOST_DRAWS: usize = u16::MAX as usize;

/// How much a search tries, and how sure it must be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The most playouts for a decision in turn.
    pub playouts: usize,
    /// The most worlds for a decision.
    pub worlds: usize,
    /// How many times as many playouts and worlds a decision gets that comes about once in a round: the gifts, and
    /// small Tichu.
    pub once: usize,
    /// The most plays that are tried.
    pub candidates: usize,
    /// The number of standard errors by which a candidate must be better than the policy's choice.
    pub caution: f64,
    /// The number of draws from which a world is chosen.
    pub draws: NonZeroUsize,
    /// The policy that plays the worlds to their end.
    pub policy: PolicyName,
    /// The number of threads, which does not affect the result.
    pub threads: NonZeroUsize,
}

impl Settings {
    /// Reads the settings; those that are left out have the defaults of the agent `search`, but for playouts and draws.
    ///
    /// # Errors
    /// One is impossible.
    pub fn read(reader: &mut Reader<'_>, playouts: usize, draws: usize) -> Result<Self, String> {
        let some = |count: usize| NonZeroUsize::new(count).unwrap_or(NonZeroUsize::MIN);
        Ok(Self {
            playouts: reader.count("playouts", playouts)?,
            worlds: reader.count("worlds", 256)?,
            once: reader.count("once", 1)?,
            candidates: reader.count("candidates", 6)?,
            caution: reader.size("caution", 1.5)?,
            draws: some(reader.within("draws", 1..=MOST_DRAWS, draws)?),
            policy: reader.text("policy", PolicyName::Quick.name())?.parse().map_err(|error| format!("{error}"))?,
            threads: some(reader.count("threads", 1)?),
        })
    }

    /// Returns how much is tried in a decision of a seat between candidates.
    #[must_use]
    pub fn effort(&self, round: &Round, seat: u8, candidates: &[Candidate<Round>]) -> Effort {
        let share = match round.phase() {
            _ if round.awaited() >> seat & 1 == 0 => OUT_OF_TURN,
            phase if phase.is_together() => BEFORE,
            _ => 1,
        };
        let calls = candidates.iter().filter(|candidate| candidate.first() == Some(&Move::TICHU)).count();
        let is_rare = round.phase() == Phase::Schupf || (1..candidates.len()).contains(&calls);
        let times = if is_rare { self.once } else { 1 };
        let Self { worlds, threads, .. } = *self;
        Effort { playouts: self.playouts.div_ceil(share) * times, worlds: worlds * times, doubt: DOUBT, threads }
    }
}
