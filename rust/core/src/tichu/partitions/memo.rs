//! The numbers of combinations into which the parts of one hand can be split.

use super::super::cards::Cards;
use super::counts::Counts;
use super::reach::Reach;

/// A part of the memo's hand, of which only the counts matter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    counts: Counts,
    /// A unique key of the counts.
    key: u16,
}

impl Part {
    /// Returns the rest after removing another part, which this one must contain.
    pub const fn minus(self, taken: Self) -> Self {
        Self { counts: Counts(self.counts.0 - taken.counts.0), key: self.key - taken.key }
    }
}

/// The numbers of combinations into which the parts of a hand can be split, computed on demand.
///
/// The key of a part is a number whose digits are its counts, each to a base just large enough for the hand: a hand of
/// 14 cards has at most 2¹⁴ parts with different counts.
#[derive(Debug)]
pub(super) struct Memo {
    weights: [u16; 16],
    /// The numbers as bits for each key, 0 until computed.
    numbers: Vec<u16>,
}

impl Memo {
    /// Creates the memo for a hand of at most 14 cards.
    pub fn new(hand: Cards) -> Self {
        let counts = Counts::of(hand);
        let mut keys = 1;
        let weights = std::array::from_fn(|place| {
            let weight = keys;
            keys *= 1 + counts.digit(place);
            weight
        });
        Self { weights, numbers: vec![0; usize::from(keys)] }
    }

    /// Returns a part of the hand.
    pub fn part(&self, cards: Cards) -> Part {
        let counts = Counts::of(cards);
        let key = self.weights.iter().enumerate().map(|(place, weight)| weight * counts.digit(place)).sum();
        Part { counts, key }
    }

    /// Returns the numbers of combinations into which a part can be split: bit `n` is set if it can be exactly `n`.
    pub fn numbers(&mut self, part: Part) -> u16 {
        let known = &mut self.numbers[usize::from(part.key)];
        if *known == 0 {
            *known = Reach::of(part.counts).numbers;
        }
        *known
    }
}
