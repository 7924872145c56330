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
