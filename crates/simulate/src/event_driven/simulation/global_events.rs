//! Events of the whole system: thermostat actions, the end of growth, pressure blocks during growth.

use super::Simulation;
use crate::event_driven::hard_spheres::RadiusScale;
use crate::event_driven::thermostat;
use crate::event_driven::{GrowthTarget, Thermostat};

impl<const D: usize> Simulation<D> {
    /// Returns the time of the next event of the whole system.
    pub(super) fn next_global_event(&self) -> f64 {
        self.event_loop.valid_until().min(self.growth_end_time()).min(self.next_thermostat_time())
    }

    fn next_thermostat_time(&self) -> f64 {
        self.settings().thermostat.map_or(f64::INFINITY, |thermostat| {
            // A multiple and not a sum of intervals: rounding does not add up, and a resumed run has the same
            // times.
            (self.thermostat_actions + 1) as f64 * thermostat::interval(&thermostat)
        })
    }

    /// Returns the time at which radii reach their target, or the largest that fits between the walls.
    pub(super) fn growth_end_time(&self) -> f64 {
        let growth = &self.event_loop.state().bodies.growth;
        match growth.rate > 0.0 {
            true => growth.since + (self.pressure_block.largest_scale - growth.value) / growth.rate,
            false => f64::INFINITY,
        }
    }

    /// Applies all events of the whole system that are due now.
    pub(super) fn apply_global_events(&mut self) {
        let now = self.now();
        let mut changed = self.event_loop.valid_until() <= now;
        if self.growth_end_time() <= now {
            self.end_growth(self.pressure_block.largest_scale);
            self.restore_start_temperature();
            changed = true;
        }
        if self.next_thermostat_time() <= now {
            self.thermostat_actions += 1;
            changed |= self.apply_thermostat();
        }
        if changed {
            self.event_loop.restart();
        }
    }

    /// Lets the thermostat act; returns whether structure and calendar must be rebuilt afterwards.
    fn apply_thermostat(&mut self) -> bool {
        match self.settings().thermostat {
            None => false,
            Some(Thermostat::Rescale { temperature, .. }) => {
                // All velocities change, so every prediction is void.
                self.rescale_velocities(temperature);
                true
            }
            Some(Thermostat::Kicks { temperature, .. }) => {
                // Where a change of settings has lowered the rate, numbers of actions come twice.
                self.last_kicks = self.thermostat_actions.max(self.last_kicks + 1);
                let (core, key) = (self.event_loop.state(), self.last_kicks);
                let kicks = thermostat::kicks(temperature, key, core, &self.storage_indices);
                // A kick reschedules its body; the other predictions hold.
                kicks.into_iter().for_each(|(body, velocity)| self.event_loop.kick(body, velocity));
                false
            }
        }
    }

    /// Rescales velocities relative to the center of mass to a temperature kT.
    fn rescale_velocities(&mut self, temperature: f64) {
        self.synchronize_bodies();
        let motion = thermostat::thermal_motion(self.event_loop.state(), &self.storage_indices);
        let core = self.event_loop.state_mut();
        let velocities = core.bodies.records.iter_mut().map(|record| &mut record.velocity);
        thermostat::rescale(&motion, temperature, velocities);
        core.update_all_field_accelerations();
    }

    /// Advances every record to the present. Field accelerations must be updated once velocities are final.
    pub(super) fn synchronize_bodies(&mut self) {
        let core = self.event_loop.state_mut();
        (0..core.bodies.count() as u32).for_each(|body| core.bodies.advance(body, core.now));
    }

    fn end_growth(&mut self, scale: f64) {
        self.synchronize_bodies();
        let core = self.event_loop.state_mut();
        core.bodies.growth = RadiusScale { value: scale, rate: 0.0, since: core.now };
        core.bodies.update_uniform_motion();
        core.update_all_field_accelerations();
        self.pressure_block.end = u64::MAX;
    }

    /// Takes out the work that growth does on the bodies, where no thermostat does so.
    fn restore_start_temperature(&mut self) {
        if self.settings().thermostat.is_none() {
            self.rescale_velocities(self.start_temperature);
        }
    }

    /// Ends a block of collisions during growth: measures the reduced pressure `Z = PV / NkT` by the virial
    /// and ends growth if it has reached its target.
    pub(super) fn end_pressure_block(&mut self) {
        let core = self.event_loop.state();
        let passed = core.now - self.pressure_block.time;
        let temperature = thermostat::thermal_motion(core, &self.storage_indices).temperature;
        let virial = core.counters.virial - self.pressure_block.virial;
        let count = core.bodies.count() as f64;
        let pressure = 1.0 + virial / (D as f64 * count * temperature * passed);
        let wanted = match self.settings().growth.and_then(|growth| growth.until) {
            Some(GrowthTarget::Pressure(wanted)) => wanted,
            _ => JAMMING_PRESSURE,
        };
        // As a packing jams the pressure diverges, so that growth up to a packing fraction would never end.
        if pressure >= wanted.min(JAMMING_PRESSURE) {
            let scale = self.radius_scale();
            self.end_growth(scale);
        }
        self.restore_start_temperature();
        self.event_loop.restart();
        let core = self.event_loop.state();
        self.pressure_block =
            self.pressure_block.next(core.now, &core.counters, self.count(), self.is_growing());
    }
}

/// Reduced pressure at which a packing counts as jammed and growth ends in any case.
const JAMMING_PRESSURE: f64 = 1e10;
