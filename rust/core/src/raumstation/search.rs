//! The search where nothing is certainly safe, over all arrangements of traps or a sample of them.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::odds::Outlook;
use super::play::Decision;
use super::{MOST_ROOMS, Station, each};
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
/// What a scan can show: the numbers 0 to 8, or a trap; rounded up, so that no place is checked.
const SHOWN: usize = 16;
const TRAP: usize = 9;

/// The weights of the arrangements in which a room shows the same.
type Sums = [f64; SHOWN];

/// The search.
///
/// A set of arrangements is the bits of a number, and so is a set of rooms, in the order of `rooms`.
pub(super) struct Search {
    rooms: Vec<usize>,
    /// The set of all rooms.
    all: u128,
    /// The rooms with a trap in each arrangement, in ascending order.
    ways: Vec<u128>,
    /// The weight of each arrangement.
    weights: [f64; WAYS],
    /// What each room shows in each arrangement: a number, or [`TRAP`].
    shown: Vec<[u8; MOST_ROOMS]>,
    /// What a look into each room shows.
    looks: Vec<Look>,
    /// The sums of one position; see [`Self::add_up`].
    hidden: Vec<(usize, Sums)>,
    /// The weight of the arrangements in which each room holds a trap, of one position.
    traps: Vec<f64>,
    /// Whether the arrangements are drawn.
    is_sample: bool,
    /// The weight won in each position where nothing is certainly safe, or what it is at most.
    ///
    /// A position keeps the weight of the depth in which it was first reached. Which stations are accepted depends on that,
    /// so it must stay: nothing that could be looked up later may be left out. In a sample all positions have one depth, and
    /// what cannot be best is left out.
    won: HashMap<(u128, u128, u8), Result<f64, f64>, BuildHasherDefault<Mixed>>,
}

/// The knowledge at a point of the search.
#[derive(Clone, Copy)]
struct Position {
    ways: u128,
    scanned: u128,
    jokers: u8,
    depth: usize,
}

/// What a look into a room shows.
struct Look {
    /// The arrangements in which it holds a trap.
    trapped: u128,
    /// The arrangements in which it is safe and has the same number of traps nearby, in ascending order of the number, of
    /// which only traps in undecided rooms count.
    numbers: [u128; TRAP],
    /// The number of these sets.
    count: usize,
}

impl Look {
    /// Looks into a room, given what all rooms show in each arrangement.
    fn new(shown: &[[u8; MOST_ROOMS]], place: usize) -> Self {
        let mut ways = [0; SHOWN];
        shown.iter().enumerate().for_each(|(way, shown)| ways[usize::from(shown[place])] |= 1 << way);
        let mut look = Self { trapped: ways[TRAP], numbers: [0; TRAP], count: 0 };
        for &ways in ways[..TRAP].iter().filter(|ways| **ways != 0) {
            look.numbers[look.count] = ways;
            look.count += 1;
        }
        look
    }

    /// Returns the parts of some arrangements in which the room is safe, by its number.
    fn parts(&self, ways: u128) -> impl Iterator<Item = u128> {
        self.numbers[..self.count].iter().map(move |number| number & ways).filter(|part| *part != 0)
    }

    /// Returns whether numbers differ in some arrangements in which the room is safe.
    fn divides(&self, ways: u128) -> bool {
        self.numbers[..self.count].iter().all(|number| ways & !number != 0)
    }
}

/// What a move wins, added up over the positions that it leads to.
struct Sum {
    won: f64,
    /// The arrangements that have not been looked at.
    rest: u128,
    /// What is to be exceeded.
    need: f64,
}

/// Mixes the few words of a position into a hash.
#[derive(Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.write_u64(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(23) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_u128(&mut self, number: u128) {
        self.write_u64(number as u64);
        self.write_u64((number >> 64) as u64);
    }
}

impl Search {
    pub(super) fn new(station: &Station, outlook: &Outlook) -> Self {
        let rooms = outlook.undecided();
        let list = outlook.list(WAYS as u64);
        let is_sample = list.is_none();
        let list = merged(list.unwrap_or_else(|| {
            let mut random = Random::new(0);
            outlook.draws(station.prior(), &mut random).take(WAYS).map(|traps| (traps, 1.0)).collect()
        }));
        let ways: Vec<u128> = list.iter().map(|(traps, _)| *traps).collect();
        let mut weights = [0.0; WAYS];
        for (weight, (_, listed)) in weights.iter_mut().zip(&list) {
            *weight = *listed;
        }
        let mut place_of = [MOST_ROOMS; MOST_ROOMS];
        rooms.iter().enumerate().for_each(|(place, &room)| place_of[room] = place);
        let near = |&room: &usize| {
            let places = each(station.nearby[room]).map(|other| place_of[other]).filter(|&place| place < MOST_ROOMS);
            places.fold(0_u128, |near, place| near | 1 << place)
        };
        let near: Vec<u128> = rooms.iter().map(near).collect();
        let shown_in = |&traps: &u128| {
            let mut shown = [0; MOST_ROOMS];
            each(traps).for_each(|trap| each(near[trap]).for_each(|place| shown[place] += 1));
            each(traps).for_each(|trap| shown[trap] = TRAP as u8);
            shown
        };
        let shown: Vec<_> = ways.iter().map(shown_in).collect();
        let looks = (0..rooms.len()).map(|place| Look::new(&shown, place)).collect();
        let (hidden, traps) = (Vec::with_capacity(rooms.len()), Vec::with_capacity(rooms.len()));
        let all = u128::MAX >> (MOST_ROOMS - rooms.len());
        Self { rooms, all, ways, weights, shown, looks, hidden, traps, is_sample, won: HashMap::default() }
    }

    /// Returns the move that wins most.
    pub(super) fn best(&mut self, jokers: u8) -> Decision {
        let ways = u128::MAX >> (WAYS - self.ways.len());
        let best = self.best_after(Position { ways, scanned: 0, jokers, depth: self.depth() }, 0.0);
        match best.map_or(Decision::Scan(0), |(_, best)| best) {
            Decision::Scan(place) => Decision::Scan(self.rooms[place]),
            Decision::Ask(place) => Decision::Ask(self.rooms[place]),
        }
    }

    /// Returns the depth beyond which only the most promising move is followed.
    const fn depth(&self) -> usize {
        if self.is_sample { SAMPLE_DEPTH } else { DEPTH }
    }

    fn weight(&self, ways: u128) -> f64 {
        each(ways).fold(0.0, |weight, way| weight + self.weights[way % WAYS])
    }

    /// Returns the weight of the arrangements that are won from here on; none if it is not more than `need`.
    fn won(&mut self, mut position: Position, mut need: f64) -> Option<f64> {
        let mut over = 0.0;
        loop {
            let rest = position.ways & position.ways.wrapping_sub(1);
            if rest & rest.wrapping_sub(1) == 0 {
                return Some(over + self.won_of_two(position, rest));
            }
            let trapped = each(position.ways).fold(0, |trapped, way| trapped | self.ways[way]);
            for place in each(self.all & !position.scanned & !trapped) {
                position.scanned |= 1 << place;
                if self.looks[place].divides(position.ways) {
                    return self.after_scan(place, position, need).map(|won| over + won);
                }
            }
            // Only traps are left of an arrangement with all of them; it is the last one, for they are sorted.
            let last = position.ways.ilog2() as usize;
            if self.ways[last] != trapped {
                return self.remembered(position, need).map(|won| over + won);
            }
            over += self.weights[last];
            need -= self.weights[last];
            position.ways &= !(1 << last);
        }
    }

    /// Returns the weight of the arrangements that are won where there are at most two, of which `second` is the latter.
    fn won_of_two(&self, position: Position, second: u128) -> f64 {
        let first = position.ways.trailing_zeros() as usize;
        if second == 0 {
            return self.weights[first];
        }
        let second = second.trailing_zeros() as usize;
        let (one, other) = (self.weights[first], self.weights[second]);
        let (traps, more) = (self.ways[first], self.ways[second]);
        let mut safe = each(self.all & !position.scanned & !(traps | more));
        let both =
            position.jokers > 0 || traps & !more == 0 || safe.any(|place| self.looks[place].divides(position.ways));
        if both { one + other } else { one.max(other) }
    }

    /// Returns the weight of the arrangements that are won after a scan; none if it is not more than `need`.
    fn after_scan(&mut self, place: usize, mut position: Position, need: f64) -> Option<f64> {
        position.scanned |= 1 << place;
        let mut sum = Sum { won: 0.0, rest: position.ways & !self.looks[place].trapped, need };
        for number in 0..self.looks[place].count {
            let ways = self.looks[place].numbers[number] & position.ways;
            if ways != 0 {
                self.add(&mut sum, Position { ways, ..position })?;
            }
        }
        Some(sum.won)
    }

    /// Returns the weight of the arrangements that are won after a joker; none if it is not more than `need`.
    fn after_joker(&mut self, place: usize, mut position: Position, need: f64) -> Option<f64> {
        position.jokers -= 1;
        let trapped = self.looks[place].trapped & position.ways;
        let mut sum = Sum { won: 0.0, rest: position.ways, need };
        self.add(&mut sum, Position { ways: trapped, ..position })?;
        self.add(&mut sum, Position { ways: position.ways ^ trapped, ..position })?;
        Some(sum.won)
    }

    /// Adds the weight of the arrangements that are won in one of the positions after a move; none if the move cannot win more
    /// than is needed.
    fn add(&mut self, sum: &mut Sum, position: Position) -> Option<()> {
        let ways = position.ways;
        sum.rest &= !ways;
        if ways & ways.wrapping_sub(1) == 0 {
            // At most one arrangement is left, and it is won.
            sum.won += if ways == 0 { 0.0 } else { self.weights[ways.trailing_zeros() as usize] };
            return Some(());
        }
        let need = if sum.need == f64::NEG_INFINITY { sum.need } else { sum.need - sum.won - self.weight(sum.rest) };
        if need > 0.0 && self.weight(ways) <= need {
            return None;
        }
        sum.won += self.won(position, need)?;
        Some(())
    }

    /// Returns the weight of the arrangements that are won from here on, where nothing is certainly safe.
    fn remembered(&mut self, position: Position, need: f64) -> Option<f64> {
        let key = (position.ways, position.scanned, position.jokers);
        match self.won.get(&key) {
            Some(Ok(won)) => return Some(*won),
            Some(Err(most)) if *most <= need => return None,
            _ => (),
        }
        let found = self.best_after(position, need).map(|(won, _)| won);
        self.won.insert(key, found.ok_or(need));
        found
    }

    /// Returns the move that wins most where nothing is certainly safe, and the weight that it wins; none if it is not more
    /// than `need`.
    fn best_after(&mut self, position: Position, need: f64) -> Option<(f64, Decision)> {
        if position.depth == 0 {
            let decision = if position.jokers > 0 {
                Decision::Ask(self.best_joker(position))
            } else {
                Decision::Scan(self.best_scan(position, need)?)
            };
            return self.after(position, decision, need).map(|won| (won, decision));
        }
        let onward = Position { depth: position.depth - 1, ..position };
        let (mut candidates, all) = self.candidates(position);
        let mut best: Option<(f64, Decision)> = None;
        let is_first = position.depth == self.depth();
        loop {
            let most = best.map_or(need.max(0.0), |(won, _)| won);
            if is_first && candidates.clone().all(|later| self.survives(position.ways, later) <= most) {
                // Nothing after this looks up what the other moves would have left in `won`.
                break;
            }
            let Some(decision) = candidates.next() else { break };
            let bound = if self.is_sample { most } else { f64::NEG_INFINITY };
            let Some(won) = self.after(onward, decision, bound) else { continue };
            if won * ROUNDING > most {
                best = Some((won, decision));
            }
            if won >= all * ROUNDING {
                break;
            }
        }
        best
    }

    /// Returns the weight of the arrangements that a move does not lose at once.
    fn survives(&self, ways: u128, decision: Decision) -> f64 {
        match decision {
            Decision::Ask(_) => self.weight(ways),
            Decision::Scan(place) => self.weight(ways & !self.looks[place].trapped),
        }
    }

    /// Returns the weight of the arrangements that are won after a move; none if it is not more than `need`.
    fn after(&mut self, position: Position, decision: Decision, need: f64) -> Option<f64> {
        match decision {
            Decision::Ask(place) => self.after_joker(place, position, need),
            Decision::Scan(place) => self.after_scan(place, position, need),
        }
    }

    /// Adds up for each room that has not been scanned the weights of the arrangements in which it shows the same; returns
    /// the weight of all.
    ///
    /// Each sum is that of [`Self::weight`] to the last bit, for ties depend on it. To go through the arrangements only once
    /// takes a fraction of the time, since no sum waits for its last addition.
    fn add_up(&mut self, position: Position) -> f64 {
        self.hidden.clear();
        self.hidden.extend(each(self.all & !position.scanned).map(|place| (place, [0.0; SHOWN])));
        let mut all = 0.0;
        for way in each(position.ways) {
            let (weight, shown) = (self.weights[way % WAYS], &self.shown[way]);
            all += weight;
            for (place, sums) in &mut self.hidden {
                sums[usize::from(shown[*place % MOST_ROOMS]) % SHOWN] += weight;
            }
        }
        all
    }

    /// Returns the room of the most promising scan, as [`Self::candidates`] has it; none if it does not win more than `need`.
    fn best_scan(&mut self, position: Position, need: f64) -> Option<usize> {
        let hidden = self.all & !position.scanned;
        let mut all = 0.0;
        self.traps.clear();
        self.traps.resize(self.rooms.len(), 0.0);
        for way in each(position.ways) {
            let weight = self.weights[way % WAYS];
            all += weight;
            each(self.ways[way] & hidden).for_each(|place| self.traps[place] += weight);
        }
        let least = each(hidden).fold(f64::INFINITY, |least, place| self.traps[place].min(least));
        if all - least <= need {
            return None;
        }
        // Among others the score depends on the traps alone.
        let most = least + all * (TIE_BREAK / ROUNDING);
        let mut best = (f64::INFINITY, 0);
        for place in each(hidden).filter(|&place| self.traps[place] <= most) {
            let parts = self.looks[place].parts(position.ways).map(|part| self.weight(part));
            if let Some((scan, _)) = scores(self.traps[place], parts, all)
                && scan < best.0
            {
                best = (scan, place);
            }
        }
        Some(best.1)
    }

    /// Returns the room of the most promising joker, as [`Self::candidates`] has it.
    fn best_joker(&mut self, position: Position) -> usize {
        let all = self.add_up(position);
        let mut best = (f64::INFINITY, 0);
        for (place, sums) in &self.hidden {
            if let Some((_, ask)) = scores(sums[TRAP], parts(sums), all)
                && ask < best.0
            {
                best = (ask, *place);
            }
        }
        best.1
    }

    /// Returns the moves to try, the most promising first: jokers that distinguish most arrangements, then the safest
    /// scans; and the weight of all arrangements.
    fn candidates(&mut self, position: Position) -> (impl Iterator<Item = Decision> + Clone + use<>, f64) {
        let all = self.add_up(position);
        let (mut asks, mut scans) = (Promising::default(), Promising::default());
        for (place, sums) in &self.hidden {
            if let Some((scan, ask)) = scores(sums[TRAP], parts(sums), all) {
                scans.insert(scan, *place);
                if position.jokers > 0 && self.looks[*place].trapped & position.ways != 0 {
                    asks.insert(ask, *place);
                }
            }
        }
        (asks.places().map(Decision::Ask).chain(scans.places().map(Decision::Scan)), all)
    }
}

/// Returns the parts of arrangements in which a room shows the same number.
fn parts(sums: &Sums) -> impl Iterator<Item = f64> {
    sums[..TRAP].iter().copied().filter(|sum| *sum != 0.0)
}

/// Returns the scores of a scan and of a joker, given the weights of all arrangements, of those with a trap in the room, and of
/// the parts of the others by their number; none where there is a trap for certain.
fn scores(trap: f64, parts: impl Iterator<Item = f64>, all: f64) -> Option<(f64, f64)> {
    let trap = trap / all;
    if trap >= ROUNDING {
        return None;
    }
    let alike = parts.map(|part| part / all).fold(0.0, |alike, share| alike + share * share);
    Some((trap + alike * TIE_BREAK, alike + trap * trap))
}

/// The rooms with the lowest scores, of which the first come first among equal ones.
#[derive(Clone, Default)]
struct Promising {
    rooms: [(f64, u8); BREADTH],
    count: usize,
}

impl Promising {
    /// Adds a room, unless enough others are as promising.
    fn insert(&mut self, score: f64, place: usize) {
        let is_lower = |&(other, _): &(f64, u8)| score.total_cmp(&other).is_lt();
        if self.count == BREADTH && !is_lower(&self.rooms[BREADTH - 1]) {
            return;
        }
        self.count = BREADTH.min(self.count + 1);
        let mut at = self.count - 1;
        while at > 0 && is_lower(&self.rooms[at - 1]) {
            self.rooms[at] = self.rooms[at - 1];
            at -= 1;
        }
        self.rooms[at] = (score, place as u8);
    }

    /// Returns the rooms, the most promising first.
    fn places(self) -> impl Iterator<Item = usize> + Clone {
        self.rooms.into_iter().take(self.count).map(|(_, place)| usize::from(place))
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
