//! A fast estimate of the winning chances of combinations against hidden hands: the values of a hidden hand count as
//! independent.
//!
//! For single cards it is exact. For the others the exact odds of [`odds`](crate::tichu::odds) take longer, and the gain is
//! small, since a playout only has to tell good from bad.

use crate::tichu::cards::{ACE, Cards, LOWEST};
use crate::tichu::combinations::{Combination, Kind};

/// One more than the highest value of the suited cards.
const VALUES: usize = ACE as usize + 1;
/// One more than the rank of the dragon.
const RANKS: usize = 16;

/// A hidden hand's cards of a value, by the number of hidden cards of the value.
#[derive(Clone, Copy)]
struct Side {
    size: u32,
    /// The probability that it holds the phoenix.
    phoenix: f64,
    /// The probability that it holds at most this number, by that number and the number of hidden cards.
    at_most: [[f64; 5]; 3],
}

impl Side {
    fn new(hidden: Cards, size: u32) -> Self {
        let (all, own) = (f64::from(hidden.len()), f64::from(size));
        // For each number of cards of a value, the probability that all of them are elsewhere.
        let mut none = [1.0; 5];
        let mut at_most = [[1.0; 5]; 3];
        for cards in 1..none.len() {
            let gone = (cards - 1) as f64;
            let left = (all - gone).max(1.0);
            none[cards] = none[cards - 1] * ((all - own - gone) / left).max(0.0);
            at_most[0][cards] = none[cards];
            if cards > 1 {
                let one = (gone + 1.0) * none[cards - 1] * own / left;
                at_most[1][cards] = (none[cards] + one).min(1.0);
            }
            if cards > 2 {
                let pairs = (gone + 1.0) * gone / 2.0;
                let two = pairs * none[cards - 2] * own * (own - 1.0) / (left * (left + 1.0));
                at_most[2][cards] = (at_most[1][cards] + two).min(1.0);
            }
        }
        let phoenix = if hidden.contains(Cards::PHOENIX) { own / all.max(1.0) } else { 0.0 };
        Self { size, phoenix, at_most }
    }
}

/// The winning chances of combinations against two hidden hands.
pub struct Chances {
    sides: [Side; 2],
    counts: [usize; VALUES],
    singles: [f64; RANKS],
    pairs: [f64; VALUES],
    triples: [f64; VALUES],
    houses: [f64; VALUES],
}

impl Chances {
    /// Computes the chances against hands of these sizes from hidden cards.
    pub fn new(hidden: Cards, sizes: [u32; 2]) -> Self {
        let mut counts = [0; VALUES];
        for value in LOWEST..=ACE {
            counts[usize::from(value)] = hidden.count(value) as usize;
        }
        let against = sizes.map(|size| Side::new(hidden, size));
        let mut chances = Self {
            sides: against,
            counts,
            singles: singles(hidden, sizes, &counts),
            pairs: [1.0; VALUES],
            triples: [1.0; VALUES],
            houses: [1.0; VALUES],
        };
        for side in against {
            chances.enter_alike(&side);
        }
        chances
    }

    /// Returns the probability that nobody tops a combination with its own type.
    pub fn holds(&self, combination: Combination) -> f64 {
        let Combination { kind, length, rank } = combination;
        let rank = usize::from(rank);
        match kind {
            Kind::Single => self.singles.get(rank).copied().unwrap_or(1.0),
            Kind::Pair => self.pairs[rank],
            Kind::Triple => self.triples[rank],
            Kind::FullHouse => self.houses[rank],
            Kind::Stair => self.no_run(usize::from(length / 2), rank, 1, length),
            Kind::Street => self.no_run(usize::from(length), rank, 0, length),
            Kind::Pass | Kind::Bomb => 1.0,
        }
    }

    /// Enters the probabilities that a hand holds no higher pair, triple and full house.
    fn enter_alike(&mut self, side: &Side) {
        if side.size < 2 {
            return;
        }
        let [without, at_most_one, at_most_two] = side.at_most;
        let (mut none, mut ones, mut twos) = (1.0, 1.0, 1.0);
        // A full house also needs a pair: about as likely as in a hand that is smaller by the triple.
        let share = f64::from(side.size.saturating_sub(3)) / f64::from(side.size);
        let pairless: f64 = self.counts[2..].iter().map(|&count| at_most_one[count]).product();
        let pair = if side.size < 5 { 0.0 } else { (1.0 - pairless) * share };
        for rank in (usize::from(LOWEST)..VALUES).rev() {
            let natural = 1.0 - side.phoenix;
            let triple = natural * twos + side.phoenix * ones;
            self.pairs[rank] *= natural * ones + side.phoenix * none;
            self.triples[rank] *= if side.size > 2 { triple } else { 1.0 };
            self.houses[rank] *= 1.0 - (1.0 - triple) * pair;
            let count = self.counts[rank];
            none *= without[count];
            ones *= at_most_one[count];
            twos *= at_most_two[count];
        }
    }

    /// Returns the probability that nobody holds a run of values of this length that ends above a rank, with more than
    /// `few` cards of each.
    fn no_run(&self, length: usize, rank: usize, few: usize, size: u8) -> f64 {
        let against = |side: &Side| {
            if side.size < u32::from(size) {
                return 1.0;
            }
            let missing = &side.at_most[few];
            let run = |top: usize| {
                let (mut all, mut gaps) = (1.0, 0.0);
                for &count in &self.counts[top + 1 - length..=top] {
                    let there = 1.0 - missing[count];
                    if there <= 0.0 {
                        return 0.0;
                    }
                    all *= there;
                    gaps += missing[count] / there;
                }
                // The phoenix may stand in one gap.
                all * (1.0 + side.phoenix * gaps)
            };
            // Each run is counted at its end, with the next value missing.
            let ends = |top: usize| self.counts.get(top + 1).map_or(1.0, |&count| missing[count]);
            let held: f64 = (rank + 1..VALUES).map(|top| run(top) * ends(top)).sum();
            (1.0 - held).max(0.0)
        };
        self.sides.iter().map(against).product()
    }
}

/// Returns the probability that nobody tops a single card, by its rank.
fn singles(hidden: Cards, sizes: [u32; 2], counts: &[usize; VALUES]) -> [f64; RANKS] {
    let mut holds = [1.0; RANKS];
    let all = f64::from(hidden.len());
    for size in sizes.into_iter().filter(|&size| size > 0) {
        let others = all - f64::from(size);
        let (mut none, mut higher) = (1.0, 0.0);
        let mut meet = |count: u32| {
            for _ in 0..count {
                none *= ((others - higher) / (all - higher)).max(0.0);
                higher += 1.0;
            }
            none
        };
        let mut holds_now = meet(hidden.intersection(Cards::DRAGON.union(Cards::PHOENIX)).len());
        for rank in (1..RANKS - 1).rev() {
            holds[rank] *= holds_now;
            holds_now = meet(counts[rank] as u32);
        }
    }
    holds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::tichu::cards::DECK_SIZE;
    use crate::tichu::combinations::ALL;
    use crate::tichu::odds;

    /// Returns a random number of hidden cards, and the sizes of two hands of them.
    fn hidden(random: &mut Random) -> (Cards, [u32; 2]) {
        let mut deck: Vec<u32> = (0..DECK_SIZE).collect();
        random.shuffle(&mut deck);
        let count = 6 + random.below(37) as usize;
        let cards = deck[..count].iter().fold(Cards::EMPTY, |cards, &card| cards.union(Cards::at(card)));
        let most = (count as u64 / 2).min(14);
        (cards, [random.below(most + 1) as u32, 1 + random.below(most) as u32])
    }

    #[test]
    fn chances_are_near_the_exact_odds_and_those_of_single_cards_equal_them() {
        let mut random = Random::new(5);
        let mut errors = [(0.0, 0_u32); 8];
        for _ in 0..300 {
            let (cards, sizes) = hidden(&mut random);
            let chances = Chances::new(cards, sizes);
            for combination in ALL.into_iter().filter(|each| !matches!(each.kind, Kind::Pass | Kind::Bomb)) {
                // The dog loses the lead, and a phoenix on the table never counts as such.
                if combination.kind == Kind::Single && !(1..16).contains(&combination.rank) {
                    continue;
                }
                let exact = odds::holds(cards, &sizes, combination).unwrap();
                let error = (chances.holds(combination) - exact).abs();
                assert!(combination.kind != Kind::Single || error < 1e-9, "{combination:?}: {error}");
                let (sum, count) = &mut errors[combination.kind as usize];
                *sum += error;
                *count += 1;
            }
        }
        for (sum, count) in &errors[2..7] {
            assert!(*count > 1000 && sum / f64::from(*count) < 0.03, "{errors:?}");
        }
    }
}
