use super::*;
use crate::frame::examples::{dice, example, solid};
use crate::{FrameContact, Particles, parse_xyz};
use carom_geometry::{Boundary, Vector};
use carom_simulate::{ContactObstacle, EngineContact, State};
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
    (frame.step, frame.materials) = (7, Some(vec![2]));
    assert_eq!(
        String::from_utf8(written(&frame, FrameFormat::Lammps)).unwrap(),
        "ITEM: TIME\n0.30000000000000004\nITEM: TIMESTEP\n7\nITEM: NUMBER OF ATOMS\n1\n\
         ITEM: BOX BOUNDS pp ff pp\n0.0 10.0\n0.0 10.0\n-0.5 0.5\n\
         ITEM: ATOMS id type x y z vx vy vz radius mass charge\n\
         1 3 1.0 2.0 0.0 -3.0 4.5 0.0 0.5 2.0 0.0\n"
    );
}

/// The words of eight bytes of an array of a VTK file.
fn array(bytes: &[u8], name: &str) -> Vec<[u8; 8]> {
    let mark = b"<AppendedData encoding=\"raw\">\n_";
    let start = bytes.windows(mark.len()).position(|window| window == mark).unwrap() + mark.len();
    let head = std::str::from_utf8(&bytes[..start]).unwrap();
    let named = |entry: &&str| entry.contains(name) && entry.contains("offset=");
    let entry = head.split("<DataArray ").find(named).unwrap();
    let offset = entry.split("offset=\"").nth(1).unwrap().split('"').next().unwrap();
    let at = start + offset.parse::<usize>().unwrap();
    let length = u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
    bytes[at + 8..at + 8 + length].as_chunks::<8>().0.to_vec()
}

fn numbers(bytes: &[u8], name: &str) -> Vec<f64> {
    array(bytes, name).into_iter().map(f64::from_le_bytes).collect()
}

fn whole(bytes: &[u8], name: &str) -> Vec<i64> {
    array(bytes, name).into_iter().map(i64::from_le_bytes).collect()
}

#[test]
fn orientations_are_written_in_the_order_of_each_format() {
    let frame = dice::<3>();
    let text = String::from_utf8(written(&frame, FrameFormat::Xyz)).unwrap();
    assert!(text.contains(":velo:R:3:shape:I:1:orientation:R:4 pbc"), "{text}");
    assert!(text.lines().nth(2).unwrap().ends_with(" 3.0 4.0 0.0 0 0.8 0.0 0.0 0.6"), "{text}");
    assert!(text.lines().nth(3).unwrap().ends_with(" -1 0.0 0.0 0.0 1.0"), "{text}");
    let text = String::from_utf8(written(&frame, FrameFormat::Lammps)).unwrap();
    assert!(text.contains(" radius shape quatw quati quatj quatk\n"), "{text}");
    assert!(text.contains(" 0 0.6 0.8 0.0 0.0\n"), "{text}");
    let bytes = written(&frame, FrameFormat::Vtk);
    assert_eq!(whole(&bytes, "\"shape\""), [0, -1, 1]);
    assert_eq!(numbers(&bytes, "\"orientation\"")[..4], [0.6, 0.8, 0.0, 0.0]);
}

#[test]
fn surfaces_are_polygons_where_the_bodies_are() {
    let mut bytes = Vec::new();
    write_surfaces_vtp(&mut bytes, &dice::<3>()).unwrap();
    // Six faces of the brick, and two spheres of 128 triangles.
    let bodies = whole(&bytes, "\"id\"");
    assert_eq!((bodies.len(), bodies[5], bodies[6]), (6 + 256, 0, 2));
    assert_eq!(numbers(&bytes, "\"speed\"")[0], 5.0);
    let ends = whole(&bytes, "\"offsets\"");
    let corners = whole(&bytes, "\"connectivity\"");
    assert_eq!((ends[0], ends[5], corners.len()), (4, 24, 24 + 3 * 256));
    let places = numbers(&bytes, "\"position\"");
    assert_eq!(corners.iter().copied().max().unwrap() as usize + 1, places.len() / 3);
    let places = places.as_chunks::<3>().0;
    for place in &places[..8] {
        // About x by an angle of which the cosine is -0.28 and the sine 0.96.
        let [x, y, z] = [place[0] - 2.0, place[1] - 3.0, place[2] - 4.0];
        let back = [x, -0.28 * y + 0.96 * z, -0.96 * y - 0.28 * z].map(f64::abs);
        for (found, expected) in back.iter().zip([0.5, 1.0, 2.0]) {
            assert!((found - expected).abs() < 1e-12, "{place:?}");
        }
    }
    for place in &places[8..] {
        let reach = |side: f64| (place[0] - 8.0 - side).hypot(place[1] - 8.0).hypot(place[2] - 8.0);
        let on = |side: f64| (reach(side) - 1.0).abs() < 1e-12;
        assert!(on(0.5) || on(-0.5), "{place:?}");
    }
    let mut bytes = Vec::new();
    write_surfaces_vtp(&mut bytes, &dice::<2>()).unwrap();
    assert_eq!(whole(&bytes, "\"offsets\""), [4, 36, 68]);
    let places = numbers(&bytes, "\"position\"");
    let brick = &places.as_chunks::<3>().0[..4];
    assert!(brick.iter().all(|place| (place[0] - 2.0).abs() > 0.9 && place[2] == 0.0), "{brick:?}");
}

#[test]
fn surfaces_have_an_index_and_go_with_their_frames() {
    an_index_goes_with_its_frames(&dice::<3>(), "surfaces");
}

#[test]
fn springs_have_an_index_and_go_with_their_frames() {
    an_index_goes_with_its_frames(&solid::<2>(3, 2), "springs");
}

/// Two discs that touch through a periodic side, and one of them at a wall.
fn touching() -> Frame<2> {
    let mut frame = example::<2>(2);
    frame.positions = [[0.5, 1.0], [9.5, 1.0]].map(Vector::from).to_vec();
    let contact = |obstacle, position: [f64; 2]| EngineContact {
        body: 0,
        obstacle,
        triangle: 0,
        position: position.into(),
        normal: [-1.0, 0.0].into(),
        overlap: 0.25,
        normal_force: 3.0,
        tangential_force: [0.0, 4.0].into(),
    };
    let boundary = Boundary::periodic([Some(10.0), None]).unwrap();
    let contacts = [
        contact(ContactObstacle::Body(1), [0.0, 1.0]),
        contact(ContactObstacle::Wall(3), [0.5, 0.0]),
    ];
    let state = State {
        time: 0.0,
        ids: vec![0, 1],
        positions: frame.positions.clone(),
        velocities: frame.velocities.clone(),
        angular_velocities: Vec::new(),
        orientations: Vec::new(),
        radii: frame.radii.clone(),
        masses: vec![1.0; 2],
        materials: vec![0; 2],
    };
    let of = |contact: &EngineContact<2>| FrameContact::of(contact, &state, &boundary);
    frame.contacts = contacts.iter().map(of).collect();
    assert_eq!(of(&EngineContact { body: 7, ..contacts[0] }), None, "there is no such body");
    frame
}

#[test]
fn contacts_have_an_index_and_go_with_their_frames() {
    an_index_goes_with_its_frames(&touching(), "contacts");
}

#[test]
fn contacts_are_lines_over_their_points() {
    let mut bytes = Vec::new();
    write_contacts_vtp(&mut bytes, &touching()).unwrap();
    assert_eq!(whole(&bytes, "\"connectivity\""), [0, 1, 2, 3, 4, 5]);
    assert_eq!(whole(&bytes, "\"offsets\""), [3, 6]);
    assert_eq!(whole(&bytes, "\"other\""), [1, -1]);
    assert_eq!(whole(&bytes, "\"wall\""), [-1, 3]);
    assert_eq!(numbers(&bytes, "Name=\"normal_force\""), [3.0, 3.0]);
    assert_eq!(numbers(&bytes, "\"tangential_force\""), [4.0, 4.0]);
    let places = numbers(&bytes, "\"position\"");
    // Not across the whole box, but to the image through the side.
    assert_eq!(places[..9], [0.5, 1.0, 0.0, 0.0, 1.0, 0.0, -0.5, 1.0, 0.0]);
    assert_eq!(places[9..], [0.5, 1.0, 0.0, 0.5, 0.0, 0.0, 0.5, 0.0, 0.0]);
}

fn an_index_goes_with_its_frames<const D: usize>(frame: &Frame<D>, stem: &str) {
    let folder = tempfile::tempdir().unwrap();
    let frames = folder.path().join("frames");
    let index = || fs::read_to_string(frames.join(format!("{stem}.pvd"))).unwrap();
    let [first, second] = [0, 1].map(|number| format!("{stem}_00000{number}.vtp"));
    let mut series = FrameSeries::create(folder.path(), &[FrameFormat::Vtk]).unwrap();
    series.write(frame).unwrap();
    series.write(frame).unwrap();
    series.write_index().unwrap();
    assert!(index().contains(&first) && index().contains(&second));
    FrameSeries::resume(folder.path(), &[FrameFormat::Vtk], &[0.3]).unwrap();
    let mut kept = ["frame_000000.vtp", "frames.pvd", &format!("{stem}.pvd"), &first];
    kept.sort_unstable();
    assert_eq!(names_in(&frames), kept);
    assert!(!index().contains(&second));
    fs::remove_file(frames.join(&first)).unwrap();
    let lost = FrameSeries::resume(folder.path(), &[FrameFormat::Vtk], &[0.3]);
    assert!(lost.unwrap_err().to_string().contains(&format!("{first} is not there")));
    FrameSeries::remove(folder.path()).unwrap();
    assert!(names_in(folder.path()).is_empty());
}

#[test]
fn springs_are_lines_from_body_to_body() {
    let mut frame = solid::<2>(3, 2);
    frame.velocities[4] = [3.0, 4.0].into();
    let springs = frame.springs.as_mut().unwrap();
    springs.ends = vec![[0, 1], [5, 1], [3, 2]];
    springs.strains = vec![0.25, -0.5, 0.0];
    springs.are_broken = vec![false, true, false];
    let mut bytes = Vec::new();
    write_springs_vtp(&mut bytes, &frame).unwrap();
    assert_eq!(whole(&bytes, "\"connectivity\""), [0, 1, 5, 1, 3, 2]);
    assert_eq!(whole(&bytes, "\"offsets\""), [2, 4, 6]);
    assert_eq!(whole(&bytes, "\"broken\""), [0, 1, 0]);
    assert_eq!(numbers(&bytes, "Name=\"strain\""), [0.25, -0.5, 0.0]);
    assert_eq!(numbers(&bytes, "\"length\""), [1.0, 2f64.sqrt(), 5f64.sqrt()]);
    assert_eq!(numbers(&bytes, "\"speed\""), [0.0, 0.0, 0.0, 0.0, 5.0, 0.0]);
    assert_eq!(numbers(&bytes, "\"position\"")[9..12], [0.5, 1.5, 0.0]);
    // A spring across a periodic side has its own length, not that of the box.
    frame.region[0] = crate::AxisExtent::Periodic(3.0);
    let mut bytes = Vec::new();
    write_springs_vtp(&mut bytes, &frame).unwrap();
    assert_eq!(numbers(&bytes, "\"length\"")[2], 2f64.sqrt());
}

#[test]
fn the_arrays_of_a_vtp_lie_where_its_head_says() {
    let frame = example::<3>(300);
    let bytes = written(&frame, FrameFormat::Vtk);
    let numbers = |name| numbers(&bytes, name);
    assert_eq!(numbers("\"radius\""), frame.radii);
    assert_eq!(numbers("\"charge\""), frame.columns[0].1);
    let flat: Vec<f64> = frame.positions.iter().flat_map(|position| position.data.0[0]).collect();
    assert_eq!(numbers("\"position\""), flat);
    assert_eq!(whole(&bytes, "\"offsets\"").pop(), Some(300));
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
fn a_series_continues_after_the_frames_of_the_checkpoint() {
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
        "NAME is not there, and the checkpoint counts 2 frames; put it back, or continue in \
         another folder by --resume --new-folder"
    );
    let gone = tempfile::tempdir().unwrap();
    let check =
        |formats: &[FrameFormat], times: &[f64]| FrameSeries::check(gone.path(), formats, times);
    assert!(check(&[FrameFormat::Xyz], &[0.0]).is_err(), "all frames are gone");
    assert!(check(&[], &[0.0]).is_ok() && check(&[FrameFormat::Xyz], &[]).is_ok());
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
