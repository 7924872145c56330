//! The broad phase that `auto` chooses, and its stated reason.

#![allow(clippy::unwrap_used)]

use carom::{Boundary, BroadPhaseMethod, ContactSearch, Sphere};
use carom_tests::RandomSpheres;

fn chosen<const D: usize>(spheres: &[Sphere<D>]) -> (&'static str, String) {
    let mut search = ContactSearch::new(BroadPhaseMethod::Auto);
    search.find(spheres, &Boundary::open()).unwrap();
    let statistics = search.statistics();
    (statistics.method, statistics.reason)
}

#[test]
fn a_few_spheres_are_compared_all() {
    let (method, reason) = chosen(&RandomSpheres::new(1).spheres::<3>(20, 1.0, 0.1));
    assert_eq!(method, "all-pairs");
    assert!(reason.contains("20 spheres are too few for a grid to pay"), "{reason}");
}

#[test]
fn spheres_of_any_sizes_spread_evenly_go_to_the_grid() {
    for radius in [1e-4, 0.01, 0.3] {
        let mut spheres = RandomSpheres::new(2).spheres::<3>(5000, 1.0, radius);
        spheres[7].radius = 0.4;
        assert_eq!(chosen(&spheres).0, "hierarchical-grid");
    }
}

#[test]
fn a_far_outlier_is_no_reason_to_leave_the_grid() {
    let mut spheres = RandomSpheres::new(3).spheres::<2>(20_000, 1.0, 0.002);
    spheres.push(Sphere::new([1e5, 1e5], 0.002));
    assert_eq!(chosen(&spheres).0, "hierarchical-grid");
    let mut search = ContactSearch::new(BroadPhaseMethod::Auto);
    search.find(&spheres, &Boundary::open()).unwrap();
    let tests = search.statistics().pair_tests;
    assert!(tests < 20 * spheres.len() as u64, "{tests} tests: the outlier spoils the grid");
}

#[test]
fn clumps_far_apart_go_to_the_tree_of_cells() {
    let mut spheres = RandomSpheres::new(3).spheres::<2>(20_000, 1.0, 0.002);
    for (index, sphere) in spheres.iter_mut().enumerate() {
        sphere.center *= 1.0 + (index % 3) as f64;
        sphere.center.add_scalar_mut(1e5 * (index % 4) as f64);
    }
    let (method, reason) = chosen(&spheres);
    assert_eq!(method, "cell-tree");
    assert!(reason.contains("clumped"), "{reason}");
}

#[test]
fn small_spheres_between_a_few_large_ones_are_no_clump() {
    let mut spheres = RandomSpheres::new(5).spheres::<3>(100_000, 7.0, 0.05);
    spheres.iter_mut().step_by(1000).for_each(|sphere| sphere.radius = 0.5);
    assert_eq!(chosen(&spheres).0, "hierarchical-grid");
}

#[test]
fn spheres_as_large_as_the_box_are_no_clump() {
    assert_eq!(chosen(&RandomSpheres::new(4).spheres::<2>(500, 1.0, 2.0)).0, "hierarchical-grid");
}
