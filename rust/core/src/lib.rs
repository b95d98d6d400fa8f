//! The cores of tisch: the computations that are too frequent for Python.
//!
//! Pure Rust without I/O, clocks or Python. [`tichu`] holds the cards, combinations, partitions and odds of Tichu;
//! [`okey`] the arrangements of an Okey rack; [`raumstation`] the solver of stations; [`sechsundsechzig`] the endgame
//! of that game; [`random`] is the only source of chance of every game.

pub mod okey;
pub mod random;
pub mod raumstation;
pub mod sechsundsechzig;
pub mod tichu;
