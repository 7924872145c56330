use super::super::{write_frame, write_springs_vtp};
use super::*;
use crate::AxisExtent;
use crate::frame::examples::{dice, example, solid};
use std::fs;

/// A frame written and read again.
fn again<const D: usize>(frame: &Frame<D>, format: FrameFormat) -> Result<Frame<3>, Error> {
    let mut bytes = Vec::new();
    write_frame(&mut bytes, frame, format).unwrap();
    let shapes = frame.shapes.as_ref().map_or(Vec::new(), |shaped| shaped.list.clone());
    read(&bytes, format, &shapes)
}

fn read(bytes: &[u8], format: FrameFormat, shapes: &[Shape]) -> Result<Frame<3>, Error> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("frame");
    fs::write(&path, bytes).unwrap();
    let run = folder.path().to_owned();
    RecordedFrame { number: 5, run, path, format, springs: None }.read(shapes)
}

#[test]
fn what_is_written_in_any_format_is_read_back_to_the_bit() {
    for format in FrameFormat::ALL {
        let mut frame = example::<3>(300);
        frame.materials = Some((0..300).map(|i| i % 3).collect());
        let mut found = again(&frame, format).unwrap();
        if format == FrameFormat::Vtk {
            found.step = frame.step;
        }
        assert_eq!(found, frame, "{format:?}");
        let frame = dice::<3>();
        let found = again(&frame, format).unwrap();
        assert_eq!(found.shapes, frame.shapes, "{format:?}");
        assert_eq!(found.positions, frame.positions);
    }
}

#[test]
fn ids_of_bodies_that_are_not_their_indices_are_read_from_vtk() {
    let ids = [0, 2, 3, 4_000_000_000].to_vec();
    let frame = Frame { ids: Some(ids), ..example::<3>(4) };
    assert_eq!(again(&frame, FrameFormat::Vtk).unwrap().ids, frame.ids);
    let frame = Frame { ids: Some(vec![0, 1, 2, 3]), ..frame };
    assert_eq!(again(&frame, FrameFormat::Vtk).unwrap().ids, None);
}

#[test]
fn discs_come_back_at_height_zero_and_their_box_is_open_there() {
    for format in FrameFormat::ALL {
        let frame = example::<2>(50);
        let found = again(&frame, format).unwrap();
        assert_eq!(found.region[2], AxisExtent::Open, "{format:?}");
        for (disc, there) in frame.positions.iter().zip(&found.positions) {
            assert_eq!([disc.x, disc.y, 0.0], [there.x, there.y, there.z]);
        }
    }
}

#[test]
fn springs_are_read_from_the_file_beside() {
    let frame = solid::<3>(4, 3);
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("frames")).unwrap();
    let write = |name: &str, bytes: &[u8]| {
        fs::write(folder.path().join("frames").join(name), bytes).unwrap();
    };
    let (mut bodies, mut springs) = (Vec::new(), Vec::new());
    write_frame(&mut bodies, &frame, FrameFormat::Vtk).unwrap();
    write_springs_vtp(&mut springs, &frame).unwrap();
    write("frame_000002.vtp", &bodies);
    write("frame_000002.xyz", b"");
    write("springs_000002.vtp", &springs);
    write("surfaces_000002.vtp", b"");
    write("frame_2.vtp", b"");
    let frames = recorded_frames(folder.path()).unwrap();
    assert_eq!(frames.len(), 1);
    assert_eq!(frames[0].read(&[]).unwrap().springs, frame.springs);
    let head = frames[0].header().unwrap();
    assert_eq!(head, FrameHeader { time: frame.time, bodies: 12 });
    // Cut short, and of another frame.
    write("springs_000002.vtp", &springs[..springs.len() - 200]);
    let message = frames[0].read(&[]).unwrap_err().to_string();
    assert!(message.contains("springs_000002.vtp is cut short"), "{message}");
    let mut other = Vec::new();
    write_springs_vtp(&mut other, &solid::<3>(5, 3)).unwrap();
    write("springs_000002.vtp", &other);
    let message = frames[0].read(&[]).unwrap_err().to_string();
    assert!(message.contains("but there are 12, from 0"), "{message}");
}

#[test]
fn a_frame_cut_anywhere_is_refused_in_one_sentence() {
    for format in FrameFormat::ALL {
        let mut bytes = Vec::new();
        write_frame(&mut bytes, &example::<3>(20), format).unwrap();
        for length in (0..bytes.len()).step_by(7).chain([bytes.len() - 1]) {
            let error = read(&bytes[..length], format, &[]).unwrap_err().to_string();
            assert!(error.contains("frame ") && !error.contains('\n'), "{error}");
        }
    }
}

#[test]
fn a_text_with_more_than_it_should_have_is_refused() {
    for format in [FrameFormat::Xyz, FrameFormat::Lammps] {
        let mut bytes = Vec::new();
        write_frame(&mut bytes, &example::<3>(4), format).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let last = text.lines().last().unwrap();
        for (damaged, wanted) in [
            (text.replace(last, &format!("{last} 7.0")), "the end of the line"),
            (format!("{text}{last}\n"), "the end of the frame"),
        ] {
            let message = read(damaged.as_bytes(), format, &[]).unwrap_err().to_string();
            assert!(message.contains(wanted), "{message}");
        }
    }
    let mut bytes = Vec::new();
    write_frame(&mut bytes, &example::<3>(4), FrameFormat::Lammps).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    for (row, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with("ITEM")) {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines[row] = format!("{line} 3");
        let damaged = lines.join("\n") + "\n";
        let message = read(damaged.as_bytes(), FrameFormat::Lammps, &[]).unwrap_err().to_string();
        assert!(message.contains("line") || message.contains("number"), "{row} {message}");
    }
}

#[test]
fn arrays_that_lie_upon_each_other_take_no_memory() {
    let mut bytes = Vec::new();
    write_frame(&mut bytes, &example::<3>(50), FrameFormat::Vtk).unwrap();
    let place = bytes.windows(13).position(|it| it == b"</PointData>\n").unwrap();
    let (head, rest) = bytes.split_at(place);
    let array = r#"<DataArray type="Float64" Name="NAME" NumberOfComponents="1" format="appended" offset="0"/>"#;
    let more: String = (0..60).map(|k| array.replace("NAME", &format!("more{k}"))).collect();
    let message = read(&[head, more.as_bytes(), rest].concat(), FrameFormat::Vtk, &[]);
    let message = message.unwrap_err().to_string();
    assert!(message.contains("what it counts"), "{message}");
}

#[test]
fn what_is_wrong_is_said() {
    let mut frame = example::<3>(3);
    frame.positions[1].y = f64::NAN;
    for format in FrameFormat::ALL {
        let message = again(&frame, format).unwrap_err().to_string();
        assert!(message.ends_with("body 1 has y = NaN; it must be a finite number"), "{message}");
        let message = read(b"", format, &[]).unwrap_err().to_string();
        assert!(message.contains("is empty"), "{message}");
        for bytes in [&b"GIF89a"[..], b"<?xml version=\"1.0\"?>", b"3\n\n", &[0xff; 99]] {
            let message = read(bytes, format, &[]).unwrap_err().to_string();
            assert!(message.contains("frame ") && !message.contains('\n'), "{message}");
        }
    }
    let frame = dice::<3>();
    let mut bytes = Vec::new();
    write_frame(&mut bytes, &frame, FrameFormat::Xyz).unwrap();
    let one = &frame.shapes.unwrap().list[..1];
    let message = read(&bytes, FrameFormat::Xyz, one).unwrap_err().to_string();
    assert!(message.contains("body 2 has shape 1, and there are 1, from 0"), "{message}");
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    for format in FrameFormat::ALL {
        for (x, radius, said) in [
            (1.0, -0.5, "body 1 has radius = -0.5; it must not be negative"),
            (1e308, 0.5, "body 1 has x = 1e308; nothing beyond 1e18 can be shown"),
        ] {
            let mut frame = example::<3>(3);
            (frame.positions[1].x, frame.radii[1]) = (x, radius);
            let message = again(&frame, format).unwrap_err().to_string();
            assert!(message.ends_with(said), "{format:?} {message}");
        }
        let mut frame = dice::<3>();
        frame.shapes.as_mut().unwrap().orientations[1] = [0.0; 4];
        let message = again(&frame, format).unwrap_err().to_string();
        assert!(message.ends_with("the orientation of body 1 is not a unit quaternion"));
        let path = tempfile::tempdir().unwrap();
        let (run, path) = (path.path().to_owned(), path.path().to_owned());
        let folder = RecordedFrame { number: 0, run, path, format, springs: None };
        for message in [folder.read(&[]).unwrap_err(), folder.header().unwrap_err()] {
            assert!(message.to_string().contains("cannot be read: it is a folder"), "{message}");
        }
    }
}

#[test]
fn a_damaged_byte_never_ends_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("frame");
    for format in FrameFormat::ALL {
        let mut bytes = Vec::new();
        write_frame(&mut bytes, &example::<2>(5), format).unwrap();
        for place in 0..bytes.len() {
            for value in [0, b' ', b'9', b'"', 0xff] {
                let mut damaged = bytes.clone();
                damaged[place] = value;
                fs::write(&path, &damaged).unwrap();
                let (run, path) = (folder.path().to_owned(), path.clone());
                let frame = RecordedFrame { number: 0, run, path, format, springs: None };
                let (_, _) = (frame.read(&[]), frame.header());
            }
        }
    }
}
