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
        columns: vec![("charge".to_owned(), (0..bodies).map(|index| index as f64).collect())],
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
    frame.region = [Span::Open, Span::Periodic(3.0)];
    assert_eq!(frame.sides().high, Vector::from([0.0, 3.0]));
    frame.positions = vec![Vector::from([5.0, 1.0]), Vector::from([-1.0, 9.0])];
    frame.radii = vec![1.0, 0.5];
    assert_eq!(frame.sides().low, Vector::from([-1.5, 0.0]));
    assert_eq!(frame.sides().high, Vector::from([6.0, 3.0]));
}
