//! Space as it is seen along an oblique axis.

use super::page::View;
use carom_geometry::{Aabb, Vector};

/// Directions of the page (right, up) and towards the viewer, all of unit length.
const RIGHT: [f64; 3] = [0.848048096156426, 0.5299192642332049, 0.0];
const UP: [f64; 3] = [-0.18124306270407364, 0.2900495313944813, 0.9396926207859083];
pub(super) const NEAR: [f64; 3] = [0.4979612222122406, -0.7969045380297319, 0.3420201433256687];

fn along<const D: usize>(direction: [f64; 3], point: &Vector<D>) -> f64 {
    (0..D).map(|axis| direction[axis] * point[axis]).sum()
}

/// Where a point is seen: to the right and up.
pub(super) fn seen<const D: usize>(point: &Vector<D>) -> [f64; 2] {
    [along(RIGHT, point), along(UP, point)]
}

/// How near to the viewer a point is.
pub(super) fn nearness<const D: usize>(point: &Vector<D>) -> f64 {
    along(NEAR, point)
}

/// How deep a box is, from its nearest corner to its farthest.
pub(super) fn depth<const D: usize>(sides: &Aabb<D>) -> f64 {
    let size = sides.size();
    (0..D).map(|axis| (NEAR[axis] * size[axis]).abs()).sum()
}

/// A direction as it is seen: right, up, towards the viewer.
pub(super) fn directions(direction: &Vector<3>) -> [f64; 3] {
    [RIGHT, UP, NEAR].map(|axis| along(axis, direction))
}

/// An edge of a box as it is seen.
pub(super) struct Edge {
    pub ends: [[f64; 2]; 2],
    pub behind: bool,
}

/// The twelve edges of a box.
pub(super) fn box_edges<const D: usize>(sides: &Aabb<D>) -> Vec<Edge> {
    // The corner farthest from the viewer; the three edges that meet there lie behind.
    let farthest = (0..D).filter(|&axis| NEAR[axis] < 0.0).map(|axis| 1 << axis).sum::<usize>();
    let mut edges = Vec::new();
    for axis in 0..D {
        for bits in (0..1usize << D).filter(|bits| bits >> axis & 1 == 0) {
            let ends = [seen(&sides.corner(bits)), seen(&sides.corner(bits | 1 << axis))];
            edges.push(Edge { ends, behind: bits == farthest & !(1 << axis) });
        }
    }
    edges
}

/// The view that holds balls, given by the places of their centres and their radii, and edges.
pub(super) fn view(balls: impl Iterator<Item = ([f64; 2], f64)>, edges: &[Edge]) -> View {
    let mut low = [f64::INFINITY; 2];
    let mut high = [f64::NEG_INFINITY; 2];
    let corners = edges.iter().flat_map(|edge| edge.ends).map(|end| (end, 0.0));
    for (center, radius) in balls.chain(corners) {
        for axis in 0..2 {
            low[axis] = low[axis].min(center[axis] - radius);
            high[axis] = high[axis].max(center[axis] + radius);
        }
    }
    View::around(low, high)
}
