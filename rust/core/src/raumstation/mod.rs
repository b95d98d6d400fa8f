//! Raumstation's solver: the conclusions from open numbers, and the next step.
//!
//! A station is a graph of rooms; each may hide a trap, and a scanned room shows how many connected rooms hold one.
//! Probabilities and draws are exact; [`Station::decide`] is one good strategy, and [`Station::solvable`] returns
//! whether it finishes a station without a guess.

mod odds;
mod play;

use std::fmt;

pub use play::Decision;

/// The maximum number of rooms of a station, whose sets are the bits of one number.
pub const MOST_ROOMS: usize = 128;

/// The odds of a trap that a station may have: draws try again until there is a trap and a safe room.
const ODDS: std::ops::RangeInclusive<f64> = 1e-6..=1e6;

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

/// The rooms with their connections, and the probabilities of traps.
#[derive(Clone, Debug)]
pub struct Station {
    nearby: Vec<Vec<usize>>,
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
    /// `nearby` lists, for each room, the connected rooms; `odds` is the ratio of the probabilities of a trap and of no
    /// trap in a room that was not open from the start.
    ///
    /// # Errors
    /// There are too many rooms, a corridor does not lead both ways, or the odds are beyond one to a million.
    pub fn new(nearby: Vec<Vec<usize>>, odds: f64) -> Result<Self, StationError> {
        let both_ways = nearby.iter().enumerate().all(|(room, near)| {
            near.len() <= 8
                && near.iter().all(|&other| other != room && nearby.get(other).is_some_and(|back| back.contains(&room)))
        });
        let fits = nearby.len() <= MOST_ROOMS && both_ways && ODDS.contains(&odds);
        if fits { Ok(Self { nearby, odds }) } else { Err(StationError::Malformed) }
    }

    /// Returns the number of rooms.
    #[must_use]
    pub const fn rooms(&self) -> usize {
        self.nearby.len()
    }

    /// Returns the probability of a trap in a room without any clue.
    fn prior(&self) -> f64 {
        self.odds / (1.0 + self.odds)
    }

    /// Returns how many traps a number still misses, and the number of unknown rooms nearby.
    fn missing(&self, known: &[Known], room: usize, number: u8) -> Result<(usize, usize), StationError> {
        let count = |what| self.nearby[room].iter().filter(|&&other| known[other] == what).count();
        let unknown = count(Known::Unknown);
        let missing = usize::from(number).checked_sub(count(Known::Trap)).filter(|&missing| missing <= unknown);
        missing.map(|missing| (missing, unknown)).ok_or(StationError::Contradiction)
    }

    /// Adds the conclusions from single numbers until there are no more.
    fn deduce(&self, known: &mut [Known]) -> Result<(), StationError> {
        if known.len() != self.rooms() {
            return Err(StationError::Malformed);
        }
        let mut doubtful: Vec<usize> = (0..known.len()).collect();
        while let Some(room) = doubtful.pop() {
            let Known::Number(number) = known[room] else { continue };
            let (missing, unknown) = self.missing(known, room, number)?;
            if unknown == 0 || missing != 0 && missing != unknown {
                continue;
            }
            for &other in &self.nearby[room] {
                if known[other] == Known::Unknown {
                    known[other] = if missing == 0 { Known::Safe } else { Known::Trap };
                    doubtful.extend(&self.nearby[other]);
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a row of rooms, each connected with the next.
    fn row(rooms: usize) -> Station {
        let near = |room: usize| (0..rooms).filter(|&other| other.abs_diff(room) == 1).collect();
        Station::new((0..rooms).map(near).collect(), 2.0 / 3.0).unwrap()
    }

    #[test]
    fn malformed_stations_are_refused() {
        for (nearby, odds) in [
            (vec![vec![1], vec![]], 1.0),
            (vec![vec![0]], 1.0),
            (vec![vec![7]], 1.0),
            (vec![vec![]; 129], 1.0),
            (vec![vec![]], 0.0),
            (vec![vec![]], f64::NAN),
            (vec![vec![]], 1e7),
            (vec![vec![]], 1e-7),
        ] {
            assert_eq!(Station::new(nearby, odds).unwrap_err(), StationError::Malformed);
        }
        assert_eq!(row(3).probabilities(&[Known::Unknown; 4]), Err(StationError::Malformed));
    }

    #[test]
    fn single_numbers_decide_their_neighbours() {
        use Known::{Number, Safe, Trap, Unknown};
        let mut known = [Number(1), Unknown, Number(1), Unknown, Unknown];
        row(5).deduce(&mut known).unwrap();
        assert_eq!(known, [Number(1), Trap, Number(1), Safe, Unknown]);
        assert_eq!(row(3).deduce(&mut [Number(2), Unknown, Unknown]), Err(StationError::Contradiction));
        assert_eq!(row(3).deduce(&mut [Number(0), Trap, Unknown]), Err(StationError::Contradiction));
    }
}
