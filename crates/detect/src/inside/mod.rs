//! Point containment: which points lie inside a closed surface of triangles.
//!
//! Start with [`ContainmentMethod`], which says which method to take when, and [`FillRule`], which defines the
//! inside of surfaces that are open, overlap themselves or have reversed faces. Prepare a surface once, then query
//! any number of points ([`InsideTest`]).
//!
//! - [`WindingCells`] and [`RayCrossing`] count crossings and are exact: no point is put on the wrong side, however
//!   close it is, and a point on the surface is reported as such.
//! - [`DoubleLayer`] and [`Multipole`] sum the solid angles of the triangles, which gives the generalized winding
//!   number. They are slower and not exact within rounding of the surface, but answer for surfaces with missing
//!   triangles: take the first for few points or some hundred triangles, the second for more.
//! - [`Solid`] adds signed distances and finds which vertices of two bodies penetrate each other; [`TriangleBvh`]
//!   finds closest points of a surface, and where rays meet it, alone.

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
mod surface_ray;
mod triangle_bvh;
mod winding_cells;

pub use closest_point_on_triangle::closest_point_on_triangle as closest_on_triangle;
pub use containment::{Containment, FillRule, InsideTest};
pub(crate) use containment_method::check_rule;
pub use containment_method::{ContainmentError, ContainmentMethod, PreparedSurface};
pub use double_layer::DoubleLayer;
pub use multipole::{Multipole, MultipoleAccuracy, MultipoleError, MultipoleOptions, OctreeDepth};
pub use ray_crossing::RayCrossing;
pub use solid::{PenetratingNode, PenetratingNodeBuffers, PenetratingNodes, Solid};
pub use surface_ray::SurfaceHit;
pub use triangle_bvh::{ClosestPointOnSurface, TriangleBvh};
pub use winding_cells::WindingCells;
