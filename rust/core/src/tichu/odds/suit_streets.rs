//! Counting hands without a certain one-suit street where nothing else matters: then the four suits are independent.

use crate::tichu::cards::{ACE, Cards, LOWEST};

/// The number of hands by size; index 14 is the largest hand there is.
type Counts = [u64; 15];

/// How many hands of `size` of these cards hold no one-suit street that is longer than `forbidden(value)` allows.
///
/// `forbidden` names, for the highest card of a street, the length from which on it must not be held.
pub fn hands_without(cards: Cards, size: usize, forbidden: impl Fn(u8) -> u8) -> u64 {
    let suited = (LOWEST..=ACE).map(|value| cards.count(value)).sum::<u32>();
    let mut hands = start(cards.len() - suited);
    for suit in 0..4 {
        hands = product(&hands, &in_one_suit(cards, suit, &forbidden));
    }
    hands[size]
}

/// No card yet, with `loose` cards that may be there or not.
fn start(loose: u32) -> Counts {
    let mut counts = [0; 15];
    counts[0] = 1;
    for _ in 0..loose {
        for size in (1..counts.len()).rev() {
            counts[size] += counts[size - 1];
        }
    }
    counts
}

/// The sets of cards of one suit that hold no forbidden street.
fn in_one_suit(cards: Cards, suit: u8, forbidden: &impl Fn(u8) -> u8) -> Counts {
    // By the number of neighbouring cards held so far, the value read last being the highest of them.
    let mut runs = [[0_u64; 15]; 14];
    runs[0][0] = 1;
    for (read, value) in (LOWEST..=ACE).enumerate() {
        let mut next = [[0; 15]; 14];
        for run in 0..=read {
            let may_hold = cards.suits(value) >> suit & 1 == 1 && run as u8 + 1 < forbidden(value);
            for size in run..=read {
                next[0][size] += runs[run][size];
                if may_hold {
                    next[run + 1][size + 1] = runs[run][size];
                }
            }
        }
        runs = next;
    }
    let mut total = [0; 15];
    for counts in runs {
        for (sum, count) in total.iter_mut().zip(counts) {
            *sum += count;
        }
    }
    total
}

fn product(left: &Counts, right: &Counts) -> Counts {
    let mut product = [0; 15];
    for (size, count) in left.iter().enumerate() {
        for (sum, other) in product[size..].iter_mut().zip(right) {
            *sum += count * other;
        }
    }
    product
}
