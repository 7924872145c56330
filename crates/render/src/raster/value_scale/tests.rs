use super::*;
use crate::example_frames::{example, solid};
use carom_geometry::Vector;

fn moving(speeds: &[f64]) -> Frame<2> {
    let mut frame = example::<2>(speeds.len());
    frame.velocities = speeds.iter().map(|&speed| Vector::from([0.0, -speed])).collect();
    frame
}

fn showing(name: &str, values: &[f64]) -> Frame<2> {
    let columns = vec![(name.to_owned(), values.to_vec())];
    Frame { color_by: Some(name.to_owned()), columns, ..example::<2>(values.len()) }
}

#[test]
fn one_bullet_does_not_make_the_others_dark() {
    let mut speeds = vec![1.0; 1000];
    speeds[3] = 500.0;
    let scale = ValueScale::of(&moving(&speeds), None);
    assert_eq!((scale.name.as_str(), scale.kind), ("speed", ColormapKind::Sequential));
    assert_eq!((scale.top, scale.open_ended), (1.0, true));
    assert_eq!(scale.shade(3), SHADES - 1);
}

#[test]
fn the_scale_of_a_series_can_be_fixed() {
    let scale = ValueScale::of(&moving(&[0.0, 1.0]), Some(2.0));
    assert_eq!((scale.top, scale.open_ended), (2.0, false));
    assert_eq!((scale.shade(0), scale.shade(1)), (0, SHADES / 2));
}

#[test]
fn bodies_at_rest_or_none_at_all_have_a_scale() {
    for speeds in [&[][..], &[0.0, 0.0], &[f64::NAN]] {
        assert_eq!(ValueScale::of(&moving(speeds), None).top, 1.0);
    }
}

#[test]
fn noise_of_rounding_is_rest() {
    let noise = moving(&[1e-17, 3e-16, 2e-17]);
    let scale = ValueScale::of(&noise, None);
    assert_eq!((scale.top, scale.open_ended, scale.shade(1)), (1.0, false, 0));
    // Slow is not at rest, nor is what a user gave at the start.
    assert_eq!(ValueScale::of(&moving(&[1e-9; 3]), None).top, 1e-9);
    assert_eq!(ValueScale::of(&Frame { time: 0.0, ..noise }, None).top, 3e-16);
    let mut strained = solid::<2>(3, 2);
    let mut shades = |strain: f64| {
        strained.columns[0].1 = vec![0.0, strain, -strain, 0.0, 0.0, 0.0];
        let scale = ValueScale::of(&strained, None);
        [0, 1, 2].map(|body| scale.shade(body))
    };
    assert_eq!(shades(1e-16), [SHADES / 2; 3]);
    assert_eq!(shades(1e-9), [SHADES / 2, SHADES - 1, 0]);
}

#[test]
fn strains_are_red_and_blue_on_both_sides_of_gray() {
    let scale = ValueScale::of(&showing("strain", &[0.0, 0.02, -0.01, f64::NAN]), None);
    assert_eq!((scale.kind, scale.bottom(), scale.top), (ColormapKind::Diverging, -0.02, 0.02));
    let colors = scale.colors();
    let [red, green, blue] = colors[scale.shade(1)].linear();
    assert!(red > 3.0 * blue && red > 3.0 * green);
    let [red, _, blue] = colors[scale.shade(2)].linear();
    assert!(blue > 1.5 * red);
    for body in [0, 3] {
        let [red, green, blue] = colors[scale.shade(body)].linear();
        assert!((red - blue).abs() < 0.02 && (red - green).abs() < 0.02);
    }
}

#[test]
fn one_torn_spring_does_not_make_the_others_gray() {
    let mut strains = vec![-0.01; 1000];
    strains[7] = 5.0;
    let scale = ValueScale::of(&showing("strain", &strains), None);
    assert_eq!((scale.top, scale.open_ended), (0.01, true));
    assert_eq!((scale.shade(7), scale.shade(8)), (SHADES - 1, 0));
}

#[test]
fn damage_goes_from_none_to_all_whatever_there_is() {
    let scale = ValueScale::of(&showing("damage", &[0.0, 0.2]), Some(0.3));
    assert_eq!((scale.kind, scale.top, scale.open_ended), (ColormapKind::Fraction, 1.0, false));
    assert_eq!((scale.shade(0), scale.shade(1)), (0, 51));
}

#[test]
fn neighboring_fragments_differ_and_every_solid_has_its_own() {
    let mut frame = showing("fragment", &[0.0, 1.0, 2.0, 0.0, 1.0, 255.0]);
    assert_eq!(ValueScale::of(&frame, None).kind, ColormapKind::Categorical(4));
    frame.columns.push(("solid".to_owned(), vec![0.0, 0.0, 0.0, 1.0, 1.0, 1.0]));
    let scale = ValueScale::of(&frame, None);
    assert_eq!(scale.kind, ColormapKind::Categorical(6));
    assert_eq!([0, 1, 2, 3, 5].map(|body| scale.shade(body)), [0, 1, 2, 0, 1]);
    let colors = scale.colors();
    for pair in colors.windows(2) {
        let [one, other] = [pair[0].linear(), pair[1].linear()];
        let difference: f32 = (0..3).map(|part| (one[part] - other[part]).abs()).sum();
        assert!(difference > 0.2, "{pair:?}");
    }
}

#[test]
fn other_columns_rise_from_zero_or_go_both_ways() {
    assert_eq!(
        ValueScale::of(&showing("charge", &[0.0, 2.0]), None).kind,
        ColormapKind::Sequential
    );
    let scale = ValueScale::of(&showing("charge", &[-1.0, 2.0]), None);
    assert_eq!((scale.kind, scale.bottom()), (ColormapKind::Diverging, -2.0));
}

#[test]
fn clusters_are_groups_and_the_largest_is_gray() {
    let scale = ValueScale::of(&showing("cluster", &[0.0, 2.0, 1.0, 0.0]), None);
    assert_eq!(scale.kind, ColormapKind::Categorical(3));
    assert_eq!([0, 1, 2, 3].map(|body| scale.shade(body)), [0, 2, 1, 0]);
    let pressed = ValueScale::of(&showing("pressure", &[0.0, 3.0]), None);
    assert_eq!((pressed.kind, pressed.bottom()), (ColormapKind::Sequential, 0.0));
    let pulled = ValueScale::of(&showing("pressure", &[-1.0, 3.0]), None);
    assert_eq!((pulled.kind, pulled.bottom()), (ColormapKind::Diverging, -3.0));
}
