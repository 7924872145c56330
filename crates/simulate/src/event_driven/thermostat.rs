//! Thermostats: velocity rescaling and the Andersen thermostat.

use super::event_loop::EventLoopState;
use crate::ThermalMotion;
use carom_geometry::random::SplitMix64;
use carom_geometry::{Vector, math};

/// A thermostat, which keeps the temperature at a given value.
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

/// Rescales velocities relative to that of the center of mass to a temperature kT; those without heat stay.
pub fn rescale<'a, const D: usize>(
    motion: &ThermalMotion<D>,
    temperature: f64,
    velocities: impl Iterator<Item = &'a mut Vector<D>>,
) {
    if motion.temperature > 0.0 {
        let (factor, mean) = ((temperature / motion.temperature).sqrt(), motion.mean_velocity);
        velocities.for_each(|velocity| *velocity = mean + (*velocity - mean) * factor);
    }
}

/// Returns the time between two actions of a thermostat. Kicks (Andersen thermostat) come in batches,
/// each of about a tenth of the bodies.
pub fn interval(thermostat: &Thermostat) -> f64 {
    match *thermostat {
        Thermostat::Rescale { interval, .. } => interval,
        Thermostat::Kicks { rate, .. } => 0.1 / rate,
    }
}

/// Draws the bodies that are kicked by one action, with their new Maxwellian velocities.
///
/// Random numbers are keyed by seed, body and a number that each action has for itself, so that they do not
/// depend on storage order or on how the run was divided.
pub fn kicks<const D: usize>(
    temperature: f64,
    key: u64,
    core: &EventLoopState<D>,
    places: &[u32],
) -> Vec<(u32, Vector<D>)> {
    // Kicks of a body are a Poisson process: 1 - exp(-rate * interval), and the interval is 0.1 / rate.
    let probability = -math::exp_m1(-0.1);
    let mut kicks = Vec::new();
    for (body, &place) in places.iter().enumerate() {
        let mut random = SplitMix64::keyed(core.settings.seed, &[key, body as u64]);
        if random.uniform() < probability {
            // Maxwell: every component is normally distributed with the variance kT / m.
            let speed = (temperature / core.properties.mass(place)).sqrt();
            kicks.push((place, Vector::from_fn(|_, _| speed * random.normal())));
        }
    }
    kicks
}

#[cfg(test)]
mod tests {
    use crate::event_driven::{BodyStart, Region, Settings, Simulation, Thermostat};

    fn kicked(rate: f64) -> Settings<2> {
        let thermostat = Some(Thermostat::Kicks { temperature: 1.0, rate });
        Settings { thermostat, ..Settings::new(Region::periodic([1e6; 2])) }
    }

    fn velocities(simulation: &Simulation<2>) -> Vec<[u64; 2]> {
        let bits = |body| [0, 1].map(|axis| simulation.velocity(body)[axis].to_bits());
        (0..simulation.count()).map(bits).collect()
    }

    /// Advances to a time and adds velocities that come up on the way.
    fn advance(simulation: &mut Simulation<2>, until: f64, seen: &mut Vec<[u64; 2]>) {
        while simulation.now() < until {
            let before = velocities(simulation);
            simulation.advance(until.min(simulation.now() + 0.05), u64::MAX);
            let pairs = before.into_iter().zip(velocities(simulation));
            seen.extend(pairs.filter(|(before, after)| before != after).map(|pair| pair.1));
        }
    }

    #[test]
    fn kicks_at_a_lower_rate_draw_numbers_of_their_own() {
        let bodies = (0..20).map(|k| BodyStart::new([5e4 * f64::from(k), 5e5], [0.0; 2], 0.5));
        let bodies: Vec<_> = bodies.collect();
        let mut simulation = Simulation::new(&bodies, kicked(1.0)).unwrap();
        let mut seen = Vec::new();
        advance(&mut simulation, 2.0, &mut seen);
        for (rate, until) in [(0.5, 5.0), (0.2, 9.0)] {
            simulation.change_settings(kicked(rate)).unwrap();
            advance(&mut simulation, until, &mut seen);
            // Saved and resumed, it continues with the same numbers.
            let mut resumed = Simulation::resume(simulation.saved_state(), kicked(rate)).unwrap();
            advance(&mut simulation, until + 1.0, &mut seen);
            resumed.advance(until + 1.0, u64::MAX);
            assert_eq!(velocities(&resumed), velocities(&simulation));
        }
        let count = seen.len();
        seen.sort_unstable();
        seen.dedup();
        assert!(count > 60 && seen.len() == count, "{} of {count} differ", seen.len());
    }
}
