//! The rules of thumb of the agent `rule`, which play simulated rounds to their end.
//!
//! The agent in Python defines them; tests hold this twin to it, decision by decision.

use super::game::MauMau;
use super::round::{Move, Round};
use super::{COLOURS, JACK, JACKS, POINTS, SEVEN, VALUES, cards, of_colour, of_value};
use crate::random::Random;
use crate::simulation::{Game as _, Policy};

/// Four times the worth of keeping a Jack, and of laying it when little else is left.
const KEPT: i32 = -80;
const LAST: i32 = 40;
/// Four times the worth of a card of the same colour and of the same value in the rest of the hand.
const SAME_COLOUR: i32 = 8;
const SAME_VALUE: i32 = 6;
/// Four times the worth of a seven against a player with few cards, and with more.
const HIT: i32 = 24;
const MISS: i32 = -4;
const FEW: u32 = 2;

/// Returns the move of the agent `rule` for the player to move.
#[must_use]
pub fn decide(round: &Round) -> Move {
    let hand = round.hands[round.turn];
    if round.wishing {
        // The first of the most frequent colours; Jacks do not count, since they fit on everything.
        let held = |colour: &u8| std::cmp::Reverse((hand & !JACKS & of_colour(*colour)).count_ones());
        return Move::Wish((0..COLOURS).min_by_key(held).unwrap_or_default());
    }
    let playable = round.playable();
    if playable == 0 {
        return Move::Take(round.penalty.max(1));
    }
    if round.may_finish() {
        return Move::Finish;
    }
    let next = round.hands[(round.turn + 1) % round.seats].count_ones();
    cards(playable).min_by_key(|&card| -worth(hand, card, next)).map_or(Move::Finish, Move::Play)
}

/// The agent `rule`.
#[derive(Clone, Copy, Debug)]
pub struct RulePolicy;

impl Policy<MauMau> for RulePolicy {
    fn start(&mut self, _random: Random) {}

    fn act(&mut self, game: &MauMau, _seat: usize, must: bool) -> Option<Move> {
        must.then(|| decide(game.round()))
    }
}

/// Rates a card to lay by what can follow it, the points it removes from the hand, and the next player's `next` cards.
fn worth(hand: u32, card: u8, next: u32) -> i32 {
    let rest = hand & !(1 << card);
    let value = card % VALUES;
    if value == JACK {
        return if rest.count_ones() <= 1 { LAST } else { KEPT };
    }
    let colour = (rest & of_colour(card / VALUES)).count_ones().cast_signed();
    let others = (rest & of_value(value)).count_ones().cast_signed();
    let seven = match value {
        SEVEN if next <= FEW => HIT,
        SEVEN => MISS,
        _ => 0,
    };
    i32::from(POINTS[value as usize]) + SAME_COLOUR * colour + SAME_VALUE * others + seven
}
