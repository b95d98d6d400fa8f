//! What all games have in common for simulations: whole games, players, matches and batches.
//!
//! The engine in Python defines the rules of each game; a [`Round`] and a [`Game`] are its fast twins, without names and
//! events. A game implements both, and [`Encoded`] if it has arrays; everything else in this module then works for it.

pub mod batch;
pub mod deals;
pub mod matches;
pub mod random;
pub(crate) mod row;
pub mod search;
pub mod tree;

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

pub use self::row::Row;
use crate::net::Net;
use crate::random::Random;

/// A set of seats as bits.
pub type Seats = u32;

/// Returns the seats of a set in ascending order.
pub fn each(mut seats: Seats) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let seat = (seats != 0).then(|| seats.trailing_zeros() as usize)?;
        seats &= seats - 1;
        Some(seat)
    })
}

/// A round at one moment: a small value that makes moves.
pub trait Round: Clone + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// A move; its text is that of the engine.
    type Move: Copy + PartialEq + fmt::Debug + fmt::Display + Send + Sync;
    /// What the moves so far have shown about hidden cards; a redeal respects it.
    type Evidence: Clone + Default + fmt::Debug + Send + Sync;

    /// Returns the number of seats.
    fn seats(&self) -> usize;

    /// Returns the seats that must decide now; the lowest is asked first. None when the round is over.
    fn awaited(&self) -> Seats;

    /// Returns the seats that may move out of turn; they are asked before those that are awaited, the lowest first.
    fn speakers(&self) -> Seats {
        0
    }

    /// Appends the legal moves of a seat, in turn or out of turn, in the order of the engine: the safest first.
    fn legal(&self, seat: usize, moves: &mut Vec<Self::Move>);

    /// Makes a legal move.
    fn make(&mut self, seat: usize, chosen: Self::Move);

    /// Records what a legal move, which is about to be made, shows about the hidden cards.
    fn note(&self, _evidence: &mut Self::Evidence, _seat: usize, _chosen: Self::Move) {}

    /// Deals anew what a seat does not know: the result is a round that it cannot tell from this one.
    #[must_use]
    fn redeal(&self, seat: usize, evidence: &Self::Evidence, random: &mut Random) -> Self;

    /// Returns by how much the side of a seat is ahead, as the game counts it; it is exact when the round is over.
    fn lead(&self, seat: usize) -> i32;
}

/// The moves of a game.
pub type MoveOf<G> = <<G as Game>::Round as Round>::Move;

/// What the moves of a game show.
pub type EvidenceOf<G> = <<G as Game>::Round as Round>::Evidence;

/// A whole game: rounds that follow from its seed, until its options end it.
pub trait Game: Clone + fmt::Debug + Send + Sync + 'static {
    /// One of its rounds.
    type Round: Round;
    /// The options, as the engine has them.
    type Options: Clone + fmt::Debug + Send + Sync;

    /// Begins the game of a seed: the same deal as the engine's.
    fn begin(options: &Self::Options, seed: u64) -> Self;

    /// Returns why the engine refuses to begin a game with these options and this seed; then no seat is awaited, and there is
    /// no outcome. Most games have a deal for every seed.
    fn flaw(&self) -> Option<&'static str> {
        None
    }

    /// Returns the current round; the last one when the game is over.
    fn round(&self) -> &Self::Round;

    /// Returns the number of the current round, from 0.
    fn number(&self) -> u32;

    /// Makes a legal move. When it ends the round, the next one is dealt, unless the game is over.
    fn make(&mut self, seat: usize, chosen: MoveOf<Self>);

    /// Returns how the game ended; none while a seat is awaited.
    fn outcome(&self) -> Option<Outcome>;
}

/// How a game ended, as the engine tells it.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The payoff of each seat.
    pub payoff: Vec<f64>,
    /// The points of each seat.
    pub points: Vec<i64>,
    /// The number of rounds played.
    pub rounds: u32,
    /// Other counts of each seat, by the engine's names and in its order.
    pub tally: Vec<(&'static str, Vec<u32>)>,
}

/// Returns the payoffs of seats without partners: the score of each minus the mean of the others, by the float operations of
/// `tisch.game.duel`.
#[must_use]
pub fn duel(scores: &[i64]) -> Vec<f64> {
    let total = scores.iter().sum::<i64>() as f64;
    let others = (scores.len() - 1) as f64;
    scores.iter().map(|&score| score as f64 - (total - score as f64) / others).collect()
}

/// What a player remembers of the moves of the current round.
#[derive(Clone, Debug)]
pub struct Memory<R: Round> {
    number: u32,
    evidence: R::Evidence,
}

impl<R: Round> Default for Memory<R> {
    fn default() -> Self {
        Self { number: 0, evidence: R::Evidence::default() }
    }
}

impl<R: Round> Memory<R> {
    /// Returns the evidence of the current round of a game.
    pub fn of<G: Game<Round = R>>(&mut self, game: &G) -> &mut R::Evidence {
        if self.number != game.number() {
            *self = Self { number: game.number(), evidence: R::Evidence::default() };
        }
        &mut self.evidence
    }

    /// Takes over what moves have shown that nobody here watched.
    pub fn recall<G: Game<Round = R>>(&mut self, game: &G, evidence: R::Evidence) {
        *self = Self { number: game.number(), evidence };
    }

    /// Records what a move shows that is about to be made.
    pub fn note<G: Game<Round = R>>(&mut self, game: &G, seat: usize, chosen: R::Move) {
        game.round().note(self.of(game), seat, chosen);
    }
}

/// A player of one seat, which decides by what the seat may know.
pub trait Policy<G: Game>: Send + Sync {
    /// Forgets the last game and begins a new one, with its only source of chance.
    fn start(&mut self, random: Random);

    /// Takes notice of a move that is about to be made, by any seat.
    fn watch(&mut self, _game: &G, _seat: usize, _chosen: MoveOf<G>) {}

    /// Chooses a legal move. A seat that need not move may keep silent.
    fn act(&mut self, game: &G, seat: usize, must: bool) -> Option<MoveOf<G>>;

    /// Chooses like [`Policy::act`], but stops and chooses nothing once `proceed`, which is called from time to time in long
    /// work, has returned false.
    fn decide(&mut self, game: &G, seat: usize, must: bool, _proceed: &mut dyn FnMut() -> bool) -> Option<MoveOf<G>> {
        self.act(game, seat, must)
    }

    /// Learns what the moves of the round have shown, if it was not there to watch them.
    fn recall(&mut self, _game: &G, _evidence: EvidenceOf<G>) {}

    /// Returns what it found in its last decision, the choice first; nothing if it compared nothing.
    fn findings(&self) -> Vec<Finding<G>> {
        Vec::new()
    }

    /// Returns the payoffs of a seat in worlds if the game ends with the round, after each of some candidates; the same
    /// worlds for all, and none of its last decision. Nothing if it does not judge, or once `proceed` has returned false.
    fn payoffs(
        &mut self,
        _game: &G,
        _seat: usize,
        _candidates: &[Vec<MoveOf<G>>],
        _proceed: &mut dyn FnMut() -> bool,
    ) -> Vec<Vec<f64>> {
        Vec::new()
    }
}

/// What a policy found of a candidate: its moves, and what they are worth in the worlds in which they were tried.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding<G: Game> {
    /// The moves that the seat makes at once; none is silence.
    pub moves: Vec<MoveOf<G>>,
    /// The values, the higher the better; those of two candidates are of the same worlds, as far as both were tried.
    pub values: Vec<f64>,
}

/// The value of a parameter of a policy.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Whether something holds.
    Flag(bool),
    /// A whole number.
    Whole(i64),
    /// A number.
    Real(f64),
    /// A word.
    Text(String),
    /// A network.
    Net(Arc<Net>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Whole(number) => write!(f, "{number}"),
            Self::Real(number) => write!(f, "{number}"),
            Self::Text(text) => write!(f, "'{text}'"),
            Self::Net(_) => f.write_str("a network"),
        }
    }
}

/// The parameters of a policy, by name.
pub type Parameters = std::collections::BTreeMap<String, Value>;

/// Makes a policy, once for each seat.
pub type Maker<G> = Box<dyn Fn() -> Box<dyn Policy<G>> + Send + Sync>;

/// The parameters of a policy, which are read one after the other.
pub struct Reader<'a> {
    name: &'a str,
    left: Parameters,
}

impl<'a> Reader<'a> {
    /// Begins to read the parameters of a policy.
    #[must_use]
    pub fn new(name: &'a str, parameters: &Parameters) -> Self {
        Self { name, left: parameters.clone() }
    }

    /// Takes a whole number from 1 on.
    ///
    /// # Errors
    /// It is no such number.
    pub fn count(&mut self, parameter: &str, default: usize) -> Result<usize, String> {
        match self.left.remove(parameter) {
            None => Ok(default),
            Some(Value::Whole(number)) if number > 0 => usize::try_from(number).map_err(|error| error.to_string()),
            Some(value) => self.wrong(parameter, "a whole number from 1 on", &value),
        }
    }

    /// Takes a whole number within bounds.
    ///
    /// # Errors
    /// It is no such number.
    pub fn within(&mut self, parameter: &str, bounds: RangeInclusive<usize>, default: usize) -> Result<usize, String> {
        match self.left.remove(parameter) {
            None => Ok(default),
            Some(value) => {
                let whole = if let Value::Whole(number) = value { usize::try_from(number).ok() } else { None };
                let what = || format!("a whole number from {} to {}", bounds.start(), bounds.end());
                whole
                    .filter(|number| bounds.contains(number))
                    .map_or_else(|| self.wrong(parameter, &what(), &value), Ok)
            }
        }
    }

    /// Takes a number from 0 on.
    ///
    /// # Errors
    /// It is no such number.
    pub fn size(&mut self, parameter: &str, default: f64) -> Result<f64, String> {
        match self.left.remove(parameter) {
            None => Ok(default),
            Some(Value::Whole(number)) if number >= 0 => Ok(number as f64),
            Some(Value::Real(number)) if number.is_finite() && number >= 0.0 => Ok(number),
            Some(value) => self.wrong(parameter, "a number from 0 on", &value),
        }
    }

    /// Takes a number from 0 to 1.
    ///
    /// # Errors
    /// It is no such number.
    pub fn share(&mut self, parameter: &str, default: f64) -> Result<f64, String> {
        let found = match self.left.remove(parameter) {
            None => return Ok(default),
            Some(Value::Whole(0)) => Ok(0.0),
            Some(Value::Whole(1)) => Ok(1.0),
            Some(Value::Real(number)) if (0.0..=1.0).contains(&number) => Ok(number),
            Some(value) => Err(value),
        };
        found.or_else(|value| self.wrong(parameter, "a number from 0 to 1", &value))
    }

    /// Takes a text.
    ///
    /// # Errors
    /// It is no text.
    pub fn text(&mut self, parameter: &str, default: &str) -> Result<String, String> {
        match self.left.remove(parameter) {
            None => Ok(default.to_owned()),
            Some(Value::Text(text)) => Ok(text),
            Some(value) => self.wrong(parameter, "a text", &value),
        }
    }

    /// Takes a network with so many features, which must be given.
    ///
    /// # Errors
    /// It is missing, or no such network.
    pub fn net(&mut self, parameter: &str, features: usize) -> Result<Arc<Net>, String> {
        match self.left.remove(parameter) {
            None => Err(format!("The policy '{}' needs the parameter '{parameter}', a network.", self.name)),
            Some(Value::Net(net)) => net.check(features).map(|()| net).map_err(|error| error.to_string()),
            Some(value) => self.wrong(parameter, "a network", &value),
        }
    }

    fn wrong<T>(&self, parameter: &str, what: &str, value: &Value) -> Result<T, String> {
        Err(format!("The parameter '{parameter}' of '{}' is {what}, not {value}.", self.name))
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// A parameter is left that the policy does not have.
    pub fn end(self) -> Result<(), String> {
        match self.left.keys().next() {
            Some(left) => Err(format!("The policy '{}' has no parameter '{left}'.", self.name)),
            None => Ok(()),
        }
    }
}

/// A game that has policies.
pub trait Played: Game {
    /// The names of its policies, which are those of agents.
    const POLICIES: &'static [&'static str];

    /// Returns what makes a policy with these parameters; those that are left out have the agent's default, but for
    /// networks.
    ///
    /// # Errors
    /// There is no such policy, or a parameter is unknown or impossible; the sentence says which.
    fn policy(name: &str, parameters: &Parameters) -> Result<Maker<Self>, String>;
}

/// Returns the sentence for a policy that does not exist.
#[must_use]
pub fn no_policy(name: &str, policies: &[&str]) -> String {
    format!("There is no policy '{name}', only: {}.", policies.join(", "))
}

/// A game as arrays: the ids of moves, and what a seat knows as a row of small numbers.
///
/// The game's encoding in Python defines and documents both; this is its fast twin.
pub trait Encoded: Game {
    /// The ids chosen so far of a move that is split; `()` where no move is.
    type Partial: Copy + Default + PartialEq + fmt::Debug + Send + Sync;
    /// The version of observations and ids.
    const VERSION: u32;
    /// The number of elements of an observation.
    const SIZE: usize;
    /// The number of ids; [`SILENCE`] is one of them.
    const ACTIONS: usize;
    /// The most ids that a move has; where it is 1, each legal move has an id of its own.
    const LONGEST: usize = 1;
    /// The number of first elements of an observation that stay as they are until the game is over.
    const FIXED: usize = 0;

    /// Writes what a seat knows, also after the end; `row` has [`Self::SIZE`] elements.
    fn observe(&self, seat: usize, partial: Self::Partial, row: &mut [i8]);

    /// Writes the elements from [`Self::FIXED`] on of what a seat knows while the game goes on.
    fn observe_rest(&self, seat: usize, partial: Self::Partial, rest: &mut [i8]) {
        self.observe(seat, partial, rest);
    }

    /// Returns the next id of a move of a seat that begins with these ids.
    fn next(partial: Self::Partial, chosen: MoveOf<Self>, seat: usize) -> u16;

    /// Returns these ids with one more.
    #[must_use]
    fn with(partial: Self::Partial, _id: u16) -> Self::Partial {
        partial
    }

    /// Writes all ids of a move; there are [`Self::LONGEST`] elements.
    fn path(chosen: MoveOf<Self>, seat: usize, ids: &mut [i16]) {
        ids[0] = Self::next(Self::Partial::default(), chosen, seat).cast_signed();
    }

    /// Returns whether a seat may know now that another has made a move in this round. A game whose moves hide something
    /// says which.
    fn shows(&self, _seat: usize, _other: usize, _chosen: MoveOf<Self>) -> bool {
        true
    }
}

/// The id of keeping silent.
pub const SILENCE: u16 = 0;
