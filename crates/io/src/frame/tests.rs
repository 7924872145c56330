use super::examples::{dice, example, solid};
use super::*;

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
