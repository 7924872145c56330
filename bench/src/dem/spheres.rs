//! Beds of spheres: they start on a cubic lattice, a little displaced and moving, fall for a while into a box with a floor
//! and periodic sides, then through something viscous, and then freely again.
//!
//! Lengths are in diameters of the small spheres, their density and gravity are one.

use super::bed::{self, Bed};
use super::workload::{Law, SKIN, STEP};
use crate::error::Error;
use carom::geometry::{Boundary, Vector};
use carom::scene::generate::{DEFAULT_SEED, SplitMix64};
use carom::simulate::Wall;
use carom::simulate::dem::{Body, Settings, Simulation};
use std::f64::consts::PI;
use std::path::Path;

/// The sizes of spheres in a bed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sizes {
    /// Diameter one.
    Equal,
    /// Diameters one and ten, about equal volumes of both.
    Mixed,
}

/// A bed to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// The sizes of its spheres.
    pub sizes: Sizes,
    /// Sites of the lattice along each axis.
    pub sites: [usize; 3],
    /// Steps of the fall, through something viscous, and at the end.
    pub steps: [u64; 3],
}

/// Between sites of the lattice.
const SPACING: f64 = 1.04;
/// The most by which spheres are displaced from their sites.
const DISPLACEMENT: [f64; 3] = [0.015, 0.015, 0.008];
/// Of the velocities at the start.
const TEMPERATURE: f64 = 0.1;
/// The rate at which velocities decay in something viscous: a drag of 0.6 over the mass of a small sphere.
const DRAG: f64 = 0.6 / (PI / 6.0);
/// What is viscous acts all at once after this many steps.
const STEPS_OF_DRAG: u64 = 20;
/// The radius of large spheres.
const LARGE: f64 = 5.0;

impl Recipe {
    /// The bed of the benchmark proper.
    pub fn full(sizes: Sizes) -> Self {
        let sites = match sizes {
            Sizes::Equal => [32, 32, 10],
            Sizes::Mixed => [26, 26, 28],
        };
        Recipe { sizes, sites, steps: [14_000, 15_000, 2_500] }
    }

    /// A small one that has hardly settled.
    pub fn tiny(sizes: Sizes) -> Self {
        let sites = match sizes {
            Sizes::Equal => [8, 8, 4],
            Sizes::Mixed => [26, 26, 12],
        };
        Recipe { sizes, sites, steps: [200, 100, 20] }
    }

    /// From its file, or else settled and put into the file.
    pub fn kept(&self, path: &Path) -> Result<Bed, Error> {
        self.start().kept(path, || self.settle())
    }

    fn width(&self) -> f64 {
        SPACING * self.sites[0] as f64
    }

    /// Lets the spheres fall.
    pub fn settle(&self) -> Result<Bed, Error> {
        let start = self.start();
        let settings = settings(Law::Linear, start.width);
        let mut simulation = Simulation::new(&start.bodies, settings.clone())?;
        let [fall, viscous, free] = self.steps;
        simulation.advance(fall)?;
        let slower = (-DRAG * STEP * STEPS_OF_DRAG as f64).exp();
        for _ in 0..viscous / STEPS_OF_DRAG {
            simulation.advance(STEPS_OF_DRAG)?;
            simulation = bed::slowed(&simulation, slower, &settings)?;
        }
        simulation.advance(free)?;
        Ok(start.after(&simulation))
    }

    /// Before the fall.
    fn start(&self) -> Bed {
        let mut random = SplitMix64::new(DEFAULT_SEED);
        let mut bodies: Vec<Body> =
            self.large().iter().map(|&center| sphere(center, LARGE)).collect();
        let large = bodies.len();
        let boundary = boundary(self.width());
        for number in 0..self.sites.iter().product() {
            let site = bed::site(number, self.sites);
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
        Bed { width: self.width(), bodies }
    }

    /// The large spheres: four to a layer, every other layer displaced by half a spacing.
    fn large(&self) -> Vec<Vector<3>> {
        let height = SPACING * self.sites[2] as f64;
        let layers = match self.sizes {
            Sizes::Equal => 0,
            Sizes::Mixed => (height / 9.0) as usize,
        };
        let spacing = 0.5 * self.width();
        let center = |layer: usize, number: usize| {
            let shift = 0.25 + 0.5 * (layer % 2) as f64;
            let [column, row] = [number % 2, number / 2].map(|k| (k as f64 + shift) * spacing);
            Vector::from([column, row, 5.6 + 9.0 * layer as f64])
        };
        (0..layers).flat_map(|layer| (0..4).map(move |number| center(layer, number))).collect()
    }
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

    fn volume(bodies: &[Body], is_large: bool) -> f64 {
        bodies.iter().filter(|body| (body.radius == LARGE) == is_large).map(|body| body.mass).sum()
    }

    #[test]
    fn equal_spheres_are_as_many_as_sites_and_mixed_ones_of_equal_volumes() {
        assert_eq!(Recipe::full(Sizes::Equal).start().bodies.len(), 10_240);
        let mixed = Recipe::full(Sizes::Mixed).start().bodies;
        let ratio = volume(&mixed, true) / volume(&mixed, false);
        assert!((ratio - 1.0).abs() < 0.1, "{ratio}");
    }
}
