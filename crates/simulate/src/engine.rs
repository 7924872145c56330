//! The interface that all engines have in common.

use crate::observe::ThermodynamicSnapshot;
use crate::quantity::AXES;
use crate::{
    BodyChange, BoundaryCondition, ContactVirial, EngineContact, Error, NewBody, SavedArrays,
    State, StateArray, ThermalMotion, Values, WallLoad, bonded, dem, event_driven,
};
use carom_geometry::{Boundary, Vector};
use std::any::Any;
use std::ops::Range;

/// A simulation that can be advanced, looked at and changed, whatever its engine.
///
/// Costs of the interface: one call per slice of time. Hot loops stay inside each engine.
///
/// ```
/// use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation};
/// use carom_simulate::{BodyChange, BodyProperty, Engine};
///
/// let bodies = [Body::at_rest([0.0, 0.0], 0.5, 1.0), Body::at_rest([2.0, 0.0], 0.5, 1.0)];
/// let mut engine: Box<dyn Engine<2>> =
///     Box::new(Simulation::new(&bodies, Settings::with_law(CompositeLaw::spring(1e4)))?);
/// engine.apply(&[BodyChange { body: 0, to: BodyProperty::Velocity([1.0, 0.0].into()) }])?;
/// engine.advance_to(2.0)?;
/// // It has passed its velocity on.
/// assert!((engine.state().velocities[1].x - 1.0).abs() < 1e-3);
/// # Ok::<(), carom_simulate::Error>(())
/// ```
pub trait Engine<const D: usize>: Any + Send + Sync {
    /// Returns the name that scenes give the engine: event-driven, dem or bonded.
    fn name(&self) -> &'static str;

    /// Returns the present time.
    fn time(&self) -> f64;

    /// Advances to a time: exactly in an event-driven run, otherwise to the first time step that is not before it.
    ///
    /// Errors if the time is not finite, or where the engine cannot continue.
    ///
    /// ```
    /// use carom_simulate::event_driven::{BodyStart, Settings, Simulation};
    /// use carom_simulate::{Engine, Region};
    /// let bodies = [BodyStart::new([1.0, 1.0], [1.0, 0.5], 0.5)];
    /// let mut engine = Simulation::new(&bodies, Settings::new(Region::periodic([9.0, 9.0])))?;
    /// engine.advance_to(3.0)?;
    /// assert_eq!((engine.time(), engine.state().positions[0]), (3.0, [4.0, 2.5].into()));
    /// assert!(engine.advance_to(f64::NAN).is_err());
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    fn advance_to(&mut self, time: f64) -> Result<(), Error>;

    /// Returns the number of bodies; of bonded solids that of particles.
    fn body_count(&self) -> usize;

    /// Returns a copy of the state of all bodies.
    fn state(&self) -> State<D> {
        let mut state = State::default();
        self.read_state(&StateArray::ALL, &mut state);
        state
    }

    /// Fills these arrays of a state, and sets its time; its other arrays stay as they are.
    ///
    /// The memory of the arrays is used again, so that repeated reads allocate nothing. Costs one pass over the bodies
    /// for each array.
    ///
    /// ```
    /// use carom_simulate::event_driven::{BodyStart, Settings, Simulation};
    /// use carom_simulate::{Engine, Region, State, StateArray};
    /// let bodies = [BodyStart::new([1.0, 1.0], [1.0, 0.5], 0.5)];
    /// let mut engine = Simulation::new(&bodies, Settings::new(Region::periodic([9.0, 9.0])))?;
    /// let mut state = State::default();
    /// for time in [1.0, 2.0, 3.0] {
    ///     engine.advance_to(time)?;
    ///     engine.read_state(&[StateArray::Positions], &mut state);
    ///     assert_eq!((state.time, state.positions[0].x), (time, 1.0 + time));
    /// }
    /// assert!(state.velocities.is_empty());
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    fn read_state(&self, arrays: &[StateArray], state: &mut State<D>);

    /// Returns the sides of the box that are periodic.
    fn boundary(&self) -> Boundary<D>;

    /// Returns the positions as if bodies had never been put back into a periodic box; in an event-driven run this
    /// needs the setting to count passages.
    fn unwrapped_positions(&self) -> Vec<Vector<D>>;

    /// Returns the quantities of the present moment and those accumulated so far, by the names of
    /// [`QUANTITIES`](crate::QUANTITIES).
    fn quantities(&self) -> Values;

    /// Returns all contacts now, with their forces; none in an event-driven run, whose contacts have no duration.
    fn contacts(&self) -> Vec<EngineContact<D>>;

    /// Returns the load on each wall: now or, in an event-driven run, whose collisions have no duration, the mean since time
    /// zero; none by default, where walls bear no loads.
    fn wall_loads(&self) -> Vec<WallLoad> {
        Vec::new()
    }

    /// Returns what collisions have given to each wall since time zero: momentum, angular momentum and energy in the place
    /// of force, torque and power; none by default, where contacts last.
    ///
    /// ```
    /// use carom_simulate::event_driven::{BodyStart, Settings, Simulation};
    /// use carom_simulate::{Engine, Region};
    /// // A disc between walls, whose center travels from 1 to 3 and back.
    /// let bodies = [BodyStart::new([2.0, 2.0], [1.0, 0.0], 1.0)];
    /// let mut engine = Simulation::new(&bodies, Settings::new(Region::walled([4.0, 4.0])))?;
    /// engine.advance_to(10.0)?;
    /// let given = Engine::wall_impulses(&engine).unwrap_or_default();
    /// assert_eq!((given[0].contacts, given[0].force.x), (2, -4.0));
    /// assert_eq!((given[1].contacts, given[1].force.x), (3, 6.0));
    /// assert_eq!(engine.wall_loads()[1].force.x, 0.6);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    fn wall_impulses(&self) -> Option<Vec<WallLoad>> {
        None
    }

    /// Returns the virial of all contacts, of which pressure is made; none by default, where contacts have no duration.
    fn contact_virial(&self) -> Option<ContactVirial> {
        None
    }

    /// Changes bodies, all of them or, if an error is returned, none.
    ///
    /// Errors if there is no such body, a value is not usable, or the engine does not know the property.
    fn apply(&mut self, changes: &[BodyChange<D>]) -> Result<(), Error>;

    /// Inserts bodies and returns their ids; all of them or, if an error is returned, none.
    ///
    /// Errors if a value is not usable, if hard spheres would overlap, have shapes or turn, or in a run of solids.
    ///
    /// ```
    /// use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation};
    /// use carom_simulate::{Engine, NewBody};
    /// let first = Body::at_rest([0.0, 0.0], 0.5, 1.0);
    /// let settings = Settings::with_law(CompositeLaw::spring(1e4));
    /// let mut engine: Box<dyn Engine<2>> = Box::new(Simulation::new(&[first], settings)?);
    /// let new = NewBody::at_rest([3.0, 0.0], 0.5, 1.0);
    /// assert_eq!(engine.insert(&[new, NewBody { position: [5.0, 0.0].into(), ..new }])?, 1..3);
    /// engine.remove(&[1])?;
    /// assert_eq!(engine.state().ids, [0, 2]);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    fn insert(&mut self, bodies: &[NewBody<D>]) -> Result<Range<u32>, Error>;

    /// Removes the bodies with these ids; the others keep theirs.
    ///
    /// Errors if there is no such body, if an event-driven run would lose its last body, or in a run of solids.
    fn remove(&mut self, ids: &[u32]) -> Result<(), Error>;

    /// Replaces arrays by those of the present state: everything that the rest of the simulation depends on beside its settings.
    /// A program may add arrays of its own then.
    ///
    /// ```
    /// use carom_simulate::event_driven::{BodyStart, Settings, Simulation};
    /// use carom_simulate::{Engine, Region, SavedArrays};
    /// let start = || {
    ///     let discs = [([2.0, 4.0], [1.0, 0.2]), ([6.0, 4.5], [-1.0, 0.0])];
    ///     let bodies = discs.map(|(place, velocity)| BodyStart::new(place, velocity, 0.5));
    ///     Simulation::new(&bodies, Settings::new(Region::walled([8.0, 8.0])))
    /// };
    /// let (mut whole, mut resumed) = (start()?, start()?);
    /// whole.advance_to(10.0)?;
    /// let mut arrays = SavedArrays::default();
    /// whole.save(&mut arrays);
    /// assert_eq!(arrays.count("positions"), Some(4));
    /// resumed.restore(&mut arrays)?;
    /// whole.advance_to(20.0)?;
    /// resumed.advance_to(20.0)?;
    /// assert_eq!(resumed.state(), whole.state());
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    fn save(&self, arrays: &mut SavedArrays);

    /// Takes over the state that a simulation with the same settings has saved, to continue to the same bits; what it takes is
    /// gone from the arrays. The settings are those of this simulation, and what it did before is forgotten.
    ///
    /// Settings are, beside those of an event-driven or DEM simulation, contact laws, the solids, walls and gravity of a
    /// bonded one, and forces that the program has added as functions: none of them is in the arrays, so a program adds them
    /// again, before it restores or right after. Forces and torques on single bodies, and which are held, are in the arrays.
    ///
    /// Errors with one sentence, and leaves the simulation as it was, if the arrays are of another engine or dimension, if one
    /// is missing or too short or has NaN, if they do not fit the settings, or if solids would get springs back that they have
    /// lost here.
    ///
    /// ```
    /// use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation};
    /// use carom_simulate::{Engine, SavedArrays};
    /// let bodies = [0.0, 2.0].map(|x| Body::at_rest([x, 0.0], 0.5, 1.0));
    /// let mut grains = Simulation::new(&bodies, Settings::with_law(CompositeLaw::spring(1e4)))?;
    /// let mut arrays = SavedArrays::default();
    /// grains.save(&mut arrays);
    /// arrays.engine = "bonded".to_owned();
    /// let error = grains.restore(&mut arrays).unwrap_err().to_string();
    /// assert!(error.ends_with("it is of the engine \"bonded\", and the simulation of \"dem\""), "{error}");
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    fn restore(&mut self, arrays: &mut SavedArrays) -> Result<(), Error>;

    /// Verifies the neighbor structure; slow, for tests.
    fn check(&self) -> Result<(), String>;
}

#[cfg(test)]
mod tests;

/// Times that differ by less than this fraction of a time step are equal but for rounding.
const ROUNDING: f64 = 1e-6;

fn check_time(time: f64) -> Result<(), Error> {
    let refused = || Error::Setting {
        what: "the time to advance to",
        value: time.to_string(),
        rule: "it must be finite",
    };
    if time.is_finite() { Ok(()) } else { Err(refused()) }
}

fn particles_stay() -> Error {
    Error::Setting {
        what: "the engine",
        value: "bonded".to_owned(),
        rule: "particles belong to solids, so that none can be inserted or removed",
    }
}

impl<const D: usize, L: dem::ContactLaw> Engine<D> for dem::Simulation<D, L> {
    fn name(&self) -> &'static str {
        "dem"
    }

    fn time(&self) -> f64 {
        self.now()
    }

    fn advance_to(&mut self, time: f64) -> Result<(), Error> {
        check_time(time)?;
        let last = (time / self.time_step() - ROUNDING).ceil().max(0.0) as u64;
        self.advance(last.saturating_sub(self.steps()))
    }

    fn body_count(&self) -> usize {
        self.body_count()
    }

    fn read_state(&self, arrays: &[StateArray], state: &mut State<D>) {
        self.read_state(arrays, state);
    }

    fn boundary(&self) -> Boundary<D> {
        self.settings().boundary
    }

    fn unwrapped_positions(&self) -> Vec<Vector<D>> {
        (0..self.body_count()).map(|body| self.unwrapped_position(body)).collect()
    }

    fn quantities(&self) -> Values {
        let (energy, totals) = (self.energy(), self.step_totals());
        let bodies = (0..self.body_count()).map(|number| self.body(number));
        let motion = ThermalMotion::of(bodies.clone().map(|body| (body.mass, body.velocity)));
        let (mut momentum, mut center, mut mass) = (Vector::zeros(), Vector::zeros(), 0.0);
        for body in bodies {
            momentum += body.velocity * body.mass;
            center += body.position * body.mass;
            mass += body.mass;
        }
        let mut values = Values::default();
        values.push("time", self.now());
        values.push("steps", self.steps());
        values.push("kinetic_energy", energy.kinetic_energy);
        values.push("rotational_energy", energy.rotational_energy);
        values.push("potential_energy", energy.potential_energy);
        values.push("contact_energy", energy.contact_energy);
        values.push("damping_loss", energy.damping_loss);
        values.push("friction_loss", energy.friction_loss);
        values.push("external_work", energy.external_work);
        values.push("temperature", motion.temperature);
        values.push("granular_temperature", motion.granular_temperature);
        values.push("contacts", totals.contacts);
        values.push("wall_contacts", totals.wall_contacts);
        values.push("deepest_overlap", totals.max_relative_overlap);
        values.push_vector("momentum", &momentum);
        values.push_vector("center", &(center / mass.max(f64::MIN_POSITIVE)));
        values
    }

    fn contacts(&self) -> Vec<EngineContact<D>> {
        self.contacts()
    }

    fn wall_loads(&self) -> Vec<WallLoad> {
        self.wall_loads()
    }

    fn contact_virial(&self) -> Option<ContactVirial> {
        Some(ContactVirial { now: self.step_totals().virial, integral: self.virial_integral() })
    }

    fn apply(&mut self, changes: &[BodyChange<D>]) -> Result<(), Error> {
        self.apply(changes)
    }

    fn insert(&mut self, bodies: &[NewBody<D>]) -> Result<Range<u32>, Error> {
        self.insert_new(bodies)
    }

    fn remove(&mut self, ids: &[u32]) -> Result<(), Error> {
        self.remove(ids)
    }

    fn save(&self, arrays: &mut SavedArrays) {
        *arrays = SavedArrays::of_engine(Engine::<D>::name(self), D);
        self.saved_state().put_into(arrays, dem::HistoryNames::of::<L>());
    }

    fn restore(&mut self, arrays: &mut SavedArrays) -> Result<(), Error> {
        arrays.expect(Engine::<D>::name(self), D)?;
        let names = dem::HistoryNames::of::<L>();
        self.restore_state(&dem::SavedState::take_from::<L::History>(arrays, names)?)
    }

    fn check(&self) -> Result<(), String> {
        self.check_neighbor_list()
    }
}

impl<const D: usize> Engine<D> for event_driven::Simulation<D> {
    fn name(&self) -> &'static str {
        "event-driven"
    }

    fn time(&self) -> f64 {
        self.now()
    }

    fn advance_to(&mut self, time: f64) -> Result<(), Error> {
        check_time(time)?;
        if time > self.now() {
            self.advance(time, u64::MAX);
        }
        self.check_field()
    }

    fn body_count(&self) -> usize {
        self.count()
    }

    fn read_state(&self, arrays: &[StateArray], state: &mut State<D>) {
        self.read_state(arrays, state);
    }

    fn boundary(&self) -> Boundary<D> {
        self.settings().region.boundary().expect("the region was checked")
    }

    fn unwrapped_positions(&self) -> Vec<Vector<D>> {
        (0..self.count()).map(|body| self.unwrapped_position(body)).collect()
    }

    fn quantities(&self) -> Values {
        let (snapshot, counters) = (ThermodynamicSnapshot::of(self), self.counters());
        let conditions = &self.settings().region.boundary_conditions;
        let mut values = Values::default();
        values.push("time", self.now());
        values.push("collisions", counters.collisions);
        values.push("kinetic_energy", snapshot.kinetic_energy);
        values.push("potential_energy", snapshot.potential_energy);
        values.push("temperature", snapshot.temperature);
        values.push("granular_temperature", snapshot.granular_temperature);
        values.push("packing_fraction", snapshot.packing_fraction);
        values.push("velocity_moment", snapshot.velocity_moment);
        values.push("collision_loss", counters.dissipated);
        values.push("smallest_gap", counters.smallest_gap);
        values.push_vector("momentum", &snapshot.momentum);
        if conditions.iter().any(|it| matches!(it, BoundaryCondition::Wall { .. })) {
            values.push("wall_collisions", counters.wall_collisions);
        }
        values
    }

    fn contacts(&self) -> Vec<EngineContact<D>> {
        Vec::new()
    }

    fn wall_loads(&self) -> Vec<WallLoad> {
        self.wall_loads()
    }

    fn wall_impulses(&self) -> Option<Vec<WallLoad>> {
        Some(self.wall_impulses())
    }

    fn apply(&mut self, changes: &[BodyChange<D>]) -> Result<(), Error> {
        self.apply(changes)
    }

    fn insert(&mut self, bodies: &[NewBody<D>]) -> Result<Range<u32>, Error> {
        self.insert(bodies)
    }

    fn remove(&mut self, ids: &[u32]) -> Result<(), Error> {
        self.remove(ids)
    }

    fn save(&self, arrays: &mut SavedArrays) {
        *arrays = SavedArrays::of_engine(self.name(), D);
        self.saved_state().put_into(arrays);
    }

    fn restore(&mut self, arrays: &mut SavedArrays) -> Result<(), Error> {
        arrays.expect(self.name(), D)?;
        let saved = event_driven::SavedState::take_from(arrays)?;
        *self = event_driven::Simulation::resume(saved, self.settings().clone())?;
        Ok(())
    }

    fn check(&self) -> Result<(), String> {
        self.check()
    }
}

impl<const D: usize> Engine<D> for bonded::Simulation<D> {
    fn name(&self) -> &'static str {
        "bonded"
    }

    fn time(&self) -> f64 {
        self.now()
    }

    fn advance_to(&mut self, time: f64) -> Result<(), Error> {
        check_time(time)?;
        while self.now() < time - ROUNDING * self.time_step() {
            self.advance(1)?;
        }
        self.check_positions()
    }

    fn body_count(&self) -> usize {
        self.bodies().iter().map(bonded::Body::particle_count).sum()
    }

    fn read_state(&self, arrays: &[StateArray], state: &mut State<D>) {
        self.read_state(arrays, state);
    }

    fn boundary(&self) -> Boundary<D> {
        Boundary::open()
    }

    fn unwrapped_positions(&self) -> Vec<Vector<D>> {
        // The box is open.
        self.state().positions
    }

    fn quantities(&self) -> Values {
        let (energy, totals, solids) = (self.energy(), self.contact_totals(), self.solids());
        let particles: usize = self.bodies().iter().map(|body| body.grid().slot_count()).sum();
        let reached: usize = self.bodies().iter().map(|body| body.reached_count()).sum();
        let momentum: Vector<D> = solids.iter().map(|solid| solid.velocity * solid.mass).sum();
        let mut values = Values::default();
        values.push("time", self.now());
        values.push("steps", self.steps());
        values.push("kinetic_energy", energy.kinetic_energy);
        values.push("bond_energy", energy.bond_energy);
        values.push("contact_energy", energy.contact_energy);
        values.push("potential_energy", energy.potential_energy);
        values.push("fracture_loss", energy.fracture_loss);
        values.push("plastic_loss", energy.plastic_loss);
        values.push("damping_loss", energy.damping_loss);
        values.push("friction_loss", energy.friction_loss);
        values.push("constraint_loss", energy.constraint_loss);
        values.push("external_work", energy.external_work);
        values.push("contacts", totals.contacts);
        values.push("contact_force", totals.force_sum);
        values.push("broken_springs", solids.iter().map(|solid| solid.broken_springs).sum::<u64>());
        values.push("fragments", solids.iter().map(|solid| solid.fragments).sum::<u64>());
        values.push("reached", reached as f64 / particles.max(1) as f64);
        values.push_vector("momentum", &momentum);
        for (number, solid) in solids.iter().enumerate() {
            values.push_vector(&format!("solid_{number}"), &solid.center);
            for (axis, velocity) in AXES.iter().zip(solid.velocity.iter()) {
                values.push(format!("solid_{number}_v{axis}"), *velocity);
            }
            values.push(format!("solid_{number}_fragments"), solid.fragments);
        }
        values
    }

    fn contacts(&self) -> Vec<EngineContact<D>> {
        self.contacts()
    }

    fn wall_loads(&self) -> Vec<WallLoad> {
        self.wall_loads()
    }

    fn apply(&mut self, changes: &[BodyChange<D>]) -> Result<(), Error> {
        self.apply(changes)
    }

    fn insert(&mut self, _: &[NewBody<D>]) -> Result<Range<u32>, Error> {
        Err(particles_stay())
    }

    fn remove(&mut self, _: &[u32]) -> Result<(), Error> {
        Err(particles_stay())
    }

    fn save(&self, arrays: &mut SavedArrays) {
        *arrays = SavedArrays::of_engine(self.name(), D);
        self.saved_state().put_into(arrays);
    }

    fn restore(&mut self, arrays: &mut SavedArrays) -> Result<(), Error> {
        arrays.expect(self.name(), D)?;
        self.restore_state(bonded::SavedState::take_from(arrays, self.bodies())?)
    }

    fn check(&self) -> Result<(), String> {
        self.surface_fault().map_or(Ok(()), Err)
    }
}
