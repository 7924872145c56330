//! The static Laguerre Delaunay triangulation: any input, any order, periodic or not, against brute force and against
//! itself.

#![allow(clippy::unwrap_used)]

use carom::detect::laguerre::{HullAssumption, SimplexCorner, Triangulation};
use carom::geometry::{Boundary, Sphere, Vector};
use carom::scene::generate::SplitMix64;

/// Corners of every simplex in ascending order, in ascending order.
fn simplices<const D: usize>(triangulation: &Triangulation<D>) -> Vec<Vec<u32>> {
    let mut all: Vec<Vec<u32>> = triangulation
        .simplices()
        .map(|corners| {
            let mut numbers: Vec<u32> = corners[..=D].iter().map(|corner| corner.sphere).collect();
            numbers.sort_unstable();
            numbers
        })
        .collect();
    all.sort_unstable();
    all
}

fn whole<const D: usize>(spheres: &[Sphere<D>], boundary: &Boundary<D>) -> Triangulation<D> {
    let triangulation = Triangulation::of(spheres, boundary).unwrap();
    triangulation.check().unwrap_or_else(|fault| panic!("{} spheres: {fault}", spheres.len()));
    triangulation
}

/// Spheres on a coarse grid, so that many are coincident, collinear, coplanar and cospherical.
fn on_grid<const D: usize>(count: usize, side: u64, radii: u64, seed: u64) -> Vec<Sphere<D>> {
    let mut random = SplitMix64::new(seed);
    (0..count)
        .map(|_| {
            let center: [f64; D] = std::array::from_fn(|_| (random.bits() % side) as f64);
            Sphere::new(center, 0.5 * (random.bits() % radii) as f64)
        })
        .collect()
}

fn scattered<const D: usize>(count: usize, largest: f64, seed: u64) -> Vec<Sphere<D>> {
    let mut random = SplitMix64::new(seed);
    (0..count)
        .map(|_| {
            let center: [f64; D] = std::array::from_fn(|_| random.uniform());
            Sphere::new(center, largest * random.uniform())
        })
        .collect()
}

fn shuffled(count: usize, seed: u64) -> Vec<usize> {
    let mut random = SplitMix64::new(seed);
    let mut order: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        order.swap(last, (random.bits() % (last as u64 + 1)) as usize);
    }
    order
}

fn assert_degenerate_input_is_triangulated<const D: usize>() {
    for seed in 0..60 {
        for side in [1, 2, 3, 5] {
            for radii in [1, 4] {
                whole(&on_grid::<D>(5 + 3 * seed as usize, side, radii, seed), &Boundary::open());
            }
        }
        let boundary = Boundary::periodic([Some(4.0); D]).unwrap();
        whole(&on_grid::<D>(3 + seed as usize, 4, 2, seed), &boundary);
    }
}

#[test]
fn coincident_collinear_coplanar_and_cospherical_spheres_are_triangulated() {
    assert_degenerate_input_is_triangulated::<2>();
    assert_degenerate_input_is_triangulated::<3>();
}

#[test]
fn a_million_coincident_points_end_in_one_vertex() {
    let points = vec![Sphere::new([0.3, 0.7, 0.1], 0.0); 1_000_000];
    let triangulation = Triangulation::of(&points, &Boundary::open()).unwrap();
    assert!(!triangulation.is_hidden(0));
    assert!((1..1_000_000).all(|point| triangulation.is_hidden(point)));
}

/// Where nothing is degenerate there is one triangulation, in whatever order spheres are given.
#[test]
fn the_order_of_the_input_does_not_matter() {
    fn check<const D: usize>(boundary: &Boundary<D>) {
        let spheres = scattered::<D>(400, 0.1, 7);
        let expected = simplices(&whole(&spheres, boundary));
        for seed in 0..5 {
            let order = shuffled(spheres.len(), seed);
            let moved: Vec<Sphere<D>> = order.iter().map(|&index| spheres[index]).collect();
            let mut found: Vec<Vec<u32>> = simplices(&whole(&moved, boundary));
            for simplex in &mut found {
                simplex.iter_mut().for_each(|number| *number = order[*number as usize] as u32);
                simplex.sort_unstable();
            }
            found.sort_unstable();
            assert_eq!(found, expected, "seed {seed}");
        }
    }
    check::<2>(&Boundary::open());
    check::<3>(&Boundary::open());
    check::<2>(&Boundary::periodic([Some(1.0); 2]).unwrap());
    check::<3>(&Boundary::periodic([Some(1.0); 3]).unwrap());
}

#[test]
fn a_shift_of_a_periodic_box_changes_nothing() {
    let boundary = Boundary::periodic([Some(1.0); 3]).unwrap();
    let spheres = scattered::<3>(300, 0.05, 9);
    let expected = simplices(&whole(&spheres, &boundary));
    let shifted: Vec<_> = spheres
        .iter()
        .map(|sphere| {
            let center = boundary.wrap(sphere.center + Vector::from([0.25, 0.5, 0.75]));
            Sphere::new(center, sphere.radius)
        })
        .collect();
    assert_eq!(simplices(&whole(&shifted, &boundary)), expected);
}

/// A sphere that is nearly concentric with a larger one is the nearer one only so far away that others are nearer
/// still.
#[test]
fn small_spheres_inside_others_are_hidden() {
    let mut spheres = vec![Sphere::new([0.0, 0.0], 1.0), Sphere::new([0.02, 0.01], 0.1)];
    for corner in [[5.0, 5.0], [-5.0, 5.0], [5.0, -5.0], [-5.0, -5.0]] {
        spheres.push(Sphere::new(corner, 0.1));
    }
    let triangulation = whole(&spheres, &Boundary::open());
    assert!(triangulation.is_hidden(1) && !triangulation.is_hidden(0));
    assert!(triangulation.neighbors(1).is_empty());
    assert_eq!(triangulation.cell_measures()[1].volume, 0.0);
}

/// Every sphere that touches another without overlap is its neighbor.
#[test]
fn spheres_in_contact_are_neighbors() {
    for spacing in [1.0, 0.1] {
        let place = |k: usize| [(k % 5) as f64, (k / 5 % 5) as f64, (k / 25) as f64];
        let spheres: Vec<Sphere<3>> =
            (0..125).map(|k| Sphere::new(place(k).map(|x| x * spacing), 0.5 * spacing)).collect();
        let triangulation = whole(&spheres, &Boundary::open());
        for k in 0..124usize {
            if k % 5 < 4 {
                assert!(triangulation.neighbors(k).contains(&(k as u32 + 1)), "{k}");
            }
        }
    }
}

/// The smallest power of a random point is that of the sphere in whose cell it lies; counted, cells have the reported
/// volume.
#[test]
fn cell_volumes_are_those_that_points_fall_into() {
    let boundary = Boundary::periodic([Some(1.0); 3]).unwrap();
    let spheres = scattered::<3>(40, 0.15, 11);
    let figures = whole(&spheres, &boundary).cell_measures();
    let mut random = SplitMix64::new(13);
    let mut hits = vec![0u32; spheres.len()];
    let points = 40_000;
    for _ in 0..points {
        let point = Vector::from(std::array::from_fn(|_| random.uniform()));
        let power = |sphere: &Sphere<3>| {
            boundary.minimum_image(point, sphere.center).norm_squared()
                - sphere.radius * sphere.radius
        };
        let nearest = (0..spheres.len())
            .min_by(|&a, &b| power(&spheres[a]).total_cmp(&power(&spheres[b])))
            .unwrap();
        hits[nearest] += 1;
    }
    for (sphere, cell) in figures.iter().enumerate() {
        let part = f64::from(hits[sphere]) / f64::from(points);
        let spread = (cell.volume / f64::from(points)).sqrt() + 1e-4;
        assert!((part - cell.volume).abs() < 5.0 * spread, "{sphere}: {part} {}", cell.volume);
    }
}

#[test]
fn numbers_whose_powers_overflow_are_refused_with_the_range() {
    let spheres = [Sphere::new([0.0, 0.0], 1.0), Sphere::new([1e61, 0.0], 1.0)];
    let refusal = Triangulation::of(&spheres, &Boundary::open()).unwrap_err().to_string();
    assert!(refusal.contains("sphere 1 has x 1e61") && refusal.contains("1e60"), "{refusal}");
    let spheres = [Sphere::new([1e60, 0.0], 0.0), Sphere::new([0.0, 1e-60], 0.0)];
    whole(&spheres, &Boundary::open());
}

/// Two discs in a strip a hundred thousand times as long as wide: their cells go round it again and again.
#[test]
fn a_box_may_be_of_any_shape() {
    let spheres = [Sphere::new([1.0, 1.0], 0.5), Sphere::new([5e5, 2.0], 0.5)];
    let boundary = Boundary::periodic([Some(1e6), Some(4.0)]).unwrap();
    let area: f64 = whole(&spheres, &boundary).cell_measures().iter().map(|cell| cell.volume).sum();
    assert!((area / 4e6 - 1.0).abs() < 1e-9, "{area}");
    let mut spheres = scattered::<3>(200, 0.5, 17);
    for sphere in &mut spheres {
        sphere.center.component_mul_assign(&Vector::from([100.0, 5.0, 20.0]));
    }
    whole(&spheres, &Boundary::periodic([Some(100.0), Some(5.0), None]).unwrap());
}

/// The same spheres many times over in the open, of which the inner ones do not see the end.
fn assert_endless<const D: usize>(lengths: [f64; D], open: [bool; D], copies: i32) {
    let periods = std::array::from_fn(|axis| (!open[axis]).then_some(lengths[axis]));
    let boundary = Boundary::periodic(periods).unwrap();
    let shortest = periods.iter().flatten().copied().fold(f64::INFINITY, f64::min);
    for count in [5, 12, 40] {
        let mut spheres = scattered::<D>(count, 1.0, 19 + count as u64);
        for sphere in &mut spheres {
            sphere.center.component_mul_assign(&Vector::from(lengths));
            sphere.radius *= 0.24 * shortest;
        }
        let side = (2 * copies + 1) as usize;
        let mut many = spheres.clone();
        for number in 0..side.pow(D as u32) {
            let step: Vector<D> = Vector::from_fn(|axis, _| {
                (number / side.pow(axis as u32) % side) as f64 - f64::from(copies)
            });
            let along_open = (0..D).any(|axis| open[axis] && step[axis] != 0.0);
            if along_open || step.norm() == 0.0 {
                continue;
            }
            let shift = step.component_mul(&Vector::from(lengths));
            many.extend(
                spheres
                    .iter()
                    .map(|sphere| Sphere { center: sphere.center + shift, radius: sphere.radius }),
            );
        }
        let (found, expected) = (whole(&spheres, &boundary), whole(&many, &Boundary::open()));
        for sphere in 0..count {
            let others = expected.neighbors(sphere);
            let mut others: Vec<u32> = others.iter().map(|other| other % count as u32).collect();
            others.sort_unstable();
            others.dedup();
            others.retain(|&other| other as usize != sphere);
            let label = format!("sphere {sphere} of {count} in {periods:?}");
            assert_eq!(found.neighbors(sphere), others, "{label}");
            assert_eq!(found.is_hidden(sphere), expected.is_hidden(sphere), "{label}");
        }
    }
}

#[test]
fn in_a_periodic_box_neighbors_are_those_of_the_endless_pattern() {
    assert_endless([1.0, 1.0], [false, false], 3);
    assert_endless([100.0, 5.0], [false, false], 3);
    assert_endless([5.0, 1.0], [false, true], 4);
    assert_endless([0.1, 1.0], [false, true], 4);
    assert_endless([1.0, 1.0, 1.0], [false, false, false], 2);
    assert_endless([30.0, 2.0, 5.0], [false, false, true], 3);
    assert_endless([30.0, 2.0, 1.0], [false, true, false], 3);
    assert_endless([4.0, 1.0, 1.0], [false, true, true], 4);
    assert_endless([0.2, 1.0, 1.0], [false, true, true], 4);
}

fn volume(corners: &[SimplexCorner<3>]) -> f64 {
    let [a, b, c] = [1, 2, 3].map(|k| corners[k].position - corners[0].position);
    a.dot(&b.cross(&c)) / 6.0
}

/// Where many are coplanar and cospherical: each simplex once, and none missing.
#[test]
fn simplices_of_a_periodic_slab_fill_it() {
    for seed in 0..40 {
        let grid = on_grid::<3>(4 + seed as usize, 4, 2, seed);
        for (spheres, side) in [(grid, 4.0), (scattered(2 + seed as usize, 0.1, seed), 1.0)] {
            let heights = || spheres.iter().map(|sphere| sphere.center.z);
            let thickness = heights().fold(f64::NEG_INFINITY, f64::max)
                - heights().fold(f64::INFINITY, f64::min);
            let boundary = Boundary::periodic([Some(side), Some(side), None]).unwrap();
            let slab = whole(&spheres, &boundary);
            let filled: f64 = slab.simplices().map(|corners| volume(&corners)).sum();
            let expected = side * side * thickness;
            assert!((filled - expected).abs() < 1e-9, "seed {seed}: {filled}, not {expected}");
        }
    }
}

/// All on one line normal to the open axis, which then has no extent.
#[test]
fn discs_in_a_row_round_a_period_are_triangulated() {
    for count in [1, 3] {
        let row: Vec<_> =
            (0..count).map(|k| Sphere::new([0.1 + 0.3 * f64::from(k), 0.5], 0.1)).collect();
        let boundary = Boundary::periodic([Some(1.0), None]).unwrap();
        Triangulation::with_hull(&row, &boundary, HullAssumption::Flat).unwrap().check().unwrap();
        whole(&row, &boundary);
    }
}
