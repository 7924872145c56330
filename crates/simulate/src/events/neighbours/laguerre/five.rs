//! The `D + 2` vertices of a flip at one time, for exact answers.

use super::certificate::Motion;
use super::vertices::Vertices;
use crate::events::bodies::Bodies;
use carom_detect::laguerre::{CORNERS, Simplex};
use carom_geometry::predicates::{
    Site, orientation_estimate, orientation_exact, power_estimate, power_exact,
};
use carom_geometry::{Sphere, Vector};
use std::cmp::Ordering;

/// The vertices of a simplex and one across a facet.
pub struct Five<const D: usize> {
    /// Relative to the first.
    spheres: [Sphere<D>; CORNERS + 1],
    sites: [Site<D>; CORNERS + 1],
    period: Vector<D>,
    rounding: f64,
}

impl<const D: usize> Five<D> {
    pub fn at(
        all: &Vertices<D>,
        simplex: &Simplex,
        facet: usize,
        beyond: u32,
        bodies: &Bodies<D>,
        now: f64,
    ) -> Self {
        let vertex = |k: usize| if k > D { beyond } else { simplex.vertices[k] };
        let motions: [Motion<D>; CORNERS + 1] =
            std::array::from_fn(|k| all.motion(vertex(k), bodies, now));
        let near = (facet + 1) % (D + 1);
        let from_first = |k: usize| all.shortest(&motions[0].position, &motions[k].position);
        let step = |k: usize| {
            if k > D {
                from_first(near) + all.shortest(&motions[near].position, &motions[k].position)
            } else {
                from_first(k)
            }
        };
        let spheres =
            std::array::from_fn(|k| Sphere { center: step(k), radius: motions[k].radius });
        let period = *all.period();
        let sites = std::array::from_fn(|k| {
            let Motion { position, radius, .. } = motions[k];
            let off: Vector<D> = step(k) - (position - motions[0].position);
            let shift = std::array::from_fn(|axis| {
                if period[axis] > 0.0 { (off[axis] / period[axis]).round() as i8 } else { 0 }
            });
            Site { center: position, radius, shift }
        });
        let largest = motions.iter().map(|motion| motion.position.amax()).fold(0.0, f64::max);
        let rounding = all.rounding() + largest * f64::EPSILON;
        Five { spheres, sites, period, rounding }
    }

    /// Whether the vertex beyond is inside the orthogonal sphere of the simplex.
    pub fn is_conflict(&self) -> bool {
        let spheres: [_; CORNERS + 1] = std::array::from_fn(|k| &self.spheres[k]);
        let side = power_estimate(spheres, self.rounding)
            .unwrap_or_else(|| power_exact(&self.sites, &self.period));
        side == Ordering::Less
    }

    /// From the corner opposite to the facet to the vertex beyond it.
    pub fn joining_step(&self, corner: usize) -> Vector<D> {
        self.spheres[CORNERS].center - self.spheres[corner].center
    }

    /// Whether the simplex with the vertex beyond at one of its corners is positively oriented.
    pub fn is_outward(&self, corner: usize) -> bool {
        let place = |k: usize| if k.min(D) == corner { CORNERS } else { k.min(D) };
        let points: [_; CORNERS] = std::array::from_fn(|k| &self.spheres[place(k)].center);
        let side = orientation_estimate(points, self.rounding).unwrap_or_else(|| {
            let sites: [_; CORNERS] = std::array::from_fn(|k| self.sites[place(k)]);
            orientation_exact(&sites, &self.period)
        });
        side == Ordering::Greater
    }
}
