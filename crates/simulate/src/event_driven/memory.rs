//! The memory that an event-driven simulation holds, by part.

use super::body::Body;
use super::event_loop::EventLoopState;
use super::hard_spheres::FieldAcceleration;
use super::schedule::EventSchedule;

/// Memory held by an event-driven simulation, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventDrivenMemory {
    /// Bytes of the records, schedules and properties of bodies.
    pub bodies: usize,
    /// Bytes of the event calendar.
    pub calendar: usize,
    /// Bytes of the neighbor structure.
    pub structure: usize,
}

impl EventDrivenMemory {
    /// Counts the bytes of everything but the neighbor structure, which holds `structure` bytes.
    pub(super) fn of<const D: usize>(core: &EventLoopState<D>, structure: usize) -> Self {
        let properties = &core.properties;
        let per_body = size_of::<Body<D>>() + size_of::<EventSchedule>() + size_of::<u32>();
        EventDrivenMemory {
            bodies: core.bodies.count() * per_body
                + core.bodies.accelerations.len() * size_of::<FieldAcceleration<D>>()
                + properties.masses.len() * 8
                + properties.materials.len() * 2
                + properties.last_contacts.len() * 8
                + properties.passages.len() * size_of::<[i32; D]>(),
            calendar: core.calendar.memory(),
            structure,
        }
    }

    /// Returns the sum of all.
    pub fn total(&self) -> usize {
        self.bodies + self.calendar + self.structure
    }
}
