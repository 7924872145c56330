use super::event_loop::EventLoopState;
use crate::ThermalMotion;
use carom_geometry::{Vector, math};
use carom_scene::generate::SplitMix64;
use carom_scene::scene::Thermostat;

/// The motion of the whole and the temperature; summed in the order of the users' numbers.
pub fn thermal_motion<const D: usize>(
    core: &EventLoopState<D>,
    places: &[u32],
) -> ThermalMotion<D> {
    let velocity = |place: u32| core.bodies.velocity_at(place, core.now);
    ThermalMotion::of(places.iter().map(|&place| (core.properties.mass(place), velocity(place))))
}

/// Time between two actions. Kicks come in bundles, each with about a tenth of the bodies.
pub fn interval(thermostat: &Thermostat) -> f64 {
    match *thermostat {
        Thermostat::Rescale { interval, .. } => interval,
        Thermostat::Kicks { rate, .. } => 0.1 / rate,
    }
}

/// The bodies that get a new velocity at an action with this number, and which.
///
/// Random numbers are keyed by seed, action and body, so that they do not depend on anything else.
pub fn kicks<const D: usize>(
    temperature: f64,
    action: u64,
    core: &EventLoopState<D>,
    places: &[u32],
) -> Vec<(u32, Vector<D>)> {
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
