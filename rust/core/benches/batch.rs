//! Measures the decisions per second of batches of games with random answers, observations and masks included.

use std::hint::black_box;
use std::num::NonZeroUsize;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tisch_core::maumau;
use tisch_core::random::Random;
use tisch_core::simulation::batch::{Batch, Facts, Plan, Shown};
use tisch_core::simulation::{Encoded, Round as _};
use tisch_core::tichu;

const GAMES: usize = 1024;
const ONE: NonZeroUsize = NonZeroUsize::MIN;

/// The arrays of a program that learns.
struct Arrays {
    /// The elements of a game in the first two and in the rewards.
    sizes: [usize; 3],
    observations: Vec<i8>,
    masks: Vec<u8>,
    seats: Vec<i8>,
    rewards: Vec<f32>,
    done: Vec<u8>,
}

impl Arrays {
    fn new<G: Encoded>(seats: usize) -> Self {
        Self {
            sizes: [G::SIZE, G::ACTIONS, seats],
            observations: vec![0; GAMES * G::SIZE],
            masks: vec![0; GAMES * G::ACTIONS],
            seats: vec![0; GAMES],
            rewards: vec![0.0; GAMES * seats],
            done: vec![0; GAMES],
        }
    }

    fn rows(&mut self) -> Vec<Shown<'_>> {
        let [size, actions, seats] = self.sizes;
        let arrays = self.observations.chunks_mut(size).zip(self.masks.chunks_mut(actions));
        let facts = self.seats.iter_mut().zip(self.rewards.chunks_mut(seats)).zip(&mut self.done);
        let row = |((observation, mask), ((seat, reward), done))| {
            let history = Default::default();
            Shown { observation, facts: Facts { mask, seat, reward, done, history } }
        };
        arrays.zip(facts).map(row).collect()
    }
}

fn stepping<G: Encoded>(criterion: &mut Criterion, name: &str, options: G::Options) {
    let mut group = criterion.benchmark_group("batch");
    group.throughput(Throughput::Elements(GAMES as u64));
    let seats = G::begin(&options, 0).round().seats();
    let pools = (0..seats).map(|_| None).collect();
    let plan = Plan { options, seed: 1, skip_forced: false, pools, starts: Vec::new(), history: 0 };
    let mut batch: Batch<G> = Batch::new(GAMES, plan, &mut || true).unwrap();
    let mut random = Random::new(2);
    let mut arrays = Arrays::new::<G>(seats);
    let mut answers = vec![0; GAMES];
    group.bench_function(format!("step, observe and mask 1,024 games of {name}"), |bencher| {
        bencher.iter(|| {
            batch.write(0, &mut arrays.rows(), ONE);
            for (answer, mask) in answers.iter_mut().zip(arrays.masks.chunks(G::ACTIONS)) {
                let count: u64 = mask.iter().copied().map(u64::from).sum();
                let place = random.below(count) as usize;
                *answer = (0_i64..).zip(mask).filter(|&(_, &legal)| legal == 1).nth(place).map_or(-1, |(id, _)| id);
            }
            batch.step(&answers, ONE, &mut || true).unwrap();
            black_box(&arrays.observations);
        });
    });
    group.finish();
}

fn all(criterion: &mut Criterion) {
    let rules = maumau::round::Rules { stacking: true, wish_on_wish: false, play_drawn: true };
    let options = maumau::game::Options { players: 2, rounds: 1, hand: 6, rules };
    stepping::<maumau::game::MauMau>(criterion, "Mau-Mau", options);
    stepping::<tichu::game::Tichu>(criterion, "Tichu", tichu::game::Options { goal: 1000, rounds: 1 });
}

criterion_group!(benches, all);
criterion_main!(benches);
