//! How bodies are pressed by what they touch, and which hang together.

use super::forces::{self, Scene};
use super::law::reduced_radius;
use super::meeting::Meeting;
use super::neighbours::{Neighbours, Pair};
use super::simulation::Simulation;
use super::wall;
use crate::groups::Groups;
use carom_geometry::Vector;
use std::f64::consts::PI;

/// What contacts are to each body, by the numbers of the bodies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BodyContacts {
    /// The mean pressure inside of each body: the work of the forces at its contacts, walls included, for
    /// shrinking it, `sum(arm x force) / (D V)` (A. E. H. Love, 1927). Forces along the normals count, without
    /// what damping adds; where bodies hold each other they pull. In the plane it is a force per length.
    pub pressures: Vec<f64>,
    /// How many other bodies each touches.
    pub contacts: Vec<u32>,
    /// Which bodies hang together by contacts with each other: the largest such cluster is 0, and of equal ones
    /// the one with the smallest number in it comes first.
    pub clusters: Vec<u32>,
}

impl Simulation {
    /// How bodies are pressed now, and which hang together. Cost: that of a step without searches.
    pub fn body_contacts(&self) -> BodyContacts {
        let walls = wall::placed(&self.settings.walls, self.now());
        let Simulation { bodies, neighbours, laws, settings, .. } = self;
        let scene = forces::scene(bodies, neighbours, laws, &settings.shapes, &walls);
        let mut works = vec![0.0; self.count()];
        let mut contacts = vec![0; self.count()];
        let mut clusters = Groups::new(self.count());
        let number = |body: usize| bodies.ids[body] as usize;
        for (pair, index) in neighbours.each_pair() {
            if neighbours.pairs[index].touches {
                let ends = pair.map(number);
                let done = work(&scene, neighbours, pair, index);
                ends.iter().zip(done).for_each(|(&end, done)| works[end] += done);
                ends.iter().for_each(|&end| contacts[end] += 1);
                clusters.join(ends);
            }
        }
        wall::each_contact(&scene.touched(), &neighbours.wall_pairs, |body, law, meeting, _| {
            let arm = meeting.position - bodies.places[body].vector;
            let push = law.pressing(meeting.overlap, meeting.radii[0]) * meeting.rate;
            works[number(body)] += push * arm.dot(&meeting.normal);
        });
        let pressures = (works.iter().zip(&self.index))
            .map(|(work, &body)| work / self.volume(body as usize))
            .collect();
        BodyContacts { pressures, contacts, clusters: clusters.by_size(0..self.count()).of_thing }
    }

    /// The volume of a body times the number of dimensions.
    fn volume(&self, body: usize) -> f64 {
        let radius = self.bodies.places[body].fourth;
        let shape = self.bodies.shape(body, &self.settings.shapes);
        match (self.settings.flat, shape) {
            (true, None) => 2.0 * PI * radius.powi(2),
            (false, None) => 4.0 * PI * radius.powi(3),
            (true, Some(shape)) => 2.0 * shape.volume(),
            (false, Some(shape)) => 3.0 * shape.volume(),
        }
    }
}

/// What the contacts of two bodies that touch do to each of them for shrinking it by a part of one.
fn work(scene: &Scene, neighbours: &Neighbours, bodies: [usize; 2], index: usize) -> [f64; 2] {
    let Pair { image, .. } = neighbours.pairs[index];
    let image = &neighbours.images[usize::from(image)];
    let law = scene.law(bodies[0], bodies[1]);
    let [here, there] = bodies.map(|body| &scene.places[body]);
    match neighbours.tracked.get(index) {
        Some(&tracked) if scene.is_shaped(bodies) => {
            let mut sums = [0.0; 2];
            let meetings = scene.meetings(bodies, image, tracked);
            for meeting in meetings.iter().filter(|meeting| meeting.overlap > 0.0) {
                let Meeting { normal, overlap, rate, position, radii, .. } = meeting;
                let push = law.pressing(*overlap, reduced_radius(*radii)) * rate;
                sums[0] += push * (position - here.vector).dot(normal);
                sums[1] -= push * (position - there.vector - image).dot(normal);
            }
            sums
        }
        _ => {
            let way: Vector<3> = there.vector - here.vector + image;
            let radii = [here.fourth, there.fourth];
            let overlap = radii[0] + radii[1] - way.norm();
            let push = law.pressing(overlap, reduced_radius(radii));
            radii.map(|radius| push * (radius - 0.5 * overlap))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steps::{Body, Cohesion, ContactLaw, Settings, Wall};
    use carom_geometry::Boundary;
    use carom_scene::generate::SplitMix64;

    #[test]
    fn pressures_of_all_bodies_add_up_to_the_virial() {
        let mut random = SplitMix64::new(3);
        let bodies: Vec<Body> = (0..400)
            .map(|_| {
                let place = [0; 3].map(|_| 8.0 * random.uniform());
                Body::at_rest(place, 0.5 + 0.3 * random.uniform(), 1.0)
            })
            .collect();
        for law in [ContactLaw::spring(1e3), ContactLaw::hertz(1e4)] {
            let boundary = Boundary::periodic([Some(8.0); 3]).unwrap();
            let settings = Settings { boundary, ..Settings::of(law) };
            let simulation = Simulation::new(&bodies, settings).unwrap();
            let found = simulation.body_contacts();
            let volume = |body: &Body| 4.0 * PI * body.radius.powi(3);
            let all = bodies.iter().zip(&found.pressures);
            let sum: f64 = all.map(|(body, pressure)| volume(body) * pressure).sum();
            let virial = simulation.tally().virial;
            assert!(virial > 0.0 && (sum / virial - 1.0).abs() < 1e-12, "{sum} {virial}");
            let ends: u32 = found.contacts.iter().sum();
            assert_eq!(u64::from(ends), 2 * simulation.tally().contacts);
        }
    }

    #[test]
    fn a_ball_between_plates_is_pressed_and_a_held_one_is_pulled() {
        let walls = vec![Wall::plane([0., 0., 1.], 0.0), Wall::plane([0., 0., -1.], -0.98)];
        let body = Body::at_rest([0.0, 0.0, 0.49], 0.5, 1.0);
        let settings = Settings { walls, ..Settings::of(ContactLaw::spring(1e3)) };
        let simulation = Simulation::new(&[body], settings).unwrap();
        let expected = 2.0 * 10.0 * 0.49 / (4.0 * PI * 0.125);
        let BodyContacts { pressures, contacts, .. } = simulation.body_contacts();
        assert!((pressures[0] / expected - 1.0).abs() < 1e-12, "{pressures:?} {expected}");
        assert_eq!(contacts, [0]);
        let law = ContactLaw { cohesion: Cohesion::Dmt { work: 1.0 }, ..ContactLaw::spring(1e3) };
        let pair = [0.0, 0.9999].map(|x| Body::at_rest([x, 0.0, 0.0], 0.5, 1.0));
        let simulation = Simulation::new(&pair, Settings::of(law)).unwrap();
        assert!(simulation.body_contacts().pressures.iter().all(|&pressure| pressure < 0.0));
    }

    #[test]
    fn bodies_that_hang_together_are_a_cluster_across_periodic_sides_too() {
        // A pair, a loner, and three in a row, of which the last is beyond the side.
        let places = [2.0, 2.9, 5.0, 8.0, 8.99, 9.98];
        let bodies = places.map(|x| Body::at_rest([x, 1.0, 1.0], 0.5, 1.0));
        let boundary = Boundary::periodic([Some(10.0), None, None]).unwrap();
        let settings = Settings { boundary, ..Settings::of(ContactLaw::spring(1e3)) };
        let BodyContacts { contacts, clusters, .. } =
            Simulation::new(&bodies, settings).unwrap().body_contacts();
        assert_eq!(contacts, [1, 1, 0, 1, 2, 1]);
        assert_eq!(clusters, [1, 1, 2, 0, 0, 0]);
    }
}
