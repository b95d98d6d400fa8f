//! The agents `rule` and `search` as policies.
//!
//! The agents in Python define them; tests hold these twins to them, decision by decision.

use super::covering::{coverage, covers_more, winning_puts};
use super::game::Okey;
use super::prospects::{BestPuts, best_outs};
use super::round::{Move, Round, SEATS};
use super::search::{Samples, draws, worths};
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
    first_of_most(round.in_order(seat, best.tiles).map(|tile| (tile, outs[usize::from(tile)])))
}

/// Puts the first tile of those with the highest number.
fn first_of_most<N: PartialOrd>(tiles: impl Iterator<Item = (Tile, N)>) -> Move {
    let first = |best: (Tile, N), other: (Tile, N)| if other.1 > best.1 { other } else { best };
    Move::Put(tiles.reduce(first).map_or(JOKER, |(tile, _)| tile))
}

/// The agent `search`: it draws and puts so that the rack can win soonest with the tiles to come.
#[derive(Clone, Debug)]
pub struct SearchPolicy {
    samples: usize,
    random: Random,
}

impl SearchPolicy {
    /// Creates the policy with the number of samples for a decision.
    #[must_use]
    pub fn new(samples: usize) -> Self {
        Self { samples, random: Random::new(0) }
    }

    fn samples(&mut self, round: &Round, seat: usize) -> Samples {
        Samples { unseen: round.unseen(seat), count: self.samples, seed: self.random.bits() }
    }

    fn draw(&mut self, round: &Round, seat: usize) -> Move {
        let Some(tile) = round.stacks[seat].top() else { return Move::DrawMain };
        let samples = self.samples(round, seat);
        let [main, taken] = draws(round.racks[seat].set(), tile, &samples, &mut || true);
        // Where both are equal it draws, so that four such agents cannot exchange tiles forever.
        if taken > main { Move::DrawExchange } else { Move::DrawMain }
    }

    fn put(&mut self, round: &Round, seat: usize) -> Move {
        let rack = round.racks[seat].set();
        if let Some(tile) = winning_puts(rack).kinds().next() {
            return Move::Win(tile);
        }
        let tiles: Vec<Tile> = round.in_order(seat, rack).filter(|&tile| tile != JOKER).collect();
        let (samples, next) = (self.samples(round, seat), round.known[(seat + 1) % SEATS]);
        let worths = worths(rack, &tiles, next, &samples, &mut || true);
        first_of_most(tiles.into_iter().zip(worths))
    }
}

impl Policy<Okey> for SearchPolicy {
    fn start(&mut self, random: Random) {
        self.random = random;
    }

    fn act(&mut self, game: &Okey, seat: usize, must: bool) -> Option<Move> {
        must.then(|| {
            let round = game.round();
            if round.has_drawn(seat) { self.put(round, seat) } else { self.draw(round, seat) }
        })
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
