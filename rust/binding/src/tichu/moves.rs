//! The Python interface of Tichu's moves, and the queries that an engine makes once for each decision.
//!
//! An engine keeps hands as masks and the trick as the code of its top combination, because numbers cross the interface
//! faster than objects.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyIterator, PyString, PyTuple};
use tisch_core::tichu;
use tisch_core::tichu::cards::Cards as Set;
use tisch_core::tichu::combinations::ALL;
use tisch_core::tichu::moves;

use crate::errors::wrong;
use crate::random::seed;
use crate::tichu::cards::Cards;
use crate::tichu::plays::{Place, Places, named};

/// The names of the verbs, which the engine compares with each move that is made.
static VERBS: [PyOnceLock<Py<PyString>>; 8] = [const { PyOnceLock::new() }; 8];

/// A move of Tichu, such as laid cards, a pass, a call or a wish.
#[pyclass(frozen, eq, hash, module = "tisch._core.tichu")]
#[derive(PartialEq, Eq, Hash)]
pub struct Move(pub moves::Move);

#[pymethods]
impl Move {
    #[new]
    #[pyo3(signature = (text, /))]
    fn new(text: &str) -> PyResult<Self> {
        text.parse().map(Self).map_err(|error: moves::MoveError| wrong(&error))
    }

    /// The verb: ``play``, ``pass``, ``grand``, ``tichu``, ``give``, ``wish``, ``take`` or ``dragon``.
    #[getter]
    fn verb<'py>(&self, py: Python<'py>) -> &'py Bound<'py, PyString> {
        let verb = self.0.verb();
        VERBS[verb as usize].get_or_init(py, || PyString::intern(py, verb.name()).unbind()).bind(py)
    }

    /// The number of the verb, or the code of the combination for laid cards.
    #[getter]
    fn code(&self) -> u8 {
        self.0.code()
    }

    /// The cards that are laid or given away, as a mask.
    #[getter]
    fn mask(&self) -> u64 {
        self.0.cards().mask()
    }

    /// The cards that are laid or given away.
    #[getter]
    fn cards(&self) -> Cards {
        Cards(self.0.cards())
    }

    /// The combination of the laid cards; passing for every other verb.
    #[getter]
    fn combination<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyAny>> {
        named(py, self.0.combination())
    }

    /// The value of the wish, or the recipient of the trick won with the dragon; otherwise 0.
    #[getter]
    fn operand(&self) -> u8 {
        self.0.operand()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Move('{}')", self.0)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (String,)) {
        (py.get_type::<Self>().into_any(), (self.0.to_string(),))
    }
}

/// A sequence of moves; it creates Python objects lazily.
#[pyclass(frozen, module = "tisch._core.tichu")]
pub struct Moves(pub Vec<moves::Move>);

#[pymethods]
impl Moves {
    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, place: Place<'py>) -> PyResult<Bound<'py, PyAny>> {
        match place.within(self.0.len(), "move")? {
            Places::One(place) => Ok(Bound::new(py, Move(self.0[place]))?.into_any()),
            Places::Several(places) => {
                let moves = places.into_iter().map(|place| self.0[place]).collect();
                Ok(Bound::new(py, Self(moves))?.into_any())
            }
        }
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.all(py)?.try_iter()
    }

    fn __reversed__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyTuple::new(py, self.0.iter().rev().map(|found| Move(*found)).collect::<Vec<_>>())?.try_iter()
    }

    /// Return the index of a move.
    #[pyo3(signature = (value, start = 0, stop = isize::MAX))]
    fn index<'py>(&self, value: &Bound<'py, PyAny>, start: isize, stop: isize) -> PyResult<Bound<'py, PyAny>> {
        self.all(value.py())?.call_method1("index", (value, start, stop))
    }

    /// Return how often a move occurs: once or never.
    fn count(&self, value: &Bound<'_, PyAny>) -> usize {
        usize::from(self.__contains__(value))
    }

    fn __eq__(&self, other: &Bound<'_, Self>) -> bool {
        self.0 == other.get().0
    }

    fn __repr__(&self) -> String {
        let texts: Vec<String> = self.0.iter().map(|found| format!("'{found}'")).collect();
        format!("Moves([{}])", texts.join(", "))
    }

    fn __contains__(&self, item: &Bound<'_, PyAny>) -> bool {
        item.cast::<Move>().is_ok_and(|item| self.0.contains(&item.get().0))
    }
}

impl Moves {
    fn all<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.iter().map(|found| Move(*found)).collect::<Vec<_>>())
    }
}

fn top(code: u8) -> PyResult<tisch_core::tichu::combinations::Combination> {
    ALL.get(usize::from(code)).copied().ok_or_else(|| PyValueError::new_err(format!("There is no combination {code}.")))
}

/// Return the combination with a code.
#[pyfunction]
#[pyo3(signature = (code, /))]
pub fn combination_at(py: Python<'_>, code: u8) -> PyResult<&Bound<'_, PyAny>> {
    named(py, top(code)?)
}

/// Collects the moves that are listed.
pub fn listed(list: impl FnOnce(&mut Vec<moves::Move>)) -> Moves {
    let mut found = Vec::with_capacity(64);
    list(&mut found);
    Moves(found)
}

/// Deal a round: return the first eight cards of each of the four seats, then the six more of each, as masks.
#[pyfunction]
#[pyo3(signature = (seed, number, /))]
pub fn deal<'py>(py: Python<'py>, seed: &Bound<'py, PyAny>, number: u64) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(py, tichu::deal::deal(self::seed(seed)?, number).map(Set::mask))
}
