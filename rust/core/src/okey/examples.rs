//! Racks for tests.

use proptest::prelude::*;

use super::rack::Rack;
use super::tiles::{JOKER, Tile};

pub const RED: Tile = 0;
pub const BLUE: Tile = 13;
pub const YELLOW: Tile = 26;
pub const BLACK: Tile = 39;

/// Racks from few kinds, so that there is much to lay out.
pub fn racks(size: impl Into<prop::collection::SizeRange>) -> impl Strategy<Value = Vec<Tile>> {
    let kinds = (0..4_u8, 0..9_u8, 0..14_u8)
        .prop_map(|(colour, low, joker)| if joker == 0 { JOKER } else { 13 * colour + low + 5 });
    prop::collection::vec(kinds, size).prop_filter("a rack", |tiles| Rack::new(tiles).is_ok())
}
