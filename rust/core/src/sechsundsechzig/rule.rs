//! The rules of thumb of the agent `rule`, which play simulated games to their end.
//!
//! The agent in Python defines them; tests hold this twin to it, decision by decision.

use super::game::Sechsundsechzig;
use super::moves::Move;
use super::round::Round;
use super::{
    COLOURS, ENOUGH, PAIR_POINTS, RANKS, TEN, TRUMP_PAIR_POINTS, by_cost, cards, colour, pair, pairs, takes, value,
};
use crate::random::Random;
use crate::simulation::{Game as _, Policy};

/// A card of at least this many points is worth a trump.
const RICH: u16 = 10;
/// A card of at least this many points is worth a higher one of its colour.
const FAIR: u16 = 2;
/// The expected points of the other card in a trick won by a sure winner.
const CATCH: u16 = 3;
/// Twice the cost in points of giving away a trump, half of a pair, and half of a possible pair.
const TRUMP_LOSS: u16 = 16;
const PAIR_LOSS: u16 = 12;
const HOPE_LOSS: u16 = 3;

/// The agent `rule`.
#[derive(Clone, Copy, Debug)]
pub struct RulePolicy;

impl Policy<Sechsundsechzig> for RulePolicy {
    fn start(&mut self, _random: Random) {}

    fn act(&mut self, game: &Sechsundsechzig, _seat: usize, must: bool) -> Option<Move> {
        let round = game.round();
        must.then(|| if round.result.is_some() { Move::Restart } else { decide(round) })
    }
}

/// Returns the move of the agent `rule` for the player to move.
#[must_use]
pub fn decide(round: &Round) -> Move {
    if round.may_swap() {
        return Move::Swap;
    }
    let playable = round.playable();
    let card = match round.led {
        Some(_) if playable.is_power_of_two() => playable.trailing_zeros(),
        Some(led) => follow(round, playable, led),
        None => match prepare(round) {
            Some(chosen) => return chosen,
            None => lead(round, playable),
        },
    };
    Move::Lay(card as u8)
}

fn prepare(round: &Round) -> Option<Move> {
    let side = &round.sides[round.turn];
    if side.points >= ENOUGH {
        return Some(Move::Stop);
    }
    if round.announced.is_some() {
        return None;
    }
    if round.stock.left() > 0 && expected_points(round) >= ENOUGH {
        return Some(Move::Close);
    }
    let pairs = pairs(side.hand);
    if pairs & colour(round.trump) != 0 {
        return Some(Move::AnnounceTrump);
    }
    (pairs != 0).then_some(Move::Announce)
}

fn lead(round: &Round, playable: u32) -> u32 {
    if round.stock.left() == 0 {
        let unseen = round.unseen(round.turn);
        let sure = cards(playable).filter(|&card| is_sure(round, card, unseen)).fold(0, |set, card| set | 1 << card);
        let trumps = sure & colour(round.trump);
        // Of several cards of the same points, the first in the order of the hand.
        let best = cards(if trumps == 0 { sure } else { trumps }).min_by_key(|card| card % RANKS);
        if let Some(card) = best {
            return card;
        }
    }
    give(round, playable)
}

fn follow(round: &Round, playable: u32, led: u32) -> u32 {
    let side = &round.sides[round.turn];
    let takers = cards(playable).filter(|&card| takes(card, led, round.trump)).fold(0, |set, card| set | 1 << card);
    if takers == 0 {
        return give(round, playable);
    }
    let gained = side.points + value(led);
    if let Some(card) = by_cost(takers, round.trump).find(|&card| gained + value(card) >= ENOUGH) {
        return card;
    }
    let cheapest = by_cost(takers, round.trump).next().unwrap_or_default();
    // In the colour led, the richest; with trumps among them, the cheapest suffices.
    let card = if takers & colour(round.trump) == 0 { takers.trailing_zeros() } else { cheapest };
    let at_home = card / RANKS != round.trump && (card % RANKS == TEN || value(led) >= FAIR);
    if round.stock.left() == 0 || at_home || value(led) >= RICH {
        return card;
    }
    if pairs(side.hand) != 0 {
        return cheapest;
    }
    give(round, if takers == playable { playable } else { playable & !takers })
}

fn give(round: &Round, playable: u32) -> u32 {
    let (hand, unseen) = (round.sides[round.turn].hand, round.unseen(round.turn));
    let loss = |card: &u32| {
        let others = pair(card / RANKS) & !(1 << card);
        let is_of_pair = pair(card / RANKS) >> card & 1 == 1;
        let partner = match () {
            () if !is_of_pair => 0,
            () if others & hand != 0 => PAIR_LOSS,
            () if others & unseen != 0 => HOPE_LOSS,
            () => 0,
        };
        2 * value(*card) + partner + if card / RANKS == round.trump { TRUMP_LOSS } else { 0 }
    };
    by_cost(playable, round.trump).min_by_key(loss).unwrap_or_default()
}

/// Returns whether a card that is led when colour must be followed wins its trick against any hand.
fn is_sure(round: &Round, card: u32, unseen: u32) -> bool {
    let rivals = unseen & colour(card / RANKS);
    if rivals & ((1 << card) - 1) != 0 {
        return false;
    }
    if card / RANKS == round.trump || unseen & colour(round.trump) == 0 {
        return true;
    }
    // With an empty stock, the unseen cards are the other hand, which must follow the colour if it can.
    rivals != 0 && !round.sides.iter().any(|side| side.closed)
}

/// Estimates the points at the end if the stock is closed now.
fn expected_points(round: &Round) -> u16 {
    let side = &round.sides[round.turn];
    let unseen = round.unseen(round.turn);
    let trumps = (side.hand & colour(round.trump)).count_ones();
    let announced: u16 = (0..COLOURS)
        .filter(|&each| side.hand & pair(each) == pair(each))
        .map(|each| if each == round.trump { TRUMP_PAIR_POINTS } else { PAIR_POINTS })
        .sum();
    let tricks = cards(side.hand).map(|card| {
        let is_trump = card / RANKS == round.trump;
        if unseen & colour(card / RANKS) & ((1 << card) - 1) == 0 {
            if is_trump || trumps >= 2 { value(card) + CATCH } else { 0 }
        } else if is_trump && trumps >= 3 {
            value(card)
        } else {
            0
        }
    });
    side.points + announced + tricks.sum::<u16>()
}
