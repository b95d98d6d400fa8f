//! The Python interface of Raumstation's solver.

use pyo3::prelude::*;
use tisch_core::random;
use tisch_core::raumstation::{self, Decision, Known, StationError};

use crate::errors::wrong;
use crate::random::seed;

/// Converts knowledge: a number of traps nearby, or one of the class's negative constants.
fn knowledge(known: Vec<i8>) -> PyResult<Vec<Known>> {
    let read = |number| match number {
        Station::UNKNOWN => Some(Known::Unknown),
        Station::SAFE => Some(Known::Safe),
        Station::TRAP => Some(Known::Trap),
        0..=8 => Some(Known::Number(number.unsigned_abs())),
        _ => None,
    };
    known.into_iter().map(read).collect::<Option<_>>().ok_or_else(|| wrong(&StationError::Malformed))
}

/// The rooms of a Raumstation with their connections, and the probabilities of traps.
#[pyclass(frozen, module = "tisch._core.raumstation")]
pub struct Station(raumstation::Station);

#[pymethods]
impl Station {
    #[classattr]
    const UNKNOWN: i8 = -1;
    #[classattr]
    const SAFE: i8 = -2;
    #[classattr]
    const TRAP: i8 = -3;

    #[new]
    fn new(nearby: Vec<Vec<usize>>, odds: f64) -> PyResult<Self> {
        raumstation::Station::new(nearby, odds).map(Self).map_err(|error| wrong(&error))
    }

    /// Compute the probability of a trap in each room; exactly 0 or 1 where it is certain.
    fn probabilities(&self, known: Vec<i8>) -> PyResult<Vec<f64>> {
        self.0.probabilities(&knowledge(known)?).map_err(|error| wrong(&error))
    }

    /// Draw traps that fit the knowledge, each arrangement with its exact probability.
    fn draw(&self, known: Vec<i8>, seed: &Bound<'_, PyAny>) -> PyResult<Vec<bool>> {
        self.0.draw(&knowledge(known)?, &mut random::Random::new(self::seed(seed)?)).map_err(|error| wrong(&error))
    }

    /// Choose the next step: a room, and whether to spend a joker on it instead of scanning it.
    fn decide(&self, py: Python<'_>, known: Vec<i8>, jokers: usize) -> PyResult<(usize, bool)> {
        let known = knowledge(known)?;
        match py.detach(|| self.0.decide(&known, jokers)).map_err(|error| wrong(&error))? {
            Decision::Scan(room) => Ok((room, false)),
            Decision::Ask(room) => Ok((room, true)),
        }
    }

    /// Return whether these choices finish the station without a guess.
    fn solvable(&self, py: Python<'_>, known: Vec<i8>, traps: Vec<bool>, jokers: usize) -> PyResult<bool> {
        let known = knowledge(known)?;
        py.detach(move || self.0.solvable(&known, &traps, jokers)).map_err(|error| wrong(&error))
    }
}
