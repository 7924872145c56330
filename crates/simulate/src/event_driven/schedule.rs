//! The next event of each body, as the calendar sorts them.

use super::region_face::RegionFace;

/// The schedule of one body: its own next event and the next change of its neighbors.
///
/// A body keeps its earliest event only. That is enough: of two bodies that will collide, the one
/// predicted last knows of the collision or of an earlier event, at which it is predicted again. An event
/// whose partner has been deflected since (its `deflections` differ) is stale and leads to a new
/// prediction.
#[derive(Clone, Copy, Debug)]
pub struct EventSchedule {
    /// Time of the body's own next event.
    pub event_time: f64,
    /// Time at which the neighbor structure must change for this body.
    pub change_time: f64,
    pub partner: u32,
    pub partner_deflections: u32,
    /// Number of times this body has been deflected, modulo 2^32.
    pub deflections: u32,
    /// The user's number of the body, which does not change when storage is reordered.
    pub id: u32,
}

impl EventSchedule {
    pub fn of(id: u32) -> Self {
        EventSchedule {
            event_time: f64::INFINITY,
            change_time: f64::INFINITY,
            partner: NO_PARTNER,
            partner_deflections: 0,
            deflections: 0,
            id,
        }
    }

    /// Returns the partner if the next event is a collision with one of the `bodies` bodies.
    #[inline]
    pub fn next_body_partner(&self, bodies: usize) -> Option<u32> {
        (self.change_time > self.event_time && (self.partner as usize) < bodies)
            .then_some(self.partner)
    }

    #[inline]
    pub fn next_time(&self) -> f64 {
        if self.changes_first() { self.change_time } else { self.event_time }
    }

    /// Returns whether the next event is a change of neighbors.
    #[inline]
    pub fn changes_first(&self) -> bool {
        self.change_time <= self.event_time
    }
}

/// Codes of a partner: bodies are below `FIRST_FACE`, faces of the box above, and this is none.
pub const NO_PARTNER: u32 = u32::MAX;
/// Code of an event at which the body's trajectory in the force field is predicted again.
pub const PREDICTION: u32 = u32::MAX - 1;
const FIRST_FACE: u32 = u32::MAX - 15;
/// Largest number of bodies; neighbor structures use the highest bit of an index as a flag.
pub const MAX_BODIES: usize = i32::MAX as usize;

/// The partner of a body at its own next event.
pub enum EventPartner {
    Body(u32),
    Face(RegionFace),
    Prediction,
}

impl EventPartner {
    #[inline]
    pub fn of(code: u32) -> Self {
        match code {
            ..FIRST_FACE => EventPartner::Body(code),
            PREDICTION | NO_PARTNER => EventPartner::Prediction,
            end => {
                let number = (end - FIRST_FACE) as usize;
                EventPartner::Face(RegionFace { axis: number / 2, high: number % 2 == 1 })
            }
        }
    }

    #[inline]
    pub fn face_code(end: RegionFace) -> u32 {
        FIRST_FACE + 2 * end.axis as u32 + u32::from(end.high)
    }
}

/// Returns the key that orders simultaneous events: changes of neighbors first, then by the users' numbers
/// of the bodies, so that the order does not depend on storage.
pub fn tie_key(schedules: &[EventSchedule], body: u32) -> (bool, u32, u32) {
    let own = &schedules[body as usize];
    let partner = match schedules.get(own.partner as usize) {
        Some(partner) => partner.id,
        None => own.partner,
    };
    (!own.changes_first(), own.id.min(partner), own.id.max(partner))
}
