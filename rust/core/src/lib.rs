#![doc = include_str!("../README.md")]

pub mod maumau;
pub mod net;
pub mod okey;
pub mod random;
pub mod raumstation;
pub mod sechsundsechzig;
pub mod simulation;
pub mod tichu;

// The tests of the public interface use the crate as others do. They are compiled with those inside: a crate that is
// compiled for them alone takes as long once more.
#[cfg(test)]
extern crate self as tisch_core;

#[cfg(test)]
#[path = "../tests/mod.rs"]
mod public_interface;
