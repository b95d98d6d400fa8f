//! A game of Raumstation at one moment, as a small value for simulations.
//!
//! The engine in Python defines the rules; this is its fast twin, and tests play both in step.

use std::fmt;
use std::sync::Arc;

use super::odds::Outlook;
use super::setup::{Ground, Options, SIDE};
use super::{Decision, Knowledge, Known, Rooms, StationError, each};
use crate::random::Random;
use crate::simulation::{self, Seats};

/// The maximum number of redraws of traps that the generator would not have accepted as a station.
const REDRAWS: usize = 200;

/// What is done with a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// Scan it.
    Scan,
    /// Spend a joker on it.
    Joker,
    /// Mark it.
    Mark,
    /// Remove its mark.
    Unmark,
}

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// What is done.
    pub verb: Verb,
    /// The cell of the room.
    pub cell: u16,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = match self.verb {
            Verb::Scan => "scan",
            Verb::Joker => "joker",
            Verb::Mark => "mark",
            Verb::Unmark => "unmark",
        };
        let side = SIDE as u16;
        write!(f, "{verb} {} {}", self.cell / side, self.cell % side)
    }
}

/// What is counted in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The number of scans.
    pub scans: u32,
    /// How many of them were not certainly safe.
    pub guesses: u32,
    /// The number of jokers that were spent.
    pub jokers: u32,
    /// The number of marks that were set.
    pub marks: u32,
}

/// What a moment of a game consists of beside the station.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// The rooms with traps.
    pub traps: Rooms,
    /// The rooms that have been scanned or were open from the start.
    pub open: Rooms,
    /// The closed rooms of which the player was told what is in them.
    pub told: Rooms,
    /// The marked rooms.
    pub marked: Rooms,
    /// The number of jokers left.
    pub jokers: u8,
    /// Whether the game was won; none while it goes on.
    pub won: Option<bool>,
    /// The counts.
    pub tally: Tally,
}

/// A game at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    pub(super) ground: Arc<Ground>,
    /// What is known, with the conclusions from single numbers.
    pub(super) known: Knowledge,
    pub(super) now: Moment,
}

impl Round {
    /// Begins a game in a station with these traps.
    ///
    /// # Errors
    /// See [`Self::at`].
    pub fn begin(ground: Arc<Ground>, traps: Rooms) -> Result<Self, StationError> {
        let Knowledge { open, safe, traps: told, .. } = ground.start;
        let (told, jokers) = (safe | told, ground.options.jokers);
        Self::at(ground, Moment { traps, open, told, jokers, ..Moment::default() })
    }

    /// Returns a game at a moment.
    ///
    /// # Errors
    /// The traps contradict what is known at the start, or the game goes on though it is over.
    pub fn at(ground: Arc<Ground>, now: Moment) -> Result<Self, StationError> {
        let (station, start) = (&ground.station, &ground.start);
        let mut known = Knowledge::nothing(station.rooms());
        each(now.open).for_each(|room| known.learn(room, Known::Number(station.number(room, now.traps))));
        let told = each(now.told & !now.open);
        told.for_each(|room| known.learn(room, if now.traps >> room & 1 == 1 { Known::Trap } else { Known::Safe }));
        let is_true = start.traps & !now.traps == 0
            && start.safe & now.traps == 0
            && each(start.open).all(|room| start.numbers[room] == station.number(room, now.traps));
        let goes_on = now.open & now.traps == 0 && known.closed() & !now.traps != 0;
        if !is_true || now.won.is_none() && !goes_on {
            return Err(StationError::Contradiction);
        }
        if now.won.is_none() {
            station.deduce(&mut known, now.open)?;
        }
        Ok(Self { ground, known, now })
    }

    /// Returns a round that is over before it begins.
    pub(super) fn none(options: &Options) -> Self {
        let (ground, known) = (Arc::new(Ground::none(options)), Knowledge::nothing(0));
        Self { ground, known, now: Moment { won: Some(false), ..Moment::default() } }
    }

    /// Chooses the solver's next step.
    ///
    /// # Errors
    /// The numbers share too many rooms.
    pub fn decide(&self) -> Result<Move, StationError> {
        let (verb, room) = match self.ground.station.next_step(self.known, self.now.jokers)? {
            Decision::Ask(room) => (Verb::Joker, room),
            Decision::Scan(room) if self.ground.options.protect && self.now.marked >> room & 1 == 1 => {
                (Verb::Unmark, room)
            }
            Decision::Scan(room) => (Verb::Scan, room),
        };
        Ok(self.choice(verb, room))
    }

    fn choice(&self, verb: Verb, room: usize) -> Move {
        Move { verb, cell: self.ground.cells[room] }
    }

    fn scan(&mut self, room: usize) {
        let (bit, station, now) = (1 << room, &self.ground.station, &mut self.now);
        let is_trap = now.traps & bit != 0;
        // What is known cannot exclude the truth; the solver only gives up where nothing is proven.
        let is_guess =
            is_trap || self.known.safe & bit == 0 && !Outlook::proves_safe(station, &self.known, room).unwrap_or(false);
        now.tally.scans += 1;
        now.tally.guesses += u32::from(is_guess);
        now.marked &= !bit;
        now.told &= !bit;
        now.open |= bit;
        self.known.learn(room, Known::Number(station.number(room, now.traps)));
        if is_trap {
            now.won = Some(false);
        } else if self.known.closed() & !now.traps == 0 {
            now.won = Some(true);
        } else {
            self.conclude(bit);
        }
    }

    fn ask(&mut self, room: usize) {
        let (bit, now) = (1 << room, &mut self.now);
        now.jokers -= 1;
        now.tally.jokers += 1;
        now.told |= bit;
        if self.known.unknown & bit != 0 {
            self.known.learn(room, if now.traps & bit == 0 { Known::Safe } else { Known::Trap });
            self.conclude(bit);
        }
    }

    /// Draws the conclusions from what has become known of rooms.
    fn conclude(&mut self, rooms: Rooms) {
        let doubtful = self.ground.station.near(rooms) & self.known.open;
        let result = self.ground.station.deduce(&mut self.known, doubtful);
        debug_assert!(result.is_ok(), "the truth contradicts itself");
    }
}

impl simulation::Round for Round {
    type Move = Move;
    type Evidence = ();

    fn seats(&self) -> usize {
        1
    }

    fn awaited(&self) -> Seats {
        self.now.won.is_none().into()
    }

    fn legal(&self, seat: usize, moves: &mut Vec<Move>) {
        let Moment { traps, told, marked, jokers, won, .. } = self.now;
        if seat != 0 || won.is_some() {
            return;
        }
        let closed = self.known.closed();
        let kept = if self.ground.options.protect { marked } else { 0 };
        let safe = told & !traps;
        let mut add = |verb, rooms| moves.extend(each(rooms).map(|room| self.choice(verb, room)));
        add(Verb::Scan, safe & !kept);
        add(Verb::Joker, if jokers > 0 { closed & !told } else { 0 });
        add(Verb::Scan, closed & !safe & !kept);
        moves.extend(each(closed).map(|room| {
            let verb = if marked >> room & 1 == 1 { Verb::Unmark } else { Verb::Mark };
            self.choice(verb, room)
        }));
    }

    fn make(&mut self, _seat: usize, chosen: Move) {
        let Some(room) = self.ground.number(chosen.cell.into()) else { return };
        match chosen.verb {
            Verb::Scan => self.scan(room),
            Verb::Joker => self.ask(room),
            Verb::Mark => {
                self.now.marked |= 1 << room;
                self.now.tally.marks += 1;
            }
            Verb::Unmark => self.now.marked &= !(1 << room),
        }
    }

    /// Draws the hidden traps anew, each arrangement with its probability given all that is known.
    ///
    /// Unless `classic` is set, it is known that the station was solvable: other draws are rejected. If hardly any draw is
    /// solvable, the last one is taken after many rejections.
    fn redeal(&self, _seat: usize, (): &(), random: &mut Random) -> Self {
        let mut other = self.clone();
        if self.now.won.is_some() {
            return other;
        }
        let Ground { options, station, start, .. } = &*self.ground;
        for _ in 0..REDRAWS {
            let Ok(traps) = station.draw(&self.known, &mut Random::new(random.bits())) else { break };
            other.now.traps = traps;
            if options.classic || station.solvable(start, traps, options.jokers) == Ok(true) {
                break;
            }
        }
        other
    }

    fn lead(&self, _seat: usize) -> i32 {
        i32::from(self.now.won == Some(true))
    }
}
