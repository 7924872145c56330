//! What checkpoints of all engines have in common.

use super::Error;
use carom_io::{Checkpoint, CheckpointProblem};
use carom_simulate::SavedArrays;
use carom_simulate::observe::Observable;

/// What the names of arrays begin with that observables have.
pub(super) const OBSERVABLE: &str = "observable.";

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

/// Stores what observables have to remember.
pub(super) fn put_observables<const D: usize>(
    arrays: &mut SavedArrays,
    observables: &[Box<dyn Observable<D>>],
) {
    for observable in observables {
        arrays.put_f64(&format!("{OBSERVABLE}{}", observable.name()), observable.save());
    }
}

/// Takes all arrays out whose names begin with `start`, without it.
pub(super) fn take_named(
    arrays: &mut SavedArrays,
    start: &str,
) -> Result<Vec<(String, Vec<f64>)>, carom_simulate::Error> {
    let names = arrays.iter().map(|(name, _)| name).filter(|name| name.starts_with(start));
    let names: Vec<String> = names.map(str::to_owned).collect();
    let take = |name: String| {
        let count = arrays.count(&name).unwrap_or(0);
        Ok((name[start.len()..].to_owned(), arrays.take_f64(&name, count)?))
    };
    names.into_iter().map(take).collect()
}
