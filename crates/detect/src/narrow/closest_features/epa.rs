//! How deep two bodies are in each other: the expanding polytope of van den Bergen (2001).
//!
//! A polytope of points of the difference grows until the face of it that is nearest to the origin is a
//! face of the difference itself. Distances are signed, so it does not matter whether the origin is in
//! the polytope from the start: bodies that just touch are no special case.

use super::epa_polytope::{EpaFace, EpaPolytope};
use super::minkowski_difference::MinkowskiDifference;
use super::simplex::GjkSimplex;
use carom_geometry::{Vector, shape::ConvexPolyhedron};
use std::cell::RefCell;

thread_local! {
    // Half of the time of a depth went into asking for memory.
    static POLYTOPE: RefCell<EpaPolytope> = RefCell::default();
}

/// The least motion that takes two bodies apart.
#[derive(Clone, Copy)]
pub struct Penetration {
    /// The three points of the difference that it is found at.
    pub simplex: GjkSimplex,
    /// Of these points; below zero by rounding.
    pub weights: [f64; 3],
    pub depth: f64,
    /// From the first body to the second.
    pub normal: Vector<3>,
}

/// The deepest penetration of two bodies, some points of whose difference are known.
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
    /// Grows until its nearest face is one of the difference that the origin stands over. Rounding may let
    /// it stand beside the nearest one: then the next is as near, and the right one.
    fn expand_to_nearest_face(
        &mut self,
        difference: &MinkowskiDifference<'_, ConvexPolyhedron>,
        rounding: f64,
    ) -> Penetration {
        let mut best: Option<Penetration> = None;
        for _ in 0..MAX_ITERATIONS {
            let Some(least) = self.pop_nearest_face() else { break };
            let EpaFace { normal, distance, vertices: corners, .. } = self.faces[least as usize];
            if best.is_some_and(|best| distance > best.depth + EQUAL_DISTANCE_ROUNDINGS * rounding)
            {
                break;
            }
            let pair = difference.support_against(&-normal);
            let point = difference.point(pair);
            let reach = normal.dot(&point);
            let is_known =
                corners.iter().any(|&corner| self.vertices[corner as usize].pair == pair);
            let is_face = is_known || reach - distance <= rounding;
            if !is_face && self.expand(least, pair, point, rounding) {
                continue;
            }
            let found = self.penetration_at_face(least, rounding);
            if found.contains_projection() {
                return found;
            }
            let is_better = best.is_none_or(|best| found.min_weight() > best.min_weight());
            best = if is_better { Some(found) } else { best };
        }
        best.unwrap_or_else(|| self.penetration_at_face(self.faces.len() as u32 - 1, rounding))
    }

    /// What a face of the difference tells. It may be in parts, each a face of the polytope: of these the
    /// one that the origin stands over.
    fn penetration_at_face(&mut self, face: u32, rounding: f64) -> Penetration {
        // No corner has such a number, and no other face.
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

    /// Whether the origin stands over the three points, not beside them.
    pub fn contains_projection(&self) -> bool {
        self.min_weight() >= -WEIGHT_TOLERANCE
    }
}

/// How wrong the height of a point over a plane may be, in sizes of the bodies.
const ROUNDING: f64 = 4.0 * f64::EPSILON;
/// Faces whose distances differ by so many roundings are equally near.
const EQUAL_DISTANCE_ROUNDINGS: f64 = 256.0;
/// A weight that is less by more than this is not so by rounding.
const WEIGHT_TOLERANCE: f64 = 1e-12;
/// More points than any two bodies of a thousand faces each need.
const MAX_ITERATIONS: usize = 100_000;
