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

/// Stores the ids of bodies and, last, that of the next body, where bodies have been removed.
pub(super) fn put_ids(checkpoint: &mut Checkpoint, ids: &[u32], next_id: u32, count: usize) {
    if !ids.is_empty() || next_id as usize != count {
        checkpoint.put_u32("body_ids", [ids, &[next_id]].concat());
    }
}

/// Takes the ids of bodies, none where no body has been removed, and that of the next one.
pub(super) fn take_ids(
    checkpoint: &mut Checkpoint,
    count: usize,
) -> Result<(Vec<u32>, u32), carom_io::Error> {
    if checkpoint.count("body_ids").is_none() {
        return Ok((Vec::new(), count as u32));
    }
    let mut ids = checkpoint.take_u32("body_ids", count + 1)?;
    let next_id = ids.pop().unwrap_or_default();
    Ok((ids, next_id))
}
