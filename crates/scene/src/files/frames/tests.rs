use super::*;
use crate::Particles;
use crate::files::parse_xyz;
use crate::frame::tests::example;
use std::fs;
use std::path::Path;

fn written<const D: usize>(frame: &Frame<D>, format: FrameFormat) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_frame(&mut bytes, frame, format).unwrap();
    bytes
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn index(run: &Path) -> Vec<String> {
    let text = fs::read_to_string(run.join("frames/frames.pvd")).unwrap();
    assert!(text.ends_with("</VTKFile>\n"));
    let lines = text.lines().filter(|line| line.starts_with("<DataSet"));
    lines.map(|line| line.split('"').filter(|part| part.contains('.')).collect()).collect()
}

#[test]
fn discs_read_back_from_xyz_are_the_same_bits() {
    let frame = example::<2>(500);
    let text = written(&frame, FrameFormat::Xyz);
    let Particles::Discs(set) = parse_xyz(&text, "a").unwrap() else { panic!("discs expected") };
    assert_eq!(set.spheres.len(), 500);
    for (body, disc) in set.spheres.iter().enumerate() {
        assert_eq!((disc.center, disc.radius), (frame.positions[body], frame.radii[body]));
    }
    assert_eq!((set.boundary.period(0), set.boundary.period(1)), (Some(10.0), None));
}

#[test]
fn spheres_read_back_from_xyz_are_the_same_bits() {
    let frame = example::<3>(500);
    let text = written(&frame, FrameFormat::Xyz);
    let Particles::Spheres(set) = parse_xyz(&text, "a").unwrap() else {
        panic!("spheres expected")
    };
    assert_eq!(set.spheres.len(), 500);
    for (body, ball) in set.spheres.iter().enumerate() {
        assert_eq!((ball.center, ball.radius), (frame.positions[body], frame.radii[body]));
    }
}

#[test]
fn a_dump_says_box_time_and_columns() {
    let mut frame = example::<2>(1);
    frame.positions[0] = [1.0, 2.0].into();
    frame.velocities[0] = [-3.0, 4.5].into();
    (frame.radii[0], frame.masses) = (0.5, Some(vec![2.0]));
    (frame.number, frame.materials) = (7, Some(vec![2]));
    assert_eq!(
        String::from_utf8(written(&frame, FrameFormat::Lammps)).unwrap(),
        "ITEM: TIME\n0.30000000000000004\nITEM: TIMESTEP\n7\nITEM: NUMBER OF ATOMS\n1\n\
         ITEM: BOX BOUNDS pp ff pp\n0.0 10.0\n0.0 10.0\n-0.5 0.5\n\
         ITEM: ATOMS id type x y z vx vy vz radius mass charge\n\
         1 3 1.0 2.0 0.0 -3.0 4.5 0.0 0.5 2.0 0.0\n"
    );
}

#[test]
fn the_arrays_of_a_vtp_lie_where_its_head_says() {
    let frame = example::<3>(300);
    let bytes = written(&frame, FrameFormat::Vtk);
    let mark = b"<AppendedData encoding=\"raw\">\n_";
    let start = bytes.windows(mark.len()).position(|window| window == mark).unwrap() + mark.len();
    let head = std::str::from_utf8(&bytes[..start]).unwrap();
    let array = |name: &str| {
        let entry = head.split("<DataArray ").find(|entry| entry.contains(name)).unwrap();
        let offset = entry.split("offset=\"").nth(1).unwrap().split('"').next().unwrap();
        let at = start + offset.parse::<usize>().unwrap();
        let length = u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
        bytes[at + 8..at + 8 + length].as_chunks::<8>().0.to_vec()
    };
    let numbers = |name| array(name).into_iter().map(f64::from_le_bytes).collect::<Vec<_>>();
    assert_eq!(numbers("\"radius\""), frame.radii);
    assert_eq!(numbers("\"charge\""), frame.columns[0].1);
    let flat: Vec<f64> = frame.positions.iter().flat_map(|position| position.data.0[0]).collect();
    assert_eq!(numbers("\"position\""), flat);
    let last = array("\"offsets\"").pop().unwrap();
    assert_eq!(u64::from_le_bytes(last), 300);
    assert!(bytes.ends_with(b"\n</AppendedData>\n</VTKFile>\n"));
}

#[test]
fn a_frame_that_does_not_hold_together_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut frame = example::<2>(3);
    frame.radii.pop();
    for format in FrameFormat::ALL {
        let mut series = FrameSeries::create(folder.path(), &[format]).unwrap();
        let text = series.write(&frame).unwrap_err().to_string();
        assert!(text.ends_with(
            " cannot be written: the frame has 3 bodies but 2 values of \"radius\"; give one per body"
        ), "{text}");
        let names = names_in(&folder.path().join("frames"));
        assert!(names.iter().all(|name| name == "frames.pvd"), "{names:?}");
    }
}

#[test]
fn a_series_goes_on_after_the_frames_of_the_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let formats = [FrameFormat::Vtk, FrameFormat::Xyz];
    let frame_at = |time| Frame { time, ..example::<2>(2) };
    let mut series = FrameSeries::create(folder.path(), &formats).unwrap();
    for time in [0.5, 1.5, 2.5, 3.5] {
        series.write(&frame_at(time)).unwrap();
    }
    series.write_index().unwrap();
    let times = [0.5, 1.5];
    fs::write(folder.path().join("frames/frame_7.xyz"), "not ours").unwrap();
    let mut series = FrameSeries::resume(folder.path(), &formats, &times).unwrap();
    assert_eq!(index(folder.path()), ["0.5frame_000000.vtp", "1.5frame_000001.vtp"]);
    series.write(&frame_at(2.75)).unwrap();
    assert_eq!(index(folder.path()).len(), 2, "the index waits for the checkpoint");
    series.write_index().unwrap();
    assert_eq!(index(folder.path())[2], "2.75frame_000002.vtp");
    assert_eq!(
        names_in(&folder.path().join("frames")),
        [
            "frame_000000.vtp",
            "frame_000000.xyz",
            "frame_000001.vtp",
            "frame_000001.xyz",
            "frame_000002.vtp",
            "frame_000002.xyz",
            "frame_7.xyz",
            "frames.pvd"
        ]
    );
}

#[test]
fn the_index_names_only_frames_that_are_there() {
    let folder = tempfile::tempdir().unwrap();
    let mut series = FrameSeries::create(folder.path(), &[FrameFormat::Xyz]).unwrap();
    series.write(&example::<2>(2)).unwrap();
    assert_eq!(names_in(&folder.path().join("frames")), ["frame_000000.xyz"]);
    let times = [0.1];
    let mut series = FrameSeries::resume(folder.path(), &[FrameFormat::Vtk], &times).unwrap();
    series.write(&example::<2>(2)).unwrap();
    series.write_index().unwrap();
    assert_eq!(index(folder.path()), ["0.30000000000000004frame_000001.vtp"]);
}

#[test]
fn a_counted_frame_that_was_lost_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let mut series = FrameSeries::create(folder.path(), &[FrameFormat::Vtk]).unwrap();
    for _ in 0..3 {
        series.write(&example::<2>(2)).unwrap();
    }
    series.write_index().unwrap();
    fs::remove_file(folder.path().join("frames/frame_000001.vtp")).unwrap();
    let resume = |times| FrameSeries::resume(folder.path(), &[FrameFormat::Vtk], times);
    let text = resume(&[0.0, 1.0]).unwrap_err().to_string();
    let name = folder.path().join("frames/frame_000001.vtp").display().to_string();
    assert_eq!(
        text.replace(&name, "NAME"),
        "NAME is not there, and the checkpoint counts 2 frames; put it back, or start the run \
         again from its scene"
    );
    assert!(folder.path().join("frames/frame_000002.vtp").exists(), "nothing is removed");
    assert!(resume(&[0.0]).is_ok());
}

#[test]
fn frames_are_removed_and_what_else_is_there_stays() {
    let folder = tempfile::tempdir().unwrap();
    let fill = || {
        let mut series = FrameSeries::create(folder.path(), &FrameFormat::ALL).unwrap();
        series.write(&example::<2>(2)).unwrap();
    };
    fill();
    FrameSeries::remove(folder.path()).unwrap();
    assert!(names_in(folder.path()).is_empty());
    fill();
    fs::write(folder.path().join("frames/notes.txt"), "precious").unwrap();
    FrameSeries::remove(folder.path()).unwrap();
    assert_eq!(names_in(&folder.path().join("frames")), ["notes.txt"]);
}

#[test]
fn frames_without_bodies_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut series = FrameSeries::create(folder.path(), &FrameFormat::ALL).unwrap();
    series.write(&example::<3>(0)).unwrap();
    assert_eq!(names_in(&folder.path().join("frames")).len(), 4);
}
