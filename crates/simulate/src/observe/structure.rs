use crate::events::{Counters, Memory, Simulation};

/// What a neighbour structure cost, by the criteria of Gavrilova and Rokne, "Collision detection
/// optimization in a multi-particle system": how many neighbours, how often they change, how many are
/// new each time, how much is held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StructureFigures {
    /// Pairs of neighbours now.
    pub neighbour_pairs: u64,
    /// Neighbours of a body, on average.
    pub mean_neighbours: f64,
    /// The most neighbours of one body.
    pub most_neighbours: usize,
    /// Changes of the structure (topological events) per collision.
    pub changes_per_collision: f64,
    /// New neighbours per change.
    pub fresh_per_change: f64,
    /// Pairs whose time of contact was computed, per collision.
    pub pair_tests_per_collision: f64,
    /// Bytes held now.
    pub memory: Memory,
}

impl StructureFigures {
    /// Of the work done since the counters stood at `since`. Looks at all bodies.
    pub fn since<const D: usize>(since: &Counters, simulation: &Simulation<D>) -> Self {
        let counters = simulation.counters();
        let (neighbour_pairs, most_neighbours) = simulation.neighbour_statistics();
        let collisions = (counters.collisions - since.collisions) as f64;
        let changes = (counters.changes - since.changes) as f64;
        let tests = (counters.pair_tests - since.pair_tests) as f64;
        let fresh = (counters.fresh_neighbours - since.fresh_neighbours) as f64;
        StructureFigures {
            neighbour_pairs,
            mean_neighbours: 2.0 * neighbour_pairs as f64 / simulation.count() as f64,
            most_neighbours,
            changes_per_collision: changes / collisions,
            fresh_per_change: fresh / changes,
            pair_tests_per_collision: tests / collisions,
            memory: simulation.memory(),
        }
    }
}
