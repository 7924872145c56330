//! Warm start: from the closest features of the last query to those of this one.
//!
//! Bodies that turn little between two queries mostly keep their closest features, and one check proves it: the
//! origin is projected onto the span of the remembered points of the Minkowski difference; if the projection is
//! inside, and no neighbor of a remembered vertex is farther toward the other body, it is the answer (for convex
//! bodies a local maximum of the support function is the global one). Otherwise the farthest neighbor joins the
//! simplex as in GJK, but the support function is evaluated among neighbors only, so the cost does not depend on the
//! number of faces. Thin, close and doubtful cases are left to GJK.

use super::nearest_on_simplex::{NearestSimplexPoint, triangle_weights_by_area};
use super::simplex::{GjkSimplex, THIN_TRIANGLE, VertexPair};
use carom_geometry::{Pose, Vector, shape::ConvexPolyhedron};

/// Two bodies, relative to the origin of the first along the axes of the world.
#[derive(Clone, Copy)]
pub struct WarmStart<'a> {
    bodies: [&'a ConvexPolyhedron; 2],
    poses: [&'a Pose; 2],
    /// The vector from the origin of the first body to that of the second.
    separation: Vector<3>,
}

/// Closest points in the world.
pub struct WarmStartSolution {
    pub distance: f64,
    pub normal: Vector<3>,
    pub on_a: Vector<3>,
    pub on_b: Vector<3>,
}

/// The result of checking the remembered vertex pairs.
enum WarmStartCheck {
    /// They still are the closest features.
    Confirmed(WarmStartSolution),
    /// The origin projects into their span, but a neighbor is farther.
    FartherNeighbor(NearestSimplexPoint, VertexPair),
    /// The origin projects outside of their span.
    OutsideSpan,
    /// The case is left to GJK.
    Inconclusive,
}

/// After more iterations the bodies have moved so far that a cold start is faster.
const MAX_ITERATIONS: u32 = 6;

impl<'a> WarmStart<'a> {
    #[inline(always)]
    pub fn new(bodies: [&'a ConvexPolyhedron; 2], poses: [&'a Pose; 2]) -> Self {
        WarmStart { bodies, poses, separation: poses[1].position - poses[0].position }
    }

    /// Returns the closest points and the number of checks, if they are near these pairs and farther than `close`
    /// from each other. If the vertex pairs have changed, the new ones are in the simplex.
    #[inline(always)]
    pub fn search(
        &self,
        known: &[VertexPair],
        close: f64,
        simplex: &mut GjkSimplex,
    ) -> Option<(WarmStartSolution, u32)> {
        let look = match *known {
            [one, two, three] => self.check_known_pairs([one, two, three], close, simplex),
            [one, two] => self.check_known_pairs([one, two], close, simplex),
            [one] => self.check_known_pairs([one], close, simplex),
            _ => WarmStartCheck::Inconclusive,
        };
        let (near, farthest) = match look {
            WarmStartCheck::Confirmed(held) => return Some((held, 1)),
            WarmStartCheck::FartherNeighbor(near, farthest) => (near, farthest),
            WarmStartCheck::OutsideSpan => {
                let near = simplex.nearest_to_origin(true)?;
                simplex.retain_points(near.vertex_mask);
                let farthest = self.local_support(simplex.pairs[0], &near.point);
                if simplex.contains(farthest) {
                    return self.finish(&near, close, simplex, 1);
                }
                (near, farthest)
            }
            WarmStartCheck::Inconclusive => return None,
        };
        self.hill_climb(near, farthest, close, simplex)
    }

    /// Moves to farther neighbors; each iteration reduces the distance.
    #[inline(always)]
    fn hill_climb(
        &self,
        mut near: NearestSimplexPoint,
        mut farthest: VertexPair,
        close: f64,
        simplex: &mut GjkSimplex,
    ) -> Option<(WarmStartSolution, u32)> {
        for step in 2..=MAX_ITERATIONS {
            let (_, point) = self.pair_points(farthest)?;
            // v·w <= 0: no plane separates the bodies along this direction, they may intersect.
            if near.point.dot(&point) <= 0.0 {
                return None;
            }
            simplex.push(farthest, point);
            let next = simplex.nearest_to_origin(true)?;
            // No progress: rounding. GJK, which can stall safely, takes over.
            if next.distance_squared >= near.distance_squared {
                return None;
            }
            simplex.retain_points(next.vertex_mask);
            near = next;
            farthest = self.local_support(simplex.pairs[0], &near.point);
            if simplex.contains(farthest) {
                return self.finish(&near, close, simplex, step);
            }
        }
        None
    }

    #[inline(always)]
    fn finish(
        &self,
        near: &NearestSimplexPoint,
        close: f64,
        simplex: &GjkSimplex,
        steps: u32,
    ) -> Option<(WarmStartSolution, u32)> {
        if near.distance_squared.is_nan()
            || near.distance_squared <= close * close
            || simplex.is_thin()
        {
            return None;
        }
        let weights = simplex.barycentric_weights(&near.point);
        let mut on_a = Vector::zeros();
        for k in 0..simplex.count.min(3) {
            on_a += self.bodies[0].vertices()[simplex.pairs[k].a as usize] * weights[k];
        }
        Some((
            WarmStartSolution::from_difference_point(
                self.poses[0].transform_point(&on_a),
                &near.point,
                near.distance_squared,
            ),
            steps,
        ))
    }

    /// Returns the support pair in the opposite of a direction among a pair and its neighbors.
    #[inline(always)]
    fn local_support(&self, pair: VertexPair, direction: &Vector<3>) -> VertexPair {
        let [a, b] = self.bodies;
        let toward_b = -self.poses[0].rotation.tr_mul(direction);
        let toward_a = self.poses[1].rotation.tr_mul(direction);
        VertexPair { a: a.local_support(pair.a, &toward_b), b: b.local_support(pair.b, &toward_a) }
    }

    /// Returns the first vertex of a pair, rotated, and the point of the difference; `None` if there is no such
    /// pair.
    #[inline(always)]
    fn pair_points(&self, pair: VertexPair) -> Option<(Vector<3>, Vector<3>)> {
        let on_a = self.poses[0].rotation * self.bodies[0].vertices().get(pair.a as usize)?;
        let on_b = self.poses[1].rotation * self.bodies[1].vertices().get(pair.b as usize)?;
        Some((on_a, on_a - (on_b + self.separation)))
    }

    /// Checks the pairs of the last answer; puts them into the simplex if the search must continue.
    #[inline(always)]
    fn check_known_pairs<const COUNT: usize>(
        &self,
        pairs: [VertexPair; COUNT],
        close: f64,
        simplex: &mut GjkSimplex,
    ) -> WarmStartCheck
    where
        [Vector<3>; COUNT]: VertexSpan<COUNT>,
    {
        let (mut on_a, mut points) = ([Vector::zeros(); COUNT], [Vector::zeros(); COUNT]);
        for k in 0..COUNT {
            let Some(both) = self.pair_points(pairs[k]) else {
                return WarmStartCheck::Inconclusive;
            };
            (on_a[k], points[k]) = both;
        }
        // The origin has left the span of the old features: the closest features are a part of them or beside them.
        let Some(InteriorProjection { point, weights }) = points.project_origin() else {
            fill_simplex(simplex, &pairs, &points);
            return WarmStartCheck::OutsideSpan;
        };
        let squared = point.norm_squared();
        // Neighbors suffice: on a convex body a vertex without a farther neighbor is the farthest of all.
        let farthest = self.local_support(pairs[0], &point);
        // So near to contact the direction of the separation is rounding; GJK decides whether they touch.
        if squared.is_nan() || squared <= close * close || !spans_both_features(&pairs) {
            return WarmStartCheck::Inconclusive;
        }
        // Which vertex matches is unpredictable, so the comparisons end in one branch. Each body is compared by
        // itself: the vertices of a feature are equally far, so the pair need not be one of the remembered pairs.
        let (mut other_a, mut other_b) = (u32::MAX, u32::MAX);
        for pair in &pairs {
            other_a = other_a.min(pair.a ^ farthest.a);
            other_b = other_b.min(pair.b ^ farthest.b);
        }
        if other_a | other_b != 0 {
            fill_simplex(simplex, &pairs, &points);
            return WarmStartCheck::FartherNeighbor(
                NearestSimplexPoint { point, distance_squared: squared, vertex_mask: 0 },
                farthest,
            );
        }
        let mut seen = on_a[0] * weights[0];
        for k in 1..COUNT {
            seen += on_a[k] * weights[k];
        }
        WarmStartCheck::Confirmed(WarmStartSolution::from_difference_point(
            seen + self.poses[0].position,
            &point,
            squared,
        ))
    }
}

#[inline(always)]
fn fill_simplex(simplex: &mut GjkSimplex, pairs: &[VertexPair], points: &[Vector<3>]) {
    for (&pair, &point) in pairs.iter().zip(points) {
        simplex.push(pair, point);
    }
}

impl WarmStartSolution {
    /// Builds the solution from a point of the first body and the point of the difference.
    #[inline(always)]
    fn from_difference_point(on_a: Vector<3>, point: &Vector<3>, squared: f64) -> Self {
        let distance = squared.sqrt();
        WarmStartSolution { distance, normal: point * (-1.0 / distance), on_a, on_b: on_a - point }
    }
}

/// The projection of the origin into the span of some points.
struct InteriorProjection<const COUNT: usize> {
    point: Vector<3>,
    weights: [f64; COUNT],
}

/// Returns whether the span of the pairs has as many dimensions as the features of both bodies together. Then all
/// vertices of a body's feature are equally far toward the other body.
#[inline(always)]
fn spans_both_features<const COUNT: usize>(pairs: &[VertexPair; COUNT]) -> bool {
    let mut different = 2;
    for k in 1..COUNT {
        let (mut is_new_a, mut is_new_b) = (true, true);
        for earlier in 0..k {
            is_new_a &= pairs[earlier].a != pairs[k].a;
            is_new_b &= pairs[earlier].b != pairs[k].b;
        }
        different += usize::from(is_new_a) + usize::from(is_new_b);
    }
    different == COUNT + 1
}

/// The simplex that some points span.
trait VertexSpan<const COUNT: usize> {
    /// Projects the origin; `None` if the projection is outside, or the simplex is too thin to decide.
    fn project_origin(&self) -> Option<InteriorProjection<COUNT>>;
}

impl VertexSpan<1> for [Vector<3>; 1] {
    #[inline(always)]
    fn project_origin(&self) -> Option<InteriorProjection<1>> {
        Some(InteriorProjection { point: self[0], weights: [1.0] })
    }
}

impl VertexSpan<2> for [Vector<3>; 2] {
    #[inline(always)]
    fn project_origin(&self) -> Option<InteriorProjection<2>> {
        let along = self[1] - self[0];
        let part = -self[0].dot(&along) / along.norm_squared();
        if part > 0.0 && part < 1.0 {
            return Some(InteriorProjection {
                point: self[0] + along * part,
                weights: [1.0 - part, part],
            });
        }
        None
    }
}

impl VertexSpan<3> for [Vector<3>; 3] {
    #[inline(always)]
    fn project_origin(&self) -> Option<InteriorProjection<3>> {
        let [a, b, c] = self;
        let (ab, ac, bc) = (b - a, c - a, c - b);
        let normal = ab.cross(&ac);
        let area = normal.norm_squared();
        let longest = larger(larger(ab.norm_squared(), ac.norm_squared()), bc.norm_squared());
        let point = normal * (normal.dot(a) / area);
        let weights = triangle_weights_by_area(&(point - a), [&ab, &ac], &normal, area);
        let least = smaller(smaller(weights[0], weights[1]), weights[2]);
        if least > 0.0 && area >= THIN_TRIANGLE * THIN_TRIANGLE * longest * longest {
            return Some(InteriorProjection { point, weights });
        }
        None
    }
}

// `f64::max` and `f64::min` also handle NaN; these are one instruction each.

#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[inline(always)]
fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}
