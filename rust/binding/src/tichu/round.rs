//! The Python interface of rounds of Tichu for simulations: seats are numbers, −1 means no seat, cards are masks.

use std::fmt::Display;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyTuple};
use tisch_core::tichu::belief::{Belief, FEATURES};
use tisch_core::tichu::cards::Cards as Set;
use tisch_core::tichu::combinations::{ALL, Combination};
use tisch_core::tichu::moves::Verb;
use tisch_core::tichu::policies::{self, PolicyName};
use tisch_core::tichu::position::Position;
use tisch_core::tichu::redeal::{Evidence, Missed, Turn};
use tisch_core::tichu::round::{self, NOBODY, Phase, SEATS, Seats};

use crate::errors::wrong;
use crate::random::Random;
use crate::tichu::cards::Cards;
use crate::tichu::moves::{Move, Moves};
use crate::tichu::net::Net;
use crate::tichu::playout;
use crate::tichu::plays::{named, trick};

/// A play or a pass: a move, or the code of its combination.
#[derive(FromPyObject, IntoPyObject)]
enum Laid<'py> {
    Move(Bound<'py, Move>),
    Code(u8),
}

/// A round at one moment, by the names of the engine's state.
#[derive(FromPyObject, IntoPyObject)]
struct Moment<'py> {
    phase: String,
    awaited: Vec<u8>,
    hands: Four<'py>,
    /// None for the seats that have got all their cards; the engine does not clear what it has dealt.
    rest: Vec<Bound<'py, Cards>>,
    laid: Four<'py>,
    given: [Vec<Bound<'py, Cards>>; 4],
    trick_cards: Bound<'py, Cards>,
    trick_combination: Bound<'py, PyAny>,
    owner: i8,
    turn: i8,
    decided: [Option<Bound<'py, Move>>; 4],
    announced: [u8; 4],
    callers: Vec<u8>,
    wish: u8,
    points: [i16; 4],
    winner: i8,
    loser: i8,
    wished: u8,
    void: Vec<u8>,
    missed: Vec<(u8, Bound<'py, PyAny>, Bound<'py, Cards>)>,
    tricks: Vec<Vec<(u8, Laid<'py>)>>,
    trick: Vec<(u8, Laid<'py>)>,
}

/// The cards of each seat.
type Four<'py> = [Bound<'py, Cards>; 4];

/// A round of Tichu at one moment, which plays the engine's rules without names, events, options and series.
#[pyclass(eq, module = "tisch._core.tichu")]
#[derive(Clone, PartialEq)]
pub struct Round {
    pub round: round::Round,
    pub evidence: Evidence,
}

/// Refuses a seat that does not exist.
pub fn no_seat(seat: &impl Display) -> PyErr {
    PyValueError::new_err(format!("There are the seats 0 to 3, but no seat {seat}."))
}

/// Converts the number of a seat.
pub fn seat(number: &Bound<'_, PyAny>) -> PyResult<u8> {
    let seat = number.extract().unwrap_or(SEATS);
    if seat < SEATS { Ok(seat) } else { Err(number.cast::<PyInt>().map_or_else(PyErr::from, no_seat)) }
}

pub fn set(mask: u64) -> PyResult<Set> {
    Set::from_mask(mask).map_err(|error| wrong(&error))
}

/// Converts a set of seats.
fn bits(seats: &[u8]) -> PyResult<Seats> {
    seats.iter().try_fold(0, |bits, &seat| if seat < SEATS { Ok(bits | 1 << seat) } else { Err(no_seat(&seat)) })
}

/// Converts a seat, where −1 means no seat.
pub const fn somebody(seat: i8) -> u8 {
    if seat == -1 { NOBODY } else { seat.cast_unsigned() }
}

const fn or_nobody(seat: u8) -> i8 {
    if seat == NOBODY { -1 } else { seat.cast_signed() }
}

/// Converts the name of a phase.
pub fn phase(name: &str) -> PyResult<Phase> {
    let found = Phase::ALL.into_iter().find(|phase| phase.name() == name);
    found.ok_or_else(|| PyValueError::new_err(format!("A round has no phase '{name}'.")))
}

impl Moment<'_> {
    /// Converts the moment.
    fn position(&self) -> PyResult<Position> {
        let sets = |cards: &Four<'_>| cards.each_ref().map(|cards| cards.get().0);
        let phase = self::phase(&self.phase)?;
        let mut given = [[Set::EMPTY; 3]; 4];
        for (seat, (gifts, cards)) in given.iter_mut().zip(&self.given).enumerate() {
            if cards.len() > gifts.len() {
                return Err(PyValueError::new_err(format!("Seat {seat} gives three cards away, not {}.", cards.len())));
            }
            gifts.iter_mut().zip(cards).for_each(|(gift, card)| *gift = card.get().0);
        }
        let rest = |seat: usize| match self.rest.get(seat) {
            Some(cards) if phase == Phase::Grand => cards.get().0,
            _ => Set::EMPTY,
        };
        let grand =
            |seat: usize| self.decided[seat].as_ref().is_some_and(|chosen| chosen.get().0.verb() == Verb::Grand);
        Ok(Position {
            phase,
            awaited: bits(&self.awaited)?,
            hands: sets(&self.hands),
            rest: std::array::from_fn(rest),
            laid: sets(&self.laid),
            given,
            trick: self.trick_cards.get().0,
            top: code(&self.trick_combination)?,
            owner: somebody(self.owner),
            turn: somebody(self.turn),
            calls: std::array::from_fn(|seat| if grand(seat) { 2 } else { self.announced[seat] }),
            callers: bits(&self.callers)?,
            wish: self.wish,
            points: self.points,
            winner: somebody(self.winner),
            loser: somebody(self.loser),
        })
    }

    /// Converts what the moves have shown.
    fn evidence(&self) -> PyResult<Evidence> {
        let missed = self
            .missed
            .iter()
            .map(|(seat, top, played)| Ok(Missed { seat: *seat, top: code(top)?, played: played.get().0 }));
        let turn = |(seat, laid): &(u8, Laid<'_>)| Turn {
            seat: *seat,
            code: match laid {
                Laid::Move(chosen) => chosen.get().0.code(),
                Laid::Code(code) => *code,
            },
        };
        let tricks = self.tricks.iter().chain([&self.trick]).filter(|trick| !trick.is_empty());
        let tricks = tricks.map(|trick| trick.iter().map(turn).collect()).collect();
        let void = bits(&self.void)?;
        Evidence::new(self.wished, void, missed.collect::<PyResult<_>>()?, tricks).map_err(|error| wrong(&error))
    }
}

/// Converts a combination to its code.
fn code(combination: &Bound<'_, PyAny>) -> PyResult<u8> {
    trick(Some(combination)).map(Combination::place)
}

impl Round {
    /// Reads the round of a position.
    pub fn at(position: &Bound<'_, PyAny>) -> PyResult<Self> {
        let moment: Moment<'_> = position.extract()?;
        let evidence = moment.evidence()?;
        let round = round::Round::new(&moment.position()?).map_err(|error| wrong(&error))?;
        evidence.check(&round).map_err(|error| wrong(&error))?;
        Ok(Self { round, evidence })
    }

    /// Returns the moment.
    fn moment<'py>(&self, py: Python<'py>) -> PyResult<Moment<'py>> {
        let (at, Evidence { wished, void, missed, tricks }) = (self.round.position(), &self.evidence);
        let cards = |set: Set| Bound::new(py, Cards(set));
        let four =
            |[one, two, three, four]: [Set; 4]| Ok::<_, PyErr>([cards(one)?, cards(two)?, cards(three)?, cards(four)?]);
        let named = |code: u8| named(py, ALL[usize::from(code)]).cloned();
        let seats = |seats: Seats| round::each(seats).collect();
        let mut given = [const { Vec::new() }; 4];
        for (given, gifts) in given.iter_mut().zip(at.given) {
            *given = gifts.into_iter().filter(|gift| !gift.is_empty()).map(cards).collect::<PyResult<_>>()?;
        }
        let missed = missed.iter().map(|each| Ok((each.seat, named(each.top)?, cards(each.played)?)));
        let turns = |trick: &Vec<Turn>| trick.iter().map(|turn| (turn.seat, Laid::Code(turn.code))).collect();
        Ok(Moment {
            phase: at.phase.name().to_owned(),
            awaited: seats(at.awaited),
            hands: four(at.hands)?,
            rest: four(at.rest)?.into(),
            laid: four(at.laid)?,
            given,
            trick_cards: cards(at.trick)?,
            trick_combination: named(at.top)?,
            owner: or_nobody(at.owner),
            turn: or_nobody(at.turn),
            decided: [const { None }; 4],
            announced: at.calls,
            callers: seats(at.callers),
            wish: at.wish,
            points: at.points,
            winner: or_nobody(at.winner),
            loser: or_nobody(at.loser),
            wished: *wished,
            void: seats(*void),
            missed: missed.collect::<PyResult<_>>()?,
            tricks: tricks.iter().map(turns).collect(),
            trick: Vec::new(),
        })
    }
}

#[pymethods]
impl Round {
    #[new]
    #[pyo3(signature = (position, /))]
    fn new(position: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::at(position)
    }

    /// Return the moment, by the names of the engine's state.
    fn position<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let fields = self.moment(py)?.into_pyobject(py)?;
        py.import("types")?.getattr("SimpleNamespace")?.call((), Some(&fields))
    }

    /// The phase: ``grand``, ``schupf``, ``play``, ``wish``, ``dragon`` or ``over``.
    #[getter]
    fn phase(&self) -> &'static str {
        self.round.phase().name()
    }

    /// The hands of all seats as masks.
    #[getter]
    fn hands(&self) -> (u64, u64, u64, u64) {
        let [one, two, three, four] = self.round.position().hands.map(Set::mask);
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

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyAny>,))> {
        Ok((py.get_type::<Self>().into_any(), (self.position(py)?,)))
    }
}
