//! Initial states of event-driven runs, made by a small seeded generator that is the same everywhere.

use carom::scene::generate::SplitMix64;
use carom::simulate::event_driven::{
    BodyStart, NeighborStructure, SavedState, Settings, Simulation,
};

/// Bodies on a square or cubic lattice.
#[derive(Clone, Copy, Debug)]
pub struct KineticStartLattice {
    /// Number of bodies along each axis; they are one apart, the first at one half.
    pub per_side: usize,
    /// Smallest and largest radius, at most one half.
    pub radii: [f64; 2],
    /// Seed of sites and sizes.
    pub seed: u64,
}

impl KineticStartLattice {
    /// Returns bodies near their sites without overlap, masses by volume, at temperature one.
    ///
    /// Made without logarithms and powers, which differ between machines in the last bit.
    pub fn jittered<const D: usize>(&self) -> Vec<BodyStart<D>> {
        let mut random = SplitMix64::new(self.seed);
        let [smallest, largest] = self.radii;
        self.sites::<D>()
            .map(|site| {
                let radius = smallest + (largest - smallest) * random.uniform();
                let room = 0.5 - radius;
                let position = site.map(|x| x + room * (2.0 * random.uniform() - 1.0));
                let mass: f64 = [radius / largest; D].iter().product();
                // Of variance one, and bell-shaped near enough.
                let mut bell = || (0..12).map(|_| random.uniform()).sum::<f64>() - 6.0;
                let velocity: [f64; D] = std::array::from_fn(|_| bell() / mass.sqrt());
                BodyStart { mass, ..BodyStart::new(position, velocity, radius) }
            })
            .collect()
    }

    /// Returns bodies on their sites, all of the largest radius, each with speed one along some axis: many collide at
    /// the very same time.
    pub fn marching<const D: usize>(&self) -> Vec<BodyStart<D>> {
        let mut random = SplitMix64::new(self.seed);
        self.sites::<D>()
            .map(|site| {
                let mut velocity = [0.0; D];
                let direction = (random.bits() % (2 * D as u64)) as usize;
                velocity[direction / 2] = if direction % 2 == 1 { -1.0 } else { 1.0 };
                BodyStart::new(site, velocity, self.radii[1])
            })
            .collect()
    }

    fn sites<const D: usize>(&self) -> impl Iterator<Item = [f64; D]> + use<D> {
        let side = self.per_side;
        (0..side.pow(D as u32)).map(move |index| {
            std::array::from_fn(|axis| (index / side.pow(axis as u32) % side) as f64 + 0.5)
        })
    }
}

/// Returns a run with a given neighbor structure.
pub fn simulation<const D: usize>(
    bodies: &[BodyStart<D>],
    settings: &Settings<D>,
    structure: NeighborStructure,
) -> Simulation<D> {
    let settings = Settings { structure, ..settings.clone() };
    Simulation::new(bodies, settings).expect("starts of tests are sensible")
}

/// Returns the state of a run without the work counters, which differ between structures.
pub fn physics<const D: usize>(simulation: &Simulation<D>) -> SavedState<D> {
    let mut saved = simulation.saved_state();
    let counters = &mut saved.counters;
    counters.structure_changes = 0;
    counters.fresh_neighbors = 0;
    counters.stale_events = 0;
    counters.pair_tests = 0;
    counters.restarts = 0;
    saved
}
