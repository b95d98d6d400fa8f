//! Tichu's odds against plain counting: every hand of a small pool, for every combination.

use std::collections::HashMap;

use proptest::prelude::*;
use tisch_core::random::Random;
use tisch_core::tichu::cards::{Cards, DECK_SIZE};
use tisch_core::tichu::classify::classify;
use tisch_core::tichu::combinations::{ALL, Combination, Kind};
use tisch_core::tichu::hand::Hand;
use tisch_core::tichu::odds::{OddsError, beats, higher, holds, holds_each, lower, table};
use tisch_core::tichu::plays::Play;

/// Combinations, each as the bit of its index.
type Held = [u128; 3];

/// All hands of a pool, as far as they differ in size or in the combinations that they contain.
struct Hands {
    pool: Cards,
    largest: u32,
    counts: HashMap<(u32, Held), u32>,
}

type Odds = fn(Cards, u32, Combination) -> Result<f64, OddsError>;

fn with(held: Held, combination: Combination) -> Held {
    let place = usize::from(combination.place());
    std::array::from_fn(|word| if word == place / 128 { held[word] | 1 << (place % 128) } else { held[word] })
}

impl Hands {
    /// Visits each set of cards of the pool, and for each hand the sets one card smaller.
    fn of(pool: Cards) -> Self {
        let cards: Vec<Cards> = pool.iter().collect();
        let mut holds: Vec<Held> = vec![[0; 3]; 1 << cards.len()];
        for hand in 1..holds.len() {
            let lowest = hand.trailing_zeros() as usize;
            let of_hand = cards.iter().enumerate().filter(|(place, _)| hand >> place & 1 == 1);
            let mut held = holds[hand ^ 1 << lowest];
            for place in lowest + 1..cards.len() {
                if hand >> place & 1 == 1 {
                    let smaller = holds[hand ^ 1 << place];
                    held = std::array::from_fn(|word| held[word] | smaller[word]);
                }
            }
            let form = classify(of_hand.fold(Cards::EMPTY, |set, (_, card)| set.union(*card)));
            holds[hand] = form.map_or(held, |combination| with(held, combination));
        }
        let mut counts = HashMap::new();
        for (hand, held) in holds.into_iter().enumerate() {
            *counts.entry((hand.count_ones(), held)).or_default() += 1;
        }
        Self { pool, largest: pool.len(), counts }
    }

    /// Returns the share of the hands of each size that hold a combination with this property.
    fn shares(&self, wanted: impl Fn(Combination) -> bool) -> Vec<f64> {
        let fitting = ALL.into_iter().filter(|combination| wanted(*combination)).fold([0; 3], with);
        let mut all = [0_u32; DECK_SIZE as usize + 1];
        let mut fit = [0_u32; DECK_SIZE as usize + 1];
        for ((size, held), count) in &self.counts {
            all[*size as usize] += count;
            if held.iter().zip(fitting).any(|(held, fitting)| held & fitting != 0) {
                fit[*size as usize] += count;
            }
        }
        let sizes = 0..=self.largest as usize;
        sizes.map(|size| f64::from(fit[size]) / f64::from(all[size])).collect()
    }

    fn assert_equal(&self, name: &str, odds: Odds, combination: Combination, wanted: impl Fn(Combination) -> bool) {
        for (size, share) in self.shares(wanted).into_iter().enumerate() {
            let found = odds(self.pool, size as u32, combination);
            assert_eq!(found, Ok(share), "{name}, {combination:?}, {size} of {}", self.pool);
        }
    }

    fn assert_all_equal(&self) {
        for combination in ALL.into_iter().filter(|combination| *combination != Combination::PASS) {
            let same = |other: Combination| other.kind == combination.kind && other.length == combination.length;
            let is_bomb = combination.kind == Kind::Bomb;
            if combination == Combination::DOG {
                assert_eq!((beats(self.pool, 1, combination), higher(self.pool, 1, combination)), (Ok(1.0), Ok(1.0)));
            } else {
                self.assert_equal("beats", beats, combination, |other| other.beats(combination));
                self.assert_equal("higher", higher, combination, |other| {
                    other.beats(combination) && (same(other) || is_bomb)
                });
            }
            self.assert_equal("lower", lower, combination, |other| combination.beats(other) && same(other));
        }
    }
}

fn cards(text: &str) -> Cards {
    text.parse().unwrap()
}

#[test]
fn a_combination_holds_if_no_hidden_hand_tops_it() {
    let unseen: Cards = "Ph Dr SA BA GK S9 B9 G8 R8 S5 B4 Ma".parse().unwrap();
    let pair = Combination::new(2, 2, 8).unwrap();
    let alone = |size| 1.0 - higher(unseen, size, pair).unwrap();
    assert_eq!(holds(unseen, &[4, 4, 2, 0], pair), Ok(alone(4) * alone(4) * alone(2)));
    assert_eq!(holds(unseen, &[], pair), Ok(1.0));
    assert_eq!(holds(unseen, &[4, 13], pair), Err(OddsError::TooFewUnseen { size: 13, unseen: 12 }));
}

#[test]
fn many_combinations_at_once_hold_as_each_of_them() {
    let pools = ["Ph Dr Ma Hu S2 B2 S3 G4 R5 S6 S7 S8 S9 B9 G9 SZ BZ SB GD RD SK BA", "SA BA GA S5 B5 R4 G4 S3 B2 Dr"];
    let deck = Cards::DECK.minus(cards("S9 B9 G8 R8 SZ BD GK RA S2 B3 Hu S4 B5 G6"));
    let all: Vec<Combination> = ALL.into_iter().filter(|&each| each != Combination::PASS).rev().collect();
    for unseen in pools.into_iter().map(cards).chain([deck]) {
        for sizes in [&[9, 4][..], &[0, 1], &[7, 7, 3], &[10], &[]] {
            let each = all.iter().map(|&combination| holds(unseen, sizes, combination).unwrap());
            assert_eq!(holds_each(unseen, sizes, &all), Ok(each.collect()), "{sizes:?} of {unseen}");
        }
    }
    // Pools of any size, some of them full of long runs.
    let mut random = Random::new(5);
    let mut indices: Vec<u32> = (0..DECK_SIZE).collect();
    for number in 0..40 {
        random.shuffle(&mut indices);
        let most = if number % 2 == 0 { 20 } else { DECK_SIZE as usize };
        let gone = random.below(most as u64) as usize;
        let unseen = indices[gone..].iter().fold(Cards::EMPTY, |pool, &index| pool.union(Cards::at(index)));
        let sizes = [14, 5].map(|most| random.below(most + 1).min(u64::from(unseen.len())) as u32);
        let each = all.iter().map(|&combination| holds(unseen, &sizes, combination).unwrap());
        assert_eq!(holds_each(unseen, &sizes, &all), Ok(each.collect()), "{sizes:?} of {unseen}");
    }
    assert_eq!(holds_each(deck, &[15], &[]), Err(OddsError::TooLarge(15)));
    assert_eq!(holds_each(deck, &[4], &[ALL[0], Combination::PASS]), Err(OddsError::Pass));
}

#[test]
fn pools_rich_in_bombs_are_counted_exactly() {
    Hands::of(cards("S2 S3 S4 S5 S6 S7 B4 B5 B6 B7 B8 G6 R6 Ph")).assert_all_equal();
    Hands::of(cards("S2 S3 S4 S5 S6 S8 S9 SZ SB SD S7 SA SK Ma")).assert_all_equal();
    Hands::of(cards("SZ SB SD SK SA GZ GB GD GK GA RA BA RZ BZ")).assert_all_equal();
}

#[test]
fn pools_rich_in_streets_and_stairs_are_counted_exactly() {
    Hands::of(cards("Ma S2 S3 B4 G5 R6 S7 S8 B8 S9 SZ GB RD Ph")).assert_all_equal();
    Hands::of(cards("S2 B2 S3 B3 G4 R4 G5 R5 S6 B6 S7 Ph Ma Dr")).assert_all_equal();
    Hands::of(cards("Hu Ma Dr Ph S2 B2 G2 R2 S3 B3 G3 SA BA GA")).assert_all_equal();
}

/// Checks all hands of up to five cards of a pool of any size.
fn small_hands(pool: Cards) -> Hands {
    fn grow(cards: &[Cards], chosen: Cards, counts: &mut HashMap<(u32, Held), u32>) {
        let mut plays = Vec::new();
        Hand::new(chosen).unwrap().push_combinations(&mut plays);
        let held = plays.into_iter().map(Play::combination).fold([0; 3], with);
        *counts.entry((chosen.len(), held)).or_default() += 1;
        if chosen.len() < 5 {
            for (place, card) in cards.iter().enumerate() {
                grow(&cards[place + 1..], chosen.union(*card), counts);
            }
        }
    }
    let mut counts = HashMap::new();
    grow(&pool.iter().collect::<Vec<_>>(), Cards::EMPTY, &mut counts);
    Hands { pool, largest: 5, counts }
}

#[test]
fn small_hands_of_half_the_deck_are_counted_exactly() {
    small_hands(cards("Hu Ma Dr Ph S2 S3 S4 S5 S6 S7 B5 B6 G6 R6 B9 G9 SZ SB SD GD RD SK SA BA GA RA"))
        .assert_all_equal();
}

/// Four million hands: this takes minutes in a debug build, seconds in a release build.
#[test]
#[ignore = "slow; cargo test --release -p tisch-core --test odds -- --ignored"]
fn small_hands_of_the_whole_deck_are_counted_exactly() {
    small_hands(Cards::DECK).assert_all_equal();
}

/// A pool of cards close together, so that combinations are frequent.
fn pools() -> impl Strategy<Value = Cards> {
    let suited = (2..=50_u32, 1..=3_u32).prop_flat_map(|(first, span)| {
        prop::collection::vec(first..=(first + 8 + 12 * span).min(DECK_SIZE - 1), 1..=9)
    });
    (suited, prop::collection::vec(prop::sample::select(vec![0, 1, 54, 55]), 0..=3)).prop_map(|(suited, special)| {
        suited.into_iter().chain(special).fold(Cards::EMPTY, |pool, index| pool.union(Cards::at(index)))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn all_odds_equal_plain_counting(pool in pools()) {
        Hands::of(pool).assert_all_equal();
    }
}

#[test]
fn a_table_holds_the_odds_of_each_combination_and_size() {
    let unseen = Cards::DECK.minus(cards("SA BA GA RA S2 B3 G4 R5 Dr Hu S7 B7 S8 B8"));
    let lying = [ALL[100], ALL[3], Combination::DOG, ALL[200], ALL[100], Combination::PHOENIX, ALL[30], ALL[150]];
    let sizes = [14, 0, 5, 9];
    let found = table(unseen, &sizes, &lying).unwrap();
    let expected = lying.iter().flat_map(|&combination| sizes.map(|size| beats(unseen, size, combination).unwrap()));
    assert_eq!(found, expected.collect::<Vec<_>>());
}
