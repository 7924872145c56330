//! Checks whether a run of any engine can continue from a checkpoint.

use super::Error;
use carom_io::{Checkpoint, CheckpointProblem};
use carom_scene::Scene;

/// The error for a checkpoint that does not fit, with the reason.
pub(super) fn unfit(checkpoint: &Checkpoint, reason: String) -> Error {
    checkpoint.refused(CheckpointProblem::Unfit { reason }).into()
}

/// Returns an error if the scene gives a log interval other than that of the run.
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

/// Returns an error if the end of the scene is before the checkpoint by more than a time step.
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
