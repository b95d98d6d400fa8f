//! How traps can lie: counted exactly, group by group of rooms that share numbers.
//!
//! The rooms of a group are decided one after the other. What the later ones may be depends only on how many traps
//! each number still misses, so all ways to the same missing numbers are one; that keeps even long groups cheap.

use super::{Known, Station, StationError};
use crate::random::Random;

/// A choice that contradicts a number leads to no state.
const NOWHERE: u32 = u32::MAX;
/// How many bits of a state say how many traps one number still misses: fewer than its rooms, which are at most 8.
const MISSING_BITS: usize = 3;
/// How many numbers may be begun but not finished at one time.
const SLOTS: usize = 128 / MISSING_BITS;
/// How many states are possible before one room is decided, at most; real stations have a few hundred.
const MOST_STATES: usize = 1 << 20;

/// A number and what it still says: how many of some undecided rooms hold traps.
struct Clue {
    missing: u8,
    rooms: Vec<usize>,
}

/// The states that are possible before one room is decided.
struct Layer {
    /// Where each state leads if the room is safe, and if it holds a trap.
    next: Vec<[u32; 2]>,
    /// The weight of all ways to each state, up to a factor.
    before: Vec<f64>,
    /// The weight of all ways on from each state after it, up to a factor.
    after: Vec<f64>,
}

/// Undecided rooms that share numbers, and every way in which traps can lie in them.
///
/// Each number misses some traps, but fewer than it has rooms: every way has a trap and a safe room.
struct Group {
    rooms: Vec<usize>,
    layers: Vec<Layer>,
    odds: f64,
}

/// What is known once everything that single numbers tell has been drawn from them, and what is left undecided.
pub(super) struct Outlook {
    pub(super) known: Vec<Known>,
    groups: Vec<Group>,
    /// The undecided rooms of which no number tells anything.
    free: Vec<usize>,
    /// As there is a trap somewhere, and none is known, one of the free rooms holds it.
    must_hold_trap: bool,
    /// As the game goes on, and no safe room is left elsewhere, one of the free rooms is safe.
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

    /// Can the free rooms hold these traps, in a game that goes on?
    fn allows(&self, traps: u32) -> bool {
        !(self.must_hold_trap && traps == 0 || self.must_hold_safe && traps as usize == self.free.len())
    }

    /// How probable a trap is in each of the free rooms; exactly 0 or 1 where it is certain.
    fn free_probability(&self, prior: f64) -> f64 {
        let power = |base: f64| self.free.iter().fold(1.0, |product, _| product * base);
        let trap = if self.must_hold_safe { prior - power(prior) } else { prior };
        let safe = if self.must_hold_trap { 1.0 - prior - power(1.0 - prior) } else { 1.0 - prior };
        if safe == 0.0 { 1.0 } else { trap / (safe + trap) }
    }

    /// How probable a trap is in each room; exactly 0 or 1 where it is certain.
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

    /// The undecided rooms, in the order in which ways are told of them.
    pub(super) fn undecided(&self) -> Vec<usize> {
        self.groups.iter().flat_map(|group| &group.rooms).chain(&self.free).copied().collect()
    }

    /// Draws one way, each with its right probability, as a number whose bits are the undecided rooms with a trap.
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

    /// Lists all ways and their weights, if they are not more than this.
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

/// All rooms that hang together with the first one by numbers.
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

/// Which clues are begun, and where in a state each keeps what it misses.
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

    /// Takes the room that begins the fewest clues and then finishes the most out of the rest.
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

/// How deciding one room changes a state.
#[derive(Default)]
struct Step {
    /// What the clues that begin here miss.
    begun: u128,
    /// One trap for each of the room's clues.
    trap: u128,
    /// Where the room's clues keep what they miss, and how many rooms they have after this one.
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

    /// The states after this room, if it is safe and if it holds a trap.
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

    /// How probable a trap is in each of the group's rooms; exactly 0 or 1 where it is certain.
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

    /// How many ways there are, if a `u64` can tell.
    fn ways(&self) -> u64 {
        let mut after: Vec<u64> = vec![1];
        for layer in self.layers.iter().rev() {
            let count = |state: u32| if state == NOWHERE { 0 } else { after[state as usize] };
            after = layer.next.iter().map(|&[safe, trap]| count(safe).saturating_add(count(trap))).collect();
        }
        after[0]
    }

    /// Draws one way, each with its right probability, as a number whose bits are the rooms with a trap.
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

    /// Lists all ways, each as a number whose bits are the rooms with a trap, and its weight.
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

/// The weights of both choices that lead on from a state.
fn weights(next: [u32; 2], after: &[f64], odds: f64) -> [f64; 2] {
    let [safe, trap] = next.map(|state| if state == NOWHERE { 0.0 } else { after[state as usize] });
    [safe, odds * trap]
}

/// Weights whose sum is 1, lest long products run out of the floating numbers.
fn scaled(mut weights: Vec<f64>) -> Vec<f64> {
    let sum: f64 = weights.iter().sum();
    for weight in &mut weights {
        *weight /= sum;
    }
    weights
}
