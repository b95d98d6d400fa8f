//! Tichu's kernels: sets of cards as 64-bit masks and all computations on them.

mod agents;
pub mod belief;
pub mod cards;
pub mod census;
pub mod classify;
pub mod combinations;
pub mod deal;
pub mod encoding;
pub mod features;
pub mod game;
mod generate;
pub mod hand;
pub mod log;
pub mod moves;
pub mod odds;
pub mod partitions;
pub mod playout;
pub mod plays;
pub mod policies;
pub mod position;
pub mod redeal;
pub mod round;
pub mod search;
mod shape;
pub mod zero;

pub use cards::{Cards, CardsError};
pub use classify::classify;
pub use combinations::{Combination, Kind};
pub use deal::deal;
pub use hand::{Hand, Wish};
pub use moves::{Move, Verb};
pub use partitions::{fewest, partitions};
pub use plays::Play;
pub use round::{Phase, Round};
