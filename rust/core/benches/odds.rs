//! Measures the odds without Python: 14 hidden cards out of the 42 that a player does not see after the deal.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use tisch_core::random::Random;
use tisch_core::tichu::cards::{Cards, DECK_SIZE};
use tisch_core::tichu::combinations::{ALL, Combination, Kind};
use tisch_core::tichu::odds::{OddsError, beats, higher, table};

const POOLS: usize = 20;
const SIZE: u32 = 14;

type Odds = fn(Cards, u32, Combination) -> Result<f64, OddsError>;

fn pools() -> Vec<Cards> {
    let mut random = Random::new(11);
    let mut deck: Vec<u32> = (0..DECK_SIZE).collect();
    let mut deal = || {
        random.shuffle(&mut deck);
        deck[..42].iter().fold(Cards::EMPTY, |cards, &card| cards.union(Cards::at(card)))
    };
    (0..POOLS).map(|_| deal()).collect()
}

fn odds(criterion: &mut Criterion) {
    let pools = pools();
    let mut group = criterion.benchmark_group("odds");
    for kind in [Kind::Single, Kind::Pair, Kind::Triple, Kind::Stair, Kind::FullHouse, Kind::Street, Kind::Bomb] {
        let of_kind = || ALL.into_iter().filter(|combination| combination.kind == kind);
        let questions: Vec<(Cards, Combination)> =
            pools.iter().flat_map(|&pool| of_kind().map(move |combination| (pool, combination))).collect();
        for &(pool, combination) in &questions {
            assert!(higher(pool, SIZE, combination).unwrap() <= beats(pool, SIZE, combination).unwrap());
        }
        for (name, ask) in [("higher", higher as Odds), ("beats", beats)] {
            let mut next = questions.iter().cycle();
            group.bench_function(format!("{name} {kind:?}"), |bencher| {
                bencher.iter(|| next.next().map(|&(pool, combination)| black_box(ask(pool, SIZE, combination))));
            });
        }
    }
    let short: Vec<Combination> = ALL.into_iter().filter(|combination| (1..=5).contains(&combination.length)).collect();
    let sizes = [SIZE, SIZE - 1, SIZE - 2];
    let shares = table(pools[0], &sizes, &short).unwrap();
    for (combination, shares) in short.iter().zip(shares.chunks_exact(sizes.len())) {
        assert_eq!(shares, sizes.map(|size| beats(pools[0], size, *combination).unwrap()));
    }
    let mut next = pools.iter().cycle();
    group.bench_function(format!("table of {} combinations", short.len()), |bencher| {
        bencher.iter(|| next.next().map(|&pool| black_box(table(pool, &sizes, &short))));
    });
    group.finish();
}

criterion_group!(benches, odds);
criterion_main!(benches);
