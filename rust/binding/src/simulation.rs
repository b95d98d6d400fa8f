//! The Python interface that all games have in common: whole games, policies, matches and batches.
//!
//! `simulation!` makes the classes of a game; what they do stands here once.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::Range;

use pyo3::buffer::{Element, PyBuffer};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PySlice, PyString};
use tisch_core::simulation::batch::{self, Course, Plan, Pool, Row};
use tisch_core::simulation::matches::Finished;
use tisch_core::simulation::{Encoded, Game, Maker, Outcome, Parameters, Played, Round, Value, each};

use crate::errors::wrong;

/// A game that Python can begin.
pub trait Begun: Game {
    /// Reads the engine's options.
    fn options(options: &Bound<'_, PyAny>) -> PyResult<Self::Options>;
}

/// An outcome: the payoffs, the points, the number of rounds, and the tally.
pub type Told = (Vec<f64>, Vec<i64>, u32, Vec<(&'static str, Vec<u32>)>);

/// Converts an outcome.
pub fn told(outcome: Outcome) -> Told {
    (outcome.payoff, outcome.points, outcome.rounds, outcome.tally)
}

/// A finished game: its number, its outcome, the number of moves, and the moves with their seats.
pub type Record = (u64, Told, u32, Vec<(usize, String)>);

/// Converts a finished game.
pub fn record<G: Game>(number: u64, game: Finished<G>) -> Record {
    let moves = game.moves.iter().map(|(seat, chosen)| (*seat, chosen.to_string())).collect();
    (number, told(game.outcome), game.count, moves)
}

/// Lists the seats of a set.
pub fn seats(set: u32) -> Vec<usize> {
    each(set).collect()
}

/// Refuses a seat that does not exist.
pub fn seat<G: Game>(game: &G, seat: usize) -> PyResult<usize> {
    let seats = game.round().seats();
    if seat < seats {
        return Ok(seat);
    }
    Err(PyValueError::new_err(format!("There are {seats} seats from 0 on, but no seat {seat}.")))
}

/// Lists the texts of the legal moves of a seat.
pub fn legal<G: Game>(game: &G, seat: usize) -> Vec<String> {
    let mut moves = Vec::new();
    game.round().legal(seat, &mut moves);
    moves.iter().map(ToString::to_string).collect()
}

/// Finds a legal move by its text.
pub fn find<G: Game>(game: &G, seat: usize, text: &str) -> PyResult<<G::Round as Round>::Move> {
    let mut moves = Vec::new();
    game.round().legal(seat, &mut moves);
    let found = moves.into_iter().find(|chosen| chosen.to_string() == text);
    found.ok_or_else(|| PyValueError::new_err(format!("Seat {seat} may not '{text}' now.")))
}

/// The name and the parameters of a policy.
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    /// The name.
    pub name: String,
    /// The parameters.
    pub parameters: Parameters,
}

impl Named {
    /// Reads the name and the parameters, and checks that there is such a policy.
    pub fn read<G: Played>(name: String, parameters: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let read = |(key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| Ok((key.extract()?, self::value(&value)?));
        let parameters =
            parameters.map_or_else(|| Ok(BTreeMap::new()), |given| given.iter().map(read).collect::<PyResult<_>>())?;
        let named = Self { name, parameters };
        named.maker::<G>()?;
        Ok(named)
    }

    /// Returns what makes the policy.
    pub fn maker<G: Played>(&self) -> PyResult<Maker<G>> {
        G::policy(&self.name, &self.parameters).map_err(|sentence| wrong(&sentence))
    }

    /// Returns the arguments that make the same policy again.
    pub fn arguments<'py>(&self, py: Python<'py>) -> PyResult<(String, Bound<'py, PyDict>)> {
        let parameters = PyDict::new(py);
        for (name, value) in &self.parameters {
            match value {
                Value::Flag(flag) => parameters.set_item(name, flag)?,
                Value::Whole(number) => parameters.set_item(name, number)?,
                Value::Real(number) => parameters.set_item(name, number)?,
                Value::Text(text) => parameters.set_item(name, text)?,
                Value::Bytes(bytes) => parameters.set_item(name, pyo3::types::PyBytes::new(py, bytes))?,
            }
        }
        Ok((self.name.clone(), parameters))
    }
}

/// Reads the value of a parameter.
fn value(value: &Bound<'_, PyAny>) -> PyResult<Value> {
    if value.is_instance_of::<PyBool>() {
        Ok(Value::Flag(value.extract()?))
    } else if value.is_instance_of::<PyInt>() {
        Ok(Value::Whole(value.extract()?))
    } else if value.is_instance_of::<PyFloat>() {
        Ok(Value::Real(value.extract()?))
    } else if value.is_instance_of::<PyString>() {
        Ok(Value::Text(value.extract()?))
    } else {
        let bytes = value.extract().map_err(|_| {
            PyValueError::new_err("A parameter of a policy is a number, a text, a truth value or bytes.".to_owned())
        })?;
        Ok(Value::Bytes(bytes))
    }
}

/// The seats that policies play: by seat, the policies with their weights, of which each game draws one.
pub type Seated<P> = BTreeMap<usize, Vec<(f64, P)>>;

/// Converts the policies of seats.
pub fn seated<P>(seats: Seated<P>, named: impl Fn(P) -> Named) -> Seated<Named> {
    let pool = |pool: Vec<(f64, P)>| pool.into_iter().map(|(weight, policy)| (weight, named(policy))).collect();
    seats.into_iter().map(|(seat, found)| (seat, pool(found))).collect()
}

/// Refuses line-ups that do not seat each seat once, by a policy that there is.
pub fn check_line_ups(line_ups: &[Vec<usize>], seats: usize, policies: usize) -> PyResult<()> {
    let fits = |line_up: &Vec<usize>| line_up.len() == seats && line_up.iter().all(|&policy| policy < policies);
    if !line_ups.is_empty() && line_ups.iter().all(fits) {
        return Ok(());
    }
    Err(PyValueError::new_err(format!(
        "A match has line-ups, and each of them names one of the {policies} policies for each of the {seats} seats."
    )))
}

/// Makes the pools of the seats.
pub fn pools<G: Played + Encoded>(seats: usize, seated: &Seated<Named>) -> PyResult<Vec<Option<Pool<G>>>> {
    if let Some(seat) = seated.keys().find(|&&seat| seat >= seats) {
        return Err(PyValueError::new_err(format!("There are {seats} seats from 0 on, but no seat {seat}.")));
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

/// The arrays of the caller, in the order of the arguments.
const NAMES: [&str; 5] = ["observation", "mask", "seat", "reward", "done"];
/// The number of games whose rows are written at once: they stay in the processor's cache until they are copied.
const CHUNK: usize = 32;

/// Games that are stepped at once, and the caller's arrays.
pub struct Batch<G: Encoded> {
    games: batch::Batch<G>,
    rows: Rows,
    chunks: Vec<Arrays>,
    threads: NonZeroUsize,
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
    sizes: [usize; 3],
    observation: Vec<i8>,
    mask: Vec<u8>,
    seat: Vec<i8>,
    reward: Vec<f32>,
    done: Vec<u8>,
}

impl Rows {
    fn new(size: usize, actions: usize, seats: usize) -> Self {
        Self {
            sizes: [size, actions, seats],
            observation: vec![0; size * CHUNK],
            mask: vec![0; actions * CHUNK],
            seat: vec![0; CHUNK],
            reward: vec![0.0; seats * CHUNK],
            done: vec![0; CHUNK],
        }
    }

    /// Writes what some games show.
    fn write<G: Encoded>(&mut self, games: &batch::Batch<G>, range: &Range<usize>) {
        let [size, actions, seats] = self.sizes;
        let count = range.len();
        let facts = self.seat.iter_mut().zip(&mut self.done).zip(self.reward.chunks_mut(seats));
        let arrays = self.observation.chunks_mut(size).zip(self.mask.chunks_mut(actions));
        let mut rows: Vec<Row<'_>> = facts
            .zip(arrays)
            .take(count)
            .map(|(((seat, done), reward), (observation, mask))| Row { observation, mask, seat, reward, done })
            .collect();
        games.write(range.start, &mut rows);
    }
}

impl Arrays {
    /// Takes the part of the caller's arrays that belongs to some of the games.
    fn part(
        arrays: &[Bound<'_, PyAny>; 5],
        range: &Range<usize>,
        [size, actions, seats]: [usize; 3],
    ) -> PyResult<Self> {
        let [observation, mask, seat, reward, done] = arrays;
        Ok(Self {
            observation: part(observation, NAMES[0], range, size)?,
            mask: part(mask, NAMES[1], range, actions)?,
            seat: part(seat, NAMES[2], range, 1)?,
            reward: part(reward, NAMES[3], range, seats)?,
            done: part(done, NAMES[4], range, 1)?,
        })
    }

    fn fill(&self, py: Python<'_>, rows: &Rows, games: usize) -> PyResult<()> {
        let [size, actions, seats] = rows.sizes;
        self.observation.copy_from_slice(py, &rows.observation[..games * size])?;
        self.mask.copy_from_slice(py, &rows.mask[..games * actions])?;
        self.seat.copy_from_slice(py, &rows.seat[..games])?;
        self.reward.copy_from_slice(py, &rows.reward[..games * seats])?;
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

impl<G: Encoded> Batch<G> {
    /// Begins games, and writes the caller's arrays: observation, mask, seat, reward, done.
    pub fn new(
        py: Python<'_>,
        games: usize,
        plan: Plan<G>,
        arrays: &[Bound<'_, PyAny>; 5],
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
        let sizes = [G::SIZE, G::ACTIONS, plan.pools.len()];
        let chunks = chunks(games).map(|range| Arrays::part(arrays, &range, sizes)).collect::<PyResult<_>>()?;
        let [size, actions, seats] = sizes;
        let games = py.detach(|| batch::Batch::new(games, plan));
        let mut batch = Self { games, rows: Rows::new(size, actions, seats), chunks, threads };
        batch.write(py)?;
        Ok(batch)
    }

    /// Takes one id for each game, and overwrites the arrays.
    pub fn step(&mut self, py: Python<'_>, ids: &Bound<'_, PyAny>) -> PyResult<()> {
        let ids = PyBuffer::<i64>::get(ids)?.to_vec(py)?;
        let (games, threads) = (&mut self.games, self.threads);
        py.detach(|| games.step(&ids, threads)).map_err(|error| wrong(&error))?;
        self.write(py)
    }

    /// Overwrites an array with what the seat that answered last knew when a game was over; zeros where none ended.
    pub fn last(&self, py: Python<'_>, array: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut rows = vec![0; G::SIZE * self.games.len()];
        for (game, row) in rows.chunks_mut(G::SIZE).enumerate() {
            if let Some(last) = self.games.last(game) {
                row.copy_from_slice(last);
            }
        }
        part(array, "final_observation", &(0..self.games.len()), G::SIZE)?.copy_from_slice(py, &rows)
    }

    /// Returns the number and the answers of each game so far.
    pub fn courses(&self) -> Vec<(u64, Vec<u16>)> {
        self.games.courses().into_iter().map(|course| (course.number, course.answers)).collect()
    }

    /// Continues all games where they stood elsewhere.
    pub fn restore(&mut self, py: Python<'_>, courses: Vec<(u64, Vec<u16>)>) -> PyResult<()> {
        let courses: Vec<Course> = courses.into_iter().map(|(number, answers)| Course { number, answers }).collect();
        let games = &mut self.games;
        py.detach(|| games.restore(&courses)).map_err(|error| wrong(&error))?;
        self.write(py)
    }

    /// Overwrites the arrays of the caller. This takes a fraction of a millisecond for a thousand games; to leave the
    /// interpreter for each chunk would cost more where other threads wait for it.
    fn write(&mut self, py: Python<'_>) -> PyResult<()> {
        for (range, arrays) in chunks(self.games.len()).zip(&self.chunks) {
            let games = range.len();
            self.rows.write(&self.games, &range);
            arrays.fill(py, &self.rows, games)?;
        }
        Ok(())
    }
}

/// Divides games into chunks.
fn chunks(games: usize) -> impl Iterator<Item = Range<usize>> {
    (0..games).step_by(CHUNK).map(move |first| first..games.min(first + CHUNK))
}

/// Makes the classes of a game: `Game`, `Policy`, `Player`, `Match` and `Batch`.
macro_rules! simulation {
    ($game:ty, $module:literal) => {
        use pyo3::prelude::*;
        use pyo3::types::PyDict;
        use tisch_core::simulation::batch::Plan;
        use tisch_core::simulation::{Encoded, Game as _, Played, Round as _, matches};

        use crate::errors::{at_least_one, wrong};
        use crate::random::{Random, seed};
        use crate::simulation::{self, Begun, Named, Record, Seated, Told};

        /// A whole game at one moment, which plays the engine's rules without names and events.
        #[pyclass(module = $module)]
        #[derive(Clone)]
        pub struct Game($game);

        #[pymethods]
        impl Game {
            #[new]
            fn new(options: &Bound<'_, PyAny>, seed: &Bound<'_, PyAny>) -> PyResult<Self> {
                Ok(Self(<$game>::begin(&<$game>::options(options)?, self::seed(seed)?)))
            }

            /// The number of the current round, from 0.
            #[getter]
            fn number(&self) -> u32 {
                self.0.number()
            }

            /// Return the seats that must decide now.
            fn awaiting(&self) -> Vec<usize> {
                simulation::seats(self.0.round().awaited())
            }

            /// Return the seats that may move out of turn.
            fn speakers(&self) -> Vec<usize> {
                simulation::seats(self.0.round().speakers())
            }

            /// Return the texts of the moves that a seat may make now.
            fn legal(&self, seat: usize) -> PyResult<Vec<String>> {
                Ok(simulation::legal(&self.0, simulation::seat(&self.0, seat)?))
            }

            /// Make a move.
            fn play(&mut self, seat: usize, text: &str) -> PyResult<()> {
                let chosen = simulation::find(&self.0, simulation::seat(&self.0, seat)?, text)?;
                self.0.make(seat, chosen);
                Ok(())
            }

            /// Return by how much the side of a seat is ahead in the round; exact when it is over.
            fn lead(&self, seat: usize) -> PyResult<i32> {
                Ok(self.0.round().lead(simulation::seat(&self.0, seat)?))
            }

            /// Return how the game ended: payoffs, points, number of rounds, tally.
            fn outcome(&self) -> Option<Told> {
                self.0.outcome().map(simulation::told)
            }

            /// Return what a seat knows as small numbers.
            fn observe(&self, seat: usize) -> PyResult<Vec<i8>> {
                let mut row = vec![0; <$game>::SIZE];
                self.0.observe(simulation::seat(&self.0, seat)?, Default::default(), &mut row);
                Ok(row)
            }

            /// Return an independent game at the same moment.
            fn copy(&self) -> Self {
                self.clone()
            }
        }

        /// A policy of the core: its name and parameters.
        #[pyclass(eq, frozen, module = $module)]
        #[derive(Clone, PartialEq)]
        pub struct Policy(Named);

        #[pymethods]
        impl Policy {
            #[new]
            #[pyo3(signature = (name, parameters = None))]
            fn new(name: String, parameters: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
                Named::read::<$game>(name, parameters).map(Self)
            }

            /// Return the names of all policies.
            #[staticmethod]
            fn names() -> Vec<&'static str> {
                <$game>::POLICIES.to_vec()
            }

            /// The name.
            #[getter]
            fn name(&self) -> &str {
                &self.0.name
            }

            fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String, Bound<'py, PyDict>))> {
                Ok((slf.get_type().into_any(), slf.get().0.arguments(slf.py())?))
            }
        }

        /// A player of one seat.
        #[pyclass(module = $module)]
        pub struct Player(Box<dyn tisch_core::simulation::Policy<$game>>);

        #[pymethods]
        impl Player {
            #[new]
            fn new(policy: &Policy) -> PyResult<Self> {
                Ok(Self(policy.0.maker::<$game>()?()))
            }

            /// Begin a new game.
            fn start(&mut self, random: &Random) {
                self.0.start(random.0.clone());
            }

            /// Take notice of a move that is about to be made.
            fn watch(&mut self, game: &Game, seat: usize, text: &str) -> PyResult<()> {
                let chosen = simulation::find(&game.0, simulation::seat(&game.0, seat)?, text)?;
                self.0.watch(&game.0, seat, chosen);
                Ok(())
            }

            /// Choose a move; ``None`` is silence.
            fn act(&mut self, game: &Game, seat: usize, must: bool) -> PyResult<Option<String>> {
                let seat = simulation::seat(&game.0, seat)?;
                Ok(self.0.act(&game.0, seat, must).map(|chosen| chosen.to_string()))
            }
        }

        /// Whole games between policies, by number.
        #[pyclass(module = $module)]
        pub struct Match(matches::Match<$game>);

        #[pymethods]
        impl Match {
            #[new]
            #[pyo3(signature = (options, seed, policies, line_ups, /))]
            fn new(
                options: &Bound<'_, PyAny>,
                seed: &Bound<'_, PyAny>,
                policies: Vec<Bound<'_, Policy>>,
                line_ups: Vec<Vec<usize>>,
            ) -> PyResult<Self> {
                let options = <$game>::options(options)?;
                let seats = <$game>::begin(&options, 0).round().seats();
                let makers = policies.iter().map(|policy| policy.get().0.maker()).collect::<PyResult<Vec<_>>>()?;
                simulation::check_line_ups(&line_ups, seats, makers.len())?;
                Ok(Self(matches::Match::new(options, self::seed(seed)?, &makers, &line_ups)))
            }

            /// Play the games with some numbers, and keep their moves or not.
            #[pyo3(signature = (numbers, /, *, keep = false))]
            fn play(&mut self, py: Python<'_>, numbers: Vec<u64>, keep: bool) -> PyResult<Vec<Record>> {
                let games = &mut self.0;
                py.detach(|| {
                    let play = |number| games.play(number, keep).map(|game| simulation::record(number, game));
                    numbers.into_iter().map(play).collect::<Result<_, _>>()
                })
                .map_err(|error| wrong(&error))
            }
        }

        /// Games that are stepped at once.
        #[pyclass(module = $module)]
        pub struct Batch(simulation::Batch<$game>);

        #[pymethods]
        impl Batch {
            #[new]
            #[pyo3(signature = (games, seed, options, arrays, /, *, seats, skip_forced, threads))]
            fn new(
                py: Python<'_>,
                games: usize,
                seed: &Bound<'_, PyAny>,
                options: &Bound<'_, PyAny>,
                arrays: [Bound<'_, PyAny>; 5],
                seats: Seated<Bound<'_, Policy>>,
                skip_forced: bool,
                threads: &Bound<'_, PyAny>,
            ) -> PyResult<Self> {
                let options = <$game>::options(options)?;
                let named = simulation::seated(seats, |policy| policy.get().0.clone());
                let pools = simulation::pools(<$game>::begin(&options, 0).round().seats(), &named)?;
                let plan = Plan { options, seed: self::seed(seed)?, skip_forced, pools };
                simulation::Batch::new(py, games, plan, &arrays, at_least_one(threads, "thread")?).map(Self)
            }

            /// Take one id for each game, and overwrite the arrays.
            #[pyo3(signature = (ids, /))]
            fn step(&mut self, py: Python<'_>, ids: &Bound<'_, PyAny>) -> PyResult<()> {
                self.0.step(py, ids)
            }

            /// Overwrite an array with what the seats that answered last knew when their game was over.
            #[pyo3(signature = (array, /))]
            fn last(&self, py: Python<'_>, array: &Bound<'_, PyAny>) -> PyResult<()> {
                self.0.last(py, array)
            }

            /// Return the number of each game at its index, and the answers in it so far.
            fn courses(&self) -> Vec<(u64, Vec<u16>)> {
                self.0.courses()
            }

            /// Continue all games where they stood elsewhere, and overwrite the arrays.
            #[pyo3(signature = (courses, /))]
            fn restore(&mut self, py: Python<'_>, courses: Vec<(u64, Vec<u16>)>) -> PyResult<()> {
                self.0.restore(py, courses)
            }
        }
    };
}
pub(crate) use simulation;
