//! All pairs: compares every sphere with every other. The reference, and the fastest for a few dozen
//! spheres; the cost grows as N^2.

use super::{BroadPhase, Candidates, SphereSystem};
use crate::BodyPair;
use crate::narrow::may_touch;

/// The broad phase without a structure; see the [module](self).
///
/// ```
/// use carom_detect::{ContactSearch, broad::AllPairs};
/// use carom_geometry::{Boundary, Sphere};
/// // Three discs, each of them nearer to both others than its diameter.
/// let discs = [[0.0, 0.0], [0.5, 0.0], [0.0, 0.5]].map(|at| Sphere::new(at, 0.5));
/// assert_eq!(ContactSearch::with(AllPairs).find(&discs, &Boundary::open())?.len(), 3);
/// # Ok::<(), carom_detect::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct AllPairs;

impl<const D: usize> BroadPhase<D> for AllPairs {
    fn find_candidates(&mut self, system: &SphereSystem<'_, D>, candidates: &mut Candidates) {
        let spheres = system.spheres();
        candidates.collect(spheres.len(), |range, found| {
            for index in range {
                let (sphere, others) = (&spheres[index], &spheres[index + 1..]);
                found.tests += others.len() as u64;
                for (offset, other) in others.iter().enumerate() {
                    if may_touch(sphere, other, system.boundary()) {
                        found.pairs.push(BodyPair::new(index as u32, (index + 1 + offset) as u32));
                    }
                }
            }
        });
    }

    fn describe(&self) -> String {
        "no structure".into()
    }
}
