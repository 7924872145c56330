//! Finds contacts by a broad phase of one's own: discs sorted along one axis.

use carom::detect::broad::{BroadPhase, Candidates, SphereSystem};
use carom::prelude::*;

/// Discs by the left ends of their intervals on the first axis.
struct SortedIntervals(Vec<u32>);

impl BroadPhase<2> for SortedIntervals {
    fn find_candidates(&mut self, system: &SphereSystem<'_, 2>, candidates: &mut Candidates) {
        let spheres = system.spheres();
        let left = |index: &u32| {
            let sphere = &spheres[*index as usize];
            sphere.center.x - sphere.radius
        };
        self.0 = (0..spheres.len() as u32).collect();
        self.0.sort_by(|a, b| left(a).total_cmp(&left(b)));
        for (place, first) in self.0.iter().enumerate() {
            let right = left(first) + 2.0 * spheres[*first as usize].radius;
            let others = self.0[place + 1..].iter().take_while(|other| left(other) <= right);
            others.for_each(|other| candidates.push(*first, *other));
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let disc = |k: u32| Sphere::new([f64::from(k % 40) * 0.9, f64::from(k / 40) * 1.1], 0.5);
    let discs: Vec<Sphere<2>> = (0..1600).map(disc).collect();
    let mut search = ContactSearch::with(SortedIntervals(Vec::new()));
    let own = search.find(&discs, &Boundary::open())?.to_vec();
    println!("{} contacts of {} candidates", own.len(), search.statistics().candidates);
    assert_eq!(own, contacts(&discs)?);
    Ok(())
}
