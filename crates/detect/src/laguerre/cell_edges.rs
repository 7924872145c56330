//! The edges of the Laguerre diagram, the duals of the facets of the triangulation.

use super::cells::LaguerreCells;
use super::simplicial_complex::{DelaunaySimplex, INFINITE_VERTEX};
use super::triangulation::Triangulation;
use carom_geometry::Vector;

/// An edge of the Laguerre diagram, where `D` cells meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LaguerreCellEdge<const D: usize> {
    /// A segment between two corners of cells.
    Segment([Vector<D>; 2]),
    /// A ray from a corner to infinity.
    Ray {
        /// The corner where the ray starts.
        start: Vector<D>,
        /// Direction away from all spheres; not a unit vector.
        direction: Vector<D>,
    },
}

impl<const D: usize> Triangulation<D> {
    /// Returns the edges of all cells, each once; in a periodic box those at a side may reach across it to
    /// either side.
    ///
    /// ```
    /// use carom_detect::laguerre::{LaguerreCellEdge, Triangulation};
    /// use carom_geometry::{Boundary, Sphere, Vector};
    /// let discs = [[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]].map(|at| Sphere::new(at, 1.0));
    /// let edges = Triangulation::of(&discs, &Boundary::open())?.cell_edges();
    /// assert_eq!(edges.len(), 3);
    /// let starts_in_the_middle = |edge: &LaguerreCellEdge<2>| match *edge {
    ///     LaguerreCellEdge::Ray { start, .. } => start == Vector::from([1.0, 1.0]),
    ///     LaguerreCellEdge::Segment(_) => false,
    /// };
    /// assert!(edges.iter().all(starts_in_the_middle));
    /// # Ok::<(), carom_detect::Error>(())
    /// ```
    pub fn cell_edges(&self) -> Vec<LaguerreCellEdge<D>> {
        let cells = LaguerreCells::new(self.complex(), self.sites());
        let mut edges = Vec::new();
        for (number, simplex) in
            self.complex().finite_simplices().filter(|(_, it)| self.has_only_spheres(it))
        {
            for (corner, across) in simplex.mirror_facets[..=D].iter().enumerate() {
                let beyond = across.simplex();
                let is_hull = !self.has_only_spheres(self.complex().simplex(beyond));
                // The edge between two simplices is taken from the one with the smaller number.
                if !(is_hull || number < beyond) || !self.is_canonical_facet(simplex, corner) {
                    continue;
                }
                let start = cells.power_center(number);
                edges.push(match is_hull {
                    true => LaguerreCellEdge::Ray {
                        start,
                        direction: self.outward_direction(simplex, corner),
                    },
                    false => LaguerreCellEdge::Segment([start, cells.power_center(beyond)]),
                });
            }
        }
        edges
    }

    /// Returns whether all corners are spheres, none infinite or auxiliary.
    fn has_only_spheres(&self, simplex: &DelaunaySimplex) -> bool {
        let is_sphere =
            |&vertex: &u32| vertex != INFINITE_VERTEX && self.sites().id(vertex).is_some();
        simplex.vertices[..=D].iter().all(is_sphere)
    }

    /// Returns whether a facet is the one that represents all its periodic images.
    fn is_canonical_facet(&self, simplex: &DelaunaySimplex, corner: usize) -> bool {
        let mut vertices = simplex.vertices;
        vertices.swap(corner, D);
        let first = self.sites().first_in_input(&vertices[..D]);
        first.is_some_and(|first| self.sites().is_home(first))
    }

    /// Returns a normal of a facet that points away from the corner opposite to it.
    fn outward_direction(&self, simplex: &DelaunaySimplex, corner: usize) -> Vector<D> {
        let place = |k: usize| self.sites().sphere(simplex.vertices[k]).center;
        let others: Vec<Vector<D>> = (0..=D).filter(|&k| k != corner).map(place).collect();
        let step = |k: usize| others[k] - others[0];
        let across: Vector<D> = if D == 2 {
            let along = step(1);
            Vector::from_fn(|axis, _| if axis == 0 { -along[1] } else { along[0] })
        } else {
            let (a, b) = (step(1), step(2));
            Vector::from_fn(|axis, _| {
                let (i, j) = ((axis + 1) % D, (axis + 2) % D);
                a[i] * b[j] - a[j] * b[i]
            })
        };
        let inwards = place(corner) - others[0];
        // The normal of the facet, turned away from the corner opposite to it.
        if across.dot(&inwards) > 0.0 { -across } else { across }
    }
}
