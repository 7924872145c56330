use super::body::Body;
use super::event_loop::EventLoopState;
use super::hard_spheres::FieldAcceleration;
use super::schedule::EventSchedule;

/// Bytes held, by purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventDrivenMemory {
    /// Records, schedules and properties.
    pub bodies: usize,
    /// The queue of events.
    pub calendar: usize,
    /// The neighbor structure.
    pub structure: usize,
}

impl EventDrivenMemory {
    /// Of everything but the structure, and of a structure with so many bytes.
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

    /// All together.
    pub fn total(&self) -> usize {
        self.bodies + self.calendar + self.structure
    }
}
