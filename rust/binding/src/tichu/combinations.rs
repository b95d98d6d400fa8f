//! The Python interface of combinations and legal plays.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use tisch_core::tichu;
use tisch_core::tichu::combinations::ALL;
use tisch_core::tichu::hand::Hand;

use crate::errors::wrong;
use crate::tichu::cards::Cards;
use crate::tichu::plays::{Plays, named, trick, wish};

/// Builds the hand of these cards, if they are not too many.
pub fn hand(cards: &Bound<'_, Cards>) -> PyResult<Hand> {
    Hand::new(cards.get().0).map_err(|error| wrong(&error))
}

/// Return the combination that cards form.
#[pyfunction]
#[pyo3(signature = (cards, /))]
pub fn classify<'py>(py: Python<'py>, cards: &Bound<'py, Cards>) -> PyResult<Option<Bound<'py, PyAny>>> {
    tichu::classify::classify(cards.get().0).map(|combination| named(py, combination).cloned()).transpose()
}

/// Return all combinations in a hand.
#[pyfunction]
#[pyo3(signature = (hand, /))]
pub fn combinations(hand: &Bound<'_, Cards>) -> PyResult<Plays> {
    let mut plays = Vec::with_capacity(64);
    self::hand(hand)?.push_combinations(&mut plays);
    Ok(Plays(plays))
}

/// Return the plays that may be laid on a trick.
#[pyfunction]
#[pyo3(signature = (hand, trick = None, wish = None), text_signature = "(hand, trick=None, wish=0)")]
pub fn plays(
    hand: &Bound<'_, Cards>,
    trick: Option<&Bound<'_, PyAny>>,
    wish: Option<&Bound<'_, PyAny>>,
) -> PyResult<Plays> {
    let mut plays = Vec::with_capacity(16);
    self::hand(hand)?.push_plays(self::trick(trick)?, self::wish(wish)?, &mut plays);
    Ok(Plays(plays))
}

/// Count the sets of cards that form each combination, without building them.
#[pyfunction]
#[pyo3(signature = (cards, /))]
pub fn census<'py>(py: Python<'py>, cards: &Bound<'py, Cards>) -> PyResult<Bound<'py, PyDict>> {
    let counts = PyDict::new(py);
    for (combination, count) in ALL.into_iter().zip(tichu::census::census(cards.get().0)) {
        if count > 0 {
            counts.set_item(named(py, combination)?, count)?;
        }
    }
    Ok(counts)
}
