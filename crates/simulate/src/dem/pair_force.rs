//! Forces between bodies that need not touch, such as electric charges or a liquid between grains.

use super::contact_law::ContactLaw;
use super::simulation::Simulation;
use crate::{Error, State};
use carom_detect::{BroadPhaseMethod, ContactSearch};
use carom_geometry::{Sphere, Vector};
use std::sync::{Mutex, PoisonError};

/// Longest cutoff, with which spheres can still be searched.
const LONGEST_CUTOFF: f64 = 1e100;

/// Two bodies whose centers are at most as far apart as a pair force reaches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearPair<const D: usize> {
    /// Numbers of both bodies: their places in the arrays of the state, which also has their ids; the smaller first.
    pub numbers: [usize; 2],
    /// Vector from the center of the first body to that of the second, to its nearest image where the box is periodic.
    pub separation: Vector<D>,
    /// Length of the separation.
    pub distance: f64,
}

impl<const D: usize, L: ContactLaw> Simulation<D, L> {
    /// Adds a force between all bodies whose centers are at most `cutoff` apart: `force` returns that on the first body,
    /// and the second gets the opposite. As with [`add_force`](Self::add_force), it acts from now on, is called with
    /// every such pair once per time step, and its work counts as external work.
    ///
    /// Errors if the cutoff is not positive, more than 1e100 or more than half a period of the box.
    ///
    /// ```
    /// use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation};
    /// let bodies = [0.0, 3.0].map(|x| Body::at_rest([x, 0.0, 0.0], 0.5, 1.0));
    /// let settings = Settings { time_step: Some(1e-3), ..Settings::with_law(CompositeLaw::spring(1e3)) };
    /// let mut simulation = Simulation::new(&bodies, settings)?;
    /// // Gravity between bodies of mass one.
    /// simulation.add_pair_force(10.0, |_, pair| pair.separation / pair.distance.powi(3))?;
    /// simulation.advance(1000)?;
    /// let [first, second] = [0, 1].map(|number| simulation.body(number).velocity.x);
    /// assert!(first > 0.11 && first == -second);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn add_pair_force(
        &mut self,
        cutoff: f64,
        force: impl Fn(&State<D>, &NearPair<D>) -> Vector<D> + Send + Sync + 'static,
    ) -> Result<(), Error> {
        let boundary = self.settings.boundary;
        let periods = (0..D).filter_map(|axis| boundary.period(axis));
        let shortest = periods.fold(f64::INFINITY, f64::min);
        if !(cutoff > 0.0 && cutoff <= LONGEST_CUTOFF && cutoff <= 0.5 * shortest) {
            return Err(Error::Setting {
                what: "the cutoff of a pair force",
                value: cutoff.to_string(),
                rule: "it must be greater than zero and at most 1e100 and half of every period of the box",
            });
        }
        // Spheres of half the cutoff touch where centers are within it. The search keeps its buffers.
        let search = Mutex::new((ContactSearch::new(BroadPhaseMethod::Auto), Vec::new()));
        self.add_force(move |state, forces| {
            let mut guard = search.lock().unwrap_or_else(PoisonError::into_inner);
            let (search, spheres): &mut (ContactSearch<D>, Vec<Sphere<D>>) = &mut guard;
            spheres.clear();
            spheres.extend(state.positions.iter().map(|&place| Sphere::new(place, 0.5 * cutoff)));
            let Ok(pairs) = search.find(spheres, &boundary) else {
                // A body is lost; a force that is not finite ends the step with its name.
                return forces.iter_mut().for_each(|force| force.fill(f64::NAN));
            };
            for contact in pairs {
                let numbers = [contact.pair.first() as usize, contact.pair.second() as usize];
                let [first, second] = numbers.map(|body| state.positions[body]);
                let separation = boundary.minimum_image(first, second);
                let pair = NearPair { numbers, separation, distance: separation.norm() };
                let on_first = force(state, &pair);
                forces[numbers[0]] += on_first;
                forces[numbers[1]] -= on_first;
            }
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dem::{Body, CompositeLaw, Settings};
    use carom_geometry::Boundary;

    fn two<const D: usize>(apart: Vector<D>, boundary: Boundary<D>) -> Simulation<D> {
        let center = Vector::repeat(5.0);
        let bodies = [Body::at_rest(center, 0.2, 1.0), Body::at_rest(center + apart, 0.2, 3.0)];
        let law = CompositeLaw::spring(1e4);
        let settings = Settings { boundary, time_step: Some(2e-4), ..Settings::with_law(law) };
        Simulation::new(&bodies, settings).unwrap()
    }

    /// A spring between two bodies of masses 1 and 3 swings with sqrt(k / (3 / 4)), in every direction.
    #[test]
    fn a_spring_between_two_bodies_has_its_frequency_in_every_direction() {
        for apart in [[2.0, 0.0, 0.0], [0.0, 1.0, -1.5], [-1.2, 1.2, 0.6]].map(Vector::from) {
            let mut simulation = two(apart, Boundary::open());
            let stiffness = 7.0;
            let rest = 1.5;
            simulation
                .add_pair_force(4.0, move |_, pair| {
                    pair.separation * (stiffness * (1.0 - rest / pair.distance))
                })
                .unwrap();
            let energy = simulation.energy().total();
            let period = std::f64::consts::TAU / (stiffness / 0.75_f64).sqrt();
            simulation.advance((period / 2e-4).round() as u64).unwrap();
            let [first, second] = [0, 1].map(|number| simulation.body(number));
            let now = second.position - first.position;
            assert!((now - apart).norm() < 2e-3, "{now} {apart}");
            let momentum = first.velocity + second.velocity * 3.0;
            assert!(momentum.norm() < 1e-12, "{momentum}");
            assert!((simulation.energy().total() - energy).abs() < 1e-6, "the work is counted");
        }
    }

    #[test]
    fn pairs_are_found_through_periodic_sides_and_not_beyond_the_cutoff() {
        let boundary = Boundary::periodic([Some(10.0), Some(10.0)]).unwrap();
        let mut simulation = two(Vector::from([8.5, 0.0]), boundary);
        simulation.add_pair_force(2.0, |_, pair| pair.separation).unwrap();
        simulation.advance(100).unwrap();
        assert!(simulation.body(0).velocity.x < -1e-3, "pulled to the image on the left");
        let mut apart = two(Vector::from([3.0, 0.0]), boundary);
        apart.add_pair_force(2.0, |_, pair| pair.separation).unwrap();
        apart.advance(100).unwrap();
        assert_eq!(apart.body(0).velocity.x, 0.0);
    }

    #[test]
    fn a_cutoff_that_cannot_be_used_is_refused() {
        let boundary = Boundary::periodic([Some(10.0), None]).unwrap();
        let mut simulation = two(Vector::from([2.0, 0.0]), boundary);
        for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY, 5.1] {
            let error = simulation.add_pair_force(wrong, |_, pair| pair.separation).unwrap_err();
            assert!(error.to_string().starts_with("the cutoff of a pair force is"), "{error}");
        }
        simulation.add_pair_force(5.0, |_, pair| pair.separation / 0.0).unwrap();
        let error = simulation.advance(1).unwrap_err().to_string();
        assert!(error.contains("it must be finite"), "{error}");
    }
}
