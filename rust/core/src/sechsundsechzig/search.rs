//! Judges the moves of a player in samples of what the player does not know.
//!
//! The rules of thumb play a sample until few cards are left in the stock. From there on its worth is exact: in half of
//! the samples against perfect play, in the others against the rules of thumb, which let a lost game be won.

use super::past::Past;
use super::round::{Move, Round};
use super::{rule, solver};
use crate::halving;
use crate::random::{Random, derive};

/// A decision of the player to move.
#[derive(Clone, Debug)]
pub struct Question {
    /// The game; what the player does not know is dealt anew.
    pub round: Round,
    /// The moves that led to it, if they are known.
    pub past: Option<Past>,
    /// The cards that the other hand is known to hold.
    pub shown: u32,
    /// The colours that the other hand is known to lack, as a bit mask.
    pub lacks: u32,
    /// The number of redeals of which a sample is the one that the rules of thumb contradict least.
    pub draws: usize,
    /// The worth is exact from this number of cards in the stock on.
    pub exact: u8,
    /// The most game points that the player can use to lose and to win, 1 to 3.
    pub caps: (i8, i8),
}

impl Question {
    /// Returns the game points of each move by sample, negative if the other player gets them; moves that were dropped
    /// have fewer samples. Once `proceed` returns false, it stops.
    #[must_use]
    pub fn compare(
        &self,
        moves: &[Move],
        playouts: usize,
        seed: u64,
        proceed: &mut dyn FnMut() -> bool,
    ) -> Vec<Vec<i32>> {
        let sample = |number| (self.world(derive(seed, &[number])), number.is_multiple_of(2));
        let judge = |&(world, perfect): &(Round, bool), candidate: usize| {
            let mut round = world;
            round.apply(moves[candidate]);
            i32::from(self.judge(round, perfect))
        };
        halving::compare(moves.len(), playouts, sample, judge, proceed)
    }

    /// Returns a sample.
    fn world(&self, seed: u64) -> Round {
        let (player, mut random) = (self.round.turn, Random::new(seed));
        let (mut world, mut fewest) = (self.round, u32::MAX);
        for _ in 0..self.draws.max(1) {
            let mut drawn = self.round;
            drawn.redeal(player, self.shown, self.lacks, &mut random);
            let count =
                self.past.as_ref().map_or(0, |past| past.contradictions(&drawn, 1 - player, fewest, &mut random));
            if count < fewest {
                (world, fewest) = (drawn, count);
            }
            if fewest == 0 {
                break;
            }
        }
        world
    }

    /// Returns the game points that the player gets, within the caps.
    fn judge(&self, mut round: Round, perfect: bool) -> i8 {
        let (player, low, high) = (self.round.turn, -self.caps.0, self.caps.1);
        while round.result.is_none() && round.stock.left() > self.exact {
            round.apply(rule::decide(&round));
        }
        let worth = if perfect {
            solver::within(&round, player, low, high)
        } else {
            solver::against_rules(&round, player, low, high)
        };
        worth.clamp(low, high)
    }
}

#[cfg(test)]
mod tests {
    use super::super::round::Side;
    use super::super::{CARDS, cards, colour, pairs};
    use super::*;

    #[test]
    fn samples_agree_with_what_the_other_did() {
        // The leader has the four jacks and two nines, so it has nothing to announce, and lays a nine.
        let jacks_and_nines = (0..4).map(|each| 0b1_0000 << (6 * each)).sum::<u32>() | 1 << 5 | 1 << 11;
        let own = 0b1111 & !1 | 0b111 << 6;
        let side = |hand| Side { hand, ..Side::default() };
        let stock: Vec<u8> = cards(colour(0) | colour(1) | colour(2) | colour(3))
            .filter(|card| (jacks_and_nines | own) >> card & 1 == 0)
            .map(|card| card as u8)
            .collect();
        let mut round = Round::new([side(jacks_and_nines), side(own)], &stock, None, 3, 0, None, None).unwrap();
        let led = rule::decide(&round);
        assert!(matches!(led, Move::Lay(card) if u32::from(card) < CARDS));
        let past = Some(Past::new(0, round.open.unwrap() as u8, &[led]));
        round.apply(led);
        let held = |draws| {
            let question = Question { round, past: past.clone(), shown: 0, lacks: 0, draws, exact: 0, caps: (1, 1) };
            (0..300).filter(|&seed| pairs(question.world(seed).sides[0].hand) != 0).count()
        };
        assert!(held(1) > 30, "{}", held(1));
        assert_eq!(held(64), 0);
    }
}
