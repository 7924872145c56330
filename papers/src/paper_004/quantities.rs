//! The numbers that the claims of the thesis rest on.

use super::disc_collision::{DiscCollision, ImpactOutcome};
use super::{DeformationResults, cone, intervals};
use crate::records::{Record, Records};
use crate::verdict::Quantities;

/// All of them.
pub(super) fn quantities(results: &DeformationResults) -> Quantities {
    let mut numbers = Quantities::default();
    faults(results, &mut numbers);
    duration_and_force(&results.hertz, &mut numbers);
    head_on(&results.collisions[0], &mut numbers);
    for trials in results.intervals.each("grid") {
        // A gain of a tenth would be seen in a picture.
        let fewest = intervals::fewest(&trials, 0.1);
        let ratio = fewest.map_or(f64::INFINITY, |trial| trial.number("intervals per grid"));
        let grid = trials.text("grid");
        let name = format!("fewest intervals over grid with a gain below 10 %: grid {grid}");
        numbers.add(name, ratio);
    }
    // Balls that do not part have no restitution.
    let restitution =
        |ball: &Record| if ball.text("parted") == "yes" { ball.number("restitution") } else { 0.0 };
    let name = "restitution of balls with 6 neighbors: radius {radius} spacings";
    numbers.add_each(results.balls.of("neighbors", 6).iter(), name, restitution);
    numbers
}

fn duration_and_force(hertz: &Records, numbers: &mut Quantities) {
    for (factor, duration) in [("4.53", "by 4.53 (2.1)"), ("2.9432", "by 2.9432")] {
        let name = format!("duration by {factor} over the exact one: {{spheres}}");
        let ratio = |case: &Record| case.number(duration) / case.number("duration exact");
        numbers.add_each(hertz.iter(), &name, ratio);
    }
    let restitution = |case: &Record| case.number("restitution of (2.4)");
    numbers.add_each(hertz.iter(), "restitution by (2.4): {spheres}", restitution);
}

/// The collision of figure 2.
fn head_on(collision: &DiscCollision, numbers: &mut Quantities) {
    let grid = f64::from(collision.scene.objects[0].grid);
    for outcome in collision.outcomes() {
        let way = outcome.measured.text("way");
        let name = format!("outer width over inner width of the disturbed part: {way} way");
        let slices =
            outcome.history.snapshots.first().map(cone::disturbance_slices).unwrap_or_default();
        numbers.add(name, cone::outer_over_inner_width(&slices));
        let depth = depth_of_deformation(outcome, grid);
        numbers.add(format!("depth of deformation in radii: {way} way"), depth);
    }
    let [by_modulus, by_springs] =
        collision.outcomes().map(|outcome| outcome.measured.number("duration"));
    let name = "duration by springs over duration by the modulus: figure 2";
    numbers.add(name, by_springs / by_modulus);
}

fn faults(results: &DeformationResults, numbers: &mut Quantities) {
    let name = "missed: {missed by the scan} of {lack a neighbor} with a grid of {grid}";
    let missed = |found: &Record| found.number("missed by the scan");
    numbers.add_each(results.faults.boundaries.iter(), name, missed);
    let name = "energy of a swing after a period: ωt = {product}";
    numbers.add_each(results.faults.growth.iter(), name, |swing| swing.number("factor"));
    let detected = results.faults.detected as f64;
    numbers.add("directions of 36 in which a crossing is seen", detected);
}

/// Depth up to which particles are displaced by a tenth of the farthest, in radii.
fn depth_of_deformation(outcome: &ImpactOutcome, grid: f64) -> f64 {
    let Some(snapshot) = outcome.history.snapshots.last() else { return f64::NAN };
    let first = || snapshot.particles.iter().filter(|spot| spot.object == 0);
    let farthest = first().map(|spot| spot.displacement).fold(0.0, f64::max);
    let columns = || first().map(|spot| spot.site[0]);
    let moved = first().filter(|spot| spot.displacement >= 0.1 * farthest);
    let deepest = moved.map(|spot| spot.site[0]).min();
    let depth = columns().max().zip(deepest).map(|(tip, deepest)| f64::from(tip - deepest));
    depth.map_or(f64::NAN, |depth| depth / (0.5 * grid))
}
