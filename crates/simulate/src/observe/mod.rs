//! What is measured in an event-driven run, as plain numbers.
//!
//! | want | take |
//! |---|---|
//! | energies, temperature, momentum, packing fraction now | [`Snapshot`] |
//! | pressure, collision rate, free path over a stretch of time | [`Window`] between two [`Mark`]s |
//! | how far bodies have come | [`Displacement`] |
//! | how bodies stand around each other | [`DistanceHistogram`] |
//! | what the neighbor structure costs | [`StructureFigures`] |
//!
//! Sums run in the order of the users' numbers, so that they do not depend on how bodies are stored;
//! whatever adds up over a run is plain data and can be saved.
//!
//! ```
//! use carom_simulate::event_driven::{BodyStart, Region, Settings, Simulation};
//! use carom_simulate::observe::{Mark, Potential, Snapshot, Window};
//!
//! let bodies = [
//!     BodyStart::new([2.0, 5.0], [1.0, 0.0], 1.0),
//!     BodyStart::new([7.0, 5.0], [-1.0, 0.0], 1.0),
//! ];
//! let mut simulation = Simulation::new(&bodies, Settings::new(Region::periodic([10.0, 10.0])))?;
//! let start = Mark::of(&simulation);
//! simulation.advance(5.0, u64::MAX);
//! let snapshot = Snapshot::of(&simulation, &Potential::default());
//! assert_eq!((snapshot.kinetic_energy, snapshot.temperature), (1.0, 1.0));
//! let window = Window::between(&start, &Mark::of(&simulation), &simulation);
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
