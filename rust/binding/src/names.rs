//! The visual skeleton of names, by Unicode's own tables.

use pyo3::prelude::*;

/// Return the skeleton of a text: texts that people cannot tell apart have the same skeleton (UTS #39).
///
/// Invisible characters are dropped.
#[pyfunction]
#[pyo3(signature = (text, /))]
pub fn skeleton(text: &str) -> String {
    unicode_security::skeleton(text).collect()
}
