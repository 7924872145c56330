//! Observables: what is measured in a run beside the quantities of its engine.
//!
//! | want | take |
//! |---|---|
//! | a measurement of your own, in log, summary and checkpoint | an implementation of [`Observable`] |
//! | mean square displacement | [`MeanSquareDisplacement`] |
//! | radial distribution function | [`RadialDistribution`], of which [`DistanceHistogram`] is the arithmetic |
//! | number of bodies in regions, positions of some bodies | [`RegionCounts`], [`FollowedBodies`] |
//! | loads on walls, pressure of a DEM run | [`WallLoads`], [`ContactPressure`] |
//! | pressure, collision rate, mean free path of an event-driven run | [`CollisionAverages`]; between any two moments [`WindowAverages`] between two [`CumulativeObservables`] |
//! | energies, temperature, momentum, packing fraction of an event-driven run now | [`ThermodynamicSnapshot`] |
//! | cost of the neighbor structure | [`NeighborStatistics`], [`NeighborStructureStatistics`] |
//! | mean and standard error of correlated values | [`BlockAverage`] |
//!
//! Sums run in the order of the users' numbers, so that they do not depend on storage order. Everything that
//! accumulates over a run is plain data and can be saved.
//!
//! ```
//! use carom_simulate::event_driven::{BodyStart, Region, Settings, Simulation};
//! use carom_simulate::observe::{CumulativeObservables, ThermodynamicSnapshot, WindowAverages};
//!
//! let bodies = [
//!     BodyStart::new([2.0, 5.0], [1.0, 0.0], 1.0),
//!     BodyStart::new([7.0, 5.0], [-1.0, 0.0], 1.0),
//! ];
//! let mut simulation = Simulation::new(&bodies, Settings::new(Region::periodic([10.0, 10.0])))?;
//! let start = CumulativeObservables::of(&simulation);
//! simulation.advance(5.0, u64::MAX);
//! let snapshot = ThermodynamicSnapshot::of(&simulation);
//! assert_eq!((snapshot.kinetic_energy, snapshot.temperature), (1.0, 1.0));
//! let end = CumulativeObservables::of(&simulation);
//! let window = WindowAverages::between(&start, &end, &simulation);
//! assert_eq!(window.collision_rate, 2.0 / 5.0);
//! # Ok::<(), carom_simulate::Error>(())
//! ```

mod block_average;
mod collision_averages;
mod contact_pressure;
mod distance_histogram;
mod followed_bodies;
mod mean_square_displacement;
mod neighbor_structure_statistics;
mod observable;
mod radial_distribution;
mod region_counts;
mod snapshot;
mod wall_loads;
mod window_averages;

pub use block_average::BlockAverage;
pub use collision_averages::CollisionAverages;
pub use contact_pressure::ContactPressure;
pub use distance_histogram::DistanceHistogram;
pub use followed_bodies::FollowedBodies;
pub use mean_square_displacement::MeanSquareDisplacement;
pub use neighbor_structure_statistics::{NeighborStatistics, NeighborStructureStatistics};
pub use observable::{Observable, ObservableTable, Sample};
pub use radial_distribution::RadialDistribution;
pub use region_counts::RegionCounts;
pub use snapshot::ThermodynamicSnapshot;
pub use wall_loads::WallLoads;
pub use window_averages::{CumulativeObservables, WindowAverages};

use crate::Quantity;

/// The quantities of observables that have names of their own, for the table of all.
pub(crate) const TABLES: &[&[Quantity]] = &[
    mean_square_displacement::QUANTITIES,
    region_counts::QUANTITIES,
    followed_bodies::QUANTITIES,
    wall_loads::QUANTITIES,
    collision_averages::QUANTITIES,
    neighbor_structure_statistics::QUANTITIES,
];

#[cfg(test)]
mod tests;
