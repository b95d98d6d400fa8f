//! The class `Game` of `tisch._core.simulation`: a whole game of any kind at one moment.

use std::any::Any;
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tisch_core::simulation::{Encoded, EvidenceOf, MoveOf, Played, Round as _, each};

use crate::random::seed;
use crate::simulation::{Begun, Told, kind, no_seat, told};

/// A whole game of whatever kind.
pub trait AnyGame: Send + Sync {
    fn number(&self) -> u32;
    fn awaiting(&self) -> Vec<usize>;
    fn speakers(&self) -> Vec<usize>;
    fn legal(&self, seat: usize) -> PyResult<Vec<String>>;
    fn play(&mut self, seat: usize, text: &str) -> PyResult<()>;
    fn lead(&self, seat: usize) -> PyResult<i32>;
    fn outcome(&self) -> Option<Told>;
    fn observe(&self, seat: usize) -> PyResult<Vec<i8>>;
    fn copy(&self) -> Box<dyn AnyGame>;
    fn any(&self) -> &dyn Any;
}

/// A whole game of one kind, and what the moves of its round have shown before it came here.
pub struct Whole<G: tisch_core::simulation::Game> {
    pub game: G,
    pub evidence: Option<EvidenceOf<G>>,
}

impl<G: Begun + Played + Encoded> Whole<G> {
    fn seat(&self, seat: usize) -> PyResult<usize> {
        let seats = self.game.round().seats();
        if seat < seats { Ok(seat) } else { Err(no_seat(seats, seat)) }
    }

    fn moves(&self, seat: usize) -> PyResult<Vec<MoveOf<G>>> {
        let mut moves = Vec::new();
        self.game.round().legal(self.seat(seat)?, &mut moves);
        Ok(moves)
    }

    pub fn find(&self, seat: usize, text: &str) -> PyResult<MoveOf<G>> {
        let found = self.moves(seat)?.into_iter().find(|chosen| chosen.to_string() == text);
        found.ok_or_else(|| PyValueError::new_err(format!("Seat {seat} may not '{text}' now.")))
    }

    /// Finds moves that the seat may make one after the other.
    pub fn several(&self, seat: usize, texts: &[String]) -> PyResult<Vec<MoveOf<G>>> {
        let mut later = Self { game: self.game.clone(), evidence: None };
        let make = |text: &String| {
            let chosen = later.find(seat, text)?;
            later.game.make(seat, chosen);
            Ok(chosen)
        };
        texts.iter().map(make).collect()
    }
}

impl<G: Begun + Played + Encoded> AnyGame for Whole<G> {
    fn number(&self) -> u32 {
        self.game.number()
    }

    fn awaiting(&self) -> Vec<usize> {
        each(self.game.round().awaited()).collect()
    }

    fn speakers(&self) -> Vec<usize> {
        each(self.game.round().speakers()).collect()
    }

    fn legal(&self, seat: usize) -> PyResult<Vec<String>> {
        Ok(self.moves(seat)?.iter().map(ToString::to_string).collect())
    }

    fn play(&mut self, seat: usize, text: &str) -> PyResult<()> {
        let chosen = self.find(seat, text)?;
        if let Some(evidence) = &mut self.evidence {
            self.game.round().note(evidence, seat, chosen);
        }
        let number = self.game.number();
        self.game.make(seat, chosen);
        if self.game.number() != number {
            self.evidence = None;
        }
        Ok(())
    }

    fn lead(&self, seat: usize) -> PyResult<i32> {
        Ok(self.game.round().lead(self.seat(seat)?))
    }

    fn outcome(&self) -> Option<Told> {
        self.game.outcome().map(told)
    }

    fn observe(&self, seat: usize) -> PyResult<Vec<i8>> {
        let mut row = vec![0; G::SIZE];
        self.game.observe(self.seat(seat)?, G::Partial::default(), &mut row);
        Ok(row)
    }

    fn copy(&self) -> Box<dyn AnyGame> {
        Box::new(Self { game: self.game.clone(), evidence: self.evidence.clone() })
    }

    fn any(&self) -> &dyn Any {
        self
    }
}

/// Where a game began: what makes it again in Python, of which it is a pickle together with its moves.
#[derive(Clone)]
enum Origin {
    /// At its deal, with these options and this seed.
    Deal(Arc<Py<PyAny>>, u64),
    /// At this position, which nobody else changes.
    Position(Arc<Py<PyAny>>),
}

/// A whole game at one moment, which plays the engine's rules without names and events.
#[pyclass(module = "tisch._core.simulation")]
pub struct Game {
    pub whole: Box<dyn AnyGame>,
    name: &'static str,
    origin: Origin,
    /// The moves since, with their seats.
    moves: Vec<(usize, String)>,
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (name, options, seed, /))]
    fn new(name: &str, options: &Bound<'_, PyAny>, seed: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (kind, seed) = (kind(name)?, self::seed(seed)?);
        let origin = Origin::Deal(Arc::new(options.clone().unbind()), seed);
        Ok(Self { whole: kind.begin(options, seed)?, name: kind.name(), origin, moves: Vec::new() })
    }

    /// Return the game at a position.
    #[staticmethod]
    #[pyo3(signature = (name, position, /))]
    fn at(name: &str, position: &Bound<'_, PyAny>) -> PyResult<Self> {
        let kind = kind(name)?;
        let whole = kind.at(position)?;
        let origin = Origin::Position(Arc::new(position.call_method0("copy")?.unbind()));
        Ok(Self { whole, name: kind.name(), origin, moves: Vec::new() })
    }

    /// The number of the current round, from 0.
    #[getter]
    fn number(&self) -> u32 {
        self.whole.number()
    }

    /// Return the seats that must decide now.
    fn awaiting(&self) -> Vec<usize> {
        self.whole.awaiting()
    }

    /// Return the seats that may move out of turn.
    fn speakers(&self) -> Vec<usize> {
        self.whole.speakers()
    }

    /// Return the texts of the moves that a seat may make now.
    #[pyo3(signature = (seat, /))]
    fn legal(&self, seat: usize) -> PyResult<Vec<String>> {
        self.whole.legal(seat)
    }

    /// Make a move.
    #[pyo3(signature = (seat, text, /))]
    fn play(&mut self, seat: usize, text: &str) -> PyResult<()> {
        self.whole.play(seat, text)?;
        self.moves.push((seat, text.to_owned()));
        Ok(())
    }

    /// Return by how much the side of a seat is ahead in the round.
    #[pyo3(signature = (seat, /))]
    fn lead(&self, seat: usize) -> PyResult<i32> {
        self.whole.lead(seat)
    }

    /// Return how the game ended.
    fn outcome(&self) -> Option<Told> {
        self.whole.outcome()
    }

    /// Return what a seat knows as small numbers.
    #[pyo3(signature = (seat, /))]
    fn observe(&self, seat: usize) -> PyResult<Vec<i8>> {
        self.whole.observe(seat)
    }

    /// Return an independent game at the same moment.
    fn copy(&self) -> Self {
        Self { whole: self.whole.copy(), name: self.name, origin: self.origin.clone(), moves: self.moves.clone() }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Again<'py>> {
        let (py, class, game) = (slf.py(), slf.get_type().into_any(), slf.borrow());
        let (make, arguments) = match &game.origin {
            Origin::Deal(options, seed) => (class, (game.name, options.bind(py), *seed).into_pyobject(py)?),
            Origin::Position(position) => {
                // A static method has no name by which a pickle finds it.
                let at = py.import("operator")?.call_method1("methodcaller", ("at", game.name, position.bind(py)))?;
                (at, (class,).into_pyobject(py)?)
            }
        };
        Ok((make, arguments, game.moves.clone()))
    }

    /// Make the moves of a pickle.
    #[expect(clippy::needless_pass_by_value, reason = "Python's lists become vectors")]
    fn __setstate__(&mut self, moves: Vec<(usize, String)>) -> PyResult<()> {
        moves.iter().try_for_each(|(seat, text)| self.play(*seat, text))
    }
}

/// What makes a game again: a callable, its arguments, and the moves that follow.
type Again<'py> = (Bound<'py, PyAny>, Bound<'py, PyTuple>, Vec<(usize, String)>);
