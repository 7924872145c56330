//! What pickling keeps of a frame: plain objects and arrays, from which the frame is made again to the bit.

use crate::frame::{AnyFrame, Frame};
use crate::{arrays, errors};
use carom::geometry::mesh::TriangleMesh;
use carom::geometry::shape::ConvexPolyhedron;
use carom::geometry::{Sphere, Vector, points_from_rows, rows_of_points};
use carom::io::{
    AxisExtent, Frame as IoFrame, FrameContact, FrameShapes, FrameSprings, FrameWalls,
};
use carom::simulate::WallLoad;
use carom::simulate::shape::{Shape, ShapeRepresentation};
use numpy::{PyArray1, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use std::sync::Arc;

/// Makes a frame of what pickling has saved.
#[pyfunction]
#[pyo3(name = "_frame_of_parts")]
pub fn frame_of_parts(py: Python<'_>, parts: &Bound<'_, PyDict>) -> PyResult<Frame> {
    let dimension = item(parts, "box")?.len()?;
    let frame = match dimension {
        2 => AnyFrame::TwoD(of_parts(parts)?),
        _ => AnyFrame::ThreeD(of_parts(parts)?),
    };
    let checked = match &frame {
        AnyFrame::TwoD(frame) => frame.check(),
        AnyFrame::ThreeD(frame) => frame.check(),
    };
    checked.map_err(|error| errors::INPUT.with(py, error))?;
    Ok(frame.into())
}

fn of_parts<const D: usize>(parts: &Bound<'_, PyDict>) -> PyResult<IoFrame<D>> {
    let lengths: Vec<Option<f64>> = item(parts, "box")?.extract()?;
    let periodic: Vec<bool> = item(parts, "periodic")?.extract()?;
    let extent = |axis: usize| match (lengths.get(axis).copied().flatten(), periodic.get(axis)) {
        (Some(length), Some(true)) => AxisExtent::Periodic(length),
        (Some(length), _) => AxisExtent::Walls(length),
        (None, _) => AxisExtent::Open,
    };
    let mut columns = Vec::new();
    for (name, values) in item(parts, "columns")?.cast_into::<PyDict>()?.iter() {
        let name: String = name.extract()?;
        columns.push((name.clone(), numbers_of(&name, &values)?));
    }
    let ids = indices(parts, "ids")?;
    let are_numbers = (0_u32..).zip(&ids).all(|(number, &id)| id == number);
    let has = |name: &str| Ok::<_, PyErr>(!item(parts, name)?.is_none());
    Ok(IoFrame {
        time: item(parts, "time")?.extract()?,
        step: item(parts, "step")?.extract()?,
        number: item(parts, "number")?.extract()?,
        region: std::array::from_fn(extent),
        positions: vectors(parts, "positions")?,
        velocities: vectors(parts, "velocities")?,
        radii: numbers(parts, "radii")?,
        masses: has("masses")?.then(|| numbers(parts, "masses")).transpose()?,
        materials: has("materials")?.then(|| indices(parts, "materials")).transpose()?,
        shapes: dict(parts, "shapes")?.map(|shapes| shapes_of_parts(&shapes)).transpose()?,
        springs: dict(parts, "springs")?.map(|springs| springs_of_parts(&springs)).transpose()?,
        contacts: dict(parts, "contacts")?
            .map(|contacts| contacts_of_parts(&contacts))
            .transpose()?,
        walls: dict(parts, "walls")?.map(|walls| walls_of_parts(&walls)).transpose()?,
        ids: (!are_numbers).then_some(ids),
        color_by: item(parts, "color_by")?.extract()?,
        columns,
    })
}

// ------------------------------------------------------------------- shapes

/// The shapes of the bodies of a frame, for pickling.
pub fn parts_of_shapes<'py>(py: Python<'py>, shapes: &FrameShapes) -> PyResult<Bound<'py, PyDict>> {
    let list = shapes.list.iter().map(|shape| parts_of_shape(py, shape));
    let number = |shape: &Option<u32>| shape.map_or(-1, i64::from);
    let of_body = shapes.shape_of_body.iter().map(number).collect();
    let turns = shapes.orientations.as_flattened().to_vec();
    let parts = PyDict::new(py);
    parts.set_item("list", list.collect::<PyResult<Vec<_>>>()?)?;
    parts.set_item("of_body", PyArray1::<i64>::from_vec(py, of_body))?;
    parts.set_item("orientations", arrays::from_rows(py, turns, 4)?)?;
    Ok(parts)
}

fn shapes_of_parts(parts: &Bound<'_, PyDict>) -> PyResult<FrameShapes> {
    let list = item(parts, "list")?.cast_into::<PyList>()?;
    let list = list.iter().map(|shape| shape_of_parts(&shape.cast_into::<PyDict>()?));
    let of_body: Vec<i64> = item(parts, "of_body")?.call_method0("tolist")?.extract()?;
    Ok(FrameShapes {
        list: list.collect::<PyResult<_>>()?,
        // Numbers below zero are those of bodies without a shape.
        shape_of_body: of_body.into_iter().map(|number| u32::try_from(number).ok()).collect(),
        orientations: rows::<4>(parts, "orientations")?,
    })
}

fn parts_of_shape<'py>(py: Python<'py>, shape: &Shape) -> PyResult<Bound<'py, PyDict>> {
    let parts = PyDict::new(py);
    match &shape.representation {
        ShapeRepresentation::Convex(body) => {
            parts.set_item("convex", arrays::from_points(py, body.vertices())?)?;
        }
        ShapeRepresentation::Mesh(mesh) => {
            let triangles = mesh.triangles().as_flattened().to_vec();
            let vertices = arrays::from_points(py, mesh.vertices())?;
            parts.set_item("mesh", (vertices, arrays::from_rows(py, triangles, 3)?))?;
        }
        ShapeRepresentation::Spheres(spheres) => {
            let row = |it: &Sphere<3>| [it.center.x, it.center.y, it.center.z, it.radius];
            let rows = spheres.iter().flat_map(row).collect();
            parts.set_item("spheres", arrays::from_rows(py, rows, 4)?)?;
        }
    }
    parts.set_item("name", &shape.name)?;
    parts.set_item("rounding", shape.rounding)?;
    parts.set_item("volume", shape.volume)?;
    parts.set_item("inertia", arrays::from_rows(py, shape.inertia.as_slice().to_vec(), 3)?)?;
    parts.set_item("radius", shape.radius)?;
    Ok(parts)
}

fn shape_of_parts(parts: &Bound<'_, PyDict>) -> PyResult<Shape> {
    let inertia = rows::<3>(parts, "inertia")?;
    let inertia: [[f64; 3]; 3] = inertia.try_into().map_err(|rows: Vec<_>| {
        let sentence = format!("the inertia of a shape has {} rows; it must have 3", rows.len());
        errors::INPUT.with(parts.py(), sentence)
    })?;
    Ok(Shape {
        name: item(parts, "name")?.extract()?,
        representation: representation_of_parts(parts)?,
        rounding: item(parts, "rounding")?.extract()?,
        volume: item(parts, "volume")?.extract()?,
        inertia: inertia.into(),
        radius: item(parts, "radius")?.extract()?,
    })
}

fn representation_of_parts(parts: &Bound<'_, PyDict>) -> PyResult<ShapeRepresentation> {
    let py = parts.py();
    if let Some(mesh) = parts.get_item("mesh")? {
        let mesh = mesh.cast_into::<PyTuple>()?;
        let corners = indices_of("mesh", &mesh.get_item(1)?)?;
        let vertices = vectors_of("mesh", &mesh.get_item(0)?)?;
        let mesh = TriangleMesh::new(vertices, corners.as_chunks::<3>().0.to_vec());
        let mesh = mesh.map_err(|error| errors::INPUT.with(py, error))?;
        return Ok(ShapeRepresentation::Mesh(Arc::new(mesh)));
    }
    if parts.contains("spheres")? {
        let spheres = rows::<4>(parts, "spheres")?;
        let spheres = spheres.iter().map(|&[x, y, z, radius]| Sphere::new([x, y, z], radius));
        return Ok(ShapeRepresentation::Spheres(spheres.collect()));
    }
    let hull = ConvexPolyhedron::hull(&vectors(parts, "convex")?);
    let hull = hull.map_err(|error| errors::INPUT.with(py, error))?;
    Ok(ShapeRepresentation::Convex(Arc::new(hull)))
}

// ------------------------------------------------- springs, contacts, walls

fn springs_of_parts(parts: &Bound<'_, PyDict>) -> PyResult<FrameSprings> {
    Ok(FrameSprings {
        ends: indices(parts, "ends")?.as_chunks::<2>().0.to_vec(),
        strains: numbers(parts, "strains")?,
        are_broken: item(parts, "broken")?.call_method0("tolist")?.extract()?,
    })
}

/// The contacts of a frame, for pickling.
pub fn parts_of_contacts<'py, const D: usize>(
    py: Python<'py>,
    contacts: &[FrameContact<D>],
) -> PyResult<Bound<'py, PyDict>> {
    let number = |number: Option<u32>| number.map_or(-1, i64::from);
    let bodies = contacts.iter();
    let bodies =
        bodies.flat_map(|it| [i64::from(it.body), number(it.other), number(it.wall)]).collect();
    let lines = contacts.iter().flat_map(|it| rows_of_points(&it.line).to_vec()).collect();
    let forces = contacts.iter();
    let forces = forces.flat_map(|it| [it.overlap, it.normal_force, it.tangential_force]).collect();
    let parts = PyDict::new(py);
    parts.set_item("bodies", arrays::from_rows::<i64>(py, bodies, 3)?)?;
    parts.set_item("lines", arrays::from_rows(py, lines, 3 * D)?)?;
    parts.set_item("forces", arrays::from_rows(py, forces, 3)?)?;
    Ok(parts)
}

fn contacts_of_parts<const D: usize>(parts: &Bound<'_, PyDict>) -> PyResult<Vec<FrameContact<D>>> {
    let bodies: Vec<[i64; 3]> = item(parts, "bodies")?.call_method0("tolist")?.extract()?;
    let points: Vec<Vector<D>> = points(parts, "lines")?;
    let lines = points.as_chunks::<3>().0;
    let forces = rows::<3>(parts, "forces")?;
    let mut contacts = Vec::with_capacity(bodies.len());
    for ((&[body, other, wall], &line), &[overlap, normal_force, tangential_force]) in
        bodies.iter().zip(lines).zip(&forces)
    {
        let wrong = || {
            let rule = "the body of a contact is numbered from zero";
            errors::INPUT.with(parts.py(), format!("{rule}, it is {body}"))
        };
        contacts.push(FrameContact {
            body: u32::try_from(body).map_err(|_| wrong())?,
            other: u32::try_from(other).ok(),
            wall: u32::try_from(wall).ok(),
            line,
            overlap,
            normal_force,
            tangential_force,
        });
    }
    Ok(contacts)
}

/// The triangles of walls, for pickling.
pub fn parts_of_walls<'py>(py: Python<'py>, walls: &FrameWalls) -> PyResult<Bound<'py, PyDict>> {
    let corners = walls.corners.as_flattened();
    let counts = walls.loads.iter().map(|load| load.contacts).collect();
    let row = |load: &WallLoad| {
        let [force, torque] = [load.force, load.torque];
        [force.x, force.y, force.z, torque.x, torque.y, torque.z, load.power]
    };
    let loads = walls.loads.iter().flat_map(row).collect();
    let parts = PyDict::new(py);
    parts.set_item("corners", arrays::from_points(py, corners)?)?;
    parts.set_item("walls", PyArray1::from_slice(py, &walls.walls))?;
    parts.set_item("contacts", PyArray1::<u64>::from_vec(py, counts))?;
    parts.set_item("loads", arrays::from_rows(py, loads, 7)?)?;
    Ok(parts)
}

fn walls_of_parts(parts: &Bound<'_, PyDict>) -> PyResult<FrameWalls> {
    let corners: Vec<Vector<3>> = vectors(parts, "corners")?;
    let counts: Vec<u64> = item(parts, "contacts")?.call_method0("tolist")?.extract()?;
    let load = |(contacts, &[fx, fy, fz, tx, ty, tz, power]): (u64, &[f64; 7])| WallLoad {
        contacts,
        force: [fx, fy, fz].into(),
        torque: [tx, ty, tz].into(),
        power,
    };
    Ok(FrameWalls {
        corners: corners.as_chunks::<3>().0.to_vec(),
        walls: indices(parts, "walls")?,
        loads: counts.into_iter().zip(&rows::<7>(parts, "loads")?).map(load).collect(),
    })
}

// -------------------------------------------------------------------- parts

fn item<'py>(parts: &Bound<'py, PyDict>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let missing = || errors::INPUT.with(parts.py(), format!("the frame has no {name}"));
    parts.get_item(name)?.ok_or_else(missing)
}

/// A dict among the parts, or none.
fn dict<'py>(parts: &Bound<'py, PyDict>, name: &str) -> PyResult<Option<Bound<'py, PyDict>>> {
    let part = item(parts, name)?;
    Ok(if part.is_none() { None } else { Some(part.cast_into()?) })
}

fn numbers(parts: &Bound<'_, PyDict>, name: &str) -> PyResult<Vec<f64>> {
    numbers_of(name, &item(parts, name)?)
}

fn numbers_of(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    Ok(arrays::read1(&arrays::row(name, value)?)?.as_array().to_vec())
}

fn indices(parts: &Bound<'_, PyDict>, name: &str) -> PyResult<Vec<u32>> {
    indices_of(name, &item(parts, name)?)
}

fn indices_of(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
    arrays::indices(name, value)?.call_method0("ravel")?.extract()
}

/// Vectors, each a row.
fn vectors<const D: usize>(parts: &Bound<'_, PyDict>, name: &str) -> PyResult<Vec<Vector<D>>> {
    vectors_of(name, &item(parts, name)?)
}

fn vectors_of<const D: usize>(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<Vector<D>>> {
    let numbers = rows_of(name, value, D)?;
    Ok(points_from_rows(&numbers).expect("rows have D numbers").to_vec())
}

/// Vectors, three to a row.
fn points<const D: usize>(parts: &Bound<'_, PyDict>, name: &str) -> PyResult<Vec<Vector<D>>> {
    let numbers = rows_of(name, &item(parts, name)?, 3 * D)?;
    Ok(points_from_rows(&numbers).expect("rows have three times D numbers").to_vec())
}

fn rows<const N: usize>(parts: &Bound<'_, PyDict>, name: &str) -> PyResult<Vec<[f64; N]>> {
    Ok(rows_of(name, &item(parts, name)?, N)?.as_chunks::<N>().0.to_vec())
}

/// The numbers of rows of this width.
fn rows_of(name: &str, value: &Bound<'_, PyAny>, width: usize) -> PyResult<Vec<f64>> {
    let array = arrays::rows(name, "each", value)?;
    if array.shape()[1] != width {
        let sentence = format!("{name} of the frame must have {width} columns");
        return Err(errors::INPUT.with(value.py(), sentence));
    }
    Ok(arrays::read2(&array)?.as_array().iter().copied().collect())
}
