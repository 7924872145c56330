//! Which points lie inside a closed surface of triangles.
//!
//! Start with [`Method`], which says what to take when, and [`Rule`], which says what is inside of
//! surfaces that are open, overlap, or are turned inside out. Prepare a surface once, then ask for any
//! number of points ([`InsideTest`]). The methods that count crossings are exact: no point is ever told
//! on the wrong side, however close it is, and a point on the surface is told to be there. [`Solid`] has
//! distances too, and tells which corners of two bodies are inside each other.
//!
//! [`DoubleLayer`] and [`Multipole`] add up how much of the view from a point the triangles fill: the winding
//! number, which for surfaces that are not closed need not be whole. They are slower and not exact within
//! rounding of the surface, but see no holes: take them for surfaces with missing triangles, the first for
//! few points or some hundred triangles, the second for more.

mod closest_point_on_triangle;
mod containment;
mod containment_method;
mod double_layer;
mod lanes;
mod multipole;
mod panels;
mod ray_crossing;
#[cfg(test)]
mod samples;
mod segment_crossing;
mod simd_inside_test;
mod solid;
mod triangle_bvh;
mod winding_cells;

pub use closest_point_on_triangle::closest_point_on_triangle as closest_on_triangle;
pub use containment::{Containment, FillRule, InsideTest};
pub use containment_method::{ContainmentError, ContainmentMethod, PreparedSurface};
pub use double_layer::DoubleLayer;
pub use multipole::{Multipole, MultipoleAccuracy, MultipoleError, MultipoleOptions, OctreeDepth};
pub use ray_crossing::RayCrossing;
pub use solid::{PenetratingNode, PenetratingNodeBuffers, PenetratingNodes, Solid};
pub use triangle_bvh::{ClosestPointOnSurface, TriangleBvh};
pub use winding_cells::WindingCells;
