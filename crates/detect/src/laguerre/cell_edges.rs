//! The edges of the Laguerre diagram, which are the duals of the facets of the triangulation.

use super::cells::Cells;
use super::complex::{OUTSIDE, Simplex};
use super::triangulation::Triangulation;
use carom_geometry::Vector;

/// An edge of the Laguerre diagram, where `D` cells meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CellEdge<const D: usize> {
    /// Between two corners of cells.
    Segment([Vector<D>; 2]),
    /// From a corner without end; the direction is not of length one.
    Ray {
        /// The corner.
        start: Vector<D>,
        /// Away from all spheres.
        direction: Vector<D>,
    },
}

impl<const D: usize> Triangulation<D> {
    /// The edges of all cells, each once; in a periodic box those at a side may reach across it, either way.
    ///
    /// ```
    /// use carom_detect::laguerre::{CellEdge, Triangulation};
    /// use carom_geometry::{Boundary, Sphere, Vector};
    /// let discs = [[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]].map(|at| Sphere::new(at, 1.0));
    /// let edges = Triangulation::of(&discs, &Boundary::open())?.cell_edges();
    /// assert_eq!(edges.len(), 3);
    /// let starts_in_the_middle = |edge: &CellEdge<2>| match *edge {
    ///     CellEdge::Ray { start, .. } => start == Vector::from([1.0, 1.0]),
    ///     CellEdge::Segment(_) => false,
    /// };
    /// assert!(edges.iter().all(starts_in_the_middle));
    /// # Ok::<(), carom_detect::Error>(())
    /// ```
    pub fn cell_edges(&self) -> Vec<CellEdge<D>> {
        let cells = Cells::new(self.complex(), self.sites());
        let mut edges = Vec::new();
        for (number, simplex) in self.complex().inner().filter(|(_, it)| self.is_real(it)) {
            for (corner, across) in simplex.across[..=D].iter().enumerate() {
                let beyond = across.simplex();
                let is_hull = !self.is_real(self.complex().simplex(beyond));
                // Of two simplices the first has the edge between them.
                if !(is_hull || number < beyond) || !self.is_facet_at_home(simplex, corner) {
                    continue;
                }
                let start = cells.center(number);
                edges.push(match is_hull {
                    true => CellEdge::Ray { start, direction: self.outwards(simplex, corner) },
                    false => CellEdge::Segment([start, cells.center(beyond)]),
                });
            }
        }
        edges
    }

    /// Whether all corners are spheres.
    fn is_real(&self, simplex: &Simplex) -> bool {
        let is_sphere = |&vertex: &u32| vertex != OUTSIDE && self.sites().id(vertex).is_some();
        simplex.vertices[..=D].iter().all(is_sphere)
    }

    /// Whether a facet is that one of all its images that counts.
    fn is_facet_at_home(&self, simplex: &Simplex, corner: usize) -> bool {
        let mut vertices = simplex.vertices;
        vertices.swap(corner, D);
        let first = self.sites().first_of(&vertices[..D]);
        first.is_some_and(|first| self.sites().is_home(first))
    }

    /// Across a facet, away from the corner opposite to it.
    fn outwards(&self, simplex: &Simplex, corner: usize) -> Vector<D> {
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
        if across.dot(&inwards) > 0.0 { -across } else { across }
    }
}
