use super::event_loop::EventLoopState;
use crate::ThermalMotion;
use carom_geometry::random::SplitMix64;
use carom_geometry::{Vector, math};

/// How a temperature is held.
///
/// ```
/// use carom_simulate::event_driven::{BodyStart, Region, Settings, Simulation, Thermostat};
/// use carom_simulate::observe::ThermodynamicSnapshot;
/// # let at = |k: i32| [f64::from(k % 6) * 2.0 + 1.0, f64::from(k / 6) * 2.0 + 1.0];
/// # let velocity = |k: i32| [f64::from(k * 7 % 5 - 2), f64::from(k * 3 % 7 - 3)];
/// let bodies: Vec<_> = (0..36).map(|k| BodyStart::new(at(k), velocity(k), 0.5)).collect();
/// let thermostat = Some(Thermostat::Rescale { temperature: 2.0, interval: 0.5 });
/// let settings = Settings { thermostat, ..Settings::new(Region::periodic([12.0, 12.0])) };
/// let mut simulation = Simulation::new(&bodies, settings)?;
/// simulation.advance(1.25, u64::MAX);
/// // Elastic collisions keep what the last rescaling has set.
/// let snapshot = ThermodynamicSnapshot::of(&simulation);
/// assert!((snapshot.temperature - 2.0).abs() < 1e-9);
/// # Ok::<(), carom_simulate::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Thermostat {
    /// All velocities are rescaled to the temperature at regular intervals.
    Rescale {
        /// Temperature `kT`, in energy.
        temperature: f64,
        /// Time from one rescaling to the next.
        interval: f64,
    },
    /// Andersen thermostat: at random times a body gets a new velocity from the Maxwell distribution.
    Kicks {
        /// Temperature `kT`, in energy.
        temperature: f64,
        /// Mean number of kicks of one body per time.
        rate: f64,
    },
}

/// Returns velocity of the center of mass and temperature, summed in the order of the users' numbers.
pub fn thermal_motion<const D: usize>(
    core: &EventLoopState<D>,
    places: &[u32],
) -> ThermalMotion<D> {
    let velocity = |place: u32| core.bodies.velocity_at(place, core.now);
    ThermalMotion::of(places.iter().map(|&place| (core.properties.mass(place), velocity(place))))
}

/// Returns the time between two actions of a thermostat. Kicks (Andersen thermostat) come in batches,
/// each of about a tenth of the bodies.
pub fn interval(thermostat: &Thermostat) -> f64 {
    match *thermostat {
        Thermostat::Rescale { interval, .. } => interval,
        Thermostat::Kicks { rate, .. } => 0.1 / rate,
    }
}

/// Draws the bodies that are kicked by the action of this number, with their new Maxwellian velocities.
///
/// Random numbers are keyed by seed, action and body, so that they do not depend on storage order or on
/// how the run was divided.
pub fn kicks<const D: usize>(
    temperature: f64,
    action: u64,
    core: &EventLoopState<D>,
    places: &[u32],
) -> Vec<(u32, Vector<D>)> {
    // Kicks of a body are a Poisson process: 1 - exp(-rate * interval), and the interval is 0.1 / rate.
    let probability = -math::exp_m1(-0.1);
    let mut kicks = Vec::new();
    for (body, &place) in places.iter().enumerate() {
        let mut random = SplitMix64::keyed(core.settings.seed, &[action, body as u64]);
        if random.uniform() < probability {
            let speed = (temperature / core.properties.mass(place)).sqrt();
            kicks.push((place, Vector::from_fn(|_, _| speed * random.normal())));
        }
    }
    kicks
}
