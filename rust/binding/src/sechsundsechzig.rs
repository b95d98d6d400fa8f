//! The Python interface of Sechsundsechzig's endgame.

use pyo3::prelude::*;
use tisch_core::sechsundsechzig::{self, Position, Side};

use crate::errors::wrong;

/// Converts a side: hand, points, whether it has a trick and whether it has closed the deck.
type Values = (u32, u16, bool, bool);

fn side((hand, points, has_trick, closed): Values) -> Side {
    Side { hand, points, has_trick, closed }
}

/// Compute the game points that the leader gets with perfect play.
#[pyfunction]
#[pyo3(signature = (leader, other, trump, led = None))]
pub fn worth(leader: Values, other: Values, trump: u32, led: Option<u32>) -> PyResult<i8> {
    let position = Position { leader: side(leader), other: side(other), trump };
    sechsundsechzig::worth(&position, led).map_err(|error| wrong(&error))
}
