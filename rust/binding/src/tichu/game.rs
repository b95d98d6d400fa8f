//! Whole games of Tichu: the options and the moments of the engine.

use std::collections::BTreeMap;

use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use tisch_core::tichu::game::{Options, TALLIES, Tichu};
use tisch_core::tichu::redeal::Evidence;
use tisch_core::tichu::round::Phase;

use crate::simulation::Begun;
use crate::tichu::round::Round;

/// What the engine's state has beside its round.
#[derive(FromPyObject)]
struct Standing {
    seed: u64,
    scores: [Vec<i32>; 2],
    tally: BTreeMap<String, [u32; 4]>,
}

impl Begun for Tichu {
    fn options(options: &Bound<'_, PyAny>) -> PyResult<Options> {
        let number = |name: &str| -> PyResult<u32> {
            // No game reaches what is beyond the core's numbers.
            options.getattr(name)?.extract().or_else(|error: PyErr| {
                if error.is_instance_of::<PyOverflowError>(options.py()) { Ok(u32::MAX) } else { Err(error) }
            })
        };
        Ok(Options { goal: number("goal")?.into(), rounds: number("rounds")? })
    }

    fn at(state: &Bound<'_, PyAny>) -> PyResult<(Self, Evidence)> {
        let Round { round, evidence } = Round::at(state)?;
        let options = Self::options(&state.getattr("options")?)?;
        let Standing { seed, scores, tally } = state.extract()?;
        let tally = TALLIES.map(|name| tally.get(name).copied().unwrap_or_default());
        let over = u32::from(round.phase() == Phase::Over);
        let number = (scores[0].len() as u32).saturating_sub(over);
        let sums = scores.map(|scores| scores.into_iter().sum());
        Ok((Self::within(&options, seed, number, round, sums, tally), evidence))
    }
}
