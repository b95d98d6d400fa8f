//! Measures splitting a hand into combinations, without Python: the mean over 200 random hands.

use std::hint::black_box;
use std::num::NonZeroUsize;

use criterion::{Criterion, criterion_group, criterion_main};
use tisch_core::random::Random;
use tisch_core::tichu::cards::{Cards, DECK_SIZE};
use tisch_core::tichu::hand::Hand;
use tisch_core::tichu::partitions::{fewest, fewest_after, partitions};

const LIMIT: NonZeroUsize = NonZeroUsize::new(2000).unwrap();

fn hands() -> Vec<Hand> {
    let mut random = Random::new(2);
    let mut deck: Vec<u32> = (0..DECK_SIZE).collect();
    let deal = |_| {
        random.shuffle(&mut deck);
        Hand::new(deck[..14].iter().copied().map(Cards::at).fold(Cards::EMPTY, Cards::union)).unwrap()
    };
    (0..200).map(deal).collect()
}

/// Measures a computation, hand by hand, and checks the total of its results.
fn measure<T>(criterion: &mut Criterion, name: &str, hands: &[T], total: usize, split: impl Fn(&T) -> usize) {
    assert_eq!(hands.iter().map(&split).sum::<usize>(), total);
    let mut next = hands.iter().cycle();
    let mut group = criterion.benchmark_group("partitions");
    group.bench_function(name, |bencher| bencher.iter(|| split(black_box(next.next().unwrap()))));
}

fn bench(criterion: &mut Criterion) {
    let hands = hands();
    measure(criterion, "fewest", &hands, 1398, |hand| fewest(hand).len());
    let all_plays = |hand: &Hand| {
        let mut plays = Vec::new();
        hand.push_combinations(&mut plays);
        (*hand, plays)
    };
    let turns: Vec<_> = hands.iter().map(all_plays).collect();
    measure(criterion, "fewest after all plays", &turns, 76_588, |(hand, plays)| {
        fewest_after(hand, plays.iter().map(|play| play.cards())).unwrap().iter().sum::<u32>() as usize
    });
    measure(criterion, "up to 2000 partitions", &hands, 51_419, |hand| partitions(hand, LIMIT).len());
}

criterion_group!(benches, bench);
criterion_main!(benches);
