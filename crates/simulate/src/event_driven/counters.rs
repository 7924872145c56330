//! Counts of events and physical sums, with a digest of the order of collisions.

/// Counts of events and of work, and physical sums, over a run.
///
/// Physical sums run in the order of collisions, so they are the same for every neighbor structure, to
/// the bit; counts of work are not.
///
/// ```
/// use carom_simulate::event_driven::{BodyStart, Region, Settings, Simulation};
/// // A disc between walls: its center travels from 1 to 3 and back, from the middle of this way.
/// let bodies = [BodyStart::new([2.0, 2.0], [1.0, 0.0], 1.0)];
/// let mut simulation = Simulation::new(&bodies, Settings::new(Region::walled([4.0, 4.0])))?;
/// simulation.advance(10.0, u64::MAX);
/// let counters = simulation.counters();
/// assert_eq!((counters.collisions, counters.wall_collisions), (0, 5));
/// // Each collision passes twice the momentum of the disc to a wall.
/// assert_eq!((counters.wall_momentum, counters.dissipated), (10.0, 0.0));
/// # Ok::<(), carom_simulate::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counters {
    /// Number of collisions of two bodies.
    pub collisions: u64,
    /// Number of collisions with walls.
    pub wall_collisions: u64,
    /// Number of passages through periodic faces.
    pub passages: u64,
    /// Number of trajectory predictions in a force field.
    pub predictions: u64,
    /// Number of collisions made elastic by the contact-time rule.
    pub collapse_prevented: u64,
    /// Number of changes of the neighbor structure (topological events).
    pub structure_changes: u64,
    /// Number of new neighbors that these changes brought.
    pub fresh_neighbors: u64,
    /// Number of events that were stale because the partner had been deflected since.
    pub stale_events: u64,
    /// Number of pairs whose contact time was computed.
    pub pair_tests: u64,
    /// Number of times that structure, predictions and calendar were rebuilt.
    pub restarts: u64,
    /// Collisional virial: the sum of center distance times momentum exchanged over collisions of two bodies,
    /// and of radius times momentum exchanged over those with walls. Without the latter the pressure in a
    /// walled box would be less than that on its walls, by the fraction of the box that centers cannot reach.
    pub virial: f64,
    /// Momentum given to the walls, along their normals.
    pub wall_momentum: f64,
    /// Kinetic energy lost in collisions.
    pub dissipated: f64,
    /// Smallest gap between two bodies at a collision, in units of the smaller radius; overlaps by rounding
    /// make it negative.
    pub smallest_gap: f64,
    /// Hash of all collisions so far: times and pairs, in order.
    pub digest: u64,
}

impl Default for Counters {
    fn default() -> Self {
        Counters {
            collisions: 0,
            wall_collisions: 0,
            passages: 0,
            predictions: 0,
            collapse_prevented: 0,
            structure_changes: 0,
            fresh_neighbors: 0,
            stale_events: 0,
            pair_tests: 0,
            restarts: 0,
            virial: 0.0,
            wall_momentum: 0.0,
            dissipated: 0.0,
            smallest_gap: f64::INFINITY,
            digest: 0xcbf2_9ce4_8422_2325,
        }
    }
}

impl Counters {
    /// Counts a collision and mixes it into the digest.
    #[inline]
    pub(super) fn log_collision(&mut self, time: f64, a: u32, b: u32) {
        self.collisions += 1;
        let pair = (u64::from(a.min(b)) << 32) | u64::from(a.max(b));
        for word in [time.to_bits(), pair] {
            let mixed = (self.digest ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            self.digest = mixed ^ (mixed >> 29);
        }
    }
}
