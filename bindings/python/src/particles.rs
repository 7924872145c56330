//! Particles as Python has them: rows of coordinates and a radius, and a box.

use crate::boundary::{boundary, to_python as box_to_python};
use crate::spheres::SphereRows;
use crate::{arrays, errors, thread_pool};
use carom::Sphere;
use carom::io::{ParticleSet, Particles};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use std::path::PathBuf;

/// Read the particles of a file.
///
/// CSV, extended XYZ, VTK (.vtp) and LAMMPS dumps, which may be compressed by gzip, and results folders: RUN, RUN@first,
/// RUN@12 or RUN@t=0.5 is a frame.
///
/// Parameters
/// ----------
/// path : path-like
///
/// Returns
/// -------
/// Particles
///     `spheres`, shape (N, D + 1), and `box`: a length or None for each axis, None if all are open.
///
/// Examples
/// --------
/// >>> import carom, pathlib, tempfile
/// >>> file = pathlib.Path(tempfile.mkdtemp()) / "grains.csv"
/// >>> characters = file.write_text("x,y,r\n0,0,1\n1.5,0,1\n")
/// >>> carom.read_particles(file).spheres
/// array([[0. , 0. , 1. ],
///        [1.5, 0. , 1. ]])
#[pyfunction]
pub fn read_particles(py: Python<'_>, path: PathBuf) -> PyResult<Bound<'_, PyAny>> {
    let read = thread_pool::run_owned(py, move || carom::io::read_particles(&path))?;
    to_python(py, &read.map_err(|error| errors::file(py, error))?)
}

/// Write particles to a file: CSV, extended XYZ (.xyz), VTK (.vtp) or a LAMMPS dump (.dump), compressed if .gz follows.
///
/// Parameters
/// ----------
/// path : path-like
/// positions, radii, box
///     As those of `carom.contacts`. CSV does not keep the box.
///
/// Examples
/// --------
/// >>> import carom, pathlib, tempfile
/// >>> file = pathlib.Path(tempfile.mkdtemp()) / "grains.xyz"
/// >>> carom.write_particles(file, [[0, 0, 1], [1.5, 0, 1]], box=(8, None))
/// >>> carom.read_particles(file).box
/// (8.0, None)
#[pyfunction]
#[pyo3(signature = (path, positions, radii=None, *, r#box=None))]
pub fn write_particles(
    py: Python<'_>,
    path: PathBuf,
    positions: &Bound<'_, PyAny>,
    radii: Option<&Bound<'_, PyAny>>,
    r#box: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let rows = SphereRows::of(positions, radii)?;
    let particles = match rows.dimension() {
        2 => Particles::Discs(set(&rows, r#box)?),
        _ => Particles::Spheres(set(&rows, r#box)?),
    };
    let write = move || carom::io::write_particle_file(&path, &particles);
    let written = thread_pool::run_owned(py, write)?;
    written.map(|_| ()).map_err(|error| errors::file(py, error))
}

fn set<const D: usize>(
    rows: &SphereRows<'_>,
    r#box: Option<&Bound<'_, PyAny>>,
) -> PyResult<ParticleSet<D>> {
    Ok(ParticleSet { spheres: rows.spheres().to_vec(), boundary: boundary(r#box)? })
}

/// Returns particles as `carom.Particles`.
pub fn to_python<'py>(py: Python<'py>, particles: &Particles) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = CLASS.import(py, "carom.particles", "Particles")?;
    match particles {
        Particles::Discs(set) => {
            class.call1((rows(py, &set.spheres)?, box_to_python(py, &set.boundary)?))
        }
        Particles::Spheres(set) => {
            class.call1((rows(py, &set.spheres)?, box_to_python(py, &set.boundary)?))
        }
    }
}

fn rows<'py, const D: usize>(
    py: Python<'py>,
    spheres: &[Sphere<D>],
) -> PyResult<Bound<'py, numpy::PyArray2<f64>>> {
    let mut numbers = Vec::with_capacity(spheres.len() * (D + 1));
    for sphere in spheres {
        numbers.extend_from_slice(sphere.center.as_slice());
        numbers.push(sphere.radius);
    }
    arrays::from_rows(py, numbers, D + 1)
}
