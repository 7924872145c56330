//! Generated particles and meshes: random particles ([`RandomParticles`]), the published test cases ([`PaperCase`]),
//! lattices ([`LatticeParticles`]), convex polyhedra ([`Polyhedron`], [`RoundBody`]) and pairs of them that rotate
//! ([`TumblingPair`]), triangulated spheres ([`RefinedSphere`]) and foams ([`Foam`]).
//!
//! The same settings and seed give the same on every machine; only the last bits may differ where a cube root (the side
//! of a box in 3D) or an exponential (log-normal sizes) enters, because mathematical libraries round these differently.

mod foam;
mod insertion;
mod lattice_filling;
mod lattice_particles;
mod paper_case;
mod polyhedron;
mod random_particles;
mod refined_sphere;
mod round_body;
mod tumbling_pair;
mod velocities;

pub use carom_geometry::random::SplitMix64;
pub use foam::Foam;
pub use insertion::nonoverlapping_centers;
pub use lattice_particles::{LatticeKind, LatticeParticles};
pub use paper_case::{PaperCase, paper_case_particles};
pub use polyhedron::{Polyhedron, RegularSolid};
pub use random_particles::{DiameterDistribution, RandomParticles, RandomRegion};
pub use refined_sphere::RefinedSphere;
pub use round_body::{RoundBody, RoundKind};
pub use tumbling_pair::{TumblingPair, TumblingRotation};

pub(crate) use insertion::{InsertionRegion, PlacedSpheres, PlacementPredicate, insert};
pub(crate) use lattice_filling::{LatticeFilling, choose_sites};
pub(crate) use tumbling_pair::random_rotation;
pub(crate) use velocities::maxwellian;

use crate::Error;
use std::f64::consts::PI;

/// Seed of all published figures.
pub const DEFAULT_SEED: u64 = 12345;

fn setting(what: &'static str, value: impl ToString, rule: &'static str) -> Error {
    Error::Setting { what, value: short(value.to_string()), rule }
}

/// More characters than the numbers that people write.
const LONG: usize = 24;

/// Shortens a number of hundreds of digits, most of them zeros, to its exponent form.
fn short(text: String) -> String {
    match text.parse::<f64>() {
        Ok(number) if text.len() > LONG => format!("{number:e}"),
        _ => text,
    }
}

/// Returns the volume of a sphere or the area of a disc.
pub(crate) fn ball_volume<const D: usize>(diameter: f64) -> f64 {
    if D == 2 { diameter * diameter * PI / 4.0 } else { diameter * diameter * diameter * PI / 6.0 }
}

fn check_count(count: usize) -> Result<(), Error> {
    if u32::try_from(count).is_err() {
        return Err(setting("count", count, "at most 4294967295 can be made"));
    }
    let needed = (count * size_of::<carom_geometry::Sphere<3>>()) as u64;
    match carom_io::memory::available_bytes() {
        Some(bytes) if needed > bytes => {
            Err(setting("count", count, "the memory of this machine does not hold this many"))
        }
        _ => Ok(()),
    }
}
