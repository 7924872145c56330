//! Detects runs that would never end, by what does not change while the processor works.
//!
//! Nothing of this is in a checkpoint, and it does not affect results: it only ends a run.

use carom_scene::scene::Limits;
use carom_simulate::Error;
use carom_simulate::event_driven::Simulation;

/// Number of collisions within which time must advance: this many, or this many per body where that is more.
const COLLISIONS: u64 = 1_000_000;
const COLLISIONS_PER_BODY: u64 = 100;
/// Times that differ by less, relative to themselves or to the time in which a body crosses its own diameter, are
/// equal. Near jamming, a hundred collisions of every body still take a million times longer.
const RESOLUTION: f64 = 1e-14;
/// Number of wall collisions and passages of periodic sides without a collision of two bodies.
const PASSAGES: u64 = 2_000_000;
const PASSAGES_PER_BODY: u64 = 2_000;
/// The same for a warning.
const WARNED_PASSAGES: u64 = 50_000;
const WARNED_PASSAGES_PER_BODY: u64 = 50;
/// Number of collisions that a dilute gas of these bodies would have had in the same time.
const MISSED: f64 = 1e4;
/// Number of log rows between which nothing happens, in a run that ends by its collisions.
const IDLE_ROWS: u64 = 1_000_000;

/// The last changes that were seen, and when.
pub(super) struct StallDetector {
    /// Time in which a body crosses its own diameter; zero if none moves.
    diameter_crossing_time: f64,
    /// Collisions per time in a dilute gas of these bodies.
    dilute_gas_rate: f64,
    time: f64,
    events_then: u64,
    collisions: u64,
    passages_then: u64,
    collision_time: f64,
    events: u64,
    /// Whether there was a warning.
    has_warned: bool,
    /// Number of log rows at the last event, once one was asked for.
    rows_then: Option<u64>,
}

impl StallDetector {
    /// Starts at the current time; `dilute_gas_rate` is the number of collisions per time in a dilute gas of these
    /// bodies.
    pub fn watch<const D: usize>(simulation: &Simulation<D>, dilute_gas_rate: f64) -> Self {
        let bodies = 0..simulation.count();
        let fastest = bodies.clone().map(|body| simulation.velocity(body).norm());
        let fastest = fastest.fold(0.0, f64::max);
        let diameters = bodies.map(|body| 2.0 * simulation.radius(body)).sum::<f64>();
        let own_time = diameters / simulation.count() as f64 / fastest;
        StallDetector {
            diameter_crossing_time: if own_time.is_finite() { own_time } else { 0.0 },
            dilute_gas_rate,
            time: simulation.now(),
            events_then: deflections(simulation),
            collisions: simulation.counters().collisions,
            passages_then: passages(simulation),
            collision_time: simulation.now(),
            events: events(simulation),
            has_warned: false,
            rows_then: None,
        }
    }

    /// Returns a warning, once, if bodies travel far between two collisions.
    pub fn warning<const D: usize>(&mut self, simulation: &Simulation<D>) -> Option<String> {
        let since = passages(simulation).saturating_sub(self.passages_then);
        let many = WARNED_PASSAGES.max(WARNED_PASSAGES_PER_BODY * simulation.count() as u64);
        if self.has_warned || since < many || self.collisions != simulation.counters().collisions {
            return None;
        }
        self.has_warned = true;
        Some(format!(
            "bodies have passed sides of the box {since} times at time {:?} since two of them collided: they move \
             together far faster than past each other, as in a gas that has cooled, so the run may take very long; end it \
             by a time, or give a thermostat",
            simulation.now()
        ))
    }

    /// Returns an error if the run will not come to its end.
    pub fn check<const D: usize>(
        &mut self,
        simulation: &mut Simulation<D>,
        limits: &Limits,
        rows: u64,
        log_interval: Option<f64>,
    ) -> Result<(), Error> {
        self.check_time(simulation)?;
        if limits.until.is_some() || simulation.is_growing() {
            return Ok(());
        }
        self.check_collision_count(simulation)?;
        self.check_rows(simulation, rows, log_interval)
    }

    fn check_time<const D: usize>(&mut self, simulation: &mut Simulation<D>) -> Result<(), Error> {
        let (now, events) = (simulation.now(), deflections(simulation));
        if now - self.time > RESOLUTION * now.max(self.diameter_crossing_time) {
            (self.time, self.events_then) = (now, events);
        }
        let collisions = events - self.events_then;
        if collisions < COLLISIONS.max(COLLISIONS_PER_BODY * simulation.count() as u64) {
            return Ok(());
        }
        let bodies = bodies_of_next_collision(simulation);
        Err(Error::TimeStandsStill { time: now, collisions, bodies })
    }

    fn check_collision_count<const D: usize>(
        &mut self,
        simulation: &Simulation<D>,
    ) -> Result<(), Error> {
        let (now, passages) = (simulation.now(), passages(simulation));
        let collisions = simulation.counters().collisions;
        if collisions > self.collisions {
            (self.collisions, self.passages_then, self.collision_time) =
                (collisions, passages, now);
        }
        let (passages, since) = (passages - self.passages_then, self.collision_time);
        let many = PASSAGES.max(PASSAGES_PER_BODY * simulation.count() as u64);
        let missed = (now - since) * self.dilute_gas_rate;
        // Without a rate nothing moved at the start: then the limit is ten times as high.
        let enough =
            if self.dilute_gas_rate > 0.0 { missed > MISSED } else { passages > 10 * many };
        match passages > many && enough {
            true => Err(Error::NoCollisions { time: now, since, passages, collisions }),
            false => Ok(()),
        }
    }

    fn check_rows<const D: usize>(
        &mut self,
        simulation: &Simulation<D>,
        rows: u64,
        log_interval: Option<f64>,
    ) -> Result<(), Error> {
        let Some(interval) = log_interval else { return Ok(()) };
        if events(simulation) != self.events {
            (self.events, self.rows_then) = (events(simulation), Some(rows));
        }
        if rows - *self.rows_then.get_or_insert(rows) < IDLE_ROWS {
            return Ok(());
        }
        Err(Error::Setting {
            what: "output.log_interval",
            value: format!("{interval:?}, and nothing happens in a million of them"),
            rule: "it must be longer in a run that ends by its collisions",
        })
    }
}

/// The bodies of the next collision, two or one and a wall, found by executing it.
fn bodies_of_next_collision<const D: usize>(simulation: &mut Simulation<D>) -> Vec<usize> {
    let velocities = |simulation: &Simulation<D>| -> Vec<_> {
        (0..simulation.count()).map(|body| simulation.velocity(body)).collect()
    };
    let before = velocities(simulation);
    simulation.advance_bounded(simulation.now(), 1);
    let after = velocities(simulation);
    (0..before.len()).filter(|&body| before[body] != after[body]).take(2).collect()
}

/// Number of events that deflect bodies, whatever the neighbor structure.
fn deflections<const D: usize>(simulation: &Simulation<D>) -> u64 {
    let counters = simulation.counters();
    counters.collisions + counters.wall_collisions + counters.predictions
}

/// Number of events of single bodies.
fn passages<const D: usize>(simulation: &Simulation<D>) -> u64 {
    simulation.counters().wall_collisions + simulation.counters().passages
}

fn events<const D: usize>(simulation: &Simulation<D>) -> u64 {
    deflections(simulation) + simulation.counters().passages
}
