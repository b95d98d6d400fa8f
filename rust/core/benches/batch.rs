//! Measures the decisions per second of a batch of games with random answers, observations and masks included.

use std::hint::black_box;
use std::num::NonZeroUsize;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tisch_core::random::Random;
use tisch_core::simulation::Encoded;
use tisch_core::simulation::batch::{Batch, Plan, Shown};
use tisch_core::tichu::game::{Options, Tichu};

const GAMES: usize = 1024;
const SEATS: usize = 4;

/// The arrays of a program that learns.
struct Arrays {
    observations: Vec<i8>,
    masks: Vec<u8>,
    seats: Vec<i8>,
    rewards: Vec<f32>,
    done: Vec<u8>,
}

impl Arrays {
    fn new() -> Self {
        Self {
            observations: vec![0; GAMES * Tichu::SIZE],
            masks: vec![0; GAMES * Tichu::ACTIONS],
            seats: vec![0; GAMES],
            rewards: vec![0.0; GAMES * SEATS],
            done: vec![0; GAMES],
        }
    }

    fn rows(&mut self) -> Vec<Shown<'_>> {
        let arrays = self.observations.chunks_mut(Tichu::SIZE).zip(self.masks.chunks_mut(Tichu::ACTIONS));
        let facts = self.seats.iter_mut().zip(self.rewards.chunks_mut(SEATS)).zip(&mut self.done);
        let rows = arrays.zip(facts);
        rows.map(|((observation, mask), ((seat, reward), done))| Shown { observation, mask, seat, reward, done })
            .collect()
    }
}

fn stepping(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("batch");
    group.throughput(Throughput::Elements(GAMES as u64));
    let options = Options { goal: 1000, rounds: 1 };
    let plan = Plan { options, seed: 1, skip_forced: false, pools: vec![None, None, None, None] };
    let mut batch: Batch<Tichu> = Batch::new(GAMES, plan);
    let mut random = Random::new(2);
    let mut arrays = Arrays::new();
    let mut answers = vec![0; GAMES];
    group.bench_function("step, observe and mask 1,024 games", |bencher| {
        bencher.iter(|| {
            batch.write(0, &mut arrays.rows());
            for (answer, mask) in answers.iter_mut().zip(arrays.masks.chunks(Tichu::ACTIONS)) {
                let count = mask.iter().filter(|&&legal| legal == 1).count() as u64;
                let place = random.below(count) as usize;
                *answer = (0_i64..).zip(mask).filter(|&(_, &legal)| legal == 1).nth(place).map_or(-1, |(id, _)| id);
            }
            batch.step(&answers, NonZeroUsize::MIN).unwrap();
            black_box(&arrays.observations);
        });
    });
    group.finish();
}

criterion_group!(benches, stepping);
criterion_main!(benches);
