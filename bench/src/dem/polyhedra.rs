//! Beds of convex polyhedra that fell into a box, turned anyhow, and came to rest there.
//!
//! All have the volume of a sphere of diameter one, whatever their number of faces, so that beds weigh the
//! same and are about as high. The box has walls instead of periodic sides: rapier knows no periods. Bodies
//! start on a cubic lattice, are pulled down hard until they lie upon each other, come to rest as they are
//! slowed down, and at the end lie freely. Units are those of the beds of spheres.

use super::bed_file::BedFile;
use super::workload::{Law, SKIN, STEP};
use crate::error::Error;
use carom::geometry::Vector;
use carom::geometry::shape::ConvexPolyhedron;
use carom::scene::generate::{DEFAULT_SEED, RoundBody, RoundKind, SplitMix64};
use carom::simulate::dem::{Body, Settings, Shape, Simulation, Wall};
use nalgebra::{Quaternion, UnitQuaternion};
use std::f64::consts::PI;
use std::path::Path;

/// A bed to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// The number of faces of each body.
    pub faces: usize,
    /// Sites of the lattice along each axis; the first two are as many.
    pub sites: [usize; 3],
    /// Steps of the fall, of being slowed down, and of lying freely.
    pub steps: [u64; 3],
}

/// Polyhedra at rest in a box with a floor and walls.
#[derive(Clone, Debug)]
pub struct Bed {
    /// Of the box, along both horizontal axes.
    pub width: f64,
    /// What each body is before it is turned and moved.
    pub body: ConvexPolyhedron,
    /// Where the centers of mass are and how bodies are turned.
    pub places: Vec<(Vector<3>, UnitQuaternion<f64>)>,
}

/// Between sites of the lattice, in diameters of the sphere around a body.
const SPACING: f64 = 1.02;
/// How much harder than gravity bodies are pulled down.
const PULL: f64 = 10.0;
/// While bodies come to rest a step is so much longer.
const LONGER: f64 = 2.5;
/// The rate at which they are slowed down.
const DRAG: f64 = 4.0;
/// They are slowed down all at once after this many steps.
const STEPS_OF_DRAG: u64 = 20;

impl Recipe {
    /// The bed of the benchmark proper.
    pub fn full(faces: usize) -> Self {
        Recipe { faces, sites: [32, 32, 10], steps: [2_500, 4_000, 2_500] }
    }

    /// A small one that has hardly settled.
    pub fn tiny(faces: usize) -> Self {
        Recipe { faces, sites: [5, 5, 4], steps: [600, 200, 20] }
    }

    /// From its file, or else settled and put into the file.
    pub fn kept(&self, path: &Path) -> Result<Bed, Error> {
        let count = self.sites.iter().product();
        Bed::of(self.faces, BedFile::read_or_make(path, count, || Ok(self.settle()?.file()))?)
    }

    /// Lets the bodies fall.
    pub fn settle(&self) -> Result<Bed, Error> {
        let start = self.start()?;
        let [fall, slowed, free] = self.steps;
        let free_settings = start.settings()?;
        let slow_settings = Settings { time_step: Some(LONGER * STEP), ..free_settings.clone() };
        let pulled = Settings { gravity: [0., 0., -PULL].into(), ..slow_settings.clone() };
        let mut simulation = Simulation::new(&start.bodies()?, pulled)?;
        simulation.advance(fall)?;
        let slower = (-DRAG * LONGER * STEP * STEPS_OF_DRAG as f64).exp();
        for _ in 0..slowed / STEPS_OF_DRAG {
            simulation = went_on(&simulation, slower, &slow_settings)?;
            simulation.advance(STEPS_OF_DRAG)?;
        }
        simulation = went_on(&simulation, slower, &free_settings)?;
        simulation.advance(free)?;
        let place = |number| {
            let body = simulation.body(number);
            (body.position, body.orientation)
        };
        Ok(Bed { places: (0..simulation.body_count()).map(place).collect(), ..start })
    }

    /// Before the fall.
    fn start(&self) -> Result<Bed, Error> {
        let body = body(self.faces)?;
        let spacing = SPACING * 2.0 * body.bounding_radius();
        let mut random = SplitMix64::new(DEFAULT_SEED);
        let [columns, rows, layers] = self.sites;
        let mut place = |site: usize| {
            let site = [site % columns, site / columns % rows, site / (columns * rows)];
            let turned = Quaternion::from(std::array::from_fn::<f64, 4, _>(|_| random.normal()));
            let center = Vector::from(site.map(|along| spacing * (along as f64 + 0.5)));
            (center, UnitQuaternion::new_normalize(turned))
        };
        let places = (0..columns * rows * layers).map(&mut place).collect();
        Ok(Bed { width: spacing * columns as f64, body, places })
    }
}

/// The same moment with bodies slowed down, under other settings.
fn went_on(simulation: &Simulation, slower: f64, settings: &Settings) -> Result<Simulation, Error> {
    let mut saved = simulation.save();
    saved.bodies.iter_mut().for_each(|body| body.velocity *= slower);
    saved.rotation_states.iter_mut().for_each(|turn| turn.angular_momentum *= slower);
    Ok(Simulation::resume(&saved, settings.clone())?)
}

/// An even body of this many faces with the volume of a sphere of diameter one, about its center of mass.
fn body(faces: usize) -> Result<ConvexPolyhedron, Error> {
    let unit = RoundBody { kind: RoundKind::Even, faces, seed: DEFAULT_SEED }.make()?;
    let mass = unit.mass_properties();
    let larger = (VOLUME / mass.volume).cbrt();
    let corners = unit.vertices().iter().map(|corner| (corner - mass.center_of_mass) * larger);
    Ok(ConvexPolyhedron::hull(&corners.collect::<Vec<_>>())?)
}

/// Of a sphere of diameter one.
const VOLUME: f64 = PI / 6.0;

impl Bed {
    fn of(faces: usize, file: BedFile<7>) -> Result<Bed, Error> {
        let place = |[x, y, z, w, i, j, k]: [f64; 7]| {
            // Turned as it was, to the bit.
            let turned = UnitQuaternion::new_unchecked(Quaternion::new(w, i, j, k));
            (Vector::from([x, y, z]), turned)
        };
        let places = file.bodies.into_iter().map(place).collect();
        Ok(Bed { width: file.width, body: body(faces)?, places })
    }

    fn file(&self) -> BedFile<7> {
        let numbers = |(at, turned): &(Vector<3>, UnitQuaternion<f64>)| {
            [at.x, at.y, at.z, turned.w, turned.i, turned.j, turned.k]
        };
        BedFile { width: self.width, bodies: self.places.iter().map(numbers).collect() }
    }

    /// The bodies at rest.
    pub fn bodies(&self) -> Result<Vec<Body>, Error> {
        let shape = self.shape()?;
        let body = |&(position, orientation): &(Vector<3>, UnitQuaternion<f64>)| Body {
            orientation,
            ..Body::shaped(position, 0, &shape, VOLUME)
        };
        Ok(self.places.iter().map(body).collect())
    }

    /// A floor and walls under gravity.
    pub fn settings(&self) -> Result<Settings, Error> {
        let wall = |axis| {
            let normal = Vector::ith(axis, 1.0);
            [Wall::plane(normal, 0.0), Wall::plane(-normal, -self.width)]
        };
        let floor = Wall::plane([0., 0., 1.], 0.0);
        Ok(Settings {
            shapes: vec![self.shape()?],
            walls: [0, 1].into_iter().flat_map(wall).chain([floor]).collect(),
            gravity: [0., 0., -1.].into(),
            time_step: Some(STEP),
            skin: Some(SKIN),
            ..Settings::with_law(Law::Linear.contact())
        })
    }

    fn shape(&self) -> Result<Shape, Error> {
        Ok(Shape::convex(&self.body, None)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_have_their_faces_and_all_the_same_volume() {
        for faces in [20, 400] {
            let body = body(faces).unwrap();
            assert_eq!(body.face_count(), faces);
            assert!((body.mass_properties().volume - VOLUME).abs() < 1e-12);
            assert!(body.mass_properties().center_of_mass.norm() < 1e-12);
        }
        assert_eq!(Recipe::full(20).start().unwrap().places.len(), 10_240);
    }

    #[test]
    fn a_bed_survives_its_file_to_the_bit_and_lies_in_its_box() {
        let bed = Recipe::tiny(20).settle().unwrap();
        let again = Bed::of(20, bed.file()).unwrap();
        assert_eq!((again.width, &again.places), (bed.width, &bed.places));
        let is_inside = |(at, _): &(Vector<3>, UnitQuaternion<f64>)| {
            at.iter().all(|&x| x > 0.0) && at.x < bed.width && at.y < bed.width
        };
        assert!(bed.places.iter().all(is_inside));
        let highest = bed.places.iter().map(|(at, _)| at.z).fold(0.0, f64::max);
        assert!(highest < 0.9 * SPACING * 8.0 * bed.body.bounding_radius(), "it fell: {highest}");
    }
}
