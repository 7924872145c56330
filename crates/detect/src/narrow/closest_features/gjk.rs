//! GJK: the distance of two convex bodies.
//!
//! The algorithm of Gilbert, Johnson and Keerthi (1988) on the Minkowski difference of the bodies, with these
//! additions:
//!
//! - Warm start: it begins with the vertices of the last answer, not with a direction. If the bodies turn
//!   little between two queries, those are nearly always right, and one support query proves it: it returns a
//!   pair that the simplex already has. This termination test compares integers and needs no tolerance. It
//!   tracks closest features like Lin and Canny (1991) and Schinner (1999), without their special cases for
//!   parallel and coplanar features and without their endless cycles: every iteration reduces the distance or
//!   ends the search.
//! - A direction along which the bodies were separated is a proof. An iteration that finds one does not report
//!   an intersection, whatever rounding says, nor does a search that stalls at the limit of precision. A later
//!   iteration that finds none may report one: for needles a separation seen at a distance may have been
//!   rounding.
//! - A triangle that is nearly a line is treated as its edges.
//! - If the vertices of the last answer are far apart by now, and far from the closest ones, the search starts
//!   again from the line of centers.

use super::minkowski_difference::{MinkowskiDifference, SupportMap};
use super::nearest_on_simplex::NearestSimplexPoint;
use super::simplex::{GjkSimplex, VertexPair};
use carom_geometry::Vector;

/// The outcome of a GJK search.
pub enum GjkOutcome {
    /// The bodies are apart; this is the point of the Minkowski difference nearest to the origin.
    Separated(Vector<3>),
    /// The origin is inside the simplex or on it.
    Intersecting,
}

/// Runs GJK from the vertex pairs of the last answer, or from the line of centers. Leaves the final points in
/// the simplex and returns the outcome with the number of iterations.
#[inline(always)]
pub fn gjk<B: SupportMap>(
    difference: &MinkowskiDifference<'_, B>,
    known: &[VertexPair],
    size: f64,
    simplex: &mut GjkSimplex,
) -> (GjkOutcome, u32) {
    let mut is_remembered = difference.load_simplex(known, simplex);
    if !is_remembered {
        difference.start_from_centers(simplex);
    }
    let (mut is_separated, mut level_steps) = (false, 0);
    let touching = TOUCHING_DISTANCE * TOUCHING_DISTANCE * size * size;
    let Some(NearestSimplexPoint { mut point, distance_squared: mut squared, vertex_mask: needed }) =
        simplex.nearest_to_origin(false)
    else {
        return (GjkOutcome::Intersecting, 1);
    };
    simplex.retain_points(needed);
    for step in 1..=MAX_ITERATIONS {
        if squared <= touching {
            return (GjkOutcome::Intersecting, step);
        }
        let pair = difference.support_against(&point);
        // The support point is already in the simplex: no point of the difference is nearer. Exact, by indices.
        if simplex.contains(pair) {
            return (GjkOutcome::Separated(point), step);
        }
        let farthest = difference.point(pair);
        let reach = point.dot(&farthest);
        // |v|² - v·w bounds how much nearer any point of the difference can be; it has closed.
        if squared - reach <= RELATIVE_TOLERANCE * squared {
            return (GjkOutcome::Separated(point), step);
        }
        // v·w > 0 puts a plane between the origin and the difference: a proof of separation unless it is
        // rounding.
        let is_seen_apart = reach > 0.0 && reach * reach > touching * squared;
        is_separated |= is_seen_apart;
        if is_remembered
            && reach < 0.5 * squared
            && squared > WARM_START_RANGE * WARM_START_RANGE * size * size
        {
            difference.start_from_centers(simplex);
            (point, squared) = (simplex.points[0], simplex.points[0].norm_squared());
            is_remembered = false;
            continue;
        }
        is_remembered = false;
        simplex.push(pair, farthest);
        let Some(near) = simplex.nearest_to_origin(is_seen_apart) else {
            return (GjkOutcome::Intersecting, step);
        };
        if near.distance_squared >= squared {
            // The squared distance is at its limit of precision, but the direction may still improve a little.
            level_steps += 1;
            let is_level =
                near.distance_squared <= squared + 2.0 * TOUCHING_DISTANCE * size * squared.sqrt();
            if level_steps > MAX_STALLED_ITERATIONS || !is_level {
                // The rest is rounding. Bodies that were never seen to be separated touch.
                simplex.count -= 1;
                return (outcome_at(point, is_separated), step);
            }
        }
        simplex.retain_points(near.vertex_mask);
        (point, squared) = (near.point, near.distance_squared);
    }
    (outcome_at(point, is_separated), MAX_ITERATIONS)
}

fn outcome_at(point: Vector<3>, is_separated: bool) -> GjkOutcome {
    if is_separated { GjkOutcome::Separated(point) } else { GjkOutcome::Intersecting }
}

/// More iterations than any case has needed; a search that exceeds them has met numbers out of range.
const MAX_ITERATIONS: u32 = 500;
/// A point is accepted if its squared distance can decrease by no more than this fraction.
const RELATIVE_TOLERANCE: f64 = 1e-15;
/// The number of iterations that may improve the direction alone.
const MAX_STALLED_ITERATIONS: u32 = 6;
/// Bodies nearer than this fraction of their size touch: less is rounding.
const TOUCHING_DISTANCE: f64 = 4.0 * f64::EPSILON;
/// The last answer is dropped if it leaves the bodies farther apart than this fraction of their size and is not
/// nearly right.
const WARM_START_RANGE: f64 = 0.4;
