//! The Python interface of the heuristic: seats are numbers, −1 means no seat, cards are masks.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tisch_core::tichu::cards::Cards as Set;
use tisch_core::tichu::combinations::COUNT;
use tisch_core::tichu::hand::Hand;
use tisch_core::tichu::odds;
use tisch_core::tichu::plays::Play;
use tisch_core::tichu::policies::{self, Known};
use tisch_core::tichu::round::{LEAD, NOBODY, SEATS};

use crate::errors::wrong;
use crate::tichu::moves::{Move, Moves};
use crate::tichu::round::{seat, set, somebody};

/// Weighs the decisions of a seat by what it knows, with exact odds.
#[pyclass(module = "tisch._core.tichu")]
pub struct Heuristic {
    heuristic: policies::Heuristic,
    known: Known,
}

/// Moves that lay cards or pass.
#[derive(FromPyObject)]
pub enum Plays<'py> {
    Moves(Bound<'py, Moves>),
    Listed(Vec<Bound<'py, Move>>),
}

impl Plays<'_> {
    fn into_plays(self) -> Vec<Play> {
        match self {
            Self::Moves(moves) => moves.get().0.iter().map(|each| each.as_play()).collect(),
            Self::Listed(moves) => moves.iter().map(|each| each.get().0.as_play()).collect(),
        }
    }
}

#[pymethods]
impl Heuristic {
    #[new]
    fn new() -> Self {
        let known = Known {
            seat: 0,
            hand: Set::EMPTY,
            hidden: Set::DECK,
            counts: [0; 4],
            calls: [0; 4],
            winner: NOBODY,
            owner: NOBODY,
            top: LEAD,
            trick: Set::EMPTY,
        };
        Self { heuristic: policies::Heuristic::exact(), known }
    }

    /// Take note of what a seat knows; the other methods answer from that.
    #[pyo3(signature = (player, hand, hidden, counts, calls, winner, owner, top, trick, /))]
    #[expect(clippy::too_many_arguments, reason = "a seat knows so much")]
    fn look(
        &mut self,
        player: &Bound<'_, PyAny>,
        hand: u64,
        hidden: u64,
        counts: [u32; 4],
        calls: [u8; 4],
        winner: i8,
        owner: i8,
        top: u8,
        trick: u64,
    ) -> PyResult<()> {
        let (seat, hidden) = (seat(player)?, set(hidden)?);
        let hand = Hand::new(set(hand)?).map_err(|error| wrong(&error))?;
        if let Some(stranger) = [winner, owner].into_iter().find(|other| !(-1..SEATS.cast_signed()).contains(other)) {
            return Err(PyValueError::new_err(format!("There are the seats 0 to 3, but no seat {stranger}.")));
        }
        let (winner, owner) = (somebody(winner), somebody(owner));
        if usize::from(top) >= COUNT {
            return Err(PyValueError::new_err(format!("There is no combination {top}.")));
        }
        let known = Known { seat, hand: hand.cards(), hidden, counts, calls, winner, owner, top, trick: set(trick)? };
        let sizes = known.opponents().map(|opponent| known.count(opponent));
        // The opponents' hands must come from the hidden cards.
        odds::holds_each(hidden, &sizes, &[]).map_err(|error| wrong(&error))?;
        self.known = known;
        Ok(())
    }

    /// Return the price of the hand in thousandths of a lead, that of its cheapest partition.
    fn price(&mut self) -> i32 {
        self.heuristic.price(&self.known)
    }

    /// Return whether the seat calls small Tichu in its turn, if it may.
    fn calls(&mut self) -> bool {
        self.heuristic.calls(&self.known)
    }

    /// Return the value of each move that lays cards or passes, in thousandths of a lead.
    #[pyo3(signature = (moves, /))]
    fn values(&mut self, moves: Plays<'_>) -> Vec<i32> {
        self.heuristic.values(&self.known, &moves.into_plays())
    }

    /// Return the index of the bomb that the seat throws out of turn.
    #[pyo3(signature = (bombs, /))]
    fn bomb(&mut self, bombs: Plays<'_>) -> Option<usize> {
        let bombs = bombs.into_plays();
        if bombs.is_empty() { None } else { self.heuristic.bomb(&self.known, &bombs) }
    }

    /// Return the probability that no opponent tops laid cards with their own type.
    #[pyo3(signature = (chosen, /))]
    fn holds(&mut self, chosen: &Bound<'_, Move>) -> f64 {
        self.heuristic.holds(&self.known, chosen.get().0.as_play())
    }

    /// Return the gifts for the right opponent, the partner and the left opponent, as masks.
    fn gifts(&mut self) -> PyResult<(u64, u64, u64)> {
        if self.known.hand.len() < 3 {
            return Err(PyValueError::new_err("A seat gives three cards away."));
        }
        let [right, partner, left] = self.heuristic.gifts(&self.known).map(Set::mask);
        Ok((right, partner, left))
    }
}

/// Compute the promise of the first eight cards for Grand Tichu.
#[pyfunction]
#[pyo3(signature = (hand, /))]
pub fn grand_promise(hand: u64) -> PyResult<i32> {
    Ok(policies::grand_promise(set(hand)?))
}
