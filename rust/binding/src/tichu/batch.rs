//! The Python interface of batches of games: arrays of the caller, which every step overwrites.

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tisch_core::tichu::batch::{self, Goal};
use tisch_core::tichu::encoding::{ACTIONS, SIZE};

use crate::errors::wrong;
use crate::random::seed;

/// The payoffs of the four seats in units of the lead of seats 0 and 2.
const SIGNS: [f32; 4] = [1.0, -1.0, 1.0, -1.0];

/// Games of Tichu that are stepped at once.
#[pyclass(module = "tisch._core.tichu")]
pub struct Batch {
    games: batch::Batch,
    rows: Rows,
    arrays: Arrays,
}

/// The arrays of the caller.
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
    fn new(games: usize) -> Self {
        Self {
            observation: vec![[0; SIZE]; games],
            mask: vec![[0; ACTIONS]; games],
            seat: vec![0; games],
            reward: vec![[0.0; 4]; games],
            done: vec![0; games],
        }
    }

    /// Writes what the asked seats know and may do.
    fn write(&mut self, games: &batch::Batch) {
        for game in 0..games.len() {
            games.observe(game, &mut self.observation[game]);
            let mask = &mut self.mask[game];
            mask.fill(0);
            games.each_id(game, |id| mask[usize::from(id)] = 1);
            self.seat[game] = games.asked(game).map_or(-1, |(_, seat)| seat.cast_signed());
            let ended = games.ended(game);
            self.reward[game] = SIGNS.map(|sign| sign * ended.unwrap_or_default() as f32);
            self.done[game] = ended.is_some().into();
        }
    }
}

impl Arrays {
    /// Checks that the arrays can hold what is known of this many games.
    fn check(&self, games: usize) -> PyResult<()> {
        for (name, buffer, elements) in [
            ("observation", &*self.observation, SIZE),
            ("mask", &*self.mask, ACTIONS),
            ("seat", &*self.seat, 1),
            ("reward", &*self.reward, SIGNS.len()),
            ("done", &*self.done, 1),
        ] {
            let elements = games * elements;
            if buffer.readonly() || buffer.item_count() != elements || !buffer.is_c_contiguous() {
                return Err(PyValueError::new_err(format!(
                    "The array '{name}' must be writable and have {elements} elements in the order of C."
                )));
            }
        }
        Ok(())
    }

    fn fill(&self, py: Python<'_>, rows: &Rows) -> PyResult<()> {
        self.observation.copy_from_slice(py, rows.observation.as_flattened())?;
        self.mask.copy_from_slice(py, rows.mask.as_flattened())?;
        self.seat.copy_from_slice(py, &rows.seat)?;
        self.reward.copy_from_slice(py, rows.reward.as_flattened())?;
        self.done.copy_from_slice(py, &rows.done)
    }
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
        observation: PyBuffer<i8>,
        mask: PyBuffer<u8>,
        seat: PyBuffer<i8>,
        reward: PyBuffer<f32>,
        done: PyBuffer<u8>,
    ) -> PyResult<Self> {
        let arrays = Arrays { observation, mask, seat, reward, done };
        arrays.check(games)?;
        let games = batch::Batch::new(games, self::seed(seed)?, Goal { points, rounds });
        let mut rows = Rows::new(games.len());
        rows.write(&games);
        arrays.fill(py, &rows)?;
        Ok(Self { games, rows, arrays })
    }

    /// Take one id for each game, and overwrite the arrays.
    #[pyo3(signature = (ids, /))]
    fn step(&mut self, py: Python<'_>, ids: &Bound<'_, PyAny>) -> PyResult<()> {
        let ids = PyBuffer::<i64>::get(ids)?.to_vec(py)?;
        let (games, rows) = (&mut self.games, &mut self.rows);
        py.detach(|| games.step(&ids).map(|()| rows.write(games))).map_err(|error| wrong(&error))?;
        self.arrays.fill(py, &self.rows)
    }
}
