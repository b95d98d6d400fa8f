//! The agent `heuristic` in whole games.

use crate::random::Random;
use crate::simulation::{Game as _, Policy};
use crate::tichu::game::Tichu;
use crate::tichu::moves::Move;
use crate::tichu::policies::{Calls, Heuristic, Style};

/// Makes the move with the best balance of winning chances and remaining hand.
pub struct HeuristicAgent(Heuristic);

impl HeuristicAgent {
    pub fn new(style: Style, calls: Calls) -> Self {
        Self(Heuristic::exact(style, calls))
    }
}

impl Policy<Tichu> for HeuristicAgent {
    fn start(&mut self, _: Random) {
        self.0.forget();
    }

    fn act(&mut self, game: &Tichu, seat: usize, must: bool) -> Option<Move> {
        let (round, seat) = (game.round(), seat as u8);
        if must { Some(self.0.decide(round, seat)) } else { self.0.interrupt(round, seat) }
    }
}
