//! The Python interface of Tichu's kernels: cards, combinations, hands and plays as objects, an engine's queries as
//! numbers.

pub mod cards;
pub mod combinations;
mod game;
pub mod hand;
pub mod heuristic;
pub mod log;
pub mod moves;
pub mod net;
pub mod odds;
pub mod partitions;
pub mod playout;
pub mod plays;
pub mod round;
