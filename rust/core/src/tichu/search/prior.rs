//! What a network expects of the candidates before they are tried.

use super::Candidate;
use crate::net::{Net, Sums};
use crate::tichu::features::{self, Decision};
use crate::tichu::moves::Move;
use crate::tichu::policies::HeuristicPolicy;
use crate::tichu::round::Round;

/// The leads that are one of a score.
pub const SCALE: f64 = 50.0;

/// A network that has learned the leads of candidates, and how much it is trusted.
#[derive(Clone, Copy, Debug)]
pub struct Prior<'a> {
    /// The network.
    pub net: &'a Net,
    /// The standard error of the differences that it expects, in leads.
    pub error: f64,
}

impl Prior<'_> {
    /// Returns the lead that the network expects of each candidate; none where it expects nothing.
    pub fn leads(
        &self,
        round: &Round,
        seat: u8,
        candidates: &[Candidate],
        policy: &mut HeuristicPolicy,
    ) -> Vec<Option<f64>> {
        let scores = |decision: Option<Decision>| {
            decision.map(|decision| (decision.scores(self.net, &mut Sums::default()), decision))
        };
        let plain = scores(features::decision(round, seat, policy));
        let call = scores(features::call(round, seat, policy));
        let score = |asked: &Option<(Vec<f32>, Decision)>, chosen: Option<Move>| -> Option<f64> {
            let (scores, decision) = asked.as_ref()?;
            decision.place(chosen).map(|place| f64::from(scores[place]) * SCALE)
        };
        // A decision between fewer than two plays is none: then the only play is worth as much as itself.
        let play = |chosen: Move| if plain.is_none() { Some(0.0) } else { score(&plain, Some(chosen)) };
        let expect = |candidate: &Candidate| match candidate.as_slice() {
            [] => score(&plain, None),
            [first] if call.is_some() => Some(score(&call, None)? + play(*first)?),
            [first] => play(*first),
            [first, second] if *first == Move::TICHU => Some(score(&call, Some(*first))? + play(*second)?),
            _ => None,
        };
        candidates.iter().map(expect).collect()
    }
}
