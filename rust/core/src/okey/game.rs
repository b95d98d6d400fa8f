//! A whole game of Okey: the deal follows from the seed as in the engine.

use super::policies::{RulePolicy, SearchPolicy};
use super::round::{Move, Round, SEATS};
use crate::random::{Random, derive, word};
use crate::simulation::random::RandomPolicy;
use crate::simulation::{self, Maker, Outcome, Parameters, Played, Reader, duel, no_policy};

/// The options of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether every player may take a winning rack.
    pub cheats: bool,
}

/// A whole game at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Okey {
    pub(super) round: Round,
}

impl From<Round> for Okey {
    fn from(round: Round) -> Self {
        Self { round }
    }
}

impl simulation::Game for Okey {
    type Round = Round;
    type Options = Options;

    fn begin(options: &Options, seed: u64) -> Self {
        Self { round: Round::deal(options.cheats, &mut Random::new(derive(seed, &[word("deal")]))) }
    }

    fn round(&self) -> &Round {
        &self.round
    }

    fn number(&self) -> u32 {
        0
    }

    fn make(&mut self, seat: usize, chosen: Move) {
        simulation::Round::make(&mut self.round, seat, chosen);
    }

    fn outcome(&self) -> Option<Outcome> {
        let Round { over, winner, drawn, taken, .. } = self.round;
        let points: Vec<i64> = (0..SEATS).map(|seat| i64::from(winner == Some(seat))).collect();
        over.then(|| Outcome {
            payoff: duel(&points),
            points,
            rounds: 1,
            tally: vec![("drawn", drawn.to_vec()), ("taken", taken.to_vec())],
        })
    }
}

impl Played for Okey {
    const POLICIES: &'static [&'static str] = &["random", "rule", "search"];

    fn policy(name: &str, parameters: &Parameters) -> Result<Maker<Self>, String> {
        let mut reader = Reader::new(name, parameters);
        match name {
            "random" => {
                reader.end()?;
                Ok(Box::new(|| Box::<RandomPolicy<Self>>::default()))
            }
            "rule" => {
                reader.end()?;
                Ok(Box::new(|| Box::new(RulePolicy)))
            }
            "search" => {
                let samples = reader.count("samples", 100)?;
                reader.end()?;
                Ok(Box::new(move || Box::new(SearchPolicy::new(samples))))
            }
            _ => Err(no_policy(name, Self::POLICIES)),
        }
    }
}
