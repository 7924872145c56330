//! A contact law of one's own, beside or instead of the built-in ones.

use super::body::ForceTorque;
use super::simulation::Simulation;
use crate::{ContactObstacle, EngineContact, Error};
use carom_geometry::{Vector, embed_in_3d};

/// A contact as a contact law sees it.
///
/// ```
/// use carom_simulate::{ContactObstacle, dem::ContactState};
/// // A ball of radius 2 that slides over a floor at 3 while it sinks in at 1.
/// let contact = ContactState::<2> {
///     body: 0,
///     obstacle: ContactObstacle::Wall(0),
///     position: [0.0, 0.0].into(),
///     normal: [0.0, -1.0].into(),
///     overlap: 0.01,
///     velocity: [3.0, -1.0].into(),
///     radii: [2.0, f64::INFINITY],
/// };
/// assert_eq!((contact.approach_speed(), contact.sliding_velocity()), (1.0, [3.0, 0.0].into()));
/// assert_eq!(contact.reduced_radius(), 2.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactState<const D: usize> {
    /// The first body, by its id; of two bodies the one with the smaller.
    pub body: u32,
    /// The body or wall that it touches.
    pub obstacle: ContactObstacle,
    /// Contact point.
    pub position: Vector<D>,
    /// Unit normal, from the first body to the obstacle.
    pub normal: Vector<D>,
    /// Overlap (penetration depth), a length.
    pub overlap: f64,
    /// Velocity of the first body relative to the obstacle at the contact point.
    pub velocity: Vector<D>,
    /// Radii of curvature of both at the contact point; infinite for a wall.
    pub radii: [f64; 2],
}

impl<const D: usize> ContactState<D> {
    /// Returns the speed at which both approach each other along the normal; negative where they part.
    pub fn approach_speed(&self) -> f64 {
        self.velocity.dot(&self.normal)
    }

    /// Returns the velocity along the contact plane, at which the contact slides.
    pub fn sliding_velocity(&self) -> Vector<D> {
        self.velocity - self.normal * self.approach_speed()
    }

    /// Returns the reduced radius `r1 r2 / (r1 + r2)`, that of the first at a wall.
    pub fn reduced_radius(&self) -> f64 {
        self.radii[0] / (1.0 + self.radii[0] / self.radii[1])
    }
}

/// The force of a contact on its first body as a function of the contact; the obstacle gets the opposite.
pub type ContactForceFunction<const D: usize> = dyn Fn(&ContactState<D>) -> Vector<D> + Send + Sync;

impl<const D: usize> Simulation<D> {
    /// Adds a contact law of one's own: the force on the first body of every contact, at the contact point; the other
    /// gets the opposite. It acts beside the laws of the settings; with [`CompositeLaw::spring(0.0)`] it is alone, and
    /// the settings must then give a time step that is short against its collisions.
    ///
    /// Called with all contacts once per time step, on one thread. What it does counts as external work, also what it
    /// dissipates. [`contacts`](Self::contacts), [`wall_loads`](Self::wall_loads), contact energy and pressure are those of
    /// the laws of the settings, without it. Like [`add_force`](Self::add_force) it is not part of a saved state.
    ///
    /// [`CompositeLaw::spring(0.0)`]: super::CompositeLaw::spring
    ///
    /// ```
    /// use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation};
    /// let law = CompositeLaw::spring(0.0);
    /// let settings = Settings { time_step: Some(1e-4), ..Settings::with_law(law) };
    /// let bodies = [
    ///     Body { velocity: [1.0, 0.0].into(), ..Body::at_rest([0.0, 0.0], 0.5, 1.0) },
    ///     Body::at_rest([1.1, 0.0], 0.5, 1.0),
    /// ];
    /// let mut simulation = Simulation::new(&bodies, settings)?;
    /// // A stiffening spring, as of a foam.
    /// simulation.add_contact_force(|contact| contact.normal * (-1e5 * contact.overlap.powi(2)));
    /// simulation.advance(10_000)?;
    /// assert!((simulation.body(1).velocity.x - 1.0).abs() < 1e-3, "it has passed its velocity on");
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn add_contact_force(
        &mut self,
        law: impl Fn(&ContactState<D>) -> Vector<D> + Send + Sync + 'static,
    ) {
        if !self.has_saved_forces {
            let loads = self.contact_loads(&law);
            loads.iter().flatten().for_each(|(index, load)| self.add_load(*index, load));
        }
        self.contact_force_functions.push(Box::new(law));
    }

    /// Adds the forces of all contact laws of the user's own.
    pub(super) fn add_own_contact_forces(&mut self) -> Result<(), Error> {
        if self.contact_force_functions.is_empty() {
            return Ok(());
        }
        let functions = std::mem::take(&mut self.contact_force_functions);
        let loads: Result<Vec<_>, Error> =
            functions.iter().map(|law| self.contact_loads(law)).collect();
        self.contact_force_functions = functions;
        for (index, load) in loads?.iter().flatten() {
            self.add_load(*index, load);
        }
        Ok(())
    }

    /// Returns the forces and torques of a law on bodies, by their storage indices.
    fn contact_loads(
        &self,
        law: &ContactForceFunction<D>,
    ) -> Result<Vec<(usize, ForceTorque)>, Error> {
        let mut loads = Vec::new();
        let mut wrong = None;
        self.visit_contacts(|visited| {
            let EngineContact { body, obstacle, position, normal, overlap, .. } = visited.contact;
            let velocity = Vector::from_fn(|axis, _| visited.velocity[axis]);
            let radii = visited.radii;
            let contact =
                ContactState { body, obstacle, position, normal, overlap, velocity, radii };
            let force = embed_in_3d(&law(&contact));
            if let Some(value) = force.iter().find(|part| !part.is_finite()) {
                let (what, value) = ("a contact force of", value.to_string());
                let body = body as usize;
                let error = Error::Body { body, what, value, rule: "it must be finite" };
                wrong.get_or_insert(error);
                return;
            }
            for (index, arm, sign) in [
                (visited.indices[0], visited.arms[0], 1.0),
                (visited.indices[1], visited.arms[1], -1.0),
            ] {
                let load = ForceTorque { force: force * sign, torque: arm.cross(&(force * sign)) };
                loads.extend(index.map(|index| (index, load)));
            }
        });
        wrong.map_or(Ok(loads), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dem::{Body, CompositeLaw, Gravity, Settings, Wall};

    fn settings<const D: usize>(time_step: f64) -> Settings<D> {
        let law = CompositeLaw::spring(0.0);
        Settings { time_step: Some(time_step), ..Settings::with_law(law) }
    }

    fn directions() -> [Vector<3>; 3] {
        [[1.0, 0.0, 0.0], [0.0, 0.6, -0.8], [-0.48, 0.6, 0.64]].map(Vector::from)
    }

    /// The built-in spring as a law of one's own gives the same collision, in every direction.
    #[test]
    fn a_spring_of_ones_own_is_the_built_in_one() {
        for along in directions() {
            let bodies = [
                Body { velocity: along, ..Body::at_rest(-along * 0.55, 0.5, 1.0) },
                Body::at_rest(along * 0.55, 0.5, 2.0),
            ];
            let mut own = Simulation::new(&bodies, settings::<3>(1e-4)).unwrap();
            own.add_contact_force(|contact| contact.normal * (-1e3 * contact.overlap));
            let built_in =
                Settings { contact_laws: vec![CompositeLaw::spring(1e3)], ..settings(1e-4) };
            let mut expected = Simulation::new(&bodies, built_in).unwrap();
            for simulation in [&mut own, &mut expected] {
                simulation.advance(5000).unwrap();
            }
            for number in 0..2 {
                let [found, expected] = [&own, &expected].map(|it| it.body(number).velocity);
                assert!((found - expected).norm() < 1e-9, "{found} {expected}");
            }
        }
    }

    /// Friction of one's own turns a sphere that slides on a plane until it rolls, with 5/7 of its speed.
    #[test]
    fn friction_of_ones_own_makes_a_sphere_roll() {
        let walls = vec![Wall::plane([0.0, 0.0, 1.0], 0.0)];
        let gravity = Gravity { acceleration: [0.0, 0.0, -10.0].into(), ..Gravity::none() };
        let start =
            Body { velocity: [0.6, 0.8, 0.0].into(), ..Body::at_rest([0.0, 0.0, 0.499], 0.5, 1.0) };
        let settings = Settings { walls, gravity, ..settings(1e-4) };
        let mut simulation = Simulation::new(&[start], settings).unwrap();
        simulation.add_contact_force(|contact| {
            let push = 1e4 * contact.overlap + 60.0 * contact.approach_speed();
            let slide = contact.sliding_velocity();
            -contact.normal * push - slide * (0.3 * push / slide.norm().max(1e-3))
        });
        simulation.advance(20_000).unwrap();
        let body = simulation.body(0);
        assert!((body.velocity.xy().norm() - 5.0 / 7.0).abs() < 2e-3, "{body:?}");
        let rolling = body.angular_velocity.cross(&Vector::from([0.0, 0.0, 0.5]));
        assert!((rolling - body.velocity).xy().norm() < 2e-3, "{body:?}");
    }

    #[test]
    fn a_law_without_a_number_is_refused_and_a_resumed_run_has_the_same_bits() {
        let bodies = [0.0, 0.9, 1.8].map(|x| Body::at_rest([x, 0.0], 0.5, 1.0));
        let law = |contact: &ContactState<2>| contact.normal * (-1e3 * contact.overlap);
        let mut simulation = Simulation::new(&bodies, settings(1e-3)).unwrap();
        simulation.add_contact_force(law);
        simulation.advance(37).unwrap();
        let saved = simulation.save();
        let mut again = Simulation::resume(&saved, simulation.settings().clone()).unwrap();
        again.add_contact_force(law);
        for simulation in [&mut simulation, &mut again] {
            simulation.advance(100).unwrap();
        }
        assert_eq!(simulation.state(), again.state());
        let mut wrong = Simulation::new(&bodies, settings(1e-3)).unwrap();
        wrong.add_contact_force(|contact| contact.normal / (contact.overlap - contact.overlap));
        let sentence = wrong.advance(1).unwrap_err().to_string();
        assert!(
            sentence.contains("a contact force of") && sentence.contains("finite"),
            "{sentence}"
        );
    }
}
