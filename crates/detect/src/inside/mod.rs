//! Which points lie inside a closed surface of triangles.
//!
//! Prepare a mesh once, then ask for any number of points ([`InsideTest`]). The methods that count
//! crossings are exact: no point is ever told on the wrong side, however close it is, and a point on
//! the surface is told to be there.

mod cells;
mod crossing;
mod double_layer;
mod lanes;
mod multipole;
mod on_triangle;
mod panels;
mod ray;
#[cfg(test)]
mod samples;
mod side;
mod surface_tree;
mod wide;

pub use cells::Cells;
pub use double_layer::DoubleLayer;
pub use multipole::{Accuracy, Depth, Multipole, MultipoleError, MultipoleOptions};
pub use ray::RayCrossing;
pub use side::{InsideTest, Rule, Side};
pub use surface_tree::{Nearest, SurfaceTree};
