//! The Python interface of Mau-Mau's rounds for simulations: cards and moves are numbers, sets of cards masks.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tisch_core::maumau::game::{MauMau, Options};
use tisch_core::maumau::round::{self, Move, RoundError, Rules, SEATS};
use tisch_core::maumau::{CARDS, redeal, rule, search};
use tisch_core::simulation::{self, Round as _};

use crate::errors::{at_least_one, wrong};
use crate::interrupts::interruptible;
use crate::random::{Random, seed};

/// A round of Mau-Mau at one moment, which plays the engine's rules without names, events and further rounds.
#[pyclass(eq, module = "tisch._core.maumau")]
#[derive(Clone, PartialEq)]
pub struct Round(round::Round);

#[pymethods]
impl Round {
    #[new]
    #[pyo3(signature = (*, hands, stock, pile, wish, wishing, penalty, jacks, drew, turn, over, rules))]
    #[expect(clippy::too_many_arguments, reason = "all have names")]
    fn new(
        hands: Vec<u32>,
        stock: &[u8],
        pile: &[u8],
        wish: Option<u8>,
        wishing: bool,
        penalty: u8,
        jacks: u8,
        drew: bool,
        turn: usize,
        over: bool,
        rules: (bool, bool, bool),
    ) -> PyResult<Self> {
        if hands.len() > SEATS {
            return Err(wrong(&RoundError::Unknown));
        }
        if stock.len().max(pile.len()) > CARDS as usize {
            return Err(wrong(&RoundError::Places));
        }
        let mut round = round::Round {
            rules: Rules { stacking: rules.0, wish_on_wish: rules.1, play_drawn: rules.2 },
            seats: hands.len(),
            hands: [0; SEATS],
            stock: [0; CARDS as usize],
            left: stock.len(),
            pile: [0; CARDS as usize],
            piled: pile.len(),
            wish,
            wishing,
            penalty,
            jacks: jacks % 2,
            drew,
            turn,
            over,
            chance: 0,
            reshuffles: 0,
        };
        for (place, hand) in round.hands.iter_mut().zip(hands) {
            *place = hand;
        }
        round.stock[..stock.len()].copy_from_slice(stock);
        round.pile[..pile.len()].copy_from_slice(pile);
        round.check().map_err(|error| wrong(&error))?;
        Ok(Self(round))
    }

    /// The hands as sets of cards.
    #[getter]
    fn hands(&self) -> Vec<u32> {
        self.0.hands[..self.0.seats].to_vec()
    }

    /// The seat to move; ``None`` when the round is over.
    #[getter]
    const fn turn(&self) -> Option<usize> {
        if self.0.over { None } else { Some(self.0.turn) }
    }

    /// Return the legal moves.
    fn legal(&self) -> Vec<u8> {
        legal(&self.0).into_iter().map(Move::code).collect()
    }

    /// Make a move.
    #[pyo3(signature = (chosen, /))]
    fn play(&mut self, chosen: u8) -> PyResult<()> {
        let [chosen] = self::chosen(&self.0, &[chosen])?[..] else { return Err(wrong(&RoundError::Illegal)) };
        self.0.make(self.0.turn, chosen);
        Ok(())
    }

    /// Return the move of the rules of thumb, which the agent ``rule`` defines.
    fn rule(&self) -> PyResult<u8> {
        if self.0.over { Err(wrong(&RoundError::Illegal)) } else { Ok(rule::decide(&self.0).code()) }
    }

    /// Return by how many points a seat is ahead of the others in all, by the cards left in the hands.
    #[pyo3(signature = (seat, /))]
    fn lead(&self, seat: usize) -> PyResult<i32> {
        if seat < self.0.seats {
            Ok(self.0.lead(seat))
        } else {
            Err(PyValueError::new_err(format!("There are {} seats from 0 on, but no seat {seat}.", self.0.seats)))
        }
    }

    /// Return by how many points the seat to move is ahead at the end, for each of its moves in samples.
    #[expect(clippy::needless_pass_by_value, reason = "Python's lists of numbers become vectors")]
    #[pyo3(signature = (playouts, seed, *, places, moves = None))]
    fn compare(
        &self,
        py: Python<'_>,
        playouts: &Bound<'_, PyAny>,
        seed: &Bound<'_, PyAny>,
        places: Vec<u32>,
        moves: Option<&[u8]>,
    ) -> PyResult<Vec<(u8, Vec<i32>)>> {
        let round = self.0;
        let (playouts, seed) = (at_least_one(playouts, "playout")?.get(), self::seed(seed)?);
        check(&cards(round.hidden(round.turn)), &places)?;
        let moves = moves.map_or_else(|| Ok(legal(&round)), |codes| chosen(&round, codes))?;
        let values = interruptible(py, |proceed| search::compare(&round, &places, &moves, playouts, seed, proceed))?;
        Ok(moves.into_iter().map(Move::code).zip(values).collect())
    }
}

/// Lists the legal moves by their numbers.
fn legal(round: &round::Round) -> Vec<Move> {
    let mut moves = Vec::new();
    simulation::Round::legal(round, round.turn, &mut moves);
    moves.sort_unstable_by_key(|each| each.code());
    moves
}

fn cards(set: u32) -> Vec<u8> {
    (0..CARDS as u8).filter(|card| set >> card & 1 == 1).collect()
}

/// Refuses places that the cards cannot fill.
fn check(cards: &[u8], places: &[u32]) -> PyResult<()> {
    if cards.len() == places.len() && redeal::is_possible(cards, places) {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("{} cards cannot be dealt to these {} places.", cards.len(), places.len())))
}

/// Assign cards at random to places where they are possible.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "Python's lists of numbers become vectors")]
#[pyo3(signature = (cards, places, random, /))]
pub fn spread<'py>(
    py: Python<'py>,
    cards: &[u8],
    places: Vec<u32>,
    random: &mut Random,
) -> PyResult<Bound<'py, PyBytes>> {
    let distinct = cards.iter().filter(|&&card| u32::from(card) < CARDS).fold(0_u32, |set, card| set | 1 << card);
    if distinct.count_ones() as usize != cards.len() {
        return Err(wrong(&RoundError::Places));
    }
    check(cards, &places)?;
    let mut dealt = cards.to_vec();
    redeal::spread(&mut dealt, &places, &mut random.0);
    Ok(PyBytes::new(py, &dealt))
}

/// Converts moves, which must be legal.
fn chosen(round: &round::Round, codes: &[u8]) -> PyResult<Vec<Move>> {
    let legal = legal(round);
    let moves = codes.iter().map(|&code| legal.iter().copied().find(|each| each.code() == code));
    moves.collect::<Option<_>>().ok_or_else(|| wrong(&RoundError::Illegal))
}

impl crate::simulation::Begun for MauMau {
    fn options(options: &Bound<'_, PyAny>) -> PyResult<Options> {
        let flag = |name: &str| options.getattr(name)?.extract();
        Ok(Options {
            players: options.getattr("players")?.extract()?,
            rounds: options.getattr("rounds")?.extract()?,
            hand: options.getattr("hand")?.extract()?,
            rules: Rules {
                stacking: flag("stacking")?,
                wish_on_wish: flag("wish_on_wish")?,
                play_drawn: flag("play_drawn")?,
            },
        })
    }
}
