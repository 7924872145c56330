//! Insertion and removal of bodies during a simulation.

use super::body::{Body, BodyArrays};
use super::checks;
use super::contact_law::{ContactLaw, LawHistory};
use super::neighbor_list::ContactHistoryTable;
use super::simulation::Simulation;
use super::wall;
use crate::body_ids::retained;
use crate::{Error, NewBody};
use carom_geometry::{Vector, embed_in_3d};
use std::ops::Range;

/// Numbers that differ by less than this fraction are equal but for rounding.
const ROUNDING: f64 = 1e-9;

impl<const D: usize, L: ContactLaw> Simulation<D, L> {
    /// Inserts bodies between two steps and returns their ids. Their energy counts as external work.
    ///
    /// Errors if a body breaks a rule; bodies that overlap others are not refused.
    ///
    /// ```
    /// use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation};
    /// let settings = Settings::with_law(CompositeLaw::spring(1e4));
    /// let mut simulation = Simulation::new(&[Body::at_rest([0.0, 0.0], 0.5, 1.0)], settings)?;
    /// let fast = Body { velocity: [2.0, 0.0].into(), ..Body::at_rest([5.0, 0.0], 0.5, 1.0) };
    /// assert_eq!(simulation.insert(&[fast])?, 1..2);
    /// // The kinetic energy that it brings along is external work.
    /// let energy = simulation.energy();
    /// assert_eq!((energy.kinetic_energy, energy.external_work, energy.total()), (2.0, 2.0, 0.0));
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn insert(&mut self, bodies: &[Body<D>]) -> Result<Range<u32>, Error> {
        let bodies: Vec<Body<3>> = bodies.iter().map(Body::embedded).collect();
        for (number, body) in (self.body_count()..).zip(&bodies) {
            checks::check_body(number, body, &self.settings)?;
        }
        checks::check_periods(self.body_count(), &bodies, &self.boundary, self.skin)?;
        self.change_or_restore(|simulation| {
            let before = simulation.energy().total();
            let history = simulation.neighbors.contact_history(&simulation.bodies);
            simulation.bodies.append(&bodies, D == 2, &simulation.shapes);
            simulation.rebuild_neighbor_list(&history)?;
            // The energy that comes with new bodies counts as work from outside, so that the books balance.
            simulation.external_work += simulation.energy().total() - before;
            Ok(simulation.body_ids.insert(bodies.len()))
        })
    }

    /// Inserts bodies as [`insert`](Self::insert) does, as every engine takes them.
    ///
    /// Errors also where a body of the plane would turn out of it, and where the radius of a body with a shape is not that
    /// of the shape.
    pub(crate) fn insert_new(&mut self, bodies: &[NewBody<D>]) -> Result<Range<u32>, Error> {
        for (number, body) in (self.body_count()..).zip(bodies) {
            self.check_new(number, body)?;
        }
        self.insert(&bodies.iter().map(Body::from).collect::<Vec<_>>())
    }

    /// Refuses what [`checks::check_body`] leaves to the caller.
    fn check_new(&self, number: usize, body: &NewBody<D>) -> Result<(), Error> {
        let refused = |what, value, rule| Err(Error::Body { body: number, what, value, rule });
        let (velocity, axis) = (body.angular_velocity, body.orientation.imag());
        if D == 2 && (velocity.x != 0.0 || velocity.y != 0.0) {
            let rule = "in 2D only its third component may differ from zero";
            return refused("angular velocity", format!("{:?}", velocity.as_slice()), rule);
        }
        if D == 2 && axis.x.abs().max(axis.y.abs()) > ROUNDING {
            let rule = "in 2D bodies turn about the third axis only";
            return refused("an orientation about", format!("{:?}", axis.as_slice()), rule);
        }
        let shape = body.shape.and_then(|shape| self.settings.shapes.get(shape as usize));
        match shape {
            Some(shape) if (body.radius - shape.radius).abs() > ROUNDING * shape.radius => {
                let rule = "it must be that of the bounding sphere of its shape";
                refused("radius", body.radius.to_string(), rule)
            }
            _ => Ok(()),
        }
    }

    /// Removes the bodies with these ids between two steps; the others keep theirs. What they take away of the energy
    /// counts as external work.
    ///
    /// Errors if there is no body with an id, if it is named twice, or if a force from outside is not finite; then none
    /// is removed.
    ///
    /// ```
    /// use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation};
    /// let bodies = [0.0, 2.0, 4.0].map(|x| Body::at_rest([x, 0.0], 0.5, 1.0));
    /// let mut simulation = Simulation::new(&bodies, Settings::with_law(CompositeLaw::spring(1e4)))?;
    /// simulation.remove(&[1])?;
    /// let new = simulation.insert(&[Body::at_rest([6.0, 0.0], 0.5, 1.0)])?;
    /// assert_eq!(new, 3..4);
    /// assert_eq!(simulation.state().ids, [0, 2, 3]);
    /// assert!(simulation.remove(&[1]).is_err(), "it is not there any more");
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn remove(&mut self, ids: &[u32]) -> Result<(), Error> {
        let kept = self.body_ids.kept(ids)?;
        if ids.is_empty() {
            return Ok(());
        }
        self.change_or_restore(|simulation| {
            let history = simulation.neighbors.contact_history(&simulation.bodies);
            let history = retained_history(history, &kept);
            simulation.change_bodies(&history, |simulation| {
                simulation.bodies.retain(&kept);
                simulation.body_ids.retain(&kept);
                Ok(())
            })
        })
    }

    /// Returns the number of the body with an id, if it is there.
    pub fn number_of(&self, id: u32) -> Option<usize> {
        self.body_ids.number(id).ok().map(|number| number as usize)
    }

    /// Returns whether a sphere would touch no wall now.
    ///
    /// ```
    /// use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation, Wall};
    /// let walls = vec![Wall::plane([0.0, 0.0, 1.0], 0.0)];
    /// let settings = Settings { walls, ..Settings::with_law(CompositeLaw::spring(1e4)) };
    /// let simulation = Simulation::new(&[Body::at_rest([0.0, 0.0, 1.0], 0.5, 1.0)], settings)?;
    /// assert!(simulation.clears_walls(&[5.0, 0.0, 0.75].into(), 0.5));
    /// assert!(!simulation.clears_walls(&[5.0, 0.0, 0.25].into(), 0.5));
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn clears_walls(&self, center: &Vector<D>, radius: f64) -> bool {
        let center = embed_in_3d(center);
        let walls = wall::posed_walls(&self.settings.walls, self.now());
        walls.iter().all(|wall| wall.clears(&center, radius))
    }
}

impl<const D: usize> From<&NewBody<D>> for Body<D> {
    fn from(new: &NewBody<D>) -> Self {
        let NewBody { position, velocity, angular_velocity, radius, .. } = *new;
        let NewBody { mass, material, shape, orientation, .. } = *new;
        Body { position, velocity, angular_velocity, radius, mass, material, shape, orientation }
    }
}

/// Returns the number of each body after those that are not kept have been removed.
fn new_numbers(kept: &[bool]) -> Vec<Option<u32>> {
    let mut next = 0;
    let number = |&is_kept: &bool| {
        is_kept.then(|| {
            next += 1;
            next - 1
        })
    };
    kept.iter().map(number).collect()
}

/// Returns the contact history of the bodies that are kept, by their new numbers, which have the same order.
fn retained_history<H: LawHistory>(
    mut history: ContactHistoryTable<H>,
    kept: &[bool],
) -> ContactHistoryTable<H> {
    let numbers = new_numbers(kept);
    history.pairs.retain(|entry| entry.bodies.iter().all(|&body| kept[body as usize]));
    for entry in &mut history.pairs {
        entry.bodies = entry.bodies.map(|body| numbers[body as usize].unwrap_or(body));
    }
    history.walls.retain(|entry| kept[entry.contact_key[0] as usize]);
    for entry in &mut history.walls {
        let body = entry.contact_key[0];
        entry.contact_key[0] = numbers[body as usize].unwrap_or(body);
    }
    history
}

impl BodyArrays {
    /// Removes the bodies whose numbers are not kept, and closes the gaps in the numbers of the others.
    fn retain(&mut self, kept: &[bool]) {
        let numbers = new_numbers(kept);
        let stays: Vec<bool> = self.ids.iter().map(|&number| kept[number as usize]).collect();
        self.positions = retained(&self.positions, &stays);
        self.motions = retained(&self.motions, &stays);
        self.forces_torques = retained(&self.forces_torques, &stays);
        self.masses = retained(&self.masses, &stays);
        self.materials = retained(&self.materials, &stays);
        self.rotation_states = retained(&self.rotation_states, &stays);
        self.external = retained(&self.external, &stays);
        self.passages = retained(&self.passages, &stays);
        self.ids = self.ids.iter().filter_map(|&number| numbers[number as usize]).collect();
    }
}
