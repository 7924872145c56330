use super::build::{SIMPLICES_PER_SITE, triangulate};
use super::cells::{CellFigures, Cells};
use super::check::check;
use super::complex::{CORNERS, Complex, MOST_SIMPLICES, OUTSIDE, Simplex};
use super::locate::locate;
use super::periodic::{Hull, triangulate_periodic};
use super::sites::Sites;
use crate::broad::System;
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
/// assert_eq!(triangulation.neighbours(3), [0, 1, 2]);
/// # Ok::<(), carom_detect::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Triangulation<const D: usize> {
    sites: Sites<D>,
    complex: Complex<D>,
    /// Of each vertex one simplex, `HIDDEN` if it has none.
    incident: Vec<u32>,
    /// The vertex of each sphere of the input.
    vertices: Vec<u32>,
}

/// A corner of a simplex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner<const D: usize> {
    /// The sphere's number in the input.
    pub sphere: u32,
    /// Where its centre is; of a simplex across the side of a periodic box, that of an image.
    pub place: Vector<D>,
}

/// Why opposite sides of a periodic box cannot be made one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotGlued {
    /// An edge is too long for the period of an axis.
    LongEdge {
        /// From zero.
        axis: usize,
    },
    /// Several simplices would have the same vertices.
    Ambiguous(String),
}

const HIDDEN: u32 = u32::MAX;

impl<const D: usize> Triangulation<D> {
    /// So many spheres can be triangulated.
    pub const MOST_SPHERES: usize = MOST_SIMPLICES / (2 * SIMPLICES_PER_SITE[D]);

    /// Triangulates spheres in an open or periodic box; centres outside a periodic box are first
    /// brought into it.
    ///
    /// Coincident, collinear and coplanar centres have a triangulation too, only that it has no
    /// simplices. Fails as [`ContactSearch::find`](crate::ContactSearch::find) does, or if a coordinate
    /// or radius is larger than 1e60.
    ///
    /// In a periodic box images are triangulated too: if it is periodic along all axes, those within
    /// some distances between neighbours around it; otherwise three times as many spheres for one
    /// periodic axis and nine times as many for two.
    pub fn of(spheres: &[Sphere<D>], boundary: &Boundary<D>) -> Result<Self, Error> {
        Self::with_hull(spheres, boundary, Hull::Any)
    }

    /// Like [`of`](Self::of), with something known about the hull that makes it faster in boxes with
    /// periodic and other axes.
    pub fn with_hull(
        spheres: &[Sphere<D>],
        boundary: &Boundary<D>,
        hull: Hull,
    ) -> Result<Self, Error> {
        System::new(spheres, boundary)?;
        refuse_large_numbers(spheres)?;
        refuse_long_periods(boundary)?;
        let most = Self::MOST_SPHERES;
        if spheres.len() > most {
            return Err(Error::TooManyToTriangulate { count: spheres.len(), most });
        }
        let (sites, complex) = if boundary.is_periodic() && !spheres.is_empty() {
            let spheres: Vec<_> = spheres.iter().map(|sphere| inside(sphere, boundary)).collect();
            triangulate_periodic(&spheres, boundary, hull)?
        } else {
            let mut sites = Sites::open(spheres);
            let complex = triangulate(&mut sites);
            (sites, complex)
        };
        let mut incident = vec![HIDDEN; sites.count()];
        for number in complex.numbers() {
            for vertex in complex.simplex(number).vertices.into_iter().take(D + 1) {
                if vertex != OUTSIDE {
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
        Ok(Triangulation { sites, complex, incident, vertices })
    }

    /// How many spheres were given.
    pub fn count(&self) -> usize {
        self.vertices.len()
    }

    /// Whether a sphere's cell is empty, so that it is a corner of no simplex.
    pub fn is_hidden(&self, sphere: usize) -> bool {
        self.incident[self.vertices[sphere] as usize] == HIDDEN
    }

    /// Where a sphere's centre is; in a periodic box its image inside.
    pub fn place(&self, sphere: usize) -> Vector<D> {
        self.sites.sphere(self.vertices[sphere]).center
    }

    /// The simplices, positively oriented; of a periodic box each once.
    pub fn simplices(&self) -> impl Iterator<Item = [Corner<D>; CORNERS]> + '_ {
        self.complex.inner().filter_map(move |(_, simplex)| {
            let vertices = &simplex.vertices;
            let first = self.sites.first_of(&vertices[..=D])?;
            if !self.sites.is_home(first) {
                return None;
            }
            let mut corners = [self.corner(vertices[0])?; CORNERS];
            for k in 1..=D {
                corners[k] = self.corner(vertices[k])?;
            }
            Some(corners)
        })
    }

    /// The complex in which opposite sides of a periodic box are one: every simplex once, its vertices
    /// the numbers of the spheres, and a neighbour across every facet.
    ///
    /// Fails if there are so few spheres, or such large voids, that an edge is longer than `longest`
    /// times a period, or that two simplices would have the same vertices; then a larger box made of
    /// several copies will do.
    pub fn glued(&self, longest: f64) -> Result<Complex<D>, NotGlued> {
        let mut corners = Vec::with_capacity(self.complex.count());
        for number in self.complex.numbers() {
            let vertices = self.complex.simplex(number).vertices;
            let known = |&vertex: &u32| vertex != OUTSIDE;
            let mut spheres = [OUTSIDE; CORNERS];
            spheres[..=D].copy_from_slice(&vertices[..=D]);
            let real: Vec<u32> = spheres.iter().copied().filter(known).collect();
            let Some(first) = self.sites.first_of(&real) else { continue };
            if !self.sites.is_home(first) {
                continue;
            }
            if let Some(axis) = self.sites.long_edge(&real, longest) {
                return Err(NotGlued::LongEdge { axis });
            }
            for vertex in spheres[..=D].iter_mut().filter(|vertex| **vertex != OUTSIDE) {
                *vertex = self.sites.id(*vertex).unwrap_or(OUTSIDE);
            }
            corners.push(spheres);
        }
        // Simplices at spheres that are near in the input are near in memory.
        corners.sort_unstable_by_key(|corners| corners.iter().min().copied());
        Complex::joined(&corners).map_err(NotGlued::Ambiguous)
    }

    /// The spheres whose cells have a facet in common with a sphere's, ascending; none if it is hidden.
    pub fn neighbours(&self, sphere: usize) -> Vec<u32> {
        let mut found = Vec::new();
        self.visit_neighbours(sphere, &mut self.cells(), &mut found);
        found
    }

    /// Visits every sphere that is not hidden, ascending, with its neighbours; in a periodic box these
    /// may be images, of the sphere itself too.
    pub fn for_each_neighbourhood(&self, mut visit: impl FnMut(usize, &[Corner<D>])) {
        let (mut cells, mut corners) = (self.cells(), Vec::new());
        for (sphere, &vertex) in self.vertices.iter().enumerate() {
            let simplex = self.incident[vertex as usize];
            if simplex == HIDDEN {
                continue;
            }
            corners.clear();
            let others = cells.neighbours(vertex, simplex).iter();
            corners.extend(others.filter_map(|&other| self.corner(other)));
            visit(sphere, &corners);
        }
    }

    /// A vertex as the corner of a simplex; `None` if it is no sphere.
    fn corner(&self, vertex: u32) -> Option<Corner<D>> {
        let sphere = self.sites.id(vertex)?;
        Some(Corner { sphere, place: self.sites.sphere(vertex).center })
    }

    fn cells(&self) -> Cells<'_, D> {
        Cells::new(&self.complex, &self.sites)
    }

    fn visit_neighbours(&self, sphere: usize, cells: &mut Cells<'_, D>, found: &mut Vec<u32>) {
        found.clear();
        let vertex = self.vertices[sphere];
        let simplex = self.incident[vertex as usize];
        if simplex != HIDDEN {
            let others = cells.neighbours(vertex, simplex).iter();
            found.extend(others.filter_map(|&other| self.sites.id(other)));
            found.sort_unstable();
            found.dedup();
            found.retain(|&other| other as usize != sphere);
        }
    }

    /// Every pair of neighbours once, the smaller number first, ascending.
    pub fn edges(&self) -> Vec<[u32; 2]> {
        let (mut edges, mut found) = (Vec::new(), Vec::new());
        let mut cells = self.cells();
        for sphere in 0..self.count() {
            self.visit_neighbours(sphere, &mut cells, &mut found);
            let later = found.iter().filter(|&&other| other as usize > sphere);
            edges.extend(later.map(|&other| [sphere as u32, other]));
        }
        edges
    }

    /// Volume and facets of every sphere's cell; of hidden ones zero.
    pub fn cell_figures(&self) -> Vec<CellFigures> {
        let mut cells = self.cells();
        let figures = |&vertex: &u32| match self.incident[vertex as usize] {
            HIDDEN => CellFigures { volume: 0.0, facets: 0 },
            simplex => cells.figures(vertex, simplex),
        };
        self.vertices.iter().map(figures).collect()
    }

    /// Of each vertex a simplex within the hull that holds its centre, `u32::MAX` if it is no sphere.
    pub(crate) fn holders(&self) -> Vec<u32> {
        let Some((mut last, _)) = self.complex.inner().next() else { return Vec::new() };
        let mut holder = |vertex: u32| {
            self.sites.id(vertex)?;
            let simplex = match self.incident[vertex as usize] {
                HIDDEN => locate(&self.complex, &self.sites, last, vertex),
                simplex => simplex,
            };
            let Simplex { vertices, across } = self.complex.simplex(simplex);
            // What is across the corner outside has all the others.
            let outside = vertices[..=D].iter().position(|&vertex| vertex == OUTSIDE);
            last = outside.map_or(simplex, |corner| across[corner].simplex());
            Some(last)
        };
        let vertices = 0..self.sites.count() as u32;
        vertices.map(|vertex| holder(vertex).unwrap_or(HIDDEN)).collect()
    }

    pub(crate) fn is_hidden_vertex(&self, vertex: u32) -> bool {
        self.incident[vertex as usize] == HIDDEN
    }

    pub(crate) fn complex(&self) -> &Complex<D> {
        &self.complex
    }

    pub(crate) fn sites(&self) -> &Sites<D> {
        &self.sites
    }

    /// Verifies wholly and exactly that this is the triangulation of its spheres, and in a periodic box of
    /// as many images as it has.
    pub fn check(&self) -> Result<(), String> {
        let is_vertex = |vertex: u32| self.incident[vertex as usize] != HIDDEN;
        check(&self.complex, &self.sites, is_vertex)
    }

    /// Bytes held.
    pub fn memory(&self) -> usize {
        self.complex.memory()
            + self.sites.memory()
            + (self.incident.capacity() + self.vertices.capacity()) * 4
    }
}

impl Triangulation<2> {
    /// The corners of a disc's cell in order around it; `None` if it is unbounded or hidden.
    pub fn cell_outline(&self, disc: usize) -> Option<Vec<Vector<2>>> {
        let vertex = self.vertices[disc];
        match self.incident[vertex as usize] {
            HIDDEN => None,
            simplex => self.cells().outline(vertex, simplex),
        }
    }
}

/// The image of a sphere whose centre is in the box, the lower sides included and the upper ones not.
fn inside<const D: usize>(sphere: &Sphere<D>, boundary: &Boundary<D>) -> Sphere<D> {
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
