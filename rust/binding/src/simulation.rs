//! The module `tisch._core.simulation` without games and batches: policies, players and matches, with the same classes
//! for all games.
//!
//! A game is found by its name in [`KINDS`]; behind the classes stands the core's type of that game.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyString};
use tisch_core::random;
use tisch_core::simulation::deals::Asked;
use tisch_core::simulation::matches::{self, Finished};
use tisch_core::simulation::{Encoded, EvidenceOf, Maker, MoveOf, Outcome, Parameters, Played, Round as _, Value};

use crate::batch::{AnyBatch, Wanted};
use crate::errors::{beyond, wrong};
use crate::game::{AnyGame, Game, Whole};
use crate::interrupts::interruptible;
use crate::random::{Random, seed};
use crate::tichu::net::Net;

/// A game that Python can begin.
pub trait Begun: tisch_core::simulation::Game {
    /// Reads the engine's options.
    fn options(options: &Bound<'_, PyAny>) -> PyResult<Self::Options>;

    /// Reads the position of a game within a round, and what the moves of the round have shown.
    fn at(_position: &Bound<'_, PyAny>) -> PyResult<(Self, EvidenceOf<Self>)> {
        Err(PyValueError::new_err("The core begins this game only from its deal."))
    }
}

/// An outcome: the payoffs, the points, the number of rounds, and the tally.
pub type Told = (Vec<f64>, Vec<i64>, u32, Vec<(&'static str, Vec<u32>)>);

/// Converts an outcome.
pub fn told(outcome: Outcome) -> Told {
    (outcome.payoff, outcome.points, outcome.rounds, outcome.tally)
}

/// A finished game: its number, its outcome, the number of moves, and the moves with their seats.
type Record = (u64, Told, u32, Vec<(usize, String)>);

/// Deals of a match: how often they had which results, the tallies by line-up, the number of moves, lines, and games.
type Dealt<'py> = (Vec<(Vec<i64>, u64)>, Vec<Vec<(&'static str, Vec<u64>)>>, u64, Bound<'py, PyBytes>, Vec<Record>);

/// Refuses a seat that does not exist.
pub fn no_seat(seats: usize, seat: usize) -> PyErr {
    PyValueError::new_err(format!("There are {seats} seats from 0 on, but no seat {seat}."))
}

/// Converts a finished game.
fn record<G: tisch_core::simulation::Game>(number: u64, game: Finished<G>) -> Record {
    let moves = game.moves.iter().map(|(seat, chosen)| (*seat, chosen.to_string())).collect();
    (number, told(game.outcome), game.count, moves)
}

/// The name and the parameters of a policy.
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    /// The name.
    name: String,
    /// The parameters.
    parameters: Parameters,
}

impl Named {
    /// Reads the name and the parameters.
    fn read(name: String, parameters: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let read = |(key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| Ok((key.extract()?, self::value(&value)?));
        let parameters =
            parameters.map_or_else(|| Ok(BTreeMap::new()), |given| given.iter().map(read).collect::<PyResult<_>>())?;
        Ok(Self { name, parameters })
    }

    /// Returns what makes the policy.
    pub fn maker<G: Played>(&self) -> PyResult<Maker<G>> {
        G::policy(&self.name, &self.parameters).map_err(|sentence| wrong(&sentence))
    }

    /// Returns the arguments that make the same policy again.
    fn arguments<'py>(&self, py: Python<'py>) -> PyResult<(String, Bound<'py, PyDict>)> {
        let parameters = PyDict::new(py);
        for (name, value) in &self.parameters {
            match value {
                Value::Flag(flag) => parameters.set_item(name, flag)?,
                Value::Whole(number) => parameters.set_item(name, number)?,
                Value::Real(number) => parameters.set_item(name, number)?,
                Value::Text(text) => parameters.set_item(name, text)?,
                Value::Net(net) => parameters.set_item(name, Bound::new(py, Net(Arc::clone(net)))?)?,
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
        let sentence = |number: &Bound<'_, PyInt>| {
            format!("A parameter of a policy is a number up to {}, not {number}.", i64::MAX)
        };
        value.extract().map(Value::Whole).map_err(|error| beyond(error, value, sentence))
    } else if value.is_instance_of::<PyFloat>() {
        Ok(Value::Real(value.extract()?))
    } else if value.is_instance_of::<PyString>() {
        Ok(Value::Text(value.extract()?))
    } else {
        let sentence = "A parameter of a policy is a number, a text, a truth value or a network.";
        let net = value.cast::<Net>().map_err(|_| PyValueError::new_err(sentence))?;
        Ok(Value::Net(Arc::clone(&net.get().0)))
    }
}

/// Refuses line-ups that do not seat each seat once, by a policy that there is.
fn check_line_ups(line_ups: &[Vec<usize>], seats: usize, policies: usize) -> PyResult<()> {
    let fits = |line_up: &Vec<usize>| line_up.len() == seats && line_up.iter().all(|&policy| policy < policies);
    if !line_ups.is_empty() && line_ups.iter().all(fits) {
        return Ok(());
    }
    Err(PyValueError::new_err(format!(
        "A match has line-ups, and each of them names one of the {policies} policies for each of the {seats} seats."
    )))
}

/// Whole games of one kind, for which Python does not know the type.
pub trait Kind: Sync {
    fn name(&self) -> &'static str;
    fn policies(&self) -> &'static [&'static str];
    fn begin(&self, options: &Bound<'_, PyAny>, seed: u64) -> PyResult<Box<dyn AnyGame>>;
    fn at(&self, position: &Bound<'_, PyAny>) -> PyResult<Box<dyn AnyGame>>;
    fn check(&self, named: &Named) -> PyResult<()>;
    fn player(&self, named: &Named) -> PyResult<Box<dyn AnyPlayer>>;
    fn versus(
        &self,
        options: &Bound<'_, PyAny>,
        seed: u64,
        policies: &[Named],
        line_ups: &[Vec<usize>],
    ) -> PyResult<Box<dyn AnyMatch>>;
    fn batch(&self, wanted: &Wanted<'_>) -> PyResult<Box<dyn AnyBatch>>;
}

/// The kind of a game of the core.
struct Of<G>(PhantomData<G>, &'static str);

/// All games of the core.
static KINDS: [&dyn Kind; 5] = [
    &Of::<tisch_core::maumau::game::MauMau>(PhantomData, "maumau"),
    &Of::<tisch_core::okey::game::Okey>(PhantomData, "okey"),
    &Of::<tisch_core::raumstation::game::Raumstation>(PhantomData, "raumstation"),
    &Of::<tisch_core::sechsundsechzig::game::Sechsundsechzig>(PhantomData, "sechsundsechzig"),
    &Of::<tisch_core::tichu::game::Tichu>(PhantomData, "tichu"),
];

/// Return the names of the games of the core.
#[pyfunction]
pub fn games() -> Vec<&'static str> {
    KINDS.iter().map(|kind| kind.name()).collect()
}

/// Finds the kind of a game by its name.
pub fn kind(name: &str) -> PyResult<&'static dyn Kind> {
    KINDS
        .into_iter()
        .find(|kind| kind.name() == name)
        .ok_or_else(|| PyValueError::new_err(format!("The core has no game '{name}', only: {}.", games().join(", "))))
}

/// Begins a batch of the games with a name.
pub fn batch(name: &str, wanted: &Wanted<'_>) -> PyResult<Box<dyn AnyBatch>> {
    kind(name)?.batch(wanted)
}

impl<G: Begun + Played + Encoded> Kind for Of<G> {
    fn name(&self) -> &'static str {
        self.1
    }

    fn policies(&self) -> &'static [&'static str] {
        G::POLICIES
    }

    fn begin(&self, options: &Bound<'_, PyAny>, seed: u64) -> PyResult<Box<dyn AnyGame>> {
        let game = G::begin(&G::options(options)?, seed);
        game.flaw().map_or(Ok(()), |flaw| Err(PyValueError::new_err(flaw)))?;
        Ok(Box::new(Whole { game, evidence: None }))
    }

    fn at(&self, position: &Bound<'_, PyAny>) -> PyResult<Box<dyn AnyGame>> {
        let (game, evidence) = G::at(position)?;
        Ok(Box::new(Whole { game, evidence: Some(evidence) }))
    }

    fn check(&self, named: &Named) -> PyResult<()> {
        named.maker::<G>().map(|_| ())
    }

    fn player(&self, named: &Named) -> PyResult<Box<dyn AnyPlayer>> {
        Ok(Box::new(Seat::<G>(named.maker()?())))
    }

    fn versus(
        &self,
        options: &Bound<'_, PyAny>,
        seed: u64,
        policies: &[Named],
        line_ups: &[Vec<usize>],
    ) -> PyResult<Box<dyn AnyMatch>> {
        let options = G::options(options)?;
        let makers = policies.iter().map(Named::maker).collect::<PyResult<Vec<_>>>()?;
        check_line_ups(line_ups, G::begin(&options, 0).round().seats(), makers.len())?;
        Ok(Box::new(matches::Match::<G>::new(options, seed, &makers, line_ups)))
    }

    fn batch(&self, wanted: &Wanted<'_>) -> PyResult<Box<dyn AnyBatch>> {
        wanted.begin::<G>()
    }
}

/// A finding: the texts of the moves, and their values.
type Found = (Vec<String>, Vec<f64>);

/// A player of whatever kind.
pub trait AnyPlayer: Send + Sync {
    fn start(&mut self, random: random::Random);
    fn watch(&mut self, game: &dyn AnyGame, seat: usize, text: &str) -> PyResult<()>;
    fn act(&mut self, py: Python<'_>, game: &dyn AnyGame, seat: usize, must: bool) -> PyResult<Option<String>>;
    fn findings(&self) -> Vec<Found>;
    fn payoffs(
        &mut self,
        py: Python<'_>,
        game: &dyn AnyGame,
        seat: usize,
        candidates: &[Vec<String>],
    ) -> PyResult<Vec<Vec<f64>>>;
}

/// A player of one kind.
struct Seat<G>(Box<dyn tisch_core::simulation::Policy<G>>);

/// Returns the game of a kind.
fn of<G: tisch_core::simulation::Game>(game: &dyn AnyGame) -> PyResult<&Whole<G>> {
    game.any().downcast_ref().ok_or_else(|| PyValueError::new_err("This is a player of another game."))
}

impl<G: Begun + Played + Encoded> Seat<G> {
    /// Returns the game in which a seat has something to decide, after the player has learned what its moves have shown.
    fn look<'a>(&mut self, game: &'a dyn AnyGame, seat: usize, must: bool) -> PyResult<&'a G> {
        let Whole { game, evidence } = of::<G>(game)?;
        let round = game.round();
        let deciding = if must { round.awaited() } else { round.awaited() | round.speakers() };
        if seat >= round.seats() || deciding >> seat & 1 == 0 {
            return Err(PyValueError::new_err(format!("Seat {seat} has nothing to decide now.")));
        }
        if let Some(evidence) = evidence {
            self.0.recall(game, evidence.clone());
        }
        Ok(game)
    }
}

impl<G: Begun + Played + Encoded> AnyPlayer for Seat<G> {
    fn start(&mut self, random: random::Random) {
        self.0.start(random);
    }

    fn watch(&mut self, game: &dyn AnyGame, seat: usize, text: &str) -> PyResult<()> {
        let whole = of::<G>(game)?;
        self.0.watch(&whole.game, seat, whole.find(seat, text)?);
        Ok(())
    }

    fn act(&mut self, py: Python<'_>, game: &dyn AnyGame, seat: usize, must: bool) -> PyResult<Option<String>> {
        let game = self.look(game, seat, must)?;
        let chosen = interruptible(py, |proceed| self.0.decide(game, seat, must, proceed))?;
        Ok(chosen.map(|chosen| chosen.to_string()))
    }

    fn findings(&self) -> Vec<Found> {
        let texts = |moves: Vec<MoveOf<G>>| moves.iter().map(ToString::to_string).collect();
        self.0.findings().into_iter().map(|found| (texts(found.moves), found.values)).collect()
    }

    fn payoffs(
        &mut self,
        py: Python<'_>,
        game: &dyn AnyGame,
        seat: usize,
        candidates: &[Vec<String>],
    ) -> PyResult<Vec<Vec<f64>>> {
        let candidates = candidates.iter().map(|texts| of::<G>(game)?.several(seat, texts));
        let candidates = candidates.collect::<PyResult<Vec<_>>>()?;
        let game = self.look(game, seat, false)?;
        interruptible(py, |proceed| self.0.payoffs(game, seat, &candidates, proceed))
    }
}

/// A match of whatever kind.
pub trait AnyMatch: Send + Sync {
    fn deals<'py>(&mut self, py: Python<'py>, deals: &[u64], asked: &Asked<'_>) -> PyResult<Dealt<'py>>;
}

impl<G: Begun + Played + Encoded> AnyMatch for matches::Match<G> {
    fn deals<'py>(&mut self, py: Python<'py>, deals: &[u64], asked: &Asked<'_>) -> PyResult<Dealt<'py>> {
        if let Some(&seat) = asked.sides.iter().find(|&&seat| seat >= self.seats()) {
            return Err(no_seat(self.seats(), seat));
        }
        let found = interruptible(py, |proceed| self.deals(deals, asked, proceed))?.map_err(|error| wrong(&error))?;
        let kept = found.kept.into_iter().map(|(number, game)| record(number, game)).collect();
        let results = found.results.into_iter().collect();
        Ok((results, found.tallies, found.moves, PyBytes::new(py, &found.lines), kept))
    }
}

/// A policy of the core: its game, its name and its parameters.
#[pyclass(eq, frozen, module = "tisch._core.simulation")]
#[derive(PartialEq)]
pub struct Policy {
    game: &'static str,
    named: Named,
}

#[pymethods]
impl Policy {
    #[new]
    #[pyo3(signature = (game, name, parameters = None, /))]
    fn new(game: &str, name: String, parameters: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let (kind, named) = (kind(game)?, Named::read(name, parameters)?);
        kind.check(&named)?;
        Ok(Self { game: kind.name(), named })
    }

    /// Return the names of the policies of a game.
    #[staticmethod]
    #[pyo3(signature = (game, /))]
    fn names(game: &str) -> PyResult<Vec<&'static str>> {
        Ok(kind(game)?.policies().to_vec())
    }

    /// The name of the game.
    #[getter]
    const fn game(&self) -> &str {
        self.game
    }

    /// The name of the policy.
    #[getter]
    fn name(&self) -> &str {
        &self.named.name
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let (name, parameters) = slf.get().named.arguments(slf.py())?;
        Ok((slf.get_type().into_any(), (slf.get().game, name, parameters)))
    }
}

/// What makes a policy again.
type Reduced<'py> = (Bound<'py, PyAny>, (&'static str, String, Bound<'py, PyDict>));

/// Returns the names of policies of one game.
pub fn of_game(game: &str, policies: &[Bound<'_, Policy>]) -> PyResult<Vec<Named>> {
    let named = |policy: &Bound<'_, Policy>| {
        let policy = policy.get();
        if policy.game == game {
            return Ok(policy.named.clone());
        }
        Err(PyValueError::new_err(format!("The policy '{}' plays '{}', not '{game}'.", policy.named.name, policy.game)))
    };
    policies.iter().map(named).collect()
}

/// A player of one seat.
#[pyclass(module = "tisch._core.simulation")]
pub struct Player(Box<dyn AnyPlayer>);

#[pymethods]
impl Player {
    #[new]
    #[pyo3(signature = (policy, /))]
    fn new(policy: &Bound<'_, Policy>) -> PyResult<Self> {
        let policy = policy.get();
        kind(policy.game)?.player(&policy.named).map(Self)
    }

    /// Begin a new game.
    #[pyo3(signature = (random, /))]
    fn start(&mut self, random: &Random) {
        self.0.start(random.0.clone());
    }

    /// Take notice of a move that is about to be made.
    #[pyo3(signature = (game, seat, text, /))]
    fn watch(&mut self, game: &Game, seat: usize, text: &str) -> PyResult<()> {
        self.0.watch(&*game.whole, seat, text)
    }

    /// Choose a move.
    #[pyo3(signature = (game, seat, must, /))]
    fn act(&mut self, py: Python<'_>, game: &Game, seat: usize, must: bool) -> PyResult<Option<String>> {
        self.0.act(py, &*game.whole, seat, must)
    }

    /// Return what the player found in its last decision.
    fn findings(&self) -> Vec<Found> {
        self.0.findings()
    }

    /// Return the payoffs of a seat in worlds after each of some candidates, if the game ends with the round.
    #[pyo3(signature = (game, seat, candidates, /))]
    #[expect(clippy::needless_pass_by_value, reason = "Python's lists become vectors")]
    fn payoffs(
        &mut self,
        py: Python<'_>,
        game: &Game,
        seat: usize,
        candidates: Vec<Vec<String>>,
    ) -> PyResult<Vec<Vec<f64>>> {
        self.0.payoffs(py, &*game.whole, seat, &candidates)
    }
}

/// Whole games between policies, by number.
#[pyclass(module = "tisch._core.simulation")]
pub struct Match(Box<dyn AnyMatch>);

#[pymethods]
impl Match {
    #[new]
    #[pyo3(signature = (name, options, seed, policies, line_ups, /))]
    #[expect(clippy::needless_pass_by_value, reason = "Python's lists become vectors")]
    fn new(
        name: &str,
        options: &Bound<'_, PyAny>,
        seed: &Bound<'_, PyAny>,
        policies: Vec<Bound<'_, Policy>>,
        line_ups: Vec<Vec<usize>>,
    ) -> PyResult<Self> {
        let policies = of_game(name, &policies)?;
        kind(name)?.versus(options, self::seed(seed)?, &policies, &line_ups).map(Self)
    }

    /// Play all games of some deals.
    #[pyo3(signature = (deals, /, *, sides, unit, kept, lines))]
    #[expect(clippy::needless_pass_by_value, reason = "Python's lists become vectors")]
    fn deals<'py>(
        &mut self,
        py: Python<'py>,
        deals: Vec<u64>,
        sides: Vec<usize>,
        unit: f64,
        kept: Vec<u64>,
        lines: bool,
    ) -> PyResult<Dealt<'py>> {
        self.0.deals(py, &deals, &Asked { sides: &sides, unit, kept: &kept, lines })
    }
}
