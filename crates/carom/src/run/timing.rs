use std::time::Duration;

/// Wall-clock time by phase.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Timing {
    /// Reading the scene, making bodies and structure.
    pub initialization: Duration,
    /// Moving bodies.
    pub running: Duration,
    /// Measuring what the log and the radial distribution need, and verifying if asked to.
    pub measuring: Duration,
    /// Writing files, but for what is written after the summary: picture and distribution.
    pub output: Duration,
}
