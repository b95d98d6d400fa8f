//! Plays many rounds to their end, on several threads, to estimate the worth of moves and the strength of policies.
//!
//! The result depends on the seed and not on the number of threads, because each world has its own seed and results are
//! integers.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::thread;

use super::deal::deal;
use super::moves::Move;
use super::policies::{GreedyPolicy, HeuristicPolicy, Policy, PolicyName, RandomPolicy, finish};
use super::redeal::Evidence;
use super::round::{Illegal, Phase, Round, Seats};
use crate::random::{Random, derive};

/// Steps below the seed of a world: its cards, and the randomness of its players.
pub(super) const DEALING: u64 = 0;
pub(super) const PLAYING: u64 = 1;

/// The most threads that playouts run on; more would gain nothing.
pub const MOST_THREADS: usize = 256;

/// Sums of leads at the end of rounds; a lead is a team's points minus those of the other team.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The sum of the leads.
    pub sum: i64,
    /// The sum of their squares.
    pub squares: i64,
    /// The sum of the squares of the differences to the first candidate's lead in the same world.
    pub differences: i64,
}

impl Tally {
    const fn add(&mut self, lead: i64, first: i64) {
        self.sum += lead;
        self.squares += lead * lead;
        self.differences += (lead - first) * (lead - first);
    }

    const fn join(&mut self, other: &Self) {
        self.sum += other.sum;
        self.squares += other.squares;
        self.differences += other.differences;
    }
}

/// A decision to evaluate.
#[derive(Clone, Debug)]
pub struct Question {
    round: Round,
    evidence: Evidence,
    seat: u8,
    candidates: Vec<Vec<Move>>,
}

impl Question {
    /// Creates the question what a seat's candidates are worth. Each is a move, or several moves that the seat makes at
    /// once: gifts, a call and the next move, the Mah Jong and the wish. An empty candidate keeps silent out of turn
    /// until another seat has moved.
    ///
    /// # Errors
    /// The seat may not make one of these moves, or another seat comes before it.
    pub fn new(
        round: &Round,
        evidence: &Evidence,
        seat: u8,
        candidates: impl IntoIterator<Item = Vec<Move>>,
    ) -> Result<Self, Illegal> {
        let candidates: Vec<Vec<Move>> = candidates.into_iter().collect();
        for candidate in &candidates {
            check(*round, seat, candidate)?;
        }
        Ok(Self { round: *round, evidence: evidence.clone(), seat, candidates })
    }

    /// Tries all candidates in each of some worlds, with the same random numbers in all of them.
    fn ask<P: Policy + ?Sized>(&self, worlds: Range<u64>, seed: u64, teams: &mut [Box<P>; 2]) -> Vec<Tally> {
        let mut tallies = vec![Tally::default(); self.candidates.len()];
        for number in worlds {
            let mut random = Random::new(derive(seed, &[number, DEALING]));
            let world = self.round.redeal(self.seat, &self.evidence, &mut random);
            let mut first = None;
            for (candidate, tally) in self.candidates.iter().zip(&mut tallies) {
                let mut round = world;
                for &chosen in candidate {
                    round.make(self.seat, chosen);
                }
                let silent = if candidate.is_empty() { 1 << self.seat } else { 0 };
                let lead = lead(round, self.seat, silent, teams, derive(seed, &[number, PLAYING]));
                tally.add(lead, *first.get_or_insert(lead));
            }
        }
        tallies
    }
}

/// Checks that a seat may make these moves one after the other, whatever the others hold.
fn check(mut round: Round, seat: u8, candidate: &[Move]) -> Result<(), Illegal> {
    let awaited = |round: &Round| round.awaited() >> seat & 1 == 1;
    if candidate.is_empty() && awaited(&round) {
        return Err(Illegal { seat, chosen: Move::PASS });
    }
    let mut goes_on = true;
    for &chosen in candidate {
        if !goes_on {
            return Err(Illegal { seat, chosen });
        }
        round.apply(seat, chosen)?;
        let still = awaited(&round) && matches!(round.phase(), Phase::Schupf | Phase::Wish);
        goes_on = still || chosen == Move::TICHU;
    }
    Ok(())
}

/// Plays a round to its end and returns the lead of the seat's team.
fn lead<P: Policy + ?Sized>(mut round: Round, seat: u8, silent: Seats, teams: &mut [Box<P>; 2], seed: u64) -> i64 {
    finish(&mut round, teams, &mut Random::new(seed), silent);
    let [one, other] = round.score().unwrap_or_default();
    let lead = i64::from(one) - i64::from(other);
    if seat.is_multiple_of(2) { lead } else { -lead }
}

/// The start of playouts.
#[derive(Clone, Copy, Debug)]
pub enum Start {
    /// A new deal each time.
    Deal,
    /// Always this moment.
    Round(Round),
}

/// Estimates the worth of each candidate for its seat's team in some worlds.
#[must_use]
pub fn evaluate(
    question: &Question,
    worlds: Range<u64>,
    policy: PolicyName,
    seed: u64,
    threads: NonZeroUsize,
) -> Vec<Tally> {
    let zero = vec![Tally::default(); question.candidates.len()];
    share(worlds, threads, zero, |worlds| match policy {
        PolicyName::Random => question.ask(worlds, seed, &mut pair(RandomPolicy::default)),
        PolicyName::Greedy => question.ask(worlds, seed, &mut pair(GreedyPolicy::default)),
        PolicyName::Quick => question.ask(worlds, seed, &mut pair(HeuristicPolicy::quick)),
        PolicyName::Heuristic => question.ask(worlds, seed, &mut pair(|| HeuristicPolicy::new(false))),
        PolicyName::Exact => question.ask(worlds, seed, &mut pair(|| HeuristicPolicy::new(true))),
    })
}

/// Plays rounds to their end with one policy and returns the leads of seats 0 and 2.
#[must_use]
pub fn playouts(start: &Start, worlds: Range<u64>, policy: PolicyName, seed: u64, threads: NonZeroUsize) -> Tally {
    share(worlds, threads, vec![Tally::default()], |worlds| match policy {
        PolicyName::Random => play(start, worlds, seed, &mut pair(RandomPolicy::default)),
        PolicyName::Greedy => play(start, worlds, seed, &mut pair(GreedyPolicy::default)),
        PolicyName::Quick => play(start, worlds, seed, &mut pair(HeuristicPolicy::quick)),
        PolicyName::Heuristic => play(start, worlds, seed, &mut pair(|| HeuristicPolicy::new(false))),
        PolicyName::Exact => play(start, worlds, seed, &mut pair(|| HeuristicPolicy::new(true))),
    })[0]
}

fn play<P: Policy + ?Sized>(start: &Start, worlds: Range<u64>, seed: u64, teams: &mut [Box<P>; 2]) -> Vec<Tally> {
    let mut tally = Tally::default();
    for number in worlds {
        let round = match start {
            Start::Deal => Round::deal(deal(seed, number)),
            Start::Round(round) => *round,
        };
        let lead = lead(round, 0, 0, teams, derive(seed, &[number, PLAYING]));
        tally.add(lead, lead);
    }
    vec![tally]
}

/// Measures the lead of one policy against another; each deal is played twice, with the seats swapped.
///
/// A lead of the tally is that of both rounds of a deal together; `differences` is always zero.
#[must_use]
pub fn duel(policies: [PolicyName; 2], deals: Range<u64>, seed: u64, threads: NonZeroUsize) -> Tally {
    share(deals, threads, vec![Tally::default()], |deals| {
        let mut teams = policies.map(PolicyName::policy);
        let mut tally = Tally::default();
        for number in deals {
            let round = Round::deal(deal(seed, number));
            let chance = derive(seed, &[number, PLAYING]);
            let there = lead(round, 0, 0, &mut teams, chance);
            teams.reverse();
            let back = lead(round, 1, 0, &mut teams, chance);
            teams.reverse();
            tally.add(there + back, there + back);
        }
        vec![tally]
    })[0]
}

fn pair<P>(make: impl Fn() -> P) -> [Box<P>; 2] {
    [Box::new(make()), Box::new(make())]
}

/// Distributes worlds among threads, and joins their results.
fn share(
    worlds: Range<u64>,
    threads: NonZeroUsize,
    mut tallies: Vec<Tally>,
    work: impl Fn(Range<u64>) -> Vec<Tally> + Sync,
) -> Vec<Tally> {
    let mut join = |found: Vec<Tally>| {
        for (tally, found) in tallies.iter_mut().zip(&found) {
            tally.join(found);
        }
    };
    let count = worlds.end.saturating_sub(worlds.start);
    let threads = (threads.get().min(MOST_THREADS) as u64).min(count);
    if threads <= 1 {
        join(work(worlds));
        return tallies;
    }
    let part = |thread: u64| worlds.start + count * thread / threads;
    thread::scope(|scope| {
        let work = &work;
        let running: Vec<_> =
            (0..threads).map(|thread| scope.spawn(move || work(part(thread)..part(thread + 1)))).collect();
        for each in running {
            match each.join() {
                Ok(found) => join(found),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    tallies
}
