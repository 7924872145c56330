//! Beds of spheres: they start on a cubic lattice, a little displaced and moving, fall for a while into a box with a floor
//! and periodic sides, then through something viscous, and then freely again.
//!
//! Lengths are in diameters of the small spheres, their density and gravity are one.

use super::bed::{self, Bed, STEPS_OF_DRAG, Settling};
use super::workload::{Law, SKIN, STEP};
use carom::geometry::{Boundary, Vector};
use carom::scene::generate::{DEFAULT_SEED, SplitMix64};
use carom::simulate::Wall;
use carom::simulate::dem::{Body, Settings};
use std::f64::consts::PI;

/// The sizes of spheres in a bed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sizes {
    /// Diameter one.
    Equal,
    /// Diameters one and ten, about equal volumes of both.
    Mixed,
}

/// Between sites of the lattice.
const SPACING: f64 = 1.04;
/// The most by which spheres are displaced from their sites.
const DISPLACEMENT: [f64; 3] = [0.015, 0.015, 0.008];
/// Standard deviation of the velocities at the start.
const TEMPERATURE: f64 = 0.1;
/// The rate at which velocities decay in something viscous: a drag of 0.6 over the mass of a small sphere.
const DRAG: f64 = 0.6 / (PI / 6.0);
/// The radius of large spheres.
const LARGE: f64 = 5.0;

fn width(sites: [usize; 3]) -> f64 {
    SPACING * sites[0] as f64
}

/// Settling of spheres: free fall, viscous damping, then rest.
pub fn settling(width: f64) -> Settling {
    let free = settings(Law::Linear, width);
    let slower = (-DRAG * STEP * STEPS_OF_DRAG as f64).exp();
    Settling { pulled: free.clone(), slow: free.clone(), free, slower }
}

/// The spheres on their lattice.
pub fn start(sizes: Sizes, sites: [usize; 3]) -> Bed {
    let mut random = SplitMix64::new(DEFAULT_SEED);
    let mut bodies: Vec<Body> =
        large(sizes, sites).iter().map(|&center| sphere(center, LARGE)).collect();
    let large = bodies.len();
    let boundary = boundary(width(sites));
    for number in 0..sites.iter().product() {
        let site = bed::site(number, sites);
        let moved = DISPLACEMENT.map(|most| most * (2.0 * random.uniform() - 1.0));
        let along = |axis: usize| SPACING * site[axis] + moved[axis];
        let center = Vector::from([0, 1, 2].map(along));
        let is_free =
            |large: &Body| boundary.minimum_image(large.position, center).norm() > LARGE + 0.5;
        if bodies[..large].iter().all(is_free) {
            bodies.push(sphere(center, 0.5));
        }
    }
    for body in &mut bodies {
        let speed = (TEMPERATURE / body.mass).sqrt();
        body.velocity = Vector::from_fn(|_, _| speed * random.normal());
    }
    Bed { width: width(sites), bodies }
}

/// The large spheres: four to a layer, every other layer displaced by half a spacing.
fn large(sizes: Sizes, sites: [usize; 3]) -> Vec<Vector<3>> {
    let height = SPACING * sites[2] as f64;
    let layers = match sizes {
        Sizes::Equal => 0,
        Sizes::Mixed => (height / 9.0) as usize,
    };
    let spacing = 0.5 * width(sites);
    let center = |layer: usize, number: usize| {
        let shift = 0.25 + 0.5 * (layer % 2) as f64;
        let [column, row] = [number % 2, number / 2].map(|k| (k as f64 + shift) * spacing);
        Vector::from([column, row, 5.6 + 9.0 * layer as f64])
    };
    (0..layers).flat_map(|layer| (0..4).map(move |number| center(layer, number))).collect()
}

fn sphere(center: Vector<3>, radius: f64) -> Body {
    Body::at_rest(center, radius, 4.0 / 3.0 * PI * radius.powi(3))
}

fn boundary(width: f64) -> Boundary<3> {
    Boundary::periodic([Some(width), Some(width), None]).expect("a bed has sites")
}

/// A floor and periodic sides under gravity.
pub fn settings(law: Law, width: f64) -> Settings {
    Settings {
        boundary: boundary(width),
        walls: vec![Wall::plane([0., 0., 1.], 0.0)],
        gravity: [0., 0., -1.].into(),
        time_step: Some(STEP),
        skin: Some(SKIN),
        ..Settings::with_law(law.contact())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dem::bed::Recipe;
    use crate::dem::workload::Filling;

    fn volume(bodies: &[Body], is_large: bool) -> f64 {
        bodies.iter().filter(|body| (body.radius == LARGE) == is_large).map(|body| body.mass).sum()
    }

    #[test]
    fn equal_spheres_are_as_many_as_sites_and_mixed_ones_of_equal_volumes() {
        let bodies = |sizes| Recipe::full(Filling::Spheres(sizes)).start().unwrap().bodies;
        assert_eq!(bodies(Sizes::Equal).len(), 10_240);
        let mixed = bodies(Sizes::Mixed);
        let ratio = volume(&mixed, true) / volume(&mixed, false);
        assert!((ratio - 1.0).abs() < 0.1, "{ratio}");
    }
}
