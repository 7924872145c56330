//! What happens to all bodies at once: the thermostat, the end of growth and what it leaves behind.

use super::Simulation;
use crate::events::bodies::Scale;
use crate::events::thermostat;
use carom_scene::scene::{GrowthTarget, Thermostat};

impl<const D: usize> Simulation<D> {
    /// When something happens to all bodies at once.
    pub(super) fn next_action(&self) -> f64 {
        self.engine.valid_until().min(self.growth_end()).min(self.next_thermostat())
    }

    fn next_thermostat(&self) -> f64 {
        self.settings().thermostat.map_or(f64::INFINITY, |thermostat| {
            (self.thermostat_actions + 1) as f64 * thermostat::interval(&thermostat)
        })
    }

    /// When radii reach the largest that is wanted or that walls have room for.
    pub(super) fn growth_end(&self) -> f64 {
        let growth = &self.engine.core().bodies.growth;
        match growth.rate > 0.0 {
            true => growth.since + (self.block.largest_scale - growth.value) / growth.rate,
            false => f64::INFINITY,
        }
    }

    pub(super) fn act(&mut self) {
        let now = self.now();
        let mut changed = self.engine.valid_until() <= now;
        if self.growth_end() <= now {
            self.end_growth(self.block.largest_scale);
            self.keep_start_temperature();
            changed = true;
        }
        if self.next_thermostat() <= now {
            self.thermostat_actions += 1;
            changed |= self.keep_temperature();
        }
        if changed {
            self.engine.restart();
        }
    }

    /// Whether everything must be made anew afterwards.
    fn keep_temperature(&mut self) -> bool {
        match self.settings().thermostat {
            None => false,
            Some(Thermostat::Rescale { temperature, .. }) => {
                self.rescale(temperature);
                true
            }
            Some(Thermostat::Kicks { temperature, .. }) => {
                let (core, action) = (self.engine.core(), self.thermostat_actions);
                let kicks = thermostat::kicks(temperature, action, core, &self.places);
                kicks.into_iter().for_each(|(body, velocity)| self.engine.kick(body, velocity));
                false
            }
        }
    }

    fn rescale(&mut self, temperature: f64) {
        self.settle();
        let motion = thermostat::thermal_motion(self.engine.core(), &self.places);
        if motion.temperature > 0.0 {
            let (factor, mean) = ((temperature / motion.temperature).sqrt(), motion.mean_velocity);
            let core = self.engine.core_mut();
            for record in &mut core.bodies.records {
                record.velocity = mean + (record.velocity - mean) * factor;
            }
        }
        self.engine.core_mut().pull_all();
    }

    /// Brings every record to the present; the field must be asked again once velocities are right.
    pub(super) fn settle(&mut self) {
        let core = self.engine.core_mut();
        (0..core.bodies.count() as u32).for_each(|body| core.bodies.advance(body, core.now));
    }

    fn end_growth(&mut self, scale: f64) {
        self.settle();
        let core = self.engine.core_mut();
        core.bodies.growth = Scale { value: scale, rate: 0.0, since: core.now };
        core.bodies.set_straight();
        core.pull_all();
        self.block.end = u64::MAX;
    }

    /// Growth does work on the bodies; without a thermostat it is taken out again.
    fn keep_start_temperature(&mut self) {
        if self.settings().thermostat.is_none() {
            self.rescale(self.start_temperature);
        }
    }

    /// While radii grow, every so many collisions: is the wanted pressure reached?
    pub(super) fn end_block(&mut self) {
        let core = self.engine.core();
        let passed = core.now - self.block.time;
        let temperature = thermostat::thermal_motion(core, &self.places).temperature;
        let virial = core.counters.virial - self.block.virial;
        let count = core.bodies.count() as f64;
        let pressure = 1.0 + virial / (D as f64 * count * temperature * passed);
        let wanted = match self.settings().growth.and_then(|growth| growth.until) {
            Some(GrowthTarget::Pressure(wanted)) => wanted,
            _ => JAMMED,
        };
        if pressure >= wanted.min(JAMMED) {
            let scale = self.scale();
            self.end_growth(scale);
        }
        self.keep_start_temperature();
        self.engine.restart();
        let core = self.engine.core();
        self.block = self.block.next(core.now, &core.counters, self.count(), self.is_growing());
    }
}

/// Growth also ends at this reduced pressure, at which nothing can grow any more.
const JAMMED: f64 = 1e10;
