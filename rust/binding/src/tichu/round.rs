//! The Python interface of rounds of Tichu for simulations: seats are numbers, −1 means no seat, cards are masks.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyTuple};
use tisch_core::tichu::belief::{Belief, FEATURES};
use tisch_core::tichu::cards::Cards;
use tisch_core::tichu::policies::{self, PolicyName};
use tisch_core::tichu::position::Position;
use tisch_core::tichu::redeal::{Evidence, Missed, Turn};
use tisch_core::tichu::round::{self, NOBODY, Phase, SEATS, Seats};

use crate::errors::{beyond, wrong};
use crate::random::Random;
use crate::tichu::moves::{Move, Moves};
use crate::tichu::net::Net;
use crate::tichu::playout;

/// Four sets of cards as masks.
type Masks = [u64; 4];
/// The arguments of the constructor, in order.
type Fields = (
    (&'static str, Seats, Masks, Masks, Masks, [Vec<u64>; 4], u64),
    (u8, i8, i8, [u8; 4], Seats, u8, [i16; 4], i8, i8),
    (u8, Seats, Vec<(u8, u8, u64)>, Vec<Vec<(u8, u8)>>),
);

/// A round of Tichu at one moment, which plays the engine's rules without names, events, options and series.
#[pyclass(eq, module = "tisch._core.tichu")]
#[derive(Clone, PartialEq)]
pub struct Round {
    pub round: round::Round,
    pub evidence: Evidence,
}

/// Converts the number of a seat.
pub fn seat(number: &Bound<'_, PyAny>) -> PyResult<u8> {
    let sentence = |number: &Bound<'_, PyInt>| format!("There are the seats 0 to 3, but no seat {number}.");
    let seat: u8 = number.extract().map_err(|error| beyond(error, number, sentence))?;
    if seat < SEATS {
        Ok(seat)
    } else {
        Err(PyValueError::new_err(format!("There are the seats 0 to 3, but no seat {seat}.")))
    }
}

pub fn set(mask: u64) -> PyResult<Cards> {
    Cards::from_mask(mask).map_err(|error| wrong(&error))
}

fn sets(masks: Masks) -> PyResult<[Cards; 4]> {
    let [one, two, three, four] = masks;
    Ok([set(one)?, set(two)?, set(three)?, set(four)?])
}

/// Converts a seat, where −1 means no seat.
pub const fn somebody(seat: i8) -> u8 {
    if seat == -1 { NOBODY } else { seat.cast_unsigned() }
}

const fn or_nobody(seat: u8) -> i8 {
    if seat == NOBODY { -1 } else { seat.cast_signed() }
}

fn gifts(masks: [Vec<u64>; 4]) -> PyResult<[[Cards; 3]; 4]> {
    let mut all = [[Cards::EMPTY; 3]; 4];
    for (seat, (gifts, masks)) in all.iter_mut().zip(masks).enumerate() {
        if masks.len() > 3 {
            return Err(PyValueError::new_err(format!("Seat {seat} gives three cards away, not {}.", masks.len())));
        }
        for (gift, mask) in gifts.iter_mut().zip(masks) {
            *gift = set(mask)?;
        }
    }
    Ok(all)
}

/// Converts the name of a phase.
pub fn phase(name: &str) -> PyResult<Phase> {
    let found = Phase::ALL.into_iter().find(|phase| phase.name() == name);
    found.ok_or_else(|| PyValueError::new_err(format!("A round has no phase '{name}'.")))
}

#[pymethods]
impl Round {
    #[new]
    #[pyo3(signature = (
        phase, awaited, hands, rest, laid, given, trick, top, owner, turn, calls, callers, wish, points, winner, loser,
        wished = 0, void = 0, missed = vec![],
        tricks = vec![]
    ))]
    #[expect(clippy::too_many_arguments, reason = "a moment of a round consists of so much")]
    fn new(
        phase: &str,
        awaited: Seats,
        hands: Masks,
        rest: Masks,
        laid: Masks,
        given: [Vec<u64>; 4],
        trick: u64,
        top: u8,
        owner: i8,
        turn: i8,
        calls: [u8; 4],
        callers: Seats,
        wish: u8,
        points: [i16; 4],
        winner: i8,
        loser: i8,
        wished: u8,
        void: Seats,
        missed: Vec<(u8, u8, u64)>,
        tricks: Vec<Vec<(u8, u8)>>,
    ) -> PyResult<Self> {
        let position = Position {
            phase: self::phase(phase)?,
            awaited,
            hands: sets(hands)?,
            rest: sets(rest)?,
            laid: sets(laid)?,
            given: gifts(given)?,
            trick: set(trick)?,
            top,
            owner: somebody(owner),
            turn: somebody(turn),
            calls,
            callers,
            wish,
            points,
            winner: somebody(winner),
            loser: somebody(loser),
        };
        let missed = missed.into_iter().map(|(seat, top, played)| Ok(Missed { seat, top, played: set(played)? }));
        let turns = |trick: Vec<(u8, u8)>| trick.into_iter().map(|(seat, code)| Turn { seat, code }).collect();
        let tricks = tricks.into_iter().map(turns).collect();
        let evidence = Evidence::new(wished, void, missed.collect::<PyResult<_>>()?, tricks);
        let evidence = evidence.map_err(|error| wrong(&error))?;
        let round = round::Round::new(&position).map_err(|error| wrong(&error))?;
        evidence.check(&round).map_err(|error| wrong(&error))?;
        Ok(Self { round, evidence })
    }

    /// The phase: ``grand``, ``schupf``, ``play``, ``wish``, ``dragon`` or ``over``.
    #[getter]
    fn phase(&self) -> &'static str {
        self.round.phase().name()
    }

    /// The hands of all seats as masks.
    #[getter]
    fn hands(&self) -> (u64, u64, u64, u64) {
        let [one, two, three, four] = self.round.position().hands.map(Cards::mask);
        (one, two, three, four)
    }

    /// The points of each seat's tricks; at the end its whole score.
    #[getter]
    fn points(&self) -> (i16, i16, i16, i16) {
        self.round.points().into()
    }

    /// The scores of the teams of seats 0 and 2, and of seats 1 and 3, once the round is over.
    #[getter]
    fn score(&self) -> Option<(i16, i16)> {
        self.round.score().map(Into::into)
    }

    /// Return the awaited seats; none when the round is over.
    fn awaiting<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, round::each(self.round.awaited()).collect::<Vec<_>>())
    }

    /// Return the seats that may move out of turn.
    fn speakers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, round::each(self.round.speakers()).collect::<Vec<_>>())
    }

    /// Return the moves that a seat may make now, in turn or out of turn, the safest first.
    #[pyo3(signature = (seat, /))]
    fn legal(&self, seat: &Bound<'_, PyAny>) -> PyResult<Moves> {
        Ok(Moves(self.round.legal(self::seat(seat)?)))
    }

    /// Make a move.
    #[pyo3(signature = (seat, chosen, /))]
    fn apply(&mut self, seat: &Bound<'_, PyAny>, chosen: &Bound<'_, Move>) -> PyResult<()> {
        let (seat, chosen) = (self::seat(seat)?, chosen.get().0);
        let before = self.round;
        self.round.apply(seat, chosen).map_err(|error| wrong(&error))?;
        self.evidence.note(&before, seat, chosen);
        Ok(())
    }

    /// Draw a round that a seat cannot distinguish from this one: redeal what it does not know.
    #[pyo3(signature = (seat, random, /, *, net = None, redeals = None), text_signature = "($self, seat, random, /, *, net=None, redeals=1)")]
    fn redeal(
        &self,
        seat: &Bound<'_, PyAny>,
        random: &Bound<'_, Random>,
        net: Option<&Bound<'_, Net>>,
        redeals: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let (seat, mut random) = (self::seat(seat)?, random.borrow_mut());
        let redeals = redeals.map_or(Ok(1), |redeals| playout::redeals(redeals, "redeal"))?;
        if redeals == 0 {
            return Err(PyValueError::new_err("At least 1 redeal is needed for a world, not 0."));
        }
        if let Some(net) = net {
            net.get().check(FEATURES)?;
        }
        let round = match net {
            Some(net) if self.round.is_within_tricks() => {
                Belief::new(&net.get().0, &self.round, &self.evidence, seat).draw(redeals, &mut random.0)
            }
            _ => self.round.redeal(seat, &self.evidence, &mut random.0),
        };
        Ok(Self { round, evidence: self.evidence.clone() })
    }

    /// Return a policy's move for a seat, based on the seat's knowledge.
    #[pyo3(signature = (seat, policy, random, /))]
    fn decide(&self, seat: &Bound<'_, PyAny>, policy: &str, random: &Bound<'_, Random>) -> PyResult<Option<Move>> {
        let (seat, policy) = (self::seat(seat)?, policy.parse::<PolicyName>().map_err(|error| wrong(&error))?);
        Ok(policies::decide(&self.round, seat, policy, &mut random.borrow_mut().0).map(Move))
    }

    /// Return an independent round at the same moment.
    fn copy(&self) -> Self {
        self.clone()
    }

    fn __repr__(&self) -> String {
        let hands = self.round.position().hands.map(|hand| hand.to_string());
        format!("<Round: {}, {}>", self.phase(), hands.join(" | "))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let at = self.round.position();
        let given = at.given.map(|gifts| gifts.into_iter().filter(|gift| !gift.is_empty()).map(Cards::mask).collect());
        let masks = |cards: [Cards; 4]| cards.map(Cards::mask);
        let missed = self.evidence.missed.iter().map(|each| (each.seat, each.top, each.played.mask())).collect();
        let turns = |trick: &Vec<Turn>| trick.iter().map(|turn| (turn.seat, turn.code)).collect();
        let tricks = self.evidence.tricks.iter().map(turns).collect();
        let (first, second, third): Fields = (
            (at.phase.name(), at.awaited, masks(at.hands), masks(at.rest), masks(at.laid), given, at.trick.mask()),
            (
                at.top,
                or_nobody(at.owner),
                or_nobody(at.turn),
                at.calls,
                at.callers,
                at.wish,
                at.points,
                or_nobody(at.winner),
                or_nobody(at.loser),
            ),
            (self.evidence.wished, self.evidence.void, missed, tricks),
        );
        let parts = [first.into_pyobject(py)?, second.into_pyobject(py)?, third.into_pyobject(py)?];
        let all: Vec<Bound<'_, PyAny>> = parts.iter().flat_map(PyTupleMethods::iter).collect();
        Ok((py.get_type::<Self>().into_any(), PyTuple::new(py, all)?))
    }
}
