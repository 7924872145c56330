use carom_geometry::math;
use carom_simulate::event_driven::{Counters, Simulation};

/// How far to advance between two looks at signals and clocks: about so many events, whatever the
/// scene. Where a run pauses changes nothing in it.
pub(super) struct PollingInterval {
    pub time: f64,
    /// Simulated time and events at the last look.
    now: f64,
    events: u64,
}

/// Some tens of milliseconds.
const EVENTS_PER_POLL: u64 = 50_000;

impl PollingInterval {
    pub const COLLISIONS_PER_POLL: u64 = EVENTS_PER_POLL;

    /// A first guess, on the short side.
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

    /// Learns from what happened in the last one.
    pub fn adapt<const D: usize>(&mut self, simulation: &Simulation<D>) {
        let (now, events) = (simulation.now(), events(simulation.counters()));
        let (passed, happened) = (now - self.now, events - self.events);
        (self.now, self.events) = (now, events);
        // One that was cut short by a row, a frame or a look for rest tells little if it was empty.
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
