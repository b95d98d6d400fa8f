//! Batches of games in Python: the class `Batch` of `tisch._core.simulation`, the same for all games.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::Range;

use pyo3::buffer::{Element, PyBuffer};
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PySlice;
use tisch_core::simulation::batch::{self, Course, Facts, Plan, Pool, Shown, Start};
use tisch_core::simulation::{Encoded, Played, Round as _};

use crate::errors::{at_least_one, wrong};
use crate::interrupts::interruptible;
use crate::random::seed;
use crate::simulation::{self, Begun, Named, Policy, no_seat, of_game};

/// The seats that policies play: by seat, the policies with their weights, of which each game draws one.
type Seated = BTreeMap<usize, Vec<(f64, Named)>>;
/// The seed and the moves of a game, with their seats.
type Record = (u64, Vec<(usize, String)>);

/// Makes the pools of the seats.
fn pools<G: Played + Encoded>(seats: usize, seated: &Seated) -> PyResult<Vec<Option<Pool<G>>>> {
    if let Some(seat) = seated.keys().find(|&&seat| seat >= seats) {
        return Err(no_seat(seats, *seat));
    }
    if seated.len() == seats {
        return Err(PyValueError::new_err("Policies play all seats: at least one must be asked."));
    }
    let pool = |seat| {
        let Some(pool) = seated.get(&seat) else { return Ok(None) };
        if pool.is_empty() || pool.iter().any(|(weight, _)| !(*weight > 0.0 && weight.is_finite())) {
            let sentence = format!("Seat {seat} needs at least one policy, and weights above 0.");
            return Err(PyValueError::new_err(sentence));
        }
        pool.iter().map(|(weight, named)| Ok((*weight, named.maker::<G>()?))).collect::<PyResult<Pool<G>>>().map(Some)
    };
    (0..seats).map(pool).collect()
}

/// Makes the positions that games begin from.
fn starts<G: Encoded>(options: &G::Options, starts: &[Given]) -> PyResult<Vec<Start<G>>> {
    let start = |(number, Given { seed, moves }): (usize, &Given)| {
        let sentence = |error| format!("Start {number} is no position to begin from: {error}");
        Start::new(options, *seed, moves).map_err(|error| PyValueError::new_err(sentence(error)))
    };
    starts.iter().enumerate().map(start).collect()
}

/// The arrays of the caller, in the order of the arguments.
const NAMES: [&str; 6] = ["observation", "mask", "seat", "reward", "done", "history"];
/// The number of games whose rows a single thread writes at once: they stay in the processor's cache until they are copied.
const CHUNK: usize = 32;

/// Games that are stepped at once, and the caller's arrays.
struct Games<G: Encoded> {
    batch: batch::Batch<G>,
    rows: Rows,
    /// The games whose rows are written at once, and their part of the arrays.
    chunks: Vec<(Range<usize>, Arrays)>,
    threads: NonZeroUsize,
}

/// The arrays of the caller, as far as they belong to a chunk of the games.
struct Arrays {
    observation: PyBuffer<i8>,
    /// Each row of the observations, and the elements of it that moves change; none if all elements may change.
    rows: Vec<[PyBuffer<i8>; 2]>,
    mask: PyBuffer<u8>,
    seat: PyBuffer<i8>,
    reward: PyBuffer<f32>,
    done: PyBuffer<u8>,
    history: PyBuffer<i16>,
}

/// The numbers of elements that a game has in the arrays.
#[derive(Clone, Copy)]
struct Sizes {
    observation: usize,
    /// How many of them stay as they are until the game is over.
    fixed: usize,
    mask: usize,
    reward: usize,
    history: usize,
}

impl Sizes {
    fn of<G: Encoded>(plan: &Plan<G>) -> Self {
        let history = plan.history * (1 + G::LONGEST);
        Self { observation: G::SIZE, fixed: G::FIXED, mask: G::ACTIONS, reward: plan.pools.len(), history }
    }
}

/// What is copied into them.
struct Rows {
    sizes: Sizes,
    observation: Vec<i8>,
    mask: Vec<u8>,
    seat: Vec<i8>,
    reward: Vec<f32>,
    done: Vec<u8>,
    history: Vec<i16>,
}

impl Rows {
    fn new(sizes: Sizes, games: usize) -> Self {
        Self {
            sizes,
            observation: vec![0; sizes.observation * games],
            mask: vec![0; sizes.mask * games],
            seat: vec![0; games],
            reward: vec![0.0; sizes.reward * games],
            done: vec![0; games],
            history: vec![0; sizes.history * games],
        }
    }

    /// Writes what some games show.
    fn write<G: Encoded>(&mut self, games: &batch::Batch<G>, range: &Range<usize>, threads: NonZeroUsize) {
        let Sizes { observation, mask, reward, history, .. } = self.sizes;
        // A game without moves to show has an empty row, of which no slice can be cut.
        let mut rest = self.history.as_mut_slice();
        let facts = self.seat.iter_mut().zip(&mut self.done).zip(self.reward.chunks_mut(reward));
        let arrays = self.observation.chunks_mut(observation).zip(self.mask.chunks_mut(mask));
        let mut rows: Vec<Shown<'_>> = facts
            .zip(arrays)
            .take(range.len())
            .map(|(((seat, done), reward), (observation, mask))| {
                let (history, others) = std::mem::take(&mut rest).split_at_mut(history);
                rest = others;
                Shown { observation, facts: Facts { mask, seat, reward, done, history } }
            })
            .collect();
        games.write(range.start, &mut rows, threads);
    }

    /// Writes what has changed in some games in a step, their observations straight into the arrays.
    fn write_changed<G: Encoded>(
        &mut self,
        py: Python<'_>,
        games: &batch::Batch<G>,
        range: &Range<usize>,
        arrays: &Arrays,
    ) -> PyResult<()> {
        let Sizes { observation, mask, reward, history, .. } = self.sizes;
        for ((place, game), [all, rest]) in range.clone().enumerate().zip(&arrays.rows) {
            let mut facts = Facts {
                mask: &mut self.mask[place * mask..][..mask],
                seat: &mut self.seat[place],
                reward: &mut self.reward[place * reward..][..reward],
                done: &mut self.done[place],
                history: &mut self.history[place * history..][..history],
            };
            games.write_facts(game, &mut facts);
            let (first, changed) = games.write_changed(game, &mut self.observation[..observation]);
            if first == 0 { all } else { rest }.copy_from_slice(py, changed)?;
        }
        arrays.fill_facts(py, self, range.len())
    }
}

impl Arrays {
    /// Takes the part of the caller's arrays that belongs to some of the games.
    fn part(arrays: &[Bound<'_, PyAny>; 6], range: &Range<usize>, sizes: Sizes) -> PyResult<Self> {
        let [observation, mask, seat, reward, done, history] = arrays;
        let game = |game| {
            let row = observation.get_item(game)?;
            let rest = row.get_item(PySlice::new(row.py(), sizes.fixed.cast_signed(), isize::MAX, 1))?;
            Ok([PyBuffer::get(&row)?, PyBuffer::get(&rest)?])
        };
        let rows = if sizes.fixed == 0 { 0..0 } else { range.clone() };
        Ok(Self {
            observation: part(observation, NAMES[0], range, sizes.observation)?,
            rows: rows.map(game).collect::<PyResult<_>>()?,
            mask: part(mask, NAMES[1], range, sizes.mask)?,
            seat: part(seat, NAMES[2], range, 1)?,
            reward: part(reward, NAMES[3], range, sizes.reward)?,
            done: part(done, NAMES[4], range, 1)?,
            history: part(history, NAMES[5], range, sizes.history)?,
        })
    }

    fn fill(&self, py: Python<'_>, rows: &Rows, games: usize) -> PyResult<()> {
        let sizes = rows.sizes;
        self.observation.copy_from_slice(py, &rows.observation[..games * sizes.observation])?;
        self.fill_facts(py, rows, games)
    }

    fn fill_facts(&self, py: Python<'_>, rows: &Rows, games: usize) -> PyResult<()> {
        let sizes = rows.sizes;
        self.mask.copy_from_slice(py, &rows.mask[..games * sizes.mask])?;
        self.seat.copy_from_slice(py, &rows.seat[..games])?;
        self.reward.copy_from_slice(py, &rows.reward[..games * sizes.reward])?;
        self.done.copy_from_slice(py, &rows.done[..games])?;
        self.history.copy_from_slice(py, &rows.history[..games * sizes.history])
    }
}

/// Takes the rows of some games from an array, and checks that they can be written.
fn part<T: Element>(
    array: &Bound<'_, PyAny>,
    name: &str,
    range: &Range<usize>,
    elements: usize,
) -> PyResult<PyBuffer<T>> {
    let rows = PySlice::new(array.py(), range.start.cast_signed(), range.end.cast_signed(), 1);
    let buffer = PyBuffer::get(&array.get_item(rows)?)?;
    if buffer.readonly() || buffer.item_count() != range.len() * elements || !buffer.is_c_contiguous() {
        return Err(PyValueError::new_err(format!(
            "The array '{name}' must be writable and have {elements} elements for each game in the order of C."
        )));
    }
    Ok(buffer)
}

impl<G: Encoded> Games<G> {
    /// Begins games, and writes the caller's arrays.
    fn new(
        py: Python<'_>,
        games: usize,
        plan: Plan<G>,
        arrays: &[Bound<'_, PyAny>; 6],
        threads: NonZeroUsize,
    ) -> PyResult<Self> {
        for (name, array) in NAMES.iter().zip(arrays) {
            let rows = array.len()?;
            if rows != games {
                return Err(PyValueError::new_err(format!(
                    "The array '{name}' has {rows} rows, the batch {games} games."
                )));
            }
        }
        // Several threads write all rows at once.
        let chunk = if threads.get() == 1 { CHUNK.min(games) } else { games };
        let sizes = Sizes::of(&plan);
        let ranges = (0..games).step_by(chunk.max(1)).map(|first| first..games.min(first + chunk));
        let chunks = ranges.map(|range| Ok((range.clone(), Arrays::part(arrays, &range, sizes)?)));
        let chunks = chunks.collect::<PyResult<_>>()?;
        let games = interruptible(py, |proceed| batch::Batch::new(games, plan, proceed))?;
        let games = games.ok_or_else(|| PyKeyboardInterrupt::new_err(()))?;
        let mut batch = Self { batch: games, rows: Rows::new(sizes, chunk), chunks, threads };
        batch.write(py)?;
        Ok(batch)
    }

    /// Overwrites the arrays of the caller, unless a game could not begin. This takes a single thread a fraction of a
    /// millisecond for a thousand games; to leave the interpreter for each chunk would cost more where other threads wait
    /// for it.
    fn write(&mut self, py: Python<'_>) -> PyResult<()> {
        if let Some(flaw) = self.batch.flaw() {
            return Err(PyValueError::new_err(flaw));
        }
        let (games, rows, threads) = (&self.batch, &mut self.rows, self.threads);
        for (range, arrays) in &self.chunks {
            if threads.get() == 1 {
                rows.write(games, range, threads);
            } else {
                py.detach(|| rows.write(games, range, threads));
            }
            arrays.fill(py, rows, range.len())?;
        }
        Ok(())
    }

    /// Writes what a step has changed.
    fn write_changed(&mut self, py: Python<'_>) -> PyResult<()> {
        let (games, rows) = (&self.batch, &mut self.rows);
        self.chunks.iter().try_for_each(|(range, arrays)| rows.write_changed(py, games, range, arrays))
    }
}

/// A batch of whatever kind.
pub trait AnyBatch: Send + Sync {
    fn step(&mut self, py: Python<'_>, ids: &Bound<'_, PyAny>) -> PyResult<()>;
    fn last(&self, py: Python<'_>, observation: &Bound<'_, PyAny>, history: &Bound<'_, PyAny>) -> PyResult<()>;
    fn record(&self, game: usize) -> PyResult<Record>;
    fn courses(&self) -> Vec<(u64, Vec<u16>)>;
    fn restore(&mut self, py: Python<'_>, courses: Vec<(u64, Vec<u16>)>) -> PyResult<()>;
}

impl<G: Encoded> AnyBatch for Games<G> {
    fn step(&mut self, py: Python<'_>, ids: &Bound<'_, PyAny>) -> PyResult<()> {
        let ids = PyBuffer::<i64>::get(ids)?.to_vec(py)?;
        let (games, threads) = (&mut self.batch, self.threads);
        interruptible(py, |proceed| games.step(&ids, threads, proceed))?.map_err(|error| wrong(&error))?;
        if G::FIXED > 0 && threads.get() == 1 && self.batch.flaw().is_none() {
            return self.write_changed(py);
        }
        self.write(py)
    }

    fn last(&self, py: Python<'_>, observation: &Bound<'_, PyAny>, history: &Bound<'_, PyAny>) -> PyResult<()> {
        let (games, size, length) = (self.batch.len(), G::SIZE, self.rows.sizes.history);
        let (mut rows, mut moves) = (vec![0; size * games], vec![-1; length * games]);
        for game in 0..games {
            if let Some((row, last)) = self.batch.last(game) {
                rows[game * size..][..size].copy_from_slice(row);
                moves[game * length..][..length].copy_from_slice(last);
            }
        }
        part(observation, "final_observation", &(0..games), size)?.copy_from_slice(py, &rows)?;
        part(history, "final_history", &(0..games), length)?.copy_from_slice(py, &moves)
    }

    fn record(&self, game: usize) -> PyResult<Record> {
        let (games, record) = (self.batch.len(), self.batch.record(game));
        let no_game = || PyValueError::new_err(format!("There are {games} games from 0 on, but no game {game}."));
        let (seed, moves) = record.ok_or_else(no_game)?;
        Ok((seed, moves.iter().map(|(seat, chosen)| (*seat, chosen.to_string())).collect()))
    }

    fn courses(&self) -> Vec<(u64, Vec<u16>)> {
        self.batch.courses().into_iter().map(|course| (course.number, course.answers)).collect()
    }

    fn restore(&mut self, py: Python<'_>, courses: Vec<(u64, Vec<u16>)>) -> PyResult<()> {
        let courses: Vec<Course> = courses.into_iter().map(|(number, answers)| Course { number, answers }).collect();
        let games = &mut self.batch;
        interruptible(py, |proceed| games.restore(&courses, proceed))?.map_err(|error| wrong(&error))?;
        self.write(py)
    }
}

/// What the games of a batch have in common, as Python's plan tells it.
#[derive(FromPyObject)]
struct Common<'py> {
    options: Bound<'py, PyAny>,
    seed: Bound<'py, PyAny>,
    starts: Vec<Given>,
    skip_forced: bool,
    history: usize,
}

/// A position that games begin from: the seed of a game, and its moves with their seats.
#[derive(FromPyObject)]
struct Given {
    seed: u64,
    moves: Vec<(usize, String)>,
}

/// What a batch is made of.
pub struct Wanted<'py> {
    games: usize,
    seed: u64,
    plan: Common<'py>,
    arrays: [Bound<'py, PyAny>; 6],
    seats: Seated,
    threads: NonZeroUsize,
}

impl Wanted<'_> {
    /// Begins the games.
    pub fn begin<G: Begun + Played + Encoded>(&self) -> PyResult<Box<dyn AnyBatch>> {
        let Common { options, starts, skip_forced, history, .. } = &self.plan;
        let (py, options) = (options.py(), G::options(options)?);
        let plan = Plan {
            pools: pools(G::begin(&options, 0).round().seats(), &self.seats)?,
            starts: self::starts(&options, starts)?,
            options,
            seed: self.seed,
            skip_forced: *skip_forced,
            history: *history,
        };
        Ok(Box::new(Games::<G>::new(py, self.games, plan, &self.arrays, self.threads)?))
    }
}

/// Games that are stepped at once.
#[pyclass(module = "tisch._core.simulation")]
pub struct Batch(Box<dyn AnyBatch>);

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (name, plan, seats, arrays, threads, /))]
    fn new(
        name: &str,
        plan: Common<'_>,
        seats: BTreeMap<usize, Vec<(f64, Bound<'_, Policy>)>>,
        arrays: [Bound<'_, PyAny>; 6],
        threads: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let pool = |(seat, pool): (usize, Vec<(f64, Bound<'_, Policy>)>)| {
            let (weights, policies): (Vec<f64>, Vec<_>) = pool.into_iter().unzip();
            Ok((seat, weights.into_iter().zip(of_game(name, &policies)?).collect()))
        };
        let seats = seats.into_iter().map(pool).collect::<PyResult<Seated>>()?;
        let (seed, threads) = (self::seed(&plan.seed)?, at_least_one(threads, "thread")?);
        simulation::batch(name, &Wanted { games: arrays[0].len()?, seed, plan, arrays, seats, threads }).map(Self)
    }

    /// Take one id for each game, and overwrite the arrays.
    #[pyo3(signature = (ids, /))]
    fn step(&mut self, py: Python<'_>, ids: &Bound<'_, PyAny>) -> PyResult<()> {
        self.0.step(py, ids)
    }

    /// Overwrite arrays with what the seats that answered last knew when their game was over.
    #[pyo3(signature = (observation, history, /))]
    fn last(&self, py: Python<'_>, observation: &Bound<'_, PyAny>, history: &Bound<'_, PyAny>) -> PyResult<()> {
        self.0.last(py, observation, history)
    }

    /// Return the seed of a game, and its moves with their seats.
    #[pyo3(signature = (game, /))]
    fn record(&self, game: usize) -> PyResult<Record> {
        self.0.record(game)
    }

    /// Return the number of each game that took the last answer at its index, and its answers so far.
    fn courses(&self) -> Vec<(u64, Vec<u16>)> {
        self.0.courses()
    }

    /// Continue all games where they stood elsewhere, and overwrite the arrays.
    #[pyo3(signature = (courses, /))]
    fn restore(&mut self, py: Python<'_>, courses: Vec<(u64, Vec<u16>)>) -> PyResult<()> {
        self.0.restore(py, courses)
    }
}
