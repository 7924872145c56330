//! From pair to pair of vertices towards the closest points.
//!
//! The algorithm of Gilbert, Johnson and Keerthi (1988) on the difference of the bodies, with what was
//! learned since:
//!
//! - It starts from the vertices of the last answer, not from a direction. If bodies turn little between
//!   two questions, those are nearly always right, and one look around proves it: the support that is
//!   found is one already held. That stop compares integers and needs no tolerance. This is the tracking
//!   of closest features of Lin and Canny (1991) and of Schinner (1999), without their special cases for
//!   parallel and coplanar features, and without their endless cycles: every step brings the answer
//!   nearer, or ends the walk.
//! - A direction in which the bodies were seen to be apart is a proof. A step that sees one does not end
//!   inside, whatever rounding says, nor does a walk that has come to the end of its digits. A later step
//!   that sees none may: with needles, what was seen far off may have been rounding.
//! - A triangle that is nearly a line counts as its edges.
//! - If the vertices of the last answer are far apart by now, and far from being the closest, they are of
//!   no use any more, and the walk begins at the line of centers.

use super::minkowski_difference::{MinkowskiDifference, SupportMap};
use super::nearest_on_simplex::NearestSimplexPoint;
use super::simplex::{GjkSimplex, VertexPair};
use carom_geometry::Vector;

/// How a walk ended.
pub enum GjkOutcome {
    /// At this point of the simplex, which is the nearest of the difference.
    Separated(Vector<3>),
    /// The origin is inside the simplex, or on it.
    Intersecting,
}

/// Walks from the pairs of the last answer, or from the line of centers. Leaves the points it ended at in
/// the simplex, and tells how many steps it took.
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
        if simplex.contains(pair) {
            return (GjkOutcome::Separated(point), step);
        }
        let farthest = difference.point(pair);
        let reach = point.dot(&farthest);
        if squared - reach <= RELATIVE_TOLERANCE * squared {
            return (GjkOutcome::Separated(point), step);
        }
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
            // The square does not tell any more, but the direction may still turn a little.
            level_steps += 1;
            let is_level =
                near.distance_squared <= squared + 2.0 * TOUCHING_DISTANCE * size * squared.sqrt();
            if level_steps > MAX_STALLED_ITERATIONS || !is_level {
                // The rest is rounding. Who was never seen to be apart touches.
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

/// More than was ever needed; a walk that does not end by then has met numbers out of range.
const MAX_ITERATIONS: u32 = 500;
/// An answer that can come nearer by no more than this part is taken.
const RELATIVE_TOLERANCE: f64 = 1e-15;
/// So many steps may bring nothing but a better direction.
const MAX_STALLED_ITERATIONS: u32 = 6;
/// Bodies that are nearer than this part of their size touch: less is rounding.
const TOUCHING_DISTANCE: f64 = 4.0 * f64::EPSILON;
/// A remembered answer is kept as long as it leaves the bodies no farther apart than this part of their
/// size, or is nearly right.
const WARM_START_RANGE: f64 = 0.4;
