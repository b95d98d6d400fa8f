//! Properties of the lists of combinations and plays, for any hand.

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::sample::subsequence;
use tisch_core::tichu::cards::{ACE, Cards, DECK_SIZE, LOWEST};
use tisch_core::tichu::census::census;
use tisch_core::tichu::classify::classify;
use tisch_core::tichu::combinations::{ALL, COUNT, Combination, Kind};
use tisch_core::tichu::hand::{HAND_SIZE, Hand, Wish};
use tisch_core::tichu::plays::{Play, put_safest_first};

/// Hands of up to 14 cards; every other one of adjacent values, which form more combinations.
fn hands() -> impl Strategy<Value = Hand> {
    let sizes = 0..=HAND_SIZE as usize;
    let anywhere = subsequence((0..DECK_SIZE).collect::<Vec<_>>(), sizes.clone());
    let together = (0..DECK_SIZE - 24).prop_flat_map(move |first| {
        let near: BTreeSet<_> = (first..first + 24).chain([0, 1, 54, 55]).collect();
        subsequence(near.into_iter().collect::<Vec<_>>(), sizes.clone())
    });
    prop_oneof![anywhere, together].prop_map(|places| {
        let cards = places.into_iter().fold(Cards::EMPTY, |cards, place| cards.union(Cards::at(place)));
        Hand::new(cards).unwrap()
    })
}

fn tricks() -> impl Strategy<Value = Combination> {
    (0..COUNT).prop_map(|place| ALL[place])
}

fn wishes() -> impl Strategy<Value = Wish> {
    prop_oneof![Just(0), i64::from(LOWEST)..=i64::from(ACE)].prop_map(|value| Wish::new(value).unwrap())
}

fn combinations(hand: &Hand) -> Vec<Play> {
    let mut plays = Vec::new();
    hand.push_combinations(&mut plays);
    plays
}

fn plays(hand: &Hand, trick: Combination, wish: Wish) -> Vec<Play> {
    let mut plays = Vec::new();
    hand.push_plays(trick, wish, &mut plays);
    plays
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn what_is_listed_is_what_the_cards_form(hand in hands()) {
        for play in combinations(&hand) {
            prop_assert!(hand.cards().contains(play.cards()));
            prop_assert_eq!(classify(play.cards()), Some(play.combination()));
        }
    }

    #[test]
    fn every_set_of_cards_is_listed_once_and_in_order(hand in hands()) {
        prop_assert!(combinations(&hand).is_sorted_by(|one, other| one < other));
    }

    #[test]
    fn as_many_are_listed_as_are_counted(hand in hands()) {
        let mut listed = [0; COUNT];
        for play in combinations(&hand) {
            listed[usize::from(play.combination().place())] += 1;
        }
        prop_assert_eq!(listed, census(hand.cards()));
    }

    #[test]
    fn what_may_be_laid_is_what_beats_the_trick(hand in hands(), trick in tricks()) {
        let leads = trick.kind == Kind::Pass;
        let mut expected = combinations(&hand);
        expected.retain(|play| leads || play.combination().beats(trick));
        expected.extend((!leads).then_some(Play::PASS));
        prop_assert_eq!(plays(&hand, trick, Wish::NONE), expected);
    }

    #[test]
    fn a_wish_that_can_be_fulfilled_leaves_only_that_and_bombs(hand in hands(), trick in tricks(), wish in wishes()) {
        let free = plays(&hand, trick, Wish::NONE);
        let fulfils = |play: &Play| wish.is_fulfilled_by(play.cards());
        let must = free.iter().any(fulfils);
        let expected: Vec<_> = free.into_iter().filter(|play| !must || fulfils(play) || play.is_bomb()).collect();
        prop_assert_eq!(plays(&hand, trick, wish), expected);
        prop_assert_eq!(hand.must_fulfil(trick, wish), must);
    }

    #[test]
    fn a_hand_lets_go_what_is_listed_and_nothing_else(hand in hands(), trick in tricks(), wish in wishes()) {
        let legal = plays(&hand, trick, wish);
        for play in combinations(&hand).into_iter().chain([Play::PASS]) {
            let left = Hand::new(hand.cards().minus(play.cards())).ok();
            prop_assert_eq!(hand.after(play.cards(), trick, wish).ok(), left.filter(|_| legal.contains(&play)));
        }
    }

    #[test]
    fn a_hand_knows_its_bombs(hand in hands(), trick in tricks()) {
        let mut bombs = Vec::new();
        hand.push_bombs_on(trick, &mut bombs);
        let mut expected = plays(&hand, trick, Wish::NONE);
        expected.retain(|play| play.is_bomb());
        prop_assert_eq!(bombs, expected);
        prop_assert_eq!(hand.has_bomb(), combinations(&hand).iter().any(|play| play.is_bomb()));
    }

    #[test]
    fn the_safest_come_first(hand in hands(), trick in tricks()) {
        let mut cautious = plays(&hand, trick, Wish::NONE);
        let mut expected = cautious.clone();
        put_safest_first(&mut cautious);
        expected.sort_by_key(|play| (play.is_bomb(), play.combination().length, *play));
        prop_assert_eq!(cautious, expected);
    }
}
