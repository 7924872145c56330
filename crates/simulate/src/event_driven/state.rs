//! Bodies of an event-driven simulation as arrays, and changes of them between events.

use super::body::{Body, BodyStart};
use super::checks;
use super::properties::CollisionProperties;
use super::simulation::Simulation;
use crate::body_ids::retained;
use crate::state::refill;
use crate::{BodyChange, BodyProperty, BoundaryCondition, Error, NewBody, State, StateArray};
use carom_geometry::Vector;
use nalgebra::UnitQuaternion;
use std::ops::Range;

impl<const D: usize> Simulation<D> {
    /// Returns the ids of all bodies, by their numbers.
    pub fn ids(&self) -> Vec<u32> {
        self.body_ids().all()
    }

    /// Returns a copy of the state of all bodies; positions are wrapped into the box on periodic axes.
    pub fn state(&self) -> State<D> {
        let mut state = State::default();
        self.read_state(&StateArray::ALL, &mut state);
        state
    }

    /// Fills these arrays of a state, and sets its time; see [`Engine::read_state`](crate::Engine::read_state).
    pub fn read_state(&self, arrays: &[StateArray], state: &mut State<D>) {
        state.time = self.now();
        let all = 0..self.count();
        for array in arrays {
            let all = all.clone();
            match array {
                StateArray::Ids => self.body_ids().write(&mut state.ids),
                StateArray::Positions => {
                    refill(&mut state.positions, all.map(|body| self.position(body)));
                }
                StateArray::Velocities => {
                    refill(&mut state.velocities, all.map(|body| self.velocity(body)));
                }
                // Hard spheres do not rotate.
                StateArray::AngularVelocities => state.angular_velocities.clear(),
                StateArray::Orientations => state.orientations.clear(),
                StateArray::Radii => refill(&mut state.radii, all.map(|body| self.radius(body))),
                StateArray::Masses => refill(&mut state.masses, all.map(|body| self.mass(body))),
                StateArray::Materials => {
                    let materials = all.map(|body| u32::from(self.material(body)));
                    refill(&mut state.materials, materials);
                }
            }
        }
    }

    /// Changes positions, velocities and materials; all changes are made or, if an error is returned, none.
    ///
    /// Bodies are checked as at the start: they must not overlap and must lie in the box. The neighbor structure and
    /// all predictions are rebuilt, so that many changes should be made in one call.
    ///
    /// ```
    /// use carom_geometry::Vector;
    /// use carom_simulate::event_driven::{BodyStart, Settings, Simulation};
    /// use carom_simulate::{BodyChange, BodyProperty, Region};
    /// let start = BodyStart::new([1.0, 1.0], [0.0, 0.0], 0.5);
    /// let mut simulation = Simulation::new(&[start], Settings::new(Region::periodic([9.0, 9.0])))?;
    /// let to = BodyProperty::Velocity([2.0, 0.0].into());
    /// simulation.apply(&[BodyChange { body: 0, to }])?;
    /// simulation.advance(1.5, u64::MAX);
    /// assert_eq!(simulation.position(0), Vector::from([4.0, 1.0]));
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn apply(&mut self, changes: &[BodyChange<D>]) -> Result<(), Error> {
        let mut bodies = self.starts();
        for change in changes {
            change.check()?;
            let number = self.body_ids().number(change.body)? as usize;
            let body = &mut bodies[number];
            match change.to {
                BodyProperty::Position(position) => {
                    // A body on a periodic face is shown on one side of it and may be kept on the other.
                    let shown = self.position(number);
                    let kept = body.position;
                    body.position = Vector::from_fn(|axis, _| {
                        if position[axis] == shown[axis] { kept[axis] } else { position[axis] }
                    });
                }
                BodyProperty::Velocity(velocity) => body.velocity = velocity,
                BodyProperty::Material(material) => {
                    let none = "there is no material of this number";
                    body.material = u16::try_from(material).map_err(|_| change.refuse(none))?;
                }
                _ => {
                    let rule = "hard spheres have positions, velocities and materials only";
                    return Err(change.refuse(rule));
                }
            }
        }
        checks::bodies(&bodies, self.settings())?;
        let mut saved = self.saved_state();
        let now = saved.now;
        if bodies.iter().any(|body| body.material > 0) {
            saved.properties.materials = bodies.iter().map(|body| body.material).collect();
        }
        // The others keep their records, so that their paths keep their bits.
        for change in changes {
            let number = self.body_ids().number(change.body)? as usize;
            let (record, body) = (&mut saved.records[number], &bodies[number]);
            (record.position, record.velocity, record.clock) = (body.position, body.velocity, now);
        }
        self.restart(saved)
    }

    /// Returns the number of the body with an id, if it is there.
    pub fn number_of(&self, id: u32) -> Option<usize> {
        self.body_ids().number(id).ok().map(|number| number as usize)
    }

    /// Inserts hard spheres between two events and returns their ids; all of them or, if an error is returned, none.
    ///
    /// They are checked as at the start: they must not overlap others and must lie in the box. While radii grow, none
    /// can be inserted.
    ///
    /// ```
    /// use carom_simulate::event_driven::{BodyStart, Settings, Simulation};
    /// use carom_simulate::{NewBody, Region};
    /// let start = BodyStart::new([1.0, 1.0], [0.0, 0.0], 0.5);
    /// let mut simulation = Simulation::new(&[start], Settings::new(Region::periodic([9.0, 9.0])))?;
    /// simulation.advance(2.0, u64::MAX);
    /// let new = NewBody { velocity: [-1.0, 0.0].into(), ..NewBody::at_rest([4.0, 1.0], 0.5, 1.0) };
    /// assert_eq!(simulation.insert(&[new])?, 1..2);
    /// simulation.advance(4.5, u64::MAX);
    /// assert_eq!(simulation.counters().collisions, 1);
    /// simulation.remove(&[0])?;
    /// assert_eq!(simulation.state().ids, [1]);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn insert(&mut self, new: &[NewBody<D>]) -> Result<Range<u32>, Error> {
        let mut saved = self.saved_state();
        if self.settings().growth.is_some() {
            let (what, value) = ("the number of bodies to insert", new.len().to_string());
            return Err(Error::Setting { what, value, rule: "radii grow in this run" });
        }
        let mut bodies = self.starts();
        for (number, body) in (bodies.len()..).zip(new) {
            check_smooth_sphere(number, body)?;
            let no_material = Error::Body {
                body: number,
                what: "material",
                value: body.material.to_string(),
                rule: "there is no material of this number",
            };
            bodies.push(BodyStart {
                position: body.position,
                velocity: body.velocity,
                radius: body.radius,
                mass: body.mass,
                material: u16::try_from(body.material).map_err(|_| no_material)?,
            });
        }
        checks::bodies(&bodies, self.settings())?;
        saved.records.extend(new.iter().map(|body| Body {
            position: body.position,
            velocity: body.velocity,
            clock: saved.now,
            radius: body.radius,
        }));
        let counted = CollisionProperties::of(&bodies, self.settings().count_passages);
        let properties = &mut saved.properties;
        (properties.common_mass, properties.masses) = (counted.common_mass, counted.masses);
        properties.materials = counted.materials;
        if !properties.last_contacts.is_empty() {
            properties.last_contacts.resize(bodies.len(), f64::NEG_INFINITY);
        }
        properties.passages.resize(counted.passages.len(), [0; D]);
        self.restart(saved)?;
        Ok(self.body_ids_mut().insert(new.len()))
    }

    /// Removes the hard spheres with these ids between two events; the others keep theirs.
    ///
    /// Errors if there is no body with an id, if it is named twice, or if none would be left; then none is removed.
    pub fn remove(&mut self, ids: &[u32]) -> Result<(), Error> {
        let kept = self.body_ids().kept(ids)?;
        if !kept.contains(&true) {
            let (what, value) = ("the number of bodies to remove", ids.len().to_string());
            let rule = "an event-driven run needs at least one body";
            return Err(Error::Setting { what, value, rule });
        }
        let mut saved = self.saved_state();
        saved.records = retained(&saved.records, &kept);
        let properties = &mut saved.properties;
        properties.masses = retained(&properties.masses, &kept);
        properties.materials = retained(&properties.materials, &kept);
        properties.last_contacts = retained(&properties.last_contacts, &kept);
        properties.passages = retained(&properties.passages, &kept);
        self.restart(saved)?;
        self.body_ids_mut().retain(&kept);
        Ok(())
    }

    /// Returns all bodies at the present, as those of a start.
    ///
    /// A body on a periodic face stays on its side of it, unlike in [`position`](Self::position): its passage through
    /// the face is counted or not yet counted accordingly.
    pub(super) fn starts(&self) -> Vec<BodyStart<D>> {
        let start = |body| BodyStart {
            position: self.position_between_faces(body),
            velocity: self.velocity(body),
            radius: self.radius(body),
            mass: self.mass(body),
            material: self.material(body),
        };
        (0..self.count()).map(start).collect()
    }

    /// Returns the present position of a body, on periodic axes moved back onto a face that rounding put it beyond.
    fn position_between_faces(&self, body: usize) -> Vector<D> {
        let (position, region) = (self.recorded_position(body), &self.settings().region);
        Vector::from_fn(|axis, _| match region.boundary_conditions[axis] {
            BoundaryCondition::Periodic => position[axis].clamp(0.0, region.size[axis]),
            _ => position[axis],
        })
    }
}

/// Refuses what hard spheres do not have.
fn check_smooth_sphere<const D: usize>(number: usize, body: &NewBody<D>) -> Result<(), Error> {
    let refused = |what, value, rule| Err(Error::Body { body: number, what, value, rule });
    if let Some(shape) = body.shape {
        let rule = "in an event-driven run all bodies are discs or spheres";
        return refused("shape", shape.to_string(), rule);
    }
    let rule = "hard spheres are smooth and do not turn; leave it at zero";
    if body.angular_velocity != Vector::<3>::zeros() {
        let value = format!("{:?}", body.angular_velocity.as_slice());
        return refused("angular velocity", value, rule);
    }
    match body.orientation == UnitQuaternion::identity() {
        true => Ok(()),
        false => refused("an orientation by", format!("{}", body.orientation.angle()), rule),
    }
}

#[cfg(test)]
mod tests {
    use super::{BodyChange, BodyProperty, BodyStart, NewBody, Simulation};
    use crate::event_driven::{Region, Settings};

    /// A body that is on a periodic face, or next to it by rounding, at time `until`; its start and velocity on x.
    const ON_A_FACE: [(f64, f64, f64); 6] = [
        (1.0, -1.0, 1.0),
        (0.1, -1.0, 0.1),
        (0.7, -1.0, 0.7),
        (9.0, 1.0, 1.0),
        (9.3, 1.0, 0.7),
        (9.9, 1.0, 0.1),
    ];

    /// Lets bodies come to a face, interrupts them there, and checks where they are a while later.
    fn assert_passages_are_kept(interrupt: impl Fn(&mut Simulation<2>)) {
        for (x, speed, until) in ON_A_FACE {
            let settings =
                Settings { count_passages: true, ..Settings::new(Region::periodic([10.0; 2])) };
            let body = BodyStart::new([x, 5.0], [speed, 0.0], 0.3);
            let mut simulation = Simulation::new(&[body], settings).unwrap();
            simulation.advance(until, u64::MAX);
            interrupt(&mut simulation);
            simulation.advance(13.0, u64::MAX);
            let (is, expected) = (simulation.unwrapped_position(0).x, x + speed * 13.0);
            assert!((is - expected).abs() < 1e-9, "from {x}: at {is}, not {expected}");
            assert_eq!(simulation.counters().passages, 2);
        }
    }

    #[test]
    fn new_settings_keep_the_passages_of_a_body_on_a_face() {
        assert_passages_are_kept(|simulation| {
            simulation.change_settings(simulation.settings().clone()).unwrap();
        });
    }

    #[test]
    fn changes_of_a_body_on_a_face_keep_its_passages() {
        assert_passages_are_kept(|simulation| {
            let velocity = BodyProperty::Velocity(simulation.velocity(0));
            simulation.apply(&[BodyChange { body: 0, to: velocity }]).unwrap();
            let place = BodyProperty::Position(simulation.position(0));
            simulation.apply(&[BodyChange { body: 0, to: place }]).unwrap();
        });
    }

    #[test]
    fn other_bodies_come_and_go_while_one_is_on_a_face() {
        assert_passages_are_kept(|simulation| {
            let ids = simulation.insert(&[NewBody::at_rest([5.0, 1.0], 0.3, 1.0)]).unwrap();
            simulation.remove(&[ids.start]).unwrap();
        });
    }
}
