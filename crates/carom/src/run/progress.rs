//! How far a run is, and why it ended.

use serde::Serialize;

/// Progress of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunProgress {
    /// Simulated time.
    pub time: f64,
    /// Number of collisions or time steps so far.
    pub count: u64,
    /// Unit of `count`: "collisions" or "steps".
    pub counted: &'static str,
    /// Fraction of the run that is done, from 0 to 1, as far as it can be known.
    pub part: f64,
}

/// Why a run ended or paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Ending {
    /// The end time is reached.
    Time,
    /// The number of collisions is reached.
    Collisions,
    /// Growth has ended.
    Growth,
    /// Nothing will ever happen again.
    Rest,
    /// The sink stopped it, with a checkpoint.
    Stopped,
}

impl Ending {
    /// The reason in words, after "ended"; the summary of an event-driven run has more detail.
    pub fn reason(self) -> &'static str {
        match self {
            Ending::Time => "at the time asked for",
            Ending::Collisions => "after the collisions asked for",
            Ending::Growth => "when growth ended",
            Ending::Rest => "because nothing will happen any more",
            Ending::Stopped => "before its end, with a checkpoint",
        }
    }
}
