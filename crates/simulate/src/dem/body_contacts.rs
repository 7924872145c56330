//! Pressures, contact numbers and clusters of bodies.

use super::contact_law::{ContactLaw, reduced_radius};
use super::contact_point::DemContactPoint;
use super::forces;
use super::simulation::Simulation;
use super::wall;
use carom_geometry::union_find::UnionFind;
use std::f64::consts::PI;

/// Quantities of each body that follow from its contacts, by the numbers of the bodies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BodyContacts {
    /// Mean pressure inside each body, a third of the trace of its stress (a half in 2D): the sum over contacts,
    /// walls included, of arm · force over `D V` (A. E. H. Love, 1927). Static normal forces count; cohesion
    /// makes it negative. In 2D it is a force per length.
    pub pressures: Vec<f64>,
    /// Number of other bodies that each body touches.
    pub contacts: Vec<u32>,
    /// Cluster of each body, a connected component of the contact graph: the largest is 0, and of equal ones the
    /// one with the smallest body number comes first.
    pub clusters: Vec<u32>,
}

impl<const D: usize, L: ContactLaw> Simulation<D, L> {
    /// Returns pressures, contact numbers and clusters of all bodies now. Costs about as much as a time step on
    /// one thread.
    ///
    /// ```
    /// use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation};
    /// let bodies = [0.0, 0.75].map(|x| Body::at_rest([x, 0.0, 0.0], 0.5, 1.0));
    /// let simulation = Simulation::new(&bodies, Settings::with_law(CompositeLaw::spring(8.0)))?;
    /// let found = simulation.body_contacts();
    /// // A force of 2 with an arm of 0.375, over three times the volume.
    /// let volume = std::f64::consts::PI / 6.0;
    /// assert!((found.pressures[0] - 2.0 * 0.375 / (3.0 * volume)).abs() < 1e-12);
    /// assert_eq!((found.contacts, found.clusters), (vec![1, 1], vec![0, 0]));
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn body_contacts(&self) -> BodyContacts {
        let walls = wall::posed_walls(&self.settings.walls, self.now());
        let Simulation { bodies, neighbors, contact_laws, shapes, .. } = self;
        let context = forces::force_context(bodies, neighbors, contact_laws, shapes, &walls);
        let number = |body: usize| bodies.ids[body] as usize;
        let mut contacts = vec![0; self.body_count()];
        let mut clusters = UnionFind::new(self.body_count());
        for (pair, index) in neighbors.each_pair() {
            if neighbors.pairs[index].is_touching {
                let ends = pair.map(number);
                ends.iter().for_each(|&end| contacts[end] += 1);
                clusters.unite(ends);
            }
        }
        let mut works = vec![0.0; self.body_count()];
        context.each_contact(neighbors, |pair, image, contact_point, history| {
            let [here, there] = pair.map(|body| context.positions[body].position);
            let arms = [contact_point.position - here, there + image - contact_point.position];
            let law = context.law(pair[0], pair[1]);
            let normal_force = static_contact_force(law, contact_point, history);
            for (body, arm) in pair.into_iter().zip(arms) {
                works[number(body)] += normal_force * arm.dot(&contact_point.normal);
            }
        });
        wall::each_contact(
            &context.wall_force_context(),
            &neighbors.wall_pairs,
            |pair, law, contact_point| {
                let body = pair.body as usize;
                let arm = contact_point.position - context.positions[body].position;
                let normal_force = static_contact_force(law, contact_point, &pair.history);
                works[number(body)] += normal_force * arm.dot(&contact_point.normal);
            },
        );
        let axes = if D == 2 { 2.0 } else { 3.0 };
        let pressure = |(work, &body): (&f64, &u32)| work / (axes * self.volume(body as usize));
        let pressures = works.iter().zip(&self.index_of_body).map(pressure).collect();
        BodyContacts {
            pressures,
            contacts,
            clusters: clusters.components_by_size(0..self.body_count()).component_of,
        }
    }

    /// Returns the volume of a body by its storage index; in 2D its area.
    fn volume(&self, body: usize) -> f64 {
        let radius = self.bodies.positions[body].radius;
        match self.bodies.shape(body, &self.shapes) {
            Some(shape) => shape.volume(),
            None if D == 2 => PI * radius.powi(2),
            None => 4.0 / 3.0 * PI * radius.powi(3),
        }
    }
}

/// Returns the normal force of a contact at rest.
fn static_contact_force<L: ContactLaw>(
    law: &L,
    contact_point: &DemContactPoint,
    history: &L::History,
) -> f64 {
    let radius = reduced_radius(contact_point.radii);
    contact_point.overlap_rate * law.static_normal_force(contact_point.overlap, radius, history)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dem::{Body, Cohesion, CompositeLaw, Damping, Settings, Shape, Wall};
    use carom_geometry::random::SplitMix64;
    use carom_geometry::shape::ConvexPolyhedron;
    use carom_geometry::{Boundary, Sphere, Vector};

    #[test]
    fn pressures_of_all_bodies_add_up_to_the_virial() {
        let mut random = SplitMix64::new(3);
        let bodies: Vec<Body> = (0..400)
            .map(|_| {
                let place = [0; 3].map(|_| 8.0 * random.uniform());
                Body::at_rest(place, 0.5 + 0.3 * random.uniform(), 1.0)
            })
            .collect();
        for law in [CompositeLaw::spring(1e3), CompositeLaw::hertz(1e4)] {
            let law = CompositeLaw { damping: Damping::restitution(0.3), ..law };
            let boundary = Boundary::periodic([Some(8.0); 3]).unwrap();
            let settings = Settings { boundary, ..Settings::with_law(law) };
            let simulation = Simulation::new(&bodies, settings).unwrap();
            let found = simulation.body_contacts();
            let volume = |body: &Body| 4.0 * PI * body.radius.powi(3);
            let all = bodies.iter().zip(&found.pressures);
            let sum: f64 = all.map(|(body, pressure)| volume(body) * pressure).sum();
            let virial = simulation.step_totals().virial;
            assert!(virial > 0.0 && (sum / virial - 1.0).abs() < 1e-12, "{sum} {virial}");
            let ends: u32 = found.contacts.iter().sum();
            assert_eq!(u64::from(ends), 2 * simulation.step_totals().contacts);
        }
    }

    #[test]
    fn a_ball_between_plates_is_pressed_and_a_held_one_is_pulled() {
        let walls = vec![Wall::plane([0., 0., 1.], 0.0), Wall::plane([0., 0., -1.], -0.98)];
        let body = Body::at_rest([0.0, 0.0, 0.49], 0.5, 1.0);
        let settings = Settings { walls, ..Settings::with_law(CompositeLaw::spring(1e3)) };
        let simulation = Simulation::new(&[body], settings).unwrap();
        let expected = 2.0 * 10.0 * 0.49 / (4.0 * PI * 0.125);
        let BodyContacts { pressures, contacts, .. } = simulation.body_contacts();
        assert!((pressures[0] / expected - 1.0).abs() < 1e-12, "{pressures:?} {expected}");
        assert_eq!(contacts, [0]);
        let law = CompositeLaw {
            cohesion: Cohesion::Dmt { work_of_adhesion: 1.0 },
            ..CompositeLaw::spring(1e3)
        };
        let pair = [0.0, 0.9999].map(|x| Body::at_rest([x, 0.0, 0.0], 0.5, 1.0));
        let simulation = Simulation::new(&pair, Settings::with_law(law)).unwrap();
        assert!(simulation.body_contacts().pressures.iter().all(|&pressure| pressure < 0.0));
    }

    #[test]
    fn bodies_that_hang_together_are_a_cluster_across_periodic_sides_too() {
        // A pair, a loner, and three in a row, of which the last overlaps the periodic face.
        let places = [2.0, 2.9, 5.0, 8.0, 8.99, 9.98];
        let bodies = places.map(|x| Body::at_rest([x, 1.0, 1.0], 0.5, 1.0));
        let boundary = Boundary::periodic([Some(10.0), None, None]).unwrap();
        let settings = Settings { boundary, ..Settings::with_law(CompositeLaw::spring(1e3)) };
        let BodyContacts { contacts, clusters, .. } =
            Simulation::new(&bodies, settings).unwrap().body_contacts();
        assert_eq!(contacts, [1, 1, 0, 1, 2, 1]);
        assert_eq!(clusters, [1, 1, 2, 0, 0, 0]);
    }

    #[test]
    fn a_pair_across_a_periodic_side_is_pressed_as_in_the_middle() {
        let corner = |k: u32| Vector::from([k & 1, k >> 1 & 1, k >> 2].map(f64::from));
        let cube = ConvexPolyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>()).unwrap();
        let spheres = [Sphere::new([0.0; 3], 0.4), Sphere::new([0.0, 0.5, 0.0], 0.4)];
        let shapes = [Shape::convex(&cube, None).unwrap(), Shape::clump(&spheres).unwrap()];
        for (shape, apart) in shapes.into_iter().zip([0.999, 0.79]) {
            let pressures = [4.0, 9.6].map(|x| {
                let place = |k: f64| [(x + k * apart) % 10.0, 5.0, 5.0];
                let bodies = [0.0, 1.0].map(|k| Body::shaped(place(k), 0, &shape, 1.0));
                let boundary = Boundary::periodic([Some(10.0); 3]).unwrap();
                let shapes = vec![shape.clone()];
                let law = CompositeLaw::spring(1e3);
                let settings = Settings { boundary, shapes, ..Settings::with_law(law) };
                Simulation::new(&bodies, settings).unwrap().body_contacts().pressures
            });
            for (middle, across) in pressures[0].iter().zip(&pressures[1]) {
                assert!(*middle > 0.0 && (across / middle - 1.0).abs() < 1e-9, "{pressures:?}");
            }
            assert!((pressures[0][0] / pressures[0][1] - 1.0).abs() < 1e-9, "{pressures:?}");
        }
    }
}
