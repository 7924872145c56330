use super::bodies::Pull;
use super::body::Body;
use super::engine::Core;
use super::schedule::Schedule;

/// Bytes held, by purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Records, schedules and properties.
    pub bodies: usize,
    /// The queue of events.
    pub calendar: usize,
    /// The neighbour structure.
    pub structure: usize,
}

impl Memory {
    /// Of everything but the structure, and of a structure with so many bytes.
    pub(super) fn of<const D: usize>(core: &Core<D>, structure: usize) -> Self {
        let properties = &core.properties;
        let per_body = size_of::<Body<D>>() + size_of::<Schedule>() + size_of::<u32>();
        Memory {
            bodies: core.bodies.count() * per_body
                + core.bodies.pulls.len() * size_of::<Pull<D>>()
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
