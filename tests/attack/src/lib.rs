//! What every reader of carom promises for any bytes, and the random changes made to valid files.
//!
//! The attack, the libFuzzer targets in `fuzz` and the test of the kept corpus share these.

pub mod corpus;
pub mod mutation;
pub mod random;
pub mod reader;
