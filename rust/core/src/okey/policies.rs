//! The agents `rule` and `search` as policies.
//!
//! The agents in Python define them; tests hold these twins to them, decision by decision.

use super::covering::{coverage, covers_more, winning_puts};
use super::game::Okey;
use super::prospects::{BestPuts, best_outs};
use super::round::{Move, Round, SEATS};
use super::search::{Samples, draws, payoff, worths};
use super::tiles::{HELD, JOKER, KINDS, Tile};
use crate::random::Random;
use crate::simulation::{Game as _, Policy};

/// The agent `rule`: it keeps most tiles in groups, and then most chances for an unseen tile that adds to them.
#[derive(Clone, Copy, Debug)]
pub struct RulePolicy;

impl Policy<Okey> for RulePolicy {
    fn start(&mut self, _random: Random) {}

    fn act(&mut self, game: &Okey, seat: usize, must: bool) -> Option<Move> {
        // Out of turn the only move is to cheat.
        must.then(|| {
            let round = game.round();
            if round.has_drawn(seat) { put(round, seat) } else { draw(round, seat) }
        })
    }
}

/// Takes the neighbour's tile if more tiles lie in groups then.
fn draw(round: &Round, seat: usize) -> Move {
    let rack = round.racks[seat].set();
    let takes = |tile: Tile| covers_more(rack.with(tile), coverage(rack), HELD as u8);
    if round.stacks[seat].top().is_some_and(takes) { Move::DrawExchange } else { Move::DrawMain }
}

/// Wins, or puts the first of the tiles that leave most tiles in groups, and of these most that would help.
fn put(round: &Round, seat: usize) -> Move {
    let rack = round.racks[seat].set();
    let best = BestPuts::new(rack);
    if usize::from(best.covered) == HELD {
        return Move::Win(best.tiles.kinds().next().unwrap_or(JOKER));
    }
    let mut outs = [0; KINDS as usize];
    best_outs(rack, &best, round.unseen(seat)).for_each(|(tile, count)| outs[usize::from(tile)] = count);
    first_of_most(round.in_order(seat, best.tiles).map(|tile| (Move::Put(tile), outs[usize::from(tile)])))
}

/// Returns the first of the moves with the highest number; there is one.
fn first_of_most<N: PartialOrd>(moves: impl Iterator<Item = (Move, N)>) -> Move {
    let first = |best: (Move, N), other: (Move, N)| if other.1 > best.1 { other } else { best };
    moves.reduce(first).map_or(Move::Put(JOKER), |(chosen, _)| chosen)
}

/// The agent `search`: it draws and puts so that the rack can win soonest with the tiles to come.
#[derive(Clone, Debug)]
pub struct SearchPolicy {
    samples: usize,
    random: Random,
}

/// The number of sets of samples by which moves are judged.
const PARTS: usize = 10;

impl SearchPolicy {
    /// Creates the policy with the number of samples for a decision.
    #[must_use]
    pub fn new(samples: usize) -> Self {
        Self { samples, random: Random::new(0) }
    }

    fn samples(&mut self, round: &Round, seat: usize) -> Samples {
        Samples { unseen: round.unseen(seat), count: self.samples, seed: self.random.bits() }
    }

    /// Returns the worth of some draws or puts of a seat, by the same samples; none if `proceed` has returned false.
    fn worths(
        &mut self,
        round: &Round,
        seat: usize,
        moves: &[Move],
        proceed: &mut dyn FnMut() -> bool,
    ) -> Option<Vec<f64>> {
        let (rack, samples) = (round.racks[seat].set(), self.samples(round, seat));
        let puts: Vec<Tile> = moves.iter().filter_map(|chosen| chosen.put()).collect();
        let drawn = match round.stacks[seat].top() {
            Some(tile) if !round.has_drawn(seat) => draws(rack, tile, &samples, proceed)?,
            _ => [0; 2],
        };
        let next = round.known[(seat + 1) % SEATS];
        let mut put = match puts.as_slice() {
            [] => Vec::new(),
            puts => worths(rack, puts, next, &samples, proceed)?,
        }
        .into_iter();
        let worth = |chosen: &Move| match chosen {
            Move::DrawMain => drawn[0],
            Move::DrawExchange => drawn[1],
            Move::Put(_) => put.next().unwrap_or_default(),
            Move::Win(_) | Move::Cheat => samples.most(),
        };
        Some(moves.iter().map(worth).map(|worth| worth as f64 / samples.most() as f64).collect())
    }

    /// Draws if both are equal, so that four such agents cannot exchange tiles forever.
    fn draw(&mut self, round: &Round, seat: usize, proceed: &mut dyn FnMut() -> bool) -> Option<Move> {
        if round.stacks[seat].top().is_none() {
            return Some(Move::DrawMain);
        }
        let moves = [Move::DrawMain, Move::DrawExchange];
        Some(first_of_most(moves.into_iter().zip(self.worths(round, seat, &moves, proceed)?)))
    }

    /// Never puts a joker.
    fn put(&mut self, round: &Round, seat: usize, proceed: &mut dyn FnMut() -> bool) -> Option<Move> {
        let rack = round.racks[seat].set();
        if let Some(tile) = winning_puts(rack).kinds().next() {
            return Some(Move::Win(tile));
        }
        let moves: Vec<Move> = round.in_order(seat, rack).filter(|&tile| tile != JOKER).map(Move::Put).collect();
        Some(first_of_most(moves.iter().copied().zip(self.worths(round, seat, &moves, proceed)?)))
    }
}

impl Policy<Okey> for SearchPolicy {
    fn start(&mut self, random: Random) {
        self.random = random;
    }

    fn act(&mut self, game: &Okey, seat: usize, must: bool) -> Option<Move> {
        self.decide(game, seat, must, &mut || true)
    }

    fn decide(&mut self, game: &Okey, seat: usize, must: bool, proceed: &mut dyn FnMut() -> bool) -> Option<Move> {
        let round = game.round();
        if !must {
            return None;
        }
        if round.has_drawn(seat) { self.put(round, seat, proceed) } else { self.draw(round, seat, proceed) }
    }

    fn payoffs(
        &mut self,
        game: &Okey,
        seat: usize,
        candidates: &[Vec<Move>],
        proceed: &mut dyn FnMut() -> bool,
    ) -> Vec<Vec<f64>> {
        let (round, moves) = (game.round(), candidates.concat());
        let mut payoffs = vec![Vec::with_capacity(PARTS); moves.len()];
        for _ in 0..PARTS {
            let Some(worths) = self.worths(round, seat, &moves, proceed) else { return Vec::new() };
            for (found, worth) in payoffs.iter_mut().zip(worths) {
                found.push(payoff(worth, round.main.len() as u8));
            }
        }
        payoffs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::okey::examples::{Moment, moments};
    use crate::simulation::{Parameters, Played as _, Round as _, Value, each};

    #[test]
    fn policies_decide_by_what_their_seat_may_know() {
        let few = [("samples".to_owned(), Value::Whole(3))].into_iter().collect();
        let nothing = Parameters::new();
        let makers = ["random", "rule", "search"]
            .map(|name| Okey::policy(name, if name == "search" { &few } else { &nothing }).unwrap());
        let mut asked = 0;
        for Moment { round, mut random, name } in moments(30) {
            let Some(seat) = each(round.awaited()).next() else { continue };
            for maker in &makers {
                let decide = |round: Round| {
                    let mut player = maker();
                    player.start(Random::new(asked));
                    player.act(&Okey { round }, seat, true)
                };
                let (own, other) = (decide(round), decide(round.redeal(seat, &(), &mut random)));
                assert!(own.is_some() && own == other, "{name}: {own:?} and {other:?}");
            }
            asked += 1;
        }
        assert!(asked > 200, "{asked}");
    }
}
