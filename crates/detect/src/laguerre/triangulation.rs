//! The triangulation of spheres at rest, for programs.

use super::bowyer_watson::{SIMPLICES_PER_SITE, triangulate};
use super::cells::{LaguerreCellMeasures, LaguerreCells};
use super::check::check;
use super::locate::locate;
use super::periodic::{HullAssumption, triangulate_periodic};
use super::simplicial_complex::{
    DelaunaySimplex, INFINITE_VERTEX, MAX_CORNERS, MAX_SIMPLICES, SimplicialComplex,
};
use super::sites::LaguerreSites;
use crate::broad::SphereSystem;
use crate::error::{AXES, Error, LARGEST_COORDINATE, LARGEST_RATIO};
use carom_geometry::{Boundary, Sphere, Vector};

/// The Laguerre Delaunay triangulation of spheres or discs at rest.
///
/// ```
/// use carom_detect::laguerre::Triangulation;
/// use carom_geometry::{Boundary, Sphere};
/// let spheres = [[0.0, 0.0], [4.0, 0.0], [0.0, 4.0], [1.0, 1.0]].map(|at| Sphere::new(at, 1.0));
/// let triangulation = Triangulation::of(&spheres, &Boundary::open())?;
/// assert_eq!(triangulation.simplices().count(), 3);
/// assert_eq!(triangulation.neighbors(3), [0, 1, 2]);
/// # Ok::<(), carom_detect::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Triangulation<const D: usize> {
    sites: LaguerreSites<D>,
    complex: SimplicialComplex<D>,
    /// One simplex at each vertex, `HIDDEN` if there is none.
    incident_simplex: Vec<u32>,
    /// Vertex of each sphere of the input.
    vertices: Vec<u32>,
}

/// A corner of a simplex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimplexCorner<const D: usize> {
    /// Index of the sphere in the input.
    pub sphere: u32,
    /// Position of its center; for a simplex across the side of a periodic box, that of an image.
    pub position: Vector<D>,
}

/// Why opposite sides of a periodic box cannot be identified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PeriodicGluingError {
    /// An edge is too long for the period of an axis.
    LongEdge {
        /// The axis, counted from zero.
        axis: usize,
    },
    /// Several simplices would have the same vertices.
    Ambiguous(String),
}

const HIDDEN: u32 = u32::MAX;

impl<const D: usize> Triangulation<D> {
    /// Largest number of spheres, images included, that can be triangulated.
    pub const MAX_SPHERES: usize = MAX_SIMPLICES / (2 * SIMPLICES_PER_SITE[D]);

    /// Triangulates spheres in an open or periodic box; centers outside a periodic box are wrapped into it
    /// first.
    ///
    /// Coincident, collinear and coplanar centers have a triangulation too, without simplices. Fails as
    /// [`ContactSearch::find`](crate::ContactSearch::find) does, if a coordinate or radius is larger than
    /// 1e60, if one period is more than 1e9 times another, or if there are more than
    /// [`MAX_SPHERES`](Self::MAX_SPHERES).
    ///
    /// In a periodic box images are triangulated too: if it is periodic along all axes, those within a few
    /// neighbor distances around it; otherwise three times as many spheres for one periodic axis and nine
    /// times as many for two.
    pub fn of(spheres: &[Sphere<D>], boundary: &Boundary<D>) -> Result<Self, Error> {
        Self::with_hull(spheres, boundary, HullAssumption::Any)
    }

    /// Like [`of`](Self::of), with an assumption about the convex hull that makes it faster in boxes with
    /// both periodic and open axes.
    pub fn with_hull(
        spheres: &[Sphere<D>],
        boundary: &Boundary<D>,
        hull: HullAssumption,
    ) -> Result<Self, Error> {
        SphereSystem::new(spheres, boundary)?;
        refuse_large_numbers(spheres)?;
        refuse_long_periods(boundary)?;
        let most = Self::MAX_SPHERES;
        if spheres.len() > most {
            return Err(Error::TooManyToTriangulate { count: spheres.len(), most });
        }
        let (sites, complex) = if boundary.is_periodic() && !spheres.is_empty() {
            let spheres: Vec<_> =
                spheres.iter().map(|sphere| wrapped_into_box(sphere, boundary)).collect();
            triangulate_periodic(&spheres, boundary, hull)?
        } else {
            let mut sites = LaguerreSites::open(spheres);
            let complex = triangulate(&mut sites);
            (sites, complex)
        };
        let mut incident = vec![HIDDEN; sites.count()];
        for number in complex.indices() {
            for vertex in complex.simplex(number).vertices.into_iter().take(D + 1) {
                if vertex != INFINITE_VERTEX {
                    incident[vertex as usize] = number;
                }
            }
        }
        let mut vertices = vec![0; spheres.len()];
        for vertex in (0..sites.count() as u32).filter(|&vertex| sites.is_home(vertex)) {
            if let Some(id) = sites.id(vertex) {
                vertices[id as usize] = vertex;
            }
        }
        Ok(Triangulation { sites, complex, incident_simplex: incident, vertices })
    }

    /// Returns the number of spheres in the input.
    pub fn count(&self) -> usize {
        self.vertices.len()
    }

    /// Returns whether a sphere's cell is empty, so that it is a corner of no simplex.
    ///
    /// ```
    /// use carom_detect::laguerre::Triangulation;
    /// use carom_geometry::{Boundary, Sphere};
    /// let outer = [[5.0, 0.0], [-5.0, 0.0], [0.0, 5.0], [0.0, -5.0]].map(|at| Sphere::new(at, 1.0));
    /// let mut discs = outer.to_vec();
    /// // A small disc deep in a large one: no point has less power to it.
    /// discs.extend([Sphere::new([0.0, 0.0], 2.0), Sphere::new([0.5, 0.0], 0.1)]);
    /// let triangulation = Triangulation::of(&discs, &Boundary::open())?;
    /// assert!(triangulation.is_hidden(5) && !triangulation.is_hidden(4));
    /// assert!(triangulation.neighbors(5).is_empty());
    /// # Ok::<(), carom_detect::Error>(())
    /// ```
    pub fn is_hidden(&self, sphere: usize) -> bool {
        self.incident_simplex[self.vertices[sphere] as usize] == HIDDEN
    }

    /// Returns the position of a sphere's center; in a periodic box, of its image inside.
    pub fn position(&self, sphere: usize) -> Vector<D> {
        self.sites.sphere(self.vertices[sphere]).center
    }

    /// Iterates over the simplices, positively oriented; in a periodic box each once.
    ///
    /// ```
    /// use carom_detect::laguerre::Triangulation;
    /// use carom_geometry::{Boundary, Sphere};
    /// // Three corners and two discs inside: the triangles fill the corner triangle of area 8.
    /// let discs = [[0., 0.], [4., 0.], [0., 4.], [1., 1.], [1.5, 0.5]].map(|at| Sphere::new(at, 0.1));
    /// let triangulation = Triangulation::of(&discs, &Boundary::open())?;
    /// let area: f64 = triangulation.simplices().map(|corners| {
    ///     let [a, b, c] = [0, 1, 2].map(|k| corners[k].position);
    ///     0.5 * (b - a).perp(&(c - a))
    /// }).sum();
    /// assert!((area - 8.0).abs() < 1e-12);
    /// # Ok::<(), carom_detect::Error>(())
    /// ```
    pub fn simplices(&self) -> impl Iterator<Item = [SimplexCorner<D>; MAX_CORNERS]> + '_ {
        self.complex.finite_simplices().filter_map(move |(_, simplex)| {
            let vertices = &simplex.vertices;
            let first = self.sites.first_in_input(&vertices[..=D])?;
            // Of all periodic copies of a simplex the one whose first sphere is in the box stays.
            if !self.sites.is_home(first) {
                return None;
            }
            let mut corners = [self.corner(vertices[0])?; MAX_CORNERS];
            for k in 1..=D {
                corners[k] = self.corner(vertices[k])?;
            }
            Some(corners)
        })
    }

    /// Returns for each of the [`simplices`](Self::simplices) the numbers of those across its facets, each opposite
    /// to the corner in its place, `u32::MAX` where there is none; `None` in a periodic box, where
    /// [`glued_complex`](Self::glued_complex) knows them.
    ///
    /// ```
    /// use carom_detect::laguerre::Triangulation;
    /// use carom_geometry::{Boundary, Sphere};
    /// let discs = [[0., 0.], [4., 0.], [0., 4.], [4., 4.1]].map(|at| Sphere::new(at, 1.0));
    /// let triangulation = Triangulation::of(&discs, &Boundary::open())?;
    /// let neighbors = triangulation.simplex_neighbors().expect("the box is open");
    /// // Two triangles with one side in common.
    /// assert_eq!(neighbors.iter().map(|across| across[..3].contains(&0)).collect::<Vec<_>>(), [false, true]);
    /// # Ok::<(), carom_detect::Error>(())
    /// ```
    pub fn simplex_neighbors(&self) -> Option<Vec<[u32; MAX_CORNERS]>> {
        if self.sites.has_images() {
            return None;
        }
        let is_sphere = |&vertex: &u32| self.sites.id(vertex).is_some();
        let own = || {
            let all = self.complex.finite_simplices();
            all.filter(|(_, simplex)| simplex.vertices[..=D].iter().all(is_sphere))
        };
        let mut numbers = vec![u32::MAX; self.complex.slot_count()];
        for (number, (slot, _)) in (0..).zip(own()) {
            numbers[slot as usize] = number;
        }
        let across = |simplex: &DelaunaySimplex| {
            let mut across = [u32::MAX; MAX_CORNERS];
            for (corner, facet) in simplex.mirror_facets[..=D].iter().enumerate() {
                across[corner] = numbers[facet.simplex() as usize];
            }
            across
        };
        Some(own().map(|(_, simplex)| across(simplex)).collect())
    }

    /// Returns the complex in which opposite sides of a periodic box are identified: every simplex once, its
    /// vertices the indices of the spheres, with a neighbor across every facet.
    ///
    /// Fails if there are so few spheres, or such large voids, that an edge is longer than `longest` times a
    /// period or that two simplices would have the same vertices; a larger box made of several copies
    /// avoids both.
    ///
    /// ```
    /// use carom_detect::laguerre::{PeriodicGluingError, Triangulation};
    /// use carom_geometry::{Boundary, Sphere};
    /// let at = |k: i32| [f64::from(k % 8) + 0.1 * f64::from(k * k % 7), f64::from(k / 8)];
    /// let discs: Vec<_> = (0..64).map(|k| Sphere::new(at(k), 0.3)).collect();
    /// let boundary = Boundary::periodic([Some(8.0); 2])?;
    /// // By Euler's formula a torus has twice as many triangles as vertices.
    /// let complex = Triangulation::of(&discs, &boundary)?.glued_complex(0.49).expect("short edges");
    /// assert_eq!(complex.count(), 2 * 64);
    /// // A single disc is its own neighbor, a period away.
    /// let single = Triangulation::of(&discs[..1], &boundary)?.glued_complex(0.49);
    /// assert!(matches!(single, Err(PeriodicGluingError::LongEdge { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn glued_complex(&self, longest: f64) -> Result<SimplicialComplex<D>, PeriodicGluingError> {
        let mut corners = Vec::with_capacity(self.complex.count());
        for number in self.complex.indices() {
            let vertices = self.complex.simplex(number).vertices;
            let known = |&vertex: &u32| vertex != INFINITE_VERTEX;
            let mut spheres = [INFINITE_VERTEX; MAX_CORNERS];
            spheres[..=D].copy_from_slice(&vertices[..=D]);
            let real: Vec<u32> = spheres.iter().copied().filter(known).collect();
            let Some(first) = self.sites.first_in_input(&real) else { continue };
            if !self.sites.is_home(first) {
                continue;
            }
            if let Some(axis) = self.sites.axis_of_long_edge(&real, longest) {
                return Err(PeriodicGluingError::LongEdge { axis });
            }
            for vertex in spheres[..=D].iter_mut().filter(|vertex| **vertex != INFINITE_VERTEX) {
                *vertex = self.sites.id(*vertex).unwrap_or(INFINITE_VERTEX);
            }
            corners.push(spheres);
        }
        // By least vertex, so that simplices at spheres near each other in the input are near in memory.
        corners.sort_unstable_by_key(|corners| corners.iter().min().copied());
        SimplicialComplex::from_simplices(&corners).map_err(PeriodicGluingError::Ambiguous)
    }

    /// Returns the spheres whose cells have a facet in common with a sphere's, ascending; none if it is hidden.
    pub fn neighbors(&self, sphere: usize) -> Vec<u32> {
        let mut found = Vec::new();
        self.collect_neighbors(sphere, &mut self.cells(), &mut found);
        found
    }

    /// Visits every sphere that is not hidden, ascending, with its neighbors; in a periodic box these may be
    /// images, even of the sphere itself.
    ///
    /// ```
    /// use carom_detect::laguerre::Triangulation;
    /// use carom_geometry::{Boundary, Sphere};
    /// let at = |k: i32| [f64::from(k % 8) + 0.1 * f64::from(k * k % 7), f64::from(k / 8)];
    /// let discs: Vec<_> = (0..64).map(|k| Sphere::new(at(k), 0.3)).collect();
    /// let triangulation = Triangulation::of(&discs, &Boundary::periodic([Some(8.0); 2])?)?;
    /// // By Euler's formula a disc in a periodic box has six neighbors on average.
    /// let mut sum = 0;
    /// triangulation.for_each_neighborhood(|_, neighbors| sum += neighbors.len());
    /// assert_eq!(sum, 6 * 64);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn for_each_neighborhood(&self, mut visit: impl FnMut(usize, &[SimplexCorner<D>])) {
        let (mut cells, mut corners) = (self.cells(), Vec::new());
        for (sphere, &vertex) in self.vertices.iter().enumerate() {
            let simplex = self.incident_simplex[vertex as usize];
            if simplex == HIDDEN {
                continue;
            }
            corners.clear();
            let others = cells.neighbors(vertex, simplex).iter();
            corners.extend(others.filter_map(|&other| self.corner(other)));
            visit(sphere, &corners);
        }
    }

    /// Returns a vertex as the corner of a simplex; `None` if it is an auxiliary one.
    fn corner(&self, vertex: u32) -> Option<SimplexCorner<D>> {
        let sphere = self.sites.id(vertex)?;
        Some(SimplexCorner { sphere, position: self.sites.sphere(vertex).center })
    }

    fn cells(&self) -> LaguerreCells<'_, D> {
        LaguerreCells::new(&self.complex, &self.sites)
    }

    fn collect_neighbors(
        &self,
        sphere: usize,
        cells: &mut LaguerreCells<'_, D>,
        found: &mut Vec<u32>,
    ) {
        found.clear();
        let vertex = self.vertices[sphere];
        let simplex = self.incident_simplex[vertex as usize];
        if simplex != HIDDEN {
            let others = cells.neighbors(vertex, simplex).iter();
            found.extend(others.filter_map(|&other| self.sites.id(other)));
            found.sort_unstable();
            found.dedup();
            found.retain(|&other| other as usize != sphere);
        }
    }

    /// Returns every pair of neighbors once, the smaller index first, ascending.
    ///
    /// ```
    /// use carom_detect::laguerre::Triangulation;
    /// use carom_geometry::{Boundary, Sphere};
    /// // A disc amid a triangle of three.
    /// let discs = [[0., 0.], [4., 0.], [0., 4.], [1., 1.]].map(|at| Sphere::new(at, 1.0));
    /// let edges = Triangulation::of(&discs, &Boundary::open())?.edges();
    /// assert_eq!(edges, [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
    /// # Ok::<(), carom_detect::Error>(())
    /// ```
    pub fn edges(&self) -> Vec<[u32; 2]> {
        let (mut edges, mut found) = (Vec::new(), Vec::new());
        let mut cells = self.cells();
        for sphere in 0..self.count() {
            self.collect_neighbors(sphere, &mut cells, &mut found);
            let later = found.iter().filter(|&&other| other as usize > sphere);
            edges.extend(later.map(|&other| [sphere as u32, other]));
        }
        edges
    }

    /// Returns volume and number of facets of every sphere's cell; zero for hidden ones.
    ///
    /// ```
    /// use carom_detect::laguerre::Triangulation;
    /// use carom_geometry::{Boundary, Sphere};
    /// // The cells of discs of any size fill the periodic box.
    /// let at = |k: i32| [f64::from(k % 8) + 0.1 * f64::from(k * k % 7), f64::from(k / 8)];
    /// let discs: Vec<_> = (0..64).map(|k| Sphere::new(at(k), 0.1 * f64::from(k % 5))).collect();
    /// let triangulation = Triangulation::of(&discs, &Boundary::periodic([Some(8.0); 2])?)?;
    /// let area: f64 = triangulation.cell_measures().iter().map(|cell| cell.volume).sum();
    /// assert!((area - 64.0).abs() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cell_measures(&self) -> Vec<LaguerreCellMeasures> {
        let mut cells = self.cells();
        let figures = |&vertex: &u32| match self.incident_simplex[vertex as usize] {
            HIDDEN => LaguerreCellMeasures { volume: 0.0, facet_count: 0 },
            simplex => cells.measures(vertex, simplex),
        };
        self.vertices.iter().map(figures).collect()
    }

    /// Returns the corners of a sphere's cell, in no particular order; `None` if it is unbounded or hidden.
    ///
    /// ```
    /// use carom_detect::laguerre::Triangulation;
    /// use carom_geometry::{Boundary, Sphere};
    /// let sphere = [Sphere::new([0.25, 0.5, 0.75], 0.1)];
    /// let triangulation = Triangulation::of(&sphere, &Boundary::periodic([Some(1.0); 3])?)?;
    /// // The cell of a sphere alone in a periodic box is a cube around it.
    /// let corners = triangulation.cell_corners(0).expect("the cell is bounded");
    /// assert!(corners.iter().all(|corner| ((corner - sphere[0].center).amax() - 0.5).abs() < 1e-12));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cell_corners(&self, sphere: usize) -> Option<Vec<Vector<D>>> {
        let vertex = self.vertices[sphere];
        match self.incident_simplex[vertex as usize] {
            HIDDEN => None,
            simplex => self.cells().corners(vertex, simplex),
        }
    }

    /// Returns for each vertex a simplex within the hull that contains its center, `u32::MAX` for auxiliary
    /// vertices.
    pub(crate) fn containing_simplices(&self) -> Vec<u32> {
        let Some((mut last, _)) = self.complex.finite_simplices().next() else { return Vec::new() };
        let mut holder = |vertex: u32| {
            self.sites.id(vertex)?;
            let simplex = match self.incident_simplex[vertex as usize] {
                HIDDEN => locate(&self.complex, &self.sites, last, vertex),
                simplex => simplex,
            };
            let DelaunaySimplex { vertices, mirror_facets: across } = self.complex.simplex(simplex);
            // The neighbor across the facet opposite to the infinite vertex shares all other corners.
            let outside = vertices[..=D].iter().position(|&vertex| vertex == INFINITE_VERTEX);
            last = outside.map_or(simplex, |corner| across[corner].simplex());
            Some(last)
        };
        let vertices = 0..self.sites.count() as u32;
        vertices.map(|vertex| holder(vertex).unwrap_or(HIDDEN)).collect()
    }

    pub(crate) fn is_hidden_vertex(&self, vertex: u32) -> bool {
        self.incident_simplex[vertex as usize] == HIDDEN
    }

    pub(crate) fn complex(&self) -> &SimplicialComplex<D> {
        &self.complex
    }

    pub(crate) fn sites(&self) -> &LaguerreSites<D> {
        &self.sites
    }

    /// Verifies by exact predicates that this is the Laguerre Delaunay triangulation of its spheres, and in
    /// a periodic box of the images it has.
    pub fn check(&self) -> Result<(), String> {
        let is_vertex = |vertex: u32| self.incident_simplex[vertex as usize] != HIDDEN;
        check(&self.complex, &self.sites, is_vertex)
    }

    /// Returns the bytes held.
    pub fn memory(&self) -> usize {
        self.complex.memory()
            + self.sites.memory()
            + (self.incident_simplex.capacity() + self.vertices.capacity()) * 4
    }
}

impl Triangulation<2> {
    /// Returns the corners of a disc's cell in order around it; `None` if it is unbounded or hidden.
    ///
    /// ```
    /// use carom_detect::laguerre::Triangulation;
    /// use carom_geometry::{Boundary, Sphere};
    /// let around = [[0., 0.], [2., 0.], [0., 2.], [-2., 0.], [0., -2.]].map(|at| Sphere::new(at, 1.0));
    /// let triangulation = Triangulation::of(&around, &Boundary::open())?;
    /// // The square midway to the four others; their own cells are unbounded.
    /// let corners = triangulation.cell_polygon(0).expect("the cell in the middle is bounded");
    /// assert!(corners.len() == 4 && corners.iter().all(|corner| corner.amax() == 1.0));
    /// assert_eq!(triangulation.cell_polygon(1), None);
    /// # Ok::<(), carom_detect::Error>(())
    /// ```
    pub fn cell_polygon(&self, disc: usize) -> Option<Vec<Vector<2>>> {
        let vertex = self.vertices[disc];
        match self.incident_simplex[vertex as usize] {
            HIDDEN => None,
            simplex => self.cells().polygon(vertex, simplex),
        }
    }
}

/// Returns the image of a sphere whose center is in the box, lower sides included, upper ones excluded.
fn wrapped_into_box<const D: usize>(sphere: &Sphere<D>, boundary: &Boundary<D>) -> Sphere<D> {
    let wrapped = boundary.wrap(sphere.center);
    let place = |axis: usize| match boundary.period(axis) {
        Some(period) if !(0.0..period).contains(&sphere.center[axis]) => {
            // Wrapping may end on the upper side, or by rounding outside.
            if (0.0..period).contains(&wrapped[axis]) { wrapped[axis] } else { 0.0 }
        }
        _ => sphere.center[axis],
    };
    Sphere { center: Vector::from_fn(|axis, _| place(axis)), radius: sphere.radius }
}

fn refuse_long_periods<const D: usize>(boundary: &Boundary<D>) -> Result<(), Error> {
    let periods = || (0..D).filter_map(|axis| Some((axis, boundary.period(axis)?)));
    let shortest = periods().map(|(_, period)| period).fold(f64::INFINITY, f64::min);
    match periods().find(|(_, period)| *period > LARGEST_RATIO * shortest) {
        Some((axis, period)) => Err(Error::PeriodTooLong { axis: AXES[axis], period, shortest }),
        None => Ok(()),
    }
}

fn refuse_large_numbers<const D: usize>(spheres: &[Sphere<D>]) -> Result<(), Error> {
    for (index, sphere) in spheres.iter().enumerate() {
        let values = sphere.center.iter().copied().chain([sphere.radius]);
        let names = AXES[..D].iter().copied().chain(["radius"]);
        for (value, what) in values.zip(names) {
            if value.abs() > LARGEST_COORDINATE {
                return Err(Error::TooLargeForPowers { index, what, value });
            }
        }
    }
    Ok(())
}
