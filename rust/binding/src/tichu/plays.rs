//! The Python interface of plays, lazy sequences of plays, and combinations.

use std::hash::Hash;
use std::ops::Range;

use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyInt, PyList, PySlice, PyTuple};
use tisch_core::tichu::combinations::{ALL, Combination};
use tisch_core::tichu::hand::Wish;
use tisch_core::tichu::plays::{Play, put_safest_first};

use crate::errors::{beyond, wrong};
use crate::tichu::cards::Cards;

/// All combinations as named tuples, which are made once.
struct Named {
    /// In the order of the core.
    tuples: Vec<Py<PyAny>>,
    /// Where they are, in ascending order, with their places among the tuples.
    addresses: Vec<(usize, u8)>,
}

static COMBINATIONS: PyOnceLock<Named> = PyOnceLock::new();

impl Named {
    fn new(py: Python<'_>) -> PyResult<Self> {
        let module = py.import("tisch.games.tichu.combinations")?;
        let (tuple, kinds) = (module.getattr("Combination")?, module.getattr("CombinationType")?);
        let name = |each: &Combination| {
            let kind = kinds.call1((each.kind as u8,))?;
            Ok(tuple.call1((kind, each.length, each.rank))?.unbind())
        };
        let tuples = ALL.iter().map(name).collect::<PyResult<Vec<Py<PyAny>>>>()?;
        let mut addresses: Vec<_> = tuples.iter().map(|tuple| tuple.as_ptr() as usize).zip(0..).collect();
        addresses.sort_unstable();
        Ok(Self { tuples, addresses })
    }

    /// Returns the combination that is this very tuple, without a look at its numbers.
    fn find(&self, tuple: &Bound<'_, PyAny>) -> Option<Combination> {
        let address = tuple.as_ptr() as usize;
        let place = self.addresses.binary_search_by_key(&address, |&(address, _)| address).ok()?;
        Some(ALL[usize::from(self.addresses[place].1)])
    }
}

/// Returns the combination as a named tuple.
pub fn named(py: Python<'_>, combination: Combination) -> PyResult<&Bound<'_, PyAny>> {
    let all = COMBINATIONS.get_or_try_init(py, || Named::new(py))?;
    Ok(all.tuples[usize::from(combination.place())].bind(py))
}

/// Converts the combination of a trick: a tuple of type, length and rank, or `None` without a trick.
pub fn trick(trick: Option<&Bound<'_, PyAny>>) -> PyResult<Combination> {
    let Some(trick) = trick else { return Ok(Combination::PASS) };
    if let Some(found) = COMBINATIONS.get(trick.py()).and_then(|all| all.find(trick)) {
        return Ok(found);
    }
    let Ok((kind, length, rank)) = trick.extract::<(u8, u8, u8)>() else {
        return Err(PyValueError::new_err(format!("No cards form the combination {}.", trick.repr()?)));
    };
    Combination::new(kind, length, rank).map_err(|error| wrong(&error))
}

/// Converts the value of a wish, or none.
pub fn wish(value: Option<&Bound<'_, PyAny>>) -> PyResult<Wish> {
    let Some(value) = value else { return Ok(Wish::NONE) };
    let sentence = |value: &Bound<'_, PyInt>| format!("A wish is a value from 2 to 14, or 0 for none, not {value}.");
    let value = value.extract().map_err(|error| beyond(error, value, sentence))?;
    Wish::new(value).map_err(|error| wrong(&error))
}

/// A sequence of pairs of cards and combination; it creates Python objects lazily.
#[pyclass(frozen, eq, hash, module = "tisch._core.tichu")]
#[derive(PartialEq, Eq, Hash)]
pub struct Plays(pub Vec<Play>);

/// An index or a slice of a sequence.
#[derive(FromPyObject)]
pub enum Place<'py> {
    One(isize),
    Several(Bound<'py, PySlice>),
}

/// The indices of a sequence.
pub enum Places {
    One(usize),
    Several(Vec<usize>),
}

impl Place<'_> {
    /// Returns the indices in a sequence of this length; negative ones count from its end.
    pub fn within(self, length: usize, what: &str) -> PyResult<Places> {
        match self {
            Self::One(place) => {
                let from_start = if place < 0 { place.saturating_add_unsigned(length) } else { place };
                let found = usize::try_from(from_start).ok().filter(|found| *found < length);
                let missing = || PyIndexError::new_err(format!("There is no {what} {place} among {length}."));
                Ok(Places::One(found.ok_or_else(missing)?))
            }
            Self::Several(slice) => {
                let slice = slice.indices(length.cast_signed())?;
                let places = (0..slice.slicelength.cast_signed()).map(|step| slice.start + step * slice.step);
                Ok(Places::Several(places.map(isize::cast_unsigned).collect()))
            }
        }
    }
}

/// Returns the indices from one to another in a sequence of this length; negative ones count from its end.
pub fn between(start: isize, stop: isize, length: usize) -> Range<usize> {
    let from_start = |place: isize| if place < 0 { length.saturating_add_signed(place) } else { place.cast_unsigned() };
    from_start(start)..from_start(stop).min(length)
}

/// Converts a play into an item of a sequence.
fn item(py: Python<'_>, play: Play) -> PyResult<Bound<'_, PyTuple>> {
    let cards = Bound::new(py, Cards(play.cards()))?.into_any();
    PyTuple::new(py, [&cards, named(py, play.combination())?])
}

/// Converts an item of a sequence into a play, if it is one.
fn play_of(item: &Bound<'_, PyAny>) -> Option<Play> {
    let (cards, combination) = item.extract::<(Bound<'_, Cards>, Bound<'_, PyAny>)>().ok()?;
    let play = Play::of(cards.get().0)?;
    (trick(Some(&combination)).ok()? == play.combination()).then_some(play)
}

#[pymethods]
impl Plays {
    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, place: Place<'py>) -> PyResult<Bound<'py, PyAny>> {
        match place.within(self.0.len(), "play")? {
            Places::One(place) => Ok(item(py, self.0[place])?.into_any()),
            Places::Several(places) => {
                let plays = places.into_iter().map(|place| self.0[place]).collect();
                Ok(Bound::new(py, Self(plays))?.into_any())
            }
        }
    }

    fn __iter__(slf: Bound<'_, Self>) -> PlaysIterator {
        PlaysIterator { plays: slf.unbind(), next: 0 }
    }

    fn __reversed__(&self, py: Python<'_>) -> PyResult<PlaysIterator> {
        let plays = self.0.iter().rev().copied().collect();
        Ok(PlaysIterator { plays: Py::new(py, Self(plays))?, next: 0 })
    }

    fn __contains__(&self, value: &Bound<'_, PyAny>) -> bool {
        play_of(value).is_some_and(|play| self.0.contains(&play))
    }

    /// Return the index of an item.
    #[pyo3(signature = (value, start = 0, stop = isize::MAX))]
    fn index(&self, value: &Bound<'_, PyAny>, start: isize, stop: isize) -> PyResult<usize> {
        let play = play_of(value);
        let place = between(start, stop, self.0.len()).find(|place| Some(self.0[*place]) == play);
        place.ok_or_else(|| PyValueError::new_err("This is not among the plays."))
    }

    /// Return how often an item occurs: once or never.
    fn count(&self, value: &Bound<'_, PyAny>) -> usize {
        usize::from(self.__contains__(value))
    }

    /// Return the same plays sorted by caution.
    fn safest_first(&self) -> Self {
        let mut plays = self.0.clone();
        put_safest_first(&mut plays);
        Self(plays)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let items = self.0.iter().map(|play| item(py, *play)).collect::<PyResult<Vec<_>>>()?;
        Ok(format!("Plays({})", PyList::new(py, items)?.repr()?))
    }
}

/// An iterator over a sequence of plays.
#[pyclass(module = "tisch._core.tichu")]
pub struct PlaysIterator {
    plays: Py<Plays>,
    next: usize,
}

#[pymethods]
impl PlaysIterator {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let plays = self.plays.get();
        let Some(play) = plays.0.get(self.next) else { return Ok(None) };
        self.next += 1;
        item(py, *play).map(|item| Some(item.into_any()))
    }
}
