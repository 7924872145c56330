use super::*;

/// A frame of many bodies with numbers of every length, for the tests of this crate.
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
        color_by: None,
        columns: vec![("charge".to_owned(), (0..bodies).map(|index| index as f64).collect())],
    }
}

/// A frame of a brick on its side, a sphere and a clump, or their counterparts in 2D.
pub(crate) fn dice<const D: usize>() -> Frame<D> {
    let scene = if D == 2 {
        "engine = 'dem'\ndimension = 2\nuntil = 1\nbox.size = 10\n\
         [shapes.brick]\npolygon = [[0, 0], [1, 0], [1, 2], [0, 2]]\n\
         [shapes.clump]\nspheres = [[-0.5, 0, 1], [0.5, 0, 1]]\n\
         [[bodies]]\nposition = [2, 3]\nshape = 'brick'\nangle = 90\nvelocity = [3, 4]\n\
         [[bodies]]\nposition = [5, 5]\nradius = 1\n\
         [[bodies]]\nposition = [8, 8]\nshape = 'clump'\n"
    } else {
        "engine = 'dem'\ndimension = 3\nuntil = 1\nbox.size = 10\n\
         [shapes.brick]\nbox = [1, 2, 4]\n\
         [shapes.clump]\nspheres = [[-0.5, 0, 0, 1], [0.5, 0, 0, 1]]\n\
         [[bodies]]\nposition = [2, 3, 4]\nshape = 'brick'\norientation = [0.6, 0.8, 0, 0]\n\
         velocity = [3, 4, 0]\n\
         [[bodies]]\nposition = [5, 5, 5]\nradius = 1\n\
         [[bodies]]\nposition = [8, 8, 8]\nshape = 'clump'\n"
    };
    match crate::AnyScene::parse(scene, "dice.toml", "".as_ref(), &[]).unwrap() {
        crate::AnyScene::TwoD(scene) => start(&scene),
        crate::AnyScene::ThreeD(scene) => start(&scene),
    }
}

fn start<const S: usize, const D: usize>(scene: &crate::Scene<S>) -> Frame<D> {
    let vector = |vector: &Vector<S>| Vector::from_fn(|axis, _| vector[axis]);
    let bodies = &scene.bodies;
    Frame {
        positions: bodies.iter().map(|body| vector(&body.position)).collect(),
        velocities: bodies.iter().map(|body| vector(&body.velocity)).collect(),
        radii: bodies.iter().map(|body| body.radius).collect(),
        region: [AxisExtent::Walls(10.0); D],
        shapes: Some(FrameShapes {
            list: scene.shapes.clone(),
            shape_of_body: bodies.iter().map(|body| body.shape).collect(),
            orientations: bodies.iter().map(|body| body.orientation).collect(),
        }),
        masses: None,
        columns: Vec::new(),
        ..example::<D>(0)
    }
}

#[test]
fn shapes_must_be_there_and_one_per_body() {
    let mut frame = dice::<3>();
    assert_eq!(frame.check(), Ok(()));
    assert!(frame.shape(1).is_none());
    assert_eq!(frame.shape(0).unwrap().0.name, "brick");
    frame.shapes.as_mut().unwrap().orientations.pop();
    let message = frame.check().unwrap_err().to_string();
    assert!(message.contains("2 values of \"orientation\""), "{message}");
    let mut frame = dice::<2>();
    frame.shapes.as_mut().unwrap().shape_of_body[1] = Some(2);
    let message = frame.check().unwrap_err().to_string();
    assert_eq!(message, "body 1 of the frame has shape 2, but there are 2, from 0");
    // An invalid quaternion leaves the body without a surface.
    let mut frame = dice::<2>();
    frame.shapes.as_mut().unwrap().orientations[0] = [f64::NAN; 4];
    assert!(frame.shape(0).is_none());
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
        color_by: Some("strain".to_owned()),
        ..example::<D>(0)
    }
}

#[test]
fn springs_must_join_bodies_that_are_there() {
    let mut frame = solid::<2>(3, 2);
    assert_eq!(frame.check(), Ok(()));
    frame.springs.as_mut().unwrap().are_broken.pop();
    assert_eq!(
        frame.check().unwrap_err().to_string(),
        "the frame has 11 springs but 10 values of \"broken\"; give one per spring"
    );
    let mut frame = solid::<2>(3, 2);
    frame.springs.as_mut().unwrap().strains.push(0.0);
    let message = frame.check().unwrap_err().to_string();
    assert!(message.contains("12 values of \"strain\""), "{message}");
    let mut frame = solid::<3>(3, 2);
    frame.springs.as_mut().unwrap().ends[4] = [0, 6];
    assert_eq!(
        frame.check().unwrap_err().to_string(),
        "spring 4 of the frame ends at body 6, but there are 6, from 0"
    );
}

#[test]
fn what_colors_show_must_be_a_column() {
    for name in ["stress", "speed", ""] {
        let frame = Frame { color_by: Some(name.to_owned()), ..solid::<2>(3, 2) };
        assert_eq!(
            frame.check().unwrap_err().to_string(),
            format!(
                "colors of the frame show \"{name}\"; that must be the name of one of its columns"
            )
        );
    }
}

#[test]
fn a_column_of_another_length_is_named() {
    let mut frame = example::<3>(4);
    assert_eq!(frame.check(), Ok(()));
    frame.radii.pop();
    assert_eq!(
        frame.check().unwrap_err().to_string(),
        "the frame has 4 bodies but 3 values of \"radius\"; give one per body"
    );
    let mut frame = example::<2>(4);
    frame.columns[0].1.push(1.0);
    assert!(frame.check().unwrap_err().to_string().contains("5 values of \"charge\""));
    let mut frame = example::<2>(4);
    frame.masses = Some(vec![]);
    assert!(frame.check().unwrap_err().to_string().contains("0 values of \"mass\""));
}

#[test]
fn a_column_needs_a_plain_name_of_its_own() {
    for name in ["", "a b", "a:b", "é", "Radius", "charge\n", "<id>"] {
        let mut frame = example::<2>(1);
        frame.columns[0].0 = name.to_owned();
        assert!(matches!(frame.check(), Err(FrameProblem::Name { .. })), "{name:?}");
    }
    let mut frame = example::<2>(1);
    frame.columns.push(("Charge".to_owned(), vec![0.0]));
    assert!(frame.check().is_err());
}

#[test]
fn open_axes_span_the_bodies_and_the_others_the_region() {
    let mut frame = example::<2>(0);
    frame.region = [AxisExtent::Open, AxisExtent::Periodic(3.0)];
    assert_eq!(frame.bounds().high, Vector::from([0.0, 3.0]));
    frame.positions = vec![Vector::from([5.0, 1.0]), Vector::from([-1.0, 9.0])];
    frame.radii = vec![1.0, 0.5];
    assert_eq!(frame.bounds().low, Vector::from([-1.5, 0.0]));
    assert_eq!(frame.bounds().high, Vector::from([6.0, 3.0]));
}
