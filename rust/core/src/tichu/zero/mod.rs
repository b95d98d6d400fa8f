//! The search of the agent `alphazero`: a tree, guided by a network with two heads, which learns from the search's own games.
//!
//! The network is that of the agent `behavior` with four features more. Beside what a seat knows, the features of a candidate
//! ask for its score, and one of the four, which says who is in turn, asks what the round is worth to the seat. Scores become
//! prior probabilities, and where a visit ends, half of what counts is that worth, the other half a round that is played on.

mod guide;
mod lessons;
mod thought;

use crate::net::Net;
use crate::random::Random;
use crate::simulation::tree::{self, Branch, Effort, Weighted};
use crate::tichu::policies::Style;
use crate::tichu::redeal::Evidence;
use crate::tichu::round::Round;

use self::guide::Trees;
pub use self::lessons::{Lesson, Own, play};
use self::thought::{Asked, Thinker};

/// How much a likely move that was seldom chosen is preferred, in points; see [`Effort`].
pub const EXPLORATION: f64 = 60.0;
/// How much of what a moment is worth is how a round ended that was played from there; the rest is what the network says.
pub const MIX: f64 = 0.5;
/// How much of the prior probabilities is noise, in games that teach: what is likely is not all that is tried.
const NOISE: f64 = 0.25;

/// What a seat has found. A call of small Tichu, where it is asked for, is the last option.
pub struct Found {
    /// What it was asked.
    asked: Asked,
    /// Its options, with what the trees have found of them.
    pub branches: Vec<Branch<Round>>,
}

impl Found {
    /// Returns how much was found for each option, of one in all: its share of the visits, or else its prior probability.
    #[must_use]
    pub fn shares(&self) -> Vec<f64> {
        let visits: u32 = self.branches.iter().map(|branch| branch.visits).sum();
        let share = |branch: &Branch<Round>| {
            if visits == 0 { branch.prior } else { f64::from(branch.visits) / f64::from(visits) }
        };
        self.branches.iter().map(share).collect()
    }

    /// Returns the place of the option that is chosen: small Tichu if it has more than a half, else the best of the others.
    #[must_use]
    pub fn best(&self) -> usize {
        let last = self.branches.len() - 1;
        match self.asked.call {
            None => tree::most_visited(&self.branches),
            Some(_) if self.shares()[last] > 0.5 => last,
            Some(_) => tree::most_visited(&self.branches[..last]),
        }
    }
}

/// A moment of a seat that searches.
#[derive(Clone, Copy)]
pub struct Moment<'a> {
    /// The round.
    pub round: &'a Round,
    /// What the moves have shown of the hidden cards.
    pub evidence: &'a Evidence,
    /// The seat.
    pub seat: u8,
}

/// Searches at a moment; none if the seat, out of turn, has nothing to decide, or `proceed` has returned false.
///
/// Without a visit, the prior probabilities decide. With `noise`, these are mixed with chance.
fn search(
    moment: Moment<'_>,
    thinker: &mut Thinker<'_>,
    how: &How,
    chance: &mut Random,
    noise: bool,
    proceed: &mut dyn FnMut() -> bool,
) -> Option<Found> {
    let Moment { round, seat, .. } = moment;
    let asked = thinker.ask(round, seat);
    let mut options = thinker.options(&asked, round, seat);
    if noise && options.len() > 1 {
        disturb(&mut options, chance);
    }
    if options.len() < 2 || how.effort.visits == 0 {
        let branch = |&(chosen, prior): &Weighted<Round>| Branch { chosen, prior, visits: 0, total: 0.0 };
        let branches: Vec<_> = options.iter().map(branch).collect();
        return (!branches.is_empty()).then_some(Found { asked, branches });
    }
    let value = thinker.value(round, seat);
    let values = [0, 1, 2, 3].map(|other| if other % 2 == seat % 2 { value } else { -value });
    let (net, style) = (thinker.net(), thinker.style());
    let trees = || Trees::new(moment, net, style, how.mix);
    let branches = tree::grow(trees, seat.into(), &options, &values, &how.effort, chance.bits(), proceed)?;
    Some(Found { asked, branches })
}

/// Mixes prior probabilities with chance.
fn disturb(options: &mut [Weighted<Round>], random: &mut Random) {
    let drawn: Vec<f64> = options.iter().map(|_| random.unit()).map(|unit| unit * unit).collect();
    let sum: f64 = drawn.iter().sum();
    if sum > 0.0 {
        for ((_, prior), chance) in options.iter_mut().zip(drawn) {
            *prior = (1.0 - NOISE) * *prior + NOISE * chance / sum;
        }
    }
}

/// How a search is done.
#[derive(Clone, Copy, Debug)]
pub struct How {
    /// How much it tries.
    pub effort: Effort,
    /// See [`MIX`].
    pub mix: f64,
}

/// The search of a player.
pub struct Search<'a> {
    thinker: Thinker<'a>,
    how: How,
}

impl<'a> Search<'a> {
    /// Creates the search of a network.
    #[must_use]
    pub fn new(net: &'a Net, style: Style, how: How) -> Self {
        Self { thinker: Thinker::new(net, style), how }
    }

    /// Searches at a moment; none if the seat, out of turn, has nothing to decide, or `proceed` has returned false. Where
    /// there is no choice, no chance is used.
    pub fn run(&mut self, moment: Moment<'_>, chance: &mut Random, proceed: &mut dyn FnMut() -> bool) -> Option<Found> {
        search(moment, &mut self.thinker, &self.how, chance, false, proceed)
    }
}
