//! Valid files with random bytes changed must never panic, and errors must stay on one line.

use super::frames::parse_bodies;
use super::{
    FrameFormat, FrameSeries, Velocities, parse_csv, parse_csv_velocities, parse_frame_particles,
    parse_xyz, parse_xyz_velocities,
};
use crate::{Error, Particles};
use proptest::prelude::*;

const CSV: &[u8] = b"# sieve 4\nid,x,y,z,\"radius\",note\n1,0.5,1e-3,-7,0.25,\"a, b\"\n\
                     2,1.5,2,3,0,plain\r\n3,-0.125,4.75,9.9e99,1,\n";
const BLANKS: &[u8] = b"# sieve 4\n  x  y\tz \"r\" note\n0 0.5 1e-3 -7 0.25 \"a b\"\n\
                        1  1.5\t2 3 0 plain\r\n2 -0.125 4.75 9.9e99 1 -\n";
const TABS: &[u8] = b"\tx\ty\tdiameter\tnote\n0\t0.5\t1e-3\t0.25\t\n1\t1.5\t2\t3\t\"a\tb\"\r\n";
const SEMICOLONS: &[u8] = b"# x;y;r\n0.5;1e-3;0.25\n1.5;2;3\n0;0;\"1\"\n";
const XYZ: &[u8] = b"3\nLattice=\"9 0 0 0 8 0 0 0 7\" Properties=species:S:1:pos:R:3:radius:R:1 \
                     pbc=\"T T F\" title=\"x y\"\nA 1 2 3 0.5\nB 1e-3 -2 3.25 0\r\nC 0 0 0 1\n";

/// Changes, insertions and removals at random places.
fn mutated(original: &'static [u8]) -> impl Strategy<Value = Vec<u8>> {
    let telling = prop::sample::select(b",;\t\"\n\r #=:.-e0T\0\xff\xc3".to_vec());
    let byte = prop_oneof![any::<u8>(), telling];
    let change = (0usize..3, any::<prop::sample::Index>(), byte);
    prop::collection::vec(change, 1..8).prop_map(move |changes| {
        let mut bytes = original.to_vec();
        for (kind, index, byte) in changes {
            let at = index.index(bytes.len());
            match kind {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => drop(bytes.remove(at)),
            }
        }
        bytes
    })
}

fn check(result: Result<Particles, Error>) -> Result<(), TestCaseError> {
    match result {
        Err(error) => {
            let text = error.to_string();
            prop_assert!(text.starts_with("file"), "{}", text);
            prop_assert!(!text.contains(char::is_control), "{:?}", text);
        }
        Ok(Particles::Discs(set)) => {
            prop_assert!(set.spheres.iter().all(|s| s.radius >= 0.0 && s.center.norm() < 2e100));
        }
        Ok(Particles::Spheres(set)) => {
            prop_assert!(set.spheres.iter().all(|s| s.radius >= 0.0 && s.center.norm() < 2e100));
        }
    }
    Ok(())
}

/// Velocities are as many as particles, wherever there are particles.
fn check_velocities(
    particles: Result<Particles, Error>,
    velocities: Result<Option<Velocities>, Error>,
) -> Result<(), TestCaseError> {
    match (particles, velocities) {
        (_, Err(error)) => prop_assert!(error.to_string().starts_with("file")),
        (Ok(particles), Ok(Some(velocities))) => {
            prop_assert_eq!(velocities.len(), particles.len());
            prop_assert!(velocities.iter().flatten().all(|number| number.is_finite()));
        }
        _ => {}
    }
    Ok(())
}

const MOVING_CSV: &[u8] = b"x,y,r,vx,vy\n0.5,1e-3,0.25,-1,7\n1.5,2,3,0,1e3\n";
const MOVING_XYZ: &[u8] = b"2\nProperties=pos:R:2:radius:R:1:velo:R:2\n1 2 0.5 -1 7\n3 2 0 0 1e3\n";

#[test]
fn the_originals_are_valid() {
    let velocities = Some(vec![[-1.0, 7.0, 0.0], [0.0, 1e3, 0.0]]);
    assert_eq!(parse_csv_velocities(MOVING_CSV, "file").unwrap(), velocities);
    assert_eq!(parse_xyz_velocities(MOVING_XYZ, "file").unwrap(), velocities);
    assert_eq!(parse_csv(CSV, "file").unwrap().len(), 3);
    assert_eq!(parse_csv(BLANKS, "file").unwrap().len(), 3);
    assert_eq!(parse_csv(TABS, "file").unwrap().len(), 2);
    assert_eq!(parse_csv(SEMICOLONS, "file").unwrap().len(), 3);
    assert_eq!(parse_xyz(XYZ, "file").unwrap().len(), 3);
}

/// A frame in every format, compressed too, that is to be damaged.
fn frames() -> &'static [(FrameFormat, Vec<u8>)] {
    static FRAMES: std::sync::OnceLock<Vec<(FrameFormat, Vec<u8>)>> = std::sync::OnceLock::new();
    FRAMES.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let mut all = Vec::new();
        for compressed in [false, true] {
            let mut series = FrameSeries::create(folder.path(), &FrameFormat::ALL).unwrap();
            series = series.compressed(compressed);
            series.write(&crate::frame::examples::example::<3>(6)).unwrap();
            let files = std::fs::read_dir(folder.path().join("frames")).unwrap().flatten();
            for path in files.map(|file| file.path()) {
                let name = path.to_string_lossy().into_owned();
                let format = FrameFormat::ALL.into_iter().find(|it| name.ends_with(it.extension()));
                // Text that is compressed is another matter than the text.
                if let Some(format) = format {
                    all.push((format, std::fs::read(&path).unwrap()));
                }
            }
        }
        all
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn a_damaged_frame_gives_particles_and_bodies_or_one_line(
        which in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let (format, whole) = &frames()[which.index(frames().len())];
        let mut bytes = whole.clone();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        let name = std::path::Path::new("file");
        check(parse_frame_particles(&bytes, name, *format))?;
        if let Err(error) = parse_bodies(&bytes, name, *format) {
            prop_assert!(!error.to_string().contains(char::is_control), "{:?}", error);
        }
    }

    #[test]
    fn a_damaged_csv_gives_particles_or_one_line(bytes in mutated(CSV)) {
        check(parse_csv(&bytes, "file"))?;
    }

    #[test]
    fn a_damaged_table_with_other_separators_gives_particles_or_one_line(
        blanks in mutated(BLANKS),
        tabs in mutated(TABS),
        semicolons in mutated(SEMICOLONS),
    ) {
        check(parse_csv(&blanks, "file"))?;
        check(parse_csv(&tabs, "file"))?;
        check(parse_csv(&semicolons, "file"))?;
    }

    #[test]
    fn a_damaged_xyz_gives_particles_or_one_line(bytes in mutated(XYZ)) {
        check(parse_xyz(&bytes, "file"))?;
    }

    #[test]
    fn damaged_velocities_are_as_many_as_particles(
        csv in mutated(MOVING_CSV),
        xyz in mutated(MOVING_XYZ),
    ) {
        check_velocities(parse_csv(&csv, "file"), parse_csv_velocities(&csv, "file"))?;
        check_velocities(parse_xyz(&xyz, "file"), parse_xyz_velocities(&xyz, "file"))?;
    }

    #[test]
    fn random_bytes_give_particles_or_one_line(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        check(parse_csv(&bytes, "file"))?;
        check(parse_xyz(&bytes, "file"))?;
    }
}
