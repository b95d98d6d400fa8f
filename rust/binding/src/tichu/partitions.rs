//! The Python interface of partitions.

use std::num::NonZeroUsize;
use std::ops::Range;

use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList};
use tisch_core::tichu;
use tisch_core::tichu::partitions::Prices;

use crate::errors::{beyond, wrong};
use crate::tichu::cards::Cards;
use crate::tichu::combinations::hand;
use crate::tichu::moves::{Move, Moves};
use crate::tichu::plays::{Place, Places, Plays, between};

/// A sequence of partitions of one hand; it creates Python objects lazily.
#[pyclass(frozen, sequence, module = "tisch._core.tichu")]
pub struct Partitions(tichu::partitions::Partitions);

/// Sets of cards that leave a hand.
#[derive(FromPyObject)]
pub enum Gone<'py> {
    Plays(Bound<'py, Plays>),
    Moves(Bound<'py, Moves>),
    Cards(Vec<Bound<'py, Cards>>),
    ListedMoves(Vec<Bound<'py, Move>>),
}

impl Gone<'_> {
    fn into_sets(self) -> Vec<tichu::cards::Cards> {
        match self {
            Self::Plays(plays) => plays.get().0.iter().map(|play| play.cards()).collect(),
            Self::Moves(moves) => moves.get().0.iter().map(|each| each.cards()).collect(),
            Self::ListedMoves(moves) => moves.iter().map(|each| each.get().0.cards()).collect(),
            Self::Cards(sets) => sets.iter().map(|cards| cards.get().0).collect(),
        }
    }
}

/// Split a hand into as few combinations as possible.
#[pyfunction]
#[pyo3(signature = (hand, /))]
pub fn fewest(hand: &Bound<'_, Cards>) -> PyResult<Plays> {
    Ok(Plays(tichu::partitions::fewest(&self::hand(hand)?)))
}

/// Compute for many plays the fewest combinations into which the remaining hand can be split.
#[pyfunction]
#[pyo3(signature = (hand, plays, /))]
pub fn fewest_after(py: Python<'_>, hand: &Bound<'_, Cards>, plays: Gone<'_>) -> PyResult<Vec<u32>> {
    let hand = self::hand(hand)?;
    let gone = plays.into_sets();
    py.detach(|| tichu::partitions::fewest_after(&hand, gone)).map_err(|error| wrong(&error))
}

/// Compute for many plays the lowest price of a partition of the remaining hand.
#[pyfunction]
#[pyo3(signature = (hand, plays, prices, /))]
pub fn cheapest_after(
    py: Python<'_>,
    hand: &Bound<'_, Cards>,
    plays: Gone<'_>,
    prices: &Bound<'_, PyAny>,
) -> PyResult<Vec<i32>> {
    let prices = Prices::new(&prices.extract::<Vec<i32>>()?).map_err(|error| wrong(&error))?;
    let (hand, gone) = (self::hand(hand)?, plays.into_sets());
    py.detach(|| tichu::partitions::cheapest_after(&hand, &prices, gone)).map_err(|error| wrong(&error))
}

/// Return the partitions of a hand: the different ways to lay all of its cards as combinations.
#[pyfunction]
#[pyo3(signature = (hand, limit = None), text_signature = "(hand, limit=2000)")]
pub fn partitions(py: Python<'_>, hand: &Bound<'_, Cards>, limit: Option<&Bound<'_, PyAny>>) -> PyResult<Partitions> {
    let hand = self::hand(hand)?;
    let limit = limit.map_or(Ok(FEW), self::limit)?;
    Ok(Partitions(py.detach(|| tichu::partitions::partitions(&hand, limit))))
}

/// The default limit of the number of partitions.
const FEW: NonZeroUsize = NonZeroUsize::new(2000).unwrap();

/// Converts a limit; no hand has as many partitions as the largest number, so larger numbers mean the same.
fn limit(number: &Bound<'_, PyAny>) -> PyResult<NonZeroUsize> {
    let sentence = |number: &Bound<'_, PyInt>| format!("The limit is at least 1 partition, not {number}.");
    number.extract().or_else(|error| {
        let is_large = number.cast::<PyInt>().is_ok() && number.gt(0)?;
        if is_large { Ok(NonZeroUsize::MAX) } else { Err(beyond(error, number, sentence)) }
    })
}

impl Partitions {
    fn item(&self, place: usize) -> Option<Plays> {
        self.0.get(place).map(Plays)
    }

    /// Returns the first index of a partition in a range of indices; other objects have none.
    fn find(&self, value: &Bound<'_, PyAny>, mut places: Range<usize>) -> Option<usize> {
        let partition = value.cast::<Plays>().ok()?.get();
        places.find(|&place| self.item(place).as_ref() == Some(partition))
    }
}

#[pymethods]
impl Partitions {
    /// Whether these are all partitions of the hand; otherwise the limit has cut off the others.
    #[getter]
    fn complete(&self) -> bool {
        self.0.is_complete()
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, place: Place<'py>) -> PyResult<Bound<'py, PyAny>> {
        match place.within(self.0.len(), "partition")? {
            Places::One(place) => self.item(place).into_bound_py_any(py),
            Places::Several(places) => {
                let partitions: Vec<_> = places.into_iter().filter_map(|place| self.item(place)).collect();
                Ok(PyList::new(py, partitions)?.into_any())
            }
        }
    }

    fn __contains__(&self, value: &Bound<'_, PyAny>) -> bool {
        self.find(value, 0..self.0.len()).is_some()
    }

    /// Return the index of a partition.
    #[pyo3(signature = (value, start = 0, stop = isize::MAX))]
    fn index(&self, value: &Bound<'_, PyAny>, start: isize, stop: isize) -> PyResult<usize> {
        let place = self.find(value, between(start, stop, self.0.len()));
        place.ok_or_else(|| PyValueError::new_err("The sequence does not hold this partition there."))
    }

    /// Return how often a partition occurs: once or never.
    fn count(&self, value: &Bound<'_, PyAny>) -> usize {
        usize::from(self.__contains__(value))
    }

    fn __repr__(&self) -> String {
        let end = if self.complete() { "complete" } else { "cut off" };
        format!("<{} partitions, {end}>", self.0.len())
    }
}
