//! The Python interface of the heuristic.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tisch_core::tichu::cards::Cards as Set;
use tisch_core::tichu::hand::Hand;
use tisch_core::tichu::policies::{self, Calls, Known};
use tisch_core::tichu::round::{LEAD, NOBODY, Phase, SEATS};
use tisch_core::tichu::{moves, odds};

use crate::errors::wrong;
use crate::tichu::cards::Cards;
use crate::tichu::moves::{Move, Moves};
use crate::tichu::plays::trick;
use crate::tichu::round::{no_seat, phase, seat, set, somebody};

/// Decides for a seat by what it knows, with exact odds.
#[pyclass(module = "tisch._core.tichu")]
pub struct Heuristic {
    policy: policies::Heuristic,
    /// The promise of the first eight cards above which it calls Grand Tichu.
    #[pyo3(get)]
    grand_from: i32,
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

/// What a seat sees, by the names of the engine's view.
#[derive(FromPyObject)]
pub struct View<'py> {
    public: Public<'py>,
    private: Private<'py>,
}

/// What everybody sees.
#[derive(FromPyObject)]
struct Public<'py> {
    phase: String,
    count_hand_cards: [u32; 4],
    played_cards: Bound<'py, Cards>,
    announcements: [u8; 4],
    winner_index: i8,
    trick_owner_index: i8,
    trick_combination: Bound<'py, PyAny>,
    trick_cards: Bound<'py, Cards>,
}

/// What only the seat sees.
#[derive(FromPyObject)]
struct Private<'py> {
    player_index: Bound<'py, PyAny>,
    hand_cards: Bound<'py, Cards>,
    given_schupf_cards: Vec<Bound<'py, Cards>>,
}

impl View<'_> {
    /// Converts the view, and checks that it is possible.
    fn known(&self) -> PyResult<Known> {
        let Self { public, private } = self;
        let hand = Hand::new(private.hand_cards.get().0).map_err(|error| wrong(&error))?.cards();
        let known = Known {
            seat: seat(&private.player_index)?,
            phase: phase(&public.phase)?,
            hand,
            unseen: Set::DECK.minus(public.played_cards.get().0).minus(hand),
            given: gifts(&private.given_schupf_cards)?,
            counts: public.count_hand_cards,
            calls: public.announcements,
            winner: seat_or_nobody(public.winner_index)?,
            owner: seat_or_nobody(public.trick_owner_index)?,
            top: trick(Some(&public.trick_combination))?.place(),
            trick: public.trick_cards.get().0,
        };
        let sizes = known.opponents().map(|opponent| known.count(opponent));
        // The opponents' hands must come from the hidden cards.
        odds::holds_each(known.hidden(), &sizes, &[]).map_err(|error| wrong(&error))?;
        Ok(known)
    }
}

/// Converts the cards that a seat has given away.
fn gifts(cards: &[Bound<'_, Cards>]) -> PyResult<[Set; 3]> {
    let mut gifts = [Set::EMPTY; 3];
    if cards.len() > gifts.len() || cards.iter().any(|card| card.get().0.len() != 1) {
        return Err(PyValueError::new_err("A seat gives three single cards away, one after the other."));
    }
    gifts.iter_mut().zip(cards).for_each(|(gift, card)| *gift = card.get().0);
    Ok(gifts)
}

/// Converts a seat, where −1 means no seat.
fn seat_or_nobody(number: i8) -> PyResult<u8> {
    if (-1..SEATS.cast_signed()).contains(&number) { Ok(somebody(number)) } else { Err(no_seat(&number)) }
}

#[pymethods]
impl Heuristic {
    #[new]
    #[pyo3(signature = (style = "strength", calls = "usual", /))]
    fn new(style: &str, calls: &str) -> PyResult<Self> {
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
        let style = style.parse().map_err(|sentence: String| wrong(&sentence))?;
        let calls: Calls = calls.parse().map_err(|sentence: String| wrong(&sentence))?;
        Ok(Self { policy: policies::Heuristic::exact(style, calls), grand_from: calls.grand_from(), known })
    }

    /// Forget the last game.
    fn forget(&mut self) {
        self.policy.forget();
    }

    /// Take note of what a seat knows; the other methods answer from that.
    #[pyo3(signature = (view, /))]
    #[expect(clippy::needless_pass_by_value, reason = "Python's attributes become fields")]
    fn look(&mut self, view: View<'_>) -> PyResult<()> {
        self.known = view.known()?;
        Ok(())
    }

    /// Choose a legal move, and return it with the values of what was weighed.
    #[pyo3(signature = (legal, must, /))]
    fn act(&mut self, legal: Legal<'_>, must: bool) -> PyResult<(Option<Move>, Vec<i32>)> {
        let legal = legal.into_moves();
        if legal.is_empty() || (must && self.known.phase == Phase::Schupf && self.known.hand.len() < 3) {
            return Err(PyValueError::new_err("There is nothing to decide."));
        }
        let chosen = self.policy.act(&self.known, &legal, must);
        Ok((chosen.map(Move), self.policy.worths().to_vec()))
    }

    /// Return the probability that no opponent tops laid cards with their own type.
    #[pyo3(signature = (chosen, /))]
    fn holds(&mut self, chosen: &Bound<'_, Move>) -> f64 {
        self.policy.holds(&self.known, chosen.get().0.as_play())
    }
}

/// Compute the promise of the first eight cards for Grand Tichu.
#[pyfunction]
#[pyo3(signature = (hand, /))]
pub fn grand_promise(hand: u64) -> PyResult<i32> {
    Ok(policies::grand_promise(set(hand)?))
}
