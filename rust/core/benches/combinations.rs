//! Measures listing the combinations of a hand and its legal plays, without Python: the mean over 200 random hands.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use tisch_core::random::Random;
use tisch_core::tichu::cards::{Cards, DECK_SIZE};
use tisch_core::tichu::census::census;
use tisch_core::tichu::combinations::Combination;
use tisch_core::tichu::hand::{Hand, Wish};
use tisch_core::tichu::plays::Play;

const TRICKS: [(&str, u8, u8, u8); 7] = [
    ("single", 1, 1, 7),
    ("pair", 2, 2, 5),
    ("triple", 3, 3, 4),
    ("stair", 4, 4, 6),
    ("full house", 5, 5, 4),
    ("street", 6, 5, 7),
    ("bomb", 7, 4, 7),
];

fn hands() -> Vec<Hand> {
    let mut random = Random::new(2);
    let mut deck: Vec<u32> = (0..DECK_SIZE).collect();
    let deal = |_| {
        random.shuffle(&mut deck);
        Hand::new(deck[..14].iter().copied().map(Cards::at).fold(Cards::EMPTY, Cards::union)).unwrap()
    };
    (0..200).map(deal).collect()
}

/// Measures a listing, hand by hand, with one buffer for all.
fn measure(criterion: &mut Criterion, name: &str, hands: &[Hand], list: impl Fn(&Hand, &mut Vec<Play>)) {
    let mut next = hands.iter().cycle();
    let mut plays = Vec::new();
    criterion.benchmark_group("combinations").bench_function(name, |bencher| {
        bencher.iter(|| {
            plays.clear();
            list(black_box(next.next().unwrap()), &mut plays);
            plays.len()
        });
    });
}

fn combinations(criterion: &mut Criterion) {
    let hands = hands();
    for hand in &hands {
        let mut plays = Vec::new();
        hand.push_combinations(&mut plays);
        assert_eq!(plays.len() as u64, census(hand.cards()).iter().sum::<u64>());
    }
    measure(criterion, "combinations", &hands, Hand::push_combinations);
}

fn plays(criterion: &mut Criterion) {
    let hands = hands();
    for (name, kind, length, rank) in TRICKS {
        let trick = Combination::new(kind, length, rank).unwrap();
        let list = |hand: &Hand, plays: &mut Vec<Play>| hand.push_plays(trick, Wish::NONE, plays);
        for hand in &hands {
            let (mut everything, mut legal) = (Vec::new(), Vec::new());
            hand.push_combinations(&mut everything);
            everything.push(Play::PASS);
            everything.retain(|play| hand.after(play.cards(), trick, Wish::NONE).is_ok());
            list(hand, &mut legal);
            assert_eq!(legal, everything);
        }
        measure(criterion, &format!("plays on a {name}"), &hands, list);
    }
}

criterion_group!(benches, combinations, plays);
criterion_main!(benches);
