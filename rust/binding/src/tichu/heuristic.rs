//! The Python interface of the heuristic: seats are numbers, −1 means no seat, cards are masks.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tisch_core::tichu::cards::Cards as Set;
use tisch_core::tichu::combinations::COUNT;
use tisch_core::tichu::hand::Hand;
use tisch_core::tichu::policies::{self, Known};
use tisch_core::tichu::round::{LEAD, NOBODY, Phase, SEATS};
use tisch_core::tichu::{moves, odds};

use crate::errors::wrong;
use crate::tichu::moves::{Move, Moves};
use crate::tichu::round::{phase, seat, set, somebody};

/// Decides for a seat by what it knows, with exact odds.
#[pyclass(module = "tisch._core.tichu")]
pub struct Heuristic {
    heuristic: policies::Heuristic,
    known: Known,
}

/// Legal moves.
#[derive(FromPyObject)]
pub enum Legal<'py> {
    Moves(Bound<'py, Moves>),
    Listed(Vec<Bound<'py, Move>>),
}

impl Legal<'_> {
    fn into_moves(self) -> Vec<moves::Move> {
        match self {
            Self::Moves(moves) => moves.get().0.clone(),
            Self::Listed(moves) => moves.iter().map(|each| each.get().0).collect(),
        }
    }
}

/// Converts the cards that a seat has given away.
fn gifts(masks: &[u64]) -> PyResult<[Set; 3]> {
    let mut gifts = [Set::EMPTY; 3];
    if masks.len() > gifts.len() || masks.iter().any(|mask| mask.count_ones() != 1) {
        return Err(PyValueError::new_err("A seat gives three single cards away, one after the other."));
    }
    for (gift, &mask) in gifts.iter_mut().zip(masks) {
        *gift = set(mask)?;
    }
    Ok(gifts)
}

#[pymethods]
impl Heuristic {
    #[new]
    fn new() -> Self {
        let known = Known {
            seat: 0,
            phase: Phase::Grand,
            hand: Set::EMPTY,
            unseen: Set::DECK,
            given: [Set::EMPTY; 3],
            counts: [0; 4],
            calls: [0; 4],
            winner: NOBODY,
            owner: NOBODY,
            top: LEAD,
            trick: Set::EMPTY,
        };
        Self { heuristic: policies::Heuristic::exact(), known }
    }

    /// Forget the last game.
    fn forget(&mut self) {
        self.heuristic.forget();
    }

    /// Take note of what a seat knows; the other methods answer from that.
    #[pyo3(signature = (player, phase, hand, unseen, given, counts, calls, winner, owner, top, trick, /))]
    #[expect(clippy::too_many_arguments, reason = "a seat knows so much")]
    #[expect(clippy::needless_pass_by_value, reason = "Python's lists of numbers become vectors")]
    fn look(
        &mut self,
        player: &Bound<'_, PyAny>,
        phase: &str,
        hand: u64,
        unseen: u64,
        given: Vec<u64>,
        counts: [u32; 4],
        calls: [u8; 4],
        winner: i8,
        owner: i8,
        top: u8,
        trick: u64,
    ) -> PyResult<()> {
        let (seat, phase, unseen, given) = (seat(player)?, self::phase(phase)?, set(unseen)?, gifts(&given)?);
        let hand = Hand::new(set(hand)?).map_err(|error| wrong(&error))?.cards();
        if let Some(stranger) = [winner, owner].into_iter().find(|other| !(-1..SEATS.cast_signed()).contains(other)) {
            return Err(PyValueError::new_err(format!("There are the seats 0 to 3, but no seat {stranger}.")));
        }
        let (winner, owner, trick) = (somebody(winner), somebody(owner), set(trick)?);
        if usize::from(top) >= COUNT {
            return Err(PyValueError::new_err(format!("There is no combination {top}.")));
        }
        let known = Known { seat, phase, hand, unseen, given, counts, calls, winner, owner, top, trick };
        let sizes = known.opponents().map(|opponent| known.count(opponent));
        // The opponents' hands must come from the hidden cards.
        odds::holds_each(known.hidden(), &sizes, &[]).map_err(|error| wrong(&error))?;
        self.known = known;
        Ok(())
    }

    /// Choose a legal move, and return it with the values of what was weighed.
    #[pyo3(signature = (legal, must, /))]
    fn act(&mut self, legal: Legal<'_>, must: bool) -> PyResult<(Option<Move>, Vec<i32>)> {
        let legal = legal.into_moves();
        if legal.is_empty() || (must && self.known.phase == Phase::Schupf && self.known.hand.len() < 3) {
            return Err(PyValueError::new_err("There is nothing to decide."));
        }
        let chosen = self.heuristic.act(&self.known, &legal, must);
        Ok((chosen.map(Move), self.heuristic.worths().to_vec()))
    }

    /// Return the probability that no opponent tops laid cards with their own type.
    #[pyo3(signature = (chosen, /))]
    fn holds(&mut self, chosen: &Bound<'_, Move>) -> f64 {
        self.heuristic.holds(&self.known, chosen.get().0.as_play())
    }
}

/// Compute the promise of the first eight cards for Grand Tichu.
#[pyfunction]
#[pyo3(signature = (hand, /))]
pub fn grand_promise(hand: u64) -> PyResult<i32> {
    Ok(policies::grand_promise(set(hand)?))
}
