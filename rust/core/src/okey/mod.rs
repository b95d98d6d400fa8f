//! Okey: whole games, players, and what can be made of a rack: how many of its tiles fit into groups, which groups these
//! are, and which tiles complete them.
//!
//! A group is a run (three or more tiles of one colour that ascend by one, within 1 to 13) or a set (three or four
//! tiles of one number in different colours); a joker stands for any tile.

mod arranging;
mod covering;
pub mod encoding;
#[cfg(test)]
mod examples;
pub mod game;
mod groups;
mod packings;
mod piles;
pub mod policies;
pub mod position;
mod prospects;
pub mod round;
pub mod search;
mod tiles;

pub use arranging::{Arrangement, ROW, arrange};
pub use covering::{coverage, puts, winning_puts};
pub use prospects::outs;
pub use tiles::{COPIES, HELD, JOKER, KINDS, MOST, RackError, Tile, Tiles};
