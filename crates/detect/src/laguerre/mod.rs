//! The Laguerre Delaunay triangulation of discs and spheres, and its dual, the Laguerre diagram.
//!
//! The distance of a point to a sphere is its power, `|x - c|^2 - r^2`. The Laguerre cell of a sphere
//! holds the points to which no other sphere is nearer; two spheres are neighbours if their cells have
//! a facet in common, and the neighbourships make triangles or tetrahedra. Other names are power or
//! radical diagram, regular or weighted Delaunay triangulation. With equal radii it is the ordinary
//! Delaunay triangulation and Voronoi diagram. Aurenhammer, "Power diagrams" (1987); Gavrilova and
//! Rokne, "Collision detection optimization in a multi-particle system" (2002), section 3.1.
//!
//! - [`Triangulation`]: of spheres at rest. Exact: every sign that decides about a simplex is computed in
//!   real arithmetic, ties are broken as if radii differed by something infinitely small. How many
//!   images a periodic box needs around it is decided with a margin for rounding, or by what always
//!   suffices.
//! - [`Complex`]: simplices and how they hang together, flips included, for whoever moves the spheres.
//!
//! A sphere may be hidden: small and deep within others, its cell is empty. Spheres that do not overlap
//! hide nobody, and two that touch are neighbours.
//!
//! Cost: about four microseconds a sphere in space and half of one in the plane; memory about 300 and
//! 130 bytes a sphere. In periodic boxes images are triangulated too: with open axes beside periodic ones
//! three or nine times as many spheres, otherwise those near the sides.

mod build;
mod cell_edges;
mod cells;
mod check;
mod complex;
mod curve;
mod flip;
mod locate;
mod periodic;
mod plane;
mod seen;
mod sites;
#[cfg(test)]
mod tests;
mod triangulation;

pub use cell_edges::CellEdge;
pub use cells::CellFigures;
pub use complex::{CORNERS, Complex, Facet, OUTSIDE, Simplex};
pub use flip::Flip;
pub use periodic::Hull;
pub use seen::SeenNumbers;
pub use triangulation::{Corner, NotGlued, Triangulation};
