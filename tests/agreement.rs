//! Random systems: all broad phases against the definition, with any number of threads and any order of input.

#![allow(clippy::unwrap_used)]

use carom::{BodyPair, Boundary, Contact, ContactSearch, Sphere};
use carom_tests::{RandomSpheres, assert_every_method_agrees, methods};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn random_discs_agree(seed: u64, count in 0usize..250, spread in -3.0f64..2.0, offset in -1e6f64..1e6) {
        random_system::<2>(seed, count, spread, offset);
    }

    #[test]
    fn random_spheres_agree(seed: u64, count in 0usize..250, spread in -3.0f64..2.0, offset in -1e6f64..1e6) {
        random_system::<3>(seed, count, spread, offset);
    }
}

/// Radii log-uniform over up to six decades, in open, periodic and mixed boxes.
fn random_system<const D: usize>(seed: u64, count: usize, spread: f64, offset: f64) {
    let mut numbers = RandomSpheres::new(seed);
    let periods = std::array::from_fn(|_| (numbers.draw() < 0.5).then_some(1.0));
    let spheres: Vec<_> = (0..count)
        .map(|_| {
            let center: [f64; D] = std::array::from_fn(|_| numbers.draw() + offset);
            Sphere::new(center, 0.25 * 10f64.powf((spread - 3.0) * numbers.draw()))
        })
        .collect();
    assert_every_method_agrees(&spheres, periods);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 15, ..ProptestConfig::default() })]

    #[test]
    fn extreme_discs_agree(seed: u64, count in 0usize..1500) {
        extreme_system::<2>(seed, count);
    }

    #[test]
    fn extreme_spheres_agree(seed: u64, count in 0usize..1500) {
        extreme_system::<3>(seed, count);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    #[ignore = "takes a minute: cargo xtask test --all"]
    fn many_extreme_discs_agree(seed: u64, count in 0usize..1500) {
        extreme_system::<2>(seed, count);
    }

    #[test]
    #[ignore = "takes a minute: cargo xtask test --all"]
    fn many_extreme_spheres_agree(seed: u64, count in 0usize..1500) {
        extreme_system::<3>(seed, count);
    }
}

/// Boxes of any aspect ratio and size, outliers, some points, ordered input, periodic where it is allowed.
fn extreme_system<const D: usize>(seed: u64, count: usize) {
    let mut numbers = RandomSpheres::new(seed);
    let mut power = |most: f64| 10f64.powf((2.0 * numbers.draw() - 1.0) * most);
    let unit = power(80.0);
    let edges: [f64; D] = std::array::from_fn(|_| unit * power(6.0));
    let shortest = edges.iter().copied().fold(f64::INFINITY, f64::min);
    let largest = 0.25 * shortest * power(2.0).min(1.0);
    let ordered = numbers.draw() < 0.3;
    let periods = std::array::from_fn(|axis| (numbers.draw() < 0.4).then_some(edges[axis]));
    let outliers = numbers.draw() < 0.5;
    let side = (count as f64).powf(1.0 / D as f64).ceil().max(1.0) as usize;
    let spheres: Vec<_> = (0..count)
        .map(|index| {
            let center: [f64; D] = std::array::from_fn(|axis| {
                let site = (index / side.pow(axis as u32) % side) as f64 / side as f64;
                let place = if ordered { site } else { numbers.draw() };
                let far = outliers && numbers.draw() < 0.01;
                edges[axis] * if far { place * 1e9 } else { place }
            });
            let point = numbers.draw() < 0.1;
            let radius = largest * 10f64.powf(-4.0 * numbers.draw());
            Sphere::new(center, if point { 0.0 } else { radius })
        })
        .collect();
    assert_every_method_agrees(&spheres, periods);
}

#[test]
fn same_bits_for_one_two_and_five_threads() {
    assert_same_bits(20_000, 8.3);
}

#[test]
#[ignore = "takes a minute: cargo xtask test --all"]
fn same_bits_of_many_spheres_for_one_two_and_five_threads() {
    assert_same_bits(60_000, 12.0);
}

fn assert_same_bits(count: usize, size: f64) {
    let spheres = RandomSpheres::new(21).spheres::<3>(count, size, 0.3);
    for periods in [[None; 3], [Some(size); 3]] {
        let boundary = Boundary::periodic(periods).unwrap();
        let on = |threads: usize, method| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| ContactSearch::new(method).find(&spheres, &boundary).unwrap().to_vec())
        };
        let mut first: Option<Vec<Contact>> = None;
        for method in methods::<3>().into_iter().filter(|method| fast_enough(method.name())) {
            for threads in [1, 2, 5] {
                let found = on(threads, method);
                assert!(found.len() > count * 5 / 6);
                let first = first.get_or_insert_with(|| found.clone());
                assert!(found == *first, "{method:?} on {threads} threads");
            }
        }
    }
}

fn fast_enough(name: &str) -> bool {
    matches!(
        name,
        "auto"
            | "hierarchical-grid"
            | "cell-tree"
            | "sweep-and-prune"
            | "incremental-sweep-and-prune"
            | "delaunay"
    )
}

#[test]
fn order_of_the_input_does_not_matter() {
    let spheres = RandomSpheres::new(22).spheres::<2>(5_000, 20.0, 0.3);
    let count = spheres.len();
    // 7919 is coprime to 5000, so this visits every index once.
    let place = |index: usize| index * 7919 % count;
    let mut scrambled = spheres.clone();
    for (index, sphere) in spheres.iter().enumerate() {
        scrambled[place(index)] = *sphere;
    }
    for method in methods::<2>() {
        let mut search = ContactSearch::new(method);
        let original = search.find(&spheres, &Boundary::open()).unwrap().to_vec();
        let mut mapped: Vec<Contact> = original
            .iter()
            .map(|contact| {
                let [a, b] = [contact.pair.first(), contact.pair.second()]
                    .map(|index| place(index as usize) as u32);
                Contact { pair: BodyPair::new(a, b), ..*contact }
            })
            .collect();
        mapped.sort_by_key(|contact| contact.pair);
        assert_eq!(search.find(&scrambled, &Boundary::open()).unwrap(), mapped, "{method:?}");
    }
}
