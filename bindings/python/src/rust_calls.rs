//! The calls that a program in Rust would make, timed for `carom.bench`: what of a call is Python's.

use crate::mesh::Mesh;
use crate::spheres::SphereRows;
use crate::{arrays, errors, thread_pool};
use pyo3::prelude::*;
use std::time::Instant;

/// Seconds that `carom::contacts` takes for these spheres, and the number of contacts.
#[pyfunction]
#[pyo3(name = "_time_contacts")]
pub fn time_contacts(positions: &Bound<'_, PyAny>) -> PyResult<(f64, usize)> {
    let py = positions.py();
    let rows = SphereRows::of(positions, None)?;
    let spheres = rows.spheres::<3>();
    let done = thread_pool::run(py, || {
        let start = Instant::now();
        let found = carom::contacts(spheres);
        (start.elapsed().as_secs_f64(), found.map(|contacts| contacts.len()))
    })?;
    Ok((done.0, done.1.map_err(|error| errors::INPUT.with(py, error))?))
}

/// Least seconds that `carom::Mesh::contains` takes for these points of several times, and how many are inside.
///
/// Several times in a row, as from Python: in between, the prepared surface would leave the cache.
#[pyfunction]
#[pyo3(name = "_time_contains")]
pub fn time_contains(
    mesh: &Bound<'_, Mesh>,
    points: &Bound<'_, PyAny>,
    repetitions: usize,
) -> PyResult<(f64, usize)> {
    let py = points.py();
    let points = arrays::read2(&arrays::points("points", points)?)?;
    let numbers = points.as_slice().expect("rows stand one after the other");
    let (points, _) = numbers.as_chunks::<3>();
    let mesh = mesh.get().polygon_mesh();
    let done = thread_pool::run(py, || {
        let mesh = carom::Mesh::new(mesh)?;
        let (mut least, mut count) = (f64::INFINITY, 0);
        for _ in 0..repetitions {
            let start = Instant::now();
            let inside = mesh.contains(points);
            least = least.min(start.elapsed().as_secs_f64());
            count = inside.iter().filter(|inside| **inside).count();
        }
        Ok::<_, carom::MeshError>((least, count))
    })?;
    done.map_err(|error| errors::INPUT.with(py, error))
}
