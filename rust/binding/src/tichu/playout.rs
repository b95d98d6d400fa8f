//! The Python interface of Tichu's playouts: they release the GIL, and Ctrl-C interrupts them between chunks.

use std::num::NonZeroUsize;
use std::ops::Range;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyRange};
use tisch_core::simulation::search::MOST_THREADS;
use tisch_core::tichu::playout::{self, Question, Start, Tally};
use tisch_core::tichu::policies::PolicyName;

use crate::errors::{at_least_one, beyond, wrong};
use crate::interrupts::interruptible;
use crate::random::seed;
use crate::tichu::moves::Move;
use crate::tichu::round::{self, Round};

/// The number of playouts of each thread between two checks for interrupts.
const CHUNK: u64 = 500;

/// The sum of leads, that of their squares, and that of the squares of their differences to the first candidate.
type Sums = (i64, i64, i64);

/// A move, or several moves that a seat makes at once.
#[derive(FromPyObject)]
pub enum Candidate<'py> {
    Move(Bound<'py, Move>),
    Moves(Vec<Bound<'py, Move>>),
}

impl Candidate<'_> {
    fn into_moves(self) -> Vec<tisch_core::tichu::moves::Move> {
        match self {
            Self::Move(chosen) => vec![chosen.get().0],
            Self::Moves(moves) => moves.iter().map(|chosen| chosen.get().0).collect(),
        }
    }
}

pub fn policy(name: &str) -> PyResult<PolicyName> {
    name.parse().map_err(|error| wrong(&error))
}

/// Converts a number of redeals, which are all kept at once.
pub fn redeals(number: &Bound<'_, PyAny>, what: &str) -> PyResult<usize> {
    let sentence = |number: &Bound<'_, PyInt>| format!("From 0 to 65535 {what}s are possible, not {number}.");
    number.extract::<u16>().map(usize::from).map_err(|error| beyond(error, number, sentence))
}

/// Returns the numbers of some worlds: those from 0 on, or those of a range.
fn numbers(worlds: &Bound<'_, PyAny>) -> PyResult<Range<u64>> {
    if worlds.cast::<PyRange>().is_err() {
        return Ok(0..at_least_one(worlds, "world")?.get() as u64);
    }
    let part = |name| worlds.getattr(name)?.extract::<u64>();
    match (part("start"), part("stop"), part("step")) {
        (Ok(first), Ok(last), Ok(1)) if first < last => Ok(first..last),
        _ => Err(PyValueError::new_err(format!(
            "Worlds have consecutive numbers from 0 to 18446744073709551614, at least one, not {worlds}."
        ))),
    }
}

/// Runs the work chunk by chunk, and lets the interpreter interrupt it in between; returns the sum of the leads, and that of
/// their squares.
fn in_chunks(
    py: Python<'_>,
    worlds: Range<u64>,
    threads: NonZeroUsize,
    work: impl Fn(Range<u64>) -> Tally + Sync,
) -> PyResult<(i64, i64)> {
    let chunk = CHUNK * threads.get().min(MOST_THREADS) as u64;
    let mut sums = (0, 0);
    let mut next = worlds.start;
    while next < worlds.end {
        let here = next..worlds.end.min(next.saturating_add(chunk));
        next = here.end;
        let Tally { sum, squares, .. } = py.detach(|| work(here));
        sums = (sums.0 + sum, sums.1 + squares);
        py.check_signals()?;
    }
    Ok(sums)
}

/// Estimate the worth of moves by playing many possible worlds to their end.
#[pyfunction]
#[pyo3(signature = (round, seat, candidates, worlds, policy, seed, *, threads = None), text_signature = "(round, seat, candidates, worlds, policy, seed, *, threads=1)")]
pub fn evaluate(
    round: &Bound<'_, Round>,
    seat: &Bound<'_, PyAny>,
    candidates: Vec<Option<Candidate<'_>>>,
    worlds: &Bound<'_, PyAny>,
    policy: &str,
    seed: &Bound<'_, PyAny>,
    threads: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<Sums>> {
    let (py, policy, seed) = (round.py(), self::policy(policy)?, self::seed(seed)?);
    let threads = threads.map_or(Ok(NonZeroUsize::MIN), |threads| at_least_one(threads, "thread"))?;
    if candidates.is_empty() {
        return Err(PyValueError::new_err("There is no candidate to be evaluated."));
    }
    let moves = candidates.into_iter().map(|each| each.map_or_else(Vec::new, Candidate::into_moves));
    let question = {
        let round = round.borrow();
        Question::new(&round.round, &round.evidence, round::seat(seat)?, moves).map_err(|error| wrong(&error))?
    };
    let worlds = numbers(worlds)?;
    let worlds = worlds.start as usize..worlds.end as usize;
    let found = interruptible(py, |proceed| playout::evaluate(&question, worlds, policy, seed, threads, proceed))?
        .unwrap_or_default();
    Ok(found.into_iter().map(|tally| (tally.sum, tally.squares, tally.differences)).collect())
}

/// Play a round to its end many times, with all hands as they are.
#[pyfunction]
#[pyo3(signature = (round, worlds, policy, seed, *, threads = None), text_signature = "(round, worlds, policy, seed, *, threads=1)")]
pub fn playouts(
    py: Python<'_>,
    round: Option<&Bound<'_, Round>>,
    worlds: &Bound<'_, PyAny>,
    policy: &str,
    seed: &Bound<'_, PyAny>,
    threads: Option<&Bound<'_, PyAny>>,
) -> PyResult<(i64, i64)> {
    let (policy, seed) = (self::policy(policy)?, self::seed(seed)?);
    let threads = threads.map_or(Ok(NonZeroUsize::MIN), |threads| at_least_one(threads, "thread"))?;
    let start = round.map_or(Start::Deal, |round| Start::Round(round.borrow().round));
    let worlds = numbers(worlds)?;
    in_chunks(py, worlds, threads, |worlds| playout::playouts(&start, worlds, policy, seed, threads))
}

/// Play two policies against each other; each deal twice, with the seats swapped.
#[pyfunction]
#[pyo3(signature = (policy, other, deals, seed, *, threads = None), text_signature = "(policy, other, deals, seed, *, threads=1)")]
pub fn duel(
    py: Python<'_>,
    policy: &str,
    other: &str,
    deals: &Bound<'_, PyAny>,
    seed: &Bound<'_, PyAny>,
    threads: Option<&Bound<'_, PyAny>>,
) -> PyResult<(i64, i64)> {
    let (policies, seed) = ([self::policy(policy)?, self::policy(other)?], self::seed(seed)?);
    let threads = threads.map_or(Ok(NonZeroUsize::MIN), |threads| at_least_one(threads, "thread"))?;
    let deals = numbers(deals)?;
    in_chunks(py, deals, threads, |deals| playout::duel(policies, deals, seed, threads))
}
