//! The agent `alphazero`: it grows a tree of what it knows, guided by a network that has learned from its own games.

use std::sync::Arc;

use super::search::is_forced;
use crate::net::Net;
use crate::random::Random;
use crate::simulation::{Finding, Game as _, Memory, Policy};
use crate::tichu::game::Tichu;
use crate::tichu::moves::Move;
use crate::tichu::policies::Style;
use crate::tichu::redeal::Evidence;
use crate::tichu::round::Round;
use crate::tichu::zero::{How, Moment, Search};

/// Plays the move that its tree has visited most.
pub struct AlphaZeroAgent {
    net: Arc<Net>,
    style: Style,
    how: How,
    random: Random,
    memory: Memory<Round>,
    moves: Vec<Move>,
    findings: Vec<Finding<Tichu>>,
}

impl AlphaZeroAgent {
    /// Creates the agent; its network has two heads.
    pub fn new(net: Arc<Net>, style: Style, how: How) -> Self {
        Self {
            net,
            style,
            how,
            random: Random::new(0),
            memory: Memory::default(),
            moves: Vec::new(),
            findings: Vec::new(),
        }
    }

    /// Chooses by a search, and keeps how often each option was visited.
    fn choose(&mut self, moment: Moment<'_>, proceed: &mut dyn FnMut() -> bool) -> Option<Move> {
        let found = Search::new(&self.net, self.style, self.how).run(moment, &mut self.random, proceed)?;
        let (best, shares) = (found.best(), found.shares());
        let share = |place: usize| Finding {
            moves: found.branches[place].chosen.into_iter().collect(),
            values: vec![shares[place]],
        };
        let others = (0..found.branches.len()).filter(|&place| place != best);
        self.findings = std::iter::once(best).chain(others).map(share).collect();
        if self.findings.len() < 2 {
            self.findings.clear();
        }
        found.branches[best].chosen
    }
}

impl Policy<Tichu> for AlphaZeroAgent {
    fn start(&mut self, random: Random) {
        self.random = random;
        self.memory = Memory::default();
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
        self.findings.clear();
        self.moves.clear();
        round.push_legal(seat, &mut self.moves);
        if is_forced(&self.moves, must) {
            return self.moves.first().copied().filter(|_| must);
        }
        let evidence = std::mem::take(self.memory.of(game));
        let chosen = self.choose(Moment { round, evidence: &evidence, seat }, proceed);
        self.memory.recall(game, evidence);
        chosen
    }

    fn findings(&self) -> Vec<Finding<Tichu>> {
        self.findings.clone()
    }
}
