//! What names look like, by Unicode's own tables.

use pyo3::prelude::*;

/// Return what a text looks like: two texts that people cannot tell apart have the same skeleton (UTS #39).
///
/// Characters that nobody can see are left out.
#[pyfunction]
#[pyo3(signature = (text, /))]
pub fn skeleton(text: &str) -> String {
    unicode_security::skeleton(text).collect()
}
