//! The Python interface of Raumstation: its stations, its solver, and the moments of the engine.

use std::collections::BTreeMap;
use std::sync::Arc;

use pyo3::prelude::*;
use tisch_core::random;
use tisch_core::raumstation::game::Raumstation;
use tisch_core::raumstation::round::{Moment, Round, Tally};
use tisch_core::raumstation::setup::{self, Ground, Options, SIDE};
use tisch_core::raumstation::{self, Decision, Knowledge, Known, MOST_ROOMS, Rooms, StationError};

use crate::errors::wrong;
use crate::random::seed;
use crate::simulation::Begun;

/// The set of the rooms for which something holds, by number.
fn set(rooms: impl IntoIterator<Item = bool>) -> Rooms {
    let holds = rooms.into_iter().take(MOST_ROOMS).enumerate().filter(|(_, holds)| *holds);
    holds.fold(0, |set, (room, _)| set | 1 << room)
}

/// Converts the knowledge about so many rooms: a number of traps nearby, or one of the class's negative constants.
fn knowledge(known: Vec<i8>, rooms: usize) -> Result<Knowledge, StationError> {
    let is_complete = known.len() == rooms;
    let read = |number| match number {
        Station::UNKNOWN => Some(Known::Unknown),
        Station::SAFE => Some(Known::Safe),
        Station::TRAP => Some(Known::Trap),
        0..=8 => Some(Known::Number(number.unsigned_abs())),
        _ => None,
    };
    let known: Option<Knowledge> = known.into_iter().map(read).collect();
    known.filter(|_| is_complete).ok_or(StationError::Malformed)
}

/// The rooms of a Raumstation with their connections, and the probabilities of traps.
#[pyclass(frozen, module = "tisch._core.raumstation")]
pub struct Station(raumstation::Station);

impl Station {
    fn knowledge(&self, known: Vec<i8>) -> PyResult<Knowledge> {
        knowledge(known, self.0.rooms()).map_err(|error| wrong(&error))
    }
}

#[pymethods]
impl Station {
    #[classattr]
    const UNKNOWN: i8 = -1;
    #[classattr]
    const SAFE: i8 = -2;
    #[classattr]
    const TRAP: i8 = -3;

    #[new]
    fn new(nearby: Vec<Vec<usize>>, odds: f64) -> PyResult<Self> {
        let near =
            |rooms: Vec<usize>| rooms.into_iter().try_fold(0, |set, room| (room < MOST_ROOMS).then(|| set | 1 << room));
        let nearby = nearby.into_iter().map(near).collect::<Option<_>>().ok_or(StationError::Malformed);
        nearby.and_then(|nearby| raumstation::Station::new(nearby, odds)).map(Self).map_err(|error| wrong(&error))
    }

    /// Compute the probability of a trap in each room; exactly 0 or 1 where it is certain.
    fn probabilities(&self, known: Vec<i8>) -> PyResult<Vec<f64>> {
        self.0.probabilities(&self.knowledge(known)?).map_err(|error| wrong(&error))
    }

    /// Draw traps that fit the knowledge, each arrangement with its exact probability.
    fn draw(&self, known: Vec<i8>, seed: &Bound<'_, PyAny>) -> PyResult<Vec<bool>> {
        let (known, mut random) = (self.knowledge(known)?, random::Random::new(self::seed(seed)?));
        let traps = self.0.draw(&known, &mut random).map_err(|error| wrong(&error))?;
        Ok((0..self.0.rooms()).map(|room| traps >> room & 1 == 1).collect())
    }

    /// Choose the next step: a room, and whether to spend a joker on it instead of scanning it.
    fn decide(&self, py: Python<'_>, known: Vec<i8>, jokers: usize) -> PyResult<(usize, bool)> {
        let known = self.knowledge(known)?;
        match py.detach(|| self.0.decide(&known, few(jokers))).map_err(|error| wrong(&error))? {
            Decision::Scan(room) => Ok((room, false)),
            Decision::Ask(room) => Ok((room, true)),
        }
    }

    /// Return whether these choices finish the station without a guess.
    fn solvable(&self, py: Python<'_>, known: Vec<i8>, traps: Vec<bool>, jokers: usize) -> PyResult<bool> {
        let known = self.knowledge(known)?;
        if traps.len() != self.0.rooms() {
            return Err(wrong(&StationError::Malformed));
        }
        py.detach(|| self.0.solvable(&known, set(traps), few(jokers))).map_err(|error| wrong(&error))
    }
}

/// Converts a number of jokers, of which there need not be more than rooms.
fn few(jokers: usize) -> u8 {
    u8::try_from(jokers).unwrap_or(u8::MAX)
}

/// The engine's options.
#[derive(FromPyObject)]
struct Given {
    width: usize,
    height: usize,
    rooms: usize,
    danger: f64,
    jokers: u8,
    revealed: f64,
    classic: bool,
    protect: bool,
}

impl From<Given> for Options {
    fn from(given: Given) -> Self {
        let Given { width, height, rooms, danger, jokers, revealed, classic, protect } = given;
        Self { width, height, rooms, danger, jokers, revealed, classic, protect }
    }
}

/// A room: its column and row, whether it holds a trap, its connections, its number, and whether it is open.
type Found = (usize, usize, bool, u8, u8, bool);

/// Find the station of a game: the first proper one that, unless classic is set, can be solved without a guess.
#[pyfunction]
#[pyo3(signature = (options, seed, /))]
pub fn generate(py: Python<'_>, options: &Bound<'_, PyAny>, seed: &Bound<'_, PyAny>) -> PyResult<Vec<Found>> {
    let (options, seed) = (Options::from(options.extract::<Given>()?), self::seed(seed)?);
    let (ground, traps) = py.detach(|| setup::generate(&options, seed)).map_err(|why| wrong(&why.sentence()))?;
    let found = |(room, (&cell, &connections)): (usize, (&u16, &u8))| {
        let (cell, holds) = (usize::from(cell), |set: Rooms| set >> room & 1 == 1);
        let number = ground.station.number(room, traps);
        (cell % SIDE, cell / SIDE, holds(traps), connections, number, holds(ground.start.open))
    };
    Ok(ground.cells.iter().zip(&ground.connections).enumerate().map(found).collect())
}

/// A true room of the engine.
#[derive(FromPyObject)]
struct Room {
    x: usize,
    y: usize,
    is_dangerous: bool,
    is_marked: bool,
    connections: u8,
    is_revealed: bool,
}

/// A room as the player knows it.
#[derive(FromPyObject)]
struct Seen {
    is_dangerous: Option<bool>,
}

/// What is the same in all moments of a game.
#[derive(FromPyObject)]
struct Constant {
    options: Given,
    start: Vec<i8>,
}

/// The engine's state.
#[derive(FromPyObject)]
struct State {
    ground: Constant,
    rooms: Vec<Room>,
    seen: Vec<Seen>,
    jokers: u8,
    won: Option<bool>,
    tally: BTreeMap<String, u32>,
}

impl State {
    fn round(self) -> Result<Round, StationError> {
        let Self { ground: Constant { options, start }, rooms, seen, jokers, won, tally } = self;
        let cell = |room: &Room| if room.x < SIDE { room.y * SIDE + room.x } else { usize::MAX };
        let plan = rooms.iter().map(|room| (cell(room), room.connections));
        let mut ground = Ground::new(&options.into(), plan).ok_or(StationError::Malformed)?;
        ground.start = knowledge(start, rooms.len())?;
        let count = |name: &str| tally.get(name).copied().unwrap_or_default();
        let now = Moment {
            traps: set(rooms.iter().map(|room| room.is_dangerous)),
            open: set(rooms.iter().map(|room| room.is_revealed)),
            told: set(seen.iter().zip(&rooms).map(|(seen, room)| seen.is_dangerous.is_some() && !room.is_revealed)),
            marked: set(rooms.iter().map(|room| room.is_marked)),
            jokers,
            won,
            tally: Tally {
                scans: count("scans"),
                guesses: count("guesses"),
                jokers: count("jokers"),
                marks: count("marks"),
            },
        };
        Round::at(Arc::new(ground), now)
    }
}

impl Begun for Raumstation {
    fn options(options: &Bound<'_, PyAny>) -> PyResult<Options> {
        options.extract::<Given>().map(Options::from)
    }

    fn at(state: &Bound<'_, PyAny>) -> PyResult<(Self, ())> {
        let round = state.extract::<State>()?.round().map_err(|error| wrong(&error))?;
        Ok((Self::at(round), ()))
    }
}
