//! The arguments `positions` and `radii`: spheres or discs.

use crate::arrays;
use crate::errors;
use carom::Sphere;
use numpy::{PyArray2, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;

/// Rows of coordinates and a radius: the caller's own array, where it is such rows already.
pub struct SphereRows<'py> {
    array: Bound<'py, PyArray2<f64>>,
    numbers: PyReadonlyArray2<'py, f64>,
}

impl<'py> SphereRows<'py> {
    /// Takes rows of coordinates and a radius, or rows of coordinates with radii beside them.
    pub fn of(positions: &Bound<'py, PyAny>, radii: Option<&Bound<'py, PyAny>>) -> PyResult<Self> {
        let py = positions.py();
        let array = arrays::rows("positions", "each particle", positions)?;
        let columns = array.shape()[1];
        let array = match (radii, columns) {
            (None, 3 | 4) => array,
            (Some(radii), 2 | 3) => joined(&array, radii)?,
            (None, _) => {
                let rule = "without radii it must have x, y, radius or x, y, z, radius";
                return Err(columns_error(py, columns, rule));
            }
            (Some(_), _) => {
                return Err(columns_error(
                    py,
                    columns,
                    "beside radii it must have x, y or x, y, z",
                ));
            }
        };
        SphereRows::of_rows(array)
    }

    /// Takes an array that an earlier call has returned as [`array`](Self::array).
    pub fn of_rows(array: Bound<'py, PyArray2<f64>>) -> PyResult<Self> {
        let numbers = arrays::read2(&array)?;
        Ok(SphereRows { array, numbers })
    }

    /// The array of rows, each of coordinates and a radius.
    pub fn array(&self) -> &Bound<'py, PyArray2<f64>> {
        &self.array
    }

    /// A copy of the rows.
    pub fn copy(&self) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let numbers = self.numbers.as_slice().expect("rows stand one after the other");
        arrays::from_rows(self.array.py(), numbers.to_vec(), self.array.shape()[1])
    }

    /// Number of dimensions, 2 or 3.
    pub fn dimension(&self) -> usize {
        self.array.shape()[1] - 1
    }

    /// The rows as spheres; `D` must be their dimension.
    pub fn spheres<const D: usize>(&self) -> &[Sphere<D>] {
        let numbers = self.numbers.as_slice().expect("rows stand one after the other");
        Sphere::slice_from_rows(numbers).expect("a row is D coordinates and a radius")
    }
}

fn columns_error(py: Python<'_>, columns: usize, rule: &str) -> PyErr {
    errors::INPUT.with(py, format!("positions has {columns} columns; {rule}"))
}

/// Rows of coordinates and a radius, from positions and radii or one radius for all.
fn joined<'py>(
    positions: &Bound<'py, PyArray2<f64>>,
    radii: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let py = positions.py();
    let &[count, columns] = positions.shape() else { unreachable!("rows have two axes") };
    let read = arrays::read2(positions)?;
    let positions = read.as_slice().expect("rows stand one after the other");
    let elements = count * (columns + 1);
    arrays::check_memory(py, "rows of positions and radii", elements * size_of::<f64>())?;
    let mut rows = Vec::with_capacity(elements);
    if let Ok(radius) = radii.extract::<f64>() {
        for position in positions.chunks_exact(columns) {
            rows.extend_from_slice(position);
            rows.push(radius);
        }
    } else {
        let radii = arrays::row("radii", radii)?;
        if radii.len() != count {
            let given = radii.len();
            let sentence = format!("radii has {given} elements; there are {count} positions");
            return Err(errors::INPUT.with(py, sentence));
        }
        let radii = arrays::read1(&radii)?;
        let radii = radii.as_slice().expect("a row is contiguous");
        for (position, &radius) in positions.chunks_exact(columns).zip(radii) {
            rows.extend_from_slice(position);
            rows.push(radius);
        }
    }
    arrays::from_rows(py, rows, columns + 1)
}
