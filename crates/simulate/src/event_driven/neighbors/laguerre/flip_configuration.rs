//! The `D + 2` vertices of a flip at one time, for exact predicates.

use super::certificate::LaguerreVertexMotion;
use super::vertices::LaguerreVertices;
use crate::event_driven::hard_spheres::HardSpheres;
use carom_detect::laguerre::{DelaunaySimplex, MAX_CORNERS};
use carom_geometry::predicates::{
    WeightedSite, orientation_estimate, orientation_exact, power_estimate, power_exact,
};
use carom_geometry::{Sphere, Vector};
use std::cmp::Ordering;

/// The vertices of a simplex and the apex across one of its facets.
pub struct FlipConfiguration<const D: usize> {
    /// The spheres, relative to the first vertex.
    spheres: [Sphere<D>; MAX_CORNERS + 1],
    sites: [WeightedSite<D>; MAX_CORNERS + 1],
    period: Vector<D>,
    rounding: f64,
}

impl<const D: usize> FlipConfiguration<D> {
    pub fn at(
        all: &LaguerreVertices<D>,
        simplex: &DelaunaySimplex,
        facet: usize,
        beyond: u32,
        bodies: &HardSpheres<D>,
        now: f64,
    ) -> Self {
        let vertex = |k: usize| if k > D { beyond } else { simplex.vertices[k] };
        let motions: [LaguerreVertexMotion<D>; MAX_CORNERS + 1] =
            std::array::from_fn(|k| all.motion(vertex(k), bodies, now));
        let near = (facet + 1) % (D + 1);
        let from_first =
            |k: usize| all.minimum_image_displacement(&motions[0].position, &motions[k].position);
        // The apex is at most two edges from the first vertex, too far for a unique image; it is reached
        // through a vertex of the common facet instead.
        let displacement = |k: usize| {
            if k > D {
                from_first(near)
                    + all.minimum_image_displacement(&motions[near].position, &motions[k].position)
            } else {
                from_first(k)
            }
        };
        let spheres =
            std::array::from_fn(|k| Sphere { center: displacement(k), radius: motions[k].radius });
        let period = *all.period();
        let sites = std::array::from_fn(|k| {
            let LaguerreVertexMotion { position, radius, .. } = motions[k];
            let off: Vector<D> = displacement(k) - (position - motions[0].position);
            let shift = std::array::from_fn(|axis| {
                if period[axis] > 0.0 { (off[axis] / period[axis]).round() as i8 } else { 0 }
            });
            WeightedSite { center: position, radius, shift }
        });
        let largest = motions.iter().map(|motion| motion.position.amax()).fold(0.0, f64::max);
        let rounding = all.rounding() + largest * f64::EPSILON;
        FlipConfiguration { spheres, sites, period, rounding }
    }

    /// Returns whether the apex is inside the orthogonal sphere of the simplex, exactly: a floating-point
    /// filter decides most cases.
    pub fn is_conflict(&self) -> bool {
        let spheres: [_; MAX_CORNERS + 1] = std::array::from_fn(|k| &self.spheres[k]);
        let side = power_estimate(spheres, self.rounding)
            .unwrap_or_else(|| power_exact(&self.sites, &self.period));
        side == Ordering::Less
    }

    /// Returns the vector from the corner opposite to the facet to the apex, the edge that a flip adds.
    pub fn new_edge_vector(&self, corner: usize) -> Vector<D> {
        self.spheres[MAX_CORNERS].center - self.spheres[corner].center
    }

    /// Returns whether the simplex with one corner replaced by the apex is positively oriented, exactly.
    pub fn is_positively_oriented(&self, corner: usize) -> bool {
        let place = |k: usize| if k.min(D) == corner { MAX_CORNERS } else { k.min(D) };
        let points: [_; MAX_CORNERS] = std::array::from_fn(|k| &self.spheres[place(k)].center);
        let side = orientation_estimate(points, self.rounding).unwrap_or_else(|| {
            let sites: [_; MAX_CORNERS] = std::array::from_fn(|k| self.sites[place(k)]);
            orientation_exact(&sites, &self.period)
        });
        side == Ordering::Greater
    }
}
