//! The argument `box`: what is periodic.

use crate::arrays;
use crate::errors;
use carom::Boundary;
use numpy::PyUntypedArrayMethods;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// A boundary whose dimension is known only while the program runs.
#[derive(Clone, Copy)]
pub enum AnyBoundary {
    TwoD(Boundary<2>),
    ThreeD(Boundary<3>),
}

/// Returns the boundary that the argument `box` stands for.
///
/// | argument | meaning |
/// |---|---|
/// | None | open |
/// | a number | periodic with this length on all axes |
/// | a number or None for each axis | periodic with this length, or open |
/// | three edges and three tilt factors | a rectangular box of freud or HOOMD |
/// | an object with `Lx`, `Ly`, `Lz` and `periodic` | freud's Box |
/// | an object with `cell` and `pbc` | ASE's Atoms |
/// | an array of three rows and three or four columns, perhaps with `pbc` | ASE's Cell, OVITO's SimulationCell |
///
/// Where the box starts does not matter: coordinates outside of it are those of images.
pub fn boundary<const D: usize>(value: Option<&Bound<'_, PyAny>>) -> PyResult<Boundary<D>> {
    let Some(value) = value else { return Ok(Boundary::open()) };
    let lengths = lengths::<D>(value, Axes::Periodic)?;
    Boundary::periodic(lengths)
        .map_err(|error| errors::INPUT.with(value.py(), format!("box: {error}")))
}

/// Returns the edges of a region whose argument `box` has the forms of [`boundary`], periodic or not.
pub fn edges<const D: usize>(value: &Bound<'_, PyAny>) -> PyResult<[f64; D]> {
    let lengths = lengths::<D>(value, Axes::All)?;
    match lengths.iter().position(Option::is_none) {
        None => Ok(lengths.map(Option::unwrap_or_default)),
        Some(axis) => {
            let axis = ["x", "y", "z"][axis];
            let sentence = format!(
                "box has no length for axis {axis}; particles are placed between edges on every axis"
            );
            Err(errors::INPUT.with(value.py(), sentence))
        }
    }
}

/// The axes whose lengths are asked for.
#[derive(Clone, Copy, PartialEq)]
enum Axes {
    Periodic,
    All,
}

impl Axes {
    /// Whether the length of each axis is asked for, where a box says which are periodic.
    fn are_asked(self, periodic: [bool; 3]) -> [bool; 3] {
        periodic.map(|periodic| periodic || self == Axes::All)
    }
}

fn lengths<const D: usize>(value: &Bound<'_, PyAny>, asked: Axes) -> PyResult<[Option<f64>; D]> {
    if let Ok(length) = value.extract::<f64>() {
        return Ok([Some(length); D]);
    }
    if value.hasattr("Lx")? && value.hasattr("xy")? {
        return freud_box(value, asked);
    }
    if value.hasattr("cell")? && value.hasattr("pbc")? {
        return cell(&value.getattr("cell")?, Some(&value.getattr("pbc")?), asked);
    }
    if let Ok(lengths) = value.extract::<Vec<Option<f64>>>() {
        return list(value, &lengths, asked);
    }
    let pbc = value.getattr("pbc").ok();
    cell(value, pbc.as_ref(), asked)
}

/// A number for each axis, and perhaps tilt factors.
fn list<const D: usize>(
    value: &Bound<'_, PyAny>,
    lengths: &[Option<f64>],
    asked: Axes,
) -> PyResult<[Option<f64>; D]> {
    if let &[x, y, z, xy, xz, yz] = lengths {
        let tilts = [xy, xz, yz].map(|tilt| tilt.unwrap_or(0.0));
        refuse_tilts(value, &tilts)?;
        return Ok(axes([x, y, z]));
    }
    let open = match asked {
        Axes::Periodic => ", with None for an axis that is open",
        Axes::All => "",
    };
    lengths.try_into().map_err(|_| {
        let count = lengths.len();
        let sentence = format!(
            "box has {count} lengths; the particles have {D} dimensions, so it must be one length, or {D}{open}"
        );
        errors::INPUT.with(value.py(), sentence)
    })
}

fn freud_box<const D: usize>(value: &Bound<'_, PyAny>, asked: Axes) -> PyResult<[Option<f64>; D]> {
    let number = |name: &str| value.getattr(name)?.extract::<f64>();
    refuse_tilts(value, &[number("xy")?, number("xz")?, number("yz")?])?;
    let periodic = match value.getattr("periodic") {
        Ok(flags) => flags.extract::<[bool; 3]>()?,
        Err(_) => [true; 3],
    };
    let periodic = asked.are_asked(periodic);
    let lengths = [number("Lx")?, number("Ly")?, number("Lz")?];
    Ok(axes(std::array::from_fn(|axis| periodic[axis].then_some(lengths[axis]))))
}

/// The vectors of a cell, in the rows of ASE or the columns of OVITO: the same where it is rectangular.
fn cell<const D: usize>(
    value: &Bound<'_, PyAny>,
    periodic: Option<&Bound<'_, PyAny>>,
    asked: Axes,
) -> PyResult<[Option<f64>; D]> {
    let wrong = || {
        errors::INPUT.with(
            value.py(),
            format!(
                "box is a {}; it must be a length, a length or None for each of {D} axes, or a rectangular box of \
                 freud, ASE or OVITO",
                value.get_type()
            ),
        )
    };
    let vectors = arrays::rows("box", "each axis", value).map_err(|_| wrong())?;
    let &[3, 3 | 4] = vectors.shape() else { return Err(wrong()) };
    let read = arrays::read2(&vectors)?;
    let vectors = read.as_array();
    let tilts: Vec<f64> = (0..9)
        .map(|k| (k / 3, k % 3))
        .filter(|(row, column)| row != column)
        .map(|place| vectors[place])
        .collect();
    refuse_tilts(value, &tilts)?;
    let periodic = match periodic {
        Some(flags) => flags.extract::<[bool; 3]>()?,
        None => [true; 3],
    };
    let periodic = asked.are_asked(periodic);
    // ASE writes an axis without a box as a vector of length zero.
    let length = |axis: usize| Some(vectors[(axis, axis)]).filter(|length| *length != 0.0);
    Ok(axes(std::array::from_fn(|axis| length(axis).filter(|_| periodic[axis]))))
}

fn refuse_tilts(value: &Bound<'_, PyAny>, tilts: &[f64]) -> PyResult<()> {
    match tilts.iter().find(|tilt| **tilt != 0.0) {
        None => Ok(()),
        Some(tilt) => Err(errors::INPUT.with(
            value.py(),
            format!("box is tilted by {tilt:?}; only rectangular boxes can be searched"),
        )),
    }
}

/// The first axes of a box that has three.
fn axes<const D: usize>(lengths: [Option<f64>; 3]) -> [Option<f64>; D] {
    std::array::from_fn(|axis| lengths[axis])
}

/// Returns the box as Python takes it: a length or None for each axis, None if all are open.
pub fn to_python<const D: usize>(
    py: Python<'_>,
    boundary: &Boundary<D>,
) -> PyResult<Option<Py<PyAny>>> {
    if !boundary.is_periodic() {
        return Ok(None);
    }
    let lengths = (0..D).map(|axis| boundary.period(axis));
    Ok(Some(PyTuple::new(py, lengths.collect::<Vec<_>>())?.into_any().unbind()))
}

impl AnyBoundary {
    /// Returns the box as Python takes it.
    pub fn to_python(self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        match self {
            AnyBoundary::TwoD(boundary) => to_python(py, &boundary),
            AnyBoundary::ThreeD(boundary) => to_python(py, &boundary),
        }
    }
}
