//! The Python module `tisch._core`: converts arguments, releases the GIL for long work, and calls the core.

use pyo3::prelude::*;
use pyo3::types::PyCFunction;

mod batch;
mod errors;
mod game;
mod interrupts;
mod maumau;
mod names;
mod okey;
mod random;
mod raumstation;
mod sechsundsechzig;
mod simulation;
mod tichu;

/// The compiled cores of tisch.
#[pymodule]
mod _core {
    use pyo3::prelude::*;
    use pyo3::types::PyModule;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        crate::make_importable(module, "tisch._core")
    }

    /// Do nothing; the cost of a call from Python, which is the unit of time in the benchmarks.
    #[pyfunction]
    fn empty() {}

    #[pymodule_export]
    use crate::names::skeleton;
    #[pymodule_export]
    use crate::random::{Random, derive};

    /// The redeal of Mau-Mau.
    #[pymodule]
    mod maumau {
        #[pymodule_export]
        use crate::maumau::spread;
    }

    /// The arrangements of a rack of Okey, and the worth of draws and puts.
    #[pymodule]
    mod okey {
        #[pymodule_export]
        use crate::okey::{arrange, coverage, draws, outs, puts, winning_puts, worths};
    }

    /// The stations of Raumstation, and their solver.
    #[pymodule]
    mod raumstation {
        #[pymodule_export]
        use crate::raumstation::{Station, generate};
    }

    /// What positions of Sechsundsechzig are worth.
    #[pymodule]
    mod sechsundsechzig {
        #[pymodule_export]
        use crate::sechsundsechzig::{chances, hands, redeal, worth, worth_against_rules};
    }

    /// Whole games of all kinds, policies that play them, matches and batches.
    #[pymodule]
    mod simulation {
        #[pymodule_export]
        use crate::batch::Batch;
        #[pymodule_export]
        use crate::game::Game;
        #[pymodule_export]
        use crate::simulation::{Match, Player, Policy, games};
    }

    /// The cards, combinations, moves, odds and rounds of Tichu.
    #[pymodule]
    mod tichu {
        use pyo3::prelude::*;

        /// The number of bombs among the combinations; they have the lowest codes.
        #[pymodule_export]
        const BOMBS: usize = tisch_core::tichu::combinations::BOMBS;
        /// The number of features of a belief.
        #[pymodule_export]
        const BELIEF_FEATURES: usize = tisch_core::tichu::belief::FEATURES;
        /// The version of the features of a belief.
        #[pymodule_export]
        const BELIEF_VERSION: u32 = tisch_core::tichu::belief::VERSION;
        /// The number of features of a decision.
        #[pymodule_export]
        const FEATURES: usize = tisch_core::tichu::features::FEATURES;
        /// The version of the features.
        #[pymodule_export]
        const FEATURES_VERSION: u32 = tisch_core::tichu::features::VERSION;
        /// The number of features of a network with two heads, for scores and for what rounds are worth.
        #[pymodule_export]
        const HEADS_FEATURES: usize = tisch_core::tichu::features::HEADS_FEATURES;
        /// What an ace contributes to the promise of eight cards for Grand Tichu.
        #[pymodule_export]
        const GRAND_ACE: i32 = tisch_core::tichu::policies::GRAND_ACE;
        /// The value of a move that lays the last cards.
        #[pymodule_export]
        const OUT: i32 = tisch_core::tichu::policies::OUT;

        #[pymodule_export]
        use crate::tichu::cards::Cards;
        #[pymodule_export]
        use crate::tichu::combinations::{census, classify, combinations, plays};
        #[pymodule_export]
        use crate::tichu::hand::Hand;
        #[pymodule_export]
        use crate::tichu::heuristic::{Heuristic, grand_promise};
        #[pymodule_export]
        use crate::tichu::log::{log_codes, read_logs};
        #[pymodule_export]
        use crate::tichu::moves::{Move, Moves, combination_at, deal};
        #[pymodule_export]
        use crate::tichu::net::{Decision, Net, deals, deals_of_a_round, decision, own_round};
        #[pymodule_export]
        use crate::tichu::partitions::{Partitions, cheapest_after, fewest, fewest_after, partitions};
        #[pymodule_export]
        use crate::tichu::playout::{duel, evaluate, playouts};
        #[pymodule_export]
        use crate::tichu::plays::Plays;
        #[pymodule_export]
        use crate::tichu::round::Round;

        /// The exact probability that hidden hands can top combinations.
        #[pymodule]
        mod odds {
            #[pymodule_export]
            use crate::tichu::odds::{beats, higher, holds, lower, table};
        }
    }
}

/// Tells a module, its functions and its submodules their full names, so that the submodules can be imported and pickles
/// find what they have.
fn make_importable(module: &Bound<'_, PyModule>, path: &str) -> PyResult<()> {
    module.setattr("__name__", path)?;
    module.py().import("sys")?.getattr("modules")?.set_item(path, module)?;
    for (name, value) in module.dict() {
        if value.is_instance_of::<PyCFunction>() {
            value.setattr("__module__", path)?;
        } else if let Ok(submodule) = value.cast::<PyModule>() {
            make_importable(submodule, &format!("{path}.{name}"))?;
        }
    }
    Ok(())
}
