//! Observables of an event-driven run, as plain numbers.
//!
//! | want | take |
//! |---|---|
//! | energies, temperature, momentum, packing fraction now | [`ThermodynamicSnapshot`] |
//! | pressure, collision rate, mean free path | [`WindowAverages`] between two [`CumulativeObservables`] |
//! | mean square displacement | [`MeanSquareDisplacement`] |
//! | radial distribution function | [`DistanceHistogram`] |
//! | cost of the neighbor structure | [`NeighborStructureStatistics`] |
//!
//! Sums run in the order of the users' numbers, so that they do not depend on storage order. Everything that
//! accumulates over a run is plain data and can be saved.
//!
//! ```
//! use carom_simulate::event_driven::{BodyStart, Region, Settings, Simulation};
//! use carom_simulate::observe::{
//!     CumulativeObservables, ExternalPotential, ThermodynamicSnapshot, WindowAverages,
//! };
//!
//! let bodies = [
//!     BodyStart::new([2.0, 5.0], [1.0, 0.0], 1.0),
//!     BodyStart::new([7.0, 5.0], [-1.0, 0.0], 1.0),
//! ];
//! let mut simulation = Simulation::new(&bodies, Settings::new(Region::periodic([10.0, 10.0])))?;
//! let start = CumulativeObservables::of(&simulation);
//! simulation.advance(5.0, u64::MAX);
//! let snapshot = ThermodynamicSnapshot::of(&simulation, &ExternalPotential::default());
//! assert_eq!((snapshot.kinetic_energy, snapshot.temperature), (1.0, 1.0));
//! let end = CumulativeObservables::of(&simulation);
//! let window = WindowAverages::between(&start, &end, &simulation);
//! assert_eq!(window.collision_rate, 2.0 / 5.0);
//! # Ok::<(), carom_simulate::Error>(())
//! ```

mod distance_histogram;
mod mean_square_displacement;
mod neighbor_structure_statistics;
mod snapshot;
mod window_averages;

pub use distance_histogram::DistanceHistogram;
pub use mean_square_displacement::MeanSquareDisplacement;
pub use neighbor_structure_statistics::NeighborStructureStatistics;
pub use snapshot::{ExternalPotential, ThermodynamicSnapshot};
pub use window_averages::{CumulativeObservables, WindowAverages};

#[cfg(test)]
mod tests;
