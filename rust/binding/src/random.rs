//! The random generator as Python sees it.

use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use tisch_core::random;

/// A step of a path: a number, or a word that names a use of chance.
#[derive(FromPyObject)]
enum Step {
    Number(u64),
    Word(String),
}

fn below_path(seed: u64, path: &Bound<'_, PyTuple>) -> PyResult<u64> {
    let mut steps = Vec::with_capacity(path.len());
    for step in path {
        steps.push(match step.extract()? {
            Step::Number(number) => number,
            Step::Word(text) => random::word(&text),
        });
    }
    Ok(random::derive(seed, &steps))
}

/// The seed below another: the same seed and path give the same one, others an unrelated one.
#[pyfunction]
#[pyo3(signature = (seed, *path))]
pub fn derive(seed: u64, path: &Bound<'_, PyTuple>) -> PyResult<u64> {
    below_path(seed, path)
}

/// A stream of random numbers, the same for the same seed and path on every machine.
#[pyclass(module = "tisch._core")]
pub struct Random(random::Random);

#[pymethods]
impl Random {
    #[new]
    #[pyo3(signature = (seed, *path))]
    fn new(seed: u64, path: &Bound<'_, PyTuple>) -> PyResult<Self> {
        Ok(Self(random::Random::new(below_path(seed, path)?)))
    }

    /// The next 64 random bits.
    fn bits(&mut self) -> u64 {
        self.0.bits()
    }

    /// A number from 0 up to, but not including `bound`.
    fn below(&mut self, bound: u64) -> PyResult<u64> {
        if bound == 0 {
            return Err(PyValueError::new_err("There is no number below 0 to choose."));
        }
        Ok(self.0.below(bound))
    }

    /// A number from 0 up to, but not including 1.
    fn unit(&mut self) -> f64 {
        self.0.unit()
    }

    /// One item of a sequence, each equally likely.
    fn choice<'py>(&mut self, items: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let length = items.len()?;
        if length == 0 {
            return Err(PyIndexError::new_err("There is nothing to choose from."));
        }
        items.get_item(self.0.below(length as u64))
    }

    /// Puts the items of a list in random order.
    fn shuffle(&mut self, items: &Bound<'_, PyList>) -> PyResult<()> {
        let mut order: Vec<_> = items.iter().collect();
        self.0.shuffle(&mut order);
        order.into_iter().enumerate().try_for_each(|(place, item)| items.set_item(place, item))
    }

    /// An independent stream that goes on from the same point.
    fn copy(&self) -> Self {
        Self(self.0.clone())
    }
}
