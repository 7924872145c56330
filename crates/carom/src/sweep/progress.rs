//! How far a sweep is, for progress bars and callbacks.

/// Progress of a sweep, of the runs of this shard.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct SweepProgress {
    /// Number of runs.
    pub runs: usize,
    /// Number of runs that have come to their end, now or before.
    pub finished: usize,
    /// Number of runs that have failed.
    pub failed: usize,
    /// Number of runs under way.
    pub running: usize,
    /// Fraction of the whole that is done, from 0 to 1, if all runs take the same time.
    pub part: f64,
}
