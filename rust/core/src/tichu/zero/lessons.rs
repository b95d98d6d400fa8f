//! Rounds that `alphazero` plays against itself, as lessons for its network.

use std::num::NonZeroUsize;

use super::thought::{Asked, POINTS, Thinker};
use super::{EXPLORATION, Found, How, MIX, Moment, search};
use crate::net::Net;
use crate::random::{Random, derive};
use crate::simulation::search::DEALING;
use crate::simulation::tree::Effort;
use crate::simulation::{self, each};
use crate::tichu::deal::deal;
use crate::tichu::features::Decision;
use crate::tichu::moves::Move;
use crate::tichu::policies::Style;
use crate::tichu::redeal::Evidence;
use crate::tichu::round::{Round, SEATS};

/// Steps below the seed of a round: the chance of its searches, and which moments are lessons.
const SEARCHING: u64 = 2;
const CHOOSING: u64 = 3;
/// Without visits, one decision in so many is left to chance: what comes of a bad call must be seen to be known.
const STRAY: u64 = 16;

/// What the rounds that teach are played with.
#[derive(Clone, Copy)]
pub struct Own<'a> {
    /// The network, with two heads.
    pub net: &'a Net,
    /// The number of visits of a decision; 0 to play by the network alone.
    pub visits: usize,
    /// One decision in so many is a lesson: those of a round are much alike.
    pub every: NonZeroUsize,
}

/// A decision that teaches how often each of its candidates was visited, or what the round was worth to a seat.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    /// The decision.
    pub decision: Decision,
    /// The share of each candidate; or the lead of the seat's team at the end of the round, in units of 100 points.
    pub values: Vec<f32>,
}

/// Plays a round, with noise in what is tried, and returns its lessons; none if `proceed`, which is called from time to time,
/// has returned false.
pub fn play(seed: u64, own: &Own<'_>, proceed: &mut dyn FnMut() -> bool) -> Option<Vec<Lesson>> {
    let chance = |step| Random::new(derive(seed, &[step]));
    let mut teaching = Teaching {
        own,
        thinker: Thinker::new(own.net, Style::Strength),
        searching: chance(SEARCHING),
        choosing: chance(CHOOSING),
        begun: Vec::new(),
    };
    let mut round = Round::deal(deal(derive(seed, &[DEALING]), 0));
    let mut evidence = Evidence::default();
    while let Some((seat, chosen)) = teaching.next(&round, &evidence) {
        evidence.note(&round, seat, chosen);
        round.make(seat, chosen);
        if !proceed() {
            return None;
        }
    }
    Some(teaching.end(&round))
}

/// A lesson whose round goes on: the seat that waits for the end, the decision, and the shares of its candidates.
type Begun = (Option<u8>, Decision, Vec<f32>);

/// A round that teaches.
struct Teaching<'a> {
    own: &'a Own<'a>,
    thinker: Thinker<'a>,
    searching: Random,
    choosing: Random,
    begun: Vec<Begun>,
}

impl Teaching<'_> {
    /// Returns the next move of a round; none when it is over.
    fn next(&mut self, round: &Round, evidence: &Evidence) -> Option<(u8, Move)> {
        let awaited = each(round.awaited().into()).next()? as u8;
        let bombers = each((round.bombers & !(1 << awaited)).into()).map(|seat| seat as u8);
        let bombers: Vec<u8> = bombers.filter(|&seat| round.may_bomb(seat)).collect();
        for seat in bombers {
            if let Some(bomb) = self.decide(Moment { round, evidence, seat }) {
                return Some((seat, bomb));
            }
        }
        let chosen = self.decide(Moment { round, evidence, seat: awaited })?;
        Some((awaited, chosen))
    }

    /// Lets a seat decide; none is silence.
    fn decide(&mut self, moment: Moment<'_>) -> Option<Move> {
        let Own { visits, every, .. } = *self.own;
        let one = NonZeroUsize::MIN;
        let how = How { effort: Effort { visits, trees: one, exploration: EXPLORATION, threads: one }, mix: MIX };
        let found = search(moment, &mut self.thinker, &how, &mut self.searching, visits > 0, &mut || true)?;
        // As much chance for each decision, so that the round is the same whatever is noted of it.
        let [noted, seat, stray] = [every.get() as u64, SEATS.into(), STRAY].map(|bound| self.choosing.below(bound));
        let place = if visits == 0 && stray == 0 {
            self.choosing.below(found.branches.len() as u64) as usize
        } else {
            found.best()
        };
        let chosen = found.branches[place].chosen;
        if noted == 0 {
            self.note(found);
            let worth = self.thinker.worth(moment.round, seat as u8);
            self.begun.push((Some(seat as u8), worth, Vec::new()));
        }
        chosen
    }

    /// Keeps what a seat has found as lessons.
    fn note(&mut self, found: Found) {
        let shares = found.shares();
        let Asked { decision, call } = found.asked;
        let calls = if call.is_some() { shares[shares.len() - 1] } else { 0.0 };
        if let Some(call) = call {
            self.begun.push((None, call, vec![(1.0 - calls) as f32, calls as f32]));
        }
        if let Some(decision) = decision
            && calls < 1.0
        {
            let plays = &shares[..decision.candidates.len()];
            let shares = plays.iter().map(|share| (share / (1.0 - calls)) as f32).collect();
            self.begun.push((None, decision, shares));
        }
    }

    /// Returns the lessons of a round that is over.
    fn end(self, round: &Round) -> Vec<Lesson> {
        let lead = |seat: u8| f64::from(simulation::Round::lead(round, seat.into()));
        let finish = |(seat, decision, mut values): Begun| {
            values.extend(seat.map(|seat| (lead(seat) / POINTS) as f32));
            Lesson { decision, values }
        };
        self.begun.into_iter().map(finish).collect()
    }
}
