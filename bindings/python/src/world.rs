//! A world of bodies to query.

use crate::answers::Answer;
use crate::mesh::Mesh;
use crate::pair_memory::check_pair_memory;
use crate::polyhedron::Polyhedron;
use crate::pose::from_numbers;
use crate::saved_bodies::SavedBodies;
use crate::{answers, arrays, errors, names, thread_pool};
use carom::detect::inside::FillRule;
use carom::detect::world::{BodyDistance, NearestBody, RayHit};
use carom::geometry::{Aabb, Pose, Vector, points_from_rows};
use carom::io::memory;
use carom::{BodyShape, WorldError};
use numpy::{
    PyArray1, PyArray2, PyArray3, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use rayon::prelude::*;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Changes of up to this number of bodies, and looks at as many, take some milliseconds: they are made at once.
const FEW_CHANGES: usize = 4096;

/// About what a body takes, with its boxes: a copy of a world is refused where memory has no room for it.
const BYTES_PER_BODY: usize = 400;

/// Bodies in their poses, and what can be asked about them: spheres, convex polyhedra and closed meshes.
///
/// Bodies are numbered in the order in which they are added, from zero; a number is never used again. Distances are
/// those of the bodies, negative inside. Answers do not depend on the order in which bodies were added; ties go to the
/// smaller number. The world is open: for spheres in periodic boxes take `contacts`.
///
/// Parameters
/// ----------
/// spheres : array_like, shape (N, 4), optional
///     Rows of x, y, z and a radius, added first.
/// polyhedra, meshes : sequence, optional
///     Of Polyhedron and of Mesh, or of pairs of one and its pose; added next.
///
/// Examples
/// --------
/// >>> import carom
/// >>> world = carom.World([[0, 0, 0, 1], [5, 0, 0, 1]])
/// >>> cube = world.add(carom.generate.polyhedron("box", size=(2, 2, 2)), (0, 9, 0))
/// >>> bodies, distances, points = world.nearest([[0, 4, 0], [5, 0, 0.25]])
/// >>> bodies, distances
/// (array([0, 1]), array([ 3.  , -0.75]))
/// >>> world
/// <carom.World: 3 bodies>
#[pyclass(frozen, module = "carom")]
pub struct World {
    /// Shared with queries that are running: a change meanwhile is made in a copy.
    world: Mutex<Arc<carom::World>>,
    shapes: Mutex<Vec<PreparedShape>>,
}

/// A shape that was added before, so that the same object is prepared once.
struct PreparedShape {
    source: Py<PyAny>,
    rule: FillRule,
    shape: BodyShape,
}

impl PreparedShape {
    fn clone_ref(&self, py: Python<'_>) -> Self {
        let PreparedShape { source, rule, shape } = self;
        PreparedShape { source: source.clone_ref(py), rule: *rule, shape: shape.clone() }
    }
}

type NearestArrays<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>);
type NearArrays<'py> = (
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray2<f64>>,
);
type ContainingArrays<'py> = (Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<u32>>);
type PairArrays<'py> =
    (Bound<'py, PyArray2<u32>>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray3<f64>>);
type HitArrays<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray1<i64>>,
);

#[pymethods]
impl World {
    #[new]
    #[pyo3(signature = (spheres=None, *, polyhedra=None, meshes=None))]
    fn new(
        py: Python<'_>,
        spheres: Option<&Bound<'_, PyAny>>,
        polyhedra: Option<&Bound<'_, PyAny>>,
        meshes: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let world = World { world: Mutex::default(), shapes: Mutex::default() };
        if let Some(spheres) = spheres {
            world.add_spheres(spheres)?;
        }
        for bodies in [polyhedra, meshes].into_iter().flatten() {
            for body in bodies.try_iter()? {
                let body = body?;
                match body.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>() {
                    Ok((shape, pose)) => world.add(py, &shape, Some(&pose), "even-odd")?,
                    Err(_) => world.add(py, &body, None, "even-odd")?,
                };
            }
        }
        Ok(world)
    }

    /// Add a body and return its number.
    ///
    /// Parameters
    /// ----------
    /// shape : float, Polyhedron or Mesh
    ///     A number is the radius of a sphere. The same object may be added many times; it is prepared once.
    /// pose : array_like, optional
    ///     Position, or position and unit quaternion x, y, z, qw, qx, qy, qz, or a 4 x 4 matrix.
    /// rule : {"even-odd", "nonzero", "winding"}
    ///     What is inside of a mesh, which must be closed.
    ///
    /// Returns
    /// -------
    /// int
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> world = carom.World()
    /// >>> world.add(0.5, (1, 2, 3)), world.add(carom.generate.sphere(3))
    /// (0, 1)
    #[pyo3(signature = (shape, pose=None, *, rule="even-odd"))]
    fn add(
        &self,
        py: Python<'_>,
        shape: &Bound<'_, PyAny>,
        pose: Option<&Bound<'_, PyAny>>,
        rule: &str,
    ) -> PyResult<u32> {
        let pose = crate::pose::pose("pose", pose)?;
        let shape = self.shape(py, shape, rule)?;
        let added = Arc::make_mut(&mut self.lock()).add(shape, pose);
        added.map_err(|error| refused(py, error))
    }

    /// Add spheres and return their numbers.
    ///
    /// Parameters
    /// ----------
    /// spheres : array_like, shape (N, 4)
    ///     Rows of x, y, z and a radius.
    ///
    /// Returns
    /// -------
    /// ndarray of uint32, shape (N,)
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> world = carom.World()
    /// >>> world.add_spheres([[0, 0, 0, 1], [3, 0, 0, 1]])
    /// array([0, 1], dtype=uint32)
    fn add_spheres<'py>(&self, spheres: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let py = spheres.py();
        let rows = arrays::rows("spheres", "each sphere", spheres)?;
        let columns = rows.shape()[1];
        if columns != 4 {
            let sentence =
                format!("spheres has {columns} columns; it must have four, x, y, z and a radius");
            return Err(errors::INPUT.with(py, sentence));
        }
        let numbers = arrays::read2(&rows)?;
        let rows = copy_rows::<4>(py, &numbers)?;
        let added = self.add_rows(py, rows)?;
        let bodies = added.map_err(|(row, error)| {
            errors::INPUT.with(py, format!("row {row} of spheres: {error}"))
        })?;
        Ok(PyArray1::from_vec(py, bodies))
    }

    /// Remove a body; others keep their numbers.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> world = carom.World([[0, 0, 0, 1], [3, 0, 0, 1]])
    /// >>> world.remove(0)
    /// >>> world.bodies
    /// array([1], dtype=uint32)
    fn remove(&self, py: Python<'_>, body: u32) -> PyResult<()> {
        let removed = Arc::make_mut(&mut self.lock()).remove(body);
        removed.map_err(|error| refused(py, error))
    }

    /// Move bodies. Nothing moves if one of the poses is refused.
    ///
    /// Parameters
    /// ----------
    /// bodies : array_like of int, shape (N,)
    /// positions : array_like, shape (N, 3)
    /// orientations : array_like, shape (N, 4), optional
    ///     Unit quaternions qw, qx, qy, qz; not turned if there are none.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> world = carom.World([[0, 0, 0, 1], [3, 0, 0, 1]])
    /// >>> world.set_poses([0, 1], [[0, 0, 0], [2.5, 0, 0]])
    /// >>> world.distance(0, 1)[0]
    /// 0.5
    #[pyo3(signature = (bodies, positions, orientations=None))]
    fn set_poses(
        &self,
        bodies: &Bound<'_, PyAny>,
        positions: &Bound<'_, PyAny>,
        orientations: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let py = bodies.py();
        let numbers = arrays::indices("bodies", bodies)?.cast_into::<PyArray1<u32>>();
        let numbers = numbers
            .map_err(|_| errors::INPUT.with(py, "bodies must be a row of the numbers of bodies"))?;
        let numbers = numbers.to_vec()?;
        let positions = read_points("positions", positions)?;
        let quaternions = orientations
            .map(|rows| arrays::rows("orientations", "each quaternion", rows))
            .transpose()?;
        let counts =
            [positions.shape()[0], quaternions.as_ref().map_or(numbers.len(), |it| it.shape()[0])];
        let columns = quaternions.as_ref().map_or(4, |it| it.shape()[1]);
        if counts != [numbers.len(); 2] || columns != 4 {
            let sentence = format!(
                "there are {} bodies, {} positions and {} orientations of {columns} numbers; there must be one of \
                 each, orientations of four",
                numbers.len(),
                counts[0],
                counts[1]
            );
            return Err(errors::INPUT.with(py, sentence));
        }
        let quaternions = quaternions.as_ref().map(arrays::read2).transpose()?;
        let quaternions = quaternions.map(|rows| copy_rows::<4>(py, &rows)).transpose()?;
        let positions = copy_rows::<3>(py, &positions)?;
        let change = move |world: &mut carom::World| {
            let poses = poses_of(&numbers, &positions, quaternions.as_deref())?;
            world.set_poses(&poses).map_err(|error| error.to_string())
        };
        let moved = self.change(py, counts[0], change)?;
        moved.map_err(|sentence| errors::INPUT.with(py, sentence))
    }

    /// Numbers of the bodies, ascending. Shape (N,), uint32.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.World([[0, 0, 0, 1]]).bodies
    /// array([0], dtype=uint32)
    #[getter]
    fn bodies<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        PyArray1::from_vec(py, self.snapshot().bodies().collect())
    }

    /// Pose of a body as a matrix. Shape (4, 4).
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.World([[1, 2, 3, 0.5]]).pose(0)[:3, 3]
    /// array([1., 2., 3.])
    fn pose<'py>(&self, py: Python<'py>, body: u32) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let pose = self.snapshot().pose(body).map_err(|error| refused(py, error))?;
        let mut numbers = vec![0.0; 16];
        for row in 0..3 {
            for column in 0..3 {
                numbers[4 * row + column] = pose.rotation[(row, column)];
            }
            numbers[4 * row + 3] = pose.position[row];
        }
        numbers[15] = 1.0;
        arrays::from_rows(py, numbers, 4)
    }

    /// Lowest and highest corner of the box around a body. Shape (2, 3).
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.World([[1, 2, 3, 0.5]]).bounds(0)
    /// array([[0.5, 1.5, 2.5],
    ///        [1.5, 2.5, 3.5]])
    fn bounds<'py>(&self, py: Python<'py>, body: u32) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let bounds = self.snapshot().bounds(body).map_err(|error| refused(py, error))?;
        arrays::from_points(py, &[bounds.low, bounds.high])
    }

    /// Bodies whose bounding boxes meet a box, ascending.
    ///
    /// Parameters
    /// ----------
    /// low, high : array_like, shape (3,)
    ///     Corners of the box.
    ///
    /// Returns
    /// -------
    /// ndarray of uint32, shape (K,)
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.World([[0, 0, 0, 1], [5, 0, 0, 1]]).bodies_in((3, 0, 0), (4.5, 1, 1))
    /// array([1], dtype=uint32)
    fn bodies_in<'py>(
        &self,
        low: &Bound<'py, PyAny>,
        high: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let py = low.py();
        let bounds = Aabb { low: corner("low", low)?, high: corner("high", high)? };
        let world = self.snapshot();
        let found = match world.len() <= FEW_CHANGES {
            true => thread_pool::run_here(py, || world.bodies_in(&bounds))?,
            false => thread_pool::run_owned(py, move || world.bodies_in(&bounds))?,
        };
        Ok(PyArray1::from_vec(py, found.map_err(|error| refused(py, error))?))
    }

    /// Nearest bodies of points, with their distances and the closest points of their surfaces.
    ///
    /// Parameters
    /// ----------
    /// points : array_like, shape (N, 3)
    /// k : int, optional
    ///     Number of bodies for each point, the nearest first.
    ///
    /// Returns
    /// -------
    /// bodies : ndarray of int64, shape (N,), or (N, k) with `k`
    ///     -1 where there are fewer bodies.
    /// distances : ndarray, shape (N,) or (N, k)
    ///     Negative inside of the body; infinite where there is none.
    /// closest : ndarray, shape (N, 3) or (N, k, 3)
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> world = carom.World([[0, 0, 0, 1], [5, 0, 0, 1]])
    /// >>> bodies, distances, closest = world.nearest([[3, 0, 0]])
    /// >>> bodies, distances, closest
    /// (array([1]), array([1.]), array([[4., 0., 0.]]))
    /// >>> world.nearest([[3, 0, 0]], k=2)[0]
    /// array([[1, 0]])
    #[pyo3(signature = (points, k=None))]
    fn nearest<'py>(
        &self,
        points: &Bound<'py, PyAny>,
        k: Option<usize>,
    ) -> PyResult<NearestArrays<'py>> {
        let py = points.py();
        let points = read_points("points", points)?;
        let world = self.snapshot();
        let count = k.unwrap_or(1).min(world.len().max(1));
        // Columns that no body can fill are asked for all the same.
        let width = k.unwrap_or(1);
        let places = as_points(&points);
        let rows = places.len();
        // A number of the body, a distance and three coordinates.
        let bytes = 40.0 * rows as f64 * width as f64;
        memory::check(format!("{width} bodies for each of {rows} points"), bytes)
            .map_err(|error| errors::INPUT.with(py, error))?;
        let found =
            answers::each(py, "points", rows, |row| world.nearest_bodies(&places[row], count))?;
        let total = rows * width;
        let (mut bodies, mut distances) = (vec![-1_i64; total], vec![f64::INFINITY; total]);
        let mut closest = vec![f64::NAN; 3 * total];
        for (row, near) in found.iter().enumerate() {
            for (column, &NearestBody { body, distance, point }) in near.iter().enumerate() {
                let place = row * width + column;
                (bodies[place], distances[place]) = (i64::from(body), distance);
                closest[3 * place..3 * place + 3].copy_from_slice(point.as_slice());
            }
        }
        let bodies = PyArray1::from_vec(py, bodies);
        let distances = PyArray1::from_vec(py, distances);
        let closest = PyArray1::from_vec(py, closest);
        Ok(match k {
            None => {
                (bodies.into_any(), distances.into_any(), closest.reshape([rows, 3])?.into_any())
            }
            Some(_) => (
                bodies.reshape([rows, width])?.into_any(),
                distances.reshape([rows, width])?.into_any(),
                closest.reshape([rows, width, 3])?.into_any(),
            ),
        })
    }

    /// Bodies within a distance of points.
    ///
    /// Parameters
    /// ----------
    /// points : array_like, shape (N, 3)
    /// distance : float
    ///
    /// Returns
    /// -------
    /// rows : ndarray of uint32, shape (K,)
    ///     Rows of `points`, ascending, each with its bodies, ascending.
    /// bodies : ndarray of uint32, shape (K,)
    /// distances : ndarray, shape (K,)
    /// closest : ndarray, shape (K, 3)
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> world = carom.World([[0, 0, 0, 1], [5, 0, 0, 1]])
    /// >>> rows, bodies, distances, closest = world.bodies_near([[2.5, 0, 0], [0, 9, 0]], 1.5)
    /// >>> rows, bodies, distances
    /// (array([0, 0], dtype=uint32), array([0, 1], dtype=uint32), array([1.5, 1.5]))
    fn bodies_near<'py>(
        &self,
        points: &Bound<'py, PyAny>,
        distance: f64,
    ) -> PyResult<NearArrays<'py>> {
        let py = points.py();
        let points = read_points("points", points)?;
        let world = self.snapshot();
        let places = as_points(&points);
        let near = |row: usize| world.bodies_near(&places[row], distance);
        let found = answers::each(py, "points", places.len(), near)?;
        let rows = rows_of(&found);
        let found: Vec<NearestBody> = found.into_iter().flatten().collect();
        let closest: Vec<Vector<3>> = found.iter().map(|near| near.point).collect();
        Ok((
            PyArray1::from_vec(py, rows),
            PyArray1::from_vec(py, found.iter().map(|near| near.body).collect()),
            PyArray1::from_vec(py, found.iter().map(|near| near.distance).collect()),
            arrays::from_points(py, &closest)?,
        ))
    }

    /// Bodies that contain points; the surface belongs to the body.
    ///
    /// Parameters
    /// ----------
    /// points : array_like, shape (N, 3)
    ///
    /// Returns
    /// -------
    /// rows : ndarray of uint32, shape (K,)
    ///     Rows of `points`, ascending, each with its bodies, ascending.
    /// bodies : ndarray of uint32, shape (K,)
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> world = carom.World([[0, 0, 0, 1], [0, 0, 0, 2]])
    /// >>> world.containing([[0, 0, 3], [0, 0, 1.5], [0, 0, 0]])
    /// (array([1, 2, 2], dtype=uint32), array([1, 0, 1], dtype=uint32))
    fn containing<'py>(&self, points: &Bound<'py, PyAny>) -> PyResult<ContainingArrays<'py>> {
        let py = points.py();
        let points = read_points("points", points)?;
        let world = self.snapshot();
        let places = as_points(&points);
        let containing = |row: usize| world.containing(&places[row]);
        let found = answers::each(py, "points", places.len(), containing)?;
        let rows = rows_of(&found);
        Ok((
            PyArray1::from_vec(py, rows),
            PyArray1::from_vec(py, found.into_iter().flatten().collect()),
        ))
    }

    /// Where rays first meet the surface of a body. A ray that starts inside meets it where it leaves.
    ///
    /// Parameters
    /// ----------
    /// origins : array_like, shape (N, 3)
    /// directions : array_like, shape (N, 3)
    ///     Of any length but zero.
    /// reach : float
    ///     Nothing farther is met.
    ///
    /// Returns
    /// -------
    /// bodies : ndarray of int64, shape (N,)
    ///     -1 where nothing is met.
    /// distances : ndarray, shape (N,)
    ///     Infinite where nothing is met.
    /// points : ndarray, shape (N, 3)
    /// normals : ndarray, shape (N, 3)
    ///     Outward unit normals.
    /// faces : ndarray of int64, shape (N,)
    ///     Faces of polyhedra and triangles of meshes; -1 on spheres and where nothing is met.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> world = carom.World([[9, 0, 0, 1], [5, 0, 0, 1]])
    /// >>> bodies, distances, points, normals, faces = world.cast_rays([[0, 0, 0]] * 2, [[2, 0, 0], [0, 1, 0]])
    /// >>> bodies, distances, normals[0] + 0.0
    /// (array([ 1, -1]), array([ 4., inf]), array([-1.,  0.,  0.]))
    #[pyo3(signature = (origins, directions, reach=f64::INFINITY))]
    fn cast_rays<'py>(
        &self,
        origins: &Bound<'py, PyAny>,
        directions: &Bound<'py, PyAny>,
        reach: f64,
    ) -> PyResult<HitArrays<'py>> {
        let py = origins.py();
        let world = self.snapshot();
        let hits = each_ray(py, origins, directions, |origin, direction| {
            world.cast_ray(origin, direction, reach)
        })?;
        hit_arrays(py, &hits)
    }

    /// Where rays first meet the surface of each body on their way.
    ///
    /// Parameters
    /// ----------
    /// origins, directions, reach
    ///     As those of `cast_rays`.
    ///
    /// Returns
    /// -------
    /// rows : ndarray of uint32, shape (K,)
    ///     Rows of `origins`, ascending, each with what it meets, the nearest first.
    /// hits : tuple
    ///     The arrays of `cast_rays`, with K rows.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> world = carom.World([[9, 0, 0, 1], [5, 0, 0, 1]])
    /// >>> rows, (bodies, distances, *_) = world.cast_rays_through([[0, 0, 0]], [[1, 0, 0]])
    /// >>> bodies, distances
    /// (array([1, 0]), array([4., 8.]))
    #[pyo3(signature = (origins, directions, reach=f64::INFINITY))]
    fn cast_rays_through<'py>(
        &self,
        origins: &Bound<'py, PyAny>,
        directions: &Bound<'py, PyAny>,
        reach: f64,
    ) -> PyResult<(Bound<'py, PyArray1<u32>>, HitArrays<'py>)> {
        let py = origins.py();
        let world = self.snapshot();
        let hits = each_ray(py, origins, directions, |origin, direction| {
            world.cast_ray_through(origin, direction, reach)
        })?;
        let rows = rows_of(&hits);
        let hits: Vec<Option<RayHit>> = hits.into_iter().flatten().map(Some).collect();
        Ok((PyArray1::from_vec(py, rows), hit_arrays(py, &hits)?))
    }

    /// Distance of two bodies and the closest point of each.
    ///
    /// Where bodies overlap it is minus the penetration depth for two spheres or two polyhedra, the signed distance of
    /// the center minus the radius for a sphere and another body, and zero for a mesh and anything but a sphere.
    ///
    /// Parameters
    /// ----------
    /// a, b : int
    ///
    /// Returns
    /// -------
    /// distance : float
    /// points : ndarray, shape (2, 3)
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.World([[0, 0, 0, 1], [5, 0, 0, 1]]).distance(1, 0)
    /// (3.0, array([[4., 0., 0.],
    ///        [1., 0., 0.]]))
    fn distance<'py>(
        &self,
        py: Python<'py>,
        a: u32,
        b: u32,
    ) -> PyResult<(f64, Bound<'py, PyArray2<f64>>)> {
        let world = self.snapshot();
        let found = thread_pool::run_here(py, || world.distance(a, b))?;
        let mut found = found.map_err(|error| refused(py, error))?;
        if found.pair.first() != a {
            found.points.reverse();
        }
        Ok((found.distance, arrays::from_points(py, &found.points)?))
    }

    /// Bodies within a distance of a body.
    ///
    /// Parameters
    /// ----------
    /// body : int
    /// distance : float
    ///
    /// Returns
    /// -------
    /// pairs, distances, points
    ///     As those of `pairs_within`, for the pairs that the body belongs to.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> world = carom.World([[0, 0, 0, 1], [2.5, 0, 0, 1], [9, 0, 0, 1]])
    /// >>> pairs, distances, points = world.neighbors(1, 1.0)
    /// >>> pairs, distances
    /// (array([[0, 1]], dtype=uint32), array([0.5]))
    fn neighbors<'py>(
        &self,
        py: Python<'py>,
        body: u32,
        distance: f64,
    ) -> PyResult<PairArrays<'py>> {
        let world = self.snapshot();
        let found = thread_pool::run_owned(py, move || world.neighbors(body, distance))?;
        pair_arrays(py, &found.map_err(|error| refused(py, error))?)
    }

    /// All pairs of bodies within a distance of each other.
    ///
    /// Parameters
    /// ----------
    /// distance : float
    ///
    /// Returns
    /// -------
    /// pairs : ndarray of uint32, shape (P, 2)
    ///     The smaller number first, ascending.
    /// distances : ndarray, shape (P,)
    /// points : ndarray, shape (P, 2, 3)
    ///     The closest point of each of the two.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> world = carom.World([[0, 0, 0, 1], [2.5, 0, 0, 1], [9, 0, 0, 1]])
    /// >>> pairs, distances, points = world.pairs_within(0.5)
    /// >>> pairs, distances
    /// (array([[0, 1]], dtype=uint32), array([0.5]))
    fn pairs_within<'py>(&self, py: Python<'py>, distance: f64) -> PyResult<PairArrays<'py>> {
        let world = self.snapshot();
        let found = thread_pool::run_owned(py, move || {
            check_pair_memory(&world, distance)?;
            world.pairs_within(distance).map_err(|error| error.to_string())
        })?;
        pair_arrays(py, &found.map_err(|sentence| errors::INPUT.with(py, sentence))?)
    }

    fn __len__(&self) -> usize {
        self.snapshot().len()
    }

    fn __repr__(&self) -> String {
        format!("<carom.World: {} bodies>", self.snapshot().len())
    }

    fn __copy__(&self, py: Python<'_>) -> Self {
        let shapes = self.shapes();
        let shapes = shapes.iter().map(|prepared| prepared.clone_ref(py)).collect();
        World { world: Mutex::new(self.snapshot()), shapes: Mutex::new(shapes) }
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> Self {
        // Shapes cannot be changed.
        self.__copy__(py)
    }

    /// The shapes as they were given, and the body and the pose of each number.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let world = self.snapshot();
        let (mut sources, mut prepared) = (Vec::new(), Vec::new());
        for shape in self.shapes().iter() {
            sources.push((shape.source.clone_ref(py), shape.rule.name()));
            prepared.push(shape.shape.clone());
        }
        let saved = thread_pool::run_owned(py, move || SavedBodies::of(&world, &prepared))?;
        let state = (
            sources,
            PyArray1::from_vec(py, saved.numbers),
            saved.next,
            PyArray1::from_vec(py, saved.shapes),
            arrays::from_rows(py, saved.rows, SavedBodies::COLUMNS)?,
        );
        let restore = py.get_type::<World>().getattr("_restore")?;
        (restore, state).into_pyobject(py)
    }

    /// Makes the world that was pickled.
    #[staticmethod]
    fn _restore(
        py: Python<'_>,
        sources: Vec<(Bound<'_, PyAny>, String)>,
        numbers: Vec<u32>,
        next: u32,
        shapes: Vec<i64>,
        rows: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let world = World { world: Mutex::default(), shapes: Mutex::default() };
        let mut prepared = Vec::with_capacity(sources.len());
        for (source, rule) in &sources {
            prepared.push(world.shape(py, source, rule)?);
        }
        let rows = arrays::rows("the pickled bodies", "each body", rows)?;
        let rows = arrays::read2(&rows)?.as_array().iter().copied().collect();
        let saved = SavedBodies { numbers, next, shapes, rows };
        let restored = thread_pool::run_owned(py, move || saved.restore(&prepared))?;
        let damaged = || errors::INPUT.with(py, "the pickled world is damaged");
        *world.lock() = Arc::new(restored.ok_or_else(damaged)?);
        Ok(world)
    }
}

impl World {
    /// The world as it is now. No lock is held while a query runs.
    fn snapshot(&self) -> Arc<carom::World> {
        self.lock().clone()
    }

    /// Adds spheres; none if one of them is refused, whose row is returned.
    fn add_rows(
        &self,
        py: Python<'_>,
        rows: Vec<[f64; 4]>,
    ) -> PyResult<Result<Vec<u32>, (usize, WorldError)>> {
        self.change(py, rows.len(), move |world| {
            let body = |(row, &[x, y, z, radius]): (usize, &[f64; 4])| {
                let shape = BodyShape::sphere(radius).map_err(|error| (row, error))?;
                Ok((shape, Pose::at([x, y, z].into())))
            };
            let bodies = rows.iter().enumerate().map(body).collect::<Result<Vec<_>, _>>()?;
            if bodies.len() <= FEW_CHANGES {
                // The world is no copy: alone first, so that none is added where one is refused.
                add_all(&mut carom::World::new(), &bodies)?;
            }
            add_all(world, &bodies)
        })
    }

    /// Makes a change of `count` bodies, which changes nothing where it fails.
    ///
    /// A change of many is made in a copy without the interpreter's lock, and once more if another thread has changed the
    /// world meanwhile.
    fn change<R: Send + 'static, E: Send + 'static>(
        &self,
        py: Python<'_>,
        count: usize,
        change: impl Fn(&mut carom::World) -> Result<R, E> + Send + Sync + 'static,
    ) -> PyResult<Result<R, E>> {
        if count <= FEW_CHANGES {
            return Ok(change(Arc::make_mut(&mut self.lock())));
        }
        let change = Arc::new(change);
        loop {
            let before = self.snapshot();
            let bytes = (before.len() + count) * BYTES_PER_BODY;
            arrays::check_memory(py, "copies of the bodies", bytes)?;
            let (source, change) = (before.clone(), change.clone());
            let changed = thread_pool::run_owned(py, move || {
                let mut world = carom::World::clone(&source);
                change(&mut world).map(|done| (world, done))
            })?;
            let (world, done) = match changed {
                Ok(changed) => changed,
                Err(error) => return Ok(Err(error)),
            };
            let mut held = self.lock();
            if Arc::ptr_eq(&held, &before) {
                *held = Arc::new(world);
                return Ok(Ok(done));
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Arc<carom::World>> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn shapes(&self) -> MutexGuard<'_, Vec<PreparedShape>> {
        self.shapes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn shape(&self, py: Python<'_>, source: &Bound<'_, PyAny>, rule: &str) -> PyResult<BodyShape> {
        let rule = FillRule::from_name(rule)
            .ok_or_else(|| names::unknown(py, "rule", rule, FillRule::ALL.map(FillRule::name)))?;
        let is_known = |it: &&PreparedShape| it.source.is(source) && it.rule == rule;
        if let Some(known) = self.shapes().iter().rev().find(is_known) {
            return Ok(known.shape.clone());
        }
        let made = if let Ok(body) = source.cast::<Polyhedron>() {
            let body = body.get().body().clone();
            thread_pool::run_owned(py, move || BodyShape::polyhedron((*body).clone()))?
        } else if let Ok(mesh) = source.cast::<Mesh>() {
            let surface = mesh.get().triangles(py)?;
            thread_pool::run(py, || BodyShape::mesh(surface, rule))?
        } else if let Ok(radius) = source.extract::<f64>() {
            return BodyShape::sphere(radius).map_err(|error| refused(py, error));
        } else {
            let sentence = format!(
                "shape is a {}; it must be a radius, a Polyhedron or a Mesh",
                source.get_type()
            );
            return Err(errors::INPUT.with(py, sentence));
        };
        let shape = made.map_err(|error| refused(py, error))?;
        let source = source.clone().unbind();
        self.shapes().push(PreparedShape { source, rule, shape: shape.clone() });
        Ok(shape)
    }
}

/// Adds bodies and returns their numbers; the index of the first that is refused comes with its error.
fn add_all(
    world: &mut carom::World,
    bodies: &[(BodyShape, Pose)],
) -> Result<Vec<u32>, (usize, WorldError)> {
    let add = |(index, (shape, pose)): (usize, &(BodyShape, Pose))| {
        world.add(shape.clone(), *pose).map_err(|error| (index, error))
    };
    bodies.iter().enumerate().map(add).collect()
}

fn refused(py: Python<'_>, error: WorldError) -> PyErr {
    errors::INPUT.with(py, error)
}

/// Answers a question for each ray.
fn each_ray<T: Answer>(
    py: Python<'_>,
    origins: &Bound<'_, PyAny>,
    directions: &Bound<'_, PyAny>,
    answer: impl Fn(&Vector<3>, &Vector<3>) -> Result<T, WorldError> + Send + Sync,
) -> PyResult<Vec<T>> {
    let origins = read_points("origins", origins)?;
    let directions = read_points("directions", directions)?;
    let (origins, directions) = (as_points(&origins), as_points(&directions));
    if origins.len() != directions.len() {
        let sentence = format!(
            "there are {} origins and {} directions; there must be one of each for every ray",
            origins.len(),
            directions.len()
        );
        return Err(errors::INPUT.with(py, sentence));
    }
    answers::each(py, "the rays", origins.len(), |row| answer(&origins[row], &directions[row]))
}

/// The row that each of the answers belongs to.
fn rows_of<T>(answers: &[Vec<T>]) -> Vec<u32> {
    (0..).zip(answers).flat_map(|(row, found)| found.iter().map(move |_| row)).collect()
}

fn hit_arrays<'py>(py: Python<'py>, hits: &[Option<RayHit>]) -> PyResult<HitArrays<'py>> {
    let vectors = |vector: fn(&RayHit) -> Vector<3>| {
        let none = Vector::repeat(f64::NAN);
        let all: Vec<_> = hits.iter().map(|hit| hit.as_ref().map_or(none, vector)).collect();
        arrays::from_points(py, &all)
    };
    let bodies = hits.iter().map(|hit| hit.map_or(-1, |hit| i64::from(hit.body)));
    let distances = hits.iter().map(|hit| hit.map_or(f64::INFINITY, |hit| hit.distance));
    let faces = hits.iter().map(|hit| hit.and_then(|hit| hit.face).map_or(-1, i64::from));
    Ok((
        PyArray1::from_vec(py, bodies.collect()),
        PyArray1::from_vec(py, distances.collect()),
        vectors(|hit| hit.point)?,
        vectors(|hit| hit.normal)?,
        PyArray1::from_vec(py, faces.collect()),
    ))
}

fn pair_arrays<'py>(py: Python<'py>, found: &[BodyDistance]) -> PyResult<PairArrays<'py>> {
    let pairs = found.iter().flat_map(|it| [it.pair.first(), it.pair.second()]).collect();
    let points: Vec<Vector<3>> = found.iter().flat_map(|it| it.points).collect();
    Ok((
        arrays::from_rows(py, pairs, 2)?,
        PyArray1::from_vec(py, found.iter().map(|it| it.distance).collect()),
        arrays::from_points(py, &points)?.reshape([found.len(), 2, 3])?,
    ))
}

/// Copies rows of this width by all threads, so that work which is not waited for after Ctrl-C can own them.
fn copy_rows<const WIDTH: usize>(
    py: Python<'_>,
    rows: &PyReadonlyArray2<'_, f64>,
) -> PyResult<Vec<[f64; WIDTH]>> {
    let numbers = rows.as_slice().expect("rows stand one after the other");
    arrays::check_memory(py, "copies of the rows", size_of_val(numbers))?;
    let (rows, _) = numbers.as_chunks::<WIDTH>();
    match rows.len() <= FEW_CHANGES {
        true => Ok(rows.to_vec()),
        false => thread_pool::run(py, || rows.par_iter().copied().collect()),
    }
}

/// The poses of bodies; a sentence names the row of one that is none.
fn poses_of(
    bodies: &[u32],
    positions: &[[f64; 3]],
    quaternions: Option<&[[f64; 4]]>,
) -> Result<Vec<(u32, Pose)>, String> {
    let pose = |(row, (&body, &[x, y, z])): (usize, (&u32, &[f64; 3]))| {
        let pose = match quaternions.map(|quaternions| quaternions[row]) {
            Some([qw, qx, qy, qz]) => from_numbers(&[x, y, z, qw, qx, qy, qz]),
            None => from_numbers(&[x, y, z]),
        };
        Ok((body, pose.map_err(|rule| format!("the pose in row {row} {rule}"))?))
    };
    bodies.iter().zip(positions).enumerate().map(pose).collect()
}

fn corner(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vector<3>> {
    let row = arrays::row(name, value)?;
    let numbers = arrays::read1(&row)?;
    let numbers = numbers.as_slice().unwrap_or_default();
    let corner: Option<[f64; 3]> = numbers.try_into().ok();
    corner.map(Vector::from).ok_or_else(|| {
        let sentence = format!("{name} has {} numbers; it must be x, y, z", numbers.len());
        errors::INPUT.with(value.py(), sentence)
    })
}

fn read_points<'py>(name: &str, value: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArray2<'py, f64>> {
    arrays::read2(&arrays::points(name, value)?)
}

fn as_points<'a>(rows: &'a PyReadonlyArray2<'_, f64>) -> &'a [Vector<3>] {
    let numbers = rows.as_slice().expect("rows stand one after the other");
    points_from_rows(numbers).expect("a row is three coordinates")
}
