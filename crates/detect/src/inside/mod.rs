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

mod cells;
mod crossing;
mod double_layer;
mod lanes;
mod method;
mod multipole;
mod on_triangle;
mod panels;
mod ray;
#[cfg(test)]
mod samples;
mod side;
mod solid;
mod surface_tree;
mod wide;

pub use cells::Cells;
pub use double_layer::DoubleLayer;
pub use method::{Method, NoInside, Prepared};
pub use multipole::{Accuracy, Depth, Multipole, MultipoleError, MultipoleOptions};
pub use on_triangle::closest as closest_on_triangle;
pub use ray::RayCrossing;
pub use side::{InsideTest, Rule, Side};
pub use solid::{NodeInside, NodesInside, NodesRoom, Solid};
pub use surface_tree::{Nearest, SurfaceTree};
