//! Energies, temperature and momentum of one state.

use crate::ThermalMotion;
use crate::event_driven::Simulation;
use carom_geometry::{Vector, unit_ball_volume};

/// Thermodynamic quantities of all bodies at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ThermodynamicSnapshot<const D: usize> {
    /// Translational kinetic energy, ½ Σ m v².
    pub kinetic_energy: f64,
    /// Potential energy in gravity, zero at the origin, and in the trap. On periodic axes wrapped positions count.
    pub potential_energy: f64,
    /// Temperature times Boltzmann's constant, kT: twice the kinetic energy relative to the center of mass per
    /// degree of freedom; see [`ThermalMotion`].
    pub temperature: f64,
    /// Granular temperature, the same for bodies of mass one: `sum(|v - V|^2) / (D (N - 1))`.
    pub granular_temperature: f64,
    /// Total momentum, Σ m v.
    pub momentum: Vector<D>,
    /// Mean speed relative to the center of mass, the mean of `|v - V|`.
    pub mean_speed: f64,
    /// Fourth velocity moment `<u^4> / <u^2>^2` of `u = v - V`, not weighted by masses: 2 in 2D and 5/3 in 3D for
    /// a Maxwellian.
    pub velocity_moment: f64,
    /// Packing fraction: the fraction of the box that bodies fill now.
    pub packing_fraction: f64,
}

impl<const D: usize> ThermodynamicSnapshot<D> {
    /// Computes the quantities of the present moment; a few passes over all bodies.
    ///
    /// ```
    /// use carom_simulate::event_driven::{BodyStart, Region, Settings, Simulation};
    /// use carom_simulate::observe::ThermodynamicSnapshot;
    /// let bodies = [
    ///     BodyStart::new([2.0, 5.0], [3.0, 0.0], 1.0),
    ///     BodyStart::new([7.0, 5.0], [1.0, 0.0], 1.0),
    /// ];
    /// let simulation = Simulation::new(&bodies, Settings::new(Region::periodic([10.0, 10.0])))?;
    /// let snapshot = ThermodynamicSnapshot::of(&simulation);
    /// // The center of mass moves at 2; relative to it both move at 1.
    /// assert_eq!((snapshot.momentum.x, snapshot.mean_speed, snapshot.temperature), (4.0, 1.0, 1.0));
    /// assert!((snapshot.packing_fraction - 2.0 * std::f64::consts::PI / 100.0).abs() < 1e-12);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn of(simulation: &Simulation<D>) -> Self {
        let settings = simulation.settings();
        let trap = settings.field.as_ref().and_then(|field| field.trap.as_ref());
        let all =
            (0..simulation.count()).map(|body| (simulation.mass(body), simulation.velocity(body)));
        let motion = ThermalMotion::of(all);
        let (mut sums, mut momentum) = (SnapshotSums::default(), Vector::zeros());
        for body in 0..simulation.count() {
            let (mass, velocity) = (simulation.mass(body), simulation.velocity(body));
            let (position, radius) = (simulation.position(body), simulation.radius(body));
            sums.energy += mass * velocity.norm_squared();
            momentum += velocity * mass;
            let square = (velocity - motion.mean_velocity).norm_squared();
            sums.speed += square.sqrt();
            sums.second += square;
            sums.fourth += square * square;
            sums.potential -= mass * settings.gravity.dot(&position);
            if let Some(trap) = trap {
                sums.potential +=
                    0.5 * mass * trap.stiffness * (position - trap.center).norm_squared();
            }
            sums.volume += unit_ball_volume(D) * radius.powi(D as i32);
        }
        let count = simulation.count() as f64;
        ThermodynamicSnapshot {
            kinetic_energy: 0.5 * sums.energy,
            potential_energy: sums.potential,
            temperature: motion.temperature,
            granular_temperature: motion.granular_temperature,
            momentum,
            mean_speed: sums.speed / count,
            velocity_moment: sums.fourth * count / (sums.second * sums.second),
            packing_fraction: sums.volume / settings.region.volume(),
        }
    }
}

#[derive(Default)]
struct SnapshotSums {
    energy: f64,
    potential: f64,
    speed: f64,
    second: f64,
    fourth: f64,
    volume: f64,
}
