//! Convex polyhedra, and the distance of two of them.

use crate::mesh::Mesh;
use crate::pose::{from_numbers, pose};
use crate::{arrays, errors, thread_pool};
use carom::detect::narrow::{ClosestPoints, ContactManifold, PolyhedronFeature};
use carom::geometry::shape::ConvexPolyhedron;
use carom::geometry::{Pose, Vector, points_from_rows};
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

/// A convex polyhedron: the hull of points.
///
/// Parameters
/// ----------
/// points : array_like, shape (N, 3)
///
/// Examples
/// --------
/// >>> import carom
/// >>> cube = carom.Polyhedron([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
/// >>> cube, round(cube.volume, 12)
/// (<carom.Polyhedron: 8 vertices, 6 faces>, 1.0)
#[pyclass(frozen, module = "carom")]
pub struct Polyhedron {
    body: Arc<ConvexPolyhedron>,
}

#[pymethods]
impl Polyhedron {
    #[new]
    fn new(points: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = points.py();
        let points = arrays::read2(&arrays::points("points", points)?)?;
        let points = points.as_slice().expect("rows stand one after the other");
        let points = points_from_rows::<3>(points).expect("a row is three coordinates");
        arrays::check_memory(py, "copies of the points", size_of_val(points))?;
        let points = points.to_vec();
        let hull = thread_pool::run_owned(py, move || ConvexPolyhedron::hull(&points))?;
        Ok(Polyhedron::of(hull.map_err(|error| errors::INPUT.with(py, error))?))
    }

    /// Read a closed convex mesh from an STL, OBJ, PLY or OFF file.
    ///
    /// Examples
    /// --------
    /// >>> import carom, pathlib, tempfile
    /// >>> file = pathlib.Path(tempfile.mkdtemp()) / "cube.off"
    /// >>> carom.generate.polyhedron("cube").mesh().save(file)
    /// >>> carom.Polyhedron.load(file)
    /// <carom.Polyhedron: 8 vertices, 6 faces>
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let file = path.clone();
        let read = thread_pool::run_owned(py, move || carom::io::read_mesh(&file))?;
        let mesh = read.map_err(|error| errors::file(py, error))?;
        let body = thread_pool::run_owned(py, move || ConvexPolyhedron::from_mesh(&mesh))?;
        Ok(Polyhedron::of(
            body.map_err(|error| errors::INPUT.with(py, format!("{}: {error}", path.display())))?,
        ))
    }

    /// Positions of the vertices, a copy. Shape (V, 3).
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.generate.polyhedron("cube").vertices.shape
    /// (8, 3)
    #[getter]
    fn vertices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        arrays::from_points(py, self.body.vertices())
    }

    /// Corners of each face, counterclockwise seen from outside: a list of arrays of uint32.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> [len(face) for face in carom.generate.polyhedron("cube").faces]
    /// [4, 4, 4, 4, 4, 4]
    #[getter]
    fn faces<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyArray1<u32>>> {
        self.body.faces().map(|face| PyArray1::from_slice(py, face.vertices)).collect()
    }

    /// Outward unit normal of each face. Shape (F, 3).
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.generate.polyhedron("cube").normals.shape
    /// (6, 3)
    #[getter]
    fn normals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        arrays::from_points(py, &self.body.faces().map(|face| face.normal).collect::<Vec<_>>())
    }

    /// Volume.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.generate.polyhedron("box", size=(1, 2, 3)).volume
    /// 6.0
    #[getter]
    fn volume(&self) -> f64 {
        self.body.mass_properties().volume
    }

    /// Center of mass. Shape (3,).
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.generate.polyhedron("cube").center_mass.round(12) + 0.0
    /// array([0., 0., 0.])
    #[getter]
    fn center_mass<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.body.mass_properties().center_of_mass.as_slice())
    }

    /// Inertia tensor about the center of mass, for density one. Shape (3, 3).
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.generate.polyhedron("box", size=(1, 2, 3)).moment_inertia.diagonal().round(12)
    /// array([6.5, 5. , 2.5])
    #[getter]
    fn moment_inertia<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        // The tensor is symmetric, so rows are columns.
        let inertia = self.body.mass_properties().inertia;
        PyArray1::from_slice(py, inertia.as_slice()).reshape([3, 3])
    }

    /// The surface as a mesh, with one polygon for each face.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.generate.polyhedron("cube").mesh()
    /// <carom.Mesh: 8 vertices, 6 faces>
    fn mesh(&self, py: Python<'_>) -> PyResult<Mesh> {
        Mesh::of_polygons(py, self.body.mesh())
    }

    fn __repr__(&self) -> String {
        let (vertices, faces) = (self.body.vertices().len(), self.body.face_count());
        format!("<carom.Polyhedron: {vertices} vertices, {faces} faces>")
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (py.get_type::<Polyhedron>(), (self.vertices(py)?,)).into_pyobject(py)
    }
}

impl Polyhedron {
    pub fn of(body: ConvexPolyhedron) -> Self {
        Polyhedron { body: Arc::new(body) }
    }

    pub fn body(&self) -> &Arc<ConvexPolyhedron> {
        &self.body
    }
}

/// Distance of two convex polyhedra, or how deep they penetrate each other.
///
/// Parameters
/// ----------
/// a, b : Polyhedron
/// pose_a, pose_b : array_like, optional
///     Position, or position and unit quaternion x, y, z, qw, qx, qy, qz, or a 4 x 4 matrix.
///
/// Returns
/// -------
/// Distance
///
/// Examples
/// --------
/// >>> import carom
/// >>> cube = carom.generate.polyhedron("box", size=(1, 1, 1))
/// >>> carom.distance(cube, cube, pose_b=(3, 0, 0)).distance
/// 2.0
#[pyfunction]
#[pyo3(signature = (a, b, pose_a=None, pose_b=None))]
pub fn distance(
    a: &Bound<'_, Polyhedron>,
    b: &Bound<'_, Polyhedron>,
    pose_a: Option<&Bound<'_, PyAny>>,
    pose_b: Option<&Bound<'_, PyAny>>,
) -> PyResult<Distance> {
    let bodies = [a, b].map(|body| body.get().body.clone());
    let poses = [pose("pose_a", pose_a)?, pose("pose_b", pose_b)?];
    Distance::between(a.py(), &mut carom::detect::narrow::ClosestFeatures::new(), bodies, poses)
}

/// The closest points of two convex polyhedra, or the deepest ones where they penetrate each other.
///
/// Examples
/// --------
/// >>> import carom
/// >>> cube = carom.generate.polyhedron("box", size=(1, 1, 1))
/// >>> near = carom.distance(cube, cube, pose_b=(0.875, 0.5, 0))
/// >>> near
/// <carom.Distance: penetrating, 0.125 deep>
/// >>> near.normal, len(near.contact_points)
/// (array([1., 0., 0.]), 4)
#[pyclass(frozen, module = "carom")]
pub struct Distance {
    bodies: [Arc<ConvexPolyhedron>; 2],
    poses: [Pose; 2],
    closest: ClosestPoints,
}

#[pymethods]
impl Distance {
    /// Distance; where they penetrate, minus the penetration depth.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> cube = carom.generate.polyhedron("box", size=(1, 1, 1))
    /// >>> carom.distance(cube, cube, pose_b=(0.75, 0, 0)).distance
    /// -0.25
    #[getter]
    fn distance(&self) -> f64 {
        self.closest.distance
    }

    /// Closest point of each body. Shape (2, 3).
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> cube = carom.generate.polyhedron("box", size=(1, 1, 1))
    /// >>> carom.distance(cube, cube, pose_b=(3, 3, 3)).points
    /// array([[0.5, 0.5, 0.5],
    ///        [2.5, 2.5, 2.5]])
    #[getter]
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        arrays::from_points(py, &[self.closest.on_a, self.closest.on_b])
    }

    /// Unit vector from the first body to the second: moving the second along it separates them. Shape (3,).
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> cube = carom.generate.polyhedron("box", size=(1, 1, 1))
    /// >>> carom.distance(cube, cube, pose_b=(3, 0, 0)).normal
    /// array([1., 0., 0.])
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.closest.normal.as_slice())
    }

    /// The vertex, edge or face of each body that its closest point is on: "vertex" and its index, "edge" and those of
    /// its vertices, "face" and its index.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> cube = carom.generate.polyhedron("box", size=(1, 1, 1))
    /// >>> [kind for kind, _ in carom.distance(cube, cube, pose_b=(3, 3, 3)).features]
    /// ['vertex', 'vertex']
    #[getter]
    fn features<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyTuple>)> {
        let [a, b] = &self.bodies;
        Ok((feature(py, self.closest.feature_a(a))?, feature(py, self.closest.feature_b(b))?))
    }

    /// At most eight points at which the bodies touch, midway between their surfaces; none if they are apart.
    /// Shape (K, 3).
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> cube = carom.generate.polyhedron("box", size=(1, 1, 1))
    /// >>> carom.distance(cube, cube, pose_b=(0.75, 0, 0)).contact_points.shape
    /// (4, 3)
    #[getter]
    fn contact_points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let manifold = self.manifold();
        let points: Vec<_> = manifold.points().iter().map(|point| point.position).collect();
        arrays::from_points(py, &points)
    }

    /// Distance of the surfaces at each contact point, negative where they penetrate. Shape (K,).
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> cube = carom.generate.polyhedron("box", size=(1, 1, 1))
    /// >>> carom.distance(cube, cube, pose_b=(0.75, 0, 0)).contact_distances
    /// array([-0.25, -0.25, -0.25, -0.25])
    #[getter]
    fn contact_distances<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let manifold = self.manifold();
        PyArray1::from_vec(py, manifold.points().iter().map(|point| point.distance).collect())
    }

    /// Number of iterations that the query took; one if a kept answer was still right.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> cube = carom.generate.polyhedron("box", size=(1, 1, 1))
    /// >>> carom.distance(cube, cube, pose_b=(3, 0, 0)).iterations >= 1
    /// True
    #[getter]
    fn iterations(&self) -> u32 {
        self.closest.iterations
    }

    fn __repr__(&self) -> String {
        let distance = self.closest.distance;
        let verdict = if distance > 0.0 {
            format!("{distance} apart")
        } else if distance == 0.0 {
            "touching".to_owned()
        } else {
            format!("penetrating, {} deep", -distance)
        };
        format!("<carom.Distance: {verdict}>")
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        // An answer that was found from another would not be found again to the bit.
        let sentence = "a carom.Distance is not pickled; pickle what you need of it, such as distance and points, or the \
                        bodies and poses that it was asked for";
        Err(errors::INPUT.with(py, sentence))
    }
}

impl Distance {
    fn between(
        py: Python<'_>,
        query: &mut carom::detect::narrow::ClosestFeatures,
        bodies: [Arc<ConvexPolyhedron>; 2],
        poses: [Pose; 2],
    ) -> PyResult<Self> {
        let closest = thread_pool::run_here(py, || {
            query.query(&bodies[0], &poses[0], &bodies[1], &poses[1])
        })?;
        Ok(Distance { bodies, poses, closest })
    }

    fn manifold(&self) -> ContactManifold {
        let ([a, b], [pose_a, pose_b]) = (&self.bodies, &self.poses);
        ContactManifold::between(a, pose_a, b, pose_b, &self.closest, 0.0)
    }
}

fn feature(py: Python<'_>, feature: PolyhedronFeature) -> PyResult<Bound<'_, PyTuple>> {
    match feature {
        PolyhedronFeature::Vertex(vertex) => ("vertex", vertex).into_pyobject(py),
        PolyhedronFeature::Edge([from, to]) => ("edge", (from, to)).into_pyobject(py),
        PolyhedronFeature::Face(face) => ("face", face).into_pyobject(py),
    }
}

/// The distance of two convex polyhedra from pose to pose, which remembers its last answer.
///
/// A query after a small motion costs a fraction of a microsecond. Pickling keeps the bodies, not the last answer.
///
/// Parameters
/// ----------
/// a, b : Polyhedron
///
/// Examples
/// --------
/// >>> import carom
/// >>> cube = carom.generate.polyhedron("box", size=(1, 1, 1))
/// >>> query = carom.ClosestFeatures(cube, cube)
/// >>> [query(pose_b=(x, 0, 0)).distance for x in (2, 1.5, 0.75)]
/// [1.0, 0.5, -0.25]
#[pyclass(frozen, module = "carom")]
pub struct ClosestFeatures {
    bodies: [Arc<ConvexPolyhedron>; 2],
    query: Mutex<carom::detect::narrow::ClosestFeatures>,
}

type ManyDistances<'py> =
    (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray3<f64>>, Bound<'py, PyArray2<f64>>);

#[pymethods]
impl ClosestFeatures {
    #[new]
    fn new(a: &Bound<'_, Polyhedron>, b: &Bound<'_, Polyhedron>) -> Self {
        let bodies = [a, b].map(|body| body.get().body.clone());
        ClosestFeatures { bodies, query: Mutex::default() }
    }

    #[pyo3(signature = (pose_a=None, pose_b=None))]
    fn __call__(
        &self,
        py: Python<'_>,
        pose_a: Option<&Bound<'_, PyAny>>,
        pose_b: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Distance> {
        let poses = [pose("pose_a", pose_a)?, pose("pose_b", pose_b)?];
        let mut query = self.history();
        let found = Distance::between(py, &mut query, self.bodies.clone(), poses);
        self.remember(query);
        found
    }

    /// Distances along a path of poses, each query starting from the last.
    ///
    /// Parameters
    /// ----------
    /// poses_a, poses_b : array_like, shape (T, 3) or (T, 7)
    ///     Positions, or positions and unit quaternions x, y, z, qw, qx, qy, qz.
    ///
    /// Returns
    /// -------
    /// distances : ndarray, shape (T,)
    /// points : ndarray, shape (T, 2, 3)
    /// normals : ndarray, shape (T, 3)
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> cube = carom.generate.polyhedron("box", size=(1, 1, 1))
    /// >>> query = carom.ClosestFeatures(cube, cube)
    /// >>> distances, points, normals = query.many([[0, 0, 0]] * 2, [[2, 0, 0], [0, 3, 0]])
    /// >>> distances
    /// array([1., 2.])
    fn many<'py>(
        &self,
        py: Python<'py>,
        poses_a: &Bound<'py, PyAny>,
        poses_b: &Bound<'py, PyAny>,
    ) -> PyResult<ManyDistances<'py>> {
        let (poses_a, poses_b) = (poses("poses_a", poses_a)?, poses("poses_b", poses_b)?);
        if poses_a.len() != poses_b.len() {
            let sentence = format!(
                "there are {} poses_a and {} poses_b; there must be one of each for every query",
                poses_a.len(),
                poses_b.len()
            );
            return Err(errors::INPUT.with(py, sentence));
        }
        let mut query = self.history();
        let [a, b] = &self.bodies;
        let found: Vec<ClosestPoints> = thread_pool::run_cancellable(py, |is_cancelled| {
            let pairs = poses_a.iter().zip(&poses_b);
            let wanted = pairs.take_while(|_| !is_cancelled.load(Ordering::Relaxed));
            wanted.map(|(pose_a, pose_b)| query.query(a, pose_a, b, pose_b)).collect()
        })?;
        self.remember(query);
        let points: Vec<Vector<3>> = found.iter().flat_map(|it| [it.on_a, it.on_b]).collect();
        let normals: Vec<Vector<3>> = found.iter().map(|it| it.normal).collect();
        Ok((
            PyArray1::from_vec(py, found.iter().map(|it| it.distance).collect()),
            arrays::from_points(py, &points)?.reshape([found.len(), 2, 3])?,
            arrays::from_points(py, &normals)?,
        ))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let [a, b] = self.bodies.clone().map(|body| Polyhedron { body });
        (py.get_type::<ClosestFeatures>(), (a, b)).into_pyobject(py)
    }
}

impl ClosestFeatures {
    /// The last answer, a copy: no lock is held while a query runs.
    fn history(&self) -> carom::detect::narrow::ClosestFeatures {
        *self.query.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remember(&self, query: carom::detect::narrow::ClosestFeatures) {
        *self.query.lock().unwrap_or_else(PoisonError::into_inner) = query;
    }
}

fn poses(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<Pose>> {
    let py = value.py();
    let array = arrays::rows(name, "each pose", value)?;
    let width = array.shape()[1];
    let read = arrays::read2(&array)?;
    let numbers = read.as_slice().expect("rows stand one after the other");
    let mut poses = Vec::with_capacity(array.shape()[0]);
    for (row, numbers) in numbers.chunks_exact(width.max(1)).enumerate() {
        let pose = from_numbers(numbers)
            .map_err(|rule| errors::INPUT.with(py, format!("row {row} of {name} {rule}")))?;
        poses.push(pose);
    }
    Ok(poses)
}
