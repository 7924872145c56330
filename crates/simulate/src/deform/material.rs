//! What bodies are made of.

use super::lattice::{Lattice, Link};

/// What springs are made to behave like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Young's modulus: force per area in space, per length in the plane.
    pub young: f64,
    /// Mass per volume in space, per area in the plane.
    pub density: f64,
    /// How many times as stiff springs are when pushed as when pulled.
    pub pushed: f64,
    /// The stretch, in parts of the length at rest, at which springs break.
    pub breaks_at: Option<f64>,
}

impl Material {
    /// Elastic without end.
    pub fn elastic(young: f64, density: f64) -> Self {
        Material { young, density, pushed: 1.0, breaks_at: None }
    }

    /// The stretch at which springs break so that a straight cut along an axis of the lattice costs an energy per area.
    ///
    /// Just before the cut all springs that cross it are stretched alike.
    pub fn breaking_stretch(&self, lattice: Lattice, spacing: f64, energy: f64) -> f64 {
        let crossing = match lattice.dimension() {
            2 => crossing::<2>(lattice),
            _ => crossing::<3>(lattice),
        };
        (2.0 * energy * lattice.solid().young / (self.young * spacing * crossing)).sqrt()
    }
}

/// The sum of stiffness times squared length over springs that cross a unit of a plane of the lattice.
fn crossing<const D: usize>(lattice: Lattice) -> f64 {
    let last = D - 1;
    let cross = |link: &Link<D>| {
        f64::from(link.offset[last].abs()) * link.stiffness * link.length * link.length
    };
    lattice.half::<D>().iter().map(cross).sum()
}
