mod actions;

use super::bodies::{Bodies, Pull};
use super::body::BodyStart;
use super::calendar::Calendar;
use super::checks;
use super::choose::{self, Crowd};
use super::counters::Counters;
use super::engine::{AnyEngine, Core, Pause};
use super::engines::engine_with;
use super::memory::Memory;
use super::order;
use super::saved::{Block, Saved};
use super::schedule::Schedule;
use super::settings::{Settings, Structure};
use crate::Error;
use carom_geometry::Vector;

/// Many discs or spheres that move from event to event.
///
/// The collisions, their order and their times depend on bodies and settings alone, to the bit: not
/// on the neighbour structure, on how bodies are stored, on where [`Simulation::advance`] pauses, or
/// on whether the run was saved and resumed in between.
///
/// ```
/// use carom_simulate::events::{BodyStart, Region, Settings, Simulation};
///
/// let settings = Settings::new(Region::walled([10.0, 10.0]));
/// let bodies = [
///     BodyStart::new([2.0, 5.0], [1.0, 0.0], 1.0),
///     BodyStart::new([8.0, 5.0], [-1.0, 0.0], 1.0),
/// ];
/// let mut simulation = Simulation::new(&bodies, settings)?;
/// simulation.advance(3.0, u64::MAX);
/// assert_eq!(simulation.counters().collisions, 1);
/// assert_eq!(simulation.velocity(0).x, -1.0);
/// # Ok::<(), carom_simulate::Error>(())
/// ```
pub struct Simulation<const D: usize> {
    engine: Box<dyn AnyEngine<D>>,
    structure: Structure,
    reason: &'static str,
    /// Where in storage the bodies are, by number.
    places: Vec<u32>,
    thermostat_actions: u64,
    block: Block,
    /// Kept by growth where there is no thermostat.
    start_temperature: f64,
    /// Collisions at which storage is put in order again.
    next_ordering: u64,
}

impl<const D: usize> Simulation<D> {
    /// Checks bodies and settings and makes everything ready at time zero.
    pub fn new(bodies: &[BodyStart<D>], settings: Settings<D>) -> Result<Self, Error> {
        const { assert!(D == 2 || D == 3, "there are discs and spheres") }
        checks::settings(&settings)?;
        checks::bodies(bodies, &settings)?;
        let mass = bodies.iter().map(|body| body.mass).sum::<f64>() / bodies.len() as f64;
        let mut saved = Saved::start(bodies, &settings)?;
        let bodies = Bodies::new(saved.records.clone(), &settings, saved.growth, Vec::new());
        let crowd = Crowd::of(&bodies, 0.0);
        saved.contact_time = choose::contact_time(&settings, &crowd, mass);
        Self::begin(saved, settings)
    }

    /// Goes on where a run was saved, with the same settings.
    pub fn resume(saved: Saved<D>, settings: Settings<D>) -> Result<Self, Error> {
        const { assert!(D == 2 || D == 3, "there are discs and spheres") }
        checks::settings(&settings)?;
        saved.check(&settings)?;
        Self::begin(saved, settings)
    }

    fn begin(saved: Saved<D>, settings: Settings<D>) -> Result<Self, Error> {
        let Saved { now, records, properties, pulls, growth, counters, .. } = saved;
        let bodies = Bodies::new(records, &settings, growth, pulls);
        let crowd = Crowd::of(&bodies, now);
        let (structure, reason) = choose::structure(&settings, &crowd)?;
        let travel = choose::travel(&settings, &crowd);
        let count = bodies.count() as u32;
        let radii = bodies.records.iter().map(|record| record.radius).sum::<f64>();
        let rest_time = choose::rest_time(&settings, 2.0 * radii / f64::from(count));
        let core = Core {
            properties,
            schedules: (0..count).map(Schedule::of).collect(),
            contact_time: saved.contact_time,
            rest_time: if saved.contact_time > 0.0 { saved.contact_time } else { rest_time },
            counters,
            now,
            calendar: Calendar::new(),
            bodies,
            settings,
        };
        let mut simulation = Simulation {
            engine: engine_with(core, structure, travel),
            structure,
            reason,
            places: Vec::new(),
            thermostat_actions: saved.thermostat_actions,
            block: saved.block,
            start_temperature: saved.start_temperature,
            next_ordering: 0,
        };
        simulation.prepare();
        Ok(simulation)
    }

    /// Pulls of the field for bodies that have none yet, storage order, structure, calendar.
    fn prepare(&mut self) {
        let core = self.engine.core_mut();
        core.properties.last_contacts.resize(
            if core.contact_time > 0.0 { core.bodies.count() } else { 0 },
            f64::NEG_INFINITY,
        );
        if core.settings.field.is_some() && core.bodies.pulls.is_empty() {
            let none = Pull { acceleration: Vector::zeros(), until: 0.0 };
            core.bodies.pulls = vec![none; core.bodies.count()];
            core.pull_all();
        }
        self.put_in_order();
    }

    /// Handles all events up to the time `until`, but no more than so many collisions.
    pub fn advance(&mut self, until: f64, collisions: u64) -> Pause {
        let last = self.counters().collisions.saturating_add(collisions);
        loop {
            let left = last.saturating_sub(self.counters().collisions);
            match self.advance_a_while(until, left) {
                Pause::Events => {}
                pause => return pause,
            }
        }
    }

    /// Like [`advance`](Self::advance), but comes back now and then even if bodies keep hitting walls
    /// or a thermostat acts in no time, so that a program can look whether it is to stop.
    pub fn advance_a_while(&mut self, until: f64, collisions: u64) -> Pause {
        let last = self.counters().collisions.saturating_add(collisions);
        for _ in 0..ACTIONS_PER_PAUSE {
            let action = self.next_action();
            let stop = until.min(action);
            let done = self.counters().collisions;
            let due = self.next_ordering.min(self.block.end).min(last);
            if self.engine.run(stop, due.saturating_sub(done)) == Pause::Events {
                return Pause::Events;
            }
            let done = self.counters().collisions;
            if done >= self.block.end {
                self.end_block();
            } else if done >= self.next_ordering {
                self.put_in_order();
            } else if done < last && action <= until && action < f64::INFINITY {
                self.act();
                continue;
            }
            if done >= last {
                return Pause::Collisions;
            }
            if done < due {
                return Pause::Time;
            }
        }
        Pause::Events
    }

    /// The present time.
    pub fn now(&self) -> f64 {
        self.engine.core().now
    }

    /// How many bodies.
    pub fn count(&self) -> usize {
        self.places.len()
    }

    /// What was counted so far.
    pub fn counters(&self) -> &Counters {
        &self.engine.core().counters
    }

    /// The settings of the run.
    pub fn settings(&self) -> &Settings<D> {
        &self.engine.core().settings
    }

    /// The structure in use and why it was taken.
    pub fn structure(&self) -> (Structure, &'static str) {
        (self.structure, self.reason)
    }

    /// The time between two collisions of a body below which the later one is elastic; zero if there
    /// is no such rule.
    pub fn contact_time(&self) -> f64 {
        self.engine.core().contact_time
    }

    /// Where a body is now, inside the box on periodic axes.
    pub fn position(&self, body: usize) -> Vector<D> {
        self.engine.core().bodies.place_at(self.places[body], self.now())
    }

    /// Where a body would be now if it had never been put back into a periodic box; only if
    /// passages are counted.
    pub fn unwrapped(&self, body: usize) -> Vector<D> {
        let (core, place) = (self.engine.core(), self.places[body]);
        let position = core.bodies.position_at(place, core.now);
        match core.properties.passages.get(place as usize) {
            None => position,
            Some(passages) => Vector::from_fn(|axis, _| {
                position[axis] + f64::from(passages[axis]) * core.settings.region.size[axis]
            }),
        }
    }

    /// The velocity of a body now.
    pub fn velocity(&self, body: usize) -> Vector<D> {
        self.engine.core().bodies.velocity_at(self.places[body], self.now())
    }

    /// The radius of a body now.
    pub fn radius(&self, body: usize) -> f64 {
        self.engine.core().bodies.radius_at(self.places[body], self.now())
    }

    /// The mass of a body.
    pub fn mass(&self, body: usize) -> f64 {
        self.engine.core().properties.mass(self.places[body])
    }

    /// The factor by which all radii have grown.
    pub fn scale(&self) -> f64 {
        self.engine.core().bodies.growth.at(self.now())
    }

    /// Whether radii still grow.
    pub fn is_growing(&self) -> bool {
        self.engine.core().bodies.growth.rate > 0.0
    }

    /// Where growth may end: at a time, and at a number of collisions. Whoever wants to stop just
    /// there advances no further than both and then asks [`is_growing`](Self::is_growing).
    pub fn growth_may_end(&self) -> (f64, u64) {
        (self.growth_end(), self.block.end)
    }

    /// Handles all events up to the end of growth and stops just there; does nothing if radii do not
    /// grow. Growth without a target ends when bodies jam or a wall leaves no room.
    ///
    /// ```
    /// use carom_simulate::events::{BodyStart, Growth, GrowthTarget, Region, Settings, Simulation};
    ///
    /// let until = Some(GrowthTarget::PackingFraction(0.1));
    /// let settings = Settings {
    ///     growth: Some(Growth { rate: 0.5, until }),
    ///     ..Settings::new(Region::periodic([10.0, 10.0]))
    /// };
    /// let bodies = [
    ///     BodyStart::new([2.0, 5.0], [1.0, 0.0], 1.0),
    ///     BodyStart::new([8.0, 5.0], [-1.0, 0.0], 1.0),
    /// ];
    /// let mut simulation = Simulation::new(&bodies, settings)?;
    /// simulation.advance_to_end_of_growth();
    /// assert!(!simulation.is_growing());
    /// assert!((simulation.radius(0).powi(2) - 5.0 / std::f64::consts::PI).abs() < 1e-9);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn advance_to_end_of_growth(&mut self) {
        while self.is_growing() {
            let (time, collisions) = self.growth_may_end();
            self.advance(time, collisions.saturating_sub(self.counters().collisions));
        }
    }

    /// Bytes held by bodies, calendar and structure.
    pub fn memory(&self) -> Memory {
        Memory::of(self.engine.core(), self.engine.structure_memory())
    }

    /// Neighbour pairs now, and the most neighbours of one body. Looks at all bodies.
    pub fn neighbour_statistics(&self) -> (u64, usize) {
        (self.engine.neighbour_count() / 2, self.engine.most_neighbours())
    }

    /// The bodies that a body may meet before its neighbours change, ascending; who they are depends on
    /// the structure.
    pub fn neighbours(&self, body: usize) -> Vec<u32> {
        let schedules = &self.engine.core().schedules;
        let neighbours = self.engine.neighbours(self.places[body]);
        let mut ids: Vec<u32> =
            neighbours.iter().map(|&place| schedules[place as usize].id).collect();
        ids.sort_unstable();
        ids
    }

    /// Work of the neighbour structure's own kind since the run began or was resumed: what, and how
    /// often.
    pub fn structure_statistics(&self) -> Vec<(&'static str, u64)> {
        self.engine.structure_statistics()
    }

    /// Verifies the neighbour structure wholly; slow.
    pub fn check(&self) -> Result<(), String> {
        self.engine.check()
    }

    /// Turns every velocity round.
    pub fn reverse(&mut self) {
        self.settle();
        let core = self.engine.core_mut();
        core.bodies.records.iter_mut().for_each(|record| record.velocity = -record.velocity);
        core.pull_all();
        self.engine.restart();
    }

    /// All that is needed to go on later.
    pub fn save(&self) -> Saved<D> {
        let core = self.engine.core();
        let mut saved = Saved {
            now: core.now,
            records: core.bodies.records.clone(),
            properties: core.properties.clone(),
            pulls: core.bodies.pulls.clone(),
            growth: core.bodies.growth,
            counters: core.counters,
            thermostat_actions: self.thermostat_actions,
            block: self.block,
            start_temperature: self.start_temperature,
            contact_time: core.contact_time,
        };
        saved.reorder(&self.places);
        saved
    }

    /// Stores bodies along a curve through space and makes all else anew.
    fn put_in_order(&mut self) {
        let core = self.engine.core_mut();
        let order = order::along_curve(&core.bodies, core.now);
        order::reorder(&mut core.bodies.records, &order);
        order::reorder(&mut core.bodies.pulls, &order);
        order::reorder(&mut core.schedules, &order);
        core.properties.reorder(&order);
        self.places = vec![0; order.len()];
        for (place, schedule) in core.schedules.iter().enumerate() {
            self.places[schedule.id as usize] = place as u32;
        }
        self.next_ordering =
            core.counters.collisions + COLLISIONS_PER_ORDERING * order.len() as u64;
        self.engine.restart();
    }
}

/// A run pauses after so many things that happen to all bodies at once.
const ACTIONS_PER_PAUSE: u32 = 100;
/// Storage is put in order after so many collisions per body.
const COLLISIONS_PER_ORDERING: u64 = 100;
