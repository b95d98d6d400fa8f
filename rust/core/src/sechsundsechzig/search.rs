//! Judges the moves of a player in samples of what the player does not know.
//!
//! The rules of thumb play a sample until few cards are left in the stock; from there on its worth is exact.

use super::round::{Move, Round};
use super::{rule, solver};
use crate::halving;
use crate::random::{Random, derive};

/// A decision of the player to move.
#[derive(Clone, Debug)]
pub struct Question {
    /// The game; what the player does not know is dealt anew.
    pub round: Round,
    /// The cards that the other hand is known to hold.
    pub shown: u32,
    /// The colours that the other hand is known to lack, as a bit mask.
    pub lacks: u32,
    /// The worth is exact from this number of cards in the stock on.
    pub exact: u8,
    /// The most game points that the player can use to lose and to win, 1 to 3.
    pub caps: (i8, i8),
}

impl Question {
    /// Returns the game points of each move by sample, negative if the other player gets them; moves that were dropped
    /// have fewer samples.
    #[must_use]
    pub fn compare(&self, moves: &[Move], playouts: usize, seed: u64) -> Vec<Vec<i32>> {
        let player = self.round.turn;
        let sample = |number| {
            let mut world = self.round;
            world.redeal(player, self.shown, self.lacks, &mut Random::new(derive(seed, &[number])));
            world
        };
        halving::compare(moves.len(), playouts, sample, |world, candidate| {
            let mut round = *world;
            round.apply(moves[candidate]);
            i32::from(self.judge(round, player))
        })
    }

    /// Returns the game points that a player gets, within the caps.
    fn judge(&self, mut round: Round, player: usize) -> i8 {
        let (low, high) = (-self.caps.0, self.caps.1);
        while round.result.is_none() && round.stock.left() > self.exact {
            round.apply(rule::decide(&round));
        }
        solver::within(&round, player, low, high).clamp(low, high)
    }
}
