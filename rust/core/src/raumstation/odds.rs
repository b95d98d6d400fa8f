//! The exact count of the arrangements of traps, for each group of rooms that share numbers.
//!
//! The rooms of a group are decided one after the other. The possibilities for the later rooms depend only on how many
//! traps each number still misses, so all arrangements with the same missing numbers share a state; that keeps even
//! long groups cheap.

use super::{Knowledge, MOST_ROOMS, Rooms, Station, StationError, each};
use crate::random::Random;

/// The state after a choice that contradicts a number.
const NOWHERE: u32 = u32::MAX;
/// The number of bits of a state for the traps that one number still misses: fewer than its rooms, of which there are
/// at most 8.
const MISSING_BITS: usize = 3;
/// The maximum number of numbers that are begun but not finished at one time.
const SLOTS: usize = 128 / MISSING_BITS;
/// The maximum number of states before one room is decided; real stations have a few hundred.
const MOST_STATES: usize = 1 << 20;

/// The numbers that still miss traps, as clues: how many of some undecided rooms hold traps.
struct Clues {
    /// The number of traps that each clue misses, and its rooms.
    clues: Vec<(u8, Rooms)>,
    /// The clues of each room as bits.
    of_room: Vec<u128>,
}

impl Clues {
    fn new(station: &Station, known: &Knowledge) -> Result<Self, StationError> {
        let near = station.near(known.unknown) & known.open;
        let mut found =
            Self { clues: Vec::with_capacity(near.count_ones() as usize), of_room: vec![0; station.rooms()] };
        for room in each(near) {
            let (missing, unknown) = station.missing(known, room)?;
            each(unknown).for_each(|other| found.of_room[other] |= 1 << found.clues.len());
            found.clues.push((missing, unknown));
        }
        Ok(found)
    }

    /// Returns all rooms that are linked with the first one by clues.
    fn linked(&self, first: usize) -> Rooms {
        let (mut linked, mut fresh) = (0, 1 << first);
        while fresh != 0 {
            linked |= fresh;
            let clues = each(fresh).fold(0, |clues, room| clues | self.of_room[room]);
            fresh = each(clues).fold(0, |rooms, clue| rooms | self.clues[clue].1) & !linked;
        }
        linked
    }
}

/// Undecided rooms that share numbers, with every arrangement of traps in them.
///
/// Each number misses some traps, but fewer than it has rooms: every arrangement has a trap and a safe room.
struct Group {
    /// The rooms in the order in which they are decided.
    rooms: Vec<usize>,
    /// The place in `next` of the first state before each room is decided.
    starts: Vec<usize>,
    /// For each state the number, before the next room is decided, of the state that follows if the room is safe, and if
    /// it holds a trap.
    next: Vec<[u32; 2]>,
    /// The number of arrangements that each state leads to, if it fits into a `u64`; the last one is that of the end.
    ways: Vec<u64>,
}

/// The knowledge after all conclusions from single numbers, and the undecided rooms.
pub(super) struct Outlook {
    pub(super) known: Knowledge,
    groups: Vec<Group>,
    /// The undecided rooms without any clue.
    free: Rooms,
    /// Whether one of the free rooms must hold a trap, because there is one and none is known.
    must_hold_trap: bool,
    /// Whether one of the free rooms must be safe, because the game goes on and no safe room is left elsewhere.
    must_hold_safe: bool,
    odds: f64,
}

impl Outlook {
    /// Draws the conclusions that take more than one number; those from single numbers are known.
    pub(super) fn new(station: &Station, known: Knowledge) -> Result<Self, StationError> {
        let clues = Clues::new(station, &known)?;
        let mut free = known.unknown;
        let mut groups = Vec::new();
        let mut layers = Layers::default();
        for first in each(known.unknown) {
            if clues.of_room[first] != 0 && free >> first & 1 == 1 {
                let rooms = clues.linked(first);
                groups.push(layers.group(rooms, &clues)?);
                free &= !rooms;
            }
        }
        let must_hold_trap = groups.is_empty() && known.traps == 0;
        let must_hold_safe = groups.is_empty() && known.safe == 0;
        if free.count_ones() < u32::from(must_hold_trap) + u32::from(must_hold_safe) {
            return Err(StationError::Contradiction);
        }
        Ok(Self { known, groups, free, must_hold_trap, must_hold_safe, odds: station.odds })
    }

    /// Returns whether there is a room without a trap for certain, given the conclusions from single numbers.
    pub(super) fn proves_safe(station: &Station, known: &Knowledge, room: usize) -> Result<bool, StationError> {
        let clues = Clues::new(station, known)?;
        if clues.of_room[room] != 0 {
            let group = Layers::default().group(clues.linked(room), &clues)?;
            return Ok(group.certainly_safe() >> room & 1 == 1);
        }
        // Without a clue it is safe only if it is the last one that can be.
        Ok(clues.clues.is_empty() && known.safe == 0 && known.unknown == 1 << room)
    }

    /// Returns the rooms that are certainly safe and have not been scanned.
    pub(super) fn certainly_safe(&self) -> Rooms {
        let free = if self.must_hold_safe && self.free.is_power_of_two() { self.free } else { 0 };
        self.groups.iter().fold(self.known.safe | free, |safe, group| safe | group.certainly_safe())
    }

    /// Returns whether the free rooms can hold this number of traps in a game that goes on.
    fn allows(&self, traps: u32) -> bool {
        !(self.must_hold_trap && traps == 0 || self.must_hold_safe && traps == self.free.count_ones())
    }

    /// Returns the probability of a trap in each of the free rooms; exactly 0 or 1 where it is certain.
    fn free_probability(&self, prior: f64) -> f64 {
        let power = |base: f64| each(self.free).fold(1.0, |product, _| product * base);
        let trap = if self.must_hold_safe { prior - power(prior) } else { prior };
        let safe = if self.must_hold_trap { 1.0 - prior - power(1.0 - prior) } else { 1.0 - prior };
        if safe == 0.0 { 1.0 } else { trap / (safe + trap) }
    }

    /// Returns the probability of a trap in each room; exactly 0 or 1 where it is certain.
    pub(super) fn probabilities(&self, prior: f64) -> Vec<f64> {
        let mut probabilities = vec![0.0; self.known.all().count_ones() as usize];
        each(self.known.traps).for_each(|room| probabilities[room] = 1.0);
        for group in &self.groups {
            for (&room, probability) in group.rooms.iter().zip(group.probabilities(self.odds)) {
                probabilities[room] = probability;
            }
        }
        let free = self.free_probability(prior);
        each(self.free).for_each(|room| probabilities[room] = free);
        probabilities
    }

    /// Returns the undecided rooms, in the order of the bits of an arrangement.
    pub(super) fn undecided(&self) -> Vec<usize> {
        self.groups.iter().flat_map(|group| &group.rooms).copied().chain(each(self.free)).collect()
    }

    /// Draws arrangements, each with its exact probability, as numbers whose bits are the undecided rooms with a trap.
    pub(super) fn draws<'a>(&self, prior: f64, random: &'a mut Random) -> impl Iterator<Item = u128> + use<'a, '_> {
        let shares: Vec<Vec<[f64; 2]>> = self.groups.iter().map(|group| group.shares(self.odds)).collect();
        let draw = move || {
            let mut traps = 0;
            let mut place = 0;
            for (group, shares) in self.groups.iter().zip(&shares) {
                traps |= group.draw(shares, random) << place;
                place += group.rooms.len();
            }
            loop {
                let bits =
                    (0..self.free.count_ones()).fold(0, |bits, room| bits | u128::from(random.unit() < prior) << room);
                if self.allows(bits.count_ones()) {
                    return Some(if bits == 0 { traps } else { traps | bits << place });
                }
            }
        };
        std::iter::from_fn(draw)
    }

    /// Lists all arrangements and their weights, if they do not exceed this number.
    pub(super) fn list(&self, most: u64) -> Option<Vec<(u128, f64)>> {
        let free = 1_u64.checked_shl(self.free.count_ones())?;
        let ways = self.groups.iter().map(|group| group.ways[0]).fold(free, u64::saturating_mul);
        if ways > most {
            return None;
        }
        let alone = |bits: u64| (u128::from(bits), (0..bits.count_ones()).fold(1.0, |weight, _| weight * self.odds));
        let mut list: Vec<_> = (0..free).filter(|bits| self.allows(bits.count_ones())).map(alone).collect();
        for group in self.groups.iter().rev() {
            let shift = group.rooms.len();
            let ways = group.list(self.odds);
            let joined = |&(rest, weight)| {
                ways.iter().map(move |&(traps, factor): &(u128, f64)| (rest << shift | traps, weight * factor))
            };
            list = list.iter().flat_map(joined).collect();
        }
        Some(list)
    }
}

/// The clues in progress, and the place of each clue's missing traps in a state.
struct Slots {
    /// The place of each clue that is begun.
    slot_of: [u8; MOST_ROOMS],
    /// The number of undecided rooms of each clue that is begun.
    left: [u8; MOST_ROOMS],
    /// The clues that are begun as bits.
    begun: u128,
    /// The places in use as bits.
    used: u64,
    /// The number of clues that each room would begin, and how many of a room's clues it would not finish, but for a constant.
    costs: [(u8, i8); MOST_ROOMS],
}

impl Slots {
    /// Creates the slots for some rooms.
    fn new(rooms: Rooms, clues: &Clues) -> Self {
        let mut costs = [(0, 0); MOST_ROOMS];
        each(rooms).for_each(|room| costs[room].0 = clues.of_room[room].count_ones() as u8);
        Self { slot_of: [0; MOST_ROOMS], left: [0; MOST_ROOMS], begun: 0, used: 0, costs }
    }

    /// Returns the room that begins the fewest clues and then finishes the most.
    fn choose(&self, rest: Rooms) -> usize {
        each(rest).min_by_key(|&room| self.costs[room]).unwrap_or(0)
    }
}

/// The change of a state when one room is decided.
#[derive(Default)]
struct Step {
    /// The missing traps of the clues that begin here.
    begun: u128,
    /// One trap for each of the room's clues.
    trap: u128,
    /// The places of the room's clues in the state, and the number of their rooms after this one.
    slots: [(u8, u8); 8],
    /// The number of the room's clues.
    count: usize,
}

impl Step {
    /// Decides a room, after which others of its group are left.
    fn new(room: usize, rest: Rooms, slots: &mut Slots, clues: &Clues) -> Result<Self, StationError> {
        let mut step = Self::default();
        let mut done = 0;
        for clue in each(clues.of_room[room]) {
            let (missing, rooms) = clues.clues[clue];
            let bit = 1 << clue;
            if slots.begun & bit == 0 {
                let slot = slots.used.trailing_ones() as usize;
                if slot >= SLOTS {
                    return Err(StationError::Tangled);
                }
                slots.begun |= bit;
                slots.used |= 1 << slot;
                slots.slot_of[clue] = slot as u8;
                slots.left[clue] = rooms.count_ones() as u8;
                each(rooms).for_each(|room| slots.costs[room].0 -= 1);
                step.begun |= u128::from(missing) << (slot * MISSING_BITS);
            }
            slots.left[clue] -= 1;
            match slots.left[clue] {
                0 => done |= 1_u64 << slots.slot_of[clue],
                1 => each(rooms & rest).for_each(|last| slots.costs[last].1 -= 1),
                _ => (),
            }
            let shift = slots.slot_of[clue] * MISSING_BITS as u8;
            step.trap |= 1 << shift;
            step.slots[step.count] = (shift, slots.left[clue]);
            step.count += 1;
        }
        slots.used &= !done;
        Ok(step)
    }

    /// Returns the states after this room, if it is safe and if it holds a trap.
    fn next(&self, state: u128) -> [Option<u128>; 2] {
        let slots = &self.slots[..self.count];
        let missing = |state: u128, shift: u8| (state >> shift & ((1 << MISSING_BITS) - 1)) as u8;
        let fits = |state: u128| slots.iter().all(|&(shift, left)| missing(state, shift) <= left).then_some(state);
        let state = state | self.begun;
        let may_hold_trap = slots.iter().all(|&(shift, _)| missing(state, shift) != 0);
        [fits(state), if may_hold_trap { fits(state - self.trap) } else { None }]
    }
}

/// The states before and after one room is decided, while groups are made.
#[derive(Default)]
struct Layers {
    states: Vec<u128>,
    reached: Vec<u128>,
    nexts: Vec<[Option<u128>; 2]>,
}

impl Layers {
    fn group(&mut self, mut rest: Rooms, clues: &Clues) -> Result<Group, StationError> {
        let rooms = rest.count_ones() as usize;
        let mut group = Group {
            rooms: Vec::with_capacity(rooms),
            starts: Vec::with_capacity(rooms + 1),
            next: Vec::with_capacity(4 * rooms),
            ways: Vec::new(),
        };
        let mut slots = Slots::new(rest, clues);
        self.states.clear();
        self.states.push(0);
        while rest != 0 {
            let room = slots.choose(rest);
            rest &= !(1 << room);
            let step = Step::new(room, rest, &mut slots, clues)?;
            group.rooms.push(room);
            group.starts.push(group.next.len());
            self.take(&step, &mut group.next)?;
        }
        if self.states.is_empty() {
            return Err(StationError::Contradiction);
        }
        group.starts.push(group.next.len());
        group.count();
        Ok(group)
    }

    /// Goes on to the states after a room.
    fn take(&mut self, step: &Step, next: &mut Vec<[u32; 2]>) -> Result<(), StationError> {
        self.nexts.clear();
        self.nexts.extend(self.states.iter().map(|&state| step.next(state)));
        self.reached.clear();
        self.reached.extend(self.nexts.iter().flatten().copied().flatten());
        self.reached.sort_unstable();
        self.reached.dedup();
        if self.reached.len() > MOST_STATES {
            return Err(StationError::Tangled);
        }
        let place = |state: Option<u128>| {
            state.and_then(|state| self.reached.binary_search(&state).ok()).map_or(NOWHERE, |place| place as u32)
        };
        next.extend(self.nexts.iter().map(|pair| pair.map(place)));
        std::mem::swap(&mut self.states, &mut self.reached);
        Ok(())
    }
}

impl Group {
    /// Counts the arrangements that each state leads to.
    fn count(&mut self) {
        self.ways = vec![1; self.next.len() + 1];
        for room in (0..self.rooms.len()).rev() {
            let onward = self.starts[room + 1];
            for state in self.starts[room]..onward {
                let count = |next: u32| if next == NOWHERE { 0 } else { self.ways[onward + next as usize] };
                let [safe, trap] = self.next[state].map(count);
                self.ways[state] = safe.saturating_add(trap);
            }
        }
    }

    /// Returns the states before a room is decided: for each the places of those that follow.
    fn layer(&self, room: usize) -> &[[u32; 2]] {
        &self.next[self.starts[room]..self.starts[room + 1]]
    }

    /// Returns the rooms that hold a trap in no arrangement.
    fn certainly_safe(&self) -> Rooms {
        let may_hold_trap = |place: usize| {
            let onward = &self.ways[self.starts[place + 1]..];
            self.layer(place).iter().any(|&[_, trap]| trap != NOWHERE && onward[trap as usize] != 0)
        };
        let safe = self.rooms.iter().enumerate().filter(|&(place, _)| !may_hold_trap(place));
        safe.fold(0, |rooms, (_, room)| rooms | 1 << room)
    }

    /// Returns the weight of all arrangements that each state leads to, up to a factor for each room.
    fn after(&self, odds: f64) -> Vec<f64> {
        let mut after = vec![1.0; self.next.len() + 1];
        for room in (0..self.rooms.len()).rev() {
            let (before, onward) = after.split_at_mut(self.starts[room + 1]);
            let layer = &mut before[self.starts[room]..];
            for (weight, &next) in layer.iter_mut().zip(self.layer(room)) {
                *weight = weights(next, onward, odds).iter().sum();
            }
            scale(layer);
        }
        after
    }

    /// Returns the weight of all arrangements that lead to each state, up to a factor for each room.
    fn before(&self, odds: f64) -> Vec<f64> {
        let mut before = vec![0.0; self.next.len() + 1];
        before[0] = 1.0;
        for room in 0..self.rooms.len() {
            let (layer, onward) = before.split_at_mut(self.starts[room + 1]);
            let width = self.starts.get(room + 2).map_or(1, |end| end - self.starts[room + 1]);
            for (weight, next) in layer[self.starts[room]..].iter().zip(self.layer(room)) {
                for (&state, factor) in next.iter().zip([1.0, odds]) {
                    if state != NOWHERE {
                        onward[state as usize] += weight * factor;
                    }
                }
            }
            scale(&mut onward[..width]);
        }
        before
    }

    /// Returns the probability of a trap in each of the group's rooms; exactly 0 or 1 where it is certain.
    fn probabilities(&self, odds: f64) -> impl Iterator<Item = f64> {
        let (before, after) = (self.before(odds), self.after(odds));
        (0..self.rooms.len()).map(move |room| {
            let [mut safe, mut trap] = [0.0; 2];
            let onward = &after[self.starts[room + 1]..];
            for (&next, before) in self.layer(room).iter().zip(&before[self.starts[room]..]) {
                let [if_safe, if_trap] = weights(next, onward, odds);
                safe += before * if_safe;
                trap += before * if_trap;
            }
            if safe == 0.0 { 1.0 } else { trap / (safe + trap) }
        })
    }

    /// Returns for each state the weight of all arrangements that it leads to, and of those in which the next room holds a
    /// trap, up to a factor.
    fn shares(&self, odds: f64) -> Vec<[f64; 2]> {
        let after = self.after(odds);
        let mut shares = Vec::with_capacity(self.next.len());
        for room in 0..self.rooms.len() {
            let onward = &after[self.starts[room + 1]..];
            shares.extend(self.layer(room).iter().map(|&next| {
                let [safe, trap] = weights(next, onward, odds);
                [safe + trap, trap]
            }));
        }
        shares
    }

    /// Draws an arrangement with its exact probability, as a number whose bits are the rooms with a trap.
    fn draw(&self, shares: &[[f64; 2]], random: &mut Random) -> u128 {
        let mut state = 0;
        let mut traps = 0;
        for (place, &start) in self.starts[..self.rooms.len()].iter().enumerate() {
            let [all, trap] = shares[start + state];
            let is_trap = random.unit() * all < trap;
            state = self.next[start + state][usize::from(is_trap)] as usize;
            traps |= u128::from(is_trap) << place;
        }
        traps
    }

    /// Lists all arrangements, each as a number whose bits are the rooms with a trap, and its weight.
    fn list(&self, odds: f64) -> Vec<(u128, f64)> {
        let mut ways = Vec::new();
        let mut pending = vec![(0, 0, 0, 1.0)];
        while let Some((place, state, traps, weight)) = pending.pop() {
            if place == self.rooms.len() {
                ways.push((traps, weight));
                continue;
            }
            let leads = |next: u32| next != NOWHERE && self.ways[self.starts[place + 1] + next as usize] != 0;
            let [safe, trap] = self.layer(place)[state as usize];
            if leads(trap) {
                pending.push((place + 1, trap, traps | 1 << place, weight * odds));
            }
            if leads(safe) {
                pending.push((place + 1, safe, traps, weight));
            }
        }
        ways
    }
}

/// Returns the weights of both choices from a state.
fn weights(next: [u32; 2], after: &[f64], odds: f64) -> [f64; 2] {
    let [safe, trap] = next.map(|state| if state == NOWHERE { 0.0 } else { after[state as usize] });
    [safe, odds * trap]
}

/// Scales weights to the sum 1, so that long products do not leave the range of floating-point numbers.
fn scale(weights: &mut [f64]) {
    let sum: f64 = weights.iter().sum();
    for weight in weights {
        *weight /= sum;
    }
}
