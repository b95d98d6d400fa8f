//! The streets and stairs in a hand, as counts of values.
//!
//! A set of cards with several readings of the phoenix occurs once. And where the phoenix stands for a value that the
//! hand has itself, the two can be exchanged without changing the number of combinations; if that card belongs to four
//! of a kind, it goes into the street, and the phoenix to the street's end. So it suffices that the phoenix stands for
//! values that the hand lacks. (Only beyond 14 cards might a street have no free end.)

use super::super::shape::{ALL_VALUES, MAH_JONG_FLAG, between, bits};
use super::counts::{Counts, PHOENIX};

/// Calls `take` with each street and stair whose lowest natural card is one of the values `from`, and with that value.
pub(super) fn each_run(counts: Counts, from: u64, mut take: impl FnMut(u64, u64)) {
    let (one, two) = (counts.at_least_one(), counts.at_least_two());
    each_natural(one, from, 5, 1, &mut take);
    each_natural(two, from, 2, 2, &mut take);
    if counts.has_phoenix() {
        each_street_with_phoenix(counts, from, &mut take);
        each_stair_with_phoenix(counts, from, &mut take);
    }
}

/// Visits every sequence of at least `shortest` of these values, with `width` cards of each.
fn each_natural(values: u64, from: u64, shortest: u32, width: u64, take: &mut impl FnMut(u64, u64)) {
    let starts = (1..shortest).fold(values & from, |starts, step| starts & values >> (4 * step));
    for start in bits(starts) {
        let mut top = start << (4 * (shortest - 1));
        while values & top != 0 {
            take(between(start, top) * width, start);
            top <<= 4;
        }
    }
}

fn each_street_with_phoenix(counts: Counts, from: u64, take: &mut impl FnMut(u64, u64)) {
    let one = counts.at_least_one();
    for start in bits(one & from & (one >> 4 | one >> 8)) {
        let mut top = start << 12;
        while top & ALL_VALUES != 0 {
            let run = between(start, top);
            let missing = run & !one;
            if missing == 0 {
                // At an end of four cards or more: above them, or below them under an ace, but never for the Mah Jong.
                let end = if top << 4 & ALL_VALUES == 0 { start >> 4 } else { top << 4 };
                if end & !one & !MAH_JONG_FLAG != 0 {
                    take(run | PHOENIX, start);
                }
            } else if missing.count_ones() > 1 {
                break;
            } else if missing != top && top > start << 12 {
                take(run ^ missing | PHOENIX, start);
            }
            top <<= 4;
        }
    }
}

/// Visits the stairs in which the phoenix completes the pair of a value with a single card.
fn each_stair_with_phoenix(counts: Counts, from: u64, take: &mut impl FnMut(u64, u64)) {
    let two = counts.at_least_two();
    for lone in bits(counts.exactly_one() & !MAH_JONG_FLAG & (two << 4 | two >> 4)) {
        let values = two | lone;
        let mut start = lone;
        while values & from & start != 0 {
            let mut top = lone;
            while values & top != 0 {
                if top > start {
                    take(between(start, top) * 2 - lone + PHOENIX, start);
                }
                top <<= 4;
            }
            start >>= 4;
        }
    }
}
