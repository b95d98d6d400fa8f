//! The agents that play whole games, under the names that they have in Python.
//!
//! `random` and `rule` are twins of those in Python, move for move with the same chance; `heuristic` is the one that
//! Python asks.

mod heuristic;
mod random;
mod rule;

use super::game::Tichu;
use crate::simulation::{Maker, Parameters, Played, Policy, Reader, no_policy};

/// Returns what makes policies of one type.
fn maker<P: Policy<Tichu> + Default + 'static>() -> Maker<Tichu> {
    Box::new(|| Box::<P>::default())
}

impl Played for Tichu {
    const POLICIES: &'static [&'static str] = &["random", "rule", "heuristic"];

    fn policy(name: &str, parameters: &Parameters) -> Result<Maker<Self>, String> {
        let made = match name {
            "random" => maker::<random::RandomAgent>(),
            "rule" => maker::<rule::RuleAgent>(),
            "heuristic" => maker::<heuristic::HeuristicAgent>(),
            _ => return Err(no_policy(name, Self::POLICIES)),
        };
        Reader::new(name, parameters).end()?;
        Ok(made)
    }
}
