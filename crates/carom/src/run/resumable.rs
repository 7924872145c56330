//! What checkpoints of all engines have in common.

use super::Error;
use carom_io::{Checkpoint, CheckpointProblem};

/// The error for a checkpoint that does not fit, with the reason.
pub(super) fn unfit(checkpoint: &Checkpoint, reason: String) -> Error {
    checkpoint.refused(CheckpointProblem::Unfit { reason }).into()
}

/// The error for a state that an engine refuses, as a fault of the checkpoint where it is one.
pub(super) fn unfit_state(checkpoint: &Checkpoint, error: carom_simulate::Error) -> Error {
    match error {
        carom_simulate::Error::Saved(reason) => unfit(checkpoint, reason),
        other => other.into(),
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
