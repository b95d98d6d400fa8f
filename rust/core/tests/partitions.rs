//! Partitions against a slow twin that tries every subset of a hand.

use std::collections::HashSet;
use std::num::NonZeroUsize;

use proptest::prelude::*;
use proptest::sample::{Index, subsequence};
use tisch_core::tichu::cards::Cards;
use tisch_core::tichu::classify::classify;
use tisch_core::tichu::combinations::COUNT;
use tisch_core::tichu::hand::Hand;
use tisch_core::tichu::partitions::{
    NotInHand, Partitions, Prices, PricesError, cheapest_after, fewest, fewest_after, partitions,
};
use tisch_core::tichu::plays::Play;

const ALL: NonZeroUsize = NonZeroUsize::MAX;

fn hand(text: &str) -> Hand {
    Hand::new(text.parse().unwrap()).unwrap()
}

fn at_most(limit: usize) -> NonZeroUsize {
    NonZeroUsize::new(limit).unwrap()
}

fn each(partitions: &Partitions) -> impl Iterator<Item = Vec<Play>> {
    (0..partitions.len()).map(|place| partitions.get(place).unwrap())
}

/// Returns all partitions: each combination with the lowest card, with all partitions of the other cards.
fn slow_partitions(cards: Cards) -> Vec<Vec<Play>> {
    let Some(lowest) = cards.lowest_index().map(Cards::at) else { return vec![Vec::new()] };
    let others = cards.minus(lowest).mask();
    let mut found = Vec::new();
    let mut subset = others;
    loop {
        let part = lowest.union(Cards::from_mask(subset).unwrap());
        if let Some(play) = Play::of(part) {
            for mut partition in slow_partitions(cards.minus(part)) {
                partition.push(play);
                partition.sort_unstable();
                found.push(partition);
            }
        }
        if subset == 0 {
            return found;
        }
        subset = (subset - 1) & others;
    }
}

fn assert_is_partition(partition: &[Play], hand: Cards) {
    let used = partition.iter().fold(Cards::EMPTY, |used, play| {
        assert!(used.intersection(play.cards()).is_empty() && !play.cards().is_empty());
        assert_eq!(classify(play.cards()), Some(play.combination()));
        used.union(play.cards())
    });
    assert_eq!(used, hand);
    assert!(partition.is_sorted());
}

/// Hands of cards of close values, with any of the special cards.
fn hands(size: usize) -> impl Strategy<Value = Cards> {
    (0..=11_u32, 2..=8_u32).prop_flat_map(move |(first, values)| {
        let suited = (2 + 4 * first)..(2 + 4 * (first + values)).min(54);
        let deck: Vec<u32> = [0, 1, 54, 55].into_iter().chain(suited).collect();
        let most = size.min(deck.len());
        subsequence(deck, size / 2..=most)
            .prop_map(|cards| cards.into_iter().map(Cards::at).fold(Cards::EMPTY, Cards::union))
    })
}

proptest! {
    #[test]
    fn small_hands_have_just_the_partitions_of_the_slow_twin(cards in hands(9)) {
        let slow = slow_partitions(cards);
        let found = partitions(&Hand::new(cards).unwrap(), ALL);
        prop_assert!(found.is_complete());
        prop_assert_eq!(found.len(), slow.len());
        let slow: HashSet<Vec<Play>> = slow.into_iter().collect();
        prop_assert_eq!(each(&found).collect::<HashSet<_>>(), slow);
    }

    #[test]
    fn big_hands_have_different_partitions_the_shortest_first(cards in hands(14), limit in 1..300_usize) {
        let hand = Hand::new(cards).unwrap();
        let found = partitions(&hand, at_most(limit));
        let all: Vec<_> = each(&found).collect();
        for partition in &all {
            assert_is_partition(partition, cards);
        }
        prop_assert!(all.is_sorted_by_key(Vec::len));
        prop_assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
        let few = fewest(&hand);
        assert_is_partition(&few, cards);
        prop_assert_eq!(few.len(), all[0].len());
        let more = partitions(&hand, at_most(limit + 1));
        prop_assert_eq!(found.is_complete(), more.len() <= limit);
        prop_assert_eq!(each(&more).take(limit).collect::<Vec<_>>(), all);
    }

    #[test]
    fn what_is_left_after_plays_is_split_like_any_hand(cards in hands(14), picks in any::<[Index; 8]>()) {
        let hand = Hand::new(cards).unwrap();
        let mut plays = vec![Play::PASS];
        hand.push_combinations(&mut plays);
        let gone: Vec<Cards> = picks.iter().map(|pick| pick.get(&plays).cards()).collect();
        let left: Vec<_> = gone.iter().map(|&cards| fewest(&hand.without(cards)).len() as u32).collect();
        prop_assert_eq!(fewest_after(&hand, gone), Ok(left));
    }

    #[test]
    fn the_cheapest_partition_is_the_cheapest_of_all(
        cards in hands(9),
        prices in prop::collection::vec(-1000..2000, COUNT - 1),
        picks in any::<[Index; 4]>(),
    ) {
        let hand = Hand::new(cards).unwrap();
        let mut plays = vec![Play::PASS];
        hand.push_combinations(&mut plays);
        let gone: Vec<Cards> = picks.iter().map(|pick| pick.get(&plays).cards()).collect();
        let price = |play: &Play| prices[usize::from(play.place())];
        let cheapest = |cards: Cards| {
            let all = slow_partitions(cards);
            all.iter().map(|partition| partition.iter().map(price).sum::<i32>()).min().unwrap()
        };
        let left: Vec<_> = gone.iter().map(|&gone| cheapest(cards.minus(gone))).collect();
        prop_assert_eq!(cheapest_after(&hand, &Prices::new(&prices).unwrap(), gone), Ok(left));
    }
}

#[test]
fn the_fewest_combinations_of_hands_that_are_hard_to_see_through() {
    for (text, number) in [
        ("", 0),
        ("Ph", 1),
        ("Ph Ma", 2),
        ("Ph Dr Ma Hu", 4),
        ("S2 B2 S3 B3 S4 B4 S5 B5 S6 B6 S7 B7 S8 B8", 1),
        ("Ma S2 B3 S4 B5 S6 B7 S8 B9 SZ BB SD BK SA", 1),
        ("Ph S2 B3 S4 B5 S6 B7 S8 B9 SZ BB SD BK SA", 2),
        ("Ph S3 B4 S5 B6 S7 B8 S9 BZ SB BD SK BA", 1),
        ("S2 B2 G2 R2 S5 B5 G5 R5 S8 B8 G8 R8 Ph", 4),
        ("S2 B2 G2 R2 S5 B5 G5 R5 S8 B8 G8 R8 Ph SZ", 4),
        ("S2 B2 G2 R2 S5 B5 G5 S8 B8 G8", 2),
        ("S2 B2 G2 S5 B5 G5 S8 B8 G8 Ph", 2),
        ("S2 B2 G2 R2 S5 B5 G5 S8 B8 Ph", 2),
        ("S2 B2 G2 R2 Ph", 2),
        ("S2 B2 G2 R2 S5 B5 G5 Ph", 2),
        ("S5 B6 S7 B7 G7 R7 S8 B9 Ph", 2),
        ("S5 B6 S7 B8 S9 B9 G9 R9 Ph", 2),
        ("SB BD SK BA SZ BZ GZ RZ Ph", 2),
        ("S3 B3 S4 B4 S5 B5 S6 B6 S7 B7 S8 S9", 2),
        ("S3 B3 S4 B4 S5 B5 G5 R5 S6 B6 S7 B7", 2),
        ("S2 B3 G4 R5 S6 S7 B7 G7 R7 S8 B9 GZ SB", 2),
    ] {
        let hand = hand(text);
        let few = fewest(&hand);
        assert_eq!(few.len(), number, "{text}: {few:?}");
        assert_is_partition(&few, hand.cards());
    }
}

#[test]
fn a_street_of_one_suit_stays_together() {
    let few = fewest(&hand("S3 B3 B4 R5 B5 B6 B7"));
    assert!(few[0].is_bomb() && few[0].cards() == hand("B3 B4 B5 B6 B7").cards(), "{few:?}");
}

#[test]
fn no_cards_have_one_partition_of_nothing() {
    let none = partitions(&hand(""), at_most(1));
    assert_eq!((none.len(), none.get(0), none.is_complete()), (1, Some(Vec::new()), true));
    assert_eq!(none.get(1), None);
}

#[test]
fn of_equally_many_combinations_the_lowest_card_decides() {
    let found = partitions(&hand("S2 B2 S3 B3"), ALL);
    let texts: Vec<String> = each(&found)
        .map(|plays| plays.iter().map(|play| play.cards().to_string()).collect::<Vec<_>>().join(" + "))
        .collect();
    assert_eq!(texts, ["B3 S3 B2 S2", "B2 S2 + B3 S3", "B2 S2 + S3 + B3", "B3 S3 + S2 + B2", "S2 + B2 + S3 + B3"]);
}

#[test]
fn cards_that_are_not_in_the_hand_cannot_leave_it() {
    let three = "S3".parse().unwrap();
    assert_eq!(fewest_after(&hand("S2"), [Cards::EMPTY, three]), Err(NotInHand(three)));
    let prices = Prices::new(&[1; COUNT - 1]).unwrap();
    assert_eq!(cheapest_after(&hand("S2"), &prices, [Cards::EMPTY, three]), Err(NotInHand(three)));
}

#[test]
fn numbers_that_are_no_prices_are_named() {
    assert_eq!(Prices::new(&[1; 3]).unwrap_err(), PricesError::Count(3));
    assert_eq!(Prices::new(&[-1_000_001; COUNT - 1]).unwrap_err(), PricesError::Beyond(-1_000_001));
}
