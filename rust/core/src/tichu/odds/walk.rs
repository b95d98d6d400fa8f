//! Counts hands value by value, without enumerating them.
//!
//! Hands are counted by size, so what is passed on from value to value is a polynomial: its coefficient *d* is the
//! number of ways to have chosen *d* cards so far. All coefficients are whole numbers below 2⁵³ (there are 6·10¹²
//! hands of 14 cards), which `f64` holds and adds exactly on every machine, two or more at a time.
//!
//! **Streets of one suit** are excluded jointly with everything else. Call five cards of one suit in a row whose next
//! lower card is missing a *block*: each one-suit run of five or more cards has exactly one, at its lower end. A hand
//! of 14 cards has at most two; let it have *n*. As 1 − *n* + *n*(*n* − 1)/2 is 1 for no block and 0 for one or two,
//! the hands without a block are those with none chosen, minus those with one chosen, plus those with two. While a
//! block is open its suit's card is settled (there for five values, missing for the sixth); all other cards are free.
//! A *place* is a choice of open and closed blocks; the polynomial there counts only the cards outside of them.

use std::cell::OnceCell;
use std::ops::Range;

use super::automaton::{Automaton, BEGIN, LANDED, State};

/// The number of cards of a block.
const BLOCK: usize = 5;
/// The maximum number of chosen blocks.
const MOST_BLOCKS: usize = 2;

/// The number of ways to choose cards of a value, by the number of cards there and the number chosen.
const WAYS: [[f64; 5]; 5] = [
    [1.0, 0.0, 0.0, 0.0, 0.0],
    [1.0, 1.0, 0.0, 0.0, 0.0],
    [1.0, 2.0, 1.0, 0.0, 0.0],
    [1.0, 3.0, 3.0, 1.0, 0.0],
    [1.0, 4.0, 6.0, 4.0, 1.0],
];

/// The values in the order of reading, each with its suits in the pool.
pub type Line = Vec<u8>;

/// All places between the values of a line, and the moves from one to the next.
pub struct Walk {
    /// The number of coefficients of a place, by the number of its blocks.
    widths: [usize; MOST_BLOCKS + 1],
    /// The levels, one more than there are values.
    levels: Vec<Level>,
    places: Vec<Place>,
    moves: Vec<Move>,
}

/// The places before a value, and the moves over that value.
struct Level {
    places: Range<usize>,
    moves: Range<usize>,
    /// The number of coefficients of all places together.
    size: usize,
    /// The number of coefficients of all places of the previous levels.
    before: usize,
    /// The number of cards of the value.
    cards: usize,
}

/// The start of a place's coefficients in those of its level, and the blocks chosen there.
#[derive(Clone, Copy)]
struct Place {
    offset: usize,
    blocks: Blocks,
}

/// A move over one value.
struct Move {
    from: Place,
    to: Place,
    /// The number of cards of the value in open blocks.
    forced: usize,
    /// The number of optional cards of the value.
    free: usize,
}

/// The blocks chosen so far.
#[derive(Clone, Copy, PartialEq)]
struct Blocks {
    /// For each suit, 0 if no block is open, otherwise one more than the number of cards its block still lacks.
    open: [u8; 4],
    begun: u8,
}

impl Blocks {
    const NONE: Self = Self { open: [0; 4], begun: 0 };

    /// Returns the suits whose block satisfies a predicate.
    fn suits(self, wanted: impl Fn(u8) -> bool) -> u8 {
        (0..4).filter(|&suit| wanted(self.open[suit])).fold(0, |suits, suit| suits | 1 << suit)
    }

    /// Returns the blocks after the next value, when new ones begin in these suits.
    fn after(self, begin: u8) -> Self {
        let open =
            std::array::from_fn(
                |suit| {
                    if begin >> suit & 1 == 1 { BLOCK as u8 } else { self.open[suit].saturating_sub(1) }
                },
            );
        Self { open, begun: self.begun + begin.count_ones() as u8 }
    }
}

/// The number of hands so far, for each state of an automaton and each place.
#[derive(Default)]
pub struct Layer {
    states: Vec<State>,
    hands: Vec<f64>,
}

/// A jump over several values at once, for hands in the first state and without blocks.
pub struct Jump {
    /// The level it leaves.
    pub from: usize,
    /// The level it reaches; one card of each value between is held.
    pub to: usize,
    /// The number of ways to choose the cards.
    pub ways: f64,
}

impl Walk {
    /// Creates the walk that counts hands of up to `size` cards without any exclusion of its own.
    pub fn plain(line: &Line, size: usize) -> Self {
        Self::new(line, size, 0)
    }

    /// Creates the walk that counts hands of up to `size` cards without a one-suit street.
    pub fn without_suit_streets(line: &Line, size: usize) -> Self {
        Self::new(line, size, size / BLOCK)
    }

    fn new(line: &Line, size: usize, most_blocks: usize) -> Self {
        // Even widths suit registers of two numbers.
        let widths = std::array::from_fn(|blocks| (size + 2).saturating_sub(BLOCK * blocks) & !1);
        let places = vec![Place { offset: 0, blocks: Blocks::NONE }];
        let mut walk = Self { widths, levels: Vec::with_capacity(line.len() + 1), places, moves: Vec::new() };
        let mut level = Level { places: 0..1, moves: 0..0, size: widths[0], before: 0, cards: 0 };
        for (index, &suits) in line.iter().enumerate() {
            let startable = match line.get(index..index + BLOCK) {
                Some(window) if most_blocks > 0 => window.iter().fold(0b1111, |common, suits| common & suits),
                _ => 0,
            };
            level.cards = suits.count_ones() as usize;
            let next = walk.lead_on(&level, suits, startable, most_blocks as u8);
            level.moves.end = next.moves.start;
            walk.levels.push(std::mem::replace(&mut level, next));
        }
        walk.levels.push(level);
        walk
    }

    /// Enters the moves from a level over a value with these suits, and the places behind it.
    fn lead_on(&mut self, level: &Level, suits: u8, startable: u8, most_blocks: u8) -> Level {
        let first = self.places.len();
        let mut size = 0;
        for index in level.places.clone() {
            let from = self.places[index];
            let forced = from.blocks.suits(|open| open > 1);
            let settled = from.blocks.suits(|open| open > 0);
            for begin in subsets(startable & !settled) {
                let blocks = from.blocks.after(begin);
                if blocks.begun > most_blocks {
                    continue;
                }
                let known = self.places[first..].iter().find(|place| place.blocks == blocks).copied();
                let to = known.unwrap_or(Place { offset: size, blocks });
                if known.is_none() {
                    self.places.push(to);
                    size += self.width(to);
                }
                let free = (suits & !settled & !begin).count_ones() as usize;
                self.moves.push(Move { from, to, forced: (forced | begin).count_ones() as usize, free });
            }
        }
        let (places, moves) = (first..self.places.len(), self.moves.len()..self.moves.len());
        Level { places, moves, size, before: level.before + level.size, cards: 0 }
    }

    /// Returns the layer before any card, with `loose` optional cards.
    pub fn start(&self, loose: u32) -> Layer {
        let mut hands = vec![0.0; self.widths[0]];
        hands[0] = 1.0;
        for _ in 0..loose {
            for size in (1..hands.len()).rev() {
                hands[size] += hands[size - 1];
            }
        }
        Layer { states: vec![BEGIN], hands }
    }

    /// Computes into `next` the hands after the value at `level`, when this number of active values is left behind it.
    pub fn advance(&self, level: usize, automaton: &Automaton, left: usize, layer: &Layer, next: &mut Layer) {
        let (here, there) = (&self.levels[level], &self.levels[level + 1]);
        next.states.clear();
        next.hands.clear();
        for (&state, hands) in layer.states.iter().zip(layer.hands.chunks_exact(here.size)) {
            let mut starts = [None; 5];
            for (count, start) in starts.iter_mut().enumerate().take(here.cards + 1) {
                *start = automaton.next(state, count as u8, left as u8).map(|state| next.start_of(state, there.size));
            }
            for step in &self.moves[here.moves.clone()] {
                let width = self.width(step.to);
                let hands = &hands[step.from.offset..][..width];
                for (more, start) in starts[step.forced..].iter().enumerate().take(step.free + 1) {
                    if let Some(start) = start {
                        let target = &mut next.hands[start + step.to.offset..][..width];
                        add_shifted(target, hands, WAYS[step.free][more], more);
                    }
                }
            }
        }
    }

    /// Calls a function with each number of values up to `active` and the hands after them, with jumps over one-suit
    /// streets.
    pub fn go(
        &self,
        active: usize,
        automaton: &Automaton,
        start: Layer,
        jumps: &[Jump],
        mut visit: impl FnMut(usize, &Layer),
    ) {
        let mut layer = start;
        let mut next = Layer::default();
        // The hands in the first state at each level.
        let mut first = Vec::new();
        visit(0, &layer);
        for level in 0..active {
            if !jumps.is_empty() {
                first.resize(self.widths[0] * level, 0.0);
                first.extend(layer.hands_in(BEGIN, self.widths[0]));
            }
            self.advance(level, automaton, active - level - 1, &layer, &mut next);
            std::mem::swap(&mut layer, &mut next);
            for jump in jumps.iter().filter(|jump| jump.to == level + 1) {
                let landed = layer.start_of(LANDED, self.widths[0]);
                let hands = &first[jump.from * self.widths[0]..][..self.widths[0]];
                add_shifted(&mut layer.hands[landed..][..self.widths[0]], hands, jump.ways, jump.to - jump.from);
            }
            visit(level + 1, &layer);
        }
    }

    /// Counts the hands of `size` cards that pass this level and never die.
    pub fn join(&self, level: usize, automaton: &Automaton, layer: &Layer, rests: &Rests, size: usize) -> f64 {
        let here = &self.levels[level];
        let mut hands = 0.0;
        for (&state, before) in layer.states.iter().zip(layer.hands.chunks_exact(here.size)) {
            let after = rests.after(level, automaton.rest(state));
            for place in &self.places[here.places.clone()] {
                let Some(loose) = size.checked_sub(BLOCK * usize::from(place.blocks.begun)) else { continue };
                let before = &before[place.offset..=place.offset + loose];
                let after = &after[place.offset..=place.offset + loose];
                let ways: f64 = before.iter().zip(after.iter().rev()).map(|(before, after)| before * after).sum();
                hands += if place.blocks.begun == 1 { -ways } else { ways };
            }
        }
        hands
    }

    /// Computes, for each place of a level, the ways to continue to the end, from those of the next level.
    fn retreat(&self, level: usize, limit: usize, rest: &mut [f64], after: &[f64]) {
        for step in &self.moves[self.levels[level].moves.clone()] {
            let begun = step.to.blocks.begun - step.from.blocks.begun;
            let sign = if begun == 1 { -1.0 } else { 1.0 };
            let from = &mut rest[step.from.offset..][..self.width(step.from)];
            let to = &after[step.to.offset..][..self.width(step.to)];
            for more in (0..=step.free).take_while(|more| step.forced + more <= limit) {
                add_shifted(from, to, sign * WAYS[step.free][more], more + BLOCK * usize::from(begun));
            }
        }
    }

    fn width(&self, place: Place) -> usize {
        self.widths[usize::from(place.blocks.begun)]
    }
}

impl Layer {
    /// Returns the counts of a state without blocks; nothing if the state is absent.
    fn hands_in(&self, state: State, width: usize) -> &[f64] {
        match self.states.iter().position(|&other| other == state) {
            Some(index) => &self.hands[index * width..][..width],
            None => &[],
        }
    }

    /// Returns the start of the counts of a state, which is entered if it was absent.
    fn start_of(&mut self, state: State, size: usize) -> usize {
        let index = self.states.iter().position(|&other| other == state).unwrap_or_else(|| {
            self.states.push(state);
            self.hands.resize(self.states.len() * size, 0.0);
            self.states.len() - 1
        });
        index * size
    }
}

/// The ways to continue to the end of a walk from each level and place, computed on demand.
pub struct Rests<'a> {
    walk: &'a Walk,
    first: usize,
    by_limit: [OnceCell<Vec<f64>>; 5],
}

impl<'a> Rests<'a> {
    /// Prepares the ways to continue from level `first` or a later one.
    pub fn new(walk: &'a Walk, first: usize) -> Self {
        Self { walk, first, by_limit: Default::default() }
    }

    /// Returns the ways to continue from each place of a level with at most `limit` cards of each value.
    fn after(&self, level: usize, limit: u8) -> &[f64] {
        let levels = &self.walk.levels;
        let start = |level: usize| levels[level].before - levels[self.first].before;
        let rests = self.by_limit[usize::from(limit)].get_or_init(|| {
            let last = levels.len() - 1;
            let mut rests = vec![0.0; start(last) + levels[last].size];
            for place in &self.walk.places[levels[last].places.clone()] {
                rests[start(last) + place.offset] = 1.0;
            }
            for level in (self.first..last).rev() {
                let (before, after) = rests.split_at_mut(start(level + 1));
                self.walk.retreat(level, usize::from(limit), &mut before[start(level)..], after);
            }
            rests
        });
        &rests[start(level)..]
    }
}

/// Returns all subsets of some suits.
fn subsets(suits: u8) -> impl Iterator<Item = u8> {
    let mut next = Some(0_u8);
    std::iter::from_fn(move || {
        let subset = next?;
        next = Some(subset.wrapping_sub(suits) & suits).filter(|&subset| subset > 0);
        Some(subset)
    })
}

/// Adds to the target the counts times `ways`, shifted by `shift` sizes; larger hands are dropped.
#[inline]
fn add_shifted(target: &mut [f64], counts: &[f64], ways: f64, shift: usize) {
    let length = target.len().saturating_sub(shift).min(counts.len());
    let Some(target) = target.get_mut(shift..shift + length) else { return };
    let counts = &counts[..length];
    let (target_pairs, target_last) = target.as_chunks_mut::<2>();
    let (pairs, last) = counts.as_chunks::<2>();
    for (target, count) in target_pairs.iter_mut().zip(pairs) {
        target[0] += ways * count[0];
        target[1] += ways * count[1];
    }
    for (target, count) in target_last.iter_mut().zip(last) {
        *target += ways * count;
    }
}
