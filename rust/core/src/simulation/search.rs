//! The search of all games: candidates are tried in the same worlds; the clearly worse ones are given up, and the close ones
//! are tried in more worlds.
//!
//! The first candidate is the usual choice. It stands unless another is better beyond doubt: the best of many noisy means is
//! mostly luck. No clock is read: the effort is a number of playouts, and the result does not depend on the threads.

use std::cmp::Reverse;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::panic::resume_unwind;
use std::thread;

use super::{Finding, Game, Round, each};
use crate::random::{Random, derive};

/// The number of worlds between two looks at the results.
const BATCH: usize = 8;
/// The number of standard errors by which a candidate must be worse than the best to be given up.
const DROP: f64 = 1.5;
/// The deviation that is assumed at first counts as if it had been seen in so many worlds: a few equal results prove
/// nothing.
const DOUBT_WORLDS: f64 = 2.0;
/// The number of worlds of each thread between two questions whether to proceed, where nothing is given up.
const CHUNK: usize = 64;
/// The most threads that playouts run on; more would gain nothing.
pub const MOST_THREADS: usize = 256;
/// Steps below the seed of a world: its cards, and the chance of its players.
pub(crate) const DEALING: u64 = 0;
pub(crate) const PLAYING: u64 = 1;

/// One move, or several moves that a seat makes at once; none is silence.
pub type Candidate<R> = Vec<<R as Round>::Move>;

/// What a search needs of a game: worlds, and how they end.
pub trait Model: Sync {
    /// The rounds of the game.
    type Round: Round;
    /// What plays worlds to their end: one for each thread.
    type Table: Send;

    /// Creates a table.
    fn table(&self) -> Self::Table;

    /// Draws a world, a round that the seat which decides cannot tell from the true one.
    fn world(&self, table: &mut Self::Table, random: &mut Random) -> Self::Round;

    /// Plays a round to its end, and returns the lead of the side of the seat that decides.
    ///
    /// `number` is the number of the world; `silent` is whether the seat was silent and stays so until another has moved.
    fn lead(&self, round: Self::Round, number: u64, silent: bool, table: &mut Self::Table, random: &mut Random) -> i32;
}

/// Worlds of a seat that a function plays to their end: it chooses for the seat that is awaited, from what that seat may
/// know.
pub struct Playouts<'a, R: Round, F> {
    /// The true round.
    pub round: &'a R,
    /// The seat that decides.
    pub seat: usize,
    /// What the moves have shown of the hidden cards.
    pub evidence: &'a R::Evidence,
    /// Chooses a legal move.
    pub decide: F,
    /// The most moves of a world; one that goes on longer is judged by the lead then.
    pub longest: usize,
}

impl<R: Round, F: Fn(&R, usize, &mut Random) -> R::Move + Sync> Model for Playouts<'_, R, F> {
    type Round = R;
    type Table = ();

    fn table(&self) {}

    fn world(&self, (): &mut (), random: &mut Random) -> R {
        self.round.redeal(self.seat, self.evidence, random)
    }

    fn lead(&self, mut round: R, _number: u64, _silent: bool, (): &mut (), random: &mut Random) -> i32 {
        for _ in 0..self.longest {
            let Some(seat) = each(round.awaited()).next() else { break };
            let chosen = (self.decide)(&round, seat, random);
            round.make(seat, chosen);
        }
        round.lead(self.seat)
    }
}

/// Chooses any legal move, uniformly at random.
///
/// # Panics
/// The seat has no legal move.
pub fn any<R: Round>(round: &R, seat: usize, random: &mut Random) -> R::Move {
    let mut moves = Vec::new();
    round.legal(seat, &mut moves);
    moves[random.below(moves.len() as u64) as usize]
}

/// How much a search tries, and how sure it must be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// The most playouts.
    pub playouts: usize,
    /// The most worlds.
    pub worlds: usize,
    /// The standard deviation of the differences between two candidates that is assumed at first.
    pub doubt: f64,
    /// The number of threads.
    pub threads: NonZeroUsize,
}

/// A decision to be tried in worlds.
pub struct Trial<'a, M: Model> {
    /// What draws and plays the worlds.
    pub model: &'a M,
    /// The seat that decides.
    pub seat: usize,
    /// What it may choose, the usual choice first.
    pub candidates: &'a [Candidate<M::Round>],
    /// How much is tried.
    pub effort: Effort,
    /// The seed of the worlds.
    pub seed: u64,
}

impl<M: Model> Trial<'_, M> {
    /// Tries the candidates; none if `proceed`, which is called from time to time, has returned false.
    pub fn run(&self, proceed: &mut dyn FnMut() -> bool) -> Option<Tried> {
        let Effort { playouts, worlds, doubt, .. } = self.effort;
        let mut leads = vec![Vec::new(); self.candidates.len()];
        let mut alive: Vec<usize> = (0..self.candidates.len()).collect();
        let mut tables = self.tables(BATCH);
        let (mut used, mut next) = (0, 0);
        while alive.len() > 1 && next < worlds {
            // The first world is always played, however few playouts there are.
            let affordable = ((playouts.saturating_sub(used)) / alive.len()).max(usize::from(next == 0));
            let end = next + BATCH.min(affordable).min(worlds - next);
            if end == next {
                break;
            }
            self.play(next..end, &alive, &mut tables, &mut leads);
            used += (end - next) * alive.len();
            next = end;
            give_up(&mut alive, &leads, doubt);
            if !proceed() {
                return None;
            }
        }
        Some(Tried { alive, leads })
    }

    /// Returns the leads of all candidates in each of some worlds; none if `proceed` has returned false.
    pub fn compare(&self, worlds: Range<usize>, proceed: &mut dyn FnMut() -> bool) -> Option<Vec<Vec<i32>>> {
        let mut leads = vec![Vec::new(); self.candidates.len()];
        let alive: Vec<usize> = (0..self.candidates.len()).collect();
        let mut tables = self.tables(MOST_THREADS);
        let many = CHUNK * tables.len();
        for first in worlds.clone().step_by(many) {
            self.play(first..worlds.end.min(first.saturating_add(many)), &alive, &mut tables, &mut leads);
            if !proceed() {
                return None;
            }
        }
        Some(leads)
    }

    fn tables(&self, most: usize) -> Vec<M::Table> {
        (0..self.effort.threads.get().min(most)).map(|_| self.model.table()).collect()
    }

    /// Plays the candidates in some worlds, which the threads share.
    fn play(&self, worlds: Range<usize>, alive: &[usize], tables: &mut [M::Table], leads: &mut [Vec<i32>]) {
        let (start, count, parts) = (worlds.start, worlds.len(), tables.len());
        let found: Vec<i32> = if let [table] = tables {
            self.play_worlds(worlds, alive, table)
        } else {
            thread::scope(|scope| {
                let spawn = |(part, table)| {
                    let share = start + count * part / parts..start + count * (part + 1) / parts;
                    scope.spawn(move || self.play_worlds(share, alive, table))
                };
                let running: Vec<_> = tables.iter_mut().enumerate().map(spawn).collect();
                running.into_iter().flat_map(|each| each.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
            })
        };
        for world in found.chunks(alive.len()) {
            for (&place, &lead) in alive.iter().zip(world) {
                leads[place].push(lead);
            }
        }
    }

    /// Returns the leads of the candidates in each of some worlds.
    fn play_worlds(&self, worlds: Range<usize>, alive: &[usize], table: &mut M::Table) -> Vec<i32> {
        let mut leads = Vec::with_capacity(worlds.len() * alive.len());
        for number in worlds.map(|number| number as u64) {
            let world = self.model.world(table, &mut Random::new(derive(self.seed, &[number, DEALING])));
            for &place in alive {
                let mut round = world.clone();
                for &chosen in &self.candidates[place] {
                    round.make(self.seat, chosen);
                }
                // The same chance for all, so that only their effect is compared.
                let mut random = Random::new(derive(self.seed, &[number, PLAYING]));
                let silent = self.candidates[place].is_empty();
                leads.push(self.model.lead(round, number, silent, table, &mut random));
            }
        }
        leads
    }
}

/// Returns the mean and the standard error of differences.
fn error_of(gaps: impl Iterator<Item = f64> + Clone, doubt: f64) -> (f64, f64) {
    let count = gaps.clone().count() as f64;
    let mean = gaps.clone().sum::<f64>() / count;
    let squares: f64 = gaps.map(|gap| (gap - mean) * (gap - mean)).sum();
    let variance = (squares + DOUBT_WORLDS * doubt * doubt) / (count - 1.0 + DOUBT_WORLDS);
    (mean, (variance / count).sqrt())
}

/// Returns the candidate with the highest sum of leads; of equal ones the first.
fn leading(alive: &[usize], leads: &[Vec<i32>]) -> usize {
    let total = |place: usize| leads[place].iter().map(|&lead| i64::from(lead)).sum::<i64>();
    alive.iter().copied().rev().max_by_key(|&place| total(place)).unwrap_or_default()
}

/// Gives up the candidates that are worse than the best beyond doubt, except the first, which the others must beat.
fn give_up(alive: &mut Vec<usize>, leads: &[Vec<i32>], doubt: f64) {
    let best = leading(alive, leads);
    alive.retain(|&place| {
        let gaps = leads[best].iter().zip(&leads[place]).map(|(one, other)| f64::from(one - other));
        let (mean, error) = error_of(gaps, doubt);
        place == 0 || place == best || mean < DROP * error
    });
}

/// What a search has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    /// The candidates that were not given up, as places.
    pub alive: Vec<usize>,
    /// The leads of each candidate in the worlds where it was tried: the same worlds for all, as far as they were.
    pub leads: Vec<Vec<i32>>,
}

impl Tried {
    /// Returns what was found: the candidate at `best`, then the others in the order of how often they were tried.
    ///
    /// `value` is what a lead is worth.
    #[must_use]
    pub fn findings<G: Game>(
        &self,
        candidates: Vec<Candidate<G::Round>>,
        best: usize,
        value: impl Fn(i32) -> f64,
    ) -> Vec<Finding<G>> {
        let values = self.leads.iter().map(|leads| leads.iter().map(|&lead| value(lead)).collect());
        let mut findings: Vec<_> =
            candidates.into_iter().zip(values).map(|(moves, values)| Finding { moves, values }).collect();
        let chosen = findings.remove(best);
        findings.sort_by_key(|found| Reverse(found.values.len()));
        findings.insert(0, chosen);
        findings
    }

    /// Returns the place of the first candidate, unless another is better by so many standard errors.
    ///
    /// `value` is what a lead is worth, and `doubt` the deviation of differences of values that is assumed at first.
    #[must_use]
    pub fn choose(&self, caution: f64, doubt: f64, value: impl Fn(i32) -> f64) -> usize {
        let mut best = (0.0, 0);
        for &place in self.alive.iter().filter(|&&place| place != 0) {
            let gaps = self.leads[place].iter().zip(&self.leads[0]).map(|(&one, &other)| value(one) - value(other));
            let (mean, error) = error_of(gaps, doubt);
            let sure = mean - caution * error;
            if sure > best.0 {
                best = (sure, place);
            }
        }
        best.1
    }
}
