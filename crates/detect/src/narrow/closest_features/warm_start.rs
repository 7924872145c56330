//! From the vertices of the last answer to the closest ones.
//!
//! Of bodies that turn little between two questions they nearly always are the same, which one look around
//! them tells: the nearest point of their differences is found as if it were inside what they span; if it
//! is, and no neighbor of a vertex is farther towards the other body, it is the answer. Otherwise the
//! neighbor that is the farthest joins them, as in the walk, but no vertices other than neighbors are
//! looked at. The number of faces does not matter. What is thin, close or doubtful is left to the walk.

use super::nearest_on_simplex::{NearestSimplexPoint, triangle_weights_by_area};
use super::simplex::{GjkSimplex, THIN_TRIANGLE, VertexPair};
use carom_geometry::{Pose, Vector, shape::ConvexPolyhedron};

/// Two bodies, seen from the origin of the first along the axes of the world.
#[derive(Clone, Copy)]
pub struct WarmStart<'a> {
    bodies: [&'a ConvexPolyhedron; 2],
    poses: [&'a Pose; 2],
    /// From the origin of the first body to that of the second.
    separation: Vector<3>,
}

/// Closest points in the world.
pub struct WarmStartSolution {
    pub distance: f64,
    pub normal: Vector<3>,
    pub on_a: Vector<3>,
    pub on_b: Vector<3>,
}

/// What a look at remembered vertices tells.
enum WarmStartCheck {
    /// They are the closest.
    Confirmed(WarmStartSolution),
    /// The point of what they span is right, but a neighbor is farther.
    FartherNeighbor(NearestSimplexPoint, VertexPair),
    /// Another point of what they span is nearer.
    OutsideSpan,
    /// Better to walk.
    Inconclusive,
}

/// If it takes more steps, the bodies have moved so far that it is better to start anew.
const MAX_ITERATIONS: u32 = 6;

impl<'a> WarmStart<'a> {
    #[inline(always)]
    pub fn new(bodies: [&'a ConvexPolyhedron; 2], poses: [&'a Pose; 2]) -> Self {
        WarmStart { bodies, poses, separation: poses[1].position - poses[0].position }
    }

    /// The closest points, and how many looks around it took, if they are near these pairs and farther than
    /// `close` from each other. If the pairs are others than these, the simplex has them.
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

    /// Goes on to a neighbor that is farther. Each step brings the answer nearer.
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
            if near.point.dot(&point) <= 0.0 {
                return None;
            }
            simplex.push(farthest, point);
            let next = simplex.nearest_to_origin(true)?;
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

    /// The pair farthest against a direction, of a pair and its neighbors.
    #[inline(always)]
    fn local_support(&self, pair: VertexPair, direction: &Vector<3>) -> VertexPair {
        let [a, b] = self.bodies;
        let towards_b = -self.poses[0].rotation.tr_mul(direction);
        let towards_a = self.poses[1].rotation.tr_mul(direction);
        VertexPair {
            a: a.local_support(pair.a, &towards_b),
            b: b.local_support(pair.b, &towards_a),
        }
    }

    /// Where the first vertex of a pair is, and the point of the difference; none if there is no such
    /// pair.
    #[inline(always)]
    fn pair_points(&self, pair: VertexPair) -> Option<(Vector<3>, Vector<3>)> {
        let on_a = self.poses[0].rotation * self.bodies[0].vertices().get(pair.a as usize)?;
        let on_b = self.poses[1].rotation * self.bodies[1].vertices().get(pair.b as usize)?;
        Some((on_a, on_a - (on_b + self.separation)))
    }

    /// The first look, at the pairs of the last answer; puts them into the simplex if it is not the last.
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
        let Some(InteriorProjection { point, weights }) = points.project_origin() else {
            fill_simplex(simplex, &pairs, &points);
            return WarmStartCheck::OutsideSpan;
        };
        let squared = point.norm_squared();
        let farthest = self.local_support(pairs[0], &point);
        if squared.is_nan() || squared <= close * close || !spans_both_features(&pairs) {
            return WarmStartCheck::Inconclusive;
        }
        // Which of them it is no one could predict, so that there is but one branch.
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
    /// With a point of the first body, and the point of the difference.
    #[inline(always)]
    fn from_difference_point(on_a: Vector<3>, point: &Vector<3>, squared: f64) -> Self {
        let distance = squared.sqrt();
        WarmStartSolution { distance, normal: point * (-1.0 / distance), on_a, on_b: on_a - point }
    }
}

/// A point of what some vertices span.
struct InteriorProjection<const COUNT: usize> {
    point: Vector<3>,
    weights: [f64; COUNT],
}

/// Whether what the pairs span has as many dimensions as the vertices of both bodies span together. Then all
/// vertices of a body are equally far towards the other one.
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

/// What some points span.
trait VertexSpan<const COUNT: usize> {
    /// Its point that is nearest to the origin, if that is inside, and not too thin to tell.
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

// Other than those of the standard library, these are one instruction each.

#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[inline(always)]
fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}
