//! The exact worth of a game with both hands and the stock known.
//!
//! With an empty stock both players know all that; otherwise the result is the worth of a sampled world. Two decisions
//! need no search: a leader with 66 stops, unless the other has closed and may lose more; and a leader who leads a card
//! of a pair announces it first, which costs nothing.

use super::moves::Move;
use super::round::{Round, Side, Stock, announcement};
use super::{ENOUGH, MOST, NINE, RANKS, cards, colour, rule, takes, value};
use crate::simulation::Round as _;

/// A trick at its start.
#[derive(Clone, Copy)]
struct Position {
    leader: Side,
    other: Side,
    stock: Stock,
    trump: u32,
}

/// Returns the game points that a player gets with perfect play of both; negative if the other gets them.
#[must_use]
pub fn worth(round: &Round, player: usize) -> i8 {
    within(round, player, -MOST, MOST)
}

/// Returns the same, exact only between two bounds; a result at a bound or beyond may be further away.
#[must_use]
pub fn within(round: &Round, player: usize, low: i8, high: i8) -> i8 {
    if let Some(result) = round.result {
        return if player == 0 { result } else { -result };
    }
    let leader = if round.led.is_some() { 1 - round.turn } else { round.turn };
    let (alpha, beta) = if leader == player { (low, high) } else { (-high, -low) };
    let position = Position {
        leader: round.sides[leader],
        other: round.sides[1 - leader],
        stock: round.stock,
        trump: round.trump,
    };
    let value = match (round.led, round.announced) {
        (Some(led), _) => follow(&position, led, alpha, beta),
        (None, Some(_)) => {
            let stopped = stop(&position.leader, &position.other);
            cards(round.playable()).fold(stopped, |best, card| best.max(laid(&position, card, alpha.max(best), beta)))
        }
        (None, None) => lead(&position, alpha, beta),
    };
    if leader == player { value } else { -value }
}

/// Returns the game points that a player gets with perfect play against the rules of thumb, exact only between two bounds.
#[must_use]
pub fn against_rules(round: &Round, player: usize, low: i8, high: i8) -> i8 {
    let mut round = *round;
    while round.result.is_none() && round.turn != player {
        round.make(round.turn, rule::decide(&round));
    }
    if let Some(result) = round.result {
        return if player == 0 { result } else { -result };
    }
    // A claim without enough points is never better than another move.
    let (side, other) = (&round.sides[player], &round.sides[1 - player]);
    let stopped = if round.led.is_none() { stop(side, other) } else { -MOST };
    // While there is a stock, the other may still close it and fail.
    let high = if round.stock.left() == 0 { high.min(other.most_lost()) } else { high };
    let mut best = low.max(stopped);
    let (mut moves, usual) = (round.candidates(), rule::decide(&round));
    moves.retain(|&chosen| chosen != Move::Stop);
    // The rules of thumb find the best move most often, so that the others need not be tried.
    moves.sort_by_key(|&chosen| chosen != usual);
    for chosen in moves {
        if best >= high {
            break;
        }
        let mut after = round;
        after.make(after.turn, chosen);
        best = best.max(against_rules(&after, player, best, high));
    }
    best
}

/// Returns the worth for the leader.
fn lead(position: &Position, alpha: i8, beta: i8) -> i8 {
    let Position { leader, other, trump, stock } = position;
    if leader.hand == 0 {
        return run_out(leader, other);
    }
    let (least, most) = (-leader.most_lost(), other.most_lost());
    if most <= alpha || least >= beta {
        return if most <= alpha { most } else { least };
    }
    let (alpha, beta) = (alpha.max(least), beta.min(most));
    let mut best = stop(leader, other);
    if best > -MOST && !other.closed {
        return best;
    }
    for card in cards(leader.hand) {
        let mut announced = *position;
        announced.leader.points += announcement(leader.hand, card, *trump);
        best = best.max(stop(&announced.leader, other));
        if best < beta {
            best = best.max(laid(&announced, card, alpha.max(best), beta));
        }
        if best >= beta {
            return best;
        }
    }
    if best < beta && stock.left() > 2 && leader.hand >> (RANKS * trump + NINE) & 1 == 1 {
        let (swapped, stock) = swap(leader, *stock, *trump);
        best = best.max(lead(&Position { leader: swapped, stock, ..*position }, alpha.max(best), beta));
    }
    if best < beta && stock.left() > 0 {
        let closed = Side { closed: true, ..*leader };
        let position = Position { leader: closed, stock: Stock::default(), ..*position };
        best = best.max(lead(&position, alpha.max(best), beta));
    }
    best
}

/// Returns the worth for the leader of laying a card.
fn laid(position: &Position, card: u32, alpha: i8, beta: i8) -> i8 {
    let leader = Side { hand: position.leader.hand ^ (1 << card), ..position.leader };
    follow(&Position { leader, ..*position }, card, alpha, beta)
}

/// Returns the worth for the leader after leading a card, which is no longer in the hand.
fn follow(position: &Position, led: u32, alpha: i8, mut beta: i8) -> i8 {
    let Position { leader, other, trump, stock } = position;
    let same_colour = other.hand & colour(led / RANKS);
    let playable = if stock.left() > 0 || same_colour == 0 { other.hand } else { same_colour };
    let mut best = MOST;
    for card in cards(playable) {
        let other = Side { hand: other.hand ^ (1 << card), ..*other };
        let value = if takes(card, led, *trump) {
            -lead(&trick(&other, leader, led, card, position), -beta, -alpha)
        } else {
            lead(&trick(leader, &other, led, card, position), alpha, beta)
        };
        best = best.min(value);
        beta = beta.min(value);
        if beta <= alpha {
            return best;
        }
    }
    if stock.left() > 2 && other.hand >> (RANKS * trump + NINE) & 1 == 1 {
        let (swapped, stock) = swap(other, *stock, *trump);
        best = best.min(follow(&Position { other: swapped, stock, ..*position }, led, alpha, beta));
    }
    best
}

/// Returns the position after a trick, in which both have drawn.
fn trick(winner: &Side, loser: &Side, led: u32, card: u32, before: &Position) -> Position {
    let mut winner = *winner;
    let mut loser = *loser;
    winner.points += value(led) + value(card);
    winner.taken |= 1 << led | 1 << card;
    let mut stock = before.stock;
    if stock.left() > 0 {
        let (first, second, rest) = stock.drawn();
        winner.hand |= 1 << first;
        loser.hand |= 1 << second;
        stock = rest;
    }
    Position { leader: winner, other: loser, stock, trump: before.trump }
}

fn swap(side: &Side, stock: Stock, trump: u32) -> (Side, Stock) {
    let nine = RANKS * trump + NINE;
    let (opened, stock) = stock.swapped(nine);
    (Side { hand: side.hand ^ (1 << nine | 1 << opened), ..*side }, stock)
}

/// Returns the worth of stopping for a side, and of having closed when the cards run out.
const fn stop(side: &Side, other: &Side) -> i8 {
    if side.points >= ENOUGH { other.loses() } else { -MOST }
}

/// Returns the worth for the winner of the last trick.
const fn run_out(leader: &Side, other: &Side) -> i8 {
    match (leader.closed, other.closed) {
        (true, _) => stop(leader, other),
        (_, true) => -stop(other, leader),
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(hand: &[u32], points: u16) -> Side {
        let taken = if points > 0 { 1 << 22 } else { 0 };
        Side { hand: hand.iter().map(|card| 1 << card).sum(), points, taken, closed: false }
    }

    /// Returns a trick at its start, or with a card led, which is no longer in the leader's hand; the last colour is
    /// trump.
    fn round(leader: Side, other: Side, led: Option<u32>) -> Round {
        let other = Side { taken: other.taken << 1, ..other };
        let begun = Round::begun([0; 2], Stock::default(), usize::from(led.is_some()));
        let round = Round { sides: [leader, other], trump: 3, led, ..begun };
        assert_eq!(round.check(), Ok(()));
        round
    }

    fn won(leader: Side, other: Side) -> i8 {
        worth(&round(leader, other, None), 0)
    }

    #[test]
    fn the_last_trick_is_worth_1() {
        assert_eq!(won(side(&[0], 20), side(&[1], 20)), 1);
        assert_eq!(won(side(&[1], 20), side(&[0], 20)), -1);
    }

    #[test]
    fn who_leads_and_has_enough_stops() {
        assert_eq!(won(side(&[5], 66), side(&[0], 33)), 1);
        assert_eq!(won(side(&[5], 66), side(&[0], 32)), 2);
        assert_eq!(won(side(&[5], 66), side(&[0], 0)), 3);
    }

    #[test]
    fn who_has_enough_waits_for_more_if_the_other_has_closed_and_cannot_reach_66() {
        let closer = Side { closed: true, ..side(&[0], 40) };
        assert_eq!(won(side(&[5], 66), closer), 3);
        assert_eq!(won(side(&[5], 66), Side { points: 60, ..closer }), 1);
    }

    #[test]
    fn a_pair_is_announced_when_it_is_enough() {
        assert_eq!(won(side(&[2, 3], 46), side(&[0, 1], 40)), 1);
        assert_eq!(won(side(&[20, 21], 36), side(&[18, 1], 40)), 1);
        assert_eq!(won(side(&[2, 3], 45), side(&[0, 1], 40)), -1);
    }

    #[test]
    fn who_closed_must_have_enough_at_the_end() {
        let closer = Side { closed: true, ..side(&[0], 45) };
        assert_eq!(won(closer, side(&[1], 40)), 1);
        assert_eq!(won(Side { points: 44, ..closer }, side(&[1], 40)), -3);
    }

    #[test]
    fn a_card_that_lies_in_the_middle_is_led() {
        let (leader, other) = (side(&[0, 11], 50), side(&[1, 6], 60));
        assert_eq!(won(leader, other), 1);
        assert_eq!(worth(&round(side(&[0], 50), other, Some(11)), 0), -1);
        assert_eq!(worth(&round(side(&[0], 50), other, Some(11)), 1), 1);
    }

    #[test]
    fn bounds_change_nothing_between_them() {
        let (leader, other) = (side(&[0, 11], 50), side(&[1, 6], 60));
        assert!(within(&round(leader, other, None), 0, -1, 1) >= 1);
        assert!(within(&round(leader, other, None), 1, -1, 1) <= -1);
    }
}
