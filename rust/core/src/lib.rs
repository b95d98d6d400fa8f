//! The cores of tisch: what is asked so often that Python is too slow for it.
//!
//! Pure Rust without I/O, clocks or Python. [`tichu`] holds the cards, combinations, partitions and odds of the
//! game Tichu; [`okey`] the arrangements of an Okey rack; [`random`] is the one source of chance of every game.

pub mod okey;
pub mod random;
pub mod tichu;
