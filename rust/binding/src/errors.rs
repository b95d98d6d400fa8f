//! Python exceptions for bad arguments.

use std::num::NonZeroUsize;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyInt;

/// Converts an error of the core into a `ValueError` with its message.
pub fn wrong(error: &impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Builds the error for a number that is out of range; the message contains the number, whatever its size.
pub fn beyond(error: PyErr, number: &Bound<'_, PyAny>, sentence: impl FnOnce(&Bound<'_, PyInt>) -> String) -> PyErr {
    number.cast::<PyInt>().map_or(error, |number| PyValueError::new_err(sentence(number)))
}

/// Converts a number that must be at least one.
pub fn at_least_one(number: &Bound<'_, PyAny>, what: &str) -> PyResult<NonZeroUsize> {
    let sentence = |found: &Bound<'_, PyInt>| {
        if found.gt(0).unwrap_or_default() {
            format!("{found} {what}s are too many.")
        } else {
            format!("At least 1 {what} is needed, not {found}.")
        }
    };
    number.extract().map_err(|error| beyond(error, number, sentence))
}
