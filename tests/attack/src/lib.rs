//! The promises of every reader of carom for any bytes, and random changes of valid files.
//!
//! The attack, the libFuzzer targets in `fuzz` and the test of the kept corpus share these.

pub mod corpus;
pub mod mutation;
pub mod random;
pub mod reader;
