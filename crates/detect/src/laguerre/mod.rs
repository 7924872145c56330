//! The Laguerre Delaunay triangulation of discs and spheres, and its dual, the Laguerre diagram.
//!
//! The distance of a point to a sphere is its power, `|x - c|^2 - r^2`. The Laguerre cell of a sphere
//! holds the points to which no other sphere is nearer; two spheres are neighbors if their cells have
//! a facet in common, and the neighborships make triangles or tetrahedra. Other names are power or
//! radical diagram, regular or weighted Delaunay triangulation. With equal radii it is the ordinary
//! Delaunay triangulation and Voronoi diagram. Aurenhammer, "Power diagrams" (1987); Gavrilova and
//! Rokne, "Collision detection optimization in a multi-particle system" (2002), section 3.1.
//!
//! - [`Triangulation`]: of spheres at rest. Exact: every sign that decides about a simplex is computed in
//!   real arithmetic, ties are broken as if radii differed by something infinitely small. How many
//!   images a periodic box needs around it is decided with a margin for rounding, or by what always
//!   suffices.
//! - [`SimplicialComplex`]: simplices and how they hang together, flips included, for whoever moves the spheres.
//!
//! A sphere may be hidden: small and deep within others, its cell is empty. Spheres that do not overlap
//! hide nobody, and two that touch are neighbors.
//!
//! Cost: about four microseconds a sphere in space and half of one in the plane; memory about 300 and
//! 130 bytes a sphere. In periodic boxes images are triangulated too: with open axes beside periodic ones
//! three or nine times as many spheres, otherwise those near the sides.

mod bowyer_watson;
mod cell_edges;
mod cells;
mod check;
mod flip;
mod insertion_order;
mod locate;
mod periodic;
mod planar_cavity;
mod simplicial_complex;
mod sites;
#[cfg(test)]
mod tests;
mod triangulation;
mod visited_index_set;

pub use cell_edges::LaguerreCellEdge;
pub use cells::LaguerreCellMeasures;
pub use flip::BistellarFlip;
pub use periodic::HullAssumption;
pub use simplicial_complex::{
    DelaunaySimplex, INFINITE_VERTEX, MAX_CORNERS, SimplexFacet, SimplicialComplex,
};
pub use triangulation::{PeriodicGluingError, SimplexCorner, Triangulation};
pub use visited_index_set::VisitedIndexSet;
