//! The numbers of combinations into which counts of cards can be split.
//!
//! It tries every choice of disjoint streets and stairs and counts the rest by a formula.

use super::super::shape::ALL_VALUES;
use super::counts::Counts;
use super::runs::each_run;

/// The maximum number of streets and stairs in 14 cards.
const MOST_RUNS: usize = 3;

/// The numbers of combinations into which some counts can be split, and the streets and stairs of a split into the
/// fewest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    /// Bit `n` is set if exactly `n` combinations are possible.
    pub numbers: u16,
    fewest: u32,
    laid: usize,
    runs: [u64; MOST_RUNS],
    best_runs: [u64; MOST_RUNS],
    best_laid: usize,
}

impl Reach {
    pub fn of(counts: Counts) -> Self {
        let mut reach = Self {
            numbers: 0,
            fewest: u32::MAX,
            laid: 0,
            runs: [0; MOST_RUNS],
            best_runs: [0; MOST_RUNS],
            best_laid: 0,
        };
        reach.explore(counts, ALL_VALUES);
        reach
    }

    /// Returns the streets and stairs, as counts, of a split into the fewest combinations.
    pub fn runs_of_fewest(&self) -> &[u64] {
        &self.best_runs[..self.best_laid]
    }

    fn explore(&mut self, rest: Counts, from: u64) {
        let laid = self.laid;
        let fewest = laid as u32 + rest.least_without_runs();
        let most = laid as u32 + rest.len();
        self.numbers |= ((2_u32 << most) - (1 << fewest)) as u16;
        if fewest < self.fewest {
            (self.fewest, self.best_runs, self.best_laid) = (fewest, self.runs, laid);
        }
        each_run(rest, from, |run, start| {
            self.runs[laid] = run;
            self.laid = laid + 1;
            self.explore(Counts(rest.0 - run), ALL_VALUES & !(start - 1));
            self.laid = laid;
        });
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::super::counts::PHOENIX;
    use super::*;

    /// The slow twin: the number of cards of each value 1 to 14, and the results for such counts.
    type Values = [u8; 14];
    type Known = HashMap<Values, u16>;

    /// Returns the ways to take a combination with a card of the lowest value, at this index; a bomb only from these
    /// indices.
    fn takes(lowest: usize, bombs: &[usize]) -> Vec<Values> {
        let take = |places: std::ops::Range<usize>, width: u8| {
            let mut taken = [0; 14];
            taken[places].fill(width);
            taken
        };
        let mut all = vec![take(lowest..lowest + 1, 1)];
        all.extend((lowest + 5..=14).map(|end| take(lowest..end, 1)));
        if lowest > 0 {
            all.extend((lowest + 1..=14).map(|end| take(lowest..end, 2)));
            all.push(take(lowest..lowest + 1, 3));
            for (own, other) in (lowest + 1..14).flat_map(|other| [(2, other), (3, other)]) {
                let mut house = take(other..other + 1, 5 - own);
                house[lowest] = own;
                all.push(house);
            }
        }
        if bombs.contains(&lowest) {
            all.push(take(lowest..lowest + 1, 4));
        }
        all
    }

    fn slow_numbers(values: Values, bombs: &[usize], known: &mut Known) -> u16 {
        let Some(lowest) = values.iter().position(|&count| count > 0) else { return 1 };
        if let Some(&numbers) = known.get(&values) {
            return numbers;
        }
        let mut numbers = 0;
        for take in takes(lowest, bombs) {
            if values.iter().zip(take).all(|(&count, taken)| count >= taken) {
                numbers |= slow_numbers(std::array::from_fn(|place| values[place] - take[place]), bombs, known) << 1;
            }
        }
        known.insert(values, numbers);
        numbers
    }

    fn slow_numbers_with_phoenix(values: Values, bombs: &[usize]) -> u16 {
        let mut numbers = slow_numbers(values, bombs, &mut Known::new()) << 1;
        for place in 1..14 {
            let mut stood_for = values;
            stood_for[place] += 1;
            numbers |= slow_numbers(stood_for, bombs, &mut Known::new());
        }
        numbers
    }

    fn values() -> impl Strategy<Value = (Values, bool)> {
        let window = (0..=10_usize, prop::collection::vec(0..=4_u8, 3..=10), any::<bool>());
        window.prop_map(|(first, counts, phoenix)| {
            let mut values = [0; 14];
            let mut left = 14 - u8::from(phoenix);
            for (place, count) in (first..14).zip(counts) {
                values[place] = count.min(left).min(if place == 0 { 1 } else { 4 });
                left -= values[place];
            }
            (values, phoenix)
        })
    }

    proptest! {
        #[test]
        fn the_numbers_are_those_of_the_slow_twin((values, phoenix) in values()) {
            let packed = values.iter().rev().fold(0, |packed, &count| packed << 4 | u64::from(count));
            let bombs: Vec<usize> = (0..14).filter(|&place| values[place] == 4).collect();
            let (counts, slow) = if phoenix {
                (Counts(packed | PHOENIX), slow_numbers_with_phoenix(values, &bombs))
            } else {
                (Counts(packed), slow_numbers(values, &bombs, &mut Known::new()))
            };
            prop_assert_eq!(Reach::of(counts).numbers, slow);
        }
    }
}
