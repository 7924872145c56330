//! The arrays of the bodies of a simulation, into new memory or that of the user.

use crate::errors;
use carom::geometry::{Vector, rows_of_points};
use carom::run::Run;
use carom::simulate::{State as EngineState, StateArray, dem};
use numpy::{
    BorrowError, PyArrayDyn, PyArrayMethods, PyReadwriteArrayDyn, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use pyo3::types::{PyEllipsis, PyTuple};

/// Names of the arrays of bodies.
pub const ARRAYS: [&str; 10] = [
    "ids",
    "positions",
    "velocities",
    "radii",
    "masses",
    "materials",
    "angular_velocities",
    "orientations",
    "forces",
    "torques",
];

/// An array of Python for one of the arrays of bodies.
pub struct NewArray<'py> {
    array: FilledArray<'py>,
    /// What the user has given, where its numbers do not stand one after the other.
    strided: Option<Bound<'py, PyAny>>,
}

enum FilledArray<'py> {
    Indices(PyReadwriteArrayDyn<'py, u32>),
    Numbers(PyReadwriteArrayDyn<'py, f64>),
}

/// The elements of an array.
pub enum Elements<'a> {
    Indices(&'a mut [u32]),
    Numbers(&'a mut [f64]),
}

impl<'py> NewArray<'py> {
    /// Makes an array, or takes the one that is given once it has been checked.
    pub fn of(
        py: Python<'py>,
        name: &str,
        count: usize,
        dimension: usize,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        let shape: Vec<usize> = [count].into_iter().chain(columns_of(name, dimension)).collect();
        let is_index = matches!(name, "ids" | "materials");
        let Some(out) = out else {
            return Ok(NewArray { array: FilledArray::zeros(py, shape, is_index), strided: None });
        };
        check_out(&out, &shape, if is_index { "uint32" } else { "float64" })?;
        let flags = out.getattr("flags")?;
        let is_plain =
            flags.getattr("c_contiguous")?.is_truthy()? && flags.getattr("aligned")?.is_truthy()?;
        Ok(match is_plain {
            true => NewArray { array: FilledArray::within(out, is_index)?, strided: None },
            false => {
                NewArray { array: FilledArray::zeros(py, shape, is_index), strided: Some(out) }
            }
        })
    }

    /// The memory that is to be filled.
    pub fn numbers(&mut self) -> PyResult<Elements<'_>> {
        Ok(match &mut self.array {
            FilledArray::Indices(array) => Elements::Indices(array.as_slice_mut()?),
            FilledArray::Numbers(array) => Elements::Numbers(array.as_slice_mut()?),
        })
    }

    /// Returns the array, or the one that was given with what has been filled.
    pub fn finish(self) -> PyResult<Bound<'py, PyAny>> {
        let array = match self.array {
            FilledArray::Indices(array) => array.as_any().clone(),
            FilledArray::Numbers(array) => array.as_any().clone(),
        };
        let Some(out) = self.strided else { return Ok(array) };
        out.set_item(PyEllipsis::get(out.py()), array)?;
        Ok(out)
    }
}

impl<'py> FilledArray<'py> {
    fn zeros(py: Python<'py>, shape: Vec<usize>, is_index: bool) -> Self {
        match is_index {
            true => FilledArray::Indices(PyArrayDyn::zeros(py, shape, false).readwrite()),
            false => FilledArray::Numbers(PyArrayDyn::zeros(py, shape, false).readwrite()),
        }
    }

    /// The memory of an array whose elements stand one after the other.
    fn within(out: Bound<'py, PyAny>, is_index: bool) -> PyResult<Self> {
        let py = out.py();
        let wrong = |error: BorrowError| {
            errors::INPUT.with(py, format!("out cannot be written to: {error}"))
        };
        Ok(match is_index {
            true => {
                let array = out.cast_into::<PyArrayDyn<u32>>()?;
                FilledArray::Indices(array.try_readwrite().map_err(wrong)?)
            }
            false => {
                let array = out.cast_into::<PyArrayDyn<f64>>()?;
                FilledArray::Numbers(array.try_readwrite().map_err(wrong)?)
            }
        })
    }
}

/// Numbers of each body in one of the arrays; none where it has one axis.
fn columns_of(name: &str, dimension: usize) -> Option<usize> {
    match name {
        "ids" | "materials" | "radii" | "masses" => None,
        "angular_velocities" | "torques" if dimension == 2 => None,
        "angular_velocities" | "torques" => Some(3),
        "orientations" => Some(4),
        _ => Some(dimension),
    }
}

/// Checks that an array can be filled.
fn check_out(out: &Bound<'_, PyAny>, shape: &[usize], dtype: &str) -> PyResult<()> {
    let py = out.py();
    let Ok(array) = out.cast::<PyUntypedArray>() else {
        return Err(errors::INPUT.with(py, "out must be an array of NumPy"));
    };
    if array.shape() != shape || array.dtype().to_string() != dtype {
        let wanted = PyTuple::new(py, shape)?;
        let sentence = format!(
            "out has shape {} and dtype {}; it must have {wanted} and {dtype}",
            out.getattr("shape")?,
            array.dtype()
        );
        return Err(errors::INPUT.with(py, sentence));
    }
    match out.getattr("flags")?.getattr("writeable")?.is_truthy()? {
        true => Ok(()),
        false => Err(errors::INPUT.with(py, "out cannot be written to")),
    }
}

/// Writes one of the arrays of bodies; errors with the name of an engine whose bodies have no such array.
pub fn read_array<const D: usize>(
    run: &Run<D>,
    spare: &mut EngineState<D>,
    name: &str,
    out: Elements<'_>,
) -> Result<(), &'static str> {
    let engine = run.engine();
    let missing = || engine.name();
    let Some(array) = array_of_state(name) else {
        let simulation = run.simulation::<dem::Simulation<D>>().ok_or_else(missing)?;
        match name {
            "forces" => out.write(rows_of_points(&simulation.forces())),
            _ => out.write_angular(&simulation.torques(), D),
        }
        return Ok(());
    };
    engine.read_state(&[array], spare);
    match out.write_state(array, spare, engine.body_count()) {
        true => Ok(()),
        false => Err(missing()),
    }
}

/// The array of the state by this name; none of forces and torques, which are no part of it.
fn array_of_state(name: &str) -> Option<StateArray> {
    Some(match name {
        "ids" => StateArray::Ids,
        "positions" => StateArray::Positions,
        "velocities" => StateArray::Velocities,
        "angular_velocities" => StateArray::AngularVelocities,
        "orientations" => StateArray::Orientations,
        "radii" => StateArray::Radii,
        "masses" => StateArray::Masses,
        "materials" => StateArray::Materials,
        _ => return None,
    })
}

impl Elements<'_> {
    /// Writes an array of the state and returns whether the bodies have it.
    fn write_state<const D: usize>(
        self,
        array: StateArray,
        state: &EngineState<D>,
        bodies: usize,
    ) -> bool {
        let has = |count: usize| count > 0 || bodies == 0;
        match array {
            StateArray::Ids => self.write_indices(&state.ids),
            StateArray::Materials => self.write_indices(&state.materials),
            StateArray::Positions => self.write(rows_of_points(&state.positions)),
            StateArray::Velocities => self.write(rows_of_points(&state.velocities)),
            StateArray::Radii => self.write(&state.radii),
            StateArray::Masses => self.write(&state.masses),
            StateArray::AngularVelocities if has(state.angular_velocities.len()) => {
                self.write_angular(&state.angular_velocities, D);
            }
            StateArray::Orientations if has(state.orientations.len()) => {
                let rows = state.orientations.iter().flat_map(|it| [it.w, it.i, it.j, it.k]);
                self.write(&rows.collect::<Vec<f64>>());
            }
            _ => return false,
        }
        true
    }

    fn write(self, numbers: &[f64]) {
        let Elements::Numbers(out) = self else { unreachable!("the array is one of numbers") };
        out.copy_from_slice(numbers);
    }

    fn write_indices(self, indices: &[u32]) {
        let Elements::Indices(out) = self else { unreachable!("the array is one of indices") };
        out.copy_from_slice(indices);
    }

    /// Angular velocities or torques: about each axis in space, about the third in the plane.
    fn write_angular(self, vectors: &[Vector<3>], dimension: usize) {
        if dimension == 3 {
            return self.write(rows_of_points(vectors));
        }
        let Elements::Numbers(out) = self else { unreachable!("the array is one of numbers") };
        out.iter_mut().zip(vectors).for_each(|(out, vector)| *out = vector.z);
    }
}
