use super::engine::Core;
use carom_geometry::Vector;
use carom_scene::generate::SplitMix64;
use carom_scene::scene::Thermostat;

/// Twice the mean kinetic energy per degree of freedom; summed in the order of the users' numbers.
pub fn temperature<const D: usize>(core: &Core<D>, places: &[u32]) -> f64 {
    let energy = |&place: &u32| {
        core.properties.mass(place) * core.bodies.velocity_at(place, core.now).norm_squared()
    };
    places.iter().map(energy).sum::<f64>() / (D * places.len()) as f64
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
    core: &Core<D>,
    places: &[u32],
) -> Vec<(u32, Vector<D>)> {
    let probability = -f64::exp_m1(-0.1);
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
