//! Candidates in the same worlds: the clearly worse ones are given up, the close ones are tried in more worlds.

use std::ops::Range;
use std::panic::resume_unwind;
use std::thread;

use super::{Candidate, Settings};
use crate::net::Net;
use crate::random::{Random, derive};
use crate::tichu::belief::Belief;
use crate::tichu::playout::{DEALING, PLAYING};
use crate::tichu::policies::{HeuristicPolicy, Policy, finish};
use crate::tichu::redeal::Evidence;
use crate::tichu::round::{Round, SEATS, at, each};

/// The number of worlds between two looks at the results.
const BATCH: usize = 8;
/// The number of standard errors by which a candidate must be worse than the best to be given up.
const DROP: f64 = 1.5;
/// The standard deviation of differences that is assumed at first, as if it had been seen in so many worlds: a few equal
/// results prove nothing.
const DOUBT: f64 = 60.0;
const DOUBT_WORLDS: f64 = 2.0;

/// Two teams of playouts.
type Teams = [Box<dyn Policy>; 2];

/// A decision to be tried in worlds.
pub struct Trial<'a> {
    pub round: &'a Round,
    pub evidence: &'a Evidence,
    pub seat: u8,
    pub candidates: &'a [Candidate],
    pub settings: Settings,
    /// What draws the worlds: a network for beliefs, if there is one.
    pub net: Option<&'a Net>,
    pub seed: u64,
}

impl Trial<'_> {
    /// Returns the place of the best candidate, and the leads of each in the worlds where it was tried; none if
    /// `proceed` has returned false.
    pub fn run(&self, proceed: &mut dyn FnMut() -> bool) -> Option<(usize, Vec<Vec<i32>>)> {
        let Settings { playouts, worlds, policy, caution, threads, .. } = self.settings;
        let mut leads = vec![Vec::new(); self.candidates.len()];
        let mut alive: Vec<usize> = (0..self.candidates.len()).collect();
        if alive.len() < 2 {
            return Some((0, leads));
        }
        let mut tables: Vec<Teams> =
            (0..threads.get().min(BATCH)).map(|_| [policy.policy(), policy.policy()]).collect();
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
            Self::give_up(&mut alive, &leads);
            if !proceed() {
                return None;
            }
        }
        Some((Self::choose(&alive, &leads, caution), leads))
    }

    /// Plays the candidates in some worlds, which the threads share.
    fn play(&self, worlds: Range<usize>, alive: &[usize], tables: &mut [Teams], leads: &mut [Vec<i32>]) {
        let (start, count, parts) = (worlds.start, worlds.len(), tables.len());
        let found: Vec<i32> = if let [teams] = tables {
            self.play_worlds(worlds, alive, teams)
        } else {
            thread::scope(|scope| {
                let spawn = |(part, teams)| {
                    let share = start + count * part / parts..start + count * (part + 1) / parts;
                    scope.spawn(move || self.play_worlds(share, alive, teams))
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
    fn play_worlds(&self, worlds: Range<usize>, alive: &[usize], teams: &mut Teams) -> Vec<i32> {
        let mut leads = Vec::with_capacity(worlds.len() * alive.len());
        let net = self.net.filter(|_| self.round.is_within_tricks());
        let mut belief = net.map(|net| Belief::new(net, self.round, self.evidence, self.seat));
        for number in worlds {
            let world = self.world(number as u64, teams, belief.as_mut());
            for &place in alive {
                let candidate = &self.candidates[place];
                let mut round = world;
                for &chosen in candidate {
                    round.make(self.seat, chosen);
                }
                let silent = if candidate.is_empty() { 1 << self.seat } else { 0 };
                finish(&mut round, teams, &mut Random::new(derive(self.seed, &[number as u64, PLAYING])), silent);
                let [one, other] = round.score().unwrap_or_default();
                let lead = i32::from(one) - i32::from(other);
                leads.push(if self.seat.is_multiple_of(2) { lead } else { -lead });
            }
        }
        leads
    }

    /// Draws a world; what the others decide at the same time as the seat, they decide by the policy.
    fn world(&self, number: u64, teams: &mut Teams, belief: Option<&mut Belief<'_>>) -> Round {
        let mut random = Random::new(derive(self.seed, &[number, DEALING]));
        let mut world = self.draw(&mut random, belief);
        if world.phase().is_together() {
            world.reopen(self.seat);
            for other in each(world.awaited()).filter(|&other| other != self.seat) {
                let policy = &mut teams[usize::from(other % 2)];
                policy.start();
                while world.awaited() >> other & 1 == 1 {
                    let chosen = policy.decide(&world, other, &mut random);
                    world.make(other, chosen);
                }
            }
        }
        world
    }
}

impl Trial<'_> {
    /// Redeals what the seat does not know several times, and returns a draw by what the seat believes; without a belief
    /// the draw with the others' best hands.
    fn draw(&self, random: &mut Random, belief: Option<&mut Belief<'_>>) -> Round {
        let mut redeal = || self.round.redeal(self.seat, self.evidence, random);
        let draws = if self.round.phase().is_together() { 1 } else { self.settings.draws };
        if draws < 2 {
            return redeal();
        }
        if let Some(belief) = belief {
            return belief.draw(draws, random);
        }
        let mut policy = HeuristicPolicy::new(false);
        let others = |&other: &u8| other != self.seat && self.round.alive >> other & 1 == 1;
        let mut price = |world: &Round| -> i32 {
            let whole = |other: u8| world.hands[at(other)].union(world.laid[at(other)]);
            (0..SEATS).filter(others).map(|other| policy.opening_price(whole(other))).sum()
        };
        (0..draws).map(|_| redeal()).min_by_key(|world| price(world)).unwrap_or(*self.round)
    }
}

/// Returns the mean and the standard error of the differences of two candidates' leads.
fn difference(one: &[i32], other: &[i32]) -> (f64, f64) {
    let count = one.len() as f64;
    let gaps = || one.iter().zip(other).map(|(one, other)| f64::from(one - other));
    let mean = gaps().sum::<f64>() / count;
    let squares: f64 = gaps().map(|gap| (gap - mean) * (gap - mean)).sum();
    let variance = (squares + DOUBT_WORLDS * DOUBT * DOUBT) / (count - 1.0 + DOUBT_WORLDS);
    (mean, (variance / count).sqrt())
}

/// Returns the candidate with the highest sum of leads; of equal ones the first.
fn leading(alive: &[usize], leads: &[Vec<i32>]) -> usize {
    let total = |place: usize| leads[place].iter().map(|&lead| i64::from(lead)).sum::<i64>();
    alive.iter().copied().rev().max_by_key(|&place| total(place)).unwrap_or_default()
}

impl Trial<'_> {
    /// Gives up the candidates that are worse than the best beyond doubt, except the first, which the others must beat.
    fn give_up(alive: &mut Vec<usize>, leads: &[Vec<i32>]) {
        let best = leading(alive, leads);
        alive.retain(|&place| {
            let (mean, error) = difference(&leads[best], &leads[place]);
            place == 0 || place == best || mean < DROP * error
        });
    }

    /// Returns the first candidate, unless another is better beyond doubt.
    fn choose(alive: &[usize], leads: &[Vec<i32>], caution: f64) -> usize {
        let mut best = (0.0, 0);
        for &place in alive.iter().filter(|&&place| place != 0) {
            let (mean, error) = difference(&leads[place], &leads[0]);
            let sure = mean - caution * error;
            if sure > best.0 {
                best = (sure, place);
            }
        }
        best.1
    }
}
