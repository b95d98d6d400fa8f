//! Measures a network of the size of Tichu's: all candidates of decisions, one candidate, and their features.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tisch_core::net::{Net, Sizes, Sums};
use tisch_core::random::Random;
use tisch_core::tichu::deal::deal;
use tisch_core::tichu::features::{Decision, FEATURES, decision};
use tisch_core::tichu::policies::{self, HeuristicPolicy, PolicyName};
use tisch_core::tichu::round::{Round, next};

/// The sizes of the network that tisch brings along: 151,489 weights.
const SIZES: Sizes = Sizes { features: FEATURES, wide: 128, narrow: 32 };

/// Rounds of the heuristic at each decision of the awaited seats.
fn moments() -> Vec<(Round, u8)> {
    let mut found = Vec::new();
    let mut random = Random::new(1);
    for number in 0..8 {
        let mut round = Round::deal(deal(5, number));
        while round.score().is_none() {
            let seat = next(round.awaited(), 3);
            found.push((round, seat));
            let chosen = policies::decide(&round, seat, PolicyName::Heuristic, &mut random).unwrap();
            round.apply(seat, chosen).unwrap();
        }
    }
    found
}

fn scoring(criterion: &mut Criterion) {
    let mut random = Random::new(2);
    let weights: Vec<f32> = (0..SIZES.weights().unwrap()).map(|_| random.unit() as f32 - 0.5).collect();
    let net = Net::new(SIZES, &weights).unwrap();
    let mut policy = HeuristicPolicy::new(false);
    let moments = moments();
    let decisions: Vec<Decision> =
        moments.iter().filter_map(|(round, seat)| decision(round, *seat, &mut policy)).collect();
    let mut sums = Sums::default();
    let mut group = criterion.benchmark_group("net");
    group.throughput(Throughput::Elements(decisions.len() as u64));
    group.bench_function("the first candidate of a decision", |bencher| {
        bencher.iter(|| {
            for decision in &decisions {
                net.begin(&decision.common, &mut sums);
                let first = decision.each().next().unwrap();
                black_box(net.score(first, &mut sums));
            }
        });
    });
    group.bench_function("all candidates of a decision", |bencher| {
        bencher.iter(|| {
            for decision in &decisions {
                black_box(decision.scores(&net, &mut sums));
            }
        });
    });
    group.throughput(Throughput::Elements(moments.len() as u64));
    group.bench_function("the features of a decision", |bencher| {
        bencher.iter(|| {
            for (round, seat) in &moments {
                black_box(decision(round, *seat, &mut policy));
            }
        });
    });
    group.finish();
}

criterion_group!(benches, scoring);
criterion_main!(benches);
