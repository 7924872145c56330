//! Contacts among spheres and discs, and the search that keeps its buffers.

use crate::boundary::{AnyBoundary, boundary};
use crate::spheres::SphereRows;
use crate::{arrays, errors, names, thread_pool};
use carom::detect::SearchStatistics;
use carom::detect::broad::{CellSize, DistanceSortOrigin};
use carom::detect::narrow::overlap;
use carom::geometry::{Vector, union_find::UnionFind};
use carom::io::ParticleSet;
use carom::{BodyPair, Boundary, BroadPhaseMethod, Contact, Sphere};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyTuple};
use rayon::prelude::*;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// For up to this number of spheres one thread is done before others would be awake.
const FEW: usize = 500;
/// For up to this number of spheres a search takes less time than anybody waits for an answer to Ctrl-C.
const MANY: usize = 1 << 20;
/// The same of methods that take more time.
const MANY_OF_SLOW_METHOD: usize = 10_000;
/// Contacts in one task of a thread.
const CONTACTS_PER_TASK: usize = 1 << 14;

/// Find all contacts among spheres or discs.
///
/// Two of them are in contact if `radius_i + radius_j - distance >= 0`, to the nearest image in a periodic box. All
/// methods give the same answer to the bit, for any number of threads.
///
/// Parameters
/// ----------
/// positions : array_like, shape (N, D) or (N, D + 1)
///     Centers of discs (D = 2) or spheres (D = 3). Without `radii`, the last column is the radius; such an array of
///     float64 in C order is not copied, unless it has more than a million rows.
/// radii : float or array_like, shape (N,), optional
///     One radius for all, or one for each.
/// box : float, sequence of float or None, or box of freud, ASE or OVITO, optional
///     Periods: one for all axes, or one for each, None where the axis is open. Where the box starts does not matter.
/// method : str
///     "auto", "all-pairs", "distance-sort", "linked-cells", "cell-tree", "sweep-and-prune",
///     "incremental-sweep-and-prune", "hierarchical-grid" or "delaunay".
/// cells_mean : float, optional
///     Search by linked cells with this mean number of particles in each.
/// origin : {"corner", "center"} or array_like, shape (D,), optional
///     Search by sorted distances from this point.
/// check : bool
///     Verify the search structure completely after the search.
///
/// Returns
/// -------
/// Contacts
///     Pairs in ascending order; `pairs, overlap = carom.contacts(...)` works.
///
/// Examples
/// --------
/// >>> import numpy as np, carom
/// >>> spheres = np.array([[0.0, 0.0, 0.0, 1.0], [1.5, 0.0, 0.0, 1.0], [9.0, 0.0, 0.0, 1.0]])
/// >>> pairs, overlap = carom.contacts(spheres)
/// >>> pairs
/// array([[0, 1]], dtype=uint32)
/// >>> overlap
/// array([0.5])
/// >>> carom.contacts(spheres[:, :3], 1.0, box=10.0).pairs.tolist()
/// [[0, 1], [0, 2]]
#[pyfunction]
#[pyo3(signature = (positions, radii=None, *, r#box=None, method="auto", cells_mean=None, origin=None, check=false))]
#[expect(clippy::too_many_arguments, reason = "they are named by the caller")]
pub fn contacts<'py>(
    py: Python<'py>,
    positions: &Bound<'py, PyAny>,
    radii: Option<&Bound<'py, PyAny>>,
    r#box: Option<&Bound<'py, PyAny>>,
    method: &str,
    cells_mean: Option<f64>,
    origin: Option<&Bound<'py, PyAny>>,
    check: bool,
) -> PyResult<Contacts> {
    let rows = SphereRows::of(positions, radii)?;
    let settings = MethodSettings::of(py, method, cells_mean, origin)?;
    match rows.dimension() {
        2 => {
            let method = settings.method(py)?;
            let mut search = carom::ContactSearch::<2>::new(method);
            find(py, &mut search, method, &rows, &boundary(r#box)?, check, AnyBoundary::TwoD)
        }
        _ => {
            let method = settings.method(py)?;
            let mut search = carom::ContactSearch::<3>::new(method);
            find(py, &mut search, method, &rows, &boundary(r#box)?, check, AnyBoundary::ThreeD)
        }
    }
}

/// Searches, and copies what is found into arrays.
///
/// A search that may take long is one of a copy of the spheres, so that Ctrl-C can leave it to itself; `search` is then
/// a new one of this method.
fn find<const D: usize>(
    py: Python<'_>,
    search: &mut carom::ContactSearch<D>,
    method: BroadPhaseMethod<D>,
    rows: &SphereRows<'_>,
    boundary: &Boundary<D>,
    check: bool,
    any: fn(Boundary<D>) -> AnyBoundary,
) -> PyResult<Contacts> {
    let spheres = rows.spheres::<D>();
    let is_slow =
        check || matches!(method, BroadPhaseMethod::AllPairs | BroadPhaseMethod::Delaunay);
    let done = if spheres.len() <= FEW {
        thread_pool::run_here(py, || found(search, spheres, boundary, check))?
    } else if spheres.len() <= if is_slow { MANY_OF_SLOW_METHOD } else { MANY } {
        thread_pool::run(py, || found(search, spheres, boundary, check))?
    } else {
        arrays::check_memory(py, "copies of the positions", size_of_val(spheres))?;
        let copy = thread_pool::run(py, || spheres.par_iter().copied().collect::<Vec<_>>())?;
        let boundary = *boundary;
        let mut moved = std::mem::replace(search, carom::ContactSearch::new(method));
        let (moved, done) = thread_pool::run_owned(py, move || {
            let done = found(&mut moved, &copy, &boundary, check);
            (moved, done)
        })?;
        *search = moved;
        done
    };
    let (pairs, overlap) = match done {
        Ok(columns) => columns,
        Err(SearchError::Input(sentence)) => return Err(errors::INPUT.with(py, sentence)),
        Err(SearchError::Damaged(sentence)) => return Err(errors::INTERNAL.with(py, sentence)),
    };
    Ok(Contacts {
        spheres: rows.array().clone().unbind(),
        pairs: arrays::from_rows(py, pairs, 2)?.unbind(),
        overlap: PyArray1::from_vec(py, overlap).unbind(),
        boundary: any(*boundary),
    })
}

/// Why there are no contacts.
enum SearchError {
    Input(String),
    Damaged(String),
}

/// The columns of the contacts that a search finds.
fn found<const D: usize>(
    search: &mut carom::ContactSearch<D>,
    spheres: &[Sphere<D>],
    boundary: &Boundary<D>,
    check: bool,
) -> Result<(Vec<u32>, Vec<f64>), SearchError> {
    let input = |error: &dyn std::fmt::Display| SearchError::Input(error.to_string());
    carom::check_contact_memory(spheres, boundary).map_err(|error| input(&error))?;
    let columns = columns(search.find(spheres, boundary).map_err(|error| input(&error))?);
    if check {
        search.check(spheres, boundary).map_err(|fault| {
            SearchError::Damaged(format!("the search structure is damaged: {fault}"))
        })?;
    }
    Ok(columns)
}

/// The indices of contacts, two by two, and their overlaps.
fn columns(contacts: &[Contact]) -> (Vec<u32>, Vec<f64>) {
    let mut pairs = vec![0; 2 * contacts.len()];
    let mut overlaps = vec![0.0; contacts.len()];
    let tasks = contacts
        .par_chunks(CONTACTS_PER_TASK)
        .zip(pairs.par_chunks_mut(2 * CONTACTS_PER_TASK))
        .zip(overlaps.par_chunks_mut(CONTACTS_PER_TASK));
    tasks.for_each(|((contacts, pairs), overlaps)| {
        for (k, contact) in contacts.iter().enumerate() {
            pairs[2 * k] = contact.pair.first();
            pairs[2 * k + 1] = contact.pair.second();
            overlaps[k] = contact.overlap;
        }
    });
    (pairs, overlaps)
}

/// A method by its name and its settings, whatever the dimension.
struct MethodSettings {
    name: String,
    cells_mean: Option<f64>,
    origin: Option<Origin>,
}

enum Origin {
    Corner,
    Center,
    Point(Vec<f64>),
}

impl MethodSettings {
    fn of(
        py: Python<'_>,
        name: &str,
        cells_mean: Option<f64>,
        origin: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        if cells_mean.is_some() && origin.is_some() {
            let sentence =
                "cells_mean belongs to linked-cells and origin to distance-sort; give one";
            return Err(errors::INPUT.with(py, sentence));
        }
        let name = match (name, cells_mean, origin) {
            ("auto", Some(_), _) => "linked-cells",
            ("auto", None, Some(_)) => "distance-sort",
            _ => name,
        };
        let foreign = match name {
            "linked-cells" => origin.map(|_| "origin belongs to distance-sort"),
            "distance-sort" => cells_mean.map(|_| "cells_mean belongs to linked-cells"),
            _ => (origin.map(|_| "origin belongs to distance-sort"))
                .or(cells_mean.map(|_| "cells_mean belongs to linked-cells")),
        };
        let settings = MethodSettings {
            name: name.to_owned(),
            cells_mean,
            origin: origin.map(self::origin).transpose()?,
        };
        settings.method::<3>(py).or_else(|error| match settings.origin {
            // A point of two coordinates is wrong in space only.
            Some(Origin::Point(_)) => Ok(BroadPhaseMethod::Auto),
            _ => Err(error),
        })?;
        match foreign {
            None => Ok(settings),
            Some(foreign) => Err(errors::INPUT.with(py, format!("{foreign}; method is {name:?}"))),
        }
    }

    fn method<const D: usize>(&self, py: Python<'_>) -> PyResult<BroadPhaseMethod<D>> {
        let method = BroadPhaseMethod::from_name(&self.name).ok_or_else(|| {
            let known = BroadPhaseMethod::<D>::ALL.map(|method| method.name());
            names::unknown(py, "method", &self.name, known)
        })?;
        Ok(match (self.cells_mean, &self.origin) {
            (Some(mean), _) => BroadPhaseMethod::LinkedCells(CellSize::MeanNumber(mean)),
            (_, Some(origin)) => BroadPhaseMethod::DistanceSort(match origin {
                Origin::Corner => DistanceSortOrigin::Corner,
                Origin::Center => DistanceSortOrigin::Center,
                Origin::Point(point) => {
                    let point: [f64; D] = point.as_slice().try_into().map_err(|_| {
                        let count = point.len();
                        let sentence =
                            format!("origin has {count} coordinates; the particles have {D}");
                        errors::INPUT.with(py, sentence)
                    })?;
                    DistanceSortOrigin::Point(point.into())
                }
            }),
            _ => method,
        })
    }
}

fn origin(value: &Bound<'_, PyAny>) -> PyResult<Origin> {
    match value.extract::<&str>() {
        Ok("corner") => Ok(Origin::Corner),
        Ok("center") => Ok(Origin::Center),
        Ok(text) => Err(names::unknown(value.py(), "origin", text, ["corner", "center"])),
        Err(_) => {
            let point = arrays::row("origin", value)?;
            Ok(Origin::Point(arrays::read1(&point)?.as_array().to_vec()))
        }
    }
}

/// Contacts among spheres or discs, in ascending order of pairs.
///
/// Unpacks into its two arrays, `pairs, overlap = contacts`; its length is the number of contacts. Normals and points
/// are computed when they are asked for, from the positions that were searched: where that array was changed since,
/// they raise `carom.Error`.
///
/// Examples
/// --------
/// >>> import carom
/// >>> contacts = carom.contacts([[0, 0, 1], [1.5, 0, 1], [1.5, 1, 0.5]])
/// >>> len(contacts)
/// 2
/// >>> contacts
/// <carom.Contacts: 2 among 3 discs>
#[pyclass(frozen, module = "carom")]
pub struct Contacts {
    spheres: Py<PyArray2<f64>>,
    pairs: Py<PyArray2<u32>>,
    overlap: Py<PyArray1<f64>>,
    boundary: AnyBoundary,
}

/// Calls a generic method of contacts for their dimension.
macro_rules! for_dimension {
    ($contacts:expr, $boundary:ident => $call:expr) => {
        match &$contacts.boundary {
            AnyBoundary::TwoD($boundary) => $call,
            AnyBoundary::ThreeD($boundary) => $call,
        }
    };
}

#[pymethods]
impl Contacts {
    /// Indices of the two bodies of each contact, the smaller first. Shape (M, 2), uint32.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.contacts([[0, 0, 1], [1.5, 0, 1]]).pairs
    /// array([[0, 1]], dtype=uint32)
    #[getter]
    fn pairs<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<u32>> {
        self.pairs.bind(py).clone()
    }

    /// Overlap of each contact, radius_i + radius_j - distance, never negative. Shape (M,).
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.contacts([[0, 0, 1], [1.5, 0, 1]]).overlap
    /// array([0.5])
    #[getter]
    fn overlap<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.overlap.bind(py).clone()
    }

    /// Unit vector of each contact from the first body to the second, to its nearest image. Shape (M, D).
    ///
    /// Zero where the two centers are in one place.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.contacts([[0, 0, 1], [1.5, 0, 1]]).normals()
    /// array([[1., 0.]])
    fn normals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        for_dimension!(self, boundary => self.of_each(py, boundary, |_, _, _, normal| normal))
    }

    /// Middle of the overlap of each contact, on the line between the centers. Shape (M, D).
    ///
    /// In a periodic box it is near the first body of the pair, and may be outside of the box.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.contacts([[0, 0, 1], [1.5, 0, 1]]).points()
    /// array([[0.75, 0.  ]])
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        for_dimension!(self, boundary => self.of_each(py, boundary, |first, _, overlap, normal| {
            first.center + normal * (first.radius - 0.5 * overlap)
        }))
    }

    /// Number of contacts of each body. Shape (N,), uint32.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.contacts([[0, 0, 1], [1.5, 0, 1], [1.5, 1, 0.5]]).counts()
    /// array([1, 2, 1], dtype=uint32)
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let bodies = self.bodies(py);
        let counts = self.with_pairs(py, |pairs| {
            let mut counts = vec![0_u32; bodies];
            pairs.iter().for_each(|&body| counts[body as usize] += 1);
            counts
        })?;
        Ok(PyArray1::from_vec(py, counts))
    }

    /// Contacts as a symmetric sparse matrix of SciPy, with sorted indices.
    ///
    /// Parameters
    /// ----------
    /// weights : {"overlap", "one"}
    ///     What the elements are. An overlap of zero is stored too.
    ///
    /// Returns
    /// -------
    /// scipy.sparse.csr_array, shape (N, N)
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.contacts([[0, 0, 1], [1.5, 0, 1]]).to_csr().toarray()
    /// array([[0. , 0.5],
    ///        [0.5, 0. ]])
    #[pyo3(signature = (weights="overlap"))]
    fn to_csr<'py>(&self, py: Python<'py>, weights: &str) -> PyResult<Bound<'py, PyAny>> {
        if !["overlap", "one"].contains(&weights) {
            return Err(names::unknown(py, "weights", weights, ["overlap", "one"]));
        }
        let overlap = arrays::read1(self.overlap.bind(py))?;
        let overlap = overlap.as_slice().map_err(|error| errors::INPUT.with(py, error))?;
        let bodies = self.bodies(py);
        let (starts, indices, data) = self.with_pairs(py, |pairs| {
            symmetric_rows(pairs, |k| if weights == "one" { 1.0 } else { overlap[k] }, bodies)
        })?;
        let parts = (
            PyArray1::from_vec(py, data),
            PyArray1::from_vec(py, indices),
            PyArray1::from_vec(py, starts),
        );
        let shape = PyDict::new(py);
        shape.set_item("shape", (bodies, bodies))?;
        py.import("scipy.sparse")?.call_method("csr_array", (parts,), Some(&shape))
    }

    /// Cluster of each body: those that are connected by contacts have the same number. Shape (N,), uint32.
    ///
    /// Clusters are numbered by size, the largest is 0; of equal sizes the one with the smaller body comes first.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.contacts([[9, 9, 1], [0, 0, 1], [1.5, 0, 1]]).clusters()
    /// array([1, 0, 0], dtype=uint32)
    fn clusters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let bodies = self.bodies(py);
        let clusters = self.with_pairs(py, |pairs| {
            let mut components = UnionFind::new(bodies);
            for pair in pairs.chunks_exact(2) {
                components.unite([pair[0] as usize, pair[1] as usize]);
            }
            components.components_by_size(0..bodies).component_of
        })?;
        Ok(PyArray1::from_vec(py, clusters))
    }

    /// Contacts as a DataFrame of pandas with columns i, j and overlap.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.contacts([[0, 0, 1], [1.5, 0, 1]]).to_pandas()  # doctest: +SKIP
    ///    i  j  overlap
    /// 0  0  1      0.5
    fn to_pandas<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let pairs = self.pairs.bind(py).transpose()?;
        let columns = PyDict::new(py);
        columns.set_item("i", pairs.get_item(0)?)?;
        columns.set_item("j", pairs.get_item(1)?)?;
        columns.set_item("overlap", self.overlap.bind(py))?;
        py.import("pandas")?.call_method1("DataFrame", (columns,))
    }

    /// Write the contacts to a file: CSV i,j,overlap, as the command line does, or a picture if it ends in .svg.
    ///
    /// Examples
    /// --------
    /// >>> import carom, pathlib, tempfile
    /// >>> file = pathlib.Path(tempfile.mkdtemp()) / "contacts.csv"
    /// >>> carom.contacts([[0, 0, 1], [1.5, 0, 1]]).save(file)
    /// >>> print(file.read_text().strip())
    /// i,j,overlap
    /// 0,1,0.5
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        for_dimension!(self, boundary => self.write(py, boundary, &path))
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.overlap.bind(py).len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let arrays = (self.pairs.bind(py).clone(), self.overlap.bind(py).clone());
        arrays.into_bound_py_any(py)?.try_iter()
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let kind = if matches!(self.boundary, AnyBoundary::TwoD(_)) { "discs" } else { "spheres" };
        format!("<carom.Contacts: {} among {} {kind}>", self.__len__(py), self.bodies(py))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let make = py.import("carom._carom")?.getattr("_contacts_from_parts")?;
        let (spheres, pairs) = (self.spheres.bind(py), self.pairs.bind(py));
        let parts = (spheres, pairs, self.overlap.bind(py), self.boundary.to_python(py)?);
        (make, parts).into_pyobject(py)
    }
}

/// Makes contacts of the arrays that pickling has saved.
#[pyfunction]
#[pyo3(name = "_contacts_from_parts", signature = (spheres, pairs, overlap, r#box))]
pub fn contacts_from_parts(
    spheres: Bound<'_, PyArray2<f64>>,
    pairs: Bound<'_, PyArray2<u32>>,
    overlap: Bound<'_, PyArray1<f64>>,
    r#box: Option<Bound<'_, PyAny>>,
) -> PyResult<Contacts> {
    let r#box = r#box.as_ref();
    let boundary = match SphereRows::of(&spheres, None)?.dimension() {
        2 => AnyBoundary::TwoD(boundary(r#box)?),
        _ => AnyBoundary::ThreeD(boundary(r#box)?),
    };
    let (spheres, pairs, overlap) = (spheres.unbind(), pairs.unbind(), overlap.unbind());
    Ok(Contacts { spheres, pairs, overlap, boundary })
}

/// Symmetric rows of a sparse matrix: starts of the rows, columns in ascending order, elements.
fn symmetric_rows(
    pairs: &[u32],
    element: impl Fn(usize) -> f64,
    bodies: usize,
) -> (Vec<i64>, Vec<i64>, Vec<f64>) {
    let mut starts = vec![0_i64; bodies + 1];
    pairs.iter().for_each(|&body| starts[body as usize + 1] += 1);
    (0..bodies).for_each(|body| starts[body + 1] += starts[body]);
    let mut next = starts.clone();
    let (mut indices, mut data) = (vec![0; pairs.len()], vec![0.0; pairs.len()]);
    // Pairs ascend, so the smaller neighbors of a body come in order, and after them the larger ones.
    for [row, column] in [[1, 0], [0, 1]] {
        for (k, pair) in pairs.chunks_exact(2).enumerate() {
            let place = &mut next[pair[row] as usize];
            indices[*place as usize] = i64::from(pair[column]);
            data[*place as usize] = element(k);
            *place += 1;
        }
    }
    (starts, indices, data)
}

impl Contacts {
    fn bodies(&self, py: Python<'_>) -> usize {
        self.spheres.bind(py).shape()[0]
    }

    /// Does work with the indices of all pairs, once they are seen to be those of bodies: the array may be written to.
    fn with_pairs<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&[u32]) -> R + Send,
    ) -> PyResult<R> {
        let bodies = self.bodies(py);
        let pairs = self.pairs.bind(py);
        let pairs = pairs.try_readonly().map_err(|error| errors::INPUT.with(py, error))?;
        let pairs = pairs.as_slice().map_err(|error| errors::INPUT.with(py, error))?;
        let checked = || match pairs.iter().all(|&body| (body as usize) < bodies) {
            true => Some(work(pairs)),
            false => None,
        };
        thread_pool::run(py, checked)?.ok_or_else(|| changed(py))
    }

    /// A vector for each contact, from its spheres, its overlap and its normal.
    fn of_each<'py, const D: usize>(
        &self,
        py: Python<'py>,
        boundary: &Boundary<D>,
        vector: impl Fn(&Sphere<D>, &Sphere<D>, f64, Vector<D>) -> Vector<D> + Sync,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let rows = SphereRows::of_rows(self.spheres.bind(py).clone())?;
        let spheres = rows.spheres::<D>();
        let overlaps = arrays::read1(self.overlap.bind(py))?;
        let overlaps = overlaps.as_slice().map_err(|error| errors::INPUT.with(py, error))?;
        let vectors = self.with_pairs(py, |pairs| {
            let of_one = |(pair, &found): (&[u32], &f64)| {
                let [one, other] = [0, 1].map(|k| &spheres[pair[k] as usize]);
                // The search gave these very bits, unless somebody has moved the spheres since.
                if overlap(one, other, boundary).to_bits() != found.to_bits() {
                    return None;
                }
                let way = boundary.minimum_image(one.center, other.center);
                let normal = way.try_normalize(0.0).unwrap_or_else(Vector::zeros);
                Some(vector(one, other, found, normal))
            };
            pairs.par_chunks_exact(2).zip(overlaps).map(of_one).collect::<Option<Vec<_>>>()
        })?;
        arrays::from_points(py, &vectors.ok_or_else(|| changed(py))?)
    }

    fn write<const D: usize>(
        &self,
        py: Python<'_>,
        boundary: &Boundary<D>,
        path: &std::path::Path,
    ) -> PyResult<()> {
        let rows = SphereRows::of_rows(self.spheres.bind(py).clone())?;
        let overlaps = arrays::read1(self.overlap.bind(py))?;
        let overlaps = overlaps.as_slice().map_err(|error| errors::INPUT.with(py, error))?;
        let spheres = rows.spheres::<D>();
        let written = self.with_pairs(py, |pairs| {
            let contact = |(pair, &overlap): (&[u32], &f64)| Contact {
                pair: BodyPair::new(pair[0], pair[1]),
                overlap,
            };
            let contacts: Vec<Contact> = pairs.chunks_exact(2).zip(overlaps).map(contact).collect();
            if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg")) {
                let set = ParticleSet { spheres: spheres.to_vec(), boundary: *boundary };
                carom::render::check_particles(spheres.len())?;
                let drawing = carom::render::svg(&set, &contacts)?;
                carom::io::write_atomically(path, |out| out.write_all(drawing.as_bytes()))?;
            } else {
                carom::io::write_atomically(path, |out| carom::io::write_contacts(out, &contacts))?;
            }
            Ok::<(), carom::render::Error>(())
        })?;
        written.map_err(|error| errors::file(py, error))
    }
}

fn changed(py: Python<'_>) -> PyErr {
    errors::INPUT.with(
        py,
        "the positions, the pairs or the overlaps were changed since the search; ask before you change them, or search \
         a copy",
    )
}

/// A search for contacts that keeps its buffers from step to step.
///
/// Pickling keeps its settings: what is unpickled finds the same, with buffers of its own.
///
/// Parameters
/// ----------
/// box, method, cells_mean, origin
///     As those of `carom.contacts`.
///
/// Examples
/// --------
/// >>> import numpy as np, carom
/// >>> spheres = np.random.default_rng(1).random((1000, 4)) * [1, 1, 1, 0.05]
/// >>> search = carom.ContactSearch(box=1.0)
/// >>> for step in range(3):
/// ...     spheres[:, 0] += 0.01
/// ...     contacts = search.find(spheres)
/// >>> search.statistics["method"]
/// 'hierarchical-grid'
#[pyclass(frozen, module = "carom")]
pub struct ContactSearch {
    settings: MethodSettings,
    r#box: Option<Py<PyAny>>,
    /// None while a thread searches.
    search: Mutex<Option<AnySearch>>,
}

enum AnySearch {
    New,
    TwoD(carom::ContactSearch<2>, Boundary<2>),
    ThreeD(carom::ContactSearch<3>, Boundary<3>),
}

#[pymethods]
impl ContactSearch {
    #[new]
    #[pyo3(signature = (*, r#box=None, method="auto", cells_mean=None, origin=None))]
    fn new(
        py: Python<'_>,
        r#box: Option<Bound<'_, PyAny>>,
        method: &str,
        cells_mean: Option<f64>,
        origin: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        // Which of the two is right is known when there are particles.
        if boundary::<2>(r#box.as_ref()).is_err() {
            boundary::<3>(r#box.as_ref())?;
        }
        Ok(ContactSearch {
            settings: MethodSettings::of(py, method, cells_mean, origin)?,
            r#box: r#box.map(Bound::unbind),
            search: Mutex::new(Some(AnySearch::New)),
        })
    }

    /// Find all contacts among spheres or discs.
    ///
    /// Parameters
    /// ----------
    /// positions, radii
    ///     As those of `carom.contacts`. Their number may change from call to call.
    ///
    /// Returns
    /// -------
    /// Contacts
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.ContactSearch().find([[0, 0, 1], [1.5, 0, 1]])
    /// <carom.Contacts: 1 among 2 discs>
    #[pyo3(signature = (positions, radii=None))]
    fn find<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
        radii: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Contacts> {
        let rows = SphereRows::of(positions, radii)?;
        self.with_search(py, |search| {
            match (&search, rows.dimension()) {
                (AnySearch::TwoD(..), 2) | (AnySearch::ThreeD(..), 3) => {}
                (_, 2) => {
                    let boundary = boundary(self.r#box.as_ref().map(|it| it.bind(py)))?;
                    let made = carom::ContactSearch::new(self.settings.method(py)?);
                    *search = AnySearch::TwoD(made, boundary);
                }
                _ => {
                    let boundary = boundary(self.r#box.as_ref().map(|it| it.bind(py)))?;
                    let made = carom::ContactSearch::new(self.settings.method(py)?);
                    *search = AnySearch::ThreeD(made, boundary);
                }
            }
            match search {
                AnySearch::New => unreachable!("a search was made above"),
                AnySearch::TwoD(search, boundary) => {
                    let method = self.settings.method(py)?;
                    self::find(py, search, method, &rows, boundary, false, AnyBoundary::TwoD)
                }
                AnySearch::ThreeD(search, boundary) => {
                    let method = self.settings.method(py)?;
                    self::find(py, search, method, &rows, boundary, false, AnyBoundary::ThreeD)
                }
            }
        })
    }

    /// What the last search did and what it cost: a dict with method, reason, structure, pair_tests, candidates,
    /// contacts, seconds and extra_memory_bytes, as `carom contacts --json` has them.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> search = carom.ContactSearch(method="all-pairs")
    /// >>> contacts = search.find([[0, 0, 1], [1.5, 0, 1]])
    /// >>> search.statistics["pair_tests"]
    /// 1
    #[getter]
    fn statistics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let statistics = self.with_search(py, |search| match search {
            AnySearch::New => Err(errors::INPUT.with(py, "nothing was searched yet")),
            AnySearch::TwoD(search, _) => Ok(search.statistics()),
            AnySearch::ThreeD(search, _) => Ok(search.statistics()),
        })?;
        statistics_dict(py, &statistics)
    }

    fn __repr__(&self) -> String {
        format!("<carom.ContactSearch by {}>", self.settings.name)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let settings = PyDict::new(py);
        settings.set_item("box", &self.r#box)?;
        settings.set_item("method", &self.settings.name)?;
        settings.set_item("cells_mean", self.settings.cells_mean)?;
        match &self.settings.origin {
            None => {}
            Some(Origin::Corner) => settings.set_item("origin", "corner")?,
            Some(Origin::Center) => settings.set_item("origin", "center")?,
            Some(Origin::Point(point)) => settings.set_item("origin", point)?,
        }
        let class = py.get_type::<ContactSearch>();
        let partial = py.import("functools")?.getattr("partial")?;
        (partial.call((class,), Some(&settings))?, ()).into_pyobject(py)
    }
}

impl ContactSearch {
    /// Takes the search out of its place while it works, so that no lock is held then.
    fn with_search<R>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut AnySearch) -> PyResult<R>,
    ) -> PyResult<R> {
        let place = || self.search.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = place().take();
        let mut search = taken.ok_or_else(|| {
            let sentence = "this search is at work in another thread; make one for each thread";
            errors::INPUT.with(py, sentence)
        })?;
        let done = work(&mut search);
        *place() = Some(search);
        done
    }
}

fn statistics_dict<'py>(
    py: Python<'py>,
    statistics: &SearchStatistics,
) -> PyResult<Bound<'py, PyDict>> {
    let seconds = PyDict::new(py);
    seconds.set_item("check_input", statistics.input_check_time.as_secs_f64())?;
    seconds.set_item("search", statistics.broad_phase_time.as_secs_f64())?;
    seconds.set_item("sort_and_test", statistics.narrow_phase_time.as_secs_f64())?;
    let dict = PyDict::new(py);
    dict.set_item("method", statistics.method)?;
    dict.set_item("reason", &statistics.reason)?;
    dict.set_item("structure", &statistics.structure)?;
    dict.set_item("pair_tests", statistics.pair_tests)?;
    dict.set_item("candidates", statistics.candidates)?;
    dict.set_item("contacts", statistics.contacts)?;
    dict.set_item("seconds", seconds)?;
    dict.set_item("extra_memory_bytes", statistics.extra_memory)?;
    Ok(dict)
}
