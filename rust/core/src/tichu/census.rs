//! Counts the combinations of each kind in a set of cards, without building them.

use super::cards::{ACE, Cards, LOWEST, MAH_JONG_VALUE};
use super::combinations::{ALL, COUNT, Combination, Kind};

/// Returns the number of sets of cards that form each combination, by its index in the order; passing is not counted.
#[must_use]
pub fn census(cards: Cards) -> [u64; COUNT] {
    let phoenix = u64::from(cards.contains(Cards::PHOENIX));
    let natural = Natural(cards);
    ALL.map(|Combination { kind, length, rank }| match kind {
        Kind::Pass => 0,
        Kind::Single => u64::from(cards.intersection(Cards::of_value(rank)).len()),
        Kind::Pair => natural.ways(rank, 2) + phoenix * natural.ways(rank, 1),
        Kind::Triple => natural.ways(rank, 3) + phoenix * natural.ways(rank, 2),
        Kind::FullHouse => natural.full_houses(rank) + phoenix * natural.full_houses_with_phoenix(rank),
        Kind::Stair => {
            let steps = rank + 1 - length / 2..=rank;
            let pairs = steps.clone().map(|value| natural.ways(value, 2)).product::<u64>();
            let halves = steps.clone().map(|half| {
                steps.clone().map(|value| natural.ways(value, if value == half { 1 } else { 2 })).product::<u64>()
            });
            pairs + phoenix * halves.sum::<u64>()
        }
        Kind::Street => natural.streets(length, rank) + phoenix * natural.streets_with_phoenix(length, rank),
        Kind::Bomb if length == 4 => natural.ways(rank, 4),
        Kind::Bomb => natural.suit_streets(length, rank),
    })
}

/// The cards other than the phoenix.
struct Natural(Cards);

impl Natural {
    /// Returns the number of ways to choose this number of cards of a value.
    fn ways(&self, value: u8, chosen: u64) -> u64 {
        let count = u64::from(self.0.intersection(Cards::of_value(value)).len());
        (0..chosen).fold(1, |ways, taken| ways * count.saturating_sub(taken) / (taken + 1))
    }

    /// Returns the number of ways to choose this number of cards of one of these values.
    fn ways_in(&self, values: impl Iterator<Item = u8>, chosen: u64) -> u64 {
        values.map(|value| self.ways(value, chosen)).sum()
    }

    fn full_houses(&self, rank: u8) -> u64 {
        self.ways(rank, 3) * self.ways_in((LOWEST..=ACE).filter(|&value| value != rank), 2)
    }

    fn full_houses_with_phoenix(&self, rank: u8) -> u64 {
        let one_more = self.ways_in((LOWEST..=ACE).filter(|&value| value != rank), 1);
        self.ways(rank, 3) * one_more + self.ways(rank, 2) * self.ways_in(LOWEST..rank, 2)
    }

    fn streets(&self, length: u8, rank: u8) -> u64 {
        let all = (rank + 1 - length..=rank).map(|value| self.ways(value, 1)).product::<u64>();
        all - self.suit_streets(length, rank)
    }

    fn streets_with_phoenix(&self, length: u8, rank: u8) -> u64 {
        let bottom = rank + 1 - length;
        // Read as high as possible, the phoenix is the lowest card only below an ace.
        let lowest = if rank == ACE { bottom.max(LOWEST) } else { bottom + 1 };
        let others = |missing| (bottom..=rank).filter(move |&value| value != missing);
        (lowest..=rank).map(|missing| others(missing).map(|value| self.ways(value, 1)).product::<u64>()).sum()
    }

    fn suit_streets(&self, length: u8, rank: u8) -> u64 {
        let bottom = rank + 1 - length;
        let whole = |suit: u8| {
            (bottom..=rank)
                .all(|value| !self.0.intersection(Cards::of_value(value)).intersection(Cards::of_suit(suit)).is_empty())
        };
        if bottom == MAH_JONG_VALUE { 0 } else { (1..=4).filter(|&suit| whole(suit)).count() as u64 }
    }
}
