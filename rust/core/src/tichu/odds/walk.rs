//! Counting hands value by value, without ever looking at a single hand.
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

use super::automaton::{Automaton, BEGIN, LANDED, State};

/// How many cards a block has.
const BLOCK: usize = 5;
/// The most blocks that are ever chosen.
const MOST_BLOCKS: usize = 2;

/// How many ways there are to choose so many of up to four cards.
const WAYS: [[f64; 5]; 5] = [
    [1.0, 0.0, 0.0, 0.0, 0.0],
    [1.0, 1.0, 0.0, 0.0, 0.0],
    [1.0, 2.0, 1.0, 0.0, 0.0],
    [1.0, 3.0, 3.0, 1.0, 0.0],
    [1.0, 4.0, 6.0, 4.0, 1.0],
];

/// The values in the order in which they are read, each with the suits it has in the pool.
pub type Line = Vec<u8>;

/// All places between the values of a line and the moves that lead from one to the next.
pub struct Walk {
    /// How many coefficients are kept at a place, by the number of its blocks.
    widths: [usize; MOST_BLOCKS + 1],
    levels: Vec<Level>,
}

/// The places before a value, and the moves over that value.
#[derive(Default)]
struct Level {
    places: Vec<Place>,
    moves: Vec<Move>,
    /// How many coefficients all places have together.
    size: usize,
    /// How many cards of the value there are.
    cards: usize,
}

/// Where a place's coefficients start, and which blocks are chosen there.
#[derive(Clone, Copy)]
struct Place {
    offset: usize,
    blocks: Blocks,
}

/// A way over one value.
struct Move {
    from: Place,
    to: Place,
    /// How many cards of the value lie in open blocks.
    forced: usize,
    /// How many cards of the value may be there or not.
    free: usize,
}

/// The blocks chosen so far.
#[derive(Clone, Copy, PartialEq)]
struct Blocks {
    /// For each suit 0 if no block is open, otherwise one more than the cards its block still lacks.
    open: [u8; 4],
    begun: u8,
}

impl Blocks {
    const NONE: Self = Self { open: [0; 4], begun: 0 };

    /// The suits for which this is true of their block.
    fn suits(self, wanted: impl Fn(u8) -> bool) -> u8 {
        (0..4).filter(|&suit| wanted(self.open[suit])).fold(0, |suits, suit| suits | 1 << suit)
    }

    /// The blocks one value on, when new ones begin in these suits.
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

impl Level {
    /// The place with these blocks, a new one if there was none.
    fn place(&mut self, blocks: Blocks, width: usize) -> Place {
        if let Some(&place) = self.places.iter().find(|place| place.blocks == blocks) {
            return place;
        }
        let place = Place { offset: self.size, blocks };
        self.size += width;
        self.places.push(place);
        place
    }

    /// Enters the moves over a value with these suits, and returns the places behind it.
    fn lead_on(&mut self, suits: u8, startable: u8, most_blocks: u32, widths: [usize; MOST_BLOCKS + 1]) -> Self {
        let mut next = Self::default();
        self.cards = suits.count_ones() as usize;
        for &from in &self.places {
            let forced = from.blocks.suits(|open| open > 1);
            let settled = from.blocks.suits(|open| open > 0);
            for begin in (0..16_u8).filter(|begin| begin & !(startable & !settled) == 0) {
                let begun = u32::from(from.blocks.begun) + begin.count_ones();
                if begun <= most_blocks {
                    let to = next.place(from.blocks.after(begin), widths[begun as usize]);
                    let free = (suits & !settled & !begin).count_ones() as usize;
                    self.moves.push(Move { from, to, forced: (forced | begin).count_ones() as usize, free });
                }
            }
        }
        next
    }
}

/// The hands counted so far, for each state that an automaton can be in, and each place.
pub struct Layer {
    states: Vec<State>,
    hands: Vec<f64>,
}

/// A way over several values at once, for hands in the first state and without blocks.
pub struct Jump {
    /// The level it leaves.
    pub from: usize,
    /// The level it reaches; one card of each value between is held.
    pub to: usize,
    /// How many ways there are to choose the cards.
    pub ways: f64,
}

impl Walk {
    /// The walk that counts hands of up to `size` cards and excludes nothing of its own.
    pub fn plain(line: &Line, size: usize) -> Self {
        Self::new(line, size, 0)
    }

    /// The walk that counts hands of up to `size` cards without a one-suit street.
    pub fn without_suit_streets(line: &Line, size: usize) -> Self {
        Self::new(line, size, size / BLOCK)
    }

    fn new(line: &Line, size: usize, most_blocks: usize) -> Self {
        // Even widths suit registers of two numbers.
        let widths = std::array::from_fn(|blocks| (size + 2).saturating_sub(BLOCK * blocks) & !1);
        let mut levels = Vec::with_capacity(line.len() + 1);
        let mut level = Level::default();
        level.place(Blocks::NONE, widths[0]);
        for (index, &suits) in line.iter().enumerate() {
            let startable = match line.get(index..index + BLOCK) {
                Some(window) if most_blocks > 0 => window.iter().fold(0b1111, |common, suits| common & suits),
                _ => 0,
            };
            let next = level.lead_on(suits, startable, most_blocks as u32, widths);
            levels.push(std::mem::replace(&mut level, next));
        }
        levels.push(level);
        Self { widths, levels }
    }

    /// Every hand without any card yet, with `loose` cards besides that may be there or not.
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

    /// The hands after the value at `level`, when so many active values are left behind it.
    pub fn advance(&self, level: usize, automaton: &Automaton, left: usize, layer: &Layer) -> Layer {
        let (here, there) = (&self.levels[level], &self.levels[level + 1]);
        let mut next = Layer { states: Vec::new(), hands: Vec::new() };
        for (&state, hands) in layer.states.iter().zip(layer.hands.chunks_exact(here.size)) {
            let mut starts = [None; 5];
            for (count, start) in starts.iter_mut().enumerate().take(here.cards + 1) {
                *start = automaton.next(state, count as u8, left as u8).map(|state| next.start_of(state, there.size));
            }
            for step in &here.moves {
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
        next
    }

    /// The hands after `active` values, where one-suit streets may be jumped over.
    pub fn go(&self, active: usize, automaton: &Automaton, start: Layer, jumps: &[Jump]) -> Layer {
        let mut layer = start;
        let mut begun = Vec::new();
        for level in 0..active {
            let next = self.advance(level, automaton, active - level - 1, &layer);
            begun.push(std::mem::replace(&mut layer, next));
            let size = self.levels[level + 1].size;
            for jump in jumps.iter().filter(|jump| jump.to == level + 1) {
                let before = &begun[jump.from];
                if let Some(first) = before.states.iter().position(|&state| state == BEGIN) {
                    let landed = layer.start_of(LANDED, size);
                    let hands = &before.hands[first * self.levels[jump.from].size..][..self.widths[0]];
                    add_shifted(&mut layer.hands[landed..][..size], hands, jump.ways, jump.to - jump.from);
                }
            }
        }
        layer
    }

    /// How many hands of `size` cards pass this level without ever dying.
    pub fn join(&self, level: usize, automaton: &Automaton, layer: &Layer, rests: &Rests, size: usize) -> f64 {
        let here = &self.levels[level];
        let mut hands = 0.0;
        for (&state, before) in layer.states.iter().zip(layer.hands.chunks_exact(here.size)) {
            let after = rests.after(level, automaton.rest(state));
            for place in &here.places {
                let Some(loose) = size.checked_sub(BLOCK * usize::from(place.blocks.begun)) else { continue };
                let before = &before[place.offset..=place.offset + loose];
                let after = &after[place.offset..=place.offset + loose];
                let ways: f64 = before.iter().zip(after.iter().rev()).map(|(before, after)| before * after).sum();
                hands += if place.blocks.begun == 1 { -ways } else { ways };
            }
        }
        hands
    }

    /// For each place of a level the ways to go on to the end, from those of the next level.
    fn retreat(&self, level: usize, limit: usize, after: &[f64]) -> Vec<f64> {
        let here = &self.levels[level];
        let mut rest = vec![0.0; here.size];
        for step in &here.moves {
            let begun = step.to.blocks.begun - step.from.blocks.begun;
            let sign = if begun == 1 { -1.0 } else { 1.0 };
            let from = &mut rest[step.from.offset..][..self.width(step.from)];
            let to = &after[step.to.offset..][..self.width(step.to)];
            for more in (0..=step.free).take_while(|more| step.forced + more <= limit) {
                add_shifted(from, to, sign * WAYS[step.free][more], more + BLOCK * usize::from(begun));
            }
        }
        rest
    }

    fn width(&self, place: Place) -> usize {
        self.widths[usize::from(place.blocks.begun)]
    }
}

impl Layer {
    /// Where the counts of a state start, which is entered if it was not there.
    fn start_of(&mut self, state: State, size: usize) -> usize {
        let index = self.states.iter().position(|&other| other == state).unwrap_or_else(|| {
            self.states.push(state);
            self.hands.resize(self.states.len() * size, 0.0);
            self.states.len() - 1
        });
        index * size
    }
}

/// For each level and place of a walk the ways to go on to its end, as far as they are asked for.
pub struct Rests<'a> {
    walk: &'a Walk,
    first: usize,
    by_limit: [OnceCell<Vec<Vec<f64>>>; 5],
}

impl<'a> Rests<'a> {
    /// The ways to go on from level `first` or a later one.
    pub fn new(walk: &'a Walk, first: usize) -> Self {
        Self { walk, first, by_limit: Default::default() }
    }

    /// The ways to go on from each place of a level with at most `limit` cards of each value.
    fn after(&self, level: usize, limit: u8) -> &[f64] {
        let rests = self.by_limit[usize::from(limit)].get_or_init(|| {
            let last = self.walk.levels.len() - 1;
            let mut rests = vec![Vec::new(); last + 1];
            rests[last] = vec![0.0; self.walk.levels[last].size];
            for place in &self.walk.levels[last].places {
                rests[last][place.offset] = 1.0;
            }
            for level in (self.first..last).rev() {
                rests[level] = self.walk.retreat(level, usize::from(limit), &rests[level + 1]);
            }
            rests
        });
        &rests[level]
    }
}

/// Adds to the target the counts times `ways`, each `shift` sizes on; what grows beyond the target is dropped.
fn add_shifted(target: &mut [f64], counts: &[f64], ways: f64, shift: usize) {
    for (target, count) in target.iter_mut().skip(shift).zip(counts) {
        *target += ways * count;
    }
}
