//! Rounds of Tichu in the core: they end, score by the rules, and are the same on any number of threads.

use std::num::NonZeroUsize;

use tisch_core::random::Random;
use tisch_core::tichu::cards::Cards;
use tisch_core::tichu::deal::deal;
use tisch_core::tichu::moves::{Move, Verb};
use tisch_core::tichu::playout::{Question, Start, duel, evaluate, playouts};
use tisch_core::tichu::policies::{HeuristicPolicy, Policy, PolicyName, decide};
use tisch_core::tichu::redeal::Evidence;
use tisch_core::tichu::round::{Phase, Round, SEATS, each, next};

/// Plays a round at random, including calls and bombs out of turn, and visits it before each move.
fn play(number: u64, mut look: impl FnMut(&Round, &Evidence, &mut Random)) -> (Round, Vec<(u8, Move)>) {
    let (mut random, mut round) = (Random::new(number), Round::deal(deal(1, number)));
    let (mut evidence, mut made) = (Evidence::default(), Vec::new());
    while round.score().is_none() {
        look(&round, &evidence, &mut random);
        let speakers: Vec<u8> = each(round.speakers()).collect();
        let seat = if !speakers.is_empty() && random.below(8) == 0 {
            speakers[random.below(speakers.len() as u64) as usize]
        } else {
            next(round.awaited(), SEATS - 1)
        };
        let legal = round.legal(seat);
        let chosen = legal[random.below(legal.len() as u64) as usize];
        evidence.note(&round, seat, chosen);
        round.apply(seat, chosen).unwrap();
        made.push((seat, chosen));
    }
    (round, made)
}

fn cards(round: &Round) -> Cards {
    (0..SEATS).fold(round.played(), |all, seat| all.union(round.hand(seat)))
}

#[test]
fn a_round_is_small_enough_to_be_copied() {
    assert!(size_of::<Round>() <= 192, "{}", size_of::<Round>());
}

#[test]
fn every_round_ends_and_brings_what_was_to_be_won() {
    let mut doubles = 0;
    for number in 0..2000 {
        let (round, made) = play(number, |_, _, _| ());
        assert_eq!(cards(&round), Cards::DECK);
        assert!((0..SEATS).all(|seat| round.legal(seat).is_empty()) && round.awaited() == 0);
        let out: Vec<u8> = (0..SEATS).filter(|&seat| round.hand(seat).is_empty()).collect();
        let is_double = out.len() == 2;
        assert!(if is_double { out[1] - out[0] == 2 } else { out.len() == 3 });
        doubles += i32::from(is_double);
        // The first seat without cards has won; calls count for or against the caller.
        let mut laid = [0; SEATS as usize];
        let winner = made.iter().filter(|(_, chosen)| chosen.verb() == Verb::Play).find_map(|(seat, chosen)| {
            laid[usize::from(*seat)] += chosen.cards().len();
            (laid[usize::from(*seat)] == 14).then_some(*seat)
        });
        let call = |(seat, chosen): &(u8, Move)| match chosen.verb() {
            Verb::Grand | Verb::Tichu => {
                let height = if chosen.verb() == Verb::Grand { 200 } else { 100 };
                if Some(*seat) == winner { height } else { -height }
            }
            _ => 0,
        };
        let [one, other] = round.score().unwrap();
        let won = if is_double { 200 } else { 100 };
        assert_eq!(i32::from(one + other), won + made.iter().map(call).sum::<i32>(), "round {number}");
    }
    assert!(doubles > 100, "{doubles}");
}

#[test]
fn a_move_that_is_not_legal_leaves_the_round_as_it_is() {
    for number in 0..50 {
        play(number, |round, _, random| {
            for seat in 0..=SEATS {
                let chosen = Move::wish(2 + random.below(13) as u8);
                let mut other = *round;
                if seat == SEATS || !round.legal(seat).contains(&chosen) {
                    assert!(other.apply(seat, chosen).is_err());
                    assert_eq!(other, *round);
                }
            }
        });
    }
}

#[test]
fn what_is_dealt_anew_keeps_what_the_seat_sees() {
    for number in 0..100 {
        play(number, |round, evidence, random| {
            let seat = random.below(4) as u8;
            let other = round.redeal(seat, evidence, random);
            assert_eq!((other.hand(seat), other.played()), (round.hand(seat), round.played()));
            assert_eq!(other.legal(seat), round.legal(seat));
            if round.phase() != Phase::Grand && round.phase() != Phase::Schupf {
                assert_eq!(cards(&other), cards(round));
            }
            assert!((0..SEATS).all(|each| other.hand(each).len() == round.hand(each).len()));
        });
    }
}

#[test]
fn policies_make_legal_moves() {
    for policy in PolicyName::ALL {
        for number in 0..if policy == PolicyName::Exact { 10 } else { 200 } {
            play(number, |round, _, random| {
                for seat in each(round.awaited() | round.speakers()) {
                    if let Some(chosen) = decide(round, seat, policy, random) {
                        assert!(round.legal(seat).contains(&chosen), "{}: {chosen}", policy.name());
                    }
                }
            });
        }
    }
}

#[test]
fn a_policy_that_remembers_makes_legal_moves_to_the_end() {
    for name in PolicyName::ALL {
        let (mut policy, mut random) = (name.policy(), Random::new(7));
        for number in 0..if name == PolicyName::Exact { 3 } else { 40 } {
            let mut round = Round::deal(deal(3, number));
            policy.start();
            while round.score().is_none() {
                let bomb = each(round.speakers() & !round.awaited())
                    .filter(|&seat| round.legal(seat).iter().any(|chosen| chosen.verb() == Verb::Play))
                    .find_map(|seat| policy.interrupt(&round, seat, &mut random).map(|chosen| (seat, chosen)));
                let (seat, chosen) = bomb.unwrap_or_else(|| {
                    let seat = next(round.awaited(), SEATS - 1);
                    (seat, policy.decide(&round, seat, &mut random))
                });
                round.apply(seat, chosen).unwrap();
            }
        }
    }
}

#[test]
fn results_are_the_same_on_any_number_of_threads() {
    let threads = [1, 2, 5].map(|threads| NonZeroUsize::new(threads).unwrap());
    let mut asked = 0;
    play(3, |round, evidence, _| {
        let seat = next(round.awaited(), SEATS - 1);
        if asked < 3 && round.phase() == Phase::Play {
            asked += 1;
            let candidates = round.legal(seat).into_iter().take(3).map(|chosen| vec![chosen]);
            let question = Question::new(round, evidence, seat, candidates).unwrap();
            // The quick policy remembers the most from one move to the next.
            let ask = |threads| evaluate(&question, 7..60, PolicyName::Quick, 5, threads, &mut || true);
            let [one, two, five] = threads.map(ask);
            assert!(one.is_some() && one == two && one == five);
        }
    });
    let [one, two, five] = threads.map(|threads| playouts(&Start::Deal, 0..300, PolicyName::Random, 5, threads));
    assert!(one == two && one == five);
    let [one, two, five] = threads.map(|threads| duel([PolicyName::Greedy, PolicyName::Random], 0..100, 5, threads));
    assert!(one == two && one == five && one.sum > 0);
}

/// Returns a round after all seats have passed on Grand Tichu.
fn before_the_schupf(number: u64) -> Round {
    let mut round = Round::deal(deal(2, number));
    for seat in 0..SEATS {
        round.apply(seat, Move::PASS).unwrap();
    }
    round
}

#[test]
fn the_gifts_of_a_policy_depend_on_the_round_alone() {
    let (mut kept, mut random, mut begun) = (HeuristicPolicy::new(false), Random::new(0), 0);
    for number in 0..300 {
        let [mut round, mut other] = [2 * number, 2 * number + 1].map(before_the_schupf);
        let first = kept.decide(&round, 0, &mut random);
        round.apply(0, first).unwrap();
        let second = kept.decide(&round, 0, &mut random);
        let known = other.legal(0);
        if known.contains(&first) && known.contains(&second) {
            // The plan for the first hand fits here as well, but another hand has other gifts.
            other.apply(0, first).unwrap();
            let mut fresh = HeuristicPolicy::new(false);
            assert_eq!(kept.decide(&other, 0, &mut random), fresh.decide(&other, 0, &mut random), "round {number}");
            begun += 1;
        }
    }
    assert!(begun > 10, "{begun}");
}
