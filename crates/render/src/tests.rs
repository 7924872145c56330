use super::*;
use carom_detect::BodyPair;
use carom_geometry::{Boundary, Sphere};

fn contact(first: u32, second: u32) -> Contact {
    Contact { pair: BodyPair::new(first, second), overlap: 0.0 }
}

fn count(document: &str, element: &str) -> usize {
    document.matches(&format!("<{element} ")).count()
}

fn segments(document: &str) -> usize {
    document.lines().filter(|line| line.starts_with('M')).count()
}

#[test]
fn every_disc_and_contact_is_drawn_once() {
    let discs = vec![Sphere::new([0.0, 0.0], 1.0), Sphere::new([1.5, 0.0], 1.0)];
    let document = svg(&ParticleSet::open(discs), &[contact(0, 1)]).unwrap();
    assert_eq!(count(&document, "circle"), 2);
    assert_eq!(segments(&document), 1);
    assert!(document.ends_with("</svg>\n"));
}

#[test]
fn a_disc_over_a_periodic_corner_is_drawn_four_times() {
    let boundary = Boundary::periodic([Some(10.0), Some(10.0)]).unwrap();
    let spheres = vec![Sphere::new([9.9, 0.1], 1.0), Sphere::new([5.0, 5.0], 1.0)];
    let document = svg(&ParticleSet { spheres, boundary }, &[]).unwrap();
    assert_eq!(count(&document, "circle"), 5);
    assert_eq!(count(&document, "line"), 4);
}

#[test]
fn a_contact_through_a_periodic_side_has_two_lines() {
    let boundary = Boundary::periodic([Some(10.0), None]).unwrap();
    let spheres = vec![Sphere::new([9.5, 0.0], 1.0), Sphere::new([0.5, 0.0], 1.0)];
    let document = svg(&ParticleSet { spheres, boundary }, &[contact(0, 1)]).unwrap();
    assert_eq!(segments(&document), 2);
    assert_eq!(count(&document, "line"), 2);
}

#[test]
fn spheres_are_drawn_from_far_to_near() {
    let near = Sphere::new([0.0, -9.0, 0.0], 2.0);
    let far = Sphere::new([0.0, 9.0, 0.0], 1.0);
    let boundary = Boundary::periodic([None, Some(20.0), None]).unwrap();
    let set = ParticleSet { spheres: vec![near, far], boundary: Boundary::open() };
    let document = svg(&set, &[]).unwrap();
    let radius = |nth: usize| {
        let circle = document.split("<circle ").nth(nth + 1).unwrap();
        let text = circle.split("r=\"").nth(1).unwrap();
        text.split('"').next().unwrap().parse::<f64>().unwrap()
    };
    assert!(radius(0) < radius(1));
    let document = svg(&ParticleSet { boundary, ..set }, &[]).unwrap();
    assert_eq!(count(&document, "line"), 12);
}

#[test]
fn nothing_one_point_and_huge_numbers_are_drawn_without_fuss() {
    let point = vec![Sphere::new([3.0, 4.0], 0.0)];
    let huge = vec![Sphere::new([-1e100, 1e100, 0.0], 1e100), Sphere::new([0.0; 3], 0.0)];
    for document in [
        svg(&ParticleSet::<2>::open(vec![]), &[]).unwrap(),
        svg(&ParticleSet::<3>::open(vec![]), &[]).unwrap(),
        svg(&ParticleSet::open(point), &[]).unwrap(),
        svg(&ParticleSet::open(huge), &[contact(0, 1)]).unwrap(),
    ] {
        assert!(!document.contains("NaN") && !document.contains("inf"), "{document}");
    }
}

#[test]
fn too_many_particles_are_refused() {
    let row = (0..20_001).map(|index| Sphere::new([f64::from(index), 0.0], 0.5)).collect();
    assert_eq!(
        svg(&ParticleSet::open(row), &[]).unwrap_err().to_string(),
        "20001 particles are too many for a picture; at most 20000 can be drawn"
    );
}

#[test]
fn a_contact_of_a_missing_particle_is_refused() {
    assert_eq!(
        svg(&ParticleSet::<2>::open(vec![]), &[contact(0, 1)]).unwrap_err().to_string(),
        "a contact names particle 0, but there are only 0 (counted from zero)"
    );
}
