//! The Python interface of the random generator.

use std::num::NonZeroU64;

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList, PyString, PyTuple};
use tisch_core::random;

use crate::errors::beyond;

/// Converts a number into a seed, if it is in range.
pub fn seed(number: &Bound<'_, PyAny>) -> PyResult<u64> {
    let sentence = |number: &Bound<'_, PyInt>| format!("A seed is a number from 0 to 2^64 - 1, not {number}.");
    number.extract().map_err(|error| beyond(error, number, sentence))
}

/// Converts a step of a path: a number, or a word that names a use of chance.
fn step(step: &Bound<'_, PyAny>) -> PyResult<u64> {
    if let Ok(word) = step.cast::<PyString>() {
        return Ok(random::word(&word.to_cow()?));
    }
    let sentence = |step: &Bound<'_, PyInt>| format!("A step is a word or a number from 0 to 2^64 - 1, not {step}.");
    step.extract().map_err(|error| beyond(error, step, sentence))
}

fn below_path(seed: &Bound<'_, PyAny>, path: &Bound<'_, PyTuple>) -> PyResult<u64> {
    let steps = path.iter().map(|each| step(&each)).collect::<PyResult<Vec<_>>>()?;
    Ok(random::derive(self::seed(seed)?, &steps))
}

/// Derive a seed from another: the same seed and path give the same result, others an unrelated one.
#[pyfunction]
#[pyo3(signature = (seed, *path))]
pub fn derive(seed: &Bound<'_, PyAny>, path: &Bound<'_, PyTuple>) -> PyResult<u64> {
    below_path(seed, path)
}

/// A stream of random numbers, the same for the same seed and path on every machine.
#[pyclass(module = "tisch._core")]
pub struct Random(pub random::Random);

#[pymethods]
impl Random {
    #[new]
    #[pyo3(signature = (seed, *path))]
    fn new(seed: &Bound<'_, PyAny>, path: &Bound<'_, PyTuple>) -> PyResult<Self> {
        Ok(Self(random::Random::new(below_path(seed, path)?)))
    }

    /// Return the next 64 random bits.
    fn bits(&mut self) -> u64 {
        self.0.bits()
    }

    /// Return a number from 0 up to, but not including, ``bound``.
    fn below(&mut self, bound: &Bound<'_, PyAny>) -> PyResult<u64> {
        let sentence = |bound: &Bound<'_, PyInt>| format!("No number below {bound} can be chosen.");
        let bound = bound.extract::<NonZeroU64>().map_err(|error| beyond(error, bound, sentence))?;
        Ok(self.0.below(bound.get()))
    }

    /// Return a number from 0 up to, but not including, 1.
    fn unit(&mut self) -> f64 {
        self.0.unit()
    }

    /// Choose an item of a sequence uniformly at random.
    fn choice<'py>(&mut self, items: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let length = items.len()?;
        if length == 0 {
            return Err(PyIndexError::new_err("There is nothing to choose from."));
        }
        items.get_item(self.0.below(length as u64))
    }

    /// Shuffle a list in place.
    fn shuffle(&mut self, items: &Bound<'_, PyList>) -> PyResult<()> {
        let mut order: Vec<_> = items.iter().collect();
        self.0.shuffle(&mut order);
        order.into_iter().enumerate().try_for_each(|(place, item)| items.set_item(place, item))
    }

    /// Return an independent stream that continues from the same point.
    fn copy(&self) -> Self {
        Self(self.0.clone())
    }
}
