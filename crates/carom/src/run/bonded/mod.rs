//! Runs of bonded particles: solids that deform and break.
//!
//! To run a scene of these take [`crate::run()`]; [`bodies()`] only if you drive the engine yourself.

mod checkpoint;
mod engine_run;
mod estimate;
mod frame;
mod setup;
mod surface_distance;

#[cfg(test)]
mod continued_tests;
#[cfg(test)]
mod tests;

pub(super) use engine_run::BondedRun;
pub use setup::bodies;
