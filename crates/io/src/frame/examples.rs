//! Frames for tests, those of carom-render too.

use super::{AxisExtent, Frame, FrameShapes, FrameSprings};
use carom_geometry::shape::ConvexPolyhedron;
use carom_geometry::{Sphere, Vector};
use carom_simulate::shape::{Shape, ShapeRepresentation};
use std::f64::consts::FRAC_1_SQRT_2;
use std::sync::Arc;

/// A frame of many bodies with numbers of every length.
pub(crate) fn example<const D: usize>(bodies: usize) -> Frame<D> {
    let number = |index: usize, salt: usize| {
        let hash = ((index * 8 + salt) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let hash = (hash ^ (hash >> 31)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let hash = (hash ^ (hash >> 29)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (hash >> 11) as f64 / (1u64 << 53) as f64
    };
    let vector = |index, salt, scale: f64| {
        Vector::from_fn(|axis, _| {
            scale * (number(index, salt + axis) - if salt > 0 { 0.5 } else { 0.0 })
        })
    };
    let mut region = [AxisExtent::Periodic(10.0); D];
    region[1] = AxisExtent::Walls(10.0);
    Frame {
        time: 0.1 + 0.2,
        step: 123_456_789_012,
        number: 5,
        region,
        positions: (0..bodies).map(|index| vector(index, 0, 10.0)).collect(),
        velocities: (0..bodies).map(|index| vector(index, 3, 2.0)).collect(),
        radii: (0..bodies).map(|index| 0.1 + 0.3 * number(index, 6)).collect(),
        masses: Some((0..bodies).map(|index| 1.0 + number(index, 7)).collect()),
        materials: None,
        shapes: None,
        springs: None,
        contacts: None,
        walls: None,
        ids: None,
        color_by: None,
        columns: vec![("charge".to_owned(), (0..bodies).map(|index| index as f64).collect())],
    }
}

/// A frame of a brick on its side, a sphere and a clump, or their counterparts in 2D.
pub(crate) fn dice<const D: usize>() -> Frame<D> {
    let vector = |numbers: [f64; 3]| Vector::from_fn(|axis, _| numbers[axis]);
    let brick = shape::<D>("brick", ShapeRepresentation::Convex(Arc::new(brick::<D>())));
    let pair = [-0.5, 0.5].map(|x| Sphere::new([x, 0.0, 0.0], 1.0));
    let clump = shape::<D>("clump", ShapeRepresentation::Spheres(pair.to_vec()));
    let on_its_side =
        if D == 2 { [FRAC_1_SQRT_2, 0.0, 0.0, FRAC_1_SQRT_2] } else { [0.6, 0.8, 0.0, 0.0] };
    let upright = [1.0, 0.0, 0.0, 0.0];
    Frame {
        positions: [[2.0, 3.0, 4.0], [5.0; 3], [8.0; 3]].map(vector).to_vec(),
        velocities: [[3.0, 4.0, 0.0], [0.0; 3], [0.0; 3]].map(vector).to_vec(),
        radii: vec![brick.radius, 1.0, clump.radius],
        region: [AxisExtent::Walls(10.0); D],
        shapes: Some(FrameShapes {
            list: vec![brick, clump],
            shape_of_body: vec![Some(0), None, Some(1)],
            orientations: vec![on_its_side, upright, upright],
        }),
        masses: None,
        columns: Vec::new(),
        ..example::<D>(0)
    }
}

fn shape<const D: usize>(name: &str, form: ShapeRepresentation) -> Shape {
    Shape::centered::<D>(name.to_owned(), form, None).unwrap()
}

/// A brick of edges 1, 2 and 4; in 2D a prism over a rectangle of edges 1 and 2, as high as its diagonal.
fn brick<const D: usize>() -> ConvexPolyhedron {
    let edges = [1.0, 2.0, if D == 2 { 5f64.sqrt() } else { 4.0 }];
    let side = |corner: usize, axis: usize| if corner >> axis & 1 == 0 { -0.5 } else { 0.5 };
    let corner = |corner: usize| Vector::from_fn(|axis, _| side(corner, axis) * edges[axis]);
    ConvexPolyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>()).unwrap()
}

/// A solid of `columns` by `rows` bodies at a distance of one, at rest, joined along axes and diagonals to their
/// neighbors; its strain rises from -0.02 at the left to 0.02 at the right.
pub(crate) fn solid<const D: usize>(columns: usize, rows: usize) -> Frame<D> {
    let count = columns * rows;
    let place = |index: usize| [index % columns, index / columns];
    let position = |index: usize| {
        let place = place(index);
        Vector::from_fn(|axis, _| if axis < 2 { place[axis] as f64 + 0.5 } else { 0.0 })
    };
    let mut springs = FrameSprings::default();
    for (first, second) in (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j))) {
        let ([x, y], [other_x, other_y]) = (place(first), place(second));
        if x.abs_diff(other_x) <= 1 && y.abs_diff(other_y) <= 1 {
            springs.ends.push([first as u32, second as u32]);
            springs.strains.push(0.0);
            springs.are_broken.push(false);
        }
    }
    let strain = |index: usize| 0.04 * (place(index)[0] as f64 / (columns - 1) as f64 - 0.5);
    Frame {
        region: [AxisExtent::Walls(10.0); D],
        positions: (0..count).map(position).collect(),
        velocities: vec![Vector::zeros(); count],
        radii: vec![0.5; count],
        masses: None,
        springs: Some(springs),
        columns: vec![
            ("strain".to_owned(), (0..count).map(strain).collect()),
            ("fragment".to_owned(), vec![0.0; count]),
        ],
        ids: None,
        color_by: Some("strain".to_owned()),
        ..example::<D>(0)
    }
}
