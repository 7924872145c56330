//! Refuses a search for pairs of bodies whose result would not fit into memory.

use carom::detect::world::BodyDistance;
use carom::geometry::Aabb;
use carom::io::memory;

/// Number of bodies that are looked at before all pairs are.
const SAMPLED_BODIES: usize = 64;

/// Less than this, in bytes, is not compared with the memory at hand.
const FEW_BYTES: f64 = 64e6;

/// Refuses pairs that memory has no room for, by the boxes around some of the bodies.
///
/// Each pair is counted at its smaller body, so that a floor or a container, which is near all others, does not count as
/// if all others were near as many. Of the same size, the first counts.
pub fn check_pair_memory(world: &carom::World, distance: f64) -> Result<(), String> {
    let step = world.len().div_ceil(SAMPLED_BODIES).max(1);
    let sample: Vec<u32> = world.bodies().step_by(step).collect();
    let mut near = 0;
    for &body in &sample {
        // What is wrong with the distance is said by the search itself.
        let Some(count) = count_larger_neighbors(world, body, distance) else { return Ok(()) };
        near += count;
    }
    let pairs = world.len() as f64 * near as f64 / sample.len().max(1) as f64;
    // They are measured, and then copied into arrays.
    let bytes = pairs * 3.0 * size_of::<BodyDistance>() as f64;
    if bytes < FEW_BYTES {
        return Ok(());
    }
    memory::check(format!("about {pairs:.1e} pairs"), bytes).map_err(|error| error.to_string())
}

/// Counts the bodies that are near one by their boxes and larger than it; None if the distance is none.
fn count_larger_neighbors(world: &carom::World, body: u32, distance: f64) -> Option<usize> {
    let Aabb { low, high } = world.bounds(body).ok()?;
    let size = (high - low).amax();
    let is_larger = |&other: &u32| {
        let Ok(Aabb { low, high }) = world.bounds(other) else { return false };
        let other_size = (high - low).amax();
        other_size > size || (other_size == size && other > body)
    };
    let far = Aabb { low: low.add_scalar(-distance), high: high.add_scalar(distance) };
    Some(world.bodies_in(&far).ok()?.iter().filter(|other| is_larger(other)).count())
}
