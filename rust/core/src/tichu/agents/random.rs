//! The agent `random`: any legal move, but calls only as often as people call.

use crate::random::Random;
use crate::simulation::{Game as _, Policy};
use crate::tichu::game::Tichu;
use crate::tichu::moves::{Move, Verb};

/// The probability of making a drawn call instead of drawing again.
const CALLS: f64 = 0.08;
/// The probability of a move out of turn.
const SPEAKS: f64 = 1.0 / 32.0;

/// Chooses a legal move uniformly at random; calls are rarer.
#[derive(Debug)]
pub struct RandomAgent {
    random: Random,
    moves: Vec<Move>,
}

impl Default for RandomAgent {
    fn default() -> Self {
        Self { random: Random::new(0), moves: Vec::new() }
    }
}

impl Policy<Tichu> for RandomAgent {
    fn start(&mut self, random: Random) {
        self.random = random;
    }

    fn act(&mut self, game: &Tichu, seat: usize, must: bool) -> Option<Move> {
        if !must && self.random.unit() >= SPEAKS {
            return None;
        }
        self.moves.clear();
        game.round().push_legal(seat as u8, &mut self.moves);
        loop {
            let chosen = *self.moves.get(self.random.below(self.moves.len() as u64) as usize)?;
            let is_call = matches!(chosen.verb(), Verb::Grand | Verb::Tichu);
            if !must || !is_call || self.random.unit() < CALLS {
                return Some(chosen);
            }
        }
    }
}
