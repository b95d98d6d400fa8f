//! The exact count of the arrangements of traps, for each group of rooms that share numbers.
//!
//! The rooms of a group are decided one after the other. The possibilities for the later rooms depend only on how many
//! traps each number still misses, so all arrangements with the same missing numbers share a state; that keeps even
//! long groups cheap.

use super::{Known, Station, StationError};
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

/// A number as a clue: how many of some undecided rooms hold traps.
struct Clue {
    missing: u8,
    rooms: Vec<usize>,
}

/// The possible states before one room is decided.
struct Layer {
    /// The next state if the room is safe, and if it holds a trap.
    next: Vec<[u32; 2]>,
    /// The weight of all arrangements that lead to each state, up to a factor.
    before: Vec<f64>,
    /// The weight of all continuations from each state after it, up to a factor.
    after: Vec<f64>,
}

/// Undecided rooms that share numbers, with every arrangement of traps in them.
///
/// Each number misses some traps, but fewer than it has rooms: every arrangement has a trap and a safe room.
struct Group {
    rooms: Vec<usize>,
    layers: Vec<Layer>,
    odds: f64,
}

/// The knowledge after all conclusions from single numbers, and the undecided rooms.
pub(super) struct Outlook {
    pub(super) known: Vec<Known>,
    groups: Vec<Group>,
    /// The undecided rooms without any clue.
    free: Vec<usize>,
    /// Whether one of the free rooms must hold a trap, because there is one and none is known.
    must_hold_trap: bool,
    /// Whether one of the free rooms must be safe, because the game goes on and no safe room is left elsewhere.
    must_hold_safe: bool,
}

impl Outlook {
    pub(super) fn new(station: &Station, known: &[Known]) -> Result<Self, StationError> {
        let mut known = known.to_vec();
        station.deduce(&mut known)?;
        let mut clues_of = vec![Vec::new(); known.len()];
        let mut clues = Vec::new();
        for (room, &state) in known.iter().enumerate() {
            let Known::Number(number) = state else { continue };
            let (missing, unknown) = station.missing(&known, room, number)?;
            if unknown > 0 {
                let near = station.nearby[room].iter().copied();
                let rooms: Vec<usize> = near.filter(|&other| known[other] == Known::Unknown).collect();
                for &other in &rooms {
                    clues_of[other].push(clues.len());
                }
                clues.push(Clue { missing: missing as u8, rooms });
            }
        }
        let mut grouped = vec![false; known.len()];
        let mut groups = Vec::new();
        for first in 0..known.len() {
            if !clues_of[first].is_empty() && !grouped[first] {
                let rooms = connected(first, &clues, &clues_of, &mut grouped);
                groups.push(Group::new(rooms, &clues, &clues_of, station.odds)?);
            }
        }
        let is_free = |&room: &usize| known[room] == Known::Unknown && clues_of[room].is_empty();
        let free: Vec<usize> = (0..known.len()).filter(is_free).collect();
        let must_hold_trap = groups.is_empty() && !known.contains(&Known::Trap);
        let must_hold_safe = groups.is_empty() && !known.contains(&Known::Safe);
        if free.len() < usize::from(must_hold_trap) + usize::from(must_hold_safe) {
            return Err(StationError::Contradiction);
        }
        Ok(Self { known, groups, free, must_hold_trap, must_hold_safe })
    }

    /// Returns whether the free rooms can hold this number of traps in a game that goes on.
    fn allows(&self, traps: u32) -> bool {
        !(self.must_hold_trap && traps == 0 || self.must_hold_safe && traps as usize == self.free.len())
    }

    /// Returns the probability of a trap in each of the free rooms; exactly 0 or 1 where it is certain.
    fn free_probability(&self, prior: f64) -> f64 {
        let power = |base: f64| self.free.iter().fold(1.0, |product, _| product * base);
        let trap = if self.must_hold_safe { prior - power(prior) } else { prior };
        let safe = if self.must_hold_trap { 1.0 - prior - power(1.0 - prior) } else { 1.0 - prior };
        if safe == 0.0 { 1.0 } else { trap / (safe + trap) }
    }

    /// Returns the probability of a trap in each room; exactly 0 or 1 where it is certain.
    pub(super) fn probabilities(&self, prior: f64) -> Vec<f64> {
        let certain = |&state| if state == Known::Trap { 1.0 } else { 0.0 };
        let mut probabilities: Vec<f64> = self.known.iter().map(certain).collect();
        for group in &self.groups {
            for (&room, probability) in group.rooms.iter().zip(group.probabilities()) {
                probabilities[room] = probability;
            }
        }
        let free = self.free_probability(prior);
        self.free.iter().for_each(|&room| probabilities[room] = free);
        probabilities
    }

    /// Returns the undecided rooms, in the order of the bits of an arrangement.
    pub(super) fn undecided(&self) -> Vec<usize> {
        self.groups.iter().flat_map(|group| &group.rooms).chain(&self.free).copied().collect()
    }

    /// Draws an arrangement with its exact probability, as a number whose bits are the undecided rooms with a trap.
    pub(super) fn draw(&self, prior: f64, random: &mut Random) -> u128 {
        let mut traps = 0;
        let mut place = 0;
        for group in &self.groups {
            traps |= group.draw(random) << place;
            place += group.rooms.len();
        }
        loop {
            let bits = (0..self.free.len()).fold(0, |bits, room| bits | u128::from(random.unit() < prior) << room);
            if self.allows(bits.count_ones()) {
                return if bits == 0 { traps } else { traps | bits << place };
            }
        }
    }

    /// Lists all arrangements and their weights, if they do not exceed this number.
    pub(super) fn list(&self, most: u64, odds: f64) -> Option<Vec<(u128, f64)>> {
        let free = 1_u64.checked_shl(self.free.len() as u32)?;
        let ways = self.groups.iter().map(Group::ways).fold(free, u64::saturating_mul);
        if ways > most {
            return None;
        }
        let alone = |bits: u64| (u128::from(bits), (0..bits.count_ones()).fold(1.0, |weight, _| weight * odds));
        let mut list: Vec<_> = (0..free).filter(|bits| self.allows(bits.count_ones())).map(alone).collect();
        for group in self.groups.iter().rev() {
            let shift = group.rooms.len();
            let ways = group.list();
            let joined = |&(rest, weight)| {
                ways.iter().map(move |&(traps, factor): &(u128, f64)| (rest << shift | traps, weight * factor))
            };
            list = list.iter().flat_map(joined).collect();
        }
        Some(list)
    }
}

/// Returns all rooms that are linked with the first one by numbers.
fn connected(first: usize, clues: &[Clue], clues_of: &[Vec<usize>], grouped: &mut [bool]) -> Vec<usize> {
    let mut rooms = vec![first];
    grouped[first] = true;
    let mut place = 0;
    while let Some(&room) = rooms.get(place) {
        for &other in clues_of[room].iter().flat_map(|&clue| &clues[clue].rooms) {
            if !grouped[other] {
                grouped[other] = true;
                rooms.push(other);
            }
        }
        place += 1;
    }
    rooms
}

/// The clues in progress, and the place of each clue's missing traps in a state.
struct Slots {
    slot_of: Vec<Option<usize>>,
    left: Vec<usize>,
    used: [bool; SLOTS],
}

impl Slots {
    fn new(clues: &[Clue]) -> Self {
        let left = clues.iter().map(|clue| clue.rooms.len()).collect();
        Self { slot_of: vec![None; clues.len()], left, used: [false; SLOTS] }
    }

    /// Removes from the rest the room that begins the fewest clues and then finishes the most.
    fn take(&self, rest: &mut Vec<usize>, clues_of: &[Vec<usize>]) -> usize {
        let cost = |room: usize| {
            let begun = clues_of[room].iter().filter(|&&clue| self.slot_of[clue].is_none()).count();
            let done = clues_of[room].iter().filter(|&&clue| self.left[clue] == 1).count();
            (begun, SLOTS - done, room)
        };
        let place = (0..rest.len()).min_by_key(|&place| cost(rest[place])).unwrap_or(0);
        rest.swap_remove(place)
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
    slots: Vec<(usize, u128)>,
}

impl Step {
    fn new(room: usize, slots: &mut Slots, clues: &[Clue], clues_of: &[Vec<usize>]) -> Result<Self, StationError> {
        let mut step = Self::default();
        for &clue in &clues_of[room] {
            let slot = slots.slot_of[clue]
                .or_else(|| slots.used.iter().position(|used| !used))
                .ok_or(StationError::Tangled)?;
            let shift = slot * MISSING_BITS;
            if slots.slot_of[clue].replace(slot).is_none() {
                slots.used[slot] = true;
                step.begun |= u128::from(clues[clue].missing) << shift;
            }
            slots.left[clue] -= 1;
            step.trap |= 1 << shift;
            step.slots.push((shift, slots.left[clue] as u128));
        }
        for &clue in clues_of[room].iter().filter(|&&clue| slots.left[clue] == 0) {
            slots.slot_of[clue].iter().for_each(|&slot| slots.used[slot] = false);
        }
        Ok(step)
    }

    /// Returns the states after this room, if it is safe and if it holds a trap.
    fn next(&self, state: u128) -> [Option<u128>; 2] {
        let missing = |state: u128, shift: usize| state >> shift & ((1 << MISSING_BITS) - 1);
        let fits = |state: u128| self.slots.iter().all(|&(shift, left)| missing(state, shift) <= left).then_some(state);
        let state = state | self.begun;
        let may_hold_trap = self.slots.iter().all(|&(shift, _)| missing(state, shift) != 0);
        [fits(state), if may_hold_trap { fits(state - self.trap) } else { None }]
    }
}

impl Group {
    fn new(mut rest: Vec<usize>, clues: &[Clue], clues_of: &[Vec<usize>], odds: f64) -> Result<Self, StationError> {
        let mut slots = Slots::new(clues);
        let mut group = Self { rooms: Vec::with_capacity(rest.len()), layers: Vec::new(), odds };
        let mut states = vec![0];
        while !rest.is_empty() {
            let room = slots.take(&mut rest, clues_of);
            let step = Step::new(room, &mut slots, clues, clues_of)?;
            let nexts: Vec<_> = states.iter().map(|&state| step.next(state)).collect();
            let mut reached: Vec<u128> = nexts.iter().flatten().copied().flatten().collect();
            reached.sort_unstable();
            reached.dedup();
            let place = |state: Option<u128>| {
                state.and_then(|state| reached.binary_search(&state).ok()).map_or(NOWHERE, |place| place as u32)
            };
            if reached.len() > MOST_STATES {
                return Err(StationError::Tangled);
            }
            let next = nexts.into_iter().map(|pair| pair.map(place)).collect();
            group.rooms.push(room);
            group.layers.push(Layer { next, before: Vec::new(), after: Vec::new() });
            states = reached;
        }
        if states.is_empty() {
            return Err(StationError::Contradiction);
        }
        group.weigh();
        Ok(group)
    }

    fn weigh(&mut self) {
        let mut before = vec![1.0];
        for place in 0..self.layers.len() {
            let width = self.layers.get(place + 1).map_or(1, |layer| layer.next.len());
            let layer = &mut self.layers[place];
            let mut onward = vec![0.0; width];
            for (next, weight) in layer.next.iter().zip(&before) {
                for (state, factor) in next.iter().zip([1.0, self.odds]) {
                    if *state != NOWHERE {
                        onward[*state as usize] += weight * factor;
                    }
                }
            }
            layer.before = std::mem::replace(&mut before, scaled(onward));
        }
        let mut after = vec![1.0];
        for layer in self.layers.iter_mut().rev() {
            let weights = layer.next.iter().map(|next| weights(*next, &after, self.odds).iter().sum()).collect();
            layer.after = std::mem::replace(&mut after, scaled(weights));
        }
    }

    /// Returns the probability of a trap in each of the group's rooms; exactly 0 or 1 where it is certain.
    fn probabilities(&self) -> impl Iterator<Item = f64> {
        self.layers.iter().map(|layer| {
            let [mut safe, mut trap] = [0.0; 2];
            for (next, before) in layer.next.iter().zip(&layer.before) {
                let [if_safe, if_trap] = weights(*next, &layer.after, self.odds);
                safe += before * if_safe;
                trap += before * if_trap;
            }
            if safe == 0.0 { 1.0 } else { trap / (safe + trap) }
        })
    }

    /// Returns the number of arrangements, if it fits into a `u64`.
    fn ways(&self) -> u64 {
        let mut after: Vec<u64> = vec![1];
        for layer in self.layers.iter().rev() {
            let count = |state: u32| if state == NOWHERE { 0 } else { after[state as usize] };
            after = layer.next.iter().map(|&[safe, trap]| count(safe).saturating_add(count(trap))).collect();
        }
        after[0]
    }

    /// Draws an arrangement with its exact probability, as a number whose bits are the rooms with a trap.
    fn draw(&self, random: &mut Random) -> u128 {
        let mut state = 0;
        let mut traps = 0;
        for (place, layer) in self.layers.iter().enumerate() {
            let next = layer.next[state as usize];
            let [safe, trap] = weights(next, &layer.after, self.odds);
            let is_trap = random.unit() * (safe + trap) < trap;
            state = next[usize::from(is_trap)];
            traps |= u128::from(is_trap) << place;
        }
        traps
    }

    /// Lists all arrangements, each as a number whose bits are the rooms with a trap, and its weight.
    fn list(&self) -> Vec<(u128, f64)> {
        let mut ways = Vec::new();
        let mut pending = vec![(0, 0, 0, 1.0)];
        while let Some((place, state, traps, weight)) = pending.pop() {
            let Some(layer) = self.layers.get(place) else {
                ways.push((traps, weight));
                continue;
            };
            let next: [u32; 2] = layer.next[state as usize];
            let possible = weights(next, &layer.after, self.odds);
            if possible[1] > 0.0 {
                pending.push((place + 1, next[1], traps | 1 << place, weight * self.odds));
            }
            if possible[0] > 0.0 {
                pending.push((place + 1, next[0], traps, weight));
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
fn scaled(mut weights: Vec<f64>) -> Vec<f64> {
    let sum: f64 = weights.iter().sum();
    for weight in &mut weights {
        *weight /= sum;
    }
    weights
}
