//! What is wrong with what Python gave, as Python is told it.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyInt;

/// An error of the core: its sentence, as a `ValueError`.
pub fn wrong(error: &impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Why a number cannot be used: one that is too large or too small, however far, is named by a sentence.
pub fn beyond(error: PyErr, number: &Bound<'_, PyAny>, sentence: impl FnOnce(&Bound<'_, PyInt>) -> String) -> PyErr {
    number.cast::<PyInt>().map_or(error, |number| PyValueError::new_err(sentence(number)))
}
