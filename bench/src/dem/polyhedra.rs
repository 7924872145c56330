//! Beds of convex polyhedra that fell into a box, rotated at random, and came to rest there.
//!
//! All have the volume of a sphere of diameter one, whatever their number of faces, so that beds weigh the
//! same and are about as high. The box has walls instead of periodic sides: rapier knows no periods. Bodies
//! start on a cubic lattice, are pulled down hard until they lie upon each other, come to rest as they are
//! slowed down, and at the end lie freely. Units are those of the beds of spheres.

use super::bed::{self, Bed, STEPS_OF_DRAG, Settling};
use super::workload::{Law, SKIN, STEP};
use crate::error::Error;
use carom::geometry::Vector;
use carom::geometry::shape::ConvexPolyhedron;
use carom::scene::generate::{DEFAULT_SEED, RoundBody, RoundKind, SplitMix64};
use carom::simulate::dem::{Body, Settings};
use carom::simulate::{Shape, Wall};
use nalgebra::{Quaternion, UnitQuaternion};
use std::f64::consts::PI;

/// Between sites of the lattice, in diameters of the sphere around a body.
const SPACING: f64 = 1.02;
/// Acceleration with which bodies settle, in units of gravity.
const PULL: f64 = 10.0;
/// While bodies come to rest a step is so much longer.
const LONGER: f64 = 2.5;
/// The rate at which they are slowed down.
const DRAG: f64 = 4.0;
/// Settling of polyhedra: under a stronger gravity, damped in longer steps, then free.
pub fn settling(faces: usize, width: f64) -> Result<Settling, Error> {
    let free = settings(&hull(faces)?, width)?;
    let slow = Settings { time_step: Some(LONGER * STEP), ..free.clone() };
    let pulled = Settings { gravity: [0., 0., -PULL].into(), ..slow.clone() };
    let slower = (-DRAG * LONGER * STEP * STEPS_OF_DRAG as f64).exp();
    Ok(Settling { pulled, slow, free, slower })
}

/// The bodies on their lattice, rotated at random.
pub fn start(faces: usize, sites: [usize; 3]) -> Result<Bed, Error> {
    let hull = hull(faces)?;
    let shape = Shape::convex(&hull, None)?;
    let spacing = SPACING * 2.0 * hull.bounding_radius();
    let mut random = SplitMix64::new(DEFAULT_SEED);
    let body = |number: usize| {
        let turned = Quaternion::from(std::array::from_fn::<f64, 4, _>(|_| random.normal()));
        let center = bed::site(number, sites).map(|along| spacing * along);
        let orientation = UnitQuaternion::new_normalize(turned);
        Body { orientation, ..Body::shaped(center, 0, &shape, VOLUME) }
    };
    let bodies = (0..sites.iter().product()).map(body).collect();
    Ok(Bed { width: spacing * sites[0] as f64, bodies })
}

/// An even body of this many faces with the volume of a sphere of diameter one, about its center of mass.
pub fn hull(faces: usize) -> Result<ConvexPolyhedron, Error> {
    let unit = RoundBody { kind: RoundKind::Even, faces, seed: DEFAULT_SEED }.make()?;
    let mass = unit.mass_properties();
    let larger = (VOLUME / mass.volume).cbrt();
    let corners = unit.vertices().iter().map(|corner| (corner - mass.center_of_mass) * larger);
    Ok(ConvexPolyhedron::hull(&corners.collect::<Vec<_>>())?)
}

/// Volume of a sphere of diameter one.
const VOLUME: f64 = PI / 6.0;

/// A floor and walls under gravity.
pub fn settings(hull: &ConvexPolyhedron, width: f64) -> Result<Settings, Error> {
    let wall = |axis| {
        let normal = Vector::ith(axis, 1.0);
        [Wall::plane(normal, 0.0), Wall::plane(-normal, -width)]
    };
    let floor = Wall::plane([0., 0., 1.], 0.0);
    Ok(Settings {
        shapes: vec![Shape::convex(hull, None)?],
        walls: [0, 1].into_iter().flat_map(wall).chain([floor]).collect(),
        gravity: [0., 0., -1.].into(),
        time_step: Some(STEP),
        skin: Some(SKIN),
        ..Settings::with_law(Law::Linear.contact())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dem::bed::Recipe;
    use crate::dem::workload::Filling;

    #[test]
    fn bodies_have_their_faces_and_all_the_same_volume() {
        for faces in [20, 400] {
            let hull = hull(faces).unwrap();
            assert_eq!(hull.face_count(), faces);
            assert!((hull.mass_properties().volume - VOLUME).abs() < 1e-12);
            assert!(hull.mass_properties().center_of_mass.norm() < 1e-12);
        }
        assert_eq!(Recipe::full(Filling::Polyhedra(20)).start().unwrap().bodies.len(), 10_240);
    }

    #[test]
    fn a_bed_lies_in_its_box() {
        let recipe = Recipe::tiny(Filling::Polyhedra(20));
        let bed = recipe.settle().unwrap();
        let is_inside = |body: &Body| {
            let at = body.position;
            at.iter().all(|&x| x > 0.0) && at.x < bed.width && at.y < bed.width
        };
        assert!(bed.bodies.iter().all(is_inside));
        assert!(bed.height() < 0.9 * recipe.start().unwrap().height(), "{}", bed.height());
    }
}
