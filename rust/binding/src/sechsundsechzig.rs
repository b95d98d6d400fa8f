//! The Python interface of Sechsundsechzig's games for simulations: cards and moves are numbers, sets of cards masks.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tisch_core::sechsundsechzig::past::Past;
use tisch_core::sechsundsechzig::round::{self, Move, RoundError, Side};
use tisch_core::sechsundsechzig::search::Question;
use tisch_core::sechsundsechzig::{ALL, CARDS, COLOURS, ENOUGH, MOST, rule, solver};

use crate::errors::{at_least_one, wrong};
use crate::interrupts::interruptible;
use crate::random::{Random, seed};

/// A game of Sechsundsechzig at one moment, which plays the engine's rules without names, events and series.
#[pyclass(eq, module = "tisch._core.sechsundsechzig")]
#[derive(Clone, PartialEq)]
pub struct Round(round::Round);

fn player(seat: usize) -> PyResult<usize> {
    if seat < 2 {
        Ok(seat)
    } else {
        Err(PyValueError::new_err(format!("There are the seats 0 and 1, but no seat {seat}.")))
    }
}

#[pymethods]
impl Round {
    #[new]
    #[pyo3(signature = (*, hands, taken, points, closer, stock, upcard, trump, turn, led, announced, result))]
    #[expect(clippy::too_many_arguments, reason = "all have names")]
    fn new(
        hands: [u32; 2],
        taken: [u32; 2],
        points: [u16; 2],
        closer: Option<usize>,
        stock: &[u8],
        upcard: Option<u8>,
        trump: u32,
        turn: usize,
        led: Option<u8>,
        announced: Option<bool>,
        result: Option<i8>,
    ) -> PyResult<Self> {
        closer.map_or(Ok(0), player)?;
        result.map_or(Ok(()), |result| check_points(result.saturating_abs()))?;
        let side = |seat: usize| Side {
            hand: hands[seat],
            taken: taken[seat],
            points: points[seat],
            closed: closer == Some(seat),
        };
        let round = round::Round::new([side(0), side(1)], stock, upcard, trump, turn, led, announced);
        Ok(Self(round::Round { result, ..round.map_err(|error| wrong(&error))? }))
    }

    /// The hands as sets of cards.
    #[getter]
    fn hands(&self) -> (u32, u32) {
        let [first, second] = self.0.sides;
        (first.hand, second.hand)
    }

    /// The game points of seat 0 at the end, negative if seat 1 gets them; ``None`` before.
    #[getter]
    const fn result(&self) -> Option<i8> {
        self.0.result
    }

    /// Return the legal moves.
    fn legal(&self) -> Vec<u8> {
        self.0.legal().into_iter().map(Move::code).collect()
    }

    /// Make a move.
    #[pyo3(signature = (chosen, /))]
    fn play(&mut self, chosen: u8) -> PyResult<()> {
        let chosen = Move::from_code(chosen).ok_or_else(|| wrong(&RoundError::Illegal))?;
        self.0.play(chosen).map_err(|error| wrong(&error))
    }

    /// Return the move of the rules of thumb, which the agent ``rule`` defines.
    fn rule(&self) -> PyResult<u8> {
        if self.0.result.is_some() {
            return Err(wrong(&RoundError::Illegal));
        }
        Ok(rule::decide(&self.0).code())
    }

    /// Return the game points that a seat gets with open hands and perfect play.
    #[pyo3(signature = (seat, /))]
    fn worth(&self, py: Python<'_>, seat: usize) -> PyResult<i8> {
        let seat = player(seat)?;
        Ok(py.detach(|| solver::worth(&self.0, seat)))
    }

    /// Return the game points that a seat gets with open hands and the best moves against the rules of thumb.
    #[pyo3(signature = (seat, /))]
    fn worth_against_rules(&self, py: Python<'_>, seat: usize) -> PyResult<i8> {
        let seat = player(seat)?;
        Ok(py.detach(|| solver::against_rules(&self.0, seat, -MOST, MOST)))
    }

    /// Return a game with everything dealt anew that a seat does not know.
    #[pyo3(signature = (seat, shown, lacks, random, /))]
    fn redeal(&self, seat: usize, shown: u32, lacks: u32, random: &mut Random) -> PyResult<Self> {
        let mut round = self.0;
        check(&round, player(seat)?, shown, lacks)?;
        round.redeal(seat, shown, lacks, &mut random.0);
        Ok(Self(round))
    }

    /// Return the game points of each move of the seat to move in samples.
    #[pyo3(signature = (playouts, seed, *, shown, lacks, past, draws, exact, caps, moves = None))]
    #[expect(clippy::too_many_arguments, reason = "those after the seed have names")]
    fn compare(
        &self,
        py: Python<'_>,
        playouts: &Bound<'_, PyAny>,
        seed: &Bound<'_, PyAny>,
        shown: u32,
        lacks: u32,
        past: Option<(usize, u8, &[u8])>,
        draws: &Bound<'_, PyAny>,
        exact: u8,
        caps: (i8, i8),
        moves: Option<&[u8]>,
    ) -> PyResult<Vec<(u8, Vec<i32>)>> {
        let round = self.0;
        check(&round, round.turn, shown, lacks)?;
        let past = past.map(|(leader, open, codes)| past_of(&round, player(leader)?, open, codes)).transpose()?;
        let (playouts, seed) = (at_least_one(playouts, "playout")?.get(), self::seed(seed)?);
        let draws = at_least_one(draws, "redeal")?.get();
        check_points(caps.0)?;
        check_points(caps.1)?;
        let moves = if let Some(codes) = moves {
            chosen(&round, codes)?
        } else {
            // A claim without enough points loses as much as a game can.
            let hopeless = round.sides[round.turn].points < ENOUGH;
            round.legal().into_iter().filter(|&each| each != Move::Stop || !hopeless).collect()
        };
        let question = Question { round, past, shown, lacks, draws, exact, caps };
        let values = interruptible(py, |proceed| question.compare(&moves, playouts, seed, proceed))?;
        Ok(moves.into_iter().map(Move::code).zip(values).collect())
    }
}

/// Refuses a number of game points that no game is worth.
fn check_points(points: i8) -> PyResult<()> {
    if (1..=MOST).contains(&points) {
        Ok(())
    } else {
        Err(PyValueError::new_err("A game is lost and won by 1 to 3 game points."))
    }
}

/// Refuses evidence about the other hand that no deal could meet.
fn check(round: &round::Round, seat: usize, shown: u32, lacks: u32) -> PyResult<()> {
    let rival = round.sides[1 - seat].hand;
    if shown & !rival & ALL != 0 || shown & !ALL != 0 || lacks >> COLOURS != 0 || rival & round::missing(lacks) != 0 {
        return Err(PyValueError::new_err("The other hand does not agree with what is known of it."));
    }
    Ok(())
}

/// Converts the moves of a game from its start on, which must lead to this moment.
fn past_of(round: &round::Round, leader: usize, open: u8, codes: &[u8]) -> PyResult<Past> {
    let moves: Option<Vec<_>> = codes.iter().map(|&code| Move::from_code(code)).collect();
    let past = moves.filter(|_| u32::from(open) < CARDS).map(|moves| Past::new(leader, open, &moves));
    past.filter(|past| past.leads_to(round, &mut tisch_core::random::Random::new(0)))
        .ok_or_else(|| PyValueError::new_err("The moves do not lead to this position."))
}

/// Converts moves, which must be legal.
fn chosen(round: &round::Round, codes: &[u8]) -> PyResult<Vec<Move>> {
    let legal = round.legal();
    let moves = codes.iter().map(|&code| Move::from_code(code).filter(|each| legal.contains(each)));
    moves.collect::<Option<_>>().ok_or_else(|| wrong(&RoundError::Illegal))
}
