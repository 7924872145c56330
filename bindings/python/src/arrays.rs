//! NumPy arrays in and out.
//!
//! An array of `float64` in C order is taken as it is; anything else that is numbers is converted once. Another thread
//! of Python must not write to an array while a call reads it; what such a call returns then is undefined, but it ends.

use crate::{errors, run_errors};
use carom::geometry::{Vector, rows_of_points};
use numpy::{
    Element, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
    PyReadwriteArray1, PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyString;

/// Returns an argument as rows of numbers; `name` is that of the argument, `what` says what a row is.
pub fn rows<'py>(
    name: &str,
    what: &str,
    value: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    if let Ok(array) = value.cast_exact::<PyArray2<f64>>()
        && is_usable(array)
    {
        return Ok(array.clone());
    }
    let array = numbers(name, value)?;
    let shape = shape_text(&array)?;
    array.cast_into::<PyArray2<f64>>().map_err(|_| {
        let sentence = format!("{name} has shape {shape}; it must have two axes, a row for {what}");
        errors::INPUT.with(value.py(), sentence)
    })
}

/// Returns an argument as a row of numbers.
pub fn row<'py>(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray1<f64>>> {
    if let Ok(array) = value.cast_exact::<PyArray1<f64>>()
        && is_usable(array)
    {
        return Ok(array.clone());
    }
    let array = numbers(name, value)?;
    let shape = shape_text(&array)?;
    array.cast_into::<PyArray1<f64>>().map_err(|_| {
        let sentence = format!("{name} has shape {shape}; it must have one axis");
        errors::INPUT.with(value.py(), sentence)
    })
}

/// Returns an argument of points in space, a row for each.
pub fn points<'py>(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let array = rows(name, "each point", value)?;
    match array.dims()[1] {
        3 => Ok(array),
        columns => Err(errors::INPUT.with(
            value.py(),
            format!("{name} has {columns} columns; it must have three, x, y and z"),
        )),
    }
}

/// Returns an argument as whole numbers from 0 to 2³² - 1, whatever its shape.
pub fn indices<'py>(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = value.py();
    let array = as_array(name, value)?;
    let kind = dtype_kind(&array)?;
    let is_empty = array.getattr("size")?.extract::<usize>()? == 0;
    if !matches!(kind, 'i' | 'u') && !is_empty {
        let dtype = array.getattr("dtype")?;
        let sentence = format!("{name} has dtype {dtype}; it must be whole numbers");
        return Err(errors::INPUT.with(py, sentence));
    }
    if !is_empty {
        let low: i128 = array.call_method0("min")?.call_method0("item")?.extract()?;
        let high: i128 = array.call_method0("max")?.call_method0("item")?.extract()?;
        if let Some(wrong) = [low, high].into_iter().find(|it| u32::try_from(*it).is_err()) {
            let sentence = format!("{name} has {wrong}; an index is between 0 and {}", u32::MAX);
            return Err(errors::INPUT.with(py, sentence));
        }
    }
    numpy(py)?.call_method1("ascontiguousarray", (array, "uint32"))
}

/// Whether the numbers of an array stand one after the other and where numbers may stand.
fn is_usable<T: Element, D: numpy::ndarray::Dimension>(
    array: &Bound<'_, numpy::PyArray<T, D>>,
) -> bool {
    array.is_c_contiguous() && (array.data() as usize).is_multiple_of(align_of::<T>())
}

/// Converts an argument to an array of `float64` in C order, if it is real numbers.
fn numbers<'py>(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = value.py();
    let array = as_array(name, value)?;
    if !matches!(dtype_kind(&array)?, 'f' | 'i' | 'u' | 'b') {
        let dtype = array.getattr("dtype")?;
        let sentence = format!("{name} has dtype {dtype}; it must be real numbers");
        return Err(errors::INPUT.with(py, sentence));
    }
    // An array may be of the right type and order and still lie across the places of numbers.
    let aligned = numpy(py)?.call_method1("require", (array, "float64", ("C", "A")))?;
    Ok(aligned)
}

fn as_array<'py>(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = value.py();
    let masked = value.getattr("mask").ok().filter(|_| value.hasattr("filled").unwrap_or(false));
    if let Some(mask) = masked
        && numpy(py)?.call_method1("any", (mask,))?.is_truthy()?
    {
        let sentence = format!("{name} is masked; fill in what is missing, or leave it out");
        return Err(errors::INPUT.with(py, sentence));
    }
    numpy(py)?.call_method1("asarray", (value,)).map_err(|error| {
        let sentence = format!("{name} cannot be read as an array: {}", error.value(py));
        errors::INPUT.with(py, sentence)
    })
}

/// The letter of an array's kind of numbers.
fn dtype_kind(array: &Bound<'_, PyAny>) -> PyResult<char> {
    array.getattr("dtype")?.getattr("kind")?.extract()
}

fn shape_text(array: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(array.getattr("shape")?.str()?.to_string())
}

/// Fewer bytes than this are not worth asking the system how many it has.
const FEW_BYTES: usize = 1 << 25;

/// Refuses to take this number of bytes where there are not as many: where an allocation fails, the interpreter ends.
///
/// `what` is the subject of the sentence, in the plural.
pub fn check_memory(py: Python<'_>, what: &str, bytes: usize) -> PyResult<()> {
    if bytes < FEW_BYTES {
        return Ok(());
    }
    carom::io::memory::check(what, bytes as f64).map_err(|error| run_errors::file(py, error))
}

/// The module numpy.
pub fn numpy(py: Python<'_>) -> PyResult<&Bound<'_, PyModule>> {
    static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let module = MODULE.get_or_try_init(py, || py.import("numpy").map(Bound::unbind))?;
    Ok(module.bind(py))
}

/// Borrows the numbers of an array that [`rows`] has returned.
pub fn read2<'py>(array: &Bound<'py, PyArray2<f64>>) -> PyResult<PyReadonlyArray2<'py, f64>> {
    array.try_readonly().map_err(|error| errors::INPUT.with(array.py(), error))
}

/// Borrows the numbers of an array that [`row`] has returned.
pub fn read1<'py>(array: &Bound<'py, PyArray1<f64>>) -> PyResult<PyReadonlyArray1<'py, f64>> {
    array.try_readonly().map_err(|error| errors::INPUT.with(array.py(), error))
}

/// Returns an array of a row for each point.
pub fn from_points<'py, const D: usize>(
    py: Python<'py>,
    points: &[Vector<D>],
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    PyArray1::from_slice(py, rows_of_points(points)).reshape([points.len(), D])
}

/// Returns an array of rows of this width, without a copy.
pub fn from_rows<T: Element>(
    py: Python<'_>,
    numbers: Vec<T>,
    width: usize,
) -> PyResult<Bound<'_, PyArray2<T>>> {
    let count = numbers.len() / width;
    PyArray1::from_vec(py, numbers).reshape([count, width])
}

/// Borrows the argument `out`, which must be an array of `count` numbers of this type.
pub fn write1<'py, T: Element>(
    out: &Bound<'py, PyAny>,
    count: usize,
    dtype: &Bound<'py, PyString>,
) -> PyResult<PyReadwriteArray1<'py, T>> {
    let wrong = |sentence: String| errors::INPUT.with(out.py(), sentence);
    let array = out
        .cast::<PyArray1<T>>()
        .map_err(|_| wrong(format!("out must be an array of {dtype} with one axis")))?;
    if array.len() != count || !is_usable(array) {
        let sentence =
            format!("out must be contiguous and have {count} elements, it has {}", array.len());
        return Err(wrong(sentence));
    }
    array.try_readwrite().map_err(|error| wrong(format!("out cannot be written to: {error}")))
}
