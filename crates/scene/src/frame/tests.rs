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
    let mut region = [Span::Periodic(10.0); D];
    region[1] = Span::Walls(10.0);
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
        shown: None,
        columns: vec![("charge".to_owned(), (0..bodies).map(|index| index as f64).collect())],
    }
}

/// A frame of a brick on its side, a sphere and a clump, or their like in the plane.
pub(crate) fn dice<const D: usize>() -> Frame<D> {
    let scene = if D == 2 {
        "engine = 'steps'\ndimension = 2\nuntil = 1\nbox.size = 10\n\
         [shapes.brick]\npolygon = [[0, 0], [1, 0], [1, 2], [0, 2]]\n\
         [shapes.clump]\nspheres = [[-0.5, 0, 1], [0.5, 0, 1]]\n\
         [[bodies]]\nposition = [2, 3]\nshape = 'brick'\nangle = 90\nvelocity = [3, 4]\n\
         [[bodies]]\nposition = [5, 5]\nradius = 1\n\
         [[bodies]]\nposition = [8, 8]\nshape = 'clump'\n"
    } else {
        "engine = 'steps'\ndimension = 3\nuntil = 1\nbox.size = 10\n\
         [shapes.brick]\nbox = [1, 2, 4]\n\
         [shapes.clump]\nspheres = [[-0.5, 0, 0, 1], [0.5, 0, 0, 1]]\n\
         [[bodies]]\nposition = [2, 3, 4]\nshape = 'brick'\norientation = [0.6, 0.8, 0, 0]\n\
         velocity = [3, 4, 0]\n\
         [[bodies]]\nposition = [5, 5, 5]\nradius = 1\n\
         [[bodies]]\nposition = [8, 8, 8]\nshape = 'clump'\n"
    };
    match crate::Scene::parse(scene, "dice.toml", "".as_ref(), &[]).unwrap() {
        crate::Scene::Plane(scene) => start(&scene),
        crate::Scene::Space(scene) => start(&scene),
    }
}

fn start<const S: usize, const D: usize>(scene: &crate::SceneOf<S>) -> Frame<D> {
    let vector = |vector: &Vector<S>| Vector::from_fn(|axis, _| vector[axis]);
    let bodies = &scene.bodies;
    Frame {
        positions: bodies.iter().map(|body| vector(&body.position)).collect(),
        velocities: bodies.iter().map(|body| vector(&body.velocity)).collect(),
        radii: bodies.iter().map(|body| body.radius).collect(),
        region: [Span::Walls(10.0); D],
        shapes: Some(Shaped {
            list: scene.shapes.clone(),
            of_body: bodies.iter().map(|body| body.shape).collect(),
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
    frame.shapes.as_mut().unwrap().of_body[1] = Some(2);
    let message = frame.check().unwrap_err().to_string();
    assert_eq!(message, "body 1 of the frame has shape 2, but there are 2, from 0");
    // A quaternion that is none leaves the body without a surface.
    let mut frame = dice::<2>();
    frame.shapes.as_mut().unwrap().orientations[0] = [f64::NAN; 4];
    assert!(frame.shape(0).is_none());
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
    frame.region = [Span::Open, Span::Periodic(3.0)];
    assert_eq!(frame.sides().high, Vector::from([0.0, 3.0]));
    frame.positions = vec![Vector::from([5.0, 1.0]), Vector::from([-1.0, 9.0])];
    frame.radii = vec![1.0, 0.5];
    assert_eq!(frame.sides().low, Vector::from([-1.5, 0.0]));
    assert_eq!(frame.sides().high, Vector::from([6.0, 3.0]));
}
