use super::engine::Core;
use super::settings::{Thermostat, ThermostatKind};
use carom_geometry::Vector;
use carom_scene::generate::SplitMix64;

/// Twice the mean kinetic energy per degree of freedom; summed in the order of the users' numbers.
pub fn temperature<const D: usize>(core: &Core<D>, places: &[u32]) -> f64 {
    let energy = |&place: &u32| {
        core.properties.mass(place) * core.bodies.velocity_at(place, core.now).norm_squared()
    };
    places.iter().map(energy).sum::<f64>() / (D * places.len()) as f64
}

impl Thermostat {
    /// The bodies that get a new velocity at this action, and which; `None` if all are rescaled.
    ///
    /// Random numbers are keyed by seed, action and body, so that they do not depend on anything
    /// else.
    pub(super) fn kicks<const D: usize>(
        &self,
        action: u64,
        core: &Core<D>,
        places: &[u32],
    ) -> Option<Vec<(u32, Vector<D>)>> {
        let ThermostatKind::Kicks { rate } = self.kind else { return None };
        let probability = -(-rate * self.interval).exp_m1();
        let mut kicks = Vec::new();
        for (body, &place) in places.iter().enumerate() {
            let mut random = keyed(core.settings.seed, action, body as u64);
            if random.uniform() < probability {
                let speed = (self.temperature / core.properties.mass(place)).sqrt();
                kicks.push((place, Vector::from_fn(|_, _| speed * random.normal())));
            }
        }
        Some(kicks)
    }
}

fn keyed(seed: u64, action: u64, body: u64) -> SplitMix64 {
    let mut mix = SplitMix64::new(seed);
    for word in [action, body] {
        mix = SplitMix64::new(mix.bits() ^ word.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    }
    mix
}
