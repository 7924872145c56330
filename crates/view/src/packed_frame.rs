//! Packs a frame into a container.

use crate::columns::{self, FrameColumn};
use crate::container::{Container, ContainerTypedArray, QuantizationScale};
use crate::quantize;
use crate::walls::WallGeometry;
use carom::geometry::Vector;
use carom::io::{Frame, FrameShapes};

/// Shape number of spheres and discs.
const SPHERE_SHAPE: u16 = u16::MAX;
/// Integer for a quaternion component of one.
const UNIT_QUATERNION_COMPONENT: f64 = 32_767.0;

/// A packed frame.
pub struct PackedFrame {
    pub bytes: Vec<u8>,
    /// Columns left out because they have values that are not finite.
    pub dropped_columns: Vec<String>,
}

/// Packs a frame, its columns and the walls at its time.
pub fn pack_frame(frame: &Frame<3>, columns: &[FrameColumn], walls: &WallGeometry) -> PackedFrame {
    let mut container = Container::new(frame.time, frame.len());
    let places: Vec<[f64; 3]> = frame.positions.iter().map(|&place| place.into()).collect();
    let least = frame.radii.iter().copied().filter(|&radius| radius > 0.0).fold(f64::MAX, f64::min);
    let (numbers, scale) = quantize::positions(&places, least);
    container.add("position", 3, &numbers, Some(scale));
    let mut left_out = Vec::new();
    for FrameColumn { name, values } in columns {
        let kept = columns::is_whole(name).then(|| quantize::whole_numbers(values)).flatten();
        let scaled = if *name == "radius" { quantize::radii } else { quantize::scalars };
        if let Some(numbers) = kept {
            container.add(name, 1, &numbers, None);
        } else if let Some((numbers, scale)) = scaled(values) {
            container.add(name, 1, &numbers, Some(scale));
        } else {
            left_out.push((*name).to_owned());
        }
    }
    if let Some(shaped) = &frame.shapes {
        add_shapes(&mut container, shaped);
    }
    add_springs(&mut container, frame);
    for (name, points) in [("wall", &walls.triangles), ("line", &walls.lines)] {
        if !points.is_empty() {
            container.add(name, 3, &points_as_f32(points), None);
        }
    }
    PackedFrame { bytes: container.finish(), dropped_columns: left_out }
}

fn add_shapes(container: &mut Container, shaped: &FrameShapes) {
    let number =
        |shape: &Option<u32>| shape.and_then(|it| u16::try_from(it).ok()).unwrap_or(SPHERE_SHAPE);
    let shapes = shaped.shape_of_body.iter().map(number).collect();
    container.add("shape", 1, &ContainerTypedArray::U16(shapes), None);
    let part = |part: f64| (part * UNIT_QUATERNION_COMPONENT).round() as i16;
    let turns = shaped.orientations.iter().flat_map(|&[w, x, y, z]| [x, y, z, w].map(part));
    container.add("orientation", 4, &ContainerTypedArray::I16(turns.collect()), None);
}

fn add_springs(container: &mut Container, frame: &Frame<3>) {
    let Some(springs) = &frame.springs else { return };
    let ends = springs.ends.as_flattened().to_vec();
    container.add("spring", 2, &ContainerTypedArray::U32(ends), None);
    let strains = quantize::scalars(&springs.strains);
    let none = || {
        let scale = QuantizationScale { low: vec![0.0], step: vec![0.0] };
        (ContainerTypedArray::U16(vec![0; springs.ends.len()]), scale)
    };
    let (numbers, scale) = strains.unwrap_or_else(none);
    container.add("spring.strain", 1, &numbers, Some(scale));
    let broken = springs.are_broken.iter().map(|&broken| u8::from(broken)).collect();
    container.add("spring.broken", 1, &ContainerTypedArray::U8(broken), None);
}

/// Points as 32-bit floats.
pub fn points_as_f32(points: &[Vector<3>]) -> ContainerTypedArray {
    ContainerTypedArray::F32(
        points.iter().flat_map(|&point| <[f64; 3]>::from(point)).map(|it| it as f32).collect(),
    )
}
