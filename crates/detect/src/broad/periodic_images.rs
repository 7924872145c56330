//! Periodic images as spheres of their own, for structures that know open space only.

use super::SphereSystem;
use carom_geometry::{Sphere, Vector};

/// A sphere or one of its periodic images, for structures that work in open space only.
#[derive(Clone, Copy, Debug)]
pub(super) struct PeriodicSphereImage<const D: usize> {
    /// The wrapped or shifted sphere, its radius enlarged so that rounding never hides a contact.
    pub sphere: Sphere<D>,
    /// Index of the sphere in the input.
    pub id: u32,
    /// Whether this is a copy outside the box. Two copies need not be compared: their originals are.
    pub is_copy: bool,
}

/// Visits every sphere, and every image of one that a sphere inside the box may touch.
pub(super) fn for_each_image<const D: usize>(
    system: &SphereSystem<'_, D>,
    mut visit: impl FnMut(PeriodicSphereImage<D>),
) {
    let boundary = system.boundary();
    let (region, margin) = (system.region(), system.image_margin());
    for (sphere, id) in system.spheres().iter().zip(0..) {
        let center = boundary.wrap(sphere.center);
        let radius = sphere.radius * (1.0 + 16.0 * f64::EPSILON) + margin;
        visit(PeriodicSphereImage { sphere: Sphere { center, radius }, id, is_copy: false });
        if !boundary.is_periodic() {
            continue;
        }
        let reach = Vector::repeat(radius + system.largest_radius() + margin);
        let (low, high) = (region.low - reach, region.high + reach);
        for shift in boundary.image_shifts() {
            let center = center + shift;
            if center >= low && center <= high {
                visit(PeriodicSphereImage { sphere: Sphere { center, radius }, id, is_copy: true });
            }
        }
    }
}
