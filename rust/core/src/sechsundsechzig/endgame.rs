//! The end of a game, from where nothing more is drawn: every hand that the other may hold, weighed by how well it explains
//! the moves so far.
//!
//! With an empty stock there is one such hand. Under a closed stock there are up to some thousands.

use super::cards;
use super::evidence::{Evidence, missing};
use super::past::Past;
use super::round::Round;
use crate::random::Random;

/// A hand in which the rules of thumb contradict the other's moves once more is so many times less likely.
const UNLIKELY: f64 = 8.0;
/// The number of orders in which the cards may have been drawn that are tried for a hand.
const ORDERS: u64 = 2;

/// Chances that differ by less than this share of them are equal.
const EQUAL: f64 = 1e-9;

/// A game as it may be, and its probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct World {
    /// The game.
    pub round: Round,
    /// The probability, by what the player to move knows.
    pub chance: f64,
}

/// Returns every hand that the rival of the player to move may hold, in ascending order of its lowest other card.
#[must_use]
pub fn hands(round: &Round, evidence: &Evidence) -> Vec<u32> {
    let other = 1 - round.turn;
    let (shown, lacks) = (evidence.shown[other], missing(evidence.lacks[other]));
    let wanted = (round.sides[other].hand & !shown).count_ones();
    let free: Vec<u32> = cards(round.unseen(round.turn) & !shown & !lacks).collect();
    let mut found = Vec::new();
    choose(&free, wanted, shown, &mut found);
    found
}

/// Appends a hand with each choice of so many cards.
fn choose(free: &[u32], wanted: u32, hand: u32, found: &mut Vec<u32>) {
    if wanted == 0 {
        return found.push(hand);
    }
    for (place, card) in free.iter().enumerate().take((free.len() + 1).saturating_sub(wanted as usize)) {
        choose(&free[place + 1..], wanted - 1, hand | 1 << card, found);
    }
}

/// Returns every game that the player to move cannot tell from the true one, with its probability.
#[must_use]
pub fn worlds(round: &Round, evidence: &Evidence, past: Option<&Past>) -> Vec<World> {
    let other = 1 - round.turn;
    let mut worlds: Vec<World> = hands(round, evidence)
        .into_iter()
        .map(|hand| {
            let mut round = *round;
            round.sides[other].hand = hand;
            World { round, chance: past.map_or(1.0, |past| likelihood(past, &round, other)) }
        })
        .collect();
    let whole: f64 = worlds.iter().map(|world| world.chance).sum();
    for world in &mut worlds {
        world.chance /= whole;
    }
    worlds
}

/// Returns how likely the moves of a player are in a game, but for a factor that all games share.
fn likelihood(past: &Past, round: &Round, player: usize) -> f64 {
    let hand = u64::from(round.sides[player].hand);
    let count = |order| past.contradictions(round, player, u32::MAX, &mut Random::new(hand << 8 | order));
    (0..ORDERS).map(|order| UNLIKELY.powi(-count(order).cast_signed())).sum()
}

/// Shares so many places among worlds as evenly as their chances allow; the worlds that get none are left out.
///
/// If all of them are equally likely and there are enough places, each gets one.
#[must_use]
pub fn shares(worlds: &[World], places: usize) -> Vec<(Round, usize)> {
    let equal = 1.0 / worlds.len() as f64;
    let is_equal = worlds.iter().all(|world| (world.chance - equal).abs() < equal * EQUAL);
    if is_equal && worlds.len() <= places {
        return worlds.iter().map(|world| (world.round, 1)).collect();
    }
    let (mut sum, mut filled) = (0.0, 0);
    let mut share = |world: &World| {
        sum += world.chance * places as f64;
        let before = filled;
        // A place belongs to the world that reaches its middle.
        while filled < places && filled as f64 + 0.5 <= sum {
            filled += 1;
        }
        (world.round, filled - before)
    };
    worlds.iter().map(&mut share).filter(|&(_, share)| share > 0).collect()
}
