//! Projection of 3D along an oblique axis.

use super::page::PageViewport;
use carom_geometry::{Aabb, Vector};

/// Unit vectors to the right and up on the page, and toward the viewer.
const RIGHT: [f64; 3] = [0.848048096156426, 0.5299192642332049, 0.0];
const UP: [f64; 3] = [-0.18124306270407364, 0.2900495313944813, 0.9396926207859083];
pub(super) const TOWARD_VIEWER: [f64; 3] =
    [0.4979612222122406, -0.7969045380297319, 0.3420201433256687];

fn component_along<const D: usize>(direction: [f64; 3], point: &Vector<D>) -> f64 {
    (0..D).map(|axis| direction[axis] * point[axis]).sum()
}

/// Projects a point: to the right and up.
pub(super) fn project<const D: usize>(point: &Vector<D>) -> [f64; 2] {
    [component_along(RIGHT, point), component_along(UP, point)]
}

/// Returns how near to the viewer a point is.
pub(super) fn nearness<const D: usize>(point: &Vector<D>) -> f64 {
    component_along(TOWARD_VIEWER, point)
}

/// Returns the depth of a box, from its nearest corner to its farthest.
pub(super) fn depth<const D: usize>(sides: &Aabb<D>) -> f64 {
    let size = sides.size();
    (0..D).map(|axis| (TOWARD_VIEWER[axis] * size[axis]).abs()).sum()
}

/// Returns a direction in the axes of the view: right, up, toward the viewer.
pub(super) fn view_direction(direction: &Vector<3>) -> [f64; 3] {
    [RIGHT, UP, TOWARD_VIEWER].map(|axis| component_along(axis, direction))
}

/// A projected edge of a box.
pub(super) struct ProjectedEdge {
    pub ends: [[f64; 2]; 2],
    pub behind: bool,
}

/// Returns the twelve edges of a box.
pub(super) fn box_edges<const D: usize>(sides: &Aabb<D>) -> Vec<ProjectedEdge> {
    // The corner farthest from the viewer; the three edges that meet there are hidden.
    let farthest =
        (0..D).filter(|&axis| TOWARD_VIEWER[axis] < 0.0).map(|axis| 1 << axis).sum::<usize>();
    let mut edges = Vec::new();
    for axis in 0..D {
        for bits in (0..1usize << D).filter(|bits| bits >> axis & 1 == 0) {
            let ends = [project(&sides.corner(bits)), project(&sides.corner(bits | 1 << axis))];
            edges.push(ProjectedEdge { ends, behind: bits == farthest & !(1 << axis) });
        }
    }
    edges
}

/// Returns the viewport of balls, given by their projected centers and radii, and edges.
pub(super) fn view(
    balls: impl Iterator<Item = ([f64; 2], f64)>,
    edges: &[ProjectedEdge],
) -> PageViewport {
    let mut low = [f64::INFINITY; 2];
    let mut high = [f64::NEG_INFINITY; 2];
    let corners = edges.iter().flat_map(|edge| edge.ends).map(|end| (end, 0.0));
    for (center, radius) in balls.chain(corners) {
        for axis in 0..2 {
            low[axis] = low[axis].min(center[axis] - radius);
            high[axis] = high[axis].max(center[axis] + radius);
        }
    }
    PageViewport::around(low, high)
}
