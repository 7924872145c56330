use super::{OUTSIDE, Triangulation};
use carom_geometry::{Boundary, Sphere};

/// Random numbers between zero and one.
fn random(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *seed;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (mixed >> 11) as f64 / (1u64 << 53) as f64
}

fn scattered<const D: usize>(count: usize, largest: f64, seed: u64) -> Vec<Sphere<D>> {
    let mut seed = seed;
    let sphere = |_| {
        let center: [f64; D] = std::array::from_fn(|_| random(&mut seed));
        let radius = largest * random(&mut seed);
        Sphere::new(center, radius)
    };
    (0..count).map(sphere).collect()
}

fn lattice<const D: usize>(side: usize, spacing: f64) -> Vec<Sphere<D>> {
    let place = |index: usize| -> [f64; D] {
        std::array::from_fn(|axis| (index / side.pow(axis as u32) % side) as f64 * spacing)
    };
    (0..side.pow(D as u32)).map(|index| Sphere::new(place(index), 0.1)).collect()
}

fn assert_whole<const D: usize>(spheres: &[Sphere<D>], boundary: &Boundary<D>) -> Triangulation<D> {
    let triangulation = Triangulation::of(spheres, boundary).unwrap();
    triangulation.check().unwrap();
    triangulation
}

#[test]
fn scattered_spheres_are_triangulated() {
    for count in [1, 2, 3, 4, 5, 10, 100, 1000] {
        for largest in [0.0, 0.05, 0.5] {
            assert_whole(&scattered::<2>(count, largest, 1), &Boundary::open());
            assert_whole(&scattered::<3>(count, largest, 2), &Boundary::open());
        }
    }
}

#[test]
fn lattices_are_triangulated() {
    for spacing in [1.0, 0.1] {
        let plane = assert_whole(&lattice::<2>(20, spacing), &Boundary::open());
        assert_eq!(plane.simplices().count(), 2 * 19 * 19);
        assert_whole(&lattice::<3>(8, spacing), &Boundary::open());
    }
}

#[test]
fn cells_of_a_periodic_box_fill_it() {
    for count in [1, 2, 5, 30, 400] {
        let boundary = Boundary::periodic([Some(1.0), Some(1.0)]).unwrap();
        let plane = assert_whole(&scattered::<2>(count, 0.2, 3), &boundary);
        let area: f64 = plane.cell_figures().iter().map(|cell| cell.volume).sum();
        assert!((area - 1.0).abs() < 1e-9, "{count} discs: {area}");
        let boundary = Boundary::periodic([Some(1.0); 3]).unwrap();
        let space = assert_whole(&scattered::<3>(count, 0.2, 4), &boundary);
        let volume: f64 = space.cell_figures().iter().map(|cell| cell.volume).sum();
        assert!((volume - 1.0).abs() < 1e-9, "{count} spheres: {volume}");
    }
}

#[test]
fn opposite_sides_of_a_periodic_box_are_glued() {
    let boundary = Boundary::periodic([Some(1.0); 3]).unwrap();
    assert_whole(&scattered(600, 0.02, 5), &boundary).glued(0.49).unwrap().check().unwrap();
    let boundary = Boundary::periodic([Some(1.0), None, Some(1.0)]).unwrap();
    assert_whole(&lattice(8, 0.125), &boundary).glued(0.49).unwrap().check().unwrap();
    let boundary = Boundary::periodic([Some(1.0); 2]).unwrap();
    let complex = assert_whole(&lattice::<2>(8, 0.125), &boundary).glued(0.49).unwrap();
    complex.check().unwrap();
    // On a torus there are twice as many triangles as vertices.
    assert_eq!(complex.count(), 2 * 64);
    assert!(complex.numbers().all(|k| !complex.simplex(k).vertices[..=2].contains(&OUTSIDE)));
    let few = assert_whole(&scattered::<2>(3, 0.1, 6), &boundary);
    assert!(few.glued(0.49).is_err());
}
