//! Frozen counts: contacts of the published workloads, and the work done to find them.

#![allow(clippy::unwrap_used)]

use carom::io::Particles;
use carom::scene::generate::PaperCase;
use carom::{Boundary, BroadPhaseMethod, ContactSearch, Sphere};

const SEED: u64 = 12345;

fn search<const D: usize>(spheres: &[Sphere<D>], method: BroadPhaseMethod<D>) -> ContactSearch<D> {
    let mut search = ContactSearch::new(method);
    search.find(spheres, &Boundary::open()).unwrap();
    search
}

fn contacts(case: PaperCase, count: usize) -> usize {
    match case.particles(count, SEED).unwrap() {
        Particles::Discs(set) => search(&set.spheres, BroadPhaseMethod::Auto).statistics().contacts,
        Particles::Spheres(set) => {
            search(&set.spheres, BroadPhaseMethod::Auto).statistics().contacts
        }
    }
}

#[test]
fn the_published_workloads_have_the_known_numbers_of_contacts() {
    let known = [
        (PaperCase::TwoA, 10_000, 9007),
        (PaperCase::TwoB, 10_000, 1943),
        (PaperCase::TwoC, 10_000, 246),
        (PaperCase::ThreeB, 10_000, 921),
        (PaperCase::TwoA, 100_000, 90_221),
        (PaperCase::TwoB, 100_000, 20_021),
        (PaperCase::TwoC, 100_000, 2542),
        (PaperCase::ThreeB, 100_000, 9643),
        (PaperCase::LogNormal, 100_000, 94_314),
        (PaperCase::Big, 100_000, 14_711),
        (PaperCase::PolydisperseTwo, 10_000, 454_683),
        (PaperCase::TwoA, 1_000_000, 899_600),
        (PaperCase::TwoB, 1_000_000, 198_065),
        (PaperCase::TwoC, 1_000_000, 25_988),
        (PaperCase::ThreeA, 1_000_000, 924_182),
        (PaperCase::ThreeB, 1_000_000, 97_772),
        (PaperCase::ThreeC, 1_000_000, 4898),
    ];
    for (case, count, expected) in known {
        assert_eq!(contacts(case, count), expected, "{} with {count}", case.name());
    }
}

/// Counted work does not depend on the machine: more of it is a regression, less a reason to freeze the new count.
#[test]
fn the_work_to_find_them_has_not_grown() {
    let tests = |method| {
        let Ok(Particles::Spheres(set)) = PaperCase::ThreeB.particles(10_000, SEED) else {
            unreachable!("3B is a case of spheres")
        };
        search(&set.spheres, method).statistics().pair_tests
    };
    assert_eq!(tests(BroadPhaseMethod::AllPairs), 10_000 * 9_999 / 2);
    assert_eq!(tests(BroadPhaseMethod::HierarchicalGrid), 133_107);
    assert_eq!(tests(BroadPhaseMethod::CellTree), 16_300);
    assert_eq!(tests(BroadPhaseMethod::SweepAndPrune), 1_615_075);
    assert_eq!(tests(BroadPhaseMethod::DistanceSort(Default::default())), 1_677_450);
    assert_eq!(tests(BroadPhaseMethod::LinkedCells(Default::default())), 16_300);
}

/// Input in the order of a lattice must not mislead the sample, and neither may a sphere that flew away.
#[test]
fn regular_order_and_outliers_do_not_spoil_the_grid() {
    let lattice = |side: usize, far: f64| -> Vec<Sphere<3>> {
        let site = |index: usize| [index % side, index / side % side, index / side / side];
        let mut spheres: Vec<_> = (0..side * side * side)
            .map(|index| Sphere::new(site(index).map(|place| place as f64), 0.5))
            .collect();
        spheres[17].center.x = far;
        spheres
    };
    for (side, far) in [(64, 17.0), (64, 1e15), (32, 17.0), (63, 17.0)] {
        let spheres = lattice(side, far);
        let statistics = search(&spheres, BroadPhaseMethod::Auto).statistics();
        assert_eq!(statistics.method, "hierarchical-grid", "{}", statistics.reason);
        let per_sphere = statistics.pair_tests / spheres.len() as u64;
        assert!(per_sphere < 30, "{side} {far}: {per_sphere} tests per sphere");
        assert!(statistics.candidates < 4 * spheres.len(), "{} candidates", statistics.candidates);
    }
}
