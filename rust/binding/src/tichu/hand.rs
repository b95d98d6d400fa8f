//! The Python interface of hands.

use pyo3::prelude::*;
use tisch_core::tichu::hand;

use crate::errors::wrong;
use crate::tichu::cards::Cards;
use crate::tichu::combinations;
use crate::tichu::plays::{Plays, trick, wish};

/// A hand with precomputed data, for many questions about the same cards.
#[pyclass(frozen, eq, hash, module = "tisch._core.tichu")]
#[derive(PartialEq, Eq, Hash)]
pub struct Hand(hand::Hand);

#[pymethods]
impl Hand {
    #[new]
    #[pyo3(signature = (cards, /))]
    fn new(cards: &Bound<'_, Cards>) -> PyResult<Self> {
        combinations::hand(cards).map(Self)
    }

    /// The cards in the hand.
    #[getter]
    fn cards(&self) -> Cards {
        Cards(self.0.cards())
    }

    /// Whether there is a bomb in the hand.
    #[getter]
    fn has_bomb(&self) -> bool {
        self.0.has_bomb()
    }

    /// Return the plays that may be laid on a trick, as :func:`plays` does.
    #[pyo3(signature = (trick = None, wish = None, /), text_signature = "($self, trick=None, wish=0, /)")]
    fn plays(&self, trick: Option<&Bound<'_, PyAny>>, wish: Option<&Bound<'_, PyAny>>) -> PyResult<Plays> {
        let mut plays = Vec::with_capacity(16);
        self.0.push_plays(self::trick(trick)?, self::wish(wish)?, &mut plays);
        Ok(Plays(plays))
    }

    /// Return the bombs that may be laid on a trick, in any seat's turn.
    #[pyo3(signature = (trick = None, /))]
    fn bombs(&self, trick: Option<&Bound<'_, PyAny>>) -> PyResult<Plays> {
        let mut plays = Vec::new();
        self.0.push_bombs_on(self::trick(trick)?, &mut plays);
        Ok(Plays(plays))
    }

    /// Return the hand after laying cards, or passing with none, if :meth:`plays` contains that play.
    #[pyo3(signature = (cards, trick = None, wish = None, /), text_signature = "($self, cards, trick=None, wish=0, /)")]
    fn after(
        &self,
        cards: &Bound<'_, Cards>,
        trick: Option<&Bound<'_, PyAny>>,
        wish: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let hand = self.0.after(cards.get().0, self::trick(trick)?, self::wish(wish)?);
        hand.map(Self).map_err(|refusal| wrong(&refusal))
    }

    fn __len__(&self) -> usize {
        self.0.cards().len() as usize
    }

    fn __repr__(&self) -> String {
        format!("Hand({})", self.cards().__repr__())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (Cards,)) {
        (py.get_type::<Self>().into_any(), (self.cards(),))
    }
}
