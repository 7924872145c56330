//! Bodies of an event-driven simulation as arrays, and changes of them between events.

use super::body::BodyStart;
use super::checks;
use super::simulation::Simulation;
use crate::{BodyChange, BodyProperty, Error, State};

impl<const D: usize> Simulation<D> {
    /// Returns a copy of the state of all bodies; positions are wrapped into the box on periodic axes.
    pub fn state(&self) -> State<D> {
        let all = 0..self.count();
        State {
            time: self.now(),
            positions: all.clone().map(|body| self.position(body)).collect(),
            velocities: all.clone().map(|body| self.velocity(body)).collect(),
            angular_velocities: Vec::new(),
            orientations: Vec::new(),
            radii: all.clone().map(|body| self.radius(body)).collect(),
            masses: all.clone().map(|body| self.mass(body)).collect(),
            materials: all.map(|body| u32::from(self.material(body))).collect(),
        }
    }

    /// Changes positions, velocities and materials; all changes are made or, if an error is returned, none.
    ///
    /// Bodies are checked as at the start: they must not overlap and must lie in the box. The neighbor structure and
    /// all predictions are rebuilt, so that many changes should be made in one call.
    pub fn apply(&mut self, changes: &[BodyChange<D>]) -> Result<(), Error> {
        let mut bodies: Vec<BodyStart<D>> = (0..self.count())
            .map(|body| BodyStart {
                position: self.position(body),
                velocity: self.velocity(body),
                radius: self.radius(body),
                mass: self.mass(body),
                material: self.material(body),
            })
            .collect();
        for change in changes {
            change.check(bodies.len())?;
            let body = &mut bodies[change.body as usize];
            match change.to {
                BodyProperty::Position(position) => body.position = position,
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
        let mut saved = self.save();
        let now = saved.now;
        if bodies.iter().any(|body| body.material > 0) {
            saved.properties.materials = bodies.iter().map(|body| body.material).collect();
        }
        // The others keep their records, so that their paths keep their bits.
        for number in changes.iter().map(|change| change.body as usize) {
            let (record, body) = (&mut saved.records[number], &bodies[number]);
            (record.position, record.velocity, record.clock) = (body.position, body.velocity, now);
        }
        // Accelerations depend on position and velocity; they are evaluated again.
        saved.accelerations.clear();
        *self = Simulation::resume(saved, self.settings().clone())?;
        Ok(())
    }
}
