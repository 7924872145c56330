//! How far an event-driven run advances before it looks at signals and clocks.

use carom_geometry::math;
use carom_simulate::event_driven::{Counters, Simulation};

/// Simulated time between two polls of signals and clocks, adapted so that it takes about the same number of events in
/// any scene. Results do not depend on where a run pauses.
pub(super) struct PollingInterval {
    pub time: f64,
    /// Simulated time and number of events at the last poll.
    now: f64,
    events: u64,
}

/// Events between two polls: some tens of milliseconds.
const EVENTS_PER_POLL: u64 = 50_000;

impl PollingInterval {
    pub const COLLISIONS_PER_POLL: u64 = EVENTS_PER_POLL;

    /// Starts with a guess on the short side.
    pub fn new<const D: usize>(simulation: &Simulation<D>) -> Self {
        let region = &simulation.settings().region;
        let spacing = math::powf(region.volume() / simulation.count() as f64, 1.0 / D as f64);
        let speed = (0..simulation.count())
            .map(|body| simulation.velocity(body).norm())
            .fold(0.0, f64::max);
        let gravity = simulation.settings().gravity.norm();
        let field = simulation.settings().field.as_ref().map_or(f64::INFINITY, |it| it.period);
        let time = (spacing / speed).min((spacing / gravity).sqrt()).min(field);
        PollingInterval {
            time: if time.is_finite() && time > 0.0 { 0.01 * time } else { 1.0 },
            now: simulation.now(),
            events: events(simulation.counters()),
        }
    }

    /// Adapts to the number of events since the last poll.
    pub fn adapt<const D: usize>(&mut self, simulation: &Simulation<D>) {
        let (now, events) = (simulation.now(), events(simulation.counters()));
        let (passed, happened) = (now - self.now, events - self.events);
        (self.now, self.events) = (now, events);
        // An interval that was cut short by a row, a frame or a rest check says little if it had no event.
        if happened > 0 || passed >= self.time {
            let wanted = passed * EVENTS_PER_POLL as f64 / happened.max(1) as f64;
            self.time = wanted.clamp(0.25 * self.time, 4.0 * self.time);
        }
    }
}

fn events(counters: &Counters) -> u64 {
    counters.collisions
        + counters.wall_collisions
        + counters.passages
        + counters.predictions
        + counters.structure_changes
}
