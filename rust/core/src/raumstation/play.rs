//! The strategy: scan what is certainly safe; otherwise search over the arrangements of traps.

use std::collections::HashMap;

use super::odds::Outlook;
use super::{Known, MOST_ROOMS, Station, StationError};
use crate::random::Random;

/// The maximum number of arrangements in the search, one bit of a number each; if there are more, this many are drawn.
const WAYS: usize = 128;
/// The depth beyond which the search follows only the most promising move.
const DEPTH: usize = 2;
/// The same for a sample of arrangements: a deeper search takes twice the time and gains little.
const SAMPLE_DEPTH: usize = 1;
/// The maximum number of jokers, and of scans, that the search tries in one position.
const BREADTH: usize = 12;
/// The weight of the information of a scan among equally safe rooms.
const TIE_BREAK: f64 = 1e-3;
/// The tolerance between products of the same weights.
const ROUNDING: f64 = 1.0 - 1e-12;

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
    pub fn probabilities(&self, known: &[Known]) -> Result<Vec<f64>, StationError> {
        Ok(Outlook::new(self, known)?.probabilities(self.prior()))
    }

    /// Draws traps that fit the knowledge, each arrangement with its exact probability.
    ///
    /// # Errors
    /// The knowledge is impossible in a game that goes on.
    pub fn draw(&self, known: &[Known], random: &mut Random) -> Result<Vec<bool>, StationError> {
        let outlook = Outlook::new(self, known)?;
        let bits = outlook.draw(self.prior(), random);
        let mut traps: Vec<bool> = outlook.known.iter().map(|&state| state == Known::Trap).collect();
        for (place, room) in outlook.undecided().into_iter().enumerate() {
            traps[room] = bits >> place & 1 == 1;
        }
        Ok(traps)
    }

    /// Chooses the next step: scans what is certainly safe; otherwise takes the step that wins most arrangements of
    /// traps.
    ///
    /// # Errors
    /// The knowledge is impossible in a game that goes on.
    pub fn decide(&self, known: &[Known], jokers: usize) -> Result<Decision, StationError> {
        let outlook = Outlook::new(self, known)?;
        if let Some(room) = self.certainly_safe(&outlook, known) {
            return Ok(Decision::Scan(room));
        }
        Ok(Search::new(self, &outlook).best(jokers))
    }

    /// Returns whether [`Station::decide`] finishes the station without a guess.
    ///
    /// `known` is the knowledge at the start, `traps` the truth.
    ///
    /// # Errors
    /// The truth contradicts the knowledge.
    pub fn solvable(&self, known: &[Known], traps: &[bool], jokers: usize) -> Result<bool, StationError> {
        if traps.len() != self.rooms() {
            return Err(StationError::Malformed);
        }
        let mut known = known.to_vec();
        let mut jokers = jokers;
        loop {
            self.scan_certain(&mut known, traps)?;
            let is_open = |(state, &trap): (&Known, &bool)| trap || matches!(state, Known::Number(_));
            if known.iter().zip(traps).all(is_open) {
                return Ok(true);
            }
            let outlook = Outlook::new(self, &known)?;
            if let Some(room) = self.certainly_safe(&outlook, &known) {
                self.scan(&mut known, traps, room)?;
                continue;
            }
            let decision = (jokers > 0).then(|| Search::new(self, &outlook).best(jokers));
            let Some(Decision::Ask(room)) = decision else { return Ok(false) };
            known[room] = if traps[room] { Known::Trap } else { Known::Safe };
            jokers -= 1;
        }
    }

    /// Returns the first room that is certainly safe and has not been scanned.
    fn certainly_safe(&self, outlook: &Outlook, known: &[Known]) -> Option<usize> {
        let probabilities = outlook.probabilities(self.prior());
        let is_safe = |&room: &usize| probabilities[room] == 0.0 && !matches!(known[room], Known::Number(_));
        (0..known.len()).find(is_safe)
    }

    /// Scans all rooms that single numbers show to be safe: the same as deciding room by room, but faster.
    fn scan_certain(&self, known: &mut [Known], traps: &[bool]) -> Result<(), StationError> {
        loop {
            self.deduce(known)?;
            let safe: Vec<usize> = (0..known.len()).filter(|&room| known[room] == Known::Safe).collect();
            if safe.is_empty() {
                return Ok(());
            }
            for room in safe {
                self.scan(known, traps, room)?;
            }
        }
    }

    fn scan(&self, known: &mut [Known], traps: &[bool], room: usize) -> Result<(), StationError> {
        if traps[room] {
            return Err(StationError::Contradiction);
        }
        known[room] = Known::Number(self.nearby[room].iter().filter(|&&other| traps[other]).count() as u8);
        Ok(())
    }
}

/// The search where nothing is certainly safe, over all arrangements of traps or a sample of them.
///
/// A set of arrangements is the bits of a number, and so is a set of rooms, in the order of `rooms`.
struct Search {
    rooms: Vec<usize>,
    /// The rooms with a trap, and the weight, of each arrangement.
    ways: Vec<(u128, f64)>,
    /// The arrangements in which each room holds a trap.
    trapped: Vec<u128>,
    /// The arrangements in which each room is safe and has each number of traps nearby, among undecided rooms.
    numbers: Vec<[u128; 9]>,
    /// The depth beyond which only the most promising move is followed.
    depth: usize,
    /// The results for arrangements, scanned rooms and jokers.
    won: HashMap<(u128, u128, usize), f64>,
}

/// The knowledge at a point of the search.
#[derive(Clone, Copy)]
struct Position {
    ways: u128,
    scanned: u128,
    jokers: usize,
    depth: usize,
}

/// Returns the indices of a number's bits.
fn bits(mut number: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = (number != 0).then(|| number.trailing_zeros() as usize);
        number &= number.wrapping_sub(1);
        place
    })
}

impl Search {
    fn new(station: &Station, outlook: &Outlook) -> Self {
        let rooms = outlook.undecided();
        let list = outlook.list(WAYS as u64, station.odds);
        let depth = if list.is_some() { DEPTH } else { SAMPLE_DEPTH };
        let ways = merged(list.unwrap_or_else(|| {
            let mut random = Random::new(0);
            (0..WAYS).map(|_| (outlook.draw(station.prior(), &mut random), 1.0)).collect()
        }));
        let mut place_of = vec![None; station.rooms()];
        rooms.iter().enumerate().for_each(|(place, &room)| place_of[room] = Some(place));
        let mut trapped = vec![0; rooms.len()];
        let mut numbers = vec![[0; 9]; rooms.len()];
        for (place, &room) in rooms.iter().enumerate() {
            let near = station.nearby[room].iter().filter_map(|&other| place_of[other]);
            let near = near.fold(0_u128, |near, other| near | 1 << other);
            for (way, (traps, _)) in ways.iter().enumerate() {
                if traps >> place & 1 == 1 {
                    trapped[place] |= 1 << way;
                } else {
                    numbers[place][(traps & near).count_ones() as usize] |= 1 << way;
                }
            }
        }
        Self { rooms, ways, trapped, numbers, depth, won: HashMap::new() }
    }

    /// Returns the move that wins most.
    fn best(&mut self, jokers: usize) -> Decision {
        let ways = u128::MAX >> (u128::BITS as usize - self.ways.len());
        let (_, best) = self.best_after(Position { ways, scanned: 0, jokers, depth: self.depth });
        match best {
            Decision::Scan(place) => Decision::Scan(self.rooms[place]),
            Decision::Ask(place) => Decision::Ask(self.rooms[place]),
        }
    }

    fn weight(&self, ways: u128) -> f64 {
        bits(ways).map(|way| self.ways[way].1).sum()
    }

    /// Returns the weight of the arrangements that are won from here on.
    fn won(&mut self, mut position: Position) -> f64 {
        let hidden = u128::MAX >> (MOST_ROOMS - self.rooms.len()) & !position.scanned;
        let over = bits(position.ways).find(|&way| self.ways[way].0 == hidden);
        if let Some(way) = over {
            position.ways &= !(1 << way);
            return self.ways[way].1 + self.won(position);
        }
        let left = position.ways.count_ones();
        if left < 2 || left == 2 && position.jokers > 0 {
            return self.weight(position.ways);
        }
        if let Some(place) = bits(hidden).find(|&place| self.trapped[place] & position.ways == 0) {
            return self.after(position, Decision::Scan(place));
        }
        let key = (position.ways, position.scanned, position.jokers);
        if let Some(&won) = self.won.get(&key) {
            return won;
        }
        let (won, _) = self.best_after(position);
        self.won.insert(key, won);
        won
    }

    /// Returns the move that wins most where nothing is certainly safe, and the weight that it wins.
    fn best_after(&mut self, position: Position) -> (f64, Decision) {
        let all = self.weight(position.ways);
        let most = if position.depth == 0 { 1 } else { usize::MAX };
        let onward = Position { depth: position.depth.saturating_sub(1), ..position };
        let mut best = (0.0, Decision::Scan(0));
        for candidate in self.candidates(position, all).into_iter().take(most) {
            let won = self.after(onward, candidate);
            if won * ROUNDING > best.0 {
                best = (won, candidate);
            }
            if won >= all * ROUNDING {
                break;
            }
        }
        best
    }

    /// Returns the weight of the arrangements that are won after a move.
    fn after(&mut self, position: Position, decision: Decision) -> f64 {
        match decision {
            Decision::Ask(place) => {
                let trapped = position.ways & self.trapped[place];
                let told = Position { jokers: position.jokers - 1, ..position };
                self.won(Position { ways: trapped, ..told }) + self.won(Position { ways: told.ways ^ trapped, ..told })
            }
            Decision::Scan(place) => {
                let scanned = position.scanned | 1 << place;
                let numbers = self.numbers[place].map(|ways| ways & position.ways);
                numbers.map(|ways| self.won(Position { ways, scanned, ..position })).iter().sum()
            }
        }
    }

    /// Returns the moves to try, the most promising first: jokers that distinguish most arrangements, then the safest
    /// scans.
    fn candidates(&self, position: Position, all: f64) -> Vec<Decision> {
        let mut asks = Vec::new();
        let mut scans = Vec::new();
        for place in (0..self.rooms.len()).filter(|place| position.scanned >> place & 1 == 0) {
            let trap = self.weight(position.ways & self.trapped[place]) / all;
            let numbers = self.numbers[place].map(|ways| self.weight(position.ways & ways) / all);
            let alike: f64 = numbers.iter().map(|weight| weight * weight).sum();
            if trap < ROUNDING {
                scans.push((trap + alike * TIE_BREAK, Decision::Scan(place)));
                if position.jokers > 0 && trap > 0.0 {
                    asks.push((alike + trap * trap, Decision::Ask(place)));
                }
            }
        }
        asks.sort_by(|one, other| one.0.total_cmp(&other.0));
        scans.sort_by(|one, other| one.0.total_cmp(&other.0));
        asks.into_iter().take(BREADTH).chain(scans.into_iter().take(BREADTH)).map(|(_, decision)| decision).collect()
    }
}

/// Merges equal arrangements and sorts them.
fn merged(mut ways: Vec<(u128, f64)>) -> Vec<(u128, f64)> {
    ways.sort_by_key(|&(traps, _)| traps);
    ways.dedup_by(|one, kept| {
        let same = one.0 == kept.0;
        if same {
            kept.1 += one.1;
        }
        same
    });
    ways
}

#[cfg(test)]
mod tests {
    use super::Known::{Number, Safe, Trap, Unknown};
    use super::*;

    /// Returns a station with these pairs of connected rooms.
    fn station(rooms: usize, corridors: &[(usize, usize)]) -> Station {
        let mut nearby = vec![Vec::new(); rooms];
        for &(one, other) in corridors {
            nearby[one].push(other);
            nearby[other].push(one);
        }
        Station::new(nearby, 2.0 / 3.0).unwrap()
    }

    fn close(found: &[f64], expected: &[f64]) -> bool {
        found.len() == expected.len()
            && found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-15)
    }

    #[test]
    fn probabilities_follow_from_shared_numbers() {
        let square = station(4, &[(0, 1), (0, 2), (3, 1), (3, 2)]);
        let found = square.probabilities(&[Number(1), Unknown, Unknown, Number(1)]).unwrap();
        assert!(close(&found, &[0.0, 0.5, 0.5, 0.0]), "{found:?}");
        let row = station(5, &[(0, 1), (1, 2), (2, 3), (3, 4)]);
        // Either a trap in 1 and none in 3, or vice versa, or with a second trap nearer the end.
        let found = row.probabilities(&[Unknown, Unknown, Number(1), Unknown, Unknown]).unwrap();
        assert!(close(&found, &[0.4, 0.5, 0.0, 0.5, 0.4]), "{found:?}");
        assert_eq!(square.probabilities(&[Number(1), Unknown, Unknown, Number(2)]), Err(StationError::Contradiction));
    }

    #[test]
    fn that_the_game_goes_on_tells_of_the_last_rooms() {
        let loose = station(3, &[]);
        assert_eq!(loose.probabilities(&[Trap, Number(0), Unknown]).unwrap(), [1.0, 0.0, 0.0]);
        assert_eq!(loose.probabilities(&[Safe, Number(0), Unknown]).unwrap(), [0.0, 0.0, 1.0]);
        let found = loose.probabilities(&[Number(0), Unknown, Unknown]).unwrap();
        assert!(close(&found, &[0.0, 0.5, 0.5]), "{found:?}");
        assert_eq!(loose.probabilities(&[Number(0), Number(0), Unknown]), Err(StationError::Contradiction));
        assert_eq!(loose.probabilities(&[Trap, Number(0), Trap]), Err(StationError::Contradiction));
    }

    #[test]
    fn draws_are_as_frequent_as_probable() {
        let station = station(6, &[(0, 1), (0, 2), (0, 3), (3, 4), (4, 5)]);
        let known = [Number(1), Unknown, Unknown, Unknown, Number(1), Unknown];
        let probabilities = station.probabilities(&known).unwrap();
        let mut random = Random::new(3);
        let mut times = [0_u32; 6];
        for _ in 0..20_000 {
            let traps = station.draw(&known, &mut random).unwrap();
            traps.iter().zip(&mut times).for_each(|(&trap, times)| *times += u32::from(trap));
        }
        for (times, probability) in times.iter().zip(probabilities) {
            assert!((f64::from(*times) / 20_000.0 - probability).abs() < 0.015, "{times} {probability}");
        }
    }

    #[test]
    fn what_is_safe_is_scanned_before_a_joker_is_spent_before_a_guess_is_made() {
        let square = station(4, &[(0, 1), (0, 2), (3, 1), (3, 2)]);
        let split = [Number(1), Unknown, Unknown, Number(1)];
        assert_eq!(square.decide(&[Number(1), Trap, Unknown, Number(1)], 2), Ok(Decision::Scan(2)));
        assert_eq!(square.decide(&split, 1), Ok(Decision::Ask(1)));
        assert_eq!(square.decide(&split, 0), Ok(Decision::Scan(1)));
        let traps = [false, false, true, false];
        assert_eq!(square.solvable(&split, &traps, 1), Ok(true));
        assert_eq!(square.solvable(&split, &traps, 0), Ok(false));
        assert_eq!(square.solvable(&split, &[true; 3], 0), Err(StationError::Malformed));
    }
}
