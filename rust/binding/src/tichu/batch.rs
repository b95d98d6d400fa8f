//! The Python interface of batches of games: arrays of the caller, which every step overwrites.

use std::ops::Range;

use pyo3::buffer::{Element, PyBuffer};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PySlice;
use tisch_core::tichu::batch::{self, Goal};
use tisch_core::tichu::encoding::{ACTIONS, SIZE};

use crate::errors::wrong;
use crate::random::seed;

/// The payoffs of the four seats in units of the lead of seats 0 and 2.
const SIGNS: [f32; 4] = [1.0, -1.0, 1.0, -1.0];

/// The arrays of the caller, in the order of the arguments.
const NAMES: [&str; 5] = ["observation", "mask", "seat", "reward", "done"];
/// The number of games whose rows are written at once: they stay in the processor's cache until they are copied.
const CHUNK: usize = 32;

/// Games of Tichu that are stepped at once; :class:`tisch.env.Batch` holds the arrays that each step overwrites.
#[pyclass(module = "tisch._core.tichu")]
pub struct Batch {
    games: batch::Batch,
    rows: Rows,
    chunks: Vec<Arrays>,
}

/// The arrays of the caller, as far as they belong to a chunk of the games.
struct Arrays {
    observation: PyBuffer<i8>,
    mask: PyBuffer<u8>,
    seat: PyBuffer<i8>,
    reward: PyBuffer<f32>,
    done: PyBuffer<u8>,
}

/// What is copied into them.
struct Rows {
    observation: Vec<[i8; SIZE]>,
    mask: Vec<[u8; ACTIONS]>,
    seat: Vec<i8>,
    reward: Vec<[f32; 4]>,
    done: Vec<u8>,
}

impl Rows {
    fn new() -> Self {
        Self {
            observation: vec![[0; SIZE]; CHUNK],
            mask: vec![[0; ACTIONS]; CHUNK],
            seat: vec![0; CHUNK],
            reward: vec![[0.0; 4]; CHUNK],
            done: vec![0; CHUNK],
        }
    }

    /// Writes what the asked seats of some games know and may do.
    fn write(&mut self, games: &batch::Batch, range: Range<usize>) {
        for (place, game) in range.enumerate() {
            games.observe(game, &mut self.observation[place]);
            let mask = &mut self.mask[place];
            mask.fill(0);
            games.each_id(game, |id| mask[usize::from(id)] = 1);
            self.seat[place] = games.asked(game).map_or(-1, |(_, seat)| seat.cast_signed());
            let ended = games.ended(game);
            self.reward[place] = SIGNS.map(|sign| sign * ended.unwrap_or_default() as f32);
            self.done[place] = ended.is_some().into();
        }
    }
}

impl Arrays {
    /// Takes the part of the caller's arrays that belongs to some of the games.
    fn part([observation, mask, seat, reward, done]: [&Bound<'_, PyAny>; 5], range: &Range<usize>) -> PyResult<Self> {
        Ok(Self {
            observation: part(observation, NAMES[0], range, SIZE)?,
            mask: part(mask, NAMES[1], range, ACTIONS)?,
            seat: part(seat, NAMES[2], range, 1)?,
            reward: part(reward, NAMES[3], range, SIGNS.len())?,
            done: part(done, NAMES[4], range, 1)?,
        })
    }

    fn fill(&self, py: Python<'_>, rows: &Rows, games: usize) -> PyResult<()> {
        self.observation.copy_from_slice(py, rows.observation[..games].as_flattened())?;
        self.mask.copy_from_slice(py, rows.mask[..games].as_flattened())?;
        self.seat.copy_from_slice(py, &rows.seat[..games])?;
        self.reward.copy_from_slice(py, rows.reward[..games].as_flattened())?;
        self.done.copy_from_slice(py, &rows.done[..games])
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

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (games, seed, points, rounds, observation, mask, seat, reward, done, /))]
    #[expect(clippy::too_many_arguments, reason = "the arrays of a batch are five")]
    fn new(
        py: Python<'_>,
        games: usize,
        seed: &Bound<'_, PyAny>,
        points: u32,
        rounds: u32,
        observation: &Bound<'_, PyAny>,
        mask: &Bound<'_, PyAny>,
        seat: &Bound<'_, PyAny>,
        reward: &Bound<'_, PyAny>,
        done: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let arrays = [observation, mask, seat, reward, done];
        for (name, array) in NAMES.iter().zip(arrays) {
            let rows = array.len()?;
            if rows != games {
                return Err(PyValueError::new_err(format!(
                    "The array '{name}' has {rows} rows, the batch {games} games."
                )));
            }
        }
        let chunks = chunks(games).map(|range| Arrays::part(arrays, &range)).collect::<PyResult<_>>()?;
        let games = batch::Batch::new(games, self::seed(seed)?, Goal { points, rounds });
        let mut batch = Self { games, rows: Rows::new(), chunks };
        batch.write(py)?;
        Ok(batch)
    }

    /// Take one id for each game, and overwrite the arrays.
    #[pyo3(signature = (ids, /))]
    fn step(&mut self, py: Python<'_>, ids: &Bound<'_, PyAny>) -> PyResult<()> {
        let ids = PyBuffer::<i64>::get(ids)?.to_vec(py)?;
        let games = &mut self.games;
        py.detach(|| games.step(&ids)).map_err(|error| wrong(&error))?;
        self.write(py)
    }
}

impl Batch {
    /// Overwrites the arrays of the caller. This takes a fraction of a millisecond for a thousand games; to leave the
    /// interpreter for each chunk would cost more where other threads wait for it.
    fn write(&mut self, py: Python<'_>) -> PyResult<()> {
        for (range, arrays) in chunks(self.games.len()).zip(&self.chunks) {
            let games = range.len();
            self.rows.write(&self.games, range);
            arrays.fill(py, &self.rows, games)?;
        }
        Ok(())
    }
}

/// Divides games into chunks.
fn chunks(games: usize) -> impl Iterator<Item = Range<usize>> {
    (0..games).step_by(CHUNK).map(move |first| first..games.min(first + CHUNK))
}
