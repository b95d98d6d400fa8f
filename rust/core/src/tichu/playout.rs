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
use super::search::{DOUBT, Worlds};
use crate::random::{Random, derive};
use crate::simulation;
use crate::simulation::search::{Effort, MOST_THREADS, PLAYING, Trial};

/// The number of worlds whose leads are kept before they are added up.
const AT_ONCE: usize = 4096;

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

/// Plays a round to its end and returns the lead of the seat's team; before the first move, those in `silent` are not asked.
pub(super) fn lead<P: Policy + ?Sized>(
    mut round: Round,
    seat: u8,
    silent: Seats,
    teams: &mut [Box<P>; 2],
    random: &mut Random,
) -> i32 {
    finish(&mut round, teams, random, silent);
    simulation::Round::lead(&round, seat.into())
}

/// The start of playouts.
#[derive(Clone, Copy, Debug)]
pub enum Start {
    /// A new deal each time.
    Deal,
    /// Always this moment.
    Round(Round),
}

/// Estimates the worth of each candidate for its seat's team in some worlds; none if `proceed`, which is called from time
/// to time, has returned false.
#[must_use]
pub fn evaluate(
    question: &Question,
    worlds: Range<usize>,
    policy: PolicyName,
    seed: u64,
    threads: NonZeroUsize,
    proceed: &mut dyn FnMut() -> bool,
) -> Option<Vec<Tally>> {
    let Question { round, evidence, seat, candidates } = question;
    let model = Worlds { round, evidence, seat: *seat, policy, likely: None };
    let effort = Effort { playouts: usize::MAX, worlds: worlds.len(), doubt: DOUBT, threads };
    let trial = Trial { model: &model, seat: (*seat).into(), candidates, effort, seed };
    let mut tallies = vec![Tally::default(); candidates.len()];
    for first in worlds.clone().step_by(AT_ONCE) {
        let leads = trial.compare(first..worlds.end.min(first.saturating_add(AT_ONCE)), proceed)?;
        for (tally, own) in tallies.iter_mut().zip(&leads) {
            own.iter().zip(&leads[0]).for_each(|(&lead, &first)| tally.add(lead.into(), first.into()));
        }
    }
    Some(tallies)
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
        let lead = lead(round, 0, 0, teams, &mut Random::new(derive(seed, &[number, PLAYING]))).into();
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
            let random = Random::new(derive(seed, &[number, PLAYING]));
            let there = lead(round, 0, 0, &mut teams, &mut random.clone());
            teams.reverse();
            let back = lead(round, 1, 0, &mut teams, &mut random.clone());
            teams.reverse();
            tally.add((there + back).into(), (there + back).into());
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
