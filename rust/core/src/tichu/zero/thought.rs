//! What a network with two heads thinks of a moment: how likely each option is, and what the round is worth.

use crate::net::{Net, Sums};
use crate::random::Random;
use crate::simulation::tree::Weighted;
use crate::tichu::belief::exponential;
use crate::tichu::features::{self, Decision};
use crate::tichu::moves::Move;
use crate::tichu::policies::{HeuristicPolicy, Known, Policy as _, Sight, Style, is_too_late};
use crate::tichu::round::Round;

/// The points that are one of a value.
pub const POINTS: f64 = 100.0;

/// What a seat is asked: which of its candidates, and whether it calls small Tichu.
pub struct Asked {
    /// The decision between candidates; none if there is only one.
    pub decision: Option<Decision>,
    /// The decision on small Tichu.
    pub call: Option<Decision>,
}

/// Thinks with a network.
pub struct Thinker<'a> {
    net: &'a Net,
    style: Style,
    sums: Sums,
    /// Lists and describes the candidates.
    adviser: HeuristicPolicy,
}

impl<'a> Thinker<'a> {
    pub fn new(net: &'a Net, style: Style) -> Self {
        Self { net, style, sums: Sums::default(), adviser: HeuristicPolicy::styled(false, style) }
    }

    pub const fn net(&self) -> &'a Net {
        self.net
    }

    pub const fn style(&self) -> Style {
        self.style
    }

    /// Describes what a seat has to decide.
    pub fn ask(&mut self, round: &Round, seat: u8) -> Asked {
        self.adviser.start();
        let may_call = round.may_call(seat) && round.awaited() >> seat & 1 == 1;
        let call = if may_call && !is_too_late(&Known::of(&Sight { round, seat })) {
            features::call(round, seat, &mut self.adviser)
        } else {
            None
        };
        Asked { decision: features::decision(round, seat, &mut self.adviser), call }
    }

    /// Returns what a seat may choose, with prior probabilities; nothing if it has nothing to decide out of turn.
    pub fn options(&mut self, asked: &Asked, round: &Round, seat: u8) -> Vec<Weighted<Round>> {
        let mut options: Vec<Weighted<Round>> = match &asked.decision {
            Some(decision) => decision.candidates.iter().copied().zip(self.shares(decision)).collect(),
            None if round.awaited() >> seat & 1 == 0 => Vec::new(),
            None => vec![(Some(self.adviser.decide(round, seat, &mut Random::new(0))), 1.0)],
        };
        if let Some(call) = &asked.call {
            let shares = self.shares(call);
            for (_, prior) in &mut options {
                *prior *= shares[0];
            }
            options.push((Some(Move::TICHU), shares[1]));
        }
        options
    }

    /// Describes what a seat knows of a round, of which the network says what it is worth.
    pub fn worth(&mut self, round: &Round, seat: u8) -> Decision {
        features::worth(round, seat, &mut self.adviser)
    }

    /// Returns the lead that the team of a seat may expect, by what the seat knows.
    pub fn value(&mut self, round: &Round, seat: u8) -> f64 {
        let worth = self.worth(round, seat);
        POINTS * f64::from(worth.scores(self.net, &mut self.sums)[0])
    }

    /// Returns the probabilities of the candidates of a decision.
    fn shares(&mut self, decision: &Decision) -> Vec<f64> {
        let scores = decision.scores(self.net, &mut self.sums);
        let best = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let powers: Vec<f64> = scores.iter().map(|&score| exponential(f64::from(score - best))).collect();
        let sum: f64 = powers.iter().sum();
        powers.iter().map(|power| power / sum).collect()
    }
}
