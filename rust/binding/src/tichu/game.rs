//! The options of whole games of Tichu.

use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use tisch_core::tichu::game::{Options, Tichu};

impl crate::simulation::Begun for Tichu {
    fn options(options: &Bound<'_, PyAny>) -> PyResult<Options> {
        let number = |name: &str| -> PyResult<u32> {
            // No game reaches what is beyond the core's numbers.
            options.getattr(name)?.extract().or_else(|error: PyErr| {
                if error.is_instance_of::<PyOverflowError>(options.py()) { Ok(u32::MAX) } else { Err(error) }
            })
        };
        Ok(Options { goal: number("goal")?.into(), rounds: number("rounds")? })
    }
}
