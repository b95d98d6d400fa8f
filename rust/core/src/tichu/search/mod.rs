//! The search: a seat's candidates are tried in worlds that it cannot distinguish from the true one, and each world is
//! played to its end by a policy.
//!
//! The heuristic policy proposes the candidates, and its choice stands unless another is better beyond doubt: the best
//! of many noisy means is mostly luck. No clock is read: the effort is a number of playouts.

mod candidates;
mod trial;

use std::fmt;
use std::num::NonZeroUsize;

use self::trial::Trial;
use super::policies::{HeuristicPolicy, PolicyName};
use super::redeal::Evidence;
use super::round::Round;
use crate::net::Net;

pub use self::candidates::Candidate;

/// How much a search tries, and how sure it must be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The most playouts for a decision in turn.
    pub playouts: usize,
    /// The most worlds for a decision.
    pub worlds: usize,
    /// The most plays that are tried.
    pub candidates: usize,
    /// The most gifts that are tried.
    pub gifts: usize,
    /// The most plays that are tried with the opposite call.
    pub calls: usize,
    /// The number of standard errors by which a candidate must be better than the policy's choice.
    pub caution: f64,
    /// The number of draws from which a world is chosen: by what the seat believes, or else the one with the others'
    /// best hands, for after the schupf hands are better than chance.
    pub draws: usize,
    /// The policy that plays the worlds to their end.
    pub policy: PolicyName,
    /// The number of threads, which does not affect the result.
    pub threads: NonZeroUsize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            playouts: 400,
            worlds: 256,
            candidates: 6,
            gifts: 6,
            calls: 2,
            caution: 1.5,
            draws: 1,
            policy: PolicyName::Quick,
            threads: NonZeroUsize::MIN,
        }
    }
}

/// A question out of turn comes up often, and gets one in so many playouts.
const OUT_OF_TURN: usize = 4;
/// Whole rounds are long, and gifts differ little: the decisions before the first trick get one in so many playouts.
const BEFORE: usize = 2;

/// The reason why a search cannot decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undecidable {
    /// The seat has nothing to decide now.
    Nothing(u8),
    /// The search was told to stop.
    Stopped,
}

impl fmt::Display for Undecidable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing(seat) => write!(f, "Seat {seat} has nothing to decide now."),
            Self::Stopped => f.write_str("The search was stopped."),
        }
    }
}

impl std::error::Error for Undecidable {}

/// A candidate and the leads of the seat's team at the end of each world in which it was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The moves.
    pub candidate: Candidate,
    /// The leads; those of two candidates are of the same worlds, as far as both were tried.
    pub leads: Vec<i32>,
}

/// Tries a seat's candidates and returns the findings: first the chosen one, then the others in the order of the
/// policy. A seat without an alternative tries nothing. With a network, the worlds are those that the seat believes in.
///
/// # Errors
/// The seat has nothing to decide, or `proceed`, which is called from time to time, has returned false.
pub fn search(
    round: &Round,
    evidence: &Evidence,
    seat: u8,
    settings: &Settings,
    net: Option<&Net>,
    seed: u64,
    proceed: &mut dyn FnMut() -> bool,
) -> Result<Vec<Finding>, Undecidable> {
    let mut policy = HeuristicPolicy::new(false);
    let candidates = candidates::list(round, seat, settings, &mut policy);
    if candidates.is_empty() {
        return Err(Undecidable::Nothing(seat));
    }
    let share = match round.phase() {
        _ if round.awaited() >> seat & 1 == 0 => OUT_OF_TURN,
        phase if phase.is_together() => BEFORE,
        _ => 1,
    };
    let playouts = settings.playouts.div_ceil(share);
    let settings = Settings { playouts, ..*settings };
    let trial = Trial { round, evidence, seat, candidates: &candidates, settings, net, seed };
    let (best, leads) = trial.run(proceed).ok_or(Undecidable::Stopped)?;
    let mut findings: Vec<Finding> =
        candidates.into_iter().zip(leads).map(|(candidate, leads)| Finding { candidate, leads }).collect();
    findings[..=best].rotate_right(1);
    Ok(findings)
}
