//! The agents that play whole games, under the names that they have in Python.
//!
//! `random` and `rule` are twins of those in Python, move for move with the same chance; the others are those that Python
//! asks.

mod alphazero;
mod behavior;
mod heuristic;
mod random;
mod rule;
mod search;

use std::num::NonZeroUsize;
use std::sync::Arc;

use super::game::Tichu;
use super::{belief, features};
use crate::simulation::tree::Effort;
use crate::simulation::{Maker, Parameters, Played, Policy, Reader, no_policy};
use crate::tichu::policies::{Calls, Style};
use crate::tichu::search::Settings;
use crate::tichu::zero::{EXPLORATION, How, MIX};

/// The most visits of a search by trees, and the most trees: all nodes are kept at once.
const MOST_VISITS: usize = 1_000_000;
const MOST_TREES: usize = 1024;

/// Returns what makes policies of one type.
fn maker<P: Policy<Tichu> + Default + 'static>() -> Maker<Tichu> {
    Box::new(|| Box::<P>::default())
}

/// Takes the style of play.
fn style(reader: &mut Reader<'_>) -> Result<Style, String> {
    reader.text("style", Style::default().name())?.parse()
}

/// Takes how much a search by trees tries.
fn effort(reader: &mut Reader<'_>) -> Result<Effort, String> {
    let some = |count: usize| NonZeroUsize::new(count).unwrap_or(NonZeroUsize::MIN);
    Ok(Effort {
        visits: reader.within("visits", 0..=MOST_VISITS, 100)?,
        trees: some(reader.within("trees", 1..=MOST_TREES, 1)?),
        exploration: reader.size("exploration", EXPLORATION)?,
        threads: some(reader.count("threads", 1)?),
    })
}

impl Played for Tichu {
    const POLICIES: &'static [&'static str] =
        &["random", "rule", "heuristic", "behavior", "alphazero", "search", "belief"];

    fn policy(name: &str, parameters: &Parameters) -> Result<Maker<Self>, String> {
        let mut reader = Reader::new(name, parameters);
        let made: Maker<Self> = match name {
            "random" => maker::<random::RandomAgent>(),
            "rule" => maker::<rule::RuleAgent>(),
            "heuristic" => {
                let style = style(&mut reader)?;
                let calls = reader.text("calls", Calls::default().name())?.parse()?;
                Box::new(move || Box::new(heuristic::HeuristicAgent::new(style, calls)))
            }
            "behavior" => {
                let (caution, net) = (reader.size("caution", 0.0)?, reader.net("weights", features::FEATURES)?);
                let style = style(&mut reader)?;
                Box::new(move || Box::new(behavior::BehaviorAgent::new(Arc::clone(&net), caution, style)))
            }
            "alphazero" => {
                let how = How { effort: effort(&mut reader)?, mix: reader.share("mix", MIX)? };
                let net = reader.net("weights", features::HEADS_FEATURES)?;
                let style = style(&mut reader)?;
                Box::new(move || Box::new(alphazero::AlphaZeroAgent::new(Arc::clone(&net), style, how)))
            }
            "search" => {
                let settings = Settings::read(&mut reader, 400, 1)?;
                let style = style(&mut reader)?;
                Box::new(move || Box::new(search::SearchAgent::new(settings, None, style)))
            }
            "belief" => {
                let settings = Settings::read(&mut reader, 320, 32)?;
                let net = reader.net("weights", belief::FEATURES)?;
                let style = style(&mut reader)?;
                Box::new(move || Box::new(search::SearchAgent::new(settings, Some(Arc::clone(&net)), style)))
            }
            _ => return Err(no_policy(name, Self::POLICIES)),
        };
        reader.end()?;
        Ok(made)
    }
}
