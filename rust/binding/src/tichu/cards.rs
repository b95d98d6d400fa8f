//! The Python interface of sets of cards.

use std::str::FromStr;

use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyIterator, PyString, PyTuple};
use tisch_core::tichu::cards::{self, CardsError, suit_at, value_at};
use tisch_core::tichu::hand::Hand;
use tisch_core::tichu::moves;

use crate::errors::{beyond, wrong};
use crate::tichu::moves::{Moves, listed};
use crate::tichu::plays::{trick, wish};

/// An immutable set of cards; a card is a set of one.
///
/// A card is a set of one. The text of a set is its labels separated by blanks, in descending order: ``Ph Dr RA S7 Ma
/// Hu``. It stores a mask of 64 bits. A plain ``int`` could not print itself as cards and could be confused with a
/// number, and by the benchmarks it is no faster.
#[pyclass(frozen, module = "tisch._core.tichu")]
pub struct Cards(pub cards::Cards);

/// Extracts cards given as an object or as labels.
fn cards_or_labels(part: &Bound<'_, PyAny>) -> PyResult<Option<cards::Cards>> {
    if let Ok(cards) = part.cast::<Cards>() {
        return Ok(Some(cards.get().0));
    }
    let Ok(text) = part.cast::<PyString>() else { return Ok(None) };
    cards::Cards::from_str(&text.to_cow()?).map(Some).map_err(|error| wrong(&error))
}

/// Extracts cards given as an object, as labels, or as value and suit.
fn cards_of(part: &Bound<'_, PyAny>) -> PyResult<cards::Cards> {
    if let Some(cards) = cards_or_labels(part)? {
        return Ok(cards);
    }
    let Ok((value, suit)) = part.extract::<(Bound<'_, PyInt>, Bound<'_, PyInt>)>() else {
        let sentence = format!("A card is a label or a pair of value and suit, not {}.", part.repr()?);
        return Err(PyTypeError::new_err(sentence));
    };
    let of_value = value.extract().map(cards::Cards::of_value).unwrap_or_default();
    let card = suit.extract().map(cards::Cards::of_suit).unwrap_or_default().intersection(of_value);
    if card.is_empty() {
        return Err(PyValueError::new_err(format!("There is no card of value {value} and suit {suit}.")));
    }
    Ok(card)
}

impl Cards {
    fn hand(&self) -> PyResult<Hand> {
        Hand::new(self.0).map_err(|error| wrong(&error))
    }

    /// Returns the union of several parts without a common card.
    fn of(parts: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut all = cards::Cards::EMPTY;
        for part in parts.try_iter()? {
            let part = cards_of(&part?)?;
            if let Some(twice) = part.intersection(all).iter().next() {
                return Err(wrong(&CardsError::Twice(twice.to_string())));
            }
            all = all.union(part);
        }
        Ok(Self(all))
    }
}

#[pymethods]
impl Cards {
    #[new]
    #[pyo3(signature = (*cards), text_signature = "(cards=(), /)")]
    fn new(cards: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let parts = match cards.len() {
            0 => return Ok(Self(cards::Cards::EMPTY)),
            1 => cards.get_item(0)?,
            more => return Err(PyTypeError::new_err(format!("Cards are made of one thing, not of {more}."))),
        };
        cards_or_labels(&parts)?.map_or_else(|| Self::of(&parts), |cards| Ok(Self(cards)))
    }

    /// Create a set from a mask.
    #[staticmethod]
    #[pyo3(signature = (mask, /))]
    fn from_mask(mask: &Bound<'_, PyAny>) -> PyResult<Self> {
        let sentence = |mask: &Bound<'_, PyInt>| format!("The mask {mask} has bits beyond the 56 cards of the deck.");
        let mask = mask.extract().map_err(|error| beyond(error, mask, sentence))?;
        cards::Cards::from_mask(mask).map(Self).map_err(|error| wrong(&error))
    }

    /// Return all cards of a value.
    #[staticmethod]
    #[pyo3(signature = (value, /))]
    fn of_value(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        let sentence = |value: &Bound<'_, PyInt>| format!("There are no cards of value {value}.");
        let number = value.extract().map_err(|error| beyond(error, value, sentence))?;
        let cards = cards::Cards::of_value(number);
        if cards.is_empty() {
            Err(PyValueError::new_err(format!("There are no cards of value {number}.")))
        } else {
            Ok(Self(cards))
        }
    }

    /// The set as a mask.
    #[getter]
    fn mask(&self) -> u64 {
        self.0.mask()
    }

    /// The points of the cards in a trick.
    #[getter]
    fn points(&self) -> i32 {
        self.0.points()
    }

    /// The cards as pairs of value and suit, in descending order.
    #[getter]
    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let numbers = self.0.iter().map(|card| {
            let index = card.mask().trailing_zeros();
            (value_at(index), suit_at(index))
        });
        PyTuple::new(py, numbers.collect::<Vec<_>>())
    }

    /// Return the moves of a seat in turn with these cards: pass, lay cards, call small Tichu; the safest first.
    #[pyo3(signature = (trick, wish, may_call, /))]
    fn moves_in_turn(&self, trick: &Bound<'_, PyAny>, wish: &Bound<'_, PyAny>, may_call: bool) -> PyResult<Moves> {
        let (trick, wish) = (self::trick(Some(trick))?, self::wish(Some(wish))?);
        let hand = self.hand()?;
        Ok(listed(|moves| moves::push_in_turn(&hand, trick, wish, may_call, moves)))
    }

    /// Return the moves of a seat out of turn with these cards: throw a bomb on the trick, call small Tichu.
    #[pyo3(signature = (trick, may_call, /))]
    fn moves_out_of_turn(&self, trick: &Bound<'_, PyAny>, may_call: bool) -> PyResult<Moves> {
        let (hand, trick) = (self.hand()?, self::trick(Some(trick))?);
        Ok(listed(|moves| moves::push_interrupts(&hand, trick, may_call, moves)))
    }

    /// Return the moves that give one of these cards away: suited ones first, the lowest first.
    fn moves_of_giving(&self) -> Moves {
        listed(|moves| moves::push_gives(self.0, moves))
    }

    fn __len__(&self) -> usize {
        self.0.len() as usize
    }

    fn __bool__(&self) -> bool {
        !self.0.is_empty()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyTuple::new(py, self.0.iter().map(Self).collect::<Vec<_>>())?.try_iter()
    }

    fn __contains__(&self, cards: &Bound<'_, Self>) -> bool {
        self.0.contains(cards.get().0)
    }

    fn __and__(&self, other: &Bound<'_, Self>) -> Self {
        Self(self.0.intersection(other.get().0))
    }

    fn __or__(&self, other: &Bound<'_, Self>) -> Self {
        Self(self.0.union(other.get().0))
    }

    fn __sub__(&self, other: &Bound<'_, Self>) -> Self {
        Self(self.0.minus(other.get().0))
    }

    fn __xor__(&self, other: &Bound<'_, Self>) -> Self {
        Self(self.0.union(other.get().0).minus(self.0.intersection(other.get().0)))
    }

    fn __richcmp__(&self, other: &Bound<'_, Self>, operator: CompareOp) -> bool {
        let (ours, theirs) = (self.0, other.get().0);
        match operator {
            CompareOp::Eq => ours == theirs,
            CompareOp::Ne => ours != theirs,
            CompareOp::Le => theirs.contains(ours),
            CompareOp::Lt => theirs.contains(ours) && ours != theirs,
            CompareOp::Ge => ours.contains(theirs),
            CompareOp::Gt => ours.contains(theirs) && ours != theirs,
        }
    }

    fn __hash__(&self) -> u64 {
        self.0.mask()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    pub fn __repr__(&self) -> String {
        if self.0.is_empty() { "Cards()".to_owned() } else { format!("Cards('{}')", self.0) }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (u64,))> {
        Ok((py.get_type::<Self>().getattr("from_mask")?, (self.mask(),)))
    }
}
