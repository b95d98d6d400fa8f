//! Tests of batches with Mau-Mau; the tests in Python compare every game with the engine.

use std::num::NonZeroUsize;

use super::*;
use crate::maumau::game::{MauMau, Options};
use crate::maumau::round::Rules;
use crate::random::{Random, derive};
use crate::simulation::{Parameters, Played as _};

const ONE: NonZeroUsize = NonZeroUsize::MIN;

fn options() -> Options {
    let rules = Rules { stacking: true, wish_on_wish: false, play_drawn: true };
    Options { players: 3, rounds: 1, hand: 6, rules }
}

fn plan() -> Plan<MauMau> {
    let pools = vec![None, None, None];
    Plan { options: options(), seed: 5, skip_forced: false, pools, starts: Vec::new(), history: 2 }
}

/// A plan with a pool at seat 1.
fn pooled() -> Plan<MauMau> {
    let policy = |name: &str| MauMau::policy(name, &Parameters::new()).unwrap();
    let pool = vec![(1.0, policy("rule")), (2.0, policy("random"))];
    Plan { pools: vec![None, Some(pool), None], ..plan() }
}

/// What all games show.
#[derive(Clone, Debug, PartialEq)]
struct Seen {
    observation: Vec<i8>,
    mask: Vec<u8>,
    seat: i8,
    reward: Vec<f32>,
    done: u8,
    history: Vec<i16>,
}

/// Begins games.
fn begin(games: usize, plan: Plan<MauMau>) -> Batch<MauMau> {
    Batch::new(games, plan, &mut || true).unwrap()
}

fn seen(batch: &Batch<MauMau>, threads: NonZeroUsize) -> Vec<Seen> {
    let empty = Seen {
        observation: vec![0; MauMau::SIZE],
        mask: vec![0; MauMau::ACTIONS],
        seat: 0,
        reward: vec![0.0; 3],
        done: 0,
        history: vec![0; 4],
    };
    let mut found = vec![empty; batch.len()];
    let mut rows: Vec<Shown<'_>> = found
        .iter_mut()
        .map(|Seen { observation, mask, seat, reward, done, history }| Shown {
            observation,
            facts: Facts { mask, seat, reward, done, history },
        })
        .collect();
    batch.write(0, &mut rows, threads);
    drop(rows);
    found
}

/// Steps games with random answers, each with its own chance, and returns what they showed.
fn played(batch: &mut Batch<MauMau>, steps: usize, threads: NonZeroUsize) -> Vec<Vec<Seen>> {
    let mut randoms: Vec<Random> = (0..batch.len() as u64).map(|game| Random::new(derive(9, &[game]))).collect();
    let mut all = Vec::new();
    for _ in 0..steps {
        let shown = seen(batch, threads);
        let choose = |(seen, random): (&Seen, &mut Random)| {
            let ids: Vec<usize> = (0..seen.mask.len()).filter(|&id| seen.mask[id] == 1).collect();
            ids[random.below(ids.len() as u64) as usize].cast_signed() as i64
        };
        let answers: Vec<i64> = shown.iter().zip(&mut randoms).map(choose).collect();
        batch.step(&answers, threads, &mut || true).unwrap();
        all.push(shown);
    }
    all
}

#[test]
fn a_game_goes_its_way_whatever_others_and_threads_there_are() {
    let one: Vec<Seen> = played(&mut begin(1, pooled()), 400, ONE).into_iter().flatten().collect();
    for threads in [1, 2, 3, 50] {
        let several = played(&mut begin(5, pooled()), 400, NonZeroUsize::new(threads).unwrap());
        assert!(one.iter().eq(several.iter().map(|seen| &seen[0])), "{threads} threads");
    }
    assert!(one.iter().filter(|seen| seen.done == 1).count() > 5);
    assert!(one.iter().all(|seen| seen.seat != 1));
}

#[test]
fn a_player_that_is_used_again_plays_like_a_new_one() {
    let mut batch = begin(3, pooled());
    played(&mut batch, 200, ONE);
    let courses = batch.courses();
    let mut other = begin(3, pooled());
    other.restore(&courses, &mut || true).unwrap();
    assert_eq!(played(&mut other, 100, ONE), played(&mut batch, 100, ONE));
}

#[test]
fn a_step_that_ended_a_game_is_restored_with_its_end() {
    let mut batch = begin(1, plan());
    let mut ends = 0;
    while ends < 5 {
        played(&mut batch, 1, ONE);
        let mut other = begin(1, plan());
        other.restore(&batch.courses(), &mut || true).unwrap();
        assert_eq!(seen(&other, ONE), seen(&batch, ONE));
        assert_eq!((other.ended(0), other.last(0)), (batch.ended(0), batch.last(0)));
        ends += usize::from(batch.ended(0).is_some());
    }
}

#[test]
fn bad_answers_change_nothing() {
    let mut batch = begin(2, plan());
    let before = seen(&batch, ONE);
    assert_eq!(batch.step(&[0], ONE, &mut || true), Err(BadAnswer::Count { answers: 1, games: 2 }));
    let good = before[0].mask.iter().position(|&bit| bit == 1).unwrap().cast_signed() as i64;
    let error = batch.step(&[good, 0], ONE, &mut || true).unwrap_err();
    assert_eq!(error.to_string(), "Game 1 cannot take the id 0 now: its mask is false there.");
    let error = batch.step(&[good, -1], ONE, &mut || true).unwrap_err();
    assert_eq!(error.to_string(), "Game 1 cannot take the id -1: there are the ids 0 to 42.");
    let courses = vec![Course { number: 0, answers: vec![77] }; 2];
    let error = batch.restore(&courses, &mut || true).unwrap_err();
    assert_eq!(error.to_string(), "Game 0 cannot take the id 77: there are the ids 0 to 42.");
    assert_eq!(batch.restore(&courses[..1], &mut || true), Err(BadAnswer::Count { answers: 1, games: 2 }));
    assert_eq!(seen(&batch, ONE), before);
}

#[test]
fn answers_after_the_end_of_a_game_are_refused() {
    let mut batch = begin(1, plan());
    while batch.ended(0).is_none() {
        played(&mut batch, 1, ONE);
    }
    let [mut course] = <[Course; 1]>::try_from(batch.courses()).unwrap();
    // Legal in the next game.
    let next = seen(&batch, ONE)[0].mask.iter().position(|&bit| bit == 1).unwrap();
    course.answers.push(next as u16);
    assert!(batch.restore(&[course], &mut || true).is_err());
}

#[test]
fn positions_are_played_or_refused() {
    let mut batch = begin(1, plan());
    played(&mut batch, 12, ONE);
    let (seed, moves) = batch.record(0).unwrap();
    let texts: Vec<_> = moves.iter().map(|(seat, chosen)| (*seat, chosen.to_string())).collect();
    for pools in [plan().pools, pooled().pools] {
        let starts = vec![Start::new(&options(), seed, &texts).unwrap()];
        let begun = begin(1, Plan { pools, starts, ..plan() });
        // With a player at seat 1, who may be the next, the position has gone on.
        assert_eq!(&begun.record(0).unwrap().1[..moves.len()], moves);
    }
    let bad = vec![(7, "take 1".to_owned())];
    let error = Start::<MauMau>::new(&options(), seed, &bad).err().unwrap();
    assert_eq!(error.to_string(), "seat 7 may not 'take 1' as move 1.");
}

#[test]
fn what_is_not_to_proceed_changes_nothing_or_ends_within_its_step() {
    assert!(Batch::new(3, pooled(), &mut || false).is_none());
    let mut batch = begin(300, plan());
    played(&mut batch, 10, ONE);
    let courses = batch.courses();
    begin(300, plan()).restore(&courses, &mut || false).unwrap();
    let first = |seen: &Seen| (0_i64..).zip(&seen.mask).find(|(_, allowed)| **allowed == 1).unwrap().0;
    let answers: Vec<i64> = seen(&batch, ONE).iter().map(first).collect();
    let mut left = 2;
    let mut proceed = || {
        left -= 1;
        left > 0
    };
    batch.step(&answers, ONE, &mut proceed).unwrap();
    let stepped = batch.courses().iter().zip(&courses).filter(|(now, then)| now != then).count();
    assert_eq!(stepped, 2 * AT_ONCE);
    // From where it stood it goes on.
    batch.restore(&courses, &mut || true).unwrap();
    assert_eq!(batch.courses(), courses);
}
