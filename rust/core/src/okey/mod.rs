//! Okey: how many tiles of a rack fit into groups, which groups these are, and which tiles complete them.
//!
//! A group is a run (three or more tiles of one colour that ascend by one, within 1 to 13) or a set (three or four
//! tiles of one number in different colours); a joker stands for any tile. Turns and stacks are Python's part.

mod arranging;
mod covering;
#[cfg(test)]
mod examples;
mod groups;
mod rack;
pub mod search;
mod tiles;

pub use arranging::{Arrangement, ROW, arrange};
pub use covering::{coverage, outs, puts, winning_puts};
pub use rack::{MOST, Rack, RackError};
pub use tiles::{COPIES, Counts, JOKER, KINDS, Tile};
