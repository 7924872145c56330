//! The bed: spheres that fell into a box with a floor and periodic sides, and came to rest there.
//!
//! They start on a cubic lattice, a little displaced and moving, fall for a while, then through
//! something viscous, and then freely again. Lengths are in diameters of the small spheres, their density
//! and gravity are one. A bed takes a minute to settle, so it is kept in a file.

use super::bed_file::BedFile;
use super::workload::{Law, SKIN, STEP};
use crate::error::Error;
use carom::geometry::{Boundary, Vector};
use carom::scene::generate::{DEFAULT_SEED, SplitMix64};
use carom::simulate::dem::{Body, Settings, Simulation, Wall};
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

/// Spheres at rest, by center and radius, in a box that is periodic along the first two axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Bed {
    /// Length of both periods.
    pub width: f64,
    /// The spheres.
    pub spheres: Vec<(Vector<3>, f64)>,
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
        let make = || Ok(self.settle()?.file());
        Ok(Bed::of(BedFile::read_or_make(path, self.start().len(), make)?))
    }

    fn width(&self) -> f64 {
        SPACING * self.sites[0] as f64
    }

    /// Lets the spheres fall.
    pub fn settle(&self) -> Result<Bed, Error> {
        let width = self.width();
        let settings = settings(Law::Linear, width);
        let mut simulation = Simulation::new(&self.start(), settings.clone())?;
        let [fall, viscous, free] = self.steps;
        simulation.advance(fall)?;
        let slower = (-DRAG * STEP * STEPS_OF_DRAG as f64).exp();
        for _ in 0..viscous / STEPS_OF_DRAG {
            simulation.advance(STEPS_OF_DRAG)?;
            let mut saved = simulation.save();
            saved.bodies.iter_mut().for_each(|body| body.velocity *= slower);
            simulation = Simulation::resume(&saved, settings.clone())?;
        }
        simulation.advance(free)?;
        let bodies = (0..simulation.body_count()).map(|number| simulation.body(number));
        let boundary = &settings.boundary;
        let sphere = |body: Body| (boundary.wrap(body.position), body.radius);
        Ok(Bed { width, spheres: bodies.map(sphere).collect() })
    }

    /// Before the fall.
    fn start(&self) -> Vec<Body> {
        let mut random = SplitMix64::new(DEFAULT_SEED);
        let mut bodies: Vec<Body> =
            self.large().iter().map(|&center| sphere(center, LARGE)).collect();
        let large = bodies.len();
        let [columns, rows, layers] = self.sites;
        let boundary = boundary(self.width());
        for site in 0..columns * rows * layers {
            let site = [site % columns, site / columns % rows, site / (columns * rows)];
            let moved = DISPLACEMENT.map(|most| most * (2.0 * random.uniform() - 1.0));
            let along = |axis: usize| SPACING * (site[axis] as f64 + 0.5) + moved[axis];
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
        bodies
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

impl Bed {
    /// This many beds side by side along both periods.
    pub fn repeated(&self, copies: usize) -> Bed {
        let shift = |k: usize| self.width * k as f64;
        let shifts =
            (0..copies * copies).map(|k| Vector::from([shift(k % copies), shift(k / copies), 0.0]));
        let moved = |by: Vector<3>| self.spheres.iter().map(move |&(at, radius)| (at + by, radius));
        Bed { width: shift(copies), spheres: shifts.flat_map(moved).collect() }
    }

    /// The spheres as bodies at rest.
    pub fn bodies(&self) -> Vec<Body> {
        self.spheres.iter().map(|&(center, radius)| sphere(center, radius)).collect()
    }

    fn of(file: BedFile<4>) -> Bed {
        let sphere = |[x, y, z, radius]: [f64; 4]| (Vector::from([x, y, z]), radius);
        Bed { width: file.width, spheres: file.bodies.into_iter().map(sphere).collect() }
    }

    fn file(&self) -> BedFile<4> {
        let numbers = |(center, radius): &(Vector<3>, f64)| [center.x, center.y, center.z, *radius];
        BedFile { width: self.width, bodies: self.spheres.iter().map(numbers).collect() }
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
        assert_eq!(Recipe::full(Sizes::Equal).start().len(), 10_240);
        let mixed = Recipe::full(Sizes::Mixed).start();
        let ratio = volume(&mixed, true) / volume(&mixed, false);
        assert!((ratio - 1.0).abs() < 0.1, "{ratio}");
    }

    #[test]
    fn a_bed_survives_its_file_to_the_bit() {
        let bed = Recipe::tiny(Sizes::Equal).settle().unwrap();
        assert_eq!(Bed::of(bed.file()), bed);
    }

    #[test]
    fn beds_side_by_side_are_as_wide_as_all_together() {
        let bed = Bed { width: 2.0, spheres: vec![(Vector::from([0.5, 1.0, 0.5]), 0.5)] };
        let many = bed.repeated(3);
        assert_eq!((many.width, many.spheres.len()), (6.0, 9));
        assert_eq!(many.spheres[5].0, Vector::from([4.5, 3.0, 0.5]));
    }
}
