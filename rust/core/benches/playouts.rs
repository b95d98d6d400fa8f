//! Measures the rounds per second of playouts, from the deal and from the middle, without Python.

use std::hint::black_box;
use std::num::NonZeroUsize;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tisch_core::random::Random;
use tisch_core::tichu::deal::deal;
use tisch_core::tichu::playout::{Start, playouts};
use tisch_core::tichu::policies::PolicyName;
use tisch_core::tichu::round::{Round, next};

const ROUNDS: u64 = 64;
/// The number of playouts of each round from its middle.
const AGAIN: u64 = 16;
/// The number of cards left in the middle of a round.
const MIDDLE: u32 = 28;

/// Rounds played to their middle at random.
fn middles() -> Vec<Round> {
    let mut random = Random::new(28);
    let play = |number| {
        let mut round = Round::deal(deal(28, number));
        while (0..4).map(|seat| round.hand(seat).len()).sum::<u32>() > MIDDLE {
            let seat = next(round.awaited(), 3);
            let legal = round.legal(seat);
            round.apply(seat, legal[random.below(legal.len() as u64) as usize]).unwrap();
        }
        round
    };
    (0..ROUNDS).map(play).filter(|round| round.score().is_none()).collect()
}

fn playing(criterion: &mut Criterion) {
    let middles = middles();
    let mut group = criterion.benchmark_group("playouts");
    for policy in PolicyName::ALL {
        let name = policy.name();
        group.throughput(Throughput::Elements(ROUNDS));
        let mut first = 0;
        group.bench_function(format!("deal, {name}"), |bencher| {
            bencher.iter(|| {
                first += ROUNDS;
                black_box(playouts(&Start::Deal, first..first + ROUNDS, policy, 1, NonZeroUsize::MIN))
            });
        });
        group.throughput(Throughput::Elements(AGAIN * middles.len() as u64));
        group.bench_function(format!("middle, {name}"), |bencher| {
            bencher.iter(|| {
                first += AGAIN;
                for &round in &middles {
                    black_box(playouts(&Start::Round(round), first..first + AGAIN, policy, 1, NonZeroUsize::MIN));
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, playing);
criterion_main!(benches);
