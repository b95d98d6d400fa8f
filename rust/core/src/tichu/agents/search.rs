//! The agents `search` and `belief`: they play the move with the best result in many worlds, unless the heuristic's is
//! about as good.

use std::sync::Arc;

use crate::net::Net;
use crate::random::Random;
use crate::simulation::search::{Candidate, Effort, Trial};
use crate::simulation::{Finding, Game as _, Memory, Policy};
use crate::tichu::game::Tichu;
use crate::tichu::hand::HAND_SIZE;
use crate::tichu::moves::Move;
use crate::tichu::policies::{HeuristicPolicy, Policy as _, Style};
use crate::tichu::redeal::Evidence;
use crate::tichu::round::{Phase, Round};
use crate::tichu::search::{DOUBT, Likely, Settings, Worlds, list};

/// The number of cards that a seat keeps when it gives three away.
const KEPT: usize = HAND_SIZE as usize - 3;
/// The fewest worlds in which a move is judged, so that there is a standard error.
const MANY: usize = 2;

/// Tries its moves in worlds: those that a network finds likely, if there is one.
pub struct SearchAgent {
    settings: Settings,
    net: Option<Arc<Net>>,
    random: Random,
    memory: Memory<Round>,
    /// Proposes the candidates.
    adviser: HeuristicPolicy,
    moves: Vec<Move>,
    /// The gifts that are still to be given of a choice of three.
    gifts: Vec<Move>,
    findings: Vec<Finding<Tichu>>,
}

/// Returns whether a seat with these legal moves has nothing to decide: in turn it makes the first one, out of turn none.
pub fn is_forced(legal: &[Move], must: bool) -> bool {
    // A call is decided in turn, when more is known.
    if must { legal.len() == 1 || legal.first() == Some(&Move::TAKE) } else { matches!(legal, [] | [Move::TICHU]) }
}

impl SearchAgent {
    /// Creates the agent.
    pub fn new(settings: Settings, net: Option<Arc<Net>>, style: Style) -> Self {
        Self {
            settings,
            net,
            random: Random::new(0),
            memory: Memory::default(),
            adviser: HeuristicPolicy::styled(false, style),
            moves: Vec::new(),
            gifts: Vec::new(),
            findings: Vec::new(),
        }
    }

    /// Takes the next of the gifts that were chosen together; none if the hand is another one than it would be then.
    fn planned(&mut self, round: &Round, seat: u8) -> Option<Move> {
        let (next, hand) = (*self.gifts.first()?, round.hand(seat));
        let fits = round.phase() == Phase::Schupf && hand.len() as usize == KEPT + self.gifts.len();
        (fits && hand.contains(next.cards())).then(|| self.gifts.remove(0))
    }

    /// Chooses one of the candidates, and keeps what was found; none if `proceed` has returned false.
    fn choose(
        &mut self,
        round: &Round,
        evidence: &Evidence,
        seat: u8,
        proceed: &mut dyn FnMut() -> bool,
    ) -> Option<Move> {
        self.adviser.start();
        let candidates = list(round, seat, &self.settings, &mut self.adviser);
        let seed = if candidates.len() > 1 { self.random.bits() } else { 0 };
        let Settings { draws, policy, caution, .. } = self.settings;
        let likely = Some(Likely { draws, net: self.net.as_deref() });
        let model = Worlds { round, evidence, seat, policy, likely };
        let effort = self.settings.effort(round, seat, &candidates);
        let trial = Trial { model: &model, seat: seat.into(), candidates: &candidates, effort, seed };
        let tried = trial.run(proceed)?;
        let best = tried.choose(caution, DOUBT, f64::from);
        self.findings = tried.findings(candidates, best, f64::from);
        let (first, others) = self.findings[0].moves.split_first()?;
        // Gifts are one decision; after a call, the next move is decided anew.
        self.gifts = if *first == Move::TICHU { Vec::new() } else { others.to_vec() };
        Some(*first)
    }
}

impl Policy<Tichu> for SearchAgent {
    fn start(&mut self, random: Random) {
        self.random = random;
        self.memory = Memory::default();
        self.gifts.clear();
        self.findings.clear();
    }

    fn watch(&mut self, game: &Tichu, seat: usize, chosen: Move) {
        self.memory.note(game, seat, chosen);
    }

    fn recall(&mut self, game: &Tichu, evidence: Evidence) {
        self.memory.recall(game, evidence);
    }

    fn act(&mut self, game: &Tichu, seat: usize, must: bool) -> Option<Move> {
        self.decide(game, seat, must, &mut || true)
    }

    fn decide(&mut self, game: &Tichu, seat: usize, must: bool, proceed: &mut dyn FnMut() -> bool) -> Option<Move> {
        let (round, seat) = (game.round(), seat as u8);
        if let Some(gift) = self.planned(round, seat) {
            return Some(gift);
        }
        self.findings.clear();
        self.moves.clear();
        round.push_legal(seat, &mut self.moves);
        if is_forced(&self.moves, must) {
            return self.moves.first().copied().filter(|_| must);
        }
        let evidence = std::mem::take(self.memory.of(game));
        let chosen = self.choose(round, &evidence, seat, proceed);
        self.memory.recall(game, evidence);
        chosen
    }

    fn findings(&self) -> Vec<Finding<Tichu>> {
        self.findings.clone()
    }

    fn payoffs(
        &mut self,
        game: &Tichu,
        seat: usize,
        candidates: &[Candidate<Round>],
        proceed: &mut dyn FnMut() -> bool,
    ) -> Vec<Vec<f64>> {
        let Settings { policy, threads, .. } = self.settings;
        let (worlds, seed) = (self.settings.worlds.max(MANY), self.random.bits());
        let evidence = self.memory.of(game);
        let model = Worlds { round: game.round(), evidence, seat: seat as u8, policy, likely: None };
        let effort = Effort { playouts: usize::MAX, worlds, doubt: DOUBT, threads };
        let trial = Trial { model: &model, seat, candidates, effort, seed };
        let [one, other] = game.scores();
        let before = if seat.is_multiple_of(2) { one - other } else { other - one };
        let payoff = |lead: i32| f64::from(before + lead);
        let leads = trial.compare(0..worlds, proceed).unwrap_or_default();
        leads.into_iter().map(|leads| leads.into_iter().map(payoff).collect()).collect()
    }
}
