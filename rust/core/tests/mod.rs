//! The tests of the public interface.

mod combinations;
mod odds;
mod partitions;
mod rounds;
