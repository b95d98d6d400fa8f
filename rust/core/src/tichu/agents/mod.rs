//! The agents that play whole games, under the names that they have in Python.
//!
//! `random` and `rule` are twins of those in Python, move for move with the same chance; the others are those that Python
//! asks.

mod behavior;
mod heuristic;
mod random;
mod rule;
mod search;

use std::sync::Arc;

use super::game::Tichu;
use super::{belief, features};
use crate::simulation::{Maker, Parameters, Played, Policy, Reader, no_policy};
use crate::tichu::search::Settings;

/// Returns what makes policies of one type.
fn maker<P: Policy<Tichu> + Default + 'static>() -> Maker<Tichu> {
    Box::new(|| Box::<P>::default())
}

impl Played for Tichu {
    const POLICIES: &'static [&'static str] = &["random", "rule", "heuristic", "behavior", "search", "alphazero"];

    fn policy(name: &str, parameters: &Parameters) -> Result<Maker<Self>, String> {
        let mut reader = Reader::new(name, parameters);
        let made: Maker<Self> = match name {
            "random" => maker::<random::RandomAgent>(),
            "rule" => maker::<rule::RuleAgent>(),
            "heuristic" => maker::<heuristic::HeuristicAgent>(),
            "behavior" => {
                let (caution, net) = (reader.size("caution", 0.0)?, reader.net("weights", features::FEATURES)?);
                Box::new(move || Box::new(behavior::BehaviorAgent::new(Arc::clone(&net), caution)))
            }
            "search" => {
                let settings = Settings::read(&mut reader, 400, 1)?;
                Box::new(move || Box::new(search::SearchAgent::new(settings, None)))
            }
            "alphazero" => {
                let settings = Settings::read(&mut reader, 320, 32)?;
                let net = reader.net("weights", belief::FEATURES)?;
                Box::new(move || Box::new(search::SearchAgent::new(settings, Some(Arc::clone(&net)))))
            }
            _ => return Err(no_policy(name, Self::POLICIES)),
        };
        reader.end()?;
        Ok(made)
    }
}
