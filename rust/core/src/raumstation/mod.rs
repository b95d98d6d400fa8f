//! Raumstation: the station and what follows from its open numbers, whole games, and the solver that plays them.
//!
//! A station is a graph of rooms; each may hide a trap, and a scanned room shows how many connected rooms hold one.
//! Probabilities and draws are exact; [`Station::decide`] is one good strategy, and [`Station::solvable`] returns
//! whether it finishes a station without a guess.

pub mod encoding;
pub mod game;
mod odds;
mod play;
pub mod round;
mod search;
pub mod setup;

use std::fmt;

pub use play::Decision;

/// The maximum number of rooms of a station, whose sets are the bits of one number.
pub const MOST_ROOMS: usize = 128;

/// The odds of a trap that a station may have: draws try again until there is a trap and a safe room.
const ODDS: std::ops::RangeInclusive<f64> = 1e-6..=1e6;

/// A set of rooms as bits.
pub type Rooms = u128;

/// Returns the rooms of a set in ascending order.
#[must_use]
pub const fn each(rooms: Rooms) -> Each {
    Each { low: rooms as u64, high: (rooms >> 64) as u64 }
}

/// The rooms of a set in ascending order: two halves take half the time of one number.
#[derive(Clone, Debug)]
pub struct Each {
    low: u64,
    high: u64,
}

impl Iterator for Each {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.low != 0 {
            let room = self.low.trailing_zeros();
            self.low &= self.low.wrapping_sub(1);
            return Some(room as usize);
        }
        let room = (self.high != 0).then(|| 64 | self.high.trailing_zeros())?;
        self.high &= self.high.wrapping_sub(1);
        Some(room as usize)
    }

    #[inline]
    fn fold<B, F: FnMut(B, usize) -> B>(self, init: B, mut next: F) -> B {
        let mut folded = init;
        for (mut half, first) in [(self.low, 0), (self.high, 64)] {
            while half != 0 {
                folded = next(folded, first | half.trailing_zeros() as usize);
                half &= half.wrapping_sub(1);
            }
        }
        folded
    }
}

/// The knowledge about a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// Nothing.
    Unknown,
    /// It is safe, but has not been scanned.
    Safe,
    /// It holds a trap.
    Trap,
    /// It has been scanned and has this number of traps nearby.
    Number(u8),
}

/// The knowledge about all rooms. Each room is in one of the sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Knowledge {
    /// The rooms of which nothing is known.
    pub unknown: Rooms,
    /// The safe rooms that have not been scanned.
    pub safe: Rooms,
    /// The rooms that hold a trap.
    pub traps: Rooms,
    /// The rooms that have been scanned.
    pub open: Rooms,
    /// The number of traps near each scanned room; 0 for the others.
    pub numbers: [u8; MOST_ROOMS],
}

impl Knowledge {
    /// Creates the knowledge of nothing about a number of rooms.
    #[must_use]
    pub const fn nothing(rooms: usize) -> Self {
        let unknown = if rooms == 0 { 0 } else { Rooms::MAX >> (MOST_ROOMS - rooms) };
        Self { unknown, safe: 0, traps: 0, open: 0, numbers: [0; MOST_ROOMS] }
    }

    /// Records what is known of a room.
    pub const fn learn(&mut self, room: usize, what: Known) {
        let bit = 1 << room;
        self.unknown &= !bit;
        self.safe &= !bit;
        self.traps &= !bit;
        self.open &= !bit;
        match what {
            Known::Unknown => self.unknown |= bit,
            Known::Safe => self.safe |= bit,
            Known::Trap => self.traps |= bit,
            Known::Number(number) => {
                self.open |= bit;
                self.numbers[room] = number;
            }
        }
    }

    /// Returns the rooms that have not been scanned.
    const fn closed(&self) -> Rooms {
        self.unknown | self.safe | self.traps
    }

    /// Returns all rooms.
    const fn all(&self) -> Rooms {
        self.closed() | self.open
    }
}

impl FromIterator<Known> for Knowledge {
    /// Collects the knowledge about the rooms in ascending order; those beyond [`MOST_ROOMS`] are left out.
    fn from_iter<I: IntoIterator<Item = Known>>(rooms: I) -> Self {
        let mut known = Self::nothing(0);
        rooms.into_iter().take(MOST_ROOMS).enumerate().for_each(|(room, what)| known.learn(room, what));
        known
    }
}

/// The rooms with their connections, and the probabilities of traps.
#[derive(Clone, Debug, PartialEq)]
pub struct Station {
    nearby: Vec<Rooms>,
    odds: f64,
}

/// The reason why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StationError {
    /// This knowledge is impossible in a game that goes on.
    Contradiction,
    /// The rooms do not form a station.
    Malformed,
    /// The numbers share too many rooms to count the arrangements of traps.
    Tangled,
}

impl fmt::Display for StationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Contradiction => "In no game that goes on can this be known of the rooms.",
            Self::Malformed => "The rooms are not described as a station's must be.",
            Self::Tangled => "The numbers share so many rooms that the ways traps can lie cannot be counted.",
        })
    }
}

impl std::error::Error for StationError {}

impl Station {
    /// Creates a station.
    ///
    /// `nearby` has, for each room, the connected rooms; `odds` is the ratio of the probabilities of a trap and of no
    /// trap in a room that was not open from the start.
    ///
    /// # Errors
    /// There are too many rooms, a corridor does not lead both ways, or the odds are beyond one to a million.
    pub fn new(nearby: Vec<Rooms>, odds: f64) -> Result<Self, StationError> {
        let leads_back =
            |room, other: usize| other != room && nearby.get(other).is_some_and(|back: &Rooms| back >> room & 1 == 1);
        let both_ways =
            |(room, &near): (usize, &Rooms)| near.count_ones() <= 8 && each(near).all(|other| leads_back(room, other));
        let fits = nearby.len() <= MOST_ROOMS && nearby.iter().enumerate().all(both_ways) && ODDS.contains(&odds);
        if fits { Ok(Self { nearby, odds }) } else { Err(StationError::Malformed) }
    }

    /// Returns the number of rooms.
    #[must_use]
    pub const fn rooms(&self) -> usize {
        self.nearby.len()
    }

    /// Returns the number of traps near a room, given the rooms with traps.
    #[must_use]
    pub fn number(&self, room: usize, traps: Rooms) -> u8 {
        (self.nearby[room] & traps).count_ones() as u8
    }

    /// Returns some rooms and those that are connected with them.
    fn near(&self, rooms: Rooms) -> Rooms {
        each(rooms).fold(rooms, |near, room| near | self.nearby[room])
    }

    /// Returns the probability of a trap in a room without any clue.
    fn prior(&self) -> f64 {
        self.odds / (1.0 + self.odds)
    }

    /// Returns how many traps the number of a room still misses, and the unknown rooms nearby.
    fn missing(&self, known: &Knowledge, room: usize) -> Result<(u8, Rooms), StationError> {
        let unknown = self.nearby[room] & known.unknown;
        let missing = known.numbers[room].checked_sub(self.number(room, known.traps));
        let missing = missing.filter(|&missing| u32::from(missing) <= unknown.count_ones());
        missing.map(|missing| (missing, unknown)).ok_or(StationError::Contradiction)
    }

    /// Returns the knowledge with the conclusions from single numbers.
    fn deduced(&self, known: &Knowledge) -> Result<Knowledge, StationError> {
        if known.all() != Knowledge::nothing(self.rooms()).unknown {
            return Err(StationError::Malformed);
        }
        let mut deduced = *known;
        self.deduce(&mut deduced, known.open)?;
        Ok(deduced)
    }

    /// Adds the conclusions from single numbers until there are no more; only those of the doubtful rooms may be new.
    fn deduce(&self, known: &mut Knowledge, mut doubtful: Rooms) -> Result<(), StationError> {
        while doubtful != 0 {
            let room = doubtful.trailing_zeros() as usize;
            doubtful &= doubtful - 1;
            let (missing, unknown) = self.missing(known, room)?;
            if unknown == 0 || missing != 0 && u32::from(missing) != unknown.count_ones() {
                continue;
            }
            known.unknown &= !unknown;
            *if missing == 0 { &mut known.safe } else { &mut known.traps } |= unknown;
            doubtful |= self.near(unknown) & known.open;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a row of rooms, each connected with the next.
    fn row(rooms: usize) -> Station {
        let near = |room: usize| (0..rooms).filter(|other| other.abs_diff(room) == 1).map(|other| 1 << other).sum();
        Station::new((0..rooms).map(near).collect(), 2.0 / 3.0).unwrap()
    }

    /// Returns the conclusions from single numbers.
    fn deduced(station: &Station, known: &[Known]) -> Result<Knowledge, StationError> {
        station.deduced(&known.iter().copied().collect())
    }

    #[test]
    fn malformed_stations_are_refused() {
        for (nearby, odds) in [
            (vec![0b10, 0], 1.0),
            (vec![0b1], 1.0),
            (vec![1 << 7], 1.0),
            (vec![0; 129], 1.0),
            (vec![0], 0.0),
            (vec![0], f64::NAN),
            (vec![0], 1e7),
            (vec![0], 1e-7),
        ] {
            assert_eq!(Station::new(nearby, odds).unwrap_err(), StationError::Malformed);
        }
        assert_eq!(row(3).probabilities(&Knowledge::nothing(4)), Err(StationError::Malformed));
    }

    #[test]
    fn single_numbers_decide_their_neighbours() {
        use Known::{Number, Safe, Trap, Unknown};
        let known = deduced(&row(5), &[Number(1), Unknown, Number(1), Unknown, Unknown]).unwrap();
        assert_eq!(known, [Number(1), Trap, Number(1), Safe, Unknown].into_iter().collect());
        assert_eq!(deduced(&row(3), &[Number(2), Unknown, Unknown]), Err(StationError::Contradiction));
        assert_eq!(deduced(&row(3), &[Number(0), Trap, Unknown]), Err(StationError::Contradiction));
    }
}
