//! What must hold of a checkpoint for a scene to go on from it, whatever its engine.

use super::Error;
use carom_scene::Scene;
use carom_scene::files::{Checkpoint, CheckpointProblem};

/// What is there does not fit, for a reason.
pub(super) fn unfit(checkpoint: &Checkpoint, reason: String) -> Error {
    checkpoint.refused(CheckpointProblem::Unfit { reason }).into()
}

/// A pace of the log that the scene names must be that of the run.
pub(super) fn check_log<const D: usize>(
    checkpoint: &Checkpoint,
    scene: &Scene<D>,
    there: f64,
) -> Result<(), Error> {
    match scene.output.log_interval {
        Some(here) if here != there => {
            let difference =
                format!("output.log_interval is {here} here, and there log_interval = {there}");
            let problem = CheckpointProblem::OtherScene { difference: Some(difference) };
            Err(checkpoint.refused(problem).into())
        }
        _ => Ok(()),
    }
}

/// A run cannot go back to an end that it has left behind by more than the last step.
pub(super) fn check_end<const D: usize>(
    checkpoint: &Checkpoint,
    scene: &Scene<D>,
    now: f64,
    step: f64,
) -> Result<(), Error> {
    match scene.limits.until {
        Some(until) if now > until * (1.0 + 1e-6) + step => {
            let (is, end) = (format!("time {now}"), format!("until = {until}"));
            Err(checkpoint.refused(CheckpointProblem::BeyondEnd { is, end }).into())
        }
        _ => Ok(()),
    }
}
