use serde::Serialize;

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunProgress {
    /// Simulated time.
    pub time: f64,
    /// Collisions or steps so far.
    pub count: u64,
    /// What is counted.
    pub counted: &'static str,
    /// Part of the way to the end, from 0 to 1, as far as one can know.
    pub part: f64,
}

/// Why a run ended or paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Ending {
    /// Its time is reached.
    Time,
    /// It has had its collisions.
    Collisions,
    /// Growth has ended.
    Growth,
    /// Nothing will ever happen again.
    Rest,
    /// The sink wanted it; a checkpoint was handed to it.
    Stopped,
}

impl Ending {
    /// In words, after "ended"; the summary of an event-driven run knows more.
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
