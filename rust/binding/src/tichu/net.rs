//! The Python interface of networks that score the candidates of a decision.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tisch_core::net::{self, Feature, Sizes, Sums};
use tisch_core::tichu::belief;
use tisch_core::tichu::features::{self, FEATURES, HEADS_FEATURES, Kind};
use tisch_core::tichu::policies::HeuristicPolicy;
use tisch_core::tichu::zero::{self, Own};

use crate::errors::{at_least_one, wrong};
use crate::interrupts::interruptible;
use crate::random::{Random, seed};
use crate::tichu::moves::Move;
use crate::tichu::playout::redeals;
use crate::tichu::round::{self, Round};

/// A network that scores the candidates of a decision: two hidden layers of rectified sums, then one score.
#[pyclass(frozen, module = "tisch._core.tichu")]
pub struct Net(pub Arc<net::Net>);

#[pymethods]
impl Net {
    #[new]
    #[pyo3(signature = (features, wide, narrow, weights, /))]
    fn new(features: usize, wide: usize, narrow: usize, weights: &[u8]) -> PyResult<Self> {
        let net = net::Net::read(Sizes { features, wide, narrow }, weights).map_err(|error| wrong(&error))?;
        Ok(Self(Arc::new(net)))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (usize, usize, usize, Bound<'py, PyBytes>)) {
        let net = &slf.get().0;
        let Sizes { features, wide, narrow } = net.sizes();
        (slf.get_type().into_any(), (features, wide, narrow, PyBytes::new(slf.py(), &net.write())))
    }
}

impl Net {
    /// Checks that the network has so many features.
    pub fn check(&self, features: usize) -> PyResult<()> {
        self.0.check(features).map_err(|error| wrong(&error))
    }
}

/// A decision of a seat as features, which are zero or one; those of one are listed.
#[pyclass(frozen, module = "tisch._core.tichu")]
pub struct Decision(features::Decision);

/// Writes features as bytes.
fn bytes<'py>(py: Python<'py>, features: &[Feature]) -> Bound<'py, PyBytes> {
    let all: Vec<u8> = features.iter().flat_map(|feature| feature.to_le_bytes()).collect();
    PyBytes::new(py, &all)
}

#[pymethods]
impl Decision {
    /// The kind: ``grand``, ``schupf``, ``small``, ``play``, ``bomb``, ``wish``, ``dragon``, ``deal``, ``worth``.
    #[getter]
    fn kind(&self) -> &'static str {
        self.0.kind.name()
    }

    /// The candidates; ``None`` is silence, or no call of small Tichu.
    #[getter]
    fn candidates(&self) -> Vec<Option<Move>> {
        self.0.candidates.iter().map(|candidate| candidate.map(Move)).collect()
    }

    /// The place of the heuristic's own choice.
    #[getter]
    fn own(&self) -> usize {
        self.0.own
    }

    /// The features that all candidates have in common, two bytes each, the lower one first.
    #[getter]
    fn common<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        bytes(py, &self.0.common)
    }

    /// The features of the candidates one after the other, two bytes each, the lower one first.
    #[getter]
    fn features<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        bytes(py, &self.0.features)
    }

    /// The end of each candidate's features.
    #[getter]
    fn ends(&self) -> Vec<usize> {
        self.0.ends.clone()
    }

    /// Return the place of the candidate that a move is, suits aside.
    #[pyo3(signature = (chosen, /))]
    fn place(&self, chosen: Option<&Bound<'_, Move>>) -> Option<usize> {
        self.0.place(chosen.map(|chosen| chosen.get().0))
    }

    /// Return the scores of a network for the candidates.
    #[pyo3(signature = (net, /))]
    fn scores(&self, net: &Bound<'_, Net>) -> PyResult<Vec<f32>> {
        net.get().check(if self.0.kind == Kind::Deal { belief::FEATURES } else { FEATURES })?;
        Ok(self.0.scores(&net.get().0, &mut Sums::default()))
    }
}

/// Return the decision of a seat as features, from what it knows.
#[pyfunction]
#[pyo3(signature = (round, seat, /, *, call = false))]
pub fn decision(round: &Bound<'_, Round>, seat: &Bound<'_, PyAny>, call: bool) -> PyResult<Option<Decision>> {
    let (seat, mut policy) = (round::seat(seat)?, HeuristicPolicy::unstyled());
    let round = &round.borrow().round;
    let make = if call { features::call } else { features::decision };
    Ok(make(round, seat, &mut policy).map(Decision))
}

/// Play a round with the heuristic policy, and return what :func:`deals` returns at some of its moments.
#[pyfunction]
#[pyo3(signature = (seed, redeals, /))]
pub fn deals_of_a_round(seed: &Bound<'_, PyAny>, redeals: &Bound<'_, PyAny>) -> PyResult<Vec<Decision>> {
    Ok(belief::lessons(self::seed(seed)?, self::redeals(redeals, "redeal")?).into_iter().map(Decision).collect())
}

/// A decision of a round that teaches, and what a network should have said of it.
type Taught = (Decision, Vec<f32>);

/// Play a round of ``alphazero`` against itself, and return its decisions with what its network should have said.
#[pyfunction]
#[pyo3(signature = (net, seed, /, *, visits, every))]
pub fn own_round(
    py: Python<'_>,
    net: &Bound<'_, Net>,
    seed: &Bound<'_, PyAny>,
    visits: &Bound<'_, PyAny>,
    every: &Bound<'_, PyAny>,
) -> PyResult<Vec<Taught>> {
    net.get().check(HEADS_FEATURES)?;
    let (seed, visits) = (self::seed(seed)?, self::redeals(visits, "visit")?);
    let own = Own { net: &net.get().0, visits, every: at_least_one(every, "decision")? };
    let lessons = interruptible(py, |proceed| zero::play(seed, &own, proceed))?;
    Ok(lessons.into_iter().flatten().map(|each| (Decision(each.decision), each.values)).collect())
}

/// Return the deals among which a seat finds the true one, as features of a network with ``BELIEF_FEATURES``.
#[pyfunction]
#[pyo3(signature = (round, seat, redeals, random, /))]
pub fn deals(
    round: &Bound<'_, Round>,
    seat: &Bound<'_, PyAny>,
    redeals: &Bound<'_, PyAny>,
    random: &Bound<'_, Random>,
) -> PyResult<Decision> {
    let (seat, Round { round, evidence }) = (round::seat(seat)?, round.borrow().clone());
    let redeals = self::redeals(redeals, "redeal")?;
    Ok(Decision(belief::deals(&round, &evidence, seat, redeals, &mut random.borrow_mut().0)))
}
