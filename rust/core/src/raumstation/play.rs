//! The strategy: scan what is certainly safe; otherwise search over the arrangements of traps.

use super::odds::Outlook;
use super::search::Search;
use super::{Knowledge, Known, Rooms, Station, StationError, each};
use crate::random::Random;

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Scan this room.
    Scan(usize),
    /// Spend a joker on this room.
    Ask(usize),
}

impl Station {
    /// Computes the probability of a trap in each room; exactly 0 or 1 where it is certain.
    ///
    /// That the game goes on is evidence, too: there is a trap, and a safe room that has not been scanned.
    ///
    /// # Errors
    /// The knowledge is impossible in a game that goes on.
    pub fn probabilities(&self, known: &Knowledge) -> Result<Vec<f64>, StationError> {
        Ok(Outlook::new(self, self.deduced(known)?)?.probabilities(self.prior()))
    }

    /// Draws the rooms with traps so that they fit the knowledge, each arrangement with its exact probability.
    ///
    /// # Errors
    /// The knowledge is impossible in a game that goes on.
    pub fn draw(&self, known: &Knowledge, random: &mut Random) -> Result<Rooms, StationError> {
        let outlook = Outlook::new(self, self.deduced(known)?)?;
        let bits = outlook.draws(self.prior(), random).next().unwrap_or(0);
        let undecided = outlook.undecided();
        Ok(each(bits).fold(outlook.known.traps, |traps, place| traps | 1 << undecided[place]))
    }

    /// Chooses the next step: scans what is certainly safe; otherwise takes the step that wins most arrangements of
    /// traps.
    ///
    /// # Errors
    /// The knowledge is impossible in a game that goes on.
    pub fn decide(&self, known: &Knowledge, jokers: u8) -> Result<Decision, StationError> {
        self.next_step(self.deduced(known)?, jokers)
    }

    /// Chooses the next step, given the conclusions from single numbers.
    pub(super) fn next_step(&self, known: Knowledge, jokers: u8) -> Result<Decision, StationError> {
        let outlook = Outlook::new(self, known)?;
        let safe = each(outlook.certainly_safe()).next();
        Ok(safe.map_or_else(|| Search::new(self, &outlook).best(jokers), Decision::Scan))
    }

    /// Returns whether [`Station::decide`] finishes the station without a guess.
    ///
    /// `known` is the knowledge at the start, `traps` the truth.
    ///
    /// # Errors
    /// The truth contradicts the knowledge.
    pub fn solvable(&self, known: &Knowledge, traps: Rooms, mut jokers: u8) -> Result<bool, StationError> {
        let mut known = *known;
        let mut doubtful = known.open;
        loop {
            let Some(outlook) = self.scan_certain(&mut known, traps, doubtful)? else { return Ok(true) };
            // The search takes long, and is in vain in most stations that are refused.
            if !self.may_be_solved(&known, traps, jokers)? {
                return Ok(false);
            }
            let Decision::Ask(room) = Search::new(self, &outlook).best(jokers) else { return Ok(false) };
            doubtful = self.ask(&mut known, traps, room);
            jokers -= 1;
        }
    }

    /// Scans all rooms that are certainly safe, until nothing is; returns what is known then, or nothing if no safe room is
    /// left. Only the numbers of the doubtful rooms may lead to new conclusions.
    fn scan_certain(
        &self,
        known: &mut Knowledge,
        traps: Rooms,
        mut doubtful: Rooms,
    ) -> Result<Option<Outlook>, StationError> {
        loop {
            self.deduce(known, doubtful)?;
            let mut safe = known.safe;
            if safe == 0 {
                if known.unknown & !traps == 0 {
                    return Ok(None);
                }
                let outlook = Outlook::new(self, *known)?;
                safe = outlook.certainly_safe();
                if safe == 0 {
                    return Ok(Some(outlook));
                }
            }
            if traps & safe != 0 {
                return Err(StationError::Contradiction);
            }
            each(safe).for_each(|room| known.learn(room, Known::Number(self.number(room, traps))));
            doubtful = self.near(safe) & known.open;
        }
    }

    /// Spends a joker on a room, and returns the rooms whose numbers may now lead to new conclusions.
    fn ask(&self, known: &mut Knowledge, traps: Rooms, room: usize) -> Rooms {
        known.learn(room, if traps >> room & 1 == 1 { Known::Trap } else { Known::Safe });
        self.near(1 << room) & known.open
    }

    /// Returns whether some jokers might be enough, where nothing is certain.
    fn may_be_solved(&self, known: &Knowledge, traps: Rooms, jokers: u8) -> Result<bool, StationError> {
        let candidates = match (jokers, self.twins(known, traps)) {
            (0, _) => return Ok(false),
            (_, Some(twins)) => twins,
            (1, None) => known.unknown,
            (_, None) => return Ok(true),
        };
        for room in each(candidates) {
            let mut known = *known;
            let doubtful = self.ask(&mut known, traps, room);
            if self.scan_certain(&mut known, traps, doubtful)?.is_none()
                || self.may_be_solved(&known, traps, jokers - 1)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns an unknown room with a trap, and a safe one near the same safe rooms: no number will ever tell them apart, so
    /// a joker must be spent on one of them.
    fn twins(&self, known: &Knowledge, traps: Rooms) -> Option<Rooms> {
        each(known.unknown & traps).find_map(|trap| {
            let near = self.nearby[trap] & !traps;
            let is_twin = |safe: &usize| near & !(1 << safe) == self.nearby[*safe] & !traps;
            each(known.unknown & !traps).find(is_twin).map(|safe| 1 << trap | 1 << safe)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Known::{Number, Safe, Trap, Unknown};
    use super::*;

    const ODDS: f64 = 2.0 / 3.0;

    /// Returns a station with these pairs of connected rooms.
    fn station(rooms: usize, corridors: &[(usize, usize)]) -> Station {
        let mut nearby = vec![0; rooms];
        for &(one, other) in corridors {
            nearby[one] |= 1 << other;
            nearby[other] |= 1 << one;
        }
        Station::new(nearby, ODDS).unwrap()
    }

    fn probabilities(station: &Station, known: &[Known]) -> Result<Vec<f64>, StationError> {
        station.probabilities(&known.iter().copied().collect())
    }

    fn decide(station: &Station, known: &[Known], jokers: u8) -> Decision {
        station.decide(&known.iter().copied().collect(), jokers).unwrap()
    }

    fn close(found: &[f64], expected: &[f64]) -> bool {
        found.len() == expected.len()
            && found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-15)
    }

    #[test]
    fn probabilities_follow_from_shared_numbers() {
        let square = station(4, &[(0, 1), (0, 2), (3, 1), (3, 2)]);
        let found = probabilities(&square, &[Number(1), Unknown, Unknown, Number(1)]).unwrap();
        assert!(close(&found, &[0.0, 0.5, 0.5, 0.0]), "{found:?}");
        let row = station(5, &[(0, 1), (1, 2), (2, 3), (3, 4)]);
        // Either a trap in 1 and none in 3, or vice versa, or with a second trap nearer the end.
        let found = probabilities(&row, &[Unknown, Unknown, Number(1), Unknown, Unknown]).unwrap();
        assert!(close(&found, &[0.4, 0.5, 0.0, 0.5, 0.4]), "{found:?}");
        let impossible = [Number(1), Unknown, Unknown, Number(2)];
        assert_eq!(probabilities(&square, &impossible), Err(StationError::Contradiction));
    }

    #[test]
    fn that_the_game_goes_on_tells_of_the_last_rooms() {
        let loose = station(3, &[]);
        assert_eq!(probabilities(&loose, &[Trap, Number(0), Unknown]).unwrap(), [1.0, 0.0, 0.0]);
        assert_eq!(probabilities(&loose, &[Safe, Number(0), Unknown]).unwrap(), [0.0, 0.0, 1.0]);
        let found = probabilities(&loose, &[Number(0), Unknown, Unknown]).unwrap();
        assert!(close(&found, &[0.0, 0.5, 0.5]), "{found:?}");
        assert_eq!(probabilities(&loose, &[Number(0), Number(0), Unknown]), Err(StationError::Contradiction));
        assert_eq!(probabilities(&loose, &[Trap, Number(0), Trap]), Err(StationError::Contradiction));
    }

    #[test]
    fn draws_are_as_frequent_as_probable() {
        let station = station(6, &[(0, 1), (0, 2), (0, 3), (3, 4), (4, 5)]);
        let known = [Number(1), Unknown, Unknown, Unknown, Number(1), Unknown];
        let probabilities = probabilities(&station, &known).unwrap();
        let mut random = Random::new(3);
        let mut times = [0_u32; 6];
        for _ in 0..20_000 {
            let traps = station.draw(&known.into_iter().collect(), &mut random).unwrap();
            times.iter_mut().enumerate().for_each(|(room, times)| *times += u32::from(traps >> room & 1 == 1));
        }
        for (times, probability) in times.iter().zip(probabilities) {
            assert!((f64::from(*times) / 20_000.0 - probability).abs() < 0.015, "{times} {probability}");
        }
    }

    #[test]
    fn what_is_safe_is_scanned_before_a_joker_is_spent_before_a_guess_is_made() {
        let square = station(4, &[(0, 1), (0, 2), (3, 1), (3, 2)]);
        let split = [Number(1), Unknown, Unknown, Number(1)];
        assert_eq!(decide(&square, &[Number(1), Trap, Unknown, Number(1)], 2), Decision::Scan(2));
        assert_eq!(decide(&square, &split, 1), Decision::Ask(1));
        assert_eq!(decide(&square, &split, 0), Decision::Scan(1));
        let start = split.into_iter().collect();
        assert_eq!(square.solvable(&start, 0b100, 1), Ok(true));
        assert_eq!(square.solvable(&start, 0b100, 0), Ok(false));
        let safe = [Number(0), Unknown, Unknown, Number(0)].into_iter().collect();
        assert_eq!(square.solvable(&safe, 0b10, 0), Err(StationError::Contradiction));
    }
}
