//! Measures the decisions per second of a batch of games with random answers, observations and masks included.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tisch_core::random::Random;
use tisch_core::tichu::batch::{Batch, Goal};
use tisch_core::tichu::encoding::{ACTIONS, Row, SIZE};

const GAMES: usize = 1024;

fn stepping(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("batch");
    group.throughput(Throughput::Elements(GAMES as u64));
    let mut batch = Batch::new(GAMES, 1, Goal { points: 1000, rounds: 1 });
    let mut random = Random::new(2);
    let mut rows: Vec<Row> = vec![[0; SIZE]; GAMES];
    let mut masks = vec![[false; ACTIONS]; GAMES];
    let mut ids: Vec<u16> = Vec::new();
    let mut answers = vec![0; GAMES];
    group.bench_function("step, observe and mask 1,024 games", |bencher| {
        bencher.iter(|| {
            for game in 0..GAMES {
                batch.observe(game, &mut rows[game]);
                masks[game].fill(false);
                ids.clear();
                batch.each_id(game, |id| {
                    masks[game][usize::from(id)] = true;
                    ids.push(id);
                });
                answers[game] = ids[random.below(ids.len() as u64) as usize].into();
            }
            batch.step(&answers).unwrap();
            black_box((&rows, &masks));
        });
    });
    group.finish();
}

criterion_group!(benches, stepping);
criterion_main!(benches);
