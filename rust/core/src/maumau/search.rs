//! The agent `search`: it plays the move that ends best in deals that its seat cannot tell from the true one, which the
//! rules of thumb play to their end.

use std::num::NonZeroUsize;

use super::game::MauMau;
use super::possible::Possible;
use super::round::{Move, Round};
use super::rule;
use crate::random::Random;
use crate::simulation::search::{Candidate, Effort, Model, Playouts, Trial};
use crate::simulation::{Finding, Game as _, Memory, Policy, Reader, Round as _};

/// The most moves of a simulated round; a round that goes on longer is judged by the cards in the hands.
const LONGEST: usize = 500;
/// The standard deviation of the differences between two moves that is assumed at first, in points.
const DOUBT: f64 = 25.0;
/// The standard deviation of the lead of one player over another that a round brings, in points.
const SPREAD: f64 = 35.0;
/// The weight of a point beside winning, between two players.
const POINT: f64 = 1e-4;
/// The fewest worlds in which a move is judged, so that there is a standard error.
const MANY: usize = 4;

/// The parameters.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    playouts: usize,
    caution: f64,
}

impl Settings {
    /// Reads the parameters.
    ///
    /// # Errors
    /// One is unknown or impossible.
    pub fn read(mut reader: Reader<'_>) -> Result<Self, String> {
        let settings = Self { playouts: reader.count("playouts", 2000)?, caution: reader.size("caution", 0.0)? };
        reader.end().map(|()| settings)
    }
}

/// The agent `search`.
#[derive(Debug)]
pub struct SearchPolicy {
    settings: Settings,
    random: Random,
    memory: Memory<Round>,
    findings: Vec<Finding<MauMau>>,
}

impl SearchPolicy {
    /// Creates the agent.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self { settings, random: Random::new(0), memory: Memory::default(), findings: Vec::new() }
    }

    /// Lists the legal moves, that of the rules of thumb first.
    fn candidates(round: &Round) -> Vec<Candidate<Round>> {
        let (mut moves, usual) = (Vec::new(), rule::decide(round));
        round.legal(round.turn, &mut moves);
        let place = moves.iter().position(|&chosen| chosen == usual).unwrap_or_default();
        moves[..=place].rotate_right(1);
        moves.into_iter().map(|chosen| vec![chosen]).collect()
    }

    fn effort(&self) -> Effort {
        Effort { playouts: self.settings.playouts, worlds: usize::MAX, doubt: DOUBT, threads: NonZeroUsize::MIN }
    }
}

impl Policy<MauMau> for SearchPolicy {
    fn start(&mut self, random: Random) {
        self.random = random;
        self.memory = Memory::default();
        self.findings.clear();
    }

    fn watch(&mut self, game: &MauMau, seat: usize, chosen: Move) {
        self.memory.note(game, seat, chosen);
    }

    fn recall(&mut self, game: &MauMau, evidence: Possible) {
        self.memory.recall(game, evidence);
    }

    fn act(&mut self, game: &MauMau, seat: usize, must: bool) -> Option<Move> {
        self.decide(game, seat, must, &mut || true)
    }

    fn decide(&mut self, game: &MauMau, seat: usize, must: bool, proceed: &mut dyn FnMut() -> bool) -> Option<Move> {
        self.findings.clear();
        if !must {
            return None;
        }
        let round = game.round();
        let candidates = Self::candidates(round);
        if let [only] = candidates.as_slice() {
            return only.first().copied();
        }
        if round.may_finish() {
            return Some(Move::Finish);
        }
        let (effort, seed) = (self.effort(), self.random.bits());
        let tried = {
            let model = deals(round, seat, self.memory.of(game));
            Trial { model: &model, seat, candidates: &candidates, effort, seed }.run(proceed)?
        };
        let value = worth(game, seat);
        let best = tried.choose(self.settings.caution, 0.0, &value);
        let chosen = candidates[best].first().copied();
        self.findings = tried.findings(candidates, best, &value);
        chosen
    }

    fn findings(&self) -> Vec<Finding<MauMau>> {
        self.findings.clone()
    }

    fn payoffs(
        &mut self,
        game: &MauMau,
        seat: usize,
        candidates: &[Candidate<Round>],
        proceed: &mut dyn FnMut() -> bool,
    ) -> Vec<Vec<f64>> {
        let worlds = self.settings.playouts.div_ceil(candidates.len().max(1)).max(MANY);
        let (effort, seed) = (self.effort(), self.random.bits());
        let model = deals(game.round(), seat, self.memory.of(game));
        let trial = Trial { model: &model, seat, candidates, effort, seed };
        let before = game.lead(seat);
        let others = (game.round().seats - 1) as f64;
        let payoff = |lead: i32| f64::from(before + lead) / others;
        let leads = trial.compare(0..worlds, proceed).unwrap_or_default();
        leads.into_iter().map(|leads| leads.into_iter().map(payoff).collect()).collect()
    }
}

/// Returns the worlds of a seat, which the rules of thumb play to their end.
fn deals<'a>(round: &'a Round, seat: usize, evidence: &'a Possible) -> impl Model<Round = Round> + use<'a> {
    let decide = |round: &Round, _: usize, _: &mut Random| rule::decide(round);
    Playouts { round, seat, evidence, decide, longest: LONGEST }
}

/// Returns what a lead at the end of the round is worth: of two players that of being [`ahead`], of more the points.
fn worth(game: &MauMau, seat: usize) -> impl Fn(i32) -> f64 {
    let (before, duel) = (game.lead(seat), game.round().seats == 2);
    let deviation = SPREAD * f64::from(game.left()).sqrt();
    move |lead| if duel { ahead(f64::from(before + lead), deviation) } else { f64::from(lead) }
}

/// Rates a lead over the other of two players after this round: the chance to be ahead at the end as a number from −1 to 1,
/// with a little for the points themselves. `deviation` is that of what the other rounds bring.
fn ahead(lead: f64, deviation: f64) -> f64 {
    let chance = match lead {
        0.0 => 0.0,
        _ if deviation > 0.0 => libm::erf(lead / (deviation * std::f64::consts::SQRT_2)),
        _ => lead.signum(),
    };
    chance + POINT * lead
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lead_is_worth_more_the_fewer_rounds_are_left() {
        assert!(ahead(1.0, 0.0) > 0.99 && ahead(-1.0, 0.0) < -0.99);
        assert!(ahead(20.0, 0.0) > ahead(10.0, 0.0));
        assert!(ahead(0.0, 30.0).abs() < f64::EPSILON);
        assert!(0.0 < ahead(20.0, 60.0) && ahead(20.0, 60.0) < ahead(20.0, 30.0) && ahead(20.0, 30.0) < 1.0);
    }
}
