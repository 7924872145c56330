//! Averages between two moments of a run.

use super::ThermodynamicSnapshot;
use crate::event_driven::{BoundaryCondition, Simulation};

/// Cumulative sums at one moment, with which a window of [`WindowAverages`] begins or ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CumulativeObservables {
    /// Simulated time.
    pub time: f64,
    /// Number of collisions of two bodies so far.
    pub collisions: u64,
    /// Collisional virial so far.
    pub virial: f64,
    /// Momentum given to walls so far.
    pub wall_momentum: f64,
    /// Temperature at that time, kT.
    pub temperature: f64,
    /// Mean speed relative to the center of mass at that time.
    pub mean_speed: f64,
}

impl CumulativeObservables {
    /// Takes the sums of the present moment.
    pub fn of<const D: usize>(simulation: &Simulation<D>) -> Self {
        CumulativeObservables::with(simulation, &ThermodynamicSnapshot::of(simulation))
    }

    /// Takes the sums of the present moment, of which a snapshot exists already.
    ///
    /// ```
    /// use carom_simulate::event_driven::{BodyStart, Region, Settings, Simulation};
    /// use carom_simulate::observe::{
    ///     CumulativeObservables, ThermodynamicSnapshot,
    /// };
    /// let bodies = [2.0, 7.0].map(|x| BodyStart::new([x, 5.0], [x, 1.0], 1.0));
    /// let simulation = Simulation::new(&bodies, Settings::new(Region::periodic([10.0, 10.0])))?;
    /// let snapshot = ThermodynamicSnapshot::of(&simulation);
    /// let sums = CumulativeObservables::with(&simulation, &snapshot);
    /// assert_eq!(sums, CumulativeObservables::of(&simulation));
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
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

/// Averages over a time window; not a number where the window is empty or nothing moves.
///
/// Temperature and speed are taken as the mean of both ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WindowAverages {
    /// Collisions per body and time.
    pub collision_rate: f64,
    /// Mean free path: mean speed over collision rate.
    pub mean_free_path: f64,
    /// Reduced pressure `Z = PV / NkT` by the virial of the collisions, those with walls included:
    /// `1 + virial / (D N kT time)`.
    pub reduced_pressure: f64,
    /// Pressure, `Z NkT / V`.
    pub pressure: f64,
    /// Momentum given to the walls per area (in 2D per length) and time.
    pub wall_pressure: f64,
}

impl WindowAverages {
    /// Computes the averages between two moments of the same run.
    ///
    /// ```
    /// use carom_simulate::event_driven::{BodyStart, Region, Settings, Simulation};
    /// use carom_simulate::observe::{CumulativeObservables, WindowAverages};
    /// // A disc of momentum 1 hits one of two walls every 2 time units and passes 2 on.
    /// let bodies = [BodyStart::new([2.0, 2.0], [1.0, 0.0], 1.0)];
    /// let mut simulation = Simulation::new(&bodies, Settings::new(Region::walled([4.0, 4.0])))?;
    /// let start = CumulativeObservables::of(&simulation);
    /// simulation.advance(10.0, u64::MAX);
    /// let window = WindowAverages::between(&start, &CumulativeObservables::of(&simulation), &simulation);
    /// // A force of 1 on walls of length 16.
    /// assert_eq!((window.wall_pressure, window.collision_rate), (1.0 / 16.0, 0.0));
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn between<const D: usize>(
        from: &CumulativeObservables,
        to: &CumulativeObservables,
        simulation: &Simulation<D>,
    ) -> Self {
        let (count, time) = (simulation.count() as f64, to.time - from.time);
        let region = &simulation.settings().region;
        let temperature = 0.5 * (from.temperature + to.temperature);
        let collision_rate = 2.0 * (to.collisions as f64 - from.collisions as f64) / (count * time);
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
