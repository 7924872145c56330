//! Laguerre Delaunay triangulations.

use crate::boundary::{AnyBoundary, boundary};
use crate::polyhedron::Polyhedron;
use crate::spheres::SphereRows;
use crate::{arrays, errors, thread_pool};
use carom::Boundary;
use carom::geometry::shape::ConvexPolyhedron;
use carom::io::ParticleSet;
use numpy::{PyArray1, PyArray2};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple};
use std::path::{Path, PathBuf};

/// Triangulate spheres or discs: neighbors, and the Laguerre cell of each.
///
/// The cell of a sphere holds the points whose power |x - c|² - r² to it is least, and two spheres are neighbors where
/// their cells meet. With equal radii these are Voronoi cells and the Delaunay triangulation. Exact for any input.
///
/// Parameters
/// ----------
/// positions, radii, box
///     As those of `carom.contacts`; `radii=0` triangulates points.
///
/// Returns
/// -------
/// Triangulation
///
/// Examples
/// --------
/// >>> import carom
/// >>> triangulation = carom.triangulate([[0, 0], [4, 0], [0, 4], [1, 1]], radii=0.5)
/// >>> triangulation.edges.tolist()
/// [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
#[pyfunction]
#[pyo3(signature = (positions, radii=None, *, r#box=None))]
pub fn triangulate<'py>(
    py: Python<'py>,
    positions: &Bound<'py, PyAny>,
    radii: Option<&Bound<'py, PyAny>>,
    r#box: Option<&Bound<'py, PyAny>>,
) -> PyResult<Triangulation> {
    let rows = SphereRows::of(positions, radii)?;
    let (boundary, it) = match rows.dimension() {
        2 => {
            let (it, boundary) = made(py, &rows, r#box)?;
            (AnyBoundary::TwoD(boundary), Any::TwoD(it))
        }
        _ => {
            let (it, boundary) = made(py, &rows, r#box)?;
            (AnyBoundary::ThreeD(boundary), Any::ThreeD(it))
        }
    };
    // A copy, since the triangulation stays that of these spheres.
    Ok(Triangulation::new(rows.copy()?.unbind(), boundary, it))
}

/// A triangulation and the box that it is in.
type TriangulationInBox<const D: usize> = (carom::detect::laguerre::Triangulation<D>, Boundary<D>);

fn made<const D: usize>(
    py: Python<'_>,
    rows: &SphereRows<'_>,
    r#box: Option<&Bound<'_, PyAny>>,
) -> PyResult<TriangulationInBox<D>> {
    let boundary = boundary(r#box)?;
    arrays::check_memory(py, "copies of the positions", 2 * size_of_val(rows.spheres::<D>()))?;
    let spheres = rows.spheres().to_vec();
    let make = move || carom::detect::laguerre::Triangulation::of(&spheres, &boundary);
    let made = thread_pool::run_owned(py, make)?;
    Ok((made.map_err(|error| errors::INPUT.with(py, error))?, boundary))
}

/// Lists of different lengths one after the other: where each begins, and the entries of all.
type CompressedRows<'py> = (Bound<'py, PyArray1<i32>>, Bound<'py, PyArray1<i32>>);

/// The Laguerre Delaunay triangulation of spheres or discs.
///
/// Examples
/// --------
/// >>> import carom
/// >>> carom.triangulate([[0, 0, 1], [4, 0, 1], [0, 4, 1], [1, 1, 1]])
/// <carom.Triangulation: 3 triangles among 4 discs>
#[pyclass(frozen, module = "carom")]
pub struct Triangulation {
    rows: Py<PyArray2<f64>>,
    boundary: AnyBoundary,
    it: Any,
    /// Made when they are asked for first.
    simplices: PyOnceLock<Py<PyArray2<i32>>>,
    neighbors: PyOnceLock<Py<PyArray2<i32>>>,
    edges: PyOnceLock<Py<PyArray2<i32>>>,
}

impl Triangulation {
    fn new(rows: Py<PyArray2<f64>>, boundary: AnyBoundary, it: Any) -> Self {
        let [simplices, neighbors, edges] = [const { PyOnceLock::new() }; 3];
        Triangulation { rows, boundary, it, simplices, neighbors, edges }
    }
}

enum Any {
    TwoD(carom::detect::laguerre::Triangulation<2>),
    ThreeD(carom::detect::laguerre::Triangulation<3>),
}

/// Does the same for triangulations of both dimensions.
macro_rules! for_dimension {
    ($triangulation:expr, $it:ident => $call:expr) => {
        match &$triangulation.it {
            Any::TwoD($it) => $call,
            Any::ThreeD($it) => $call,
        }
    };
}

#[pymethods]
impl Triangulation {
    /// Indices of the spheres at the corners of the simplices, positively oriented; in a periodic box each simplex
    /// once. Shape (T, D + 1), int32.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.triangulate([[0, 0, 1], [4, 0, 1], [0, 4, 1], [1, 1, 1]]).simplices.shape
    /// (3, 3)
    #[getter]
    fn simplices<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyArray2<i32>>> {
        kept(py, &self.simplices, || for_dimension!(self, it => simplices(py, it)))
    }

    /// Simplices across the facets of each, opposite to the corner in the same column, -1 on the hull.
    /// Shape (T, D + 1), int32. Not defined in a periodic box.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.triangulate([[0, 0, 1], [4, 0, 1], [0, 4, 1]]).neighbors
    /// array([[-1, -1, -1]], dtype=int32)
    #[getter]
    fn neighbors<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyArray2<i32>>> {
        kept(py, &self.neighbors, || for_dimension!(self, it => neighbors(py, it)))
    }

    /// Pairs of spheres whose cells meet, the smaller index first, ascending. Shape (E, 2), int32.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.triangulate([[0, 0, 1], [4, 0, 1], [0, 4, 1]]).edges.tolist()
    /// [[0, 1], [0, 2], [1, 2]]
    #[getter]
    fn edges<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyArray2<i32>>> {
        kept(py, &self.edges, || {
            let edges = self.edge_list(py)?;
            arrays::from_rows(py, edges.into_iter().flatten().map(|it| it as i32).collect(), 2)
        })
    }

    /// Neighbors of each sphere, ascending, as two arrays of int32: those of sphere k are
    /// `indices[starts[k]:starts[k + 1]]`.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> triangulation = carom.triangulate([[0, 0, 1], [4, 0, 1], [0, 4, 1]])
    /// >>> starts, indices = triangulation.vertex_neighbor_vertices
    /// >>> indices[starts[1]:starts[2]]
    /// array([0, 2], dtype=int32)
    #[getter]
    fn vertex_neighbor_vertices<'py>(&self, py: Python<'py>) -> PyResult<CompressedRows<'py>> {
        let edges = self.edge_list(py)?;
        let mut starts = vec![0_i32; self.count() + 1];
        edges.iter().flatten().for_each(|&sphere| starts[sphere as usize + 1] += 1);
        (1..starts.len()).for_each(|k| starts[k] += starts[k - 1]);
        let (mut next, mut indices) = (starts.clone(), vec![0_i32; 2 * edges.len()]);
        // Edges ascend, so the smaller neighbors of a sphere come in order, and after them the larger ones.
        for [own, other] in [[1, 0], [0, 1]] {
            for edge in &edges {
                let place = &mut next[edge[own] as usize];
                indices[*place as usize] = edge[other] as i32;
                *place += 1;
            }
        }
        Ok((PyArray1::from_vec(py, starts), PyArray1::from_vec(py, indices)))
    }

    /// Whether each sphere is without a cell, being small and deep within others. Shape (N,), bool.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.triangulate([[0, 0, 2], [0.5, 0, 0.1], [5, 0, 1], [0, 5, 1], [-5, -5, 1]]).hidden
    /// array([False,  True, False, False, False])
    #[getter]
    fn hidden<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let hidden = for_dimension!(self, it => {
            (0..it.count()).map(|sphere| it.is_hidden(sphere)).collect()
        });
        PyArray1::from_vec(py, hidden)
    }

    /// Volume, in 2D area, of each cell: 0 of hidden spheres, inf of unbounded cells. Shape (N,).
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> spheres, box = carom.generate.particles(100, periodic=True)
    /// >>> volumes = carom.triangulate(spheres, box=box).cell_volumes()
    /// >>> abs(volumes.sum() / (box[0] * box[1] * box[2]) - 1) < 1e-9
    /// np.True_
    fn cell_volumes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let cells = thread_pool::run(py, || for_dimension!(self, it => it.cell_measures()))?;
        Ok(PyArray1::from_vec(py, cells.iter().map(|cell| cell.volume).collect()))
    }

    /// Number of facets of each cell, in a periodic box also those with images. Shape (N,), uint32.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.triangulate([[0, 0, 1], [4, 0, 1], [0, 4, 1], [1, 1, 1]]).cell_facets()
    /// array([3, 3, 3, 3], dtype=uint32)
    fn cell_facets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let cells = thread_pool::run(py, || for_dimension!(self, it => it.cell_measures()))?;
        Ok(PyArray1::from_vec(py, cells.iter().map(|cell| cell.facet_count as u32).collect()))
    }

    /// The cell of a sphere, a Polyhedron; of a disc, the corners of the cell in order around it, shape (K, 2). None if
    /// it is hidden or unbounded.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> discs = [[0, 0, 1], [2, 0, 1], [0, 2, 1], [-2, 0, 1], [0, -2, 1]]
    /// >>> carom.triangulate(discs).cell(0).shape
    /// (4, 2)
    fn cell<'py>(&self, py: Python<'py>, body: usize) -> PyResult<Option<Bound<'py, PyAny>>> {
        if body >= self.count() {
            let count = self.count();
            let sentence = format!("there is no body {body}; there are {count}, counted from zero");
            return Err(errors::INPUT.with(py, sentence));
        }
        match &self.it {
            Any::TwoD(it) => {
                let corners = it.cell_polygon(body);
                let array = corners.map(|corners| arrays::from_points(py, &corners)).transpose()?;
                Ok(array.map(Bound::into_any))
            }
            Any::ThreeD(it) => {
                let Some(corners) = it.cell_corners(body) else { return Ok(None) };
                let cell = ConvexPolyhedron::hull(&corners)
                    .map_err(|error| errors::INPUT.with(py, error))?;
                Ok(Some(Polyhedron::of(cell).into_bound_py_any(py)?))
            }
        }
    }

    /// Write the triangulation to a file: VTK if it ends in .vtu, a picture in .svg, the table of cells in .csv.
    ///
    /// Examples
    /// --------
    /// >>> import carom, pathlib, tempfile
    /// >>> file = pathlib.Path(tempfile.mkdtemp()) / "cells.csv"
    /// >>> carom.triangulate([[0, 0, 1], [4, 0, 1], [0, 4, 1], [1, 1, 1]]).save(file)
    /// >>> file.read_text().splitlines()[0]
    /// 'id,neighbors,area'
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        match (&self.it, &self.boundary) {
            (Any::TwoD(it), AnyBoundary::TwoD(boundary)) => self.write(py, it, boundary, &path),
            (Any::ThreeD(it), AnyBoundary::ThreeD(boundary)) => self.write(py, it, boundary, &path),
            _ => unreachable!("triangulation and box have the same dimension"),
        }
    }

    /// Verify the triangulation completely and exactly; raises `carom.InternalError` if it is damaged.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.triangulate([[0, 0, 1], [4, 0, 1], [0, 4, 1], [1, 1, 1]]).check()
    fn check(&self, py: Python<'_>) -> PyResult<()> {
        let checked = thread_pool::run(py, || for_dimension!(self, it => it.check()))?;
        checked.map_err(|fault| {
            errors::INTERNAL.with(py, format!("the triangulation is damaged: {fault}"))
        })
    }

    fn __repr__(&self) -> String {
        let (simplices, [simplex, body]) = match &self.it {
            Any::TwoD(it) => (it.simplices().count(), ["triangles", "discs"]),
            Any::ThreeD(it) => (it.simplices().count(), ["tetrahedra", "spheres"]),
        };
        format!("<carom.Triangulation: {simplices} {simplex} among {} {body}>", self.count())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let make = py.import("functools")?.getattr("partial")?;
        let triangulate = py.import("carom")?.getattr("triangulate")?;
        let options = PyDict::new(py);
        options.set_item("box", self.boundary.to_python(py)?)?;
        let triangulate = make.call((triangulate,), Some(&options))?;
        (triangulate, (self.rows.bind(py),)).into_pyobject(py)
    }
}

impl Triangulation {
    fn count(&self) -> usize {
        for_dimension!(self, it => it.count())
    }

    fn edge_list(&self, py: Python<'_>) -> PyResult<Vec<[u32; 2]>> {
        thread_pool::run(py, || for_dimension!(self, it => it.edges()))
    }

    fn write<const D: usize>(
        &self,
        py: Python<'_>,
        it: &carom::detect::laguerre::Triangulation<D>,
        boundary: &Boundary<D>,
        path: &Path,
    ) -> PyResult<()> {
        let ending = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
        let ending = ending.to_ascii_lowercase();
        if !["vtu", "svg", "csv"].contains(&ending.as_str()) {
            let sentence = format!(
                "{} does not end in .vtu, .svg or .csv, in which triangulations are written",
                path.display()
            );
            return Err(errors::INPUT.with(py, sentence));
        }
        let rows = SphereRows::of_rows(self.rows.bind(py).clone())?;
        let spheres = rows.spheres::<D>();
        let written = thread_pool::run(py, || -> Result<(), carom::render::Error> {
            match ending.as_str() {
                "vtu" => carom::io::write_atomically(path, |out| {
                    carom::io::write_triangulation(out, spheres, it)
                })?,
                "csv" => {
                    let cells = it.cell_measures();
                    carom::io::write_atomically(path, |out| {
                        carom::io::write_laguerre_cells::<D>(out, &cells)
                    })?;
                }
                _ => {
                    let set = ParticleSet { spheres: spheres.to_vec(), boundary: *boundary };
                    let drawing = carom::render::diagram(&set, it)?;
                    carom::io::write_atomically(path, |out| out.write_all(drawing.as_bytes()))?;
                }
            }
            Ok(())
        })?;
        written.map_err(|error| errors::file(py, error))
    }
}

/// Returns an array that was made, or makes it.
fn kept<'a, 'py>(
    py: Python<'py>,
    place: &'a PyOnceLock<Py<PyArray2<i32>>>,
    make: impl FnOnce() -> PyResult<Bound<'py, PyArray2<i32>>>,
) -> PyResult<&'a Bound<'py, PyArray2<i32>>> {
    Ok(place.get_or_try_init(py, || make().map(Bound::unbind))?.bind(py))
}

fn simplices<'py, const D: usize>(
    py: Python<'py>,
    it: &carom::detect::laguerre::Triangulation<D>,
) -> PyResult<Bound<'py, PyArray2<i32>>> {
    let corners = thread_pool::run(py, || {
        let corners = it.simplices().flat_map(|corners| corners.into_iter().take(D + 1));
        corners.map(|corner| corner.sphere as i32).collect()
    })?;
    arrays::from_rows(py, corners, D + 1)
}

fn neighbors<'py, const D: usize>(
    py: Python<'py>,
    it: &carom::detect::laguerre::Triangulation<D>,
) -> PyResult<Bound<'py, PyArray2<i32>>> {
    let across = thread_pool::run(py, || {
        let neighbors = it.simplex_neighbors()?;
        let across = neighbors.into_iter().flat_map(|across| across.into_iter().take(D + 1));
        // The largest number stands for none, and becomes -1.
        Some(across.map(|simplex| simplex as i32).collect())
    })?;
    let across: Vec<i32> = across.ok_or_else(|| {
        let sentence = "in a periodic box simplices have no neighbors by number; take edges, or the neighbors of vertices";
        errors::INPUT.with(py, sentence)
    })?;
    arrays::from_rows(py, across, D + 1)
}
