//! The Python module `tisch._core`: converts arguments, releases the GIL for long work, and calls the core.

use pyo3::prelude::*;

mod errors;
mod names;
mod okey;
mod random;
mod raumstation;
mod sechsundsechzig;
mod tichu;

/// The compiled cores of tisch.
#[pymodule]
mod _core {
    use pyo3::prelude::*;

    /// Do nothing; the cost of a call from Python, which is the unit of time in the benchmarks.
    #[pyfunction]
    fn empty() {}

    /// The number of bombs among the combinations; they have the lowest codes.
    #[pymodule_export]
    const BOMBS: usize = tisch_core::tichu::combinations::BOMBS;

    #[pymodule_export]
    use crate::names::skeleton;
    #[pymodule_export]
    use crate::okey::{okey_arrange, okey_coverage, okey_outs, okey_puts, okey_winning_puts};
    #[pymodule_export]
    use crate::random::{Random, derive};
    #[pymodule_export]
    use crate::raumstation::Station;
    #[pymodule_export]
    use crate::sechsundsechzig::sechsundsechzig_worth;
    #[pymodule_export]
    use crate::tichu::cards::Cards;
    #[pymodule_export]
    use crate::tichu::combinations::{census, classify, combinations, plays};
    #[pymodule_export]
    use crate::tichu::hand::Hand;
    #[pymodule_export]
    use crate::tichu::moves::{
        Move, Moves, combination_at, tichu_deal, tichu_gives, tichu_has_bomb, tichu_interrupts, tichu_points,
        tichu_turn,
    };
    #[pymodule_export]
    use crate::tichu::odds::{odds_beats, odds_higher, odds_holds, odds_lower, odds_table};
    #[pymodule_export]
    use crate::tichu::partitions::{Partitions, cheapest_after, fewest, fewest_after, partitions};
    #[pymodule_export]
    use crate::tichu::plays::Plays;

    /// Rounds of Tichu for simulations.
    #[pymodule]
    mod tichu {
        use pyo3::prelude::*;
        use pyo3::types::PyModule;

        #[pymodule_export]
        use crate::tichu::playout::{duel, evaluate, playouts};
        #[pymodule_export]
        use crate::tichu::round::Round;

        /// Lets the module be imported and its classes be found by their names.
        #[pymodule_init]
        fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
            module.setattr("__name__", "tisch._core.tichu")?;
            module.py().import("sys")?.getattr("modules")?.set_item("tisch._core.tichu", module)
        }
    }
}
