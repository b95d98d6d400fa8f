//! Measures the queries about an Okey rack, by the number of jokers on it.
//!
//! Half of the racks are random; the others are a complete rack with two tiles replaced, as late in a game.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use tisch_core::okey::{self, JOKER, Tile, Tiles};
use tisch_core::random::Random;

const RACKS: u64 = 256;

/// A complete rack of twelve tiles: runs of four and five and a set.
const COMPLETE: [Tile; 12] = [1, 2, 3, 4, 14, 27, 40, 20, 21, 22, 23, 24];

/// Returns a rack with these numbers of tiles and jokers; `None` if the drawn tiles are impossible together.
fn rack(seed: u64, size: usize, jokers: usize) -> Option<Tiles> {
    let mut tiles: Vec<Tile> = vec![JOKER; jokers];
    if seed.is_multiple_of(2) {
        tiles.extend(COMPLETE);
        tiles.truncate(size - 2);
    }
    let mut deck: Vec<Tile> = (1..okey::KINDS).chain(1..okey::KINDS).collect();
    Random::new(seed).shuffle(&mut deck);
    tiles.extend(&deck[..size - tiles.len()]);
    Tiles::rack(&tiles).ok()
}

fn questions(bench: &mut Criterion) {
    let mut group = bench.benchmark_group("okey");
    let all = Tiles::default().missing();
    for jokers in 0..=2 {
        let racks = |size| -> Vec<Tiles> { (0..RACKS).filter_map(|seed| rack(seed, size, jokers)).collect() };
        let (held, full) = (racks(14), racks(15));
        let mut ask = |name: &str, racks: &[Tiles], question: &dyn Fn(Tiles) -> usize| {
            let mut next = racks.iter().cycle();
            group.bench_with_input(BenchmarkId::new(name, jokers), racks, |bench, _| {
                bench.iter(|| question(black_box(*next.next().expect("a cycle has no end"))));
            });
        };
        ask("arrange", &held, &|rack| okey::arrange(rack).groups.len());
        ask("coverage", &held, &|rack| usize::from(okey::coverage(rack)));
        ask("outs", &held, &|rack| okey::outs(rack, all) as usize);
        ask("puts", &full, &|rack| okey::puts(rack).len());
        ask("winning_puts", &full, &|rack| okey::winning_puts(rack).kinds().count());
    }
    group.finish();
}

criterion_group!(benches, questions);
criterion_main!(benches);
