//! Judges the moves of a player in samples of what the player does not know, which the rules of thumb play to their end.

use super::redeal::spread;
use super::round::{Move, Round};
use super::{cards, rule};
use crate::halving;
use crate::random::{Random, derive};

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
        redeal(&mut world, player, places, derive(seed, &[number]));
        world
    };
    let judge = |world: &Round, candidate: usize| {
        let mut round = *world;
        round.apply(moves[candidate]);
        for _ in 0..LONGEST {
            if round.over {
                break;
            }
            round.apply(rule::decide(&round));
        }
        round.lead(player)
    };
    halving::compare(moves.len(), playouts, sample, judge, proceed)
}

/// Deals anew what a player does not see.
pub fn redeal(round: &mut Round, player: usize, places: &[u32], seed: u64) {
    let mut random = Random::new(seed);
    let others = (0..round.seats).filter(|&seat| seat != player);
    let known = round.hands[player] | round.below | 1 << round.top;
    let mut hidden: Vec<u8> = cards(!known).collect();
    spread(&mut hidden, places, &mut random);
    for seat in others {
        let stock = hidden.split_off(round.hands[seat].count_ones() as usize);
        round.hands[seat] = hidden.iter().fold(0, |hand, card| hand | 1 << card);
        hidden = stock;
    }
    round.stock[..hidden.len()].copy_from_slice(&hidden);
    round.chance = random.bits();
}
