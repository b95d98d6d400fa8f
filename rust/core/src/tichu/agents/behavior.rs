//! The agent `behavior`: it has learned from others' games, and a network chooses, without any search.

use std::sync::Arc;

use super::search::is_forced;
use crate::net::{Net, Sums};
use crate::random::Random;
use crate::simulation::{Finding, Game as _, Policy};
use crate::tichu::features::{self, Decision};
use crate::tichu::game::Tichu;
use crate::tichu::moves::Move;
use crate::tichu::policies::{HeuristicPolicy, Known, Policy as _, Sight, Style, is_too_late};

/// Plays the move that its teacher would make most often.
pub struct BehaviorAgent {
    net: Arc<Net>,
    caution: f64,
    sums: Sums,
    adviser: HeuristicPolicy,
    moves: Vec<Move>,
    findings: Vec<Finding<Tichu>>,
}

impl BehaviorAgent {
    /// Creates the agent. `caution` is by how much a score must be higher than that of the heuristic's own choice.
    pub fn new(net: Arc<Net>, caution: f64, style: Style) -> Self {
        let adviser = HeuristicPolicy::styled(false, style);
        Self { net, caution, sums: Sums::default(), adviser, moves: Vec::new(), findings: Vec::new() }
    }

    /// Returns the candidate with the highest score, and keeps the scores.
    ///
    /// The heuristic's own choice stands unless another is better by the caution: what the teacher seldom had to decide is
    /// hardly learned.
    fn choose(&mut self, asked: &Decision) -> Option<Move> {
        let scores: Vec<f64> = asked.scores(&self.net, &mut self.sums).into_iter().map(f64::from).collect();
        let highest = (0..scores.len()).rev().max_by(|&one, &other| scores[one].total_cmp(&scores[other]));
        let own = asked.own;
        let best = highest.filter(|&place| scores[place] > scores[own] + self.caution).unwrap_or(own);
        let finding = |place: usize| Finding {
            moves: asked.candidates[place].into_iter().collect(),
            values: vec![scores[place]],
        };
        let others = (0..scores.len()).filter(|&place| place != best);
        self.findings = std::iter::once(best).chain(others).map(finding).collect();
        asked.candidates[best]
    }
}

impl Policy<Tichu> for BehaviorAgent {
    fn start(&mut self, _: Random) {
        self.findings.clear();
    }

    fn act(&mut self, game: &Tichu, seat: usize, must: bool) -> Option<Move> {
        let (round, seat) = (game.round(), seat as u8);
        self.findings.clear();
        self.moves.clear();
        round.push_legal(seat, &mut self.moves);
        if is_forced(&self.moves, must) {
            return self.moves.first().copied().filter(|_| must);
        }
        self.adviser.start();
        if must
            && self.moves.last() == Some(&Move::TICHU)
            && !is_too_late(&Known::of(&Sight { round, seat }))
            && let Some(asked) = features::call(round, seat, &mut self.adviser)
            && self.choose(&asked) == Some(Move::TICHU)
        {
            return Some(Move::TICHU);
        }
        self.findings.clear();
        match features::decision(round, seat, &mut self.adviser) {
            Some(asked) => self.choose(&asked),
            // Its style leaves it one move, or there is only one.
            None => must.then(|| self.adviser.decide(round, seat, &mut Random::new(0))),
        }
    }

    fn findings(&self) -> Vec<Finding<Tichu>> {
        self.findings.clone()
    }
}
