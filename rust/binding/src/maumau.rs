//! The Python interface of Mau-Mau: its redeal, and the moments of the engine.

use std::collections::BTreeMap;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tisch_core::maumau::game::{MauMau, Options, TALLIES};
use tisch_core::maumau::possible::Possible;
use tisch_core::maumau::round::{Round, RoundError, Rules, SEATS};
use tisch_core::maumau::{CARDS, redeal};

use crate::errors::wrong;
use crate::random::Random;
use crate::simulation::Begun;

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

/// The engine's options.
#[derive(FromPyObject)]
struct Given {
    players: usize,
    rounds: u32,
    hand: usize,
    stacking: bool,
    wish_on_wish: bool,
    play_drawn: bool,
}

impl From<Given> for Options {
    fn from(given: Given) -> Self {
        let Given { players, rounds, hand, stacking, wish_on_wish, play_drawn } = given;
        Self { players, rounds, hand, rules: Rules { stacking, wish_on_wish, play_drawn } }
    }
}

/// The engine's state.
#[derive(FromPyObject)]
struct Moment {
    seed: u64,
    round: u32,
    scores: Vec<u32>,
    tally: BTreeMap<String, Vec<u32>>,
    hands: Vec<u32>,
    stock: Vec<u8>,
    pile: Vec<u8>,
    wish: i8,
    wishing: bool,
    penalty: u8,
    jacks: u32,
    drew: bool,
    turn: Option<usize>,
    reshuffles: u64,
    possible: Known,
}

/// What the engine has recorded of the hidden cards.
#[derive(FromPyObject)]
struct Known {
    hands: Vec<Vec<u32>>,
    stock: u32,
}

/// Returns the first elements, or zeros where there are none.
fn filled<T: Copy + Default, const N: usize>(from: &[T]) -> [T; N] {
    std::array::from_fn(|place| from.get(place).copied().unwrap_or_default())
}

impl Moment {
    fn round(&self, options: &Options) -> Result<Round, RoundError> {
        if self.stock.len().max(self.pile.len()) > CARDS as usize || self.hands.len() != options.players {
            return Err(RoundError::Places);
        }
        let round = Round {
            rules: options.rules,
            seats: options.players,
            hands: filled::<_, SEATS>(&self.hands),
            stock: filled(&self.stock),
            left: self.stock.len(),
            pile: filled(&self.pile),
            piled: self.pile.len(),
            wish: u8::try_from(self.wish).ok(),
            wishing: self.wishing,
            penalty: self.penalty,
            jacks: (self.jacks % 2) as u8,
            drew: self.drew,
            turn: self.turn.unwrap_or_default(),
            over: self.turn.is_none(),
            chance: MauMau::chance(self.seed, self.round - 1),
            reshuffles: self.reshuffles,
        };
        round.check().map(|()| round)
    }
}

impl Begun for MauMau {
    fn options(options: &Bound<'_, PyAny>) -> PyResult<Options> {
        options.extract::<Given>().map(Options::from)
    }

    fn at(state: &Bound<'_, PyAny>) -> PyResult<(Self, Possible)> {
        let moment: Moment = state.extract()?;
        let (number, scores) = (moment.round - 1, filled(&moment.scores));
        let tally = TALLIES.map(|name| filled(moment.tally.get(name).map_or(&[], Vec::as_slice)));
        let possible = Possible::new(moment.possible.hands.clone(), moment.possible.stock);
        let options = Options::from(state.getattr("options")?.extract::<Given>()?);
        let round = moment.round(&options).map_err(|error| wrong(&error))?;
        Ok((Self::within(&options, moment.seed, number, round, scores, tally), possible))
    }
}
