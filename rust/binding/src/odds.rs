//! Tichu's odds as Python asks for them.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyTuple};
use tisch_core::tichu::combinations::{ALL, Combination};
use tisch_core::tichu::hand::{HAND_SIZE, Hand};
use tisch_core::tichu::odds::{self, OddsError};

use crate::cards::{Cards, beyond, wrong};
use crate::plays::{named, trick};

/// The number of cards of a hidden hand; numbers beyond all bounds are named as they are.
fn size(number: &Bound<'_, PyAny>) -> PyResult<u32> {
    let sentence = |number: &Bound<'_, PyInt>| format!("A hand has 0 to {HAND_SIZE} cards, not {number}.");
    number.extract().map_err(|error| beyond(error, number, sentence))
}

fn answer(
    odds: impl Fn(tisch_core::tichu::cards::Cards, u32, Combination) -> Result<f64, OddsError>,
    unseen: &Bound<'_, Cards>,
    number: &Bound<'_, PyAny>,
    combination: &Bound<'_, PyAny>,
) -> PyResult<f64> {
    odds(unseen.get().0, size(number)?, trick(Some(combination))?).map_err(|error| wrong(&error))
}

/// How likely a hidden hand holds a combination of the same type and length that tops this one.
#[pyfunction]
pub fn odds_higher(unseen: &Bound<'_, Cards>, k: &Bound<'_, PyAny>, combination: &Bound<'_, PyAny>) -> PyResult<f64> {
    answer(odds::higher, unseen, k, combination)
}

/// How likely a hidden hand holds anything that may be laid on this combination, bombs included.
#[pyfunction]
pub fn odds_beats(unseen: &Bound<'_, Cards>, k: &Bound<'_, PyAny>, combination: &Bound<'_, PyAny>) -> PyResult<f64> {
    answer(odds::beats, unseen, k, combination)
}

/// How likely a hidden hand holds a combination of the same type and length that this one may be laid on.
#[pyfunction]
pub fn odds_lower(unseen: &Bound<'_, Cards>, k: &Bound<'_, PyAny>, combination: &Bound<'_, PyAny>) -> PyResult<f64> {
    answer(odds::lower, unseen, k, combination)
}

/// For each combination of a hand: how likely hidden hands of these sizes hold anything that may be laid on it.
#[pyfunction]
pub fn odds_table<'py>(
    py: Python<'py>,
    hand: &Bound<'py, Cards>,
    unseen: &Bound<'py, Cards>,
    sizes: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyDict>> {
    let sizes = sizes.try_iter()?.map(|number| size(&number?)).collect::<PyResult<Vec<_>>>()?;
    let (hand, unseen) = (Hand::new(hand.get().0).map_err(|error| wrong(&error))?, unseen.get().0);
    let (combinations, shares) = py
        .detach(|| {
            let mut plays = Vec::new();
            hand.push_combinations(&mut plays);
            plays.sort_unstable();
            plays.dedup_by_key(|play| play.place());
            let combinations: Vec<_> = plays.iter().map(|play| ALL[usize::from(play.place())]).collect();
            odds::table(unseen, &sizes, &combinations).map(|shares| (combinations, shares))
        })
        .map_err(|error| wrong(&error))?;
    let table = PyDict::new(py);
    for (row, combination) in combinations.into_iter().enumerate() {
        let shares = &shares[row * sizes.len()..][..sizes.len()];
        table.set_item(named(py, combination)?, PyTuple::new(py, shares)?)?;
    }
    Ok(table)
}
