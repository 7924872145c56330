//! What a kinetic neighbor structure costs, by the columns of a paper's table.

use super::{Observable, Sample};
use crate::event_driven::{Counters, EventDrivenMemory, Simulation};
use crate::quantity::{Quantity, now, so_far};
use crate::{Value, Values};

/// The quantities that this observable adds to logs and summaries.
pub(super) const QUANTITIES: &[Quantity] = &[
    now(
        "neighbor_pairs",
        "",
        "Pairs of neighbors in the neighbor structure; may differ after a resume, which builds it again; in summaries.",
    ),
    now(
        "mean_neighbors",
        "",
        "Mean number of neighbors of a body; may differ after a resume, as the pairs; in summaries.",
    ),
    now(
        "most_neighbors",
        "",
        "Largest number of neighbors of one body; may differ after a resume, as the pairs; in summaries.",
    ),
    so_far(
        "changes_per_collision",
        "",
        "Changes of the neighbor structure per collision, since the run was started or resumed; in summaries.",
    ),
    so_far(
        "fresh_neighbors_per_change",
        "",
        "New neighbors per change of the structure, since the run was started or resumed; in summaries.",
    ),
    so_far(
        "pair_tests_per_collision",
        "",
        "Pairs whose collision time was computed, per collision, since the run was started or resumed; in summaries.",
    ),
];

/// Cost of a neighbor structure, by the criteria of Gavrilova and Rokne, "Collision detection optimization in
/// a multi-particle system": number of neighbors, rate of changes, new neighbors per change, memory.
///
/// ```
/// use carom_simulate::event_driven::{
///     BodyStart, Counters, NeighborStructure, Region, Settings, Simulation,
/// };
/// use carom_simulate::observe::NeighborStructureStatistics;
/// let structure = NeighborStructure::AllPairs;
/// let settings = Settings { structure, ..Settings::new(Region::periodic([20.0, 20.0])) };
/// let bodies = [3.0, 8.0, 13.0, 18.0].map(|x| BodyStart::new([x, 10.0], [0.0, 0.5], 1.0));
/// let simulation = Simulation::new(&bodies, settings)?;
/// let statistics = NeighborStructureStatistics::since(&Counters::default(), &simulation);
/// assert_eq!((statistics.mean_neighbors, statistics.max_neighbors), (3.0, 3));
/// # Ok::<(), carom_simulate::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NeighborStructureStatistics {
    /// Number of neighbor pairs now.
    pub neighbor_pairs: u64,
    /// Mean number of neighbors of a body.
    pub mean_neighbors: f64,
    /// Largest number of neighbors of one body.
    pub max_neighbors: usize,
    /// Changes of the structure (topological events) per collision.
    pub changes_per_collision: f64,
    /// New neighbors per change.
    pub fresh_neighbors_per_change: f64,
    /// Pairs whose contact time was computed, per collision.
    pub pair_tests_per_collision: f64,
    /// Memory held now.
    pub memory: EventDrivenMemory,
}

impl NeighborStructureStatistics {
    /// Computes the statistics of the work since the counters stood at `since`. Costs a pass over all bodies.
    pub fn since<const D: usize>(since: &Counters, simulation: &Simulation<D>) -> Self {
        let counters = simulation.counters();
        let (neighbor_pairs, max_neighbors) = simulation.neighbor_statistics();
        let collisions = (counters.collisions - since.collisions) as f64;
        let changes = (counters.structure_changes - since.structure_changes) as f64;
        let tests = (counters.pair_tests - since.pair_tests) as f64;
        let fresh = (counters.fresh_neighbors - since.fresh_neighbors) as f64;
        NeighborStructureStatistics {
            neighbor_pairs,
            mean_neighbors: 2.0 * neighbor_pairs as f64 / simulation.count() as f64,
            max_neighbors,
            changes_per_collision: changes / collisions,
            fresh_neighbors_per_change: fresh / changes,
            pair_tests_per_collision: tests / collisions,
            memory: simulation.memory(),
        }
    }
}

/// [`NeighborStructureStatistics`] of an event-driven run in its summary, of the work since it was started or resumed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NeighborStatistics {
    since: Counters,
}

impl NeighborStatistics {
    /// Counts from the present moment on.
    pub fn from_now<const D: usize>(simulation: &Simulation<D>) -> Self {
        NeighborStatistics { since: *simulation.counters() }
    }
}

impl<const D: usize> Observable<D> for NeighborStatistics {
    fn name(&self) -> &str {
        "neighbor_statistics"
    }

    fn columns(&self) -> Vec<String> {
        Vec::new()
    }

    fn sample(&mut self, _: &Sample<'_, D>) -> Vec<Value> {
        Vec::new()
    }

    fn summary(&self, sample: &Sample<'_, D>) -> Values {
        let mut values = Values::default();
        let Some(simulation) = sample.simulation::<Simulation<D>>() else { return values };
        let figures = NeighborStructureStatistics::since(&self.since, simulation);
        values.push("neighbor_pairs", figures.neighbor_pairs);
        values.push("mean_neighbors", figures.mean_neighbors);
        values.push("most_neighbors", figures.max_neighbors as u64);
        values.push("changes_per_collision", figures.changes_per_collision);
        values.push("fresh_neighbors_per_change", figures.fresh_neighbors_per_change);
        values.push("pair_tests_per_collision", figures.pair_tests_per_collision);
        values
    }
}
