//! The Python interface of Tichu's odds.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyTuple};
use tisch_core::tichu::combinations::{ALL, Combination};
use tisch_core::tichu::hand::{HAND_SIZE, Hand};
use tisch_core::tichu::odds::{self, OddsError};

use crate::errors::{beyond, wrong};
use crate::tichu::cards::Cards;
use crate::tichu::combinations;
use crate::tichu::plays::{named, trick};

/// Converts the number of cards of a hidden hand; the error for a number out of range contains the number.
fn size(number: &Bound<'_, PyAny>) -> PyResult<u32> {
    let sentence = |number: &Bound<'_, PyInt>| format!("A hand has 0 to {HAND_SIZE} cards, not {number}.");
    number.extract().map_err(|error| beyond(error, number, sentence))
}

fn sizes(numbers: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
    numbers.try_iter()?.map(|number| size(&number?)).collect()
}

fn answer(
    odds: impl Fn(tisch_core::tichu::cards::Cards, u32, Combination) -> Result<f64, OddsError>,
    unseen: &Bound<'_, Cards>,
    number: &Bound<'_, PyAny>,
    combination: &Bound<'_, PyAny>,
) -> PyResult<f64> {
    odds(unseen.get().0, size(number)?, trick(Some(combination))?).map_err(|error| wrong(&error))
}

/// Compute the probability that a hidden hand can top a combination with its own type.
#[pyfunction]
pub fn higher(unseen: &Bound<'_, Cards>, k: &Bound<'_, PyAny>, combination: &Bound<'_, PyAny>) -> PyResult<f64> {
    answer(odds::higher, unseen, k, combination)
}

/// Compute the probability that a hidden hand can top a combination with anything, including bombs.
#[pyfunction]
pub fn beats(unseen: &Bound<'_, Cards>, k: &Bound<'_, PyAny>, combination: &Bound<'_, PyAny>) -> PyResult<f64> {
    answer(odds::beats, unseen, k, combination)
}

/// Compute the probability that a hidden hand holds something of the same type that a combination may be laid on.
#[pyfunction]
pub fn lower(unseen: &Bound<'_, Cards>, k: &Bound<'_, PyAny>, combination: &Bound<'_, PyAny>) -> PyResult<f64> {
    answer(odds::lower, unseen, k, combination)
}

/// Compute for all combinations of a hand the probability that no hidden hand can top them with their own type.
#[pyfunction]
#[pyo3(signature = (hand, unseen, sizes, /))]
pub fn holds<'py>(
    py: Python<'py>,
    hand: &Bound<'py, Cards>,
    unseen: &Bound<'py, Cards>,
    sizes: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyDict>> {
    let sizes = self::sizes(sizes)?;
    let (hand, unseen) = (combinations::hand(hand)?, unseen.get().0);
    let (holds, codes) = (PyDict::new(py), codes(&hand));
    let combinations: Vec<_> = codes.iter().map(|&code| ALL[usize::from(code)]).collect();
    let shares = odds::holds_each(unseen, &sizes, &combinations).map_err(|error| wrong(&error))?;
    for (code, share) in codes.into_iter().zip(shares) {
        holds.set_item(code, share)?;
    }
    Ok(holds)
}

/// Returns the different combinations of a hand, in ascending order.
fn codes(hand: &Hand) -> Vec<u8> {
    let mut plays = Vec::new();
    hand.push_combinations(&mut plays);
    let mut codes: Vec<u8> = plays.iter().map(|play| play.place()).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

/// Compute for all combinations of a hand the probabilities that hidden hands can top them, including by bombs.
#[pyfunction]
pub fn table<'py>(
    py: Python<'py>,
    hand: &Bound<'py, Cards>,
    unseen: &Bound<'py, Cards>,
    sizes: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyDict>> {
    let sizes = self::sizes(sizes)?;
    let (hand, unseen) = (combinations::hand(hand)?, unseen.get().0);
    let (combinations, shares) = py
        .detach(|| {
            let combinations: Vec<_> = codes(&hand).into_iter().map(|code| ALL[usize::from(code)]).collect();
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
