//! The agent `random` of all games as a policy.

use super::{Game, MoveOf, Policy, Round};
use crate::random::Random;

/// The probability of a move out of turn.
const SPEAKS: f64 = 1.0 / 16.0;

/// Makes any legal move, uniformly at random; out of turn it usually keeps silent.
#[derive(Debug)]
pub struct RandomPolicy<G: Game> {
    random: Random,
    moves: Vec<MoveOf<G>>,
}

impl<G: Game> Default for RandomPolicy<G> {
    fn default() -> Self {
        Self { random: Random::new(0), moves: Vec::new() }
    }
}

impl<G: Game> Policy<G> for RandomPolicy<G> {
    fn start(&mut self, random: Random) {
        self.random = random;
    }

    fn act(&mut self, game: &G, seat: usize, must: bool) -> Option<MoveOf<G>> {
        if !must && self.random.unit() >= SPEAKS {
            return None;
        }
        self.moves.clear();
        game.round().legal(seat, &mut self.moves);
        self.moves.get(self.random.below(self.moves.len() as u64) as usize).copied()
    }
}
