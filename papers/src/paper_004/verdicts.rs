//! The numbers that the claims of the thesis rest on.

use super::disc_collision::ImpactOutcome;
use super::{DeformationResults, cone, intervals};
use crate::report::ReportPage;
use crate::verdict::Expectation;

/// A gain of energy that would be seen in a picture.
const SEEN: f64 = 0.1;

/// Holds every measured number against what the thesis claims.
pub(super) fn judge(results: &DeformationResults, page: &mut ReportPage) {
    faults(results, page);
    for case in &results.hertz {
        let exact = Expectation::Within(case.closed_form[0], 1e-3);
        let by_text = case.impact.duration_as_printed();
        page.verdict("duration", format!("by 4.53, {}", case.name), by_text, exact);
        let by_listing = case.impact.duration();
        page.verdict("duration", format!("by 2.9432, {}", case.name), by_listing, exact);
        let quantity = format!("restitution by (2.4), {}", case.name);
        page.verdict("force", quantity, case.restitution, Expectation::Near(1.0, 0.01));
    }
    let head_on = &results.collisions[0];
    let grid = f64::from(head_on.scene.objects[0].grid);
    for (way, outcome) in head_on.ways() {
        let quantity = format!("outer width over inner width of the disturbed part, {way} way");
        let ratio = outer_over_inner_width(outcome);
        page.verdict("cone", quantity, ratio, Expectation::Above(1.2));
        let quantity = format!("depth of deformation in radii, {way} way");
        let depth = depth_of_deformation(outcome, grid);
        page.verdict("depth", quantity, depth, Expectation::Below(0.5));
    }
    for grid in intervals::grids(&results.intervals) {
        let fewest = intervals::fewest(&results.intervals, grid, SEEN);
        let fewest = fewest.map_or(f64::INFINITY, f64::from);
        let quantity = format!("fewest intervals with a gain below 10 %, grid {grid}");
        page.verdict("intervals", quantity, fewest, Expectation::AtMost(f64::from(10 * grid)));
    }
    for ball in results.balls.iter().filter(|ball| ball.neighbors() == 6) {
        // Balls that do not part have no restitution.
        let restitution = if ball.separated { ball.restitution } else { 0.0 };
        let quantity =
            format!("restitution of balls, 6 neighbors, radius {} spacings", ball.radius);
        page.verdict("space", quantity, restitution, Expectation::Above(0.9));
    }
    let ratio = head_on.bonded.duration / head_on.koti1989.duration;
    let quantity = "duration by springs over duration by the modulus, figure 2";
    page.verdict("springs", quantity, ratio, Expectation::Near(1.0, 0.1));
}

fn faults(results: &DeformationResults, page: &mut ReportPage) {
    let faults = &results.faults;
    for found in &faults.boundaries {
        let quantity = format!(
            "missed: {} of {} with a grid of {}",
            found.missed, found.particles, found.grid
        );
        page.verdict("boundary", quantity, found.missed as f64, Expectation::AtMost(0.0));
    }
    for [product, factor] in &faults.growth {
        let quantity = format!("energy of a swing after a period, ωt = {product}");
        page.verdict("update", quantity, *factor, Expectation::Near(1.0, 1e-3));
    }
    let (detected, directions) = (faults.detected as f64, faults.directions as f64);
    let quantity = "directions in which a crossing is seen";
    page.verdict("crossing", quantity, detected, Expectation::AtLeast(directions));
}

/// How much wider the disturbed part of a disc is near the surface than deep in it.
fn outer_over_inner_width(outcome: &ImpactOutcome) -> Option<f64> {
    let (_, [outer, inner]) = cone::halves(&cone::disturbance_slices(outcome.snapshots.first()?));
    Some(outer / inner)
}

/// How deep particles are displaced by a tenth of the farthest, in radii.
fn depth_of_deformation(outcome: &ImpactOutcome, grid: f64) -> Option<f64> {
    let snapshot = outcome.snapshots.last()?;
    let first = || snapshot.particles.iter().filter(|spot| spot.object == 0);
    let farthest = first().map(|spot| spot.displacement).fold(0.0, f64::max);
    let tip = first().map(|spot| spot.site[0]).max()?;
    let moved = first().filter(|spot| spot.displacement >= 0.1 * farthest);
    Some(f64::from(moved.map(|spot| tip - spot.site[0]).max()?) / (0.5 * grid))
}
