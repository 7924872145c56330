use super::*;
use crate::example_frames::{dice, example, solid};
use carom_geometry::Vector;
use carom_io::AxisExtent;

/// Width, height and pixels of a PNG.
fn decoded(file: &[u8]) -> (usize, usize, Vec<[u8; 3]>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    (info.width as usize, info.height as usize, bytes.as_chunks::<3>().0.to_vec())
}

fn one_body<const D: usize>(position: [f64; D], radius: f64) -> Frame<D> {
    Frame {
        time: 0.0,
        step: 0,
        number: 5,
        region: [AxisExtent::Periodic(10.0); D],
        positions: vec![Vector::from(position)],
        velocities: vec![Vector::zeros()],
        radii: vec![radius],
        masses: None,
        materials: None,
        shapes: None,
        springs: None,
        contacts: None,
        walls: None,
        ids: None,
        color_by: None,
        columns: vec![],
    }
}

/// The page of a square plane is the drawing of 860 pixels, margins of 32 and the legend.
fn pixel_at(file: &[u8], x: f64, y: f64) -> [u8; 3] {
    let (width, _, pixels) = decoded(file);
    let column = (32.0 + 86.0 * x) as usize;
    let row = (32.0 + 860.0 - 86.0 * y) as usize;
    pixels[row * width + column]
}

fn is_dark([red, green, blue]: [u8; 3]) -> bool {
    u32::from(red) + u32::from(green) + u32::from(blue) < 400
}

#[test]
fn a_disc_is_where_it_should_be_and_nowhere_else() {
    let file = png(&one_body([3.0, 7.0], 1.0), None).unwrap();
    for (x, y, expected) in [
        (3.0, 7.0, true),
        (3.9, 7.0, true),
        (4.1, 7.0, false),
        (3.0, 5.9, false),
        (7.0, 3.0, false),
    ] {
        assert_eq!(is_dark(pixel_at(&file, x, y)), expected, "{x} {y}");
    }
}

#[test]
fn a_disc_over_a_periodic_corner_is_seen_in_all_four() {
    let file = png(&one_body([9.9, 0.1], 1.0), None).unwrap();
    for (x, y) in [(0.5, 0.5), (9.5, 0.5), (0.5, 9.5), (9.5, 9.5)] {
        assert!(is_dark(pixel_at(&file, x, y)), "{x} {y}");
    }
    assert!(!is_dark(pixel_at(&file, 5.0, 5.0)));
    let (width, _, pixels) = decoded(&file);
    assert!(!is_dark(pixels[(32 + 430) * width + 20]), "nothing is drawn outside the box");
}

#[test]
fn small_discs_darken_as_much_as_they_cover() {
    let count = 800;
    let lattice = |i: usize| Vector::from([(i % count) as f64, (i / count) as f64]) / 80.0;
    let mut frame = one_body([5.0, 5.0], 1.0);
    frame.positions = (0..count * count).map(lattice).collect();
    frame.velocities = vec![Vector::zeros(); count * count];
    frame.radii = vec![0.00625; count * count];
    let (width, _, pixels) = decoded(&png(&frame, None).unwrap());
    let red = |i: usize| linear(pixels[(432 + i / 86) * width + 432 + i % 86][0]);
    let mean = (0..86 * 86).map(red).sum::<f64>() / (86.0 * 86.0);
    let (ground, ink) = (linear(pixel_of_ground()[0]), f64::from(color_of_rest()[0]));
    let expected = ground + std::f64::consts::FRAC_PI_4 * (ink - ground);
    assert!((mean - expected).abs() < 0.003, "{mean} {expected}");
}

fn pixel_of_ground() -> [u8; 3] {
    pixel_at(&png(&one_body([1.0, 1.0], 0.5), None).unwrap(), 7.0, 7.0)
}

fn color_of_rest() -> [f32; 3] {
    ValueScale::of(&example::<2>(0), None).colors()[0].linear()
}

fn linear(byte: u8) -> f64 {
    let part = f64::from(byte) / 255.0;
    if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
}

#[test]
fn the_nearer_of_two_spheres_hides_the_farther() {
    let mut frame = one_body([5.0, 1.0, 5.0], 1.0);
    frame.positions.push(frame.positions[0] - 4.0 * Vector::from(crate::oblique::TOWARD_VIEWER));
    frame.velocities.push(Vector::from([1.0, 0.0, 0.0]));
    frame.radii.push(1.0);
    frame.region = [AxisExtent::Open; 3];
    let middle = |frame: &Frame<3>| {
        let (width, height, pixels) = decoded(&png(frame, Some(1.0)).unwrap());
        // The drawing is as high as the page without its margins, and square.
        pixels[height / 2 * width + height / 2]
    };
    let [red, _, blue] = middle(&frame);
    assert!(blue > red, "the slow one is blue");
    frame.velocities.swap(0, 1);
    let [red, _, blue] = middle(&frame);
    assert!(red > blue, "the fast one is yellow");
}

#[test]
fn the_picture_does_not_depend_on_the_number_of_threads() {
    let frame = example::<3>(3000);
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| png(&frame, None).unwrap())
    };
    assert!(run(1) == run(3));
}

#[test]
fn nothing_one_point_and_huge_or_senseless_numbers_are_drawn_without_fuss() {
    let mut cases =
        vec![example::<2>(0), one_body([3.0, 4.0], 0.0), one_body([f64::NAN, 0.0], 1.0)];
    cases.push(Frame { region: [AxisExtent::Open; 2], ..one_body([1e100, -1e100], 1e99) });
    cases.push(Frame { region: [AxisExtent::Open; 2], ..one_body([1.0, 1.0], 0.0) });
    cases.push(Frame { region: [AxisExtent::Open; 2], ..example::<2>(0) });
    cases.push(Frame {
        region: [AxisExtent::Walls(1e-9), AxisExtent::Walls(1e9)],
        ..example::<2>(9)
    });
    cases.push(Frame { time: f64::NAN, ..one_body([1.0, 1.0], 1e200) });
    for frame in cases {
        let (width, height, _) = decoded(&png(&frame, None).unwrap());
        assert!((200..1300).contains(&width) && (400..1000).contains(&height), "{width} {height}");
    }
    for frame in [
        example::<3>(0),
        one_body([1.0, 1.0, f64::INFINITY], 1.0),
        Frame { region: [AxisExtent::Open; 3], ..one_body([-1e100, 1e100, 0.0], 1e100) },
        Frame { region: [AxisExtent::Open; 3], ..example::<3>(0) },
    ] {
        for top in [f64::NAN, f64::INFINITY, 5e-324, -1.0] {
            png(&frame, Some(top)).unwrap();
        }
    }
}

#[test]
fn a_frame_that_does_not_hold_together_is_not_drawn() {
    let mut frame = example::<2>(3);
    frame.velocities.pop();
    let text = png(&frame, None).unwrap_err().to_string();
    assert_eq!(text, "the frame has 3 bodies but 2 values of \"velocity\"; give one per body");
}

#[test]
fn shapes_of_the_plane_are_drawn_as_they_are_turned() {
    let mut frame = dice::<2>();
    frame.velocities[0] = Vector::zeros();
    let file = png(&frame, None).unwrap();
    for (x, y, expected) in [
        // A brick of one by two on its side.
        (2.9, 3.4, true),
        (1.1, 2.6, true),
        (2.0, 3.6, false),
        (3.1, 3.0, false),
        // Two discs as one.
        (9.3, 8.0, true),
        (8.0, 8.7, true),
        (8.0, 8.95, false),
        // And a plain one.
        (5.7, 5.7, true),
        (5.8, 5.8, false),
    ] {
        assert_eq!(is_dark(pixel_at(&file, x, y)), expected, "{x} {y}");
    }
}

#[test]
fn faces_are_flat_and_their_edges_darker() {
    let mut frame = dice::<3>();
    frame.shapes.as_mut().unwrap().orientations[0] = [1.0, 0.0, 0.0, 0.0];
    let (width, _, pixels) = decoded(&png(&frame, None).unwrap());
    let mut counts = std::collections::BTreeMap::new();
    let left = pixels.chunks(width).flat_map(|row| &row[..width / 2]);
    for pixel in left.filter(|pixel| **pixel != [255; 3]) {
        *counts.entry(*pixel).or_insert(0) += 1;
    }
    let mut large: Vec<([u8; 3], i32)> = counts.into_iter().collect();
    large.sort_by_key(|(_, count)| -count);
    let sum = |color: [u8; 3]| color.iter().map(|&part| u32::from(part)).sum::<u32>();
    // Three faces of a brick are seen, of one color each.
    let faces: Vec<u32> = large[..3].iter().map(|(color, _)| sum(*color)).collect();
    assert!(large[2].1 > 500, "{:?}", &large[..6]);
    assert!(faces[0] != faces[1] && faces[1] != faces[2] && faces[0] != faces[2], "{faces:?}");
    let darkest = large.iter().map(|(color, _)| sum(*color)).min().unwrap();
    assert!(darkest < *faces.iter().min().unwrap(), "{darkest} {faces:?}");
}

#[test]
fn a_shape_without_orientation_is_left_round() {
    let mut frame = dice::<3>();
    frame.shapes.as_mut().unwrap().orientations[0] = [f64::NAN; 4];
    assert!(png(&frame, None).is_ok());
    let mut frame = dice::<2>();
    frame.shapes.as_mut().unwrap().orientations[0] = [0.0; 4];
    assert!(png(&frame, None).is_ok());
}

/// A solid of ten by ten whose springs over `x = 5` are broken.
fn cracked() -> Frame<2> {
    let mut frame = solid::<2>(10, 10);
    let springs = frame.springs.as_mut().unwrap();
    for (ends, is_broken) in springs.ends.iter().zip(&mut springs.are_broken) {
        let sides = ends.map(|end| end % 10 < 5);
        *is_broken = sides[0] != sides[1];
    }
    frame
}

#[test]
fn solids_are_filled_and_cracks_are_gaps() {
    let ground = pixel_of_ground();
    let (whole, cracked) = (png(&solid::<2>(10, 10), None), png(&cracked(), None));
    let (whole, cracked) = (whole.unwrap(), cracked.unwrap());
    for (x, y) in [(5.0, 5.0), (5.0, 2.5), (5.0, 7.23), (3.0, 3.0), (7.1, 6.9)] {
        assert_ne!(pixel_at(&whole, x, y), ground, "{x} {y}");
        assert_eq!(pixel_at(&cracked, x, y) == ground, x == 5.0, "{x} {y}");
    }
    assert_eq!(pixel_at(&whole, 4.5, 4.6), pixel_at(&whole, 4.5, 4.4), "there are no rims");
}

#[test]
fn solids_have_the_colors_of_the_column_that_is_shown() {
    let mut frame = solid::<2>(10, 10);
    let file = png(&frame, None).unwrap();
    let ([red, _, blue], [other_red, _, other_blue]) =
        (pixel_at(&file, 0.5, 5.0), pixel_at(&file, 9.5, 5.0));
    assert!(blue > red && other_red > other_blue, "pressed at the left and stretched at the right");
    frame.color_by = Some("fragment".to_owned());
    let file = png(&frame, None).unwrap();
    assert_eq!(pixel_at(&file, 0.5, 5.0), pixel_at(&file, 9.5, 5.0));
}

#[test]
fn a_spring_over_a_periodic_side_is_seen_at_both() {
    let mut frame = solid::<2>(10, 1);
    let springs = frame.springs.as_mut().unwrap();
    springs.ends.push([9, 0]);
    springs.strains.push(0.0);
    springs.are_broken.push(false);
    let ground = pixel_of_ground();
    let walled = png(&frame, None).unwrap();
    frame.region[0] = AxisExtent::Periodic(10.0);
    let periodic = png(&frame, None).unwrap();
    for x in [0.06, 9.94] {
        assert_ne!(pixel_at(&periodic, x, 0.5), ground, "{x}");
    }
    assert_eq!(pixel_at(&walled, 0.06, 0.5), ground);
}

#[test]
fn senseless_places_and_numbers_of_solids_are_drawn_without_fuss() {
    let mut frame = cracked();
    frame.positions[3] = Vector::from([f64::NAN, 1.0]);
    frame.positions[4] = Vector::from([1e300, -1e300]);
    frame.radii[5] = f64::INFINITY;
    for values in [f64::NAN, f64::INFINITY, -1e300, 1e300] {
        for name in ["strain", "fragment", "damage", "Other_1"] {
            frame.columns = vec![(name.to_owned(), vec![values; 100])];
            frame.color_by = Some(name.to_owned());
            png(&frame, None).unwrap();
        }
    }
}
