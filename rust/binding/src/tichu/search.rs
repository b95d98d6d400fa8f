//! The Python interface of Tichu's search: it releases the GIL, and Ctrl-C interrupts it between worlds.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tisch_core::tichu::belief::FEATURES;
use tisch_core::tichu::search::{self, Finding, Settings};

use crate::errors::{at_least_one, wrong};
use crate::interrupts::interruptible;
use crate::random::seed;
use crate::tichu::moves::Move;
use crate::tichu::net::Net;
use crate::tichu::playout::{policy, redeals};
use crate::tichu::round::{self, Round};

/// Moves that a seat makes at once, and the leads in the worlds where they were tried.
type Tried = (Vec<Move>, Vec<i32>);

/// A search, which tries the moves of a seat in worlds that it cannot distinguish from the true one.
#[pyclass(frozen, module = "tisch._core.tichu")]
pub struct Search {
    settings: Settings,
    net: Option<Py<Net>>,
}

#[pymethods]
impl Search {
    #[new]
    #[pyo3(signature = (*, playouts, worlds, candidates, caution, draws, policy, threads, net = None))]
    #[expect(clippy::too_many_arguments, reason = "all of them have names")]
    fn new(
        playouts: &Bound<'_, PyAny>,
        worlds: &Bound<'_, PyAny>,
        candidates: &Bound<'_, PyAny>,
        caution: f64,
        draws: &Bound<'_, PyAny>,
        policy: &str,
        threads: &Bound<'_, PyAny>,
        net: Option<Py<Net>>,
    ) -> PyResult<Self> {
        if !(caution.is_finite() && caution >= 0.0) {
            let sentence = format!("The caution is a number of standard errors from 0 on, not {caution}.");
            return Err(PyValueError::new_err(sentence));
        }
        let settings = Settings {
            playouts: at_least_one(playouts, "playout")?.get(),
            worlds: at_least_one(worlds, "world")?.get(),
            candidates: at_least_one(candidates, "candidate")?.get(),
            caution,
            draws: at_least_one(draws, "draw").and_then(|_| redeals(draws, "draw"))?,
            policy: self::policy(policy)?,
            threads: at_least_one(threads, "thread")?,
            ..Settings::default()
        };
        if let Some(net) = &net {
            net.get().check(FEATURES)?;
        }
        Ok(Self { settings, net })
    }

    /// Try the candidates of a seat. The call releases the GIL and responds to Ctrl-C.
    #[pyo3(signature = (round, seat, seed, /))]
    fn decide(
        &self,
        round: &Bound<'_, Round>,
        seat: &Bound<'_, PyAny>,
        seed: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<Tried>> {
        let (py, seat, seed) = (round.py(), round::seat(seat)?, self::seed(seed)?);
        let Round { round, evidence } = round.borrow().clone();
        let net = self.net.as_ref().map(|net| &net.get().0);
        let found =
            interruptible(py, |proceed| search::search(&round, &evidence, seat, &self.settings, net, seed, proceed))?;
        let tried = |Finding { candidate, leads }: Finding| (candidate.into_iter().map(Move).collect(), leads);
        Ok(found.map_err(|error| wrong(&error))?.into_iter().map(tried).collect())
    }
}
