//! The wall-clock time of a run by phase.

use std::time::Duration;

/// Wall-clock time by phase.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Timing {
    /// Time to read the scene and to build bodies and neighbor structure.
    pub initialization: Duration,
    /// Time to advance the simulation.
    pub running: Duration,
    /// Time to measure log rows and observables, and to verify the structure if asked to.
    pub measuring: Duration,
    /// Time to write files, except picture and tables, which are written after the summary.
    pub output: Duration,
}
