//! Racks and rounds for tests.

use proptest::prelude::*;

use super::game::{Okey, Options};
use super::round::{Move, Round};
use super::tiles::{JOKER, Tile, Tiles};
use crate::random::{Random, derive};
use crate::simulation::{Game as _, Round as _, each};

pub const RED: Tile = 0;
pub const BLUE: Tile = 13;
pub const YELLOW: Tile = 26;
pub const BLACK: Tile = 39;

/// Racks from few kinds, so that there is much to lay out.
pub fn racks(size: impl Into<prop::collection::SizeRange>) -> impl Strategy<Value = Vec<Tile>> {
    let kinds = (0..4_u8, 0..9_u8, 0..14_u8)
        .prop_map(|(colour, low, joker)| if joker == 0 { JOKER } else { 13 * colour + low + 5 });
    prop::collection::vec(kinds, size).prop_filter("a rack", |tiles| Tiles::rack(tiles).is_ok())
}

/// A moment of a game, chance for a test there, and what to call it in a failure.
pub struct Moment {
    pub round: Round,
    pub random: Random,
    pub name: String,
}

/// Returns a moment of each of some games, which are played at random; in every second one players cheat.
pub fn moments(games: u64) -> impl Iterator<Item = Moment> {
    (0..games).flat_map(|seed| {
        let cheats = seed % 2 == 1;
        let mut random = Random::new(derive(seed, &[1]));
        let mut game = Okey::begin(&Options { cheats }, seed);
        let mut found = Vec::new();
        for moves in 0.. {
            if moves % 23 == 0 || game.round().awaited() == 0 {
                let name = format!("seed {seed}, after {moves} moves");
                found.push(Moment { round: *game.round(), random: random.clone(), name });
            }
            let speaks = game.round().speakers() != 0 && random.below(50) == 0;
            let seats = if speaks { game.round().speakers() } else { game.round().awaited() };
            let Some(seat) = each(seats).next() else { break };
            let mut legal = Vec::new();
            game.round().legal(seat, &mut legal);
            // Usually nobody wins, so that games last.
            legal.retain(|chosen| !matches!(chosen, Move::Win(_)) || seed % 4 == 3);
            game.make(seat, legal[random.below(legal.len() as u64) as usize]);
        }
        found
    })
}
