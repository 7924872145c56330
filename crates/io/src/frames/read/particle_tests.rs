//! Frames and runs read as particles and as bodies.

use super::super::{FrameColumns, FrameSeries, FrameWriteOptions, write_frame, write_frame_as};
use super::*;
use crate::frame::examples::{dice, example};
use crate::{AxisExtent, ParticleSet, Particles, read_bodies, read_particles, read_points};
use carom_geometry::{Boundary, Sphere};
use std::fs;

fn set_of<const D: usize>(frame: &Frame<D>) -> ParticleSet<D> {
    let bodies = frame.positions.iter().zip(&frame.radii);
    let periods = std::array::from_fn(|axis| frame.region[axis].period());
    ParticleSet {
        spheres: bodies.map(|(&center, &radius)| Sphere { center, radius }).collect(),
        boundary: Boundary::periodic(periods).unwrap(),
    }
}

/// A results folder with these frames.
fn run(frames: &[Frame<3>], format: FrameFormat, compressed: bool) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let series = FrameSeries::create(folder.path(), &[format]).unwrap();
    let mut series = series.compressed(compressed);
    frames.iter().for_each(|frame| series.write(frame).unwrap());
    folder
}

#[test]
fn frames_of_every_format_are_particles_with_their_box() {
    for format in FrameFormat::ALL {
        for compressed in [false, true] {
            let how = FrameWriteOptions { columns: FrameColumns::only([]), compressed };
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join(format!("frame.{}", format.extension()));
            let mut bytes = Vec::new();
            let mut discs = example::<2>(40);
            discs.region[0] = AxisExtent::Periodic(40.0);
            write_frame_as(&mut bytes, &discs, format, &how).unwrap();
            fs::write(&path, &bytes).unwrap();
            let expected = Particles::Discs(set_of(&discs));
            assert_eq!(read_particles(&path).unwrap(), expected, "{format:?} {compressed}");
            let message = read_points(&path).unwrap_err().to_string();
            assert!(message.ends_with("points in space need a third coordinate"), "{message}");
            let mut spheres = example::<3>(40);
            spheres.region =
                [AxisExtent::Walls(10.0), AxisExtent::Periodic(30.0), AxisExtent::Open];
            bytes.clear();
            write_frame_as(&mut bytes, &spheres, format, &how).unwrap();
            fs::write(&path, &bytes).unwrap();
            assert_eq!(read_particles(&path).unwrap(), Particles::Spheres(set_of(&spheres)));
            assert_eq!(read_points(&path).unwrap(), spheres.positions);
            // By its content, whatever it is called.
            let other = folder.path().join("frame.txt");
            fs::write(&other, &bytes).unwrap();
            assert_eq!(read_particles(&other).unwrap(), Particles::Spheres(set_of(&spheres)));
        }
    }
}

#[test]
fn a_folder_of_results_is_one_of_its_frames() {
    let frames: Vec<Frame<3>> = (0..5)
        .map(|number| Frame { time: 0.25 * f64::from(number), ..example(3 + number as usize) })
        .collect();
    for format in FrameFormat::ALL {
        for compressed in [false, true] {
            let folder = run(&frames, format, compressed);
            let path = folder.path().to_str().unwrap();
            for (moment, frame) in [
                ("", 4),
                ("@last", 4),
                ("@first", 0),
                ("@2", 2),
                ("@t=0.5", 2),
                ("@t=0.6", 2),
                ("@t=0.63", 3),
                ("@t=-7", 0),
                ("@t=99", 4),
            ] {
                let found = read_particles(format!("{path}{moment}").as_ref()).unwrap();
                assert_eq!(found, Particles::Spheres(set_of(&frames[frame])), "{moment}");
            }
            let message = |moment: &str| {
                let refused = read_particles(format!("{path}{moment}").as_ref()).unwrap_err();
                refused.to_string().replace(path, "RUN")
            };
            assert_eq!(message("@9"), "RUN has no frame 9; its frames are 0 to 4");
            assert_eq!(
                message("@end"),
                "RUN@end names no frame; write RUN, RUN@last, RUN@first, RUN@12 for a number or \
                 RUN@t=0.5 for a time"
            );
        }
    }
}

#[test]
fn bodies_of_a_frame_have_all_that_a_scene_can_use() {
    for format in FrameFormat::ALL {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(format!("frame.{}", format.extension()));
        let mut frame = dice::<3>();
        let count = frame.len();
        let numbers = |first: f64| (0..count).map(|body| first + body as f64).collect::<Vec<f64>>();
        frame.masses = Some(numbers(1.0));
        frame.columns = [
            "angular_velocity_x",
            "angular_velocity_y",
            "angular_velocity_z",
            "pressure",
            "strain",
        ]
        .map(|name| (name.to_owned(), numbers(0.5)))
        .into();
        let mut bytes = Vec::new();
        write_frame(&mut bytes, &frame, format).unwrap();
        fs::write(&path, &bytes).unwrap();
        let found = read_bodies(&path).unwrap();
        assert_eq!(found.masses, frame.masses, "{format:?}");
        assert_eq!(found.angular_velocities.unwrap()[1], [1.5; 3]);
        let shaped = frame.shapes.as_ref().unwrap();
        assert_eq!(found.shapes.as_ref(), Some(&shaped.shape_of_body));
        assert_eq!(found.orientations.as_ref(), Some(&shaped.orientations));
        let velocities: Vec<Vector<3>> =
            found.velocities.unwrap().into_iter().map(Vector::from).collect();
        assert_eq!(velocities, frame.velocities);
        frame.columns.push(("charge".to_owned(), numbers(0.0)));
        bytes.clear();
        write_frame(&mut bytes, &frame, format).unwrap();
        fs::write(&path, &bytes).unwrap();
        let message = read_bodies(&path).unwrap_err().to_string();
        assert!(message.contains("column \"charge\"") && message.ends_with("leave it out"));
    }
}

#[test]
fn a_dump_of_lammps_itself_is_particles() {
    let text = "ITEM: UNITS\nlj\nITEM: TIMESTEP\n500\nITEM: NUMBER OF ATOMS\n2\n\
                ITEM: BOX BOUNDS pp pp ff\n-2 2\n-3 3\n0 9\n\
                ITEM: ATOMS id type diameter x y z omegax\n2 1 1.0 0.5 0.25 4 0\n1 1 3.0 1 2 3 7\n";
    let found = parse_frame_particles(text.as_bytes(), "a.dump".as_ref(), FrameFormat::Lammps);
    // In the order of their numbers.
    let spheres = vec![Sphere::new([1.0, 2.0, 3.0], 1.5), Sphere::new([0.5, 0.25, 4.0], 0.5)];
    let boundary = Boundary::periodic([Some(4.0), Some(6.0), None]).unwrap();
    assert_eq!(found.unwrap(), Particles::Spheres(ParticleSet { spheres, boundary }));
    let unsized_text = text.replace("diameter", "q");
    let refused =
        parse_frame_particles(unsized_text.as_bytes(), "a.dump".as_ref(), FrameFormat::Lammps);
    assert_eq!(
        refused.unwrap_err().to_string(),
        "a.dump has no \"radius\", which is needed here; write frames with it (output.columns)"
    );
}

#[test]
fn a_dump_of_the_plane_is_discs_and_words_in_it_are_passed_over() {
    let text = "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n2\n\
                ITEM: BOX BOUNDS pp pp pp\n0 4\n0 4\n-0.25 0.25\n\
                ITEM: ATOMS id element radius x y z\n1 Si 0.5 1 1 0\n2 O 0.5 2 2 0\n";
    let read =
        |text: &str| parse_frame_particles(text.as_bytes(), "a".as_ref(), FrameFormat::Lammps);
    let discs = |found| matches!(found, Ok(Particles::Discs(set)) if set.spheres.len() == 2);
    assert!(discs(read(text)));
    assert!(matches!(read(&text.replace("2 2 0", "2 2 0.1")), Ok(Particles::Spheres(_))));
    let materials = text.replace("element", "type").replace("Si", "1").replace("2 O", "2 0");
    let refused = parse_bodies(materials.as_bytes(), "a".as_ref(), FrameFormat::Lammps);
    let refused = refused.unwrap_err().to_string();
    assert!(refused.ends_with("\"material\" is -1.0 somewhere"), "{refused}");
}

#[test]
fn the_extent_of_bodies_is_no_box() {
    let mut frame = example::<2>(40);
    frame.columns.clear();
    for format in [FrameFormat::Vtk, FrameFormat::Lammps] {
        for (side, size) in
            [(AxisExtent::Open, None), (AxisExtent::Walls(50.0), Some([50.0, 60.0, 0.0]))]
        {
            frame.region = [side, AxisExtent::Periodic(60.0)];
            let mut bytes = Vec::new();
            write_frame(&mut bytes, &frame, format).unwrap();
            let found = parse_bodies(&bytes, "frame".as_ref(), format);
            assert_eq!(found.unwrap().size.map(|[x, y, _]| [x, y]), size.map(|[x, y, _]| [x, y]));
        }
    }
}

#[test]
fn columns_that_were_left_out_are_reported() {
    let frame = example::<3>(4);
    for format in FrameFormat::ALL {
        let mut bytes = Vec::new();
        let how = FrameWriteOptions {
            columns: FrameColumns::only(["mass".to_owned()]),
            compressed: false,
        };
        write_frame_as(&mut bytes, &frame, format, &how).unwrap();
        let message = parse_frame(&bytes, "frame".as_ref(), format, &[]).unwrap_err().to_string();
        assert_eq!(
            message,
            "frame has no \"velocity\", which is needed here; write frames with it (output.columns)"
        );
        let how = FrameWriteOptions { columns: FrameColumns::only(["velocity".to_owned()]), ..how };
        bytes.clear();
        write_frame_as(&mut bytes, &frame, format, &how).unwrap();
        let found = parse_frame(&bytes, "frame".as_ref(), format, &[]).unwrap();
        assert_eq!((found.velocities, found.columns), (frame.velocities.clone(), vec![]));
        assert_eq!(found.masses, None);
    }
}

#[test]
fn compressed_frames_are_smaller_and_read_back_to_the_bit() {
    let frame = example::<3>(5000);
    for format in FrameFormat::ALL {
        let sizes = [false, true].map(|compressed| {
            let folder = run(std::slice::from_ref(&frame), format, compressed);
            let frames = recorded_frames(folder.path()).unwrap();
            let mut found = frames[0].read(&[]).unwrap();
            assert_eq!(frames[0].header().unwrap().bodies, 5000);
            (found.step, found.region, found.number) = (frame.step, frame.region, frame.number);
            assert_eq!(found, frame, "{format:?}");
            let name = frames[0].path.to_str().unwrap();
            assert_eq!(name.ends_with(".gz"), compressed && format != FrameFormat::Vtk);
            fs::metadata(&frames[0].path).unwrap().len()
        });
        assert!(4 * sizes[1] < 3 * sizes[0], "{format:?} {sizes:?}");
    }
}

#[test]
fn a_compressed_frame_that_is_cut_is_refused() {
    for format in FrameFormat::ALL {
        let folder = run(&[example(50)], format, true);
        let frame = recorded_frames(folder.path()).unwrap().remove(0);
        let whole = fs::read(&frame.path).unwrap();
        for end in [0, 1, 2, 20, whole.len() / 2, whole.len() - 1] {
            fs::write(&frame.path, &whole[..end]).unwrap();
            let message = frame.read(&[]).unwrap_err().to_string();
            assert!(!message.contains(char::is_control), "{message:?}");
            assert!(frame.particles().is_err(), "{format:?} {end}");
        }
    }
}

/// A terminal would execute them.
#[test]
fn control_characters_of_frames_are_escaped_in_messages() {
    let mut frame = example::<3>(3);
    frame.columns.truncate(1);
    frame.columns[0].0 = "evil_name".to_owned();
    for format in [FrameFormat::Vtk, FrameFormat::Lammps] {
        let mut bytes = Vec::new();
        write_frame_as(&mut bytes, &frame, format, &FrameWriteOptions::default()).unwrap();
        let place = bytes.windows(9).position(|name| name == b"evil_name").unwrap();
        bytes[place + 4] = 0x1b;
        let refused = parse_bodies(&bytes, "a\u{7}".as_ref(), format).unwrap_err().to_string();
        assert!(refused.starts_with("a\\u{7} has a column \"evil\\u{1b}name\""), "{refused}");
    }
}
