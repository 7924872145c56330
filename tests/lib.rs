//! Shared by the tests across crates: every broad phase under test, and an independent reference.

pub mod crowd;
pub mod exact_inside;
pub mod kinetic;
pub mod polyhedra;
pub mod proof;

use carom::detect::broad::{CellSize, DistanceSortOrigin};
use carom::geometry::random::SplitMix64;
use carom::{BodyPair, Boundary, BroadPhaseMethod, Contact, ContactSearch, Sphere};

/// Every broad phase with its usual settings and with unusual ones: a new structure adds a line.
pub fn methods<const D: usize>() -> Vec<BroadPhaseMethod<D>> {
    let mut methods = BroadPhaseMethod::ALL.to_vec();
    methods.extend(
        [0.1, 1.0, 5.0, 10.0, 1e6]
            .map(|mean| BroadPhaseMethod::LinkedCells(CellSize::MeanNumber(mean))),
    );
    methods.push(BroadPhaseMethod::DistanceSort(DistanceSortOrigin::Center));
    methods.push(BroadPhaseMethod::DistanceSort(DistanceSortOrigin::Point([-1e6; D].into())));
    methods
}

/// Returns the contacts by their definition, by plain loops that share no code with carom.
pub fn expected<const D: usize>(spheres: &[Sphere<D>], periods: [Option<f64>; D]) -> Vec<Contact> {
    let mut contacts = Vec::new();
    for (i, a) in spheres.iter().enumerate() {
        for (j, b) in spheres.iter().enumerate().skip(i + 1) {
            let mut squared = 0.0;
            for axis in 0..D {
                let mut separation = b.center[axis] - a.center[axis];
                if let Some(period) = periods[axis] {
                    separation -= period * (separation * (1.0 / period)).round();
                }
                squared += separation * separation;
            }
            let overlap = (a.radius + b.radius) - squared.sqrt();
            if overlap >= 0.0 {
                contacts.push(Contact { pair: BodyPair::new(i as u32, j as u32), overlap });
            }
        }
    }
    contacts
}

/// Asserts that every broad phase finds exactly the expected contacts, that the visiting form agrees, that a second
/// search with the same buffers does too, and that each structure is valid.
pub fn assert_every_method_agrees<const D: usize>(
    spheres: &[Sphere<D>],
    periods: [Option<f64>; D],
) {
    let boundary = Boundary::periodic(periods).expect("periods of a test are sensible");
    let expected = expected(spheres, periods);
    for method in methods::<D>() {
        let mut search = ContactSearch::new(method);
        for round in 0..2 {
            let found = search.find(spheres, &boundary).expect("spheres of a test are sensible");
            assert_eq!(found, expected, "{method:?} in {D}D, round {round}");
        }
        let mut visited = Vec::new();
        let visit = |contact| visited.push(contact);
        search.visit(spheres, &boundary, visit).expect("spheres of a test are sensible");
        assert_eq!(visited, expected, "{method:?} in {D}D, visiting");
        search.check(spheres, &boundary).unwrap_or_else(|fault| panic!("{method:?}: {fault}"));
    }
}

/// Random spheres, the same on every machine.
pub struct RandomSpheres(SplitMix64);

impl RandomSpheres {
    /// Starts from `seed`.
    pub fn new(seed: u64) -> Self {
        RandomSpheres(SplitMix64::new(seed))
    }

    /// Returns the next number in `[0, 1)`.
    pub fn draw(&mut self) -> f64 {
        self.0.uniform()
    }

    /// Returns `count` spheres with centers in a cube of side `size` and radii up to `radius`.
    pub fn spheres<const D: usize>(
        &mut self,
        count: usize,
        size: f64,
        radius: f64,
    ) -> Vec<Sphere<D>> {
        (0..count)
            .map(|_| {
                let center: [f64; D] = std::array::from_fn(|_| self.draw() * size);
                Sphere::new(center, self.draw() * radius)
            })
            .collect()
    }
}
