//! Which points lie inside a closed surface of triangles.
//!
//! Prepare a mesh once, then ask for any number of points ([`InsideTest`]). The methods that count
//! crossings are exact: no point is ever told on the wrong side, however close it is, and a point on
//! the surface is told to be there.
//!
//! [`DoubleLayer`] and [`Multipole`] add up how much of the view from a point the triangles fill: the winding
//! number, which for surfaces that are not closed need not be whole. They are slower and not exact within
//! rounding of the surface, but see no holes: take them for surfaces with missing triangles, the first for
//! few points or some hundred triangles, the second for more.

mod double_layer;
mod lanes;
mod multipole;
mod on_triangle;
mod panels;
#[cfg(test)]
mod samples;
mod side;

pub use double_layer::DoubleLayer;
pub use multipole::{Accuracy, Depth, Multipole, MultipoleError, MultipoleOptions};
pub use side::{InsideTest, Rule, Side};
