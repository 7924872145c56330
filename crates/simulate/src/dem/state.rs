//! Bodies of a DEM simulation as arrays, and changes of them between steps.

use super::body::ForceTorque;
use super::contact_law::ContactLaw;
use super::energy_guard::EnergyGuard;
use super::neighbor_list::ContactHistoryTable;
use super::rotation_state::RotationState;
use super::saved::{contact_history, numbers_of};
use super::simulation::{Settings, Simulation};
use crate::{BodyChange, BodyProperty, Error, State, StateArray};
use carom_geometry::{Vector, embed_in_3d};

impl<const D: usize, L: ContactLaw> Simulation<D, L> {
    /// Returns the ids of all bodies, by their numbers.
    pub fn ids(&self) -> Vec<u32> {
        self.body_ids.all()
    }

    /// Returns a copy of the state of all bodies, with positions inside the box on periodic axes.
    pub fn state(&self) -> State<D> {
        let mut state = State::default();
        self.read_state(&StateArray::ALL, &mut state);
        state
    }

    /// Fills these arrays of a state, and sets its time; see [`Engine::read_state`](crate::Engine::read_state).
    pub fn read_state(&self, arrays: &[StateArray], state: &mut State<D>) {
        self.gather().read(arrays, state);
    }

    /// Returns the present position of a body, unwrapped: as if it had never been put back into the periodic box.
    ///
    /// ```
    /// use carom_geometry::{Boundary, Vector};
    /// use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation};
    /// let boundary = Boundary::periodic([Some(10.0), None])?;
    /// let law = CompositeLaw::spring(1e4);
    /// let settings = Settings { boundary, time_step: Some(0.0078125), ..Settings::with_law(law) };
    /// let start = Body { velocity: [-4.0, 1.0].into(), ..Body::at_rest([1.0, 5.0], 1.0, 1e3) };
    /// let mut simulation = Simulation::new(&[start], settings)?;
    /// simulation.advance(1024)?;
    /// assert_eq!(simulation.state().positions[0], Vector::from([9.0, 13.0]));
    /// assert_eq!(simulation.unwrapped_position(0), Vector::from([-31.0, 13.0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Where the number is not below [`body_count`](Self::body_count).
    pub fn unwrapped_position(&self, body: usize) -> Vector<D> {
        let index = self.index_of_body[body] as usize;
        let position = self.bodies.unwrapped_position(index, &self.boundary);
        Vector::from_fn(|axis, _| position[axis])
    }

    /// Returns the forces that act on bodies now by contacts and from outside, without their weight, by their numbers.
    ///
    /// ```
    /// use carom_geometry::Vector;
    /// use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation};
    /// // Two discs, 1/16 deep in each other.
    /// let bodies = [0.0, 0.9375].map(|x| Body::at_rest([x, 0.0], 0.5, 1.0));
    /// let simulation = Simulation::new(&bodies, Settings::with_law(CompositeLaw::spring(1024.0)))?;
    /// let forces: [Vector<2>; 2] = [[-64.0, 0.0].into(), [64.0, 0.0].into()];
    /// assert_eq!(simulation.forces(), forces);
    /// assert_eq!(simulation.torques(), [Vector::<3>::zeros(); 2]);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn forces(&self) -> Vec<Vector<D>> {
        let of = |load: &ForceTorque| Vector::from_fn(|axis, _| load.force[axis]);
        self.forces_torques().map(of).collect()
    }

    /// Returns the torques that act on bodies now, by their numbers; in 2D only the third component is not zero.
    pub fn torques(&self) -> Vec<Vector<3>> {
        self.forces_torques().map(|load| load.torque).collect()
    }

    fn forces_torques(&self) -> impl Iterator<Item = &ForceTorque> {
        self.index_of_body.iter().map(|&index| &self.bodies.forces_torques[index as usize])
    }

    /// Changes bodies between two steps; all changes are made or, if an error is returned, none. What they change in
    /// energy counts as external work. A body that is moved into another or into a wall is not refused.
    ///
    /// ```
    /// use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation};
    /// use carom_simulate::{BodyChange, BodyProperty};
    /// let bodies = [Body::at_rest([0.0; 3], 0.5, 2.0)];
    /// let mut simulation = Simulation::new(&bodies, Settings::with_law(CompositeLaw::spring(1e4)))?;
    /// let force = BodyProperty::Force([4.0, 0.0, 0.0].into());
    /// simulation.apply(&[BodyChange { body: 0, to: force }])?;
    /// simulation.advance(1000)?;
    /// let speed = 2.0 * simulation.now();
    /// assert!((simulation.body(0).velocity.x / speed - 1.0).abs() < 1e-9);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn apply(&mut self, changes: &[BodyChange<D>]) -> Result<(), Error> {
        for change in changes {
            change.check()?;
            self.body_ids.number(change.body)?;
            if let BodyProperty::Material(material) = change.to
                && material as usize >= self.settings.material_count
            {
                return Err(change.refuse("there is no material of this number"));
            }
            if self.sets_held_body_in_motion(changes, change) {
                return Err(change.refuse("the body is held at its place; let it go first"));
            }
        }
        if changes
            .iter()
            .all(|it| matches!(it.to, BodyProperty::Force(_) | BodyProperty::Torque(_)))
        {
            // Forces alone change no contact: the neighbor list stays.
            return self.change_loads(changes);
        }
        self.change_or_restore(|simulation| {
            let history = simulation.neighbors.contact_history(&simulation.bodies);
            simulation.change_bodies(&history, |simulation| {
                for change in changes {
                    let number = simulation.body_ids.number(change.body)?;
                    simulation.change(simulation.index_of_body[number as usize] as usize, change);
                }
                Ok(())
            })
        })
    }

    /// Continues under other settings from the present moment on: gravity, walls, contact laws. What they change in
    /// energy counts as external work. Contact history with walls is kept for those that `wall_numbers`, which has an
    /// entry for each old wall, gives a number among the new ones. Forces that were added as functions are gone.
    ///
    /// Errors if the boundary or the shapes differ, or if the settings are not usable; then nothing changes. The time
    /// step stays as it is, and must be stable under the new settings.
    ///
    /// ```
    /// use carom_simulate::dem::{Body, CompositeLaw, Gravity, Settings, Simulation};
    /// let body = Body::at_rest([0.0, 9.0], 0.5, 2.0);
    /// let mut simulation = Simulation::new(&[body], Settings::with_law(CompositeLaw::spring(1e4)))?;
    /// simulation.advance(100)?;
    /// let gravity = Gravity::from(carom_geometry::Vector::from([0.0, -1.0]));
    /// simulation.change_settings(Settings { gravity, ..simulation.settings().clone() }, &[])?;
    /// let start = simulation.now();
    /// simulation.advance(100)?;
    /// assert!((simulation.body(0).velocity.y + simulation.now() - start).abs() < 1e-12);
    /// assert!((simulation.energy().total() - 0.0).abs() < 1e-9);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn change_settings(
        &mut self,
        settings: Settings<D, L>,
        wall_numbers: &[Option<u32>],
    ) -> Result<(), Error> {
        let refuse =
            |what, value: usize, rule| Err(Error::Setting { what, value: value.to_string(), rule });
        let old = &self.settings;
        if wall_numbers.len() != old.walls.len() {
            let rule = "there must be one for each wall";
            return refuse("the number of wall numbers", wall_numbers.len(), rule);
        }
        if let Some(&number) =
            wall_numbers.iter().flatten().find(|&&it| it as usize >= settings.walls.len())
        {
            return refuse("a wall number", number as usize, "there is no such wall");
        }
        if settings.shapes.len() != old.shapes.len() {
            return refuse("the number of shapes", settings.shapes.len(), "it must stay as it is");
        }
        let same = |axis| settings.boundary.period(axis) == old.boundary.period(axis);
        if let Some(axis) = (0..D).find(|&axis| !same(axis)) {
            return refuse("the period of the axis of number", axis, "it must stay as it is");
        }
        let (before, mut saved) = (self.energy().total(), self.saved_state());
        let contacts = saved.wall_contact_keys.iter().enumerate();
        let mut kept: Vec<([u32; 3], &[f64])> = contacts
            .filter_map(|(number, &[body, key, triangle])| {
                // The upper half is the sphere of a clump.
                let (wall, sphere) = (key & 0xffff, key & !0xffff);
                let wall = wall_numbers.get(wall as usize).copied().flatten()?;
                let history = numbers_of::<L::History>(&saved.wall_histories, number);
                Some(([body, wall | sphere, triangle], history))
            })
            .collect();
        kept.sort_by_key(|contact| contact.0);
        let (keys, histories): (Vec<_>, Vec<_>) = kept.into_iter().unzip();
        (saved.wall_contact_keys, saved.wall_histories) = (keys, histories.concat());
        let mut changed = Simulation::resume(&saved, settings)?;
        // The saved history, not what a search at the time of the last one finds of it: walls may have moved otherwise.
        changed.rebuild_neighbor_list(&contact_history(&saved))?;
        let snapshot = changed.neighbors.history_snapshot();
        changed.compute_present_forces(Some(snapshot))?;
        changed.has_saved_forces = false;
        changed.external_work += changed.energy().total() - before;
        changed.energy_guard = EnergyGuard::start(&changed)?;
        changed.allow_energy_gain(self.energy_guard.is_off);
        *self = changed;
        Ok(())
    }

    /// Whether one of several changes gives a velocity to a body that is held when its turn comes.
    fn sets_held_body_in_motion(&self, changes: &[BodyChange<D>], change: &BodyChange<D>) -> bool {
        let is_moved = match change.to {
            BodyProperty::Velocity(velocity) => velocity != Vector::<D>::zeros(),
            BodyProperty::AngularVelocity(velocity) => velocity != Vector::<3>::zeros(),
            _ => false,
        };
        if !is_moved {
            return false;
        }
        let before = changes.iter().take_while(|it| !std::ptr::eq(*it, change));
        let holds = before.filter(|it| it.body == change.body).filter_map(|it| match it.to {
            BodyProperty::Fixed(is_fixed) => Some(is_fixed),
            _ => None,
        });
        let is_held_now = || {
            let number = self.body_ids.number(change.body).unwrap_or_default();
            self.bodies.motions[self.index_of_body[number as usize] as usize].is_held()
        };
        holds.last().unwrap_or_else(is_held_now)
    }

    /// Changes forces and torques from outside, which leaves contacts as they are: computing their forces again would
    /// replace those of the last step, whose damping and slip are those of half a step earlier.
    fn change_loads(&mut self, changes: &[BodyChange<D>]) -> Result<(), Error> {
        for change in changes {
            let number = self.body_ids.number(change.body)?;
            let index = self.index_of_body[number as usize] as usize;
            let before = *self.external_load(index);
            self.change(index, change);
            let after = *self.external_load(index);
            let difference = ForceTorque {
                force: after.force - before.force,
                torque: after.torque - before.torque,
            };
            self.add_load(index, &difference);
        }
        Ok(())
    }

    /// Makes a change, or leaves everything as it was where it fails: at a place too far away for a search, or where a
    /// force from outside is not finite.
    pub(super) fn change_or_restore<T>(
        &mut self,
        change: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let saved = self.saved_state();
        let changed = change(self);
        if changed.is_err() {
            self.restore_state(&saved)?;
            self.has_saved_forces = false;
        }
        changed
    }

    /// Changes bodies between two steps and computes pairs and forces again, with the contact history given. What it
    /// changes in energy counts as external work.
    pub(super) fn change_bodies(
        &mut self,
        history: &ContactHistoryTable<L::History>,
        change: impl FnOnce(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let before = self.energy().total();
        change(self)?;
        self.rebuild_neighbor_list(history)?;
        let snapshot = self.neighbors.history_snapshot();
        self.compute_present_forces(Some(snapshot))?;
        self.external_work += self.energy().total() - before;
        let is_off = self.energy_guard.is_off;
        self.energy_guard = EnergyGuard::start(self)?;
        self.allow_energy_gain(is_off);
        Ok(())
    }

    fn change(&mut self, index: usize, change: &BodyChange<D>) {
        let bodies = &mut self.bodies;
        match change.to {
            BodyProperty::Position(place) => {
                // The place is given in the box, so the passages up to now have to be those of a place in the box.
                bodies.wrap(index, &self.boundary);
                bodies.positions[index].position = embed_in_3d(&place);
            }
            BodyProperty::Velocity(velocity) => {
                bodies.motions[index].velocity = embed_in_3d(&velocity);
            }
            BodyProperty::AngularVelocity(velocity) => self.set_angular_velocity(index, velocity),
            BodyProperty::Force(force) => self.external_load(index).force = embed_in_3d(&force),
            BodyProperty::Torque(torque) => self.external_load(index).torque = torque,
            BodyProperty::Material(material) => bodies.materials[index] = material,
            BodyProperty::Fixed(is_fixed) if bodies.motions[index].is_held() == is_fixed => {}
            BodyProperty::Fixed(is_fixed) => {
                bodies.hold(index, is_fixed);
                self.set_angular_velocity(index, Vector::zeros());
            }
        }
    }

    fn set_angular_velocity(&mut self, index: usize, velocity: Vector<3>) {
        let shapes = &self.shapes;
        let body = self.bodies.body(index, shapes);
        self.bodies.motions[index].angular_velocity = velocity;
        if let Some(number) = body.shape {
            let shape = &shapes[number as usize];
            self.bodies.rotation_states[index] =
                RotationState::new(number, shape, body.mass, &body.orientation, &velocity);
        }
    }

    fn external_load(&mut self, index: usize) -> &mut ForceTorque {
        let count = self.bodies.len();
        self.bodies.external.resize(count, ForceTorque::zero());
        &mut self.bodies.external[index]
    }
}
