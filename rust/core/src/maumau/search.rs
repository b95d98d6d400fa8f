//! Judges the moves of a player in samples of what the player does not know, which the rules of thumb play to their end.

use super::round::{Move, Round};
use super::rule;
use crate::halving;
use crate::random::{Random, derive};
use crate::simulation::Round as _;

/// The most moves of a simulated round; a round that goes on longer is judged by the cards in the hands.
const LONGEST: usize = 500;

/// Returns by how many points a player is ahead of the others in all at the end, for each of some moves by sample; moves
/// that were dropped have fewer samples.
///
/// Once `proceed` returns false, it stops. `places` has the set of possible cards for each card of the other hands, by seat, and for each card of the stock.
#[must_use]
pub fn compare(
    round: &Round,
    places: &[u32],
    moves: &[Move],
    playouts: usize,
    seed: u64,
    proceed: &mut dyn FnMut() -> bool,
) -> Vec<Vec<i32>> {
    let player = round.turn;
    let sample = |number| {
        let mut world = *round;
        let mut random = Random::new(derive(seed, &[number]));
        world.redeal_to(player, places, &mut random);
        world.chance = random.bits();
        world.reshuffles = 0;
        world
    };
    let judge = |world: &Round, candidate: usize| {
        let mut round = *world;
        round.make(player, moves[candidate]);
        for _ in 0..LONGEST {
            if round.over {
                break;
            }
            round.make(round.turn, rule::decide(&round));
        }
        round.lead(player)
    };
    halving::compare(moves.len(), playouts, sample, judge, proceed)
}
