use super::{ExternalPotential, ThermodynamicSnapshot};
use crate::event_driven::{BoundaryCondition, Simulation};

/// The counts that a [`Window`] begins or ends with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CumulativeObservables {
    /// When.
    pub time: f64,
    /// Collisions of two bodies until then.
    pub collisions: u64,
    /// Virial until then.
    pub virial: f64,
    /// Momentum given to walls until then.
    pub wall_momentum: f64,
    /// Temperature then.
    pub temperature: f64,
    /// Mean speed relative to the center of mass then.
    pub mean_speed: f64,
}

impl CumulativeObservables {
    /// The present.
    pub fn of<const D: usize>(simulation: &Simulation<D>) -> Self {
        CumulativeObservables::with(
            simulation,
            &ThermodynamicSnapshot::of(simulation, &ExternalPotential::default()),
        )
    }

    /// The present, of which a snapshot was taken already.
    pub fn with<const D: usize>(
        simulation: &Simulation<D>,
        snapshot: &ThermodynamicSnapshot<D>,
    ) -> Self {
        let counters = simulation.counters();
        CumulativeObservables {
            time: simulation.now(),
            collisions: counters.collisions,
            virial: counters.virial,
            wall_momentum: counters.wall_momentum,
            temperature: snapshot.temperature,
            mean_speed: snapshot.mean_speed,
        }
    }
}

/// Rates over a stretch of time; not a number where the stretch is empty or nothing moves.
///
/// Temperature and speed are taken as the mean of both ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WindowAverages {
    /// Collisions of one body per time.
    pub collision_rate: f64,
    /// Mean speed over collision rate.
    pub mean_free_path: f64,
    /// `Z = PV / NkT` by the virial of the collisions, those with walls included: `1 + virial / (D N kT time)`.
    pub reduced_pressure: f64,
    /// `Z NkT / V`.
    pub pressure: f64,
    /// Momentum given to the walls per area (length in the plane) and time.
    pub wall_pressure: f64,
}

impl WindowAverages {
    /// From one mark to another of the same run.
    pub fn between<const D: usize>(
        from: &CumulativeObservables,
        to: &CumulativeObservables,
        simulation: &Simulation<D>,
    ) -> Self {
        let (count, time) = (simulation.count() as f64, to.time - from.time);
        let region = &simulation.settings().region;
        let temperature = 0.5 * (from.temperature + to.temperature);
        let collision_rate = 2.0 * (to.collisions - from.collisions) as f64 / (count * time);
        let virial = (to.virial - from.virial) / (D as f64 * time);
        let ideal = count * temperature;
        let walled = (0..D).filter(|&axis| {
            matches!(region.boundary_conditions[axis], BoundaryCondition::Wall { .. })
        });
        let walls: f64 = walled.map(|axis| 2.0 * region.volume() / region.size[axis]).sum();
        WindowAverages {
            collision_rate,
            mean_free_path: 0.5 * (from.mean_speed + to.mean_speed) / collision_rate,
            reduced_pressure: 1.0 + virial / ideal,
            pressure: (ideal + virial) / region.volume(),
            wall_pressure: (to.wall_momentum - from.wall_momentum) / (walls * time),
        }
    }
}
