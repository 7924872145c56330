//! Penetration depth by the expanding polytope algorithm, EPA (van den Bergen, 2001).
//!
//! A polytope of points of the Minkowski difference expands until its face nearest to the origin is a face of the
//! difference itself. Distances are signed, so the origin need not be inside the first polytope: bodies that just
//! touch are no special case.

use super::epa_polytope::{EpaFace, EpaPolytope};
use super::minkowski_difference::MinkowskiDifference;
use super::simplex::GjkSimplex;
use carom_geometry::{Vector, shape::ConvexPolyhedron};
use std::cell::RefCell;

thread_local! {
    // Reused by every query of a thread: allocation took half of the time of a penetration depth.
    static POLYTOPE: RefCell<EpaPolytope> = RefCell::default();
}

/// The least translation that separates two bodies.
#[derive(Clone, Copy)]
pub struct Penetration {
    /// The three points of the Minkowski difference that span the nearest face.
    pub simplex: GjkSimplex,
    /// The barycentric weights of the origin's projection; rounding may make them slightly negative.
    pub weights: [f64; 3],
    /// The penetration depth, a length.
    pub depth: f64,
    /// The unit normal from the first body to the second.
    pub normal: Vector<3>,
}

/// Returns the penetration of two bodies, given the final simplex of GJK.
pub fn epa(
    difference: &MinkowskiDifference<'_, ConvexPolyhedron>,
    known: &GjkSimplex,
    size: f64,
) -> Penetration {
    POLYTOPE.with_borrow_mut(|polytope| {
        polytope.reset_to_tetrahedron(difference, known);
        polytope.expand_to_nearest_face(difference, ROUNDING * size)
    })
}

impl EpaPolytope {
    /// Expands the polytope until its nearest face is one of the difference and the origin projects into it.
    /// Rounding may put the projection beside the nearest face: then the right face is the next one at the same
    /// distance.
    fn expand_to_nearest_face(
        &mut self,
        difference: &MinkowskiDifference<'_, ConvexPolyhedron>,
        rounding: f64,
    ) -> Penetration {
        let mut best: Option<Penetration> = None;
        for _ in 0..MAX_ITERATIONS {
            let Some(least) = self.pop_nearest_face() else { break };
            let EpaFace { normal, distance, vertices: corners, .. } = self.faces[least as usize];
            // Faces come in ascending distance: beyond this one no other can be as near as the best.
            if best.is_some_and(|best| distance > best.depth + EQUAL_DISTANCE_ROUNDINGS * rounding)
            {
                break;
            }
            let pair = difference.support_against(&-normal);
            let point = difference.point(pair);
            let reach = normal.dot(&point);
            // By indices: a support vertex that the face already has ends the expansion without a rounded
            // comparison.
            let is_known =
                corners.iter().any(|&corner| self.vertices[corner as usize].pair == pair);
            let is_face = is_known || reach - distance <= rounding;
            if !is_face && self.expand(least, pair, point, rounding) {
                continue;
            }
            let found = self.penetration_at_face(least, rounding);
            // Only over the inside of a face is its distance that of the nearest point.
            if found.contains_projection() {
                return found;
            }
            let is_better = best.is_none_or(|best| found.min_weight() > best.min_weight());
            best = if is_better { Some(found) } else { best };
        }
        best.unwrap_or_else(|| self.penetration_at_face(self.faces.len() as u32 - 1, rounding))
    }

    /// Returns the penetration at a face of the difference. EPA may have split that face into coplanar triangles;
    /// the one that contains the projection of the origin is taken.
    fn penetration_at_face(&mut self, face: u32, rounding: f64) -> Penetration {
        // A mark for visited faces that no vertex index and no other face uses.
        let stamp = u32::MAX - 1 - face;
        let EpaFace { normal, distance, .. } = self.faces[face as usize];
        let foot = normal * distance;
        let (simplex, weights) = self.face_weights(face, &foot);
        let mut best = Penetration { simplex, weights, depth: distance, normal };
        self.faces[face as usize].visited_by = stamp;
        self.visible_faces.clear();
        self.visible_faces.push(face);
        while let Some(part) = self.visible_faces.pop() {
            let (simplex, weights) = self.face_weights(part, &foot);
            let found = Penetration { simplex, weights, ..best };
            if found.min_weight() > best.min_weight() {
                best = found;
            }
            for beyond in self.faces[part as usize].neighbors {
                let EpaFace { vertices: corners, visited_by: seen_by, .. } =
                    self.faces[beyond as usize];
                let height = |&k: &u32| normal.dot(&self.vertices[k as usize].point) - distance;
                let is_part = corners
                    .iter()
                    .all(|corner| height(corner).abs() <= EQUAL_DISTANCE_ROUNDINGS * rounding);
                if is_part && seen_by != stamp {
                    self.faces[beyond as usize].visited_by = stamp;
                    self.visible_faces.push(beyond);
                }
            }
        }
        best
    }
}

impl Penetration {
    fn min_weight(&self) -> f64 {
        self.weights.iter().copied().fold(1.0, f64::min)
    }

    /// Returns whether the origin projects into the triangle of the three points.
    pub fn contains_projection(&self) -> bool {
        self.min_weight() >= -WEIGHT_TOLERANCE
    }
}

/// The rounding error of the height of a point over a plane, in fractions of the bodies' size.
const ROUNDING: f64 = 4.0 * f64::EPSILON;
/// Faces whose distances differ by this many rounding errors are equally near.
const EQUAL_DISTANCE_ROUNDINGS: f64 = 256.0;
/// The most by which rounding makes a weight negative.
const WEIGHT_TOLERANCE: f64 = 1e-12;
/// More vertices than any two bodies of a thousand faces each need.
const MAX_ITERATIONS: usize = 100_000;
