#![doc = include_str!("../README.md")]

pub mod maumau;
pub mod net;
pub mod okey;
pub mod random;
pub mod raumstation;
pub mod sechsundsechzig;
pub mod simulation;
pub mod tichu;
