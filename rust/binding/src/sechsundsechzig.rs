//! The Python interface of Sechsundsechzig: the moments of the engine, and what they are worth.

use std::collections::BTreeMap;

use pyo3::Borrowed;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyInt;
use tisch_core::random;
use tisch_core::sechsundsechzig::endgame;
use tisch_core::sechsundsechzig::evidence::{Evidence, History};
use tisch_core::sechsundsechzig::game::{Options, Sechsundsechzig, Standing, TALLY};
use tisch_core::sechsundsechzig::moves::{Move, card_of, colour_of, label};
use tisch_core::sechsundsechzig::past::Past;
use tisch_core::sechsundsechzig::round::{Round, Side, Stock};
use tisch_core::sechsundsechzig::series::{self, FAR};
use tisch_core::sechsundsechzig::{MOST, solver};
use tisch_core::simulation::Round as _;

use crate::errors::wrong;
use crate::random::Random;
use crate::simulation::Begun;

/// A card of the engine.
struct Card(u8);

impl FromPyObject<'_, '_> for Card {
    type Error = PyErr;

    fn extract(card: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let text: PyBackedStr = card.extract()?;
        card_of(&text).map(Self).ok_or_else(|| PyValueError::new_err(format!("There is no card '{text}'.")))
    }
}

/// The colours of the engine as bits.
struct Colours(u32);

impl FromPyObject<'_, '_> for Colours {
    type Error = PyErr;

    fn extract(letters: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let text: PyBackedStr = letters.extract()?;
        let colours = text.chars().try_fold(0, |bits, letter| colour_of(letter).map(|colour| bits | 1 << colour));
        colours.map(Self).ok_or_else(|| PyValueError::new_err(format!("There are no colours '{text}'.")))
    }
}

/// A move of the engine.
struct Chosen(Move);

impl FromPyObject<'_, '_> for Chosen {
    type Error = PyErr;

    fn extract(chosen: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let (verb, operand): (PyBackedStr, PyBackedStr) = chosen.extract()?;
        let found = Move::read(&verb, &operand).map(Self);
        found.ok_or_else(|| PyValueError::new_err(format!("There is no move '{verb} {operand}'.")))
    }
}

/// How the engine's game ended.
#[derive(FromPyObject)]
struct End {
    winner: usize,
    points: i8,
}

/// The engine's state, but for the scores and the goal, which may be larger than the core's numbers.
#[derive(FromPyObject)]
struct Moment {
    seed: u64,
    number: u32,
    #[pyo3(attribute("final"))]
    until: Option<u32>,
    tally: BTreeMap<String, [u32; 2]>,
    hands: [Vec<Card>; 2],
    deck: Vec<Card>,
    aside: Vec<Card>,
    trump: Colours,
    turn: usize,
    closer: Option<usize>,
    middle: Vec<Card>,
    last: Vec<Card>,
    tricks: [Vec<Card>; 2],
    points: [u16; 2],
    announced: Option<Chosen>,
    shown: [Vec<Card>; 2],
    lacks: [Colours; 2],
    leader: usize,
    opened: Card,
    past: Option<Vec<Chosen>>,
    end: Option<End>,
}

fn set(cards: &[Card]) -> u32 {
    cards.iter().fold(0, |set, card| set | 1 << card.0)
}

impl Moment {
    fn read(state: &Bound<'_, PyAny>) -> PyResult<(Self, Round)> {
        let moment: Self = state.extract()?;
        let round = moment.round()?;
        Ok((moment, round))
    }

    /// Converts the running game.
    fn round(&self) -> PyResult<Round> {
        let drawn: Vec<u8> = self.deck.iter().skip(1).chain(self.deck.first()).map(|card| card.0).collect();
        let stock = Stock::of(&drawn).map_err(|error| wrong(&error))?;
        let result = self.end.as_ref().map(|end| if end.winner == 0 { end.points } else { -end.points });
        if result.is_some_and(|result| !(1..=MOST).contains(&result.saturating_abs())) {
            return Err(PyValueError::new_err("A game is lost and won by 1 to 3 game points."));
        }
        if let Some(closer) = self.closer {
            seat(closer)?;
        }
        let side = |seat: usize| Side {
            hand: set(&self.hands[seat]),
            taken: set(&self.tricks[seat]),
            points: self.points[seat],
            closed: self.closer == Some(seat),
        };
        let card = |cards: &[Card]| cards.first().map(|card| u32::from(card.0));
        let round = Round {
            sides: [side(0), side(1)],
            stock,
            open: card(&self.deck).or(card(&self.aside)),
            trump: self.trump.0.trailing_zeros(),
            turn: self.turn,
            led: card(&self.middle),
            announced: self.announced.as_ref().map(|announced| announced.0 == Move::AnnounceTrump),
            result,
            follows: false,
        };
        round.check().map(|()| round).map_err(|error| wrong(&error))
    }

    /// Converts what is known beside it.
    fn evidence(&self, round: &Round) -> PyResult<Evidence> {
        let shown = [0, 1].map(|seat| set(&self.shown[seat]));
        let evidence = Evidence { shown, lacks: [0, 1].map(|seat| self.lacks[seat].0), history: self.history(round)? };
        if evidence.agrees(round) {
            return Ok(evidence);
        }
        Err(PyValueError::new_err("A hand does not agree with what is known of it."))
    }

    /// Converts the moves of the running game, which must lead to its moment.
    fn history(&self, round: &Round) -> PyResult<Option<History>> {
        let Some(moves) = &self.past else { return Ok(None) };
        let mut history = History::new(seat(self.leader)?, self.opened.0);
        for chosen in moves {
            history.add(chosen.0);
        }
        let leads = Past::new(&history).leads_to(round, &mut random::Random::new(0));
        if leads && history.moves().len() == moves.len() {
            return Ok(Some(history));
        }
        Err(PyValueError::new_err("The moves do not lead to this position."))
    }
}

fn seat(seat: usize) -> PyResult<usize> {
    if seat < 2 {
        return Ok(seat);
    }
    Err(PyValueError::new_err(format!("There are the seats 0 and 1, but no seat {seat}.")))
}

/// Converts a number; the greatest stands for all that are greater.
fn limited(number: &Bound<'_, PyAny>) -> i64 {
    // More game points are never needed, because they are never told apart.
    number.extract().unwrap_or(i64::MAX).min(2 * FAR)
}

impl Begun for Sechsundsechzig {
    fn options(options: &Bound<'_, PyAny>) -> PyResult<Options> {
        Ok(Options { goal: limited(&options.getattr("goal")?) })
    }

    fn at(state: &Bound<'_, PyAny>) -> PyResult<(Self, Evidence)> {
        let (moment, round) = Moment::read(state)?;
        let options = state.getattr("options")?;
        let (goal, options) = (options.getattr("goal")?, Self::options(&options)?);
        let scores: [Bound<'_, PyInt>; 2] = state.getattr("scores")?.extract()?;
        let mut standing = Standing {
            number: moment.number,
            until: moment.until,
            tally: TALLY.map(|name| moment.tally.get(name).copied().unwrap_or_default()),
            last: set(&moment.last),
            ..Standing::default()
        };
        for (score, given) in standing.scores.iter_mut().zip(&scores) {
            // Where the goal is limited, a score may be, too; then it must leave what is needed.
            *score = limited(given).max(options.goal - limited(&goal.sub(given)?));
        }
        let evidence = moment.evidence(&round)?;
        Ok((Self::within(&options, moment.seed, round, evidence, standing), evidence))
    }
}

/// Return the game points that a seat gets with open hands and perfect play.
#[pyfunction]
#[pyo3(signature = (state, seat, /))]
pub fn worth(py: Python<'_>, state: &Bound<'_, PyAny>, seat: usize) -> PyResult<i8> {
    let ((_, round), seat) = (Moment::read(state)?, self::seat(seat)?);
    Ok(py.detach(|| solver::worth(&round, seat)))
}

/// Return the game points that a seat gets with open hands and the best moves against the rules of thumb.
#[pyfunction]
#[pyo3(signature = (state, seat, /))]
pub fn worth_against_rules(py: Python<'_>, state: &Bound<'_, PyAny>, seat: usize) -> PyResult<i8> {
    let ((_, round), seat) = (Moment::read(state)?, self::seat(seat)?);
    Ok(py.detach(|| solver::against_rules(&round, seat, -MOST, MOST)))
}

/// Return every hand that the rival of the player to move may hold, with its probability; nothing more is drawn.
#[pyfunction]
#[pyo3(signature = (state, /))]
pub fn hands(state: &Bound<'_, PyAny>) -> PyResult<Vec<(Vec<String>, f64)>> {
    let (moment, round) = Moment::read(state)?;
    if round.stock.left() > 0 {
        return Err(PyValueError::new_err("The hands are listed when nothing more is drawn."));
    }
    let evidence = moment.evidence(&round)?;
    let past = evidence.history.as_ref().map(Past::new);
    let labels = |hand: u32| (0..24).filter(|card| hand >> card & 1 == 1).map(label).collect();
    let told = |world: endgame::World| (labels(world.round.sides[1 - round.turn].hand), world.chance);
    Ok(endgame::worlds(&round, &evidence, past.as_ref()).into_iter().map(told).collect())
}

/// Deal anew what a seat does not know, and return the other hand and the stock.
#[pyfunction]
#[pyo3(signature = (state, seat, random, /))]
pub fn redeal(state: &Bound<'_, PyAny>, seat: usize, random: &mut Random) -> PyResult<(Vec<String>, Vec<String>)> {
    let ((moment, round), seat) = (Moment::read(state)?, self::seat(seat)?);
    let world = round.redeal(seat, &moment.evidence(&round)?, &mut random.0);
    let hand = world.sides[1 - seat].hand;
    let labels = |cards: &mut dyn Iterator<Item = u8>| cards.map(label).collect();
    Ok((labels(&mut (0..24).filter(|card| hand >> card & 1 == 1)), labels(&mut world.stock.cards())))
}

/// Return the chance to win a series between equals after each result of a game.
#[pyfunction]
#[pyo3(signature = (own, other, /))]
pub fn chances(own: i64, other: i64) -> Vec<f64> {
    series::chances(own, other).to_vec()
}
