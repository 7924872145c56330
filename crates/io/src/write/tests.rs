use super::*;
use crate::{ParticleSet, Particles, parse_csv, parse_xyz};
use carom_detect::{BodyPair, Contact};
use carom_geometry::{Boundary, Sphere};
use proptest::prelude::*;
use std::io::{self, Write};

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<f64>().prop_filter("usable", |number| number.abs() <= 1e100),
        -10.0..10.0,
        Just(0.0),
        Just(-0.0),
        Just(5e-324),
        Just(1e100),
    ]
}

fn sphere<const D: usize>() -> impl Strategy<Value = Sphere<D>> {
    (prop::array::uniform::<_, D>(number()), number())
        .prop_map(|(center, radius)| Sphere::new(center, radius.abs()))
}

fn set<const D: usize>() -> impl Strategy<Value = ParticleSet<D>> {
    let period = prop::option::of(1e-100..1e100);
    (prop::collection::vec(sphere(), 0..20), prop::array::uniform::<_, D>(period)).prop_map(
        |(spheres, periods)| {
            let boundary = Boundary::periodic(periods).unwrap();
            ParticleSet { spheres, boundary }
        },
    )
}

fn bits<const D: usize>(spheres: &[Sphere<D>]) -> Vec<u64> {
    let numbers =
        spheres.iter().flat_map(|s| s.center.iter().copied().chain([s.radius]).collect::<Vec<_>>());
    numbers.map(f64::to_bits).collect()
}

proptest! {
    #[test]
    fn discs_read_back_from_csv_are_the_same_bits(set in set::<2>()) {
        let mut text = Vec::new();
        write_csv(&mut text, &set.spheres).unwrap();
        let Particles::Discs(read) = parse_csv(&text, "a").unwrap() else { panic!() };
        prop_assert_eq!(bits(&read.spheres), bits(&set.spheres));
    }

    #[test]
    fn spheres_read_back_from_csv_are_the_same_bits(set in set::<3>()) {
        let mut text = Vec::new();
        write_csv(&mut text, &set.spheres).unwrap();
        let Particles::Spheres(read) = parse_csv(&text, "a").unwrap() else { panic!() };
        prop_assert_eq!(bits(&read.spheres), bits(&set.spheres));
    }

    #[test]
    fn discs_read_back_from_xyz_are_the_same_bits(set in set::<2>()) {
        let mut text = Vec::new();
        write_xyz(&mut text, &set).unwrap();
        let Particles::Discs(read) = parse_xyz(&text, "a").unwrap() else { panic!() };
        prop_assert_eq!(bits(&read.spheres), bits(&set.spheres));
        prop_assert_eq!(read.boundary, set.boundary);
    }

    #[test]
    fn spheres_read_back_from_xyz_are_the_same_bits(set in set::<3>()) {
        let mut text = Vec::new();
        write_xyz(&mut text, &set).unwrap();
        let Particles::Spheres(read) = parse_xyz(&text, "a").unwrap() else { panic!() };
        prop_assert_eq!(bits(&read.spheres), bits(&set.spheres));
        prop_assert_eq!(read.boundary, set.boundary);
    }
}

#[test]
fn a_periodic_frame_carries_its_box() {
    let boundary = Boundary::periodic([Some(4.0), None, Some(2.5)]).unwrap();
    let spheres = vec![Sphere::new([1.0, 7.0, 0.0], 0.5), Sphere::new([1.0, 9.0, 0.0], 0.5)];
    let mut text = Vec::new();
    write_xyz(&mut text, &ParticleSet { spheres, boundary }).unwrap();
    assert_eq!(
        String::from_utf8(text).unwrap().lines().nth(1).unwrap(),
        "Lattice=\"4.0 0.0 0.0 0.0 3.0 0.0 0.0 0.0 2.5\" Origin=\"0.0 6.5 0.0\" \
         Properties=species:S:1:pos:R:3:radius:R:1 pbc=\"T F T\""
    );
}

#[test]
fn contacts_are_written_in_their_order() {
    let contact = |i, j, overlap| Contact { pair: BodyPair::new(i, j), overlap };
    let mut text = Vec::new();
    write_contacts(&mut text, &[contact(0, 4294967295, 0.1), contact(2, 1, 1e-20)]).unwrap();
    assert_eq!(String::from_utf8(text).unwrap(), "i,j,overlap\n0,4294967295,0.1\n1,2,1e-20\n");
}

#[test]
fn many_rows_pass_the_buffer_whole() {
    let contacts: Vec<_> = (0..50_000)
        .map(|i| Contact { pair: BodyPair::new(i, i + 1), overlap: f64::from(i) / 3.0 })
        .collect();
    let mut text = Vec::new();
    write_contacts(&mut text, &contacts).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert_eq!(text.lines().count(), 50_001);
    for (line, contact) in text.lines().skip(1).zip(&contacts) {
        let overlap = line.rsplit(',').next().unwrap();
        assert_eq!(overlap.parse::<f64>().unwrap(), contact.overlap);
    }
}

#[test]
fn a_failing_writer_is_reported() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let error = write_csv(&mut Full, &[Sphere::new([0.0, 0.0], 1.0)]).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
}

#[test]
fn a_writer_behind_a_reference_is_taken() {
    let mut text = Vec::new();
    let out: &mut dyn Write = &mut text;
    write_contacts(out, &[]).unwrap();
    assert_eq!(text, b"i,j,overlap\n");
}
