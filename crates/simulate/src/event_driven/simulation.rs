//! The event-driven simulation for programs: start, advance, save, resume.

mod global_events;

use super::body::BodyStart;
use super::calendar::Calendar;
use super::checks;
use super::counters::Counters;
use super::defaults::{self, EnsembleStatistics};
use super::event_loop::{AnyEventLoop, EventLoopState, PauseReason};
use super::event_loop_dispatch::event_loop_with;
use super::hard_spheres::{FieldAcceleration, HardSpheres};
use super::memory::EventDrivenMemory;
use super::saved::{PressureBlock, SavedState};
use super::schedule::EventSchedule;
use super::settings::{NeighborStructure, Settings};
use super::{storage_order, thermostat};
use crate::body_ids::BodyIds;
use crate::{BoundaryCondition, Error, ThermalMotion, WallLoad};
use carom_geometry::Vector;

/// An event-driven simulation of hard discs or spheres.
///
/// The collisions, their order and their times depend on bodies and settings alone, to the bit: not on
/// the neighbor structure, the storage order of bodies, the places where [`Simulation::advance`] pauses,
/// or whether the run was saved and resumed in between.
///
/// ```
/// use carom_simulate::event_driven::{BodyStart, Region, Settings, Simulation};
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
    event_loop: Box<dyn AnyEventLoop<D>>,
    structure: NeighborStructure,
    structure_reason: &'static str,
    /// Storage index of each body, by the user's number.
    storage_indices: Vec<u32>,
    thermostat_actions: u64,
    last_kicks: u64,
    pressure_block: PressureBlock,
    /// The temperature that growth restores where there is no thermostat, in units of kT.
    start_temperature: f64,
    /// Number of collisions at which storage is sorted along the space-filling curve again.
    next_reordering: u64,
    /// Ids of the bodies, by their numbers.
    body_ids: BodyIds,
}

impl<const D: usize> Simulation<D> {
    /// Checks bodies and settings and builds the simulation at time zero.
    ///
    /// Errors name the first body or setting that breaks a rule.
    pub fn new(bodies: &[BodyStart<D>], settings: Settings<D>) -> Result<Self, Error> {
        const { assert!(D == 2 || D == 3, "the dimension must be 2 or 3") }
        checks::settings(&settings)?;
        checks::bodies(bodies, &settings)?;
        let mut saved = SavedState::start(bodies, &settings, 0.0, Counters::default())?;
        saved.contact_time = contact_time(bodies, &saved, &settings);
        Self::begin(saved, settings)
    }

    /// Continues under other settings from the present moment on: gravity, field, materials, thermostat, growth, contact
    /// time, neighbor structure. Bodies keep the radii that growth has given them; counts continue. Growth that was
    /// under way ends: without a thermostat velocities are scaled back to the temperature at its start, as at a target.
    ///
    /// Errors if the box differs, or if the settings are not usable; then nothing changes.
    ///
    /// ```
    /// use carom_simulate::Region;
    /// use carom_simulate::event_driven::{BodyStart, Settings, Simulation};
    /// let body = BodyStart::new([4.0, 4.0], [0.0, 0.0], 0.5);
    /// let mut simulation = Simulation::new(&[body], Settings::new(Region::walled([9.0, 9.0])))?;
    /// simulation.advance(2.0, u64::MAX);
    /// let mut settings = simulation.settings().clone();
    /// settings.gravity = [0.0, -1.0].into();
    /// simulation.change_settings(settings)?;
    /// simulation.advance(3.0, u64::MAX);
    /// assert_eq!(simulation.position(0).y, 3.5);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn change_settings(&mut self, settings: Settings<D>) -> Result<(), Error> {
        self.check_change(&settings)?;
        let (mut bodies, now) = (self.starts(), self.now());
        if self.is_growing() && self.settings().thermostat.is_none() {
            // This growth ends here, so its work is taken out as at its target.
            let motion = ThermalMotion::of(bodies.iter().map(|body| (body.mass, body.velocity)));
            let velocities = bodies.iter_mut().map(|body| &mut body.velocity);
            thermostat::rescale(&motion, self.start_temperature, velocities);
        }
        let before = self.saved_state();
        let mut saved = SavedState::start(&bodies, &settings, now, before.counters)?;
        saved.contact_time = contact_time(&bodies, &saved, &settings);
        if settings.count_passages && !before.properties.passages.is_empty() {
            // Unwrapped positions of a run must not jump where its settings change.
            saved.properties.passages = before.properties.passages;
        }
        if saved.contact_time > 0.0 && !before.properties.last_contacts.is_empty() {
            saved.properties.last_contacts = before.properties.last_contacts;
        }
        // A thermostat acts at the multiples of its interval.
        let interval = settings.thermostat.as_ref().map(thermostat::interval);
        saved.thermostat_actions = interval.map_or(0, |interval| (now / interval) as u64);
        saved.last_kicks = before.last_kicks;
        // Loads on walls are differences of what collisions have given to them since time zero.
        saved.face_impulses = before.face_impulses;
        (saved.ids, saved.next_id) = (before.ids, before.next_id);
        *self = Self::begin(saved, settings)?;
        Ok(())
    }

    /// Returns an error if [`change_settings`](Self::change_settings) would refuse these settings now.
    ///
    /// ```
    /// use carom_simulate::Region;
    /// use carom_simulate::event_driven::{BodyStart, Settings, Simulation};
    /// let body = BodyStart::new([4.0, 4.0], [0.0, 0.0], 0.5);
    /// let simulation = Simulation::new(&[body], Settings::new(Region::walled([9.0, 9.0])))?;
    /// let settings = simulation.settings().clone();
    /// assert!(simulation.check_change(&settings).is_ok());
    /// let infinite = Settings { gravity: [0.0, f64::NEG_INFINITY].into(), ..settings };
    /// assert!(simulation.check_change(&infinite).is_err());
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn check_change(&self, settings: &Settings<D>) -> Result<(), Error> {
        if settings.region != self.settings().region {
            let (what, value) = ("the box", format!("{:?}", settings.region.size.as_slice()));
            return Err(Error::Setting { what, value, rule: "it must stay as it is" });
        }
        checks::settings(settings)?;
        checks::bodies(&self.starts(), settings)
    }

    /// Continues a saved run with the settings it was saved under, to the bit.
    ///
    /// Errors if the saved state does not belong to these settings.
    ///
    /// ```
    /// use carom_simulate::event_driven::{BodyStart, Region, Settings, Simulation};
    /// let settings = Settings::new(Region::walled([10.0, 10.0]));
    /// let bodies = [
    ///     BodyStart::new([2.0, 5.0], [1.0, 0.3], 1.0),
    ///     BodyStart::new([8.0, 5.2], [-1.0, 0.1], 1.0),
    /// ];
    /// let mut simulation = Simulation::new(&bodies, settings.clone())?;
    /// simulation.advance(10.0, u64::MAX);
    /// let mut resumed = Simulation::resume(simulation.saved_state(), settings)?;
    /// [&mut simulation, &mut resumed].map(|run| run.advance(100.0, u64::MAX));
    /// assert_eq!(resumed.counters().digest, simulation.counters().digest);
    /// assert_eq!(resumed.position(0), simulation.position(0));
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn resume(saved: SavedState<D>, settings: Settings<D>) -> Result<Self, Error> {
        const { assert!(D == 2 || D == 3, "the dimension must be 2 or 3") }
        checks::settings(&settings)?;
        saved.check(&settings)?;
        Self::begin(saved, settings)
    }

    /// Continues from this state after bodies have changed.
    pub(super) fn restart(&mut self, mut saved: SavedState<D>) -> Result<(), Error> {
        // Accelerations depend on positions and velocities; they are evaluated again.
        saved.accelerations.clear();
        // The ids are changed by the caller once nothing can fail any more.
        let body_ids = self.body_ids.clone();
        (saved.ids, saved.next_id) = (Vec::new(), saved.records.len() as u32);
        *self = Self::begin(saved, self.settings().clone())?;
        self.body_ids = body_ids;
        Ok(())
    }

    pub(super) fn body_ids(&self) -> &BodyIds {
        &self.body_ids
    }

    pub(super) fn body_ids_mut(&mut self) -> &mut BodyIds {
        &mut self.body_ids
    }

    fn begin(saved: SavedState<D>, settings: Settings<D>) -> Result<Self, Error> {
        let body_ids = BodyIds::restore(saved.ids, saved.next_id, saved.records.len())?;
        let SavedState { now, records, properties, accelerations, growth, counters, .. } = saved;
        let bodies = HardSpheres::new(records, &settings, growth, accelerations);
        let crowd = EnsembleStatistics::of(&bodies, now);
        let (structure, reason) = defaults::structure(&settings, &crowd)?;
        let travel = defaults::free_travel(&settings, &crowd);
        let count = bodies.count() as u32;
        let radii = bodies.records.iter().map(|record| record.radius).sum::<f64>();
        // By the mean diameter, a length of the system that does not depend on its box.
        let rest_time = defaults::rest_time(&settings, 2.0 * radii / f64::from(count));
        let core = EventLoopState {
            properties,
            schedules: (0..count).map(EventSchedule::of).collect(),
            contact_time: saved.contact_time,
            rest_time: if saved.contact_time > 0.0 { saved.contact_time } else { rest_time },
            counters,
            face_impulses: saved.face_impulses,
            now,
            calendar: Calendar::new(),
            field_failure: None,
            bodies,
            settings,
        };
        let mut simulation = Simulation {
            event_loop: event_loop_with(core, structure, travel),
            structure,
            structure_reason: reason,
            storage_indices: Vec::new(),
            thermostat_actions: saved.thermostat_actions,
            last_kicks: saved.last_kicks,
            pressure_block: saved.pressure_block,
            start_temperature: saved.start_temperature,
            next_reordering: 0,
            body_ids,
        };
        simulation.prepare();
        Ok(simulation)
    }

    /// Completes what a start or a saved state lacks: field accelerations, storage order, neighbor structure
    /// and calendar.
    fn prepare(&mut self) {
        let core = self.event_loop.state_mut();
        core.properties.last_contacts.resize(
            if core.contact_time > 0.0 { core.bodies.count() } else { 0 },
            f64::NEG_INFINITY,
        );
        if core.settings.field.is_some() && core.bodies.accelerations.is_empty() {
            let none = FieldAcceleration { acceleration: Vector::zeros(), valid_until: 0.0 };
            core.bodies.accelerations = vec![none; core.bodies.count()];
            core.update_all_field_accelerations();
        }
        self.reorder_storage();
    }

    /// Handles all events up to the time `until`, but at most `collisions` collisions of two bodies. A time that is NaN
    /// comes at once, and nothing changes.
    ///
    /// ```
    /// use carom_simulate::event_driven::{BodyStart, PauseReason, Region, Settings, Simulation};
    /// let body = BodyStart::new([2.0, 2.0], [1.0, 0.0], 0.5);
    /// let mut simulation = Simulation::new(&[body], Settings::new(Region::walled([4.0, 4.0])))?;
    /// assert_eq!(simulation.advance(1.0, u64::MAX), PauseReason::Time);
    /// assert_eq!(simulation.advance(f64::NAN, u64::MAX), PauseReason::Time);
    /// assert_eq!(simulation.now(), 1.0);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn advance(&mut self, until: f64, collisions: u64) -> PauseReason {
        let last = self.counters().collisions.saturating_add(collisions);
        loop {
            let left = last.saturating_sub(self.counters().collisions);
            match self.advance_bounded(until, left) {
                PauseReason::Events => {}
                pause => return pause,
            }
        }
    }

    /// Advances like [`advance`](Self::advance), but also returns after a bounded number of events of any
    /// kind, so that a program can check whether it is to stop even if bodies only hit walls.
    pub fn advance_bounded(&mut self, until: f64, collisions: u64) -> PauseReason {
        // The minimum with the time of an event would be that of the event, again and again.
        if until.is_nan() {
            return PauseReason::Time;
        }
        let last = self.counters().collisions.saturating_add(collisions);
        for _ in 0..GLOBAL_EVENTS_PER_PAUSE {
            let action = self.next_global_event();
            let stop = until.min(action);
            let done = self.counters().collisions;
            // The loop counts collisions, so whatever is due by their number is one bound for it.
            let due = self.next_reordering.min(self.pressure_block.end).min(last);
            if self.event_loop.run(stop, due.saturating_sub(done)) == PauseReason::Events {
                return PauseReason::Events;
            }
            let done = self.counters().collisions;
            if done >= self.pressure_block.end {
                self.end_pressure_block();
            } else if done >= self.next_reordering {
                self.reorder_storage();
            } else if done < last && action <= until && action < f64::INFINITY {
                self.apply_global_events();
                continue;
            }
            if done >= last {
                return PauseReason::Collisions;
            }
            if done < due {
                return PauseReason::Time;
            }
        }
        PauseReason::Events
    }

    /// Returns the present time.
    pub fn now(&self) -> f64 {
        self.event_loop.state().now
    }

    /// Returns the number of bodies.
    pub fn count(&self) -> usize {
        self.storage_indices.len()
    }

    /// Returns the counts of events and of work so far.
    pub fn counters(&self) -> &Counters {
        &self.event_loop.state().counters
    }

    /// Returns an error if the acceleration of a body by the force field was not finite at any time so far.
    ///
    /// ```
    /// use carom_geometry::Vector;
    /// use carom_simulate::event_driven::{BodyStart, ForceField, Region, Settings, Simulation};
    /// // A field that is not defined for x < 3, where the body arrives at time 1.
    /// let field = ForceField::new(0.1, |at: Vector<2>, _, _| [0.0, (at.x - 3.0).sqrt()].into());
    /// let settings = Settings { field: Some(field), ..Settings::new(Region::periodic([10.0, 10.0])) };
    /// let mut simulation = Simulation::new(&[BodyStart::new([4.0, 5.0], [-1.0, 0.0], 0.5)], settings)?;
    /// simulation.advance(1.5, u64::MAX);
    /// assert!(simulation.check_field().is_err());
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn check_field(&self) -> Result<(), Error> {
        let Some((number, time)) = self.event_loop.state().field_failure else { return Ok(()) };
        Err(Error::Body {
            body: self.body_ids.id(number) as usize,
            what: "an acceleration by forces, at time",
            value: format!("{time}, that is not finite"),
            rule: "forces must be finite wherever bodies come",
        })
    }

    /// Returns the settings of the run.
    pub fn settings(&self) -> &Settings<D> {
        &self.event_loop.state().settings
    }

    /// Returns the neighbor structure in use, and the reason why it was chosen.
    ///
    /// ```
    /// use carom_simulate::event_driven::{BodyStart, NeighborStructure, Region, Settings, Simulation};
    /// let structure = NeighborStructure::CellGrid;
    /// let settings = Settings { structure, ..Settings::new(Region::periodic([20.0, 20.0])) };
    /// let bodies = [5.0, 15.0].map(|x| BodyStart::new([x, 10.0], [0.0, 0.5], 1.0));
    /// assert_eq!(Simulation::new(&bodies, settings)?.structure().0, structure);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn structure(&self) -> (NeighborStructure, &'static str) {
        (self.structure, self.structure_reason)
    }

    /// Returns what collisions have given to each wall since time zero, in the order of the axes and the lower side first:
    /// momentum, angular momentum about the corner of the box at the origin, and energy, in the place of force, torque and
    /// power.
    pub fn wall_impulses(&self) -> Vec<WallLoad> {
        let (core, conditions) =
            (self.event_loop.state(), self.settings().region.boundary_conditions);
        let is_wall = |face: &usize| matches!(conditions[face / 2], BoundaryCondition::Wall { .. });
        (0..2 * D).filter(is_wall).map(|face| core.face_impulses[face]).collect()
    }

    /// Returns the mean force, torque and power on each wall since time zero, in the same order, and the number of its
    /// collisions.
    ///
    /// ```
    /// use carom_simulate::event_driven::{BodyStart, Region, Settings, Simulation};
    /// // A ball of weight 20, seen after 16 whole bounces between heights 0.5 and 1.5 of its center.
    /// let ball = BodyStart { mass: 2.0, ..BodyStart::new([2.0, 1.5], [0.0, 0.0], 0.5) };
    /// let gravity = [0.0, -10.0].into();
    /// let settings = Settings { gravity, ..Settings::new(Region::walled([4.0, 4.0])) };
    /// let mut simulation = Simulation::new(&[ball], settings)?;
    /// simulation.advance(32.0 * 0.2_f64.sqrt(), u64::MAX);
    /// let floor = simulation.wall_loads()[2];
    /// assert_eq!(floor.contacts, 16);
    /// assert!((floor.force.y + 20.0).abs() < 1e-9 && (floor.torque.z + 40.0).abs() < 1e-9);
    /// assert!(floor.power.abs() < 1e-9, "it bounces without loss");
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn wall_loads(&self) -> Vec<WallLoad> {
        // Before any time has passed, nothing has been given.
        let time = self.now().max(f64::MIN_POSITIVE);
        let mean = |sum| WallLoad::mean_between(&WallLoad::default(), sum, time);
        self.wall_impulses().iter().map(mean).collect()
    }

    /// Returns the contact time of the TC model: a collision of a body within this time of its last one is
    /// elastic. It is zero where the rule is off.
    pub fn contact_time(&self) -> f64 {
        self.event_loop.state().contact_time
    }

    /// Returns the present position of a body, wrapped into the box on periodic axes.
    ///
    /// # Panics
    ///
    /// Where the number is not below [`count`](Self::count).
    pub fn position(&self, body: usize) -> Vector<D> {
        self.event_loop.state().bodies.wrapped_position_at(self.storage_indices[body], self.now())
    }

    /// Returns the present position of a body, unwrapped: as if it had never been put back into the periodic
    /// box. This needs [`Settings::count_passages`]; without it the wrapped position is returned.
    ///
    /// ```
    /// use carom_simulate::event_driven::{BodyStart, Region, Settings, Simulation};
    /// let region = Region::periodic([10.0, 10.0]);
    /// let settings = Settings { count_passages: true, ..Settings::new(region) };
    /// let bodies = [BodyStart::new([1.0, 5.0], [4.0, 0.0], 1.0)];
    /// let mut simulation = Simulation::new(&bodies, settings)?;
    /// simulation.advance(8.0, u64::MAX);
    /// assert!((simulation.position(0).x - 3.0).abs() < 1e-9);
    /// assert!((simulation.unwrapped_position(0).x - 33.0).abs() < 1e-9);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Where the number is not below [`count`](Self::count).
    pub fn unwrapped_position(&self, body: usize) -> Vector<D> {
        let (core, place) = (self.event_loop.state(), self.storage_indices[body]);
        let position = self.recorded_position(body);
        match core.properties.passages.get(place as usize) {
            None => position,
            Some(passages) => Vector::from_fn(|axis, _| {
                position[axis] + f64::from(passages[axis]) * core.settings.region.size[axis]
            }),
        }
    }

    /// Returns the present position of a body to which its counted passages belong: in the box up to rounding.
    pub(super) fn recorded_position(&self, body: usize) -> Vector<D> {
        self.event_loop.state().bodies.position_at(self.storage_indices[body], self.now())
    }

    /// Returns the present velocity of a body.
    ///
    /// # Panics
    ///
    /// Where the number is not below [`count`](Self::count).
    pub fn velocity(&self, body: usize) -> Vector<D> {
        self.event_loop.state().bodies.velocity_at(self.storage_indices[body], self.now())
    }

    /// Returns the present radius of a body.
    ///
    /// # Panics
    ///
    /// Where the number is not below [`count`](Self::count).
    pub fn radius(&self, body: usize) -> f64 {
        self.event_loop.state().bodies.radius_at(self.storage_indices[body], self.now())
    }

    /// Returns the mass of a body.
    ///
    /// # Panics
    ///
    /// Where the number is not below [`count`](Self::count).
    pub fn mass(&self, body: usize) -> f64 {
        self.event_loop.state().properties.mass(self.storage_indices[body])
    }

    /// Returns the index of the material of a body.
    ///
    /// # Panics
    ///
    /// Where the number is not below [`count`](Self::count).
    pub fn material(&self, body: usize) -> u16 {
        self.event_loop.state().properties.material(self.storage_indices[body])
    }

    /// Returns the factor by which all radii have grown since the start.
    pub(crate) fn radius_scale(&self) -> f64 {
        self.event_loop.state().bodies.growth.at(self.now())
    }

    /// Returns whether radii still grow.
    pub fn is_growing(&self) -> bool {
        self.event_loop.state().bodies.growth.rate > 0.0
    }

    /// Returns the time and the number of collisions at which growth may end next.
    ///
    /// To stop exactly at the end of growth, advance no further than both and then ask
    /// [`is_growing`](Self::is_growing).
    ///
    /// ```
    /// use carom_simulate::event_driven::{
    ///     BodyStart, GrowthTarget, LubachevskyStillingerGrowth, Region, Settings, Simulation,
    /// };
    /// // A disc grows until it fills a quarter more of its box, so that its radius is √1.25.
    /// let filled = std::f64::consts::PI / 64.0;
    /// let until = Some(GrowthTarget::PackingFraction(1.25 * filled));
    /// let growth = Some(LubachevskyStillingerGrowth { rate: 0.5, until });
    /// let settings = Settings { growth, ..Settings::new(Region::periodic([8.0, 8.0])) };
    /// let simulation = Simulation::new(&[BodyStart::new([2.0, 2.0], [0.0, 0.0], 1.0)], settings)?;
    /// let (time, _) = simulation.growth_may_end();
    /// assert!((time - (1.25f64.sqrt() - 1.0) / 0.5).abs() < 1e-9);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn growth_may_end(&self) -> (f64, u64) {
        (self.growth_end_time(), self.pressure_block.end)
    }

    /// Handles all events up to the end of growth and stops exactly there; does nothing if radii do not
    /// grow. Growth without a target ends when bodies jam or a wall leaves no room.
    ///
    /// ```
    /// use carom_simulate::event_driven::{
    ///     BodyStart, GrowthTarget, LubachevskyStillingerGrowth, Region, Settings, Simulation,
    /// };
    ///
    /// let until = Some(GrowthTarget::PackingFraction(0.1));
    /// let settings = Settings {
    ///     growth: Some(LubachevskyStillingerGrowth { rate: 0.5, until }),
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

    /// Returns the bytes held by bodies, calendar and neighbor structure.
    pub fn memory(&self) -> EventDrivenMemory {
        EventDrivenMemory::of(self.event_loop.state(), self.event_loop.structure_memory())
    }

    /// Returns the number of neighbor pairs and the largest number of neighbors of one body.
    ///
    /// Costs a pass over all bodies.
    ///
    /// ```
    /// use carom_simulate::event_driven::{BodyStart, NeighborStructure, Region, Settings, Simulation};
    /// let structure = NeighborStructure::AllPairs;
    /// let settings = Settings { structure, ..Settings::new(Region::periodic([20.0, 20.0])) };
    /// let bodies = [3.0, 8.0, 13.0, 18.0].map(|x| BodyStart::new([x, 10.0], [0.0, 0.5], 1.0));
    /// let simulation = Simulation::new(&bodies, settings)?;
    /// assert_eq!(simulation.neighbor_statistics(), (4 * 3 / 2, 3));
    /// assert_eq!(simulation.neighbors(1), [0, 2, 3]);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn neighbor_statistics(&self) -> (u64, usize) {
        (self.event_loop.neighbor_count() / 2, self.event_loop.max_neighbors())
    }

    /// Returns the present neighbors of a body, ascending: all bodies that it can collide with before its
    /// neighbors change. Which these are depends on the structure.
    ///
    /// # Panics
    ///
    /// Where the number is not below [`count`](Self::count).
    pub fn neighbors(&self, body: usize) -> Vec<u32> {
        let schedules = &self.event_loop.state().schedules;
        let neighbors = self.event_loop.neighbors(self.storage_indices[body]);
        let mut ids: Vec<u32> =
            neighbors.iter().map(|&place| schedules[place as usize].id).collect();
        ids.sort_unstable();
        ids
    }

    /// Returns counts of work that are specific to the neighbor structure, with their names, since the run
    /// began or was resumed.
    pub fn structure_statistics(&self) -> Vec<(&'static str, u64)> {
        self.event_loop.structure_statistics()
    }

    /// Verifies the complete neighbor structure; slow, for tests.
    pub fn check(&self) -> Result<(), String> {
        self.event_loop.check()
    }

    /// Reverses the velocity of every body.
    ///
    /// ```
    /// use carom_simulate::event_driven::{BodyStart, Region, Settings, Simulation};
    /// # let at = |k: i32| [f64::from(k % 6) * 2.0 + 1.0, f64::from(k / 6) * 2.0 + 1.0];
    /// # let velocity = |k: i32| [f64::from(k * 7 % 5 - 2), f64::from(k * 3 % 7 - 3)];
    /// let bodies: Vec<_> = (0..36).map(|k| BodyStart::new(at(k), velocity(k), 0.5)).collect();
    /// // After as many collisions backwards all bodies are where they started.
    /// let mut simulation = Simulation::new(&bodies, Settings::new(Region::periodic([12.0, 12.0])))?;
    /// simulation.advance(1.0, u64::MAX);
    /// assert!(simulation.counters().collisions > 10);
    /// simulation.reverse_velocities();
    /// simulation.advance(2.0, u64::MAX);
    /// for (number, body) in bodies.iter().enumerate() {
    ///     assert!((simulation.position(number) - body.position).norm() < 1e-6);
    /// }
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn reverse_velocities(&mut self) {
        self.synchronize_bodies();
        let core = self.event_loop.state_mut();
        core.bodies.records.iter_mut().for_each(|record| record.velocity = -record.velocity);
        core.update_all_field_accelerations();
        self.event_loop.restart();
    }

    /// Returns the state from which [`resume`](Self::resume) continues to the bit.
    pub fn saved_state(&self) -> SavedState<D> {
        let core = self.event_loop.state();
        let (ids, next_id) = self.body_ids.saved();
        let mut saved = SavedState {
            now: core.now,
            records: core.bodies.records.clone(),
            properties: core.properties.clone(),
            accelerations: core.bodies.accelerations.clone(),
            growth: core.bodies.growth,
            counters: core.counters,
            face_impulses: core.face_impulses.clone(),
            thermostat_actions: self.thermostat_actions,
            last_kicks: self.last_kicks,
            pressure_block: self.pressure_block,
            start_temperature: self.start_temperature,
            contact_time: core.contact_time,
            ids,
            next_id,
        };
        saved.reorder(&self.storage_indices);
        saved
    }

    /// Sorts storage along the Morton curve and rebuilds neighbor structure, predictions and calendar.
    fn reorder_storage(&mut self) {
        let core = self.event_loop.state_mut();
        let order = storage_order::morton_order(&core.bodies, core.now);
        storage_order::reorder(&mut core.bodies.records, &order);
        storage_order::reorder(&mut core.bodies.accelerations, &order);
        storage_order::reorder(&mut core.schedules, &order);
        core.properties.reorder(&order);
        self.storage_indices = vec![0; order.len()];
        for (place, schedule) in core.schedules.iter().enumerate() {
            self.storage_indices[schedule.id as usize] = place as u32;
        }
        self.next_reordering =
            core.counters.collisions + COLLISIONS_PER_REORDERING * order.len() as u64;
        self.event_loop.restart();
    }
}

/// Returns the contact time of a start.
fn contact_time<const D: usize>(
    bodies: &[BodyStart<D>],
    saved: &SavedState<D>,
    settings: &Settings<D>,
) -> f64 {
    let mass = bodies.iter().map(|body| body.mass).sum::<f64>() / bodies.len() as f64;
    let spheres = HardSpheres::new(saved.records.clone(), settings, saved.growth, Vec::new());
    let crowd = EnsembleStatistics::of(&spheres, saved.now);
    defaults::contact_time(settings, &crowd, mass)
}

/// Number of events of the whole system (thermostat, growth, restarts) after which a run pauses.
const GLOBAL_EVENTS_PER_PAUSE: u32 = 100;
/// Number of collisions per body after which storage is sorted again.
const COLLISIONS_PER_REORDERING: u64 = 100;
