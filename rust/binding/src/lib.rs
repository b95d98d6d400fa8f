//! The Python module `tisch._core`: it converts, detaches from the interpreter for long work, and calls the core.

use pyo3::prelude::*;

mod errors;
mod names;
mod okey;
mod random;
mod raumstation;
mod sechsundsechzig;
mod tichu;

/// The cores of tisch, compiled.
#[pymodule]
mod _core {
    use pyo3::prelude::*;

    /// Does nothing: what a call from Python costs by itself, the unit in which the benches state times.
    #[pyfunction]
    fn empty() {}

    /// How many of the combinations are bombs; their codes are the lowest.
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
