//! Meshes: files, containment, distances, what they are.

use crate::polyhedron::Polyhedron;
use crate::pose::pose;
use crate::{arrays, errors, names, thread_pool};
use carom::MeshReport;
use carom::detect::inside::{
    Containment, ContainmentError, ContainmentMethod, DoubleLayer, FillRule, Multipole,
    MultipoleAccuracy, MultipoleError, MultipoleOptions, OctreeDepth, PenetratingNode,
    PreparedSurface, Solid, TriangleBvh,
};
use carom::geometry::mesh::{
    MeshTopology, PolygonMesh, RepairOptions, TriangleMesh, TriangleMeshError, polygon_normal,
};
use carom::geometry::shape::{ConvexPolyhedron, MassProperties};
use carom::geometry::{Pose, Vector, points_from_rows, rows_of_points};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// For up to this number of points of quick questions one thread is done before others would be awake.
const FEW: usize = 256;
/// Bytes of an allocation beside its content, for each face and its triangles.
const FACE_OVERHEAD: usize = 32;
/// Points in one task of a thread.
const POINTS_PER_TASK: usize = 1 << 14;
/// Points that a quick method is asked about at once: as many as are in the nearest cache when they have been looked at.
const POINTS_PER_BLOCK: usize = 1 << 10;
/// The same of other methods, which share out work among the points.
const POINTS_PER_SLOW_BLOCK: usize = 1 << 12;
/// The same of sums over all triangles, which are slow enough that Ctrl-C would wait for more.
const POINTS_PER_DIRECT_BLOCK: usize = 1 << 8;
/// A surface is prepared for no fewer points: a mesh that is asked once is mostly asked again.
const FEWEST_EXPECTED: usize = 10_000;
/// A surface is prepared for no more points than this, unless more are asked about at once: it would no longer fit
/// into the caches.
const MANY_EXPECTED: usize = 1_000_000;
/// A surface is prepared again once it was asked about this number of times the points that it was prepared for.
const GROWTH: usize = 16;
/// Sums of solid angles are taken directly for up to this number of pairs of a point and a triangle.
const DIRECT_PAIRS: usize = 100_000;

/// Separations of clusters and boxes that are tried until one reaches the error that is asked for.
const SEPARATIONS: [f64; 4] = [1.5, 2.0, 3.0, 4.0];

/// A surface of polygons that share vertices; seen from outside, the corners of a face are counterclockwise.
///
/// What is asked of it is prepared when it is asked first, and kept.
///
/// Parameters
/// ----------
/// vertices : array_like, shape (V, 3)
/// faces : array_like, shape (F, K), or sequence of sequences
///     Indices of the corners of each face, three or more. Faces of more than three are cut into triangles from their
///     first corner, and must be convex for that.
///
/// Examples
/// --------
/// >>> import carom
/// >>> tetrahedron = carom.Mesh(
/// ...     [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
/// ... )
/// >>> tetrahedron
/// <carom.Mesh: 4 vertices, 4 faces>
/// >>> tetrahedron.contains([[0.1, 0.1, 0.1], [1, 1, 1]])
/// array([ True, False])
#[pyclass(frozen, module = "carom")]
pub struct Mesh {
    /// Shared with work that is not waited for after Ctrl-C.
    polygons: Arc<PolygonMesh>,
    /// The faces cut into triangles, if that can be done.
    triangles: Result<TriangleMesh, TriangleMeshError>,
    kept: Mutex<PreparedSurfaces>,
}

/// What was prepared for earlier questions.
#[derive(Default)]
struct PreparedSurfaces {
    topology: Option<Arc<MeshTopology>>,
    bvh: Option<Arc<TriangleBvh>>,
    surfaces: BTreeMap<(&'static str, &'static str), Arc<SurfaceInUse>>,
    solid: Option<Arc<Solid>>,
    /// With the bits of its error.
    multipole: Option<(u64, Arc<Multipole>)>,
    double_layer: Option<Arc<DoubleLayer>>,
}

/// A surface prepared for a number of points.
struct SurfaceInUse {
    surface: PreparedSurface,
    expected: usize,
    asked: AtomicUsize,
}

#[pymethods]
impl Mesh {
    #[new]
    fn new(vertices: &Bound<'_, PyAny>, faces: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = vertices.py();
        let vertices = read_points("vertices", vertices)?;
        let faces = faces_of(faces)?;
        let vertices = as_points(&vertices);
        arrays::check_memory(py, "copies of the vertices", 2 * size_of_val(vertices))?;
        let vertices = vertices.to_vec();
        check_faces(&vertices, &faces).map_err(|error| errors::INPUT.with(py, error))?;
        Mesh::of_polygons(py, PolygonMesh { vertices, faces })
    }

    /// Read an STL, OBJ, PLY or OFF file.
    ///
    /// Examples
    /// --------
    /// >>> import carom, pathlib, tempfile
    /// >>> file = pathlib.Path(tempfile.mkdtemp()) / "ball.off"
    /// >>> carom.generate.sphere(1).save(file)
    /// >>> carom.Mesh.load(file)
    /// <carom.Mesh: 18 vertices, 32 faces>
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let read = thread_pool::run_owned(py, move || carom::io::read_mesh(&path))?;
        Mesh::of_polygons(py, read.map_err(|error| errors::file(py, error))?)
    }

    /// Take a mesh of trimesh, PyVista, meshio or Open3D.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> import trimesh  # doctest: +SKIP
    /// >>> carom.Mesh.of(trimesh.creation.box())  # doctest: +SKIP
    /// <carom.Mesh: 8 vertices, 12 faces>
    #[staticmethod]
    fn of(other: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = other.py();
        for [vertices, faces] in [["vertices", "faces"], ["vertices", "triangles"]] {
            if other.hasattr(vertices)? && other.hasattr(faces)? {
                return Mesh::new(&other.getattr(vertices)?, &other.getattr(faces)?);
            }
        }
        // PyVista lists its faces in one row, each after its number of corners.
        if other.hasattr("points")? && other.hasattr("irregular_faces")? {
            return Mesh::new(&other.getattr("points")?, &other.getattr("irregular_faces")?);
        }
        // meshio has blocks of cells of one kind; lines and points are not of the surface.
        if other.hasattr("points")? && other.hasattr("cells")? {
            let mut faces: Vec<Vec<u32>> = Vec::new();
            for block in other.getattr("cells")?.try_iter()? {
                let block = block?;
                let kind: String = block.getattr("type")?.extract()?;
                if ["triangle", "quad", "polygon"].contains(&kind.as_str()) {
                    faces.extend(faces_of(&block.getattr("data")?)?);
                }
            }
            return Mesh::new(&other.getattr("points")?, &faces.into_pyobject(py)?);
        }
        let kind = other.get_type();
        let sentence = format!(
            "{kind} is no mesh; it needs vertices and faces, as those of trimesh, PyVista, meshio and Open3D have"
        );
        Err(errors::INPUT.with(py, sentence))
    }

    /// Write the mesh to a file that ends in .stl, .obj, .ply or .off; the last three keep every bit.
    ///
    /// Examples
    /// --------
    /// >>> import carom, pathlib, tempfile
    /// >>> file = pathlib.Path(tempfile.mkdtemp()) / "ball.ply"
    /// >>> ball = carom.generate.sphere(1)
    /// >>> ball.save(file)
    /// >>> bool((carom.Mesh.load(file).vertices == ball.vertices).all())
    /// True
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let polygons = self.polygons.clone();
        let written = thread_pool::run_owned(py, move || carom::io::write_mesh(&path, &polygons))?;
        written.map_err(|error| errors::file(py, error))
    }

    /// Positions of the vertices, a copy. Shape (V, 3).
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.generate.sphere(0).vertices.shape
    /// (6, 3)
    #[getter]
    fn vertices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        arrays::from_points(py, &self.polygons.vertices)
    }

    /// Corners of the triangles that the faces are cut into, a copy. Shape (T, 3), uint32.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.generate.polyhedron("cube").mesh().faces.shape
    /// (12, 3)
    #[getter]
    fn faces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let triangles = self.triangles(py)?.triangles();
        PyArray1::from_slice(py, triangles.as_flattened()).reshape([triangles.len(), 3])
    }

    /// Corners of the faces as they were given: a list of arrays of uint32.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> [len(polygon) for polygon in carom.generate.polyhedron("cube").mesh().polygons]
    /// [4, 4, 4, 4, 4, 4]
    #[getter]
    fn polygons<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyArray1<u32>>> {
        self.polygons.faces.iter().map(|face| PyArray1::from_slice(py, face)).collect()
    }

    /// Lowest and highest corner of the box around all faces. Shape (2, 3).
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.generate.sphere(0).bounds
    /// array([[-1., -1., -1.],
    ///        [ 1.,  1.,  1.]])
    #[getter]
    fn bounds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let bounds = self.triangles(py)?.bounds();
        arrays::from_points(py, &[bounds.low, bounds.high])
    }

    /// Whether every edge belongs to two faces of consistent orientation.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.generate.sphere(0).is_watertight
    /// True
    #[getter]
    fn is_watertight(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.topology(py)?.is_closed())
    }

    /// Whether the two faces at each edge agree which side is out.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.generate.sphere(0).is_winding_consistent
    /// True
    #[getter]
    fn is_winding_consistent(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.topology(py)?.misoriented_edges.count == 0)
    }

    /// Whether the mesh is the surface of a convex body, to a millionth of its size.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.generate.sphere(2).is_convex, carom.generate.foam(5000, cells=2).is_convex
    /// (True, False)
    #[getter]
    fn is_convex(&self, py: Python<'_>) -> PyResult<bool> {
        let polygons = self.polygons.clone();
        thread_pool::run_owned(py, move || ConvexPolyhedron::from_mesh(&polygons).is_ok())
    }

    /// Volume of the closed mesh; negative if it is inside out.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> round(carom.generate.sphere(0).volume, 12)
    /// 1.333333333333
    #[getter]
    fn volume(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(self.mass_properties(py)?.volume)
    }

    /// Area of all faces.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> round(carom.generate.sphere(0).area, 12)
    /// 6.928203230276
    #[getter]
    fn area(&self) -> f64 {
        let PolygonMesh { vertices, faces } = &*self.polygons;
        faces.iter().map(|face| 0.5 * polygon_normal(vertices, face).norm()).sum()
    }

    /// Center of mass of the closed mesh. Shape (3,).
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.generate.sphere(0).center_mass.shape
    /// (3,)
    #[getter]
    fn center_mass<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(PyArray1::from_slice(py, self.mass_properties(py)?.center_of_mass.as_slice()))
    }

    /// Inertia tensor of the closed mesh about its center of mass, for density one. Shape (3, 3).
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.generate.sphere(0).moment_inertia.shape
    /// (3, 3)
    #[getter]
    fn moment_inertia<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        // The tensor is symmetric, so rows are columns.
        let inertia = self.mass_properties(py)?.inertia;
        PyArray1::from_slice(py, inertia.as_slice()).reshape([3, 3])
    }

    /// What the mesh is and what is wrong with it: the dict of `carom check MESH --json`.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> report = carom.generate.sphere(0).report()
    /// >>> report["closed"], report["inside_rules"]
    /// (True, ['even-odd', 'nonzero', 'winding'])
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let polygons = self.polygons.clone();
        let json =
            thread_pool::run_owned(py, move || MeshReport::of(&polygons).json().to_string())?;
        Ok(py.import("json")?.call_method1("loads", (json,))?.cast_into()?)
    }

    /// What the mesh is and what is wrong with it, in the words of `carom check MESH`.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> print(carom.generate.sphere(0).describe("ball"))  # doctest: +ELLIPSIS
    /// ball is a closed, convex mesh
    ///   vertices        6
    ///   ...
    #[pyo3(signature = (name="the mesh"))]
    fn describe(&self, py: Python<'_>, name: &str) -> PyResult<String> {
        let (polygons, name) = (self.polygons.clone(), name.to_owned());
        let text = thread_pool::run_owned(py, move || MeshReport::of(&polygons).text(&name))?;
        Ok(text.trim_end().to_owned())
    }

    /// The mesh with vertices of equal position welded, without faces that have fewer than three corners left.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> apart = carom.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 0]], [[0, 1, 2], [3, 2, 1]])
    /// >>> apart.welded().faces
    /// array([[0, 1, 2],
    ///        [0, 2, 1]], dtype=uint32)
    fn welded(&self, py: Python<'_>) -> PyResult<Self> {
        let polygons = self.polygons.clone();
        let weld = move || PolygonMesh::clone(&polygons).with_welded_vertices();
        let welded = thread_pool::run_owned(py, weld)?;
        Mesh::of_polygons(py, welded)
    }

    /// The mesh without what can be repaired: vertices to weld, faces without area, repeated or turned, and holes.
    ///
    /// Parameters
    /// ----------
    /// weld : float
    ///     A vertex at most this far from an earlier one becomes it; equal ones always do.
    /// fill_holes : int
    ///     Holes of at most this number of edges are filled.
    ///
    /// Returns
    /// -------
    /// mesh : Mesh
    /// report : dict of int
    ///     What was done, and what is left: `open_edges`, `non_manifold_edges` and `misoriented_edges`.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> ball = carom.generate.sphere(2)
    /// >>> mesh, report = carom.Mesh(ball.vertices, ball.faces[1:]).repair(fill_holes=10)
    /// >>> mesh.is_watertight, report["filled_holes"], report["open_edges"]
    /// (True, 1, 0)
    #[pyo3(signature = (*, weld=0.0, fill_holes=0))]
    fn repair<'py>(
        &self,
        py: Python<'py>,
        weld: f64,
        fill_holes: usize,
    ) -> PyResult<(Self, Bound<'py, PyDict>)> {
        let options = RepairOptions { weld_distance: weld, fill_holes_up_to: fill_holes };
        let polygons = self.polygons.clone();
        let repaired = thread_pool::run_owned(py, move || polygons.repaired(&options))?;
        let (mesh, report) = repaired.map_err(|error| errors::INPUT.with(py, error))?;
        let dict = PyDict::new(py);
        for (name, count) in report.numbers() {
            dict.set_item(name, count)?;
        }
        Ok((Mesh::of_polygons(py, mesh)?, dict))
    }

    /// Whether points are inside or on the surface.
    ///
    /// Parameters
    /// ----------
    /// points : array_like, shape (N, 3)
    ///     Not copied if it is float64 in C order and there is no `pose`.
    /// rule : {"even-odd", "nonzero", "winding"}
    ///     What is inside where parts overlap, faces are turned round or missing.
    /// method : {"auto", "cells", "ray", "double-layer", "multipole"}
    /// pose : array_like, optional
    ///     Position of the mesh, or position and unit quaternion x, y, z, qw, qx, qy, qz, or a 4 x 4 matrix.
    /// out : ndarray of bool, shape (N,), optional
    ///     Filled and returned.
    ///
    /// Returns
    /// -------
    /// ndarray of bool, shape (N,)
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.generate.sphere(3).contains([[0, 0, 0.5], [0, 0, 1], [0, 0, 1.5]])
    /// array([ True,  True, False])
    #[pyo3(signature = (points, *, rule="even-odd", method="auto", pose=None, out=None))]
    fn contains<'py>(
        &self,
        points: &Bound<'py, PyAny>,
        rule: &str,
        method: &str,
        pose: Option<&Bound<'py, PyAny>>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = points.py();
        let question = Question::of(py, points, rule, method, pose)?;
        let is_inside = |side| side != Containment::Outside;
        if let Some(out) = out {
            let mut filled = arrays::write1::<bool>(out, question.count, intern!(py, "bool"))?;
            let filled = filled.as_slice_mut().map_err(|error| errors::INPUT.with(py, error))?;
            question.classify(py, self, filled, is_inside)?;
            return Ok(out.clone());
        }
        let mut inside = question.no_answers(py, false)?;
        question.classify(py, self, &mut inside, is_inside)?;
        Ok(PyArray1::from_vec(py, inside).into_any())
    }

    /// Where points are: 1 inside, 0 on the surface, -1 outside.
    ///
    /// The methods "cells" and "ray" are exact: a point is on the surface if it lies on a face, an edge or a vertex to
    /// the last bit.
    ///
    /// Parameters
    /// ----------
    /// points, rule, method, pose
    ///     As those of `contains`.
    ///
    /// Returns
    /// -------
    /// ndarray of int8, shape (N,)
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.generate.sphere(3).containment([[0, 0, 0.5], [0, 0, 1], [0, 0, 1.5]])
    /// array([ 1,  0, -1], dtype=int8)
    #[pyo3(signature = (points, *, rule="even-odd", method="auto", pose=None))]
    fn containment<'py>(
        &self,
        points: &Bound<'py, PyAny>,
        rule: &str,
        method: &str,
        pose: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let py = points.py();
        let question = Question::of(py, points, rule, method, pose)?;
        let number = |side| match side {
            Containment::Inside => 1,
            Containment::Surface => 0,
            Containment::Outside => -1,
        };
        let mut sides = question.no_answers(py, 0)?;
        question.classify(py, self, &mut sides, number)?;
        Ok(PyArray1::from_vec(py, sides))
    }

    /// Distances of points from the surface: negative inside, zero on it, positive outside.
    ///
    /// trimesh has the opposite sign.
    ///
    /// Parameters
    /// ----------
    /// points, rule, method, pose
    ///     As those of `contains`.
    ///
    /// Returns
    /// -------
    /// ndarray, shape (N,)
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.generate.polyhedron("box", size=(2, 2, 2)).mesh().signed_distance([[0, 0, 0.75], [0, 0, 3]])
    /// array([-0.25,  2.  ])
    #[pyo3(signature = (points, *, rule="even-odd", method="auto", pose=None))]
    fn signed_distance<'py>(
        &self,
        points: &Bound<'py, PyAny>,
        rule: &str,
        method: &str,
        pose: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let py = points.py();
        let question = Question::of(py, points, rule, method, pose)?;
        let mut sides = question.no_answers(py, Containment::Outside)?;
        question.classify(py, self, &mut sides, |side| side)?;
        let bvh = self.bvh(py)?;
        let distances = question.answers(py, FEW, |row, point| {
            sides[row].signed_distance(bvh.closest_point(point).distance)
        })?;
        Ok(PyArray1::from_vec(py, distances))
    }

    /// Closest points of the surface.
    ///
    /// Parameters
    /// ----------
    /// points : array_like, shape (N, 3)
    /// pose : array_like, optional
    ///     As that of `contains`.
    ///
    /// Returns
    /// -------
    /// positions : ndarray, shape (N, 3)
    /// distances : ndarray, shape (N,)
    /// faces : ndarray of uint32, shape (N,)
    ///     Rows of `faces` that the positions are on.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> box = carom.generate.polyhedron("box", size=(2, 2, 2)).mesh()
    /// >>> positions, distances, faces = box.closest_point([[0.25, 0.5, 3]])
    /// >>> positions, distances
    /// (array([[0.25, 0.5 , 1.  ]]), array([2.]))
    #[pyo3(signature = (points, *, pose=None))]
    fn closest_point<'py>(
        &self,
        points: &Bound<'py, PyAny>,
        pose: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<ClosestPointArrays<'py>> {
        let py = points.py();
        let question = Question::of(py, points, "even-odd", "auto", pose)?;
        let bvh = self.bvh(py)?;
        let closest = question.answers(py, FEW, |_, point| bvh.closest_point(point))?;
        let place = |position: &Vector<3>| match &question.pose {
            Some(pose) => pose.transform_point(position),
            None => *position,
        };
        let positions: Vec<_> = closest.iter().map(|it| place(&it.position)).collect();
        let distances = closest.iter().map(|it| it.distance).collect();
        let faces = closest.iter().map(|it| it.triangle as u32).collect();
        Ok((
            arrays::from_points(py, &positions)?,
            PyArray1::from_vec(py, distances),
            PyArray1::from_vec(py, faces),
        ))
    }

    /// How often the surface winds around points: 1 inside of a simple closed surface, 0 outside, a fraction where
    /// faces are missing.
    ///
    /// Parameters
    /// ----------
    /// points : array_like, shape (N, 3)
    /// error : float
    ///     Largest error; actual ones are much smaller. Zero sums all triangles, right to rounding.
    /// pose : array_like, optional
    ///     As that of `contains`.
    ///
    /// Returns
    /// -------
    /// ndarray, shape (N,)
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.generate.sphere(2).winding_number([[0, 0, 0], [0, 0, 2]], error=0).round(12) + 0
    /// array([1., 0.])
    #[pyo3(signature = (points, *, error=1e-3, pose=None))]
    fn winding_number<'py>(
        &self,
        points: &Bound<'py, PyAny>,
        error: f64,
        pose: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let py = points.py();
        let question = Question::of(py, points, "winding", "auto", pose)?;
        let triangles = self.triangles(py)?.triangles().len();
        let is_direct = error == 0.0 || question.count.saturating_mul(triangles) <= DIRECT_PAIRS;
        let multipole = if is_direct { None } else { self.multipole(py, error, question.count)? };
        let numbers: Vec<f64> = match multipole {
            Some(surface) => question.answers(py, 0, |_, point| surface.winding_number(point))?,
            None => {
                let surface = self.double_layer(py)?;
                question.answers(py, 0, |_, point| surface.winding_number(point))?
            }
        };
        Ok(PyArray1::from_vec(py, numbers))
    }

    /// Vertices of two meshes that are inside each other: where two bodies penetrate.
    ///
    /// Parameters
    /// ----------
    /// other : Mesh
    /// pose, other_pose : array_like, optional
    ///     Of this mesh and the other, as that of `contains`.
    ///
    /// Returns
    /// -------
    /// tuple of two dicts
    ///     For the vertices of this mesh inside the other, and of the other inside this one: `vertices` (K,) uint32,
    ///     `positions` (K, 3), `depths` (K,), `exit_directions` (K, 3) of the shortest way out, `faces` (K,) uint32
    ///     of the other that it leads to, and `areas` (K,) of the own surface that belong to the vertices.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> ball = carom.generate.sphere(3)
    /// >>> own, others = ball.penetrating_vertices(ball, other_pose=(1.75, 0, 0))
    /// >>> float(own["depths"].max()) > 0.2
    /// True
    #[pyo3(signature = (other, pose=None, other_pose=None))]
    fn penetrating_vertices<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'py, Mesh>,
        pose: Option<&Bound<'py, PyAny>>,
        other_pose: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyDict>, Bound<'py, PyDict>)> {
        let poses =
            (crate::pose::pose("pose", pose)?, crate::pose::pose("other_pose", other_pose)?);
        let (solid, other) = (self.solid(py)?, other.get().solid(py)?);
        let find = move || solid.penetrating_nodes(&poses.0, &other, &poses.1);
        let found = thread_pool::run_owned(py, find)?;
        Ok((nodes_dict(py, &found.of_first)?, nodes_dict(py, &found.of_second)?))
    }

    /// Convex hull of all vertices.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.generate.sphere(1).convex_hull()
    /// <carom.Polyhedron: 18 vertices, 32 faces>
    fn convex_hull(&self, py: Python<'_>) -> PyResult<Polyhedron> {
        let polygons = self.polygons.clone();
        let hull = thread_pool::run_owned(py, move || ConvexPolyhedron::hull(&polygons.vertices))?;
        Ok(Polyhedron::of(hull.map_err(|error| errors::INPUT.with(py, error))?))
    }

    /// The convex polyhedron whose surface the mesh is; refused if it is not convex to a millionth of its size.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.generate.sphere(1).to_polyhedron().volume < 4.19
    /// True
    fn to_polyhedron(&self, py: Python<'_>) -> PyResult<Polyhedron> {
        let polygons = self.polygons.clone();
        let body = thread_pool::run_owned(py, move || ConvexPolyhedron::from_mesh(&polygons))?;
        Ok(Polyhedron::of(body.map_err(|error| errors::INPUT.with(py, error))?))
    }

    /// The mesh as a Trimesh of trimesh.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.generate.sphere(1).to_trimesh()  # doctest: +SKIP
    /// <trimesh.Trimesh(vertices.shape=(18, 3), faces.shape=(32, 3))>
    fn to_trimesh<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let options = PyDict::new(py);
        options.set_item("process", false)?;
        let arrays = (self.vertices(py)?, self.faces(py)?);
        py.import("trimesh")?.call_method("Trimesh", arrays, Some(&options))
    }

    /// The mesh as a PolyData of PyVista.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.generate.sphere(1).to_pyvista().n_cells  # doctest: +SKIP
    /// 32
    fn to_pyvista<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let class = py.import("pyvista")?.getattr("PolyData")?;
        let faces = self.polygons(py);
        class.call_method1("from_irregular_faces", (self.vertices(py)?, faces))
    }

    fn __repr__(&self) -> String {
        let PolygonMesh { vertices, faces } = &*self.polygons;
        format!("<carom.Mesh: {} vertices, {} faces>", vertices.len(), faces.len())
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("carom.meshes")?.call_method1("to_html", (slf,))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let class = py.get_type::<Mesh>();
        (class, (self.vertices(py)?, self.polygons(py))).into_pyobject(py)
    }
}

type ClosestPointArrays<'py> =
    (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<u32>>);

impl Mesh {
    /// Makes a mesh of polygons with valid corners.
    pub fn of_polygons(py: Python<'_>, polygons: PolygonMesh) -> PyResult<Self> {
        let (triangles, polygons) = thread_pool::run_owned(py, move || {
            let triangles = TriangleMesh::from_polygons(&polygons);
            (triangles, polygons)
        })?;
        match triangles {
            // What the mesh is can still be said, and all that needs triangles says why it cannot be had.
            Ok(_) | Err(TriangleMeshError::NotConvex { .. }) => {
                Ok(Mesh { polygons: Arc::new(polygons), triangles, kept: Mutex::default() })
            }
            Err(error) => Err(errors::INPUT.with(py, error)),
        }
    }

    /// The mesh as it was given.
    pub fn polygon_mesh(&self) -> &PolygonMesh {
        &self.polygons
    }

    /// The faces cut into triangles.
    pub fn triangles(&self, py: Python<'_>) -> PyResult<&TriangleMesh> {
        self.triangles.as_ref().map_err(|error| errors::INPUT.with(py, error))
    }

    fn mass_properties(&self, py: Python<'_>) -> PyResult<MassProperties> {
        let topology = self.topology(py)?;
        if !topology.is_closed() {
            let sentence =
                "the mesh is not closed, so it has no volume; report() says where it is open";
            return Err(errors::INPUT.with(py, sentence));
        }
        let PolygonMesh { vertices, faces } = &*self.polygons;
        thread_pool::run(py, || MassProperties::of(vertices, faces))
    }

    /// Returns what is kept, or prepares it. Two threads that ask at once may both prepare: no lock is held meanwhile.
    fn prepared<T: Send + Sync>(
        &self,
        py: Python<'_>,
        place: fn(&mut PreparedSurfaces) -> &mut Option<Arc<T>>,
        prepare: impl FnOnce() -> T + Send,
    ) -> PyResult<Arc<T>> {
        if let Some(known) = place(&mut self.kept()) {
            return Ok(known.clone());
        }
        let made = Arc::new(thread_pool::run(py, prepare)?);
        *place(&mut self.kept()) = Some(made.clone());
        Ok(made)
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, PreparedSurfaces> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn topology(&self, py: Python<'_>) -> PyResult<Arc<MeshTopology>> {
        self.prepared(py, |kept| &mut kept.topology, || MeshTopology::of(&self.polygons))
    }

    fn bvh(&self, py: Python<'_>) -> PyResult<Arc<TriangleBvh>> {
        let surface = self.triangles(py)?;
        self.prepared(py, |kept| &mut kept.bvh, || TriangleBvh::new(surface))
    }

    fn double_layer(&self, py: Python<'_>) -> PyResult<Arc<DoubleLayer>> {
        let surface = self.triangles(py)?;
        let make = || DoubleLayer::new(surface, FillRule::Winding);
        self.prepared(py, |kept| &mut kept.double_layer, make)
    }

    fn solid(&self, py: Python<'_>) -> PyResult<Arc<Solid>> {
        let surface = self.triangles(py)?;
        let topology = self.topology(py)?;
        if let Some(first) = topology.odd_edges.first {
            let (count, rule) = (topology.odd_edges.count, FillRule::EvenOdd.name());
            return Err(errors::INPUT.with(py, ContainmentError::Open { count, first, rule }));
        }
        let make = || Solid::new(surface.clone(), FillRule::EvenOdd, surface.vertices().len());
        self.prepared(py, |kept| &mut kept.solid, make)
    }

    /// Returns the expansions that reach an error; none if only the sum over all triangles does.
    fn multipole(
        &self,
        py: Python<'_>,
        error: f64,
        points: usize,
    ) -> PyResult<Option<Arc<Multipole>>> {
        let surface = self.triangles(py)?;
        if let Some((bits, known)) = &self.kept().multipole
            && *bits == error.to_bits()
        {
            return Ok(Some(known.clone()));
        }
        let with_separation = |separation: f64| {
            let options = MultipoleOptions {
                accuracy: MultipoleAccuracy::Error(error),
                depth: OctreeDepth::TrianglesAndPoints(points.max(FEWEST_EXPECTED)),
                separation,
                ..MultipoleOptions::default()
            };
            Multipole::new(surface, FillRule::Winding, &options)
        };
        let made = thread_pool::run(py, || {
            // A larger separation leaves more triangles to be summed, and reaches smaller errors.
            let mut tried = SEPARATIONS.into_iter().map(with_separation);
            let is_reached = |made: &Result<Multipole, MultipoleError>| {
                !matches!(made, Err(MultipoleError::UnreachableError { .. }))
            };
            tried.find(is_reached).transpose()
        })?;
        let made = made.map_err(|error| errors::INPUT.with(py, error))?.map(Arc::new);
        if let Some(made) = &made {
            self.kept().multipole = Some((error.to_bits(), made.clone()));
        }
        Ok(made)
    }

    /// Returns the surface prepared to be asked these many points more.
    fn surface(
        &self,
        py: Python<'_>,
        rule: FillRule,
        method: ContainmentMethod,
        points: usize,
    ) -> PyResult<Arc<SurfaceInUse>> {
        let key = (rule.name(), method.name());
        let known = self.kept().surfaces.get(&key).cloned();
        let before = known.as_ref().map_or(0, |it| it.asked.fetch_add(points, Ordering::Relaxed));
        let asked = before.saturating_add(points);
        let enough = |it: &Arc<SurfaceInUse>| {
            asked <= it.expected.saturating_mul(GROWTH) || it.expected >= MANY_EXPECTED.max(points)
        };
        if let Some(known) = known.filter(enough) {
            return Ok(known);
        }
        let surface = self.triangles(py)?;
        let topology = self.topology(py)?;
        let expected = asked.clamp(FEWEST_EXPECTED, MANY_EXPECTED).max(points);
        let surface = py.detach(|| surface.clone());
        let prepare = move || method.prepare(surface, &topology, rule, expected);
        let surface = thread_pool::run_owned(py, prepare)?;
        let surface = surface.map_err(|error| errors::INPUT.with(py, error))?;
        let made = Arc::new(SurfaceInUse { surface, expected, asked: asked.into() });
        self.kept().surfaces.insert(key, made.clone());
        Ok(made)
    }
}

/// Points that something is asked about.
struct Question<'py> {
    points: PyReadonlyArray2<'py, f64>,
    count: usize,
    pose: Option<Pose>,
    rule: FillRule,
    method: ContainmentMethod,
}

impl<'py> Question<'py> {
    fn of(
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
        rule: &str,
        method: &str,
        pose: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        let rule = FillRule::from_name(rule)
            .ok_or_else(|| names::unknown(py, "rule", rule, FillRule::ALL.map(FillRule::name)))?;
        let method = ContainmentMethod::from_name(method).ok_or_else(|| {
            names::unknown(
                py,
                "method",
                method,
                ContainmentMethod::ALL.map(ContainmentMethod::name),
            )
        })?;
        let points = read_points("points", points)?;
        let count = points.shape()[0];
        let pose = pose.map(|value| self::pose("pose", Some(value))).transpose()?;
        Ok(Question { points, count, pose, rule, method })
    }

    /// As many answers as there are points.
    fn no_answers<T: Clone>(&self, py: Python<'_>, answer: T) -> PyResult<Vec<T>> {
        arrays::check_memory(py, "the answers", self.count * size_of::<T>())?;
        Ok(vec![answer; self.count])
    }

    /// What is answered about each row of the points, in the frame of the mesh, by all threads if there are more than `few`.
    fn answers<R: Send>(
        &self,
        py: Python<'_>,
        few: usize,
        answer: impl Fn(usize, &Vector<3>) -> R + Sync,
    ) -> PyResult<Vec<R>> {
        let points = as_points(&self.points);
        arrays::check_memory(py, "the answers", points.len() * size_of::<R>())?;
        let pose = self.pose;
        let answers = |is_cancelled: &AtomicBool| {
            if !points.par_chunks(POINTS_PER_TASK).all(are_finite) {
                return None;
            }
            let one = |(row, point): (usize, &Vector<3>)| {
                let is_wanted = !is_cancelled.load(Ordering::Relaxed);
                is_wanted.then(|| match pose {
                    None => answer(row, point),
                    Some(pose) => answer(row, &pose.inverse_transform_point(point)),
                })
            };
            // Without answers only where nobody waits for them.
            let answers: Option<Vec<R>> = points.par_iter().enumerate().map(one).collect();
            Some(answers.unwrap_or_default())
        };
        let done = if points.len() <= few {
            thread_pool::run_here(py, || answers(&AtomicBool::new(false)))?
        } else {
            thread_pool::run_cancellable(py, answers)?
        };
        done.ok_or_else(|| infinite(py, points))
    }

    /// Writes for each point what `answer` makes of its side.
    fn classify<T: Send>(
        &self,
        py: Python<'_>,
        mesh: &Mesh,
        answers: &mut [T],
        answer: impl Fn(Containment) -> T + Sync,
    ) -> PyResult<()> {
        let surface = mesh.surface(py, self.rule, self.method, self.count)?;
        let points = as_points(&self.points);
        let (test, pose) = (&*surface.surface.test, self.pose);
        let block = |points: &[Vector<3>], answers: &mut [T]| {
            // While they are in the cache: memory is slower than most methods.
            let is_finite = are_finite(points);
            if is_finite {
                let sides = match pose {
                    None => test.classify_all(points),
                    Some(pose) => test.classify_all(&in_frame(&pose, points)),
                };
                sides.into_iter().zip(answers).for_each(|(side, it)| *it = answer(side));
            }
            is_finite
        };
        let is_quick =
            matches!(surface.surface.method, ContainmentMethod::Cells | ContainmentMethod::Ray);
        let done = if is_quick && points.len() <= FEW {
            thread_pool::run_here(py, || block(points, answers))?
        } else {
            let size = match surface.surface.method {
                _ if is_quick => POINTS_PER_BLOCK,
                ContainmentMethod::DoubleLayer => POINTS_PER_DIRECT_BLOCK,
                _ => POINTS_PER_SLOW_BLOCK,
            };
            // Of slow blocks few make a task, so that all threads have some.
            let per_task = if is_quick { POINTS_PER_TASK } else { 4 * size };
            thread_pool::run_cancellable(py, |is_cancelled| {
                let task = |(points, answers): (&[Vector<3>], &mut [T])| {
                    let mut blocks = points.chunks(size).zip(answers.chunks_mut(size));
                    blocks.all(|(points, answers)| {
                        is_cancelled.load(Ordering::Relaxed) || block(points, answers)
                    })
                };
                let points = points.par_chunks(per_task);
                points.zip(answers.par_chunks_mut(per_task)).with_max_len(1).all(task)
            })?
        };
        if done { Ok(()) } else { Err(infinite(py, points)) }
    }
}

fn in_frame(pose: &Pose, points: &[Vector<3>]) -> Vec<Vector<3>> {
    points.iter().map(|point| pose.inverse_transform_point(point)).collect()
}

fn are_finite(points: &[Vector<3>]) -> bool {
    // A product with zero is zero, or not a number. Eight sums at once, and no way out in the middle, take a tenth of
    // the time of looking at each number: 0.3 ms for a million points, where the quickest method takes 12.
    let numbers = rows_of_points(points).as_chunks::<8>();
    let mut sums = [0.0; 8];
    for numbers in numbers.0 {
        sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number * 0.0);
    }
    sums.iter().chain(numbers.1).all(|number| number.is_finite())
}

/// The error that names the first coordinate that is not finite.
fn infinite(py: Python<'_>, points: &[Vector<3>]) -> PyErr {
    let wrong = |point: &Vector<3>| point.iter().copied().find(|value| !value.is_finite());
    let found = points.iter().enumerate().find_map(|(row, point)| Some((row, wrong(point)?)));
    let (row, value) = found.unwrap_or((0, f64::NAN));
    let sentence = format!("points has {value:?} in row {row}; a coordinate must be finite");
    errors::INPUT.with(py, sentence)
}

fn read_points<'py>(name: &str, value: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArray2<'py, f64>> {
    arrays::read2(&arrays::points(name, value)?)
}

fn as_points<'a>(rows: &'a PyReadonlyArray2<'_, f64>) -> &'a [Vector<3>] {
    let numbers = rows.as_slice().expect("rows stand one after the other");
    points_from_rows(numbers).expect("a row is three coordinates")
}

/// Faces as an array of rows, or as a sequence of sequences of corners.
fn faces_of(value: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<u32>>> {
    let py = value.py();
    let is_ragged = !value.hasattr("dtype")? && has_rows_of_different_lengths(value)?;
    if is_ragged {
        let mut faces = Vec::new();
        for face in value.try_iter()? {
            let corners = arrays::indices("faces", &face?)?;
            let corners = corners.cast_into::<PyArray1<u32>>().map_err(|_| {
                errors::INPUT.with(py, "faces must be rows of the indices of their corners")
            })?;
            faces.push(corners.to_vec()?);
        }
        return Ok(faces);
    }
    let array = arrays::indices("faces", value)?;
    if array.len()? == 0 {
        return Ok(Vec::new());
    }
    let shape = array.getattr("shape")?.str()?.to_string();
    let array = array.cast_into::<PyArray2<u32>>().map_err(|_| {
        let sentence = format!(
            "faces has shape {shape}; it must have two axes, a row of corners for each face"
        );
        errors::INPUT.with(py, sentence)
    })?;
    let width = array.shape()[1];
    let bytes = array.shape()[0] * (size_of::<Vec<u32>>() + FACE_OVERHEAD) + 8 * array.len();
    arrays::check_memory(py, "copies of the faces", bytes)?;
    let corners = array.to_vec()?;
    Ok(corners.chunks(width.max(1)).map(<[u32]>::to_vec).collect())
}

fn has_rows_of_different_lengths(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    let mut lengths = Vec::new();
    for face in value.try_iter()? {
        match face?.len() {
            Ok(length) => lengths.push(length),
            Err(_) => return Ok(false),
        }
    }
    Ok(lengths.windows(2).any(|two| two[0] != two[1]))
}

/// Checks what the functions of meshes rely on, for all faces.
fn check_faces(vertices: &[Vector<3>], faces: &[Vec<u32>]) -> Result<(), TriangleMeshError> {
    for (face, corners) in faces.iter().enumerate() {
        if corners.len() < 3 {
            return Err(TriangleMeshError::TooFewCorners { face, corners: corners.len() });
        }
        if let Some(&vertex) = corners.iter().find(|&&corner| corner as usize >= vertices.len()) {
            let vertices = vertices.len();
            return Err(TriangleMeshError::NoSuchVertex { face, vertex, vertices });
        }
    }
    Ok(())
}

fn nodes_dict<'py>(py: Python<'py>, nodes: &[PenetratingNode]) -> PyResult<Bound<'py, PyDict>> {
    let numbers = |number: fn(&PenetratingNode) -> u32| {
        PyArray1::from_vec(py, nodes.iter().map(number).collect())
    };
    let lengths = |length: fn(&PenetratingNode) -> f64| {
        PyArray1::from_vec(py, nodes.iter().map(length).collect())
    };
    let vectors = |vector: fn(&PenetratingNode) -> Vector<3>| {
        arrays::from_points(py, &nodes.iter().map(vector).collect::<Vec<_>>())
    };
    let dict = PyDict::new(py);
    dict.set_item("vertices", numbers(|node| node.vertex))?;
    dict.set_item("positions", vectors(|node| node.position)?)?;
    dict.set_item("depths", lengths(|node| node.depth))?;
    dict.set_item("exit_directions", vectors(|node| node.exit_direction)?)?;
    dict.set_item("faces", numbers(|node| node.triangle))?;
    dict.set_item("areas", lengths(|node| node.area))?;
    Ok(dict)
}
