//! Counts hands without certain one-suit streets where nothing else matters: then the four suits are independent.

use crate::tichu::cards::{ACE, Cards, LOWEST};

/// The number of hands by size; index 14 is the largest hand.
type Counts = [u64; 15];

/// Counts the hands of `size` of these cards that hold no one-suit street as long as `forbidden(value)` or longer.
///
/// `forbidden` returns, for the highest card of a street, the length from which the street is forbidden.
pub fn hands_without(cards: Cards, size: usize, forbidden: impl Fn(u8) -> u8) -> u64 {
    let suited = (LOWEST..=ACE).map(|value| cards.count(value)).sum::<u32>();
    let mut hands = start(cards.len() - suited);
    for suit in 0..4 {
        hands = product(&hands, &in_one_suit(cards, suit, &forbidden));
    }
    hands[size]
}

/// Returns the counts without any card, with `loose` optional cards.
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

/// Counts the sets of cards of one suit without a forbidden street.
fn in_one_suit(cards: Cards, suit: u8, forbidden: &impl Fn(u8) -> u8) -> Counts {
    // Indexed by the number of adjacent cards so far, the last value read being the highest.
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
