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
//! - A direction in which the bodies were seen to be apart is a proof. From then on the origin cannot be
//!   inside, whatever rounding says.
//! - A triangle that is nearly a line counts as its edges.

use super::simplex::{Body, Difference, Simplex};
use carom_geometry::Vector;

/// How a walk ended.
pub enum Ended {
    /// The nearest point of the difference, its simplex.
    Apart(Vector<3>, Simplex),
    /// The origin is inside this simplex, or on it.
    Together(Simplex),
}

/// Walks from a simplex of one to three points; also tells how many steps it took.
#[inline(always)]
pub fn walk<B: Body>(
    difference: &Difference<'_, B>,
    mut simplex: Simplex,
    size: f64,
) -> (Ended, u32) {
    let mut is_separated = false;
    let Some(mut nearest) = simplex.nearest(false) else { return (Ended::Together(simplex), 1) };
    let mut squared = nearest.norm_squared();
    for step in 1..=MOST_STEPS {
        if squared <= TOUCHING * TOUCHING * size * size {
            return (Ended::Together(simplex), step);
        }
        let pair = difference.farthest_against(&nearest, simplex.pairs[0]);
        if simplex.contains(pair) {
            return (Ended::Apart(nearest, simplex), step);
        }
        let point = difference.point(pair);
        let reach = nearest.dot(&point);
        if squared - reach <= CLOSE_ENOUGH * squared {
            return (Ended::Apart(nearest, simplex), step);
        }
        is_separated |= reach > 0.0;
        let before = simplex;
        simplex.push(pair, point);
        let Some(next) = simplex.nearest(reach > 0.0) else {
            return (Ended::Together(simplex), step);
        };
        let next_squared = next.norm_squared();
        if next_squared >= squared {
            // The rest is rounding. Who was never seen to be apart touches.
            let ended =
                if is_separated { Ended::Apart(nearest, before) } else { Ended::Together(before) };
            return (ended, step);
        }
        (nearest, squared) = (next, next_squared);
    }
    (
        if is_separated { Ended::Apart(nearest, simplex) } else { Ended::Together(simplex) },
        MOST_STEPS,
    )
}

/// More than was ever needed; a walk that does not end by then has met numbers out of range.
const MOST_STEPS: u32 = 500;
/// An answer that can come nearer by no more than this part is taken.
const CLOSE_ENOUGH: f64 = 1e-15;
/// Bodies that are nearer than this part of their size touch: less is rounding.
const TOUCHING: f64 = 4.0 * f64::EPSILON;
