//! What agrees with the thesis and what does not, decided by the measured figures.

use super::DeformationResults;
use super::cone;
use super::disc_collision::ImpactOutcome;
use super::intervals::{self, IntervalTrial};
use crate::digits::significant;
use crate::finding::{ClaimVerdict, Finding};

/// A gain of energy that would be seen in a picture.
const SEEN: f64 = 0.1;

/// Every finding, in the order of the thesis.
pub fn all(results: &DeformationResults) -> Vec<Finding> {
    vec![
        boundary(results),
        duration(results),
        force(results),
        update(results),
        crossing(results),
        cone_shape(results),
        small_depth(results),
        intervals_needed(results),
        space(results),
        consistency(results),
    ]
}

fn finding(verdict: ClaimVerdict, claim: &str, evidence: String) -> Finding {
    Finding { verdict, claim: claim.into(), evidence }
}

fn percent(part: f64) -> String {
    format!("{:.1} %", 100.0 * part)
}

fn boundary(results: &DeformationResults) -> Finding {
    let boundaries = &results.faults.boundaries;
    let report: Vec<String> = boundaries
        .iter()
        .map(|found| {
            format!("{} of {} with a grid of {}", found.missed, found.particles, found.grid)
        })
        .collect();
    finding(
        ClaimVerdict::of(boundaries.iter().all(|found| found.missed == 0)),
        "a nonperipheral particle must have all the four neighbors",
        format!(
            "The scan of rows misses {}: where the rim is flat, only the first and last particle of a row count.",
            report.join(", ")
        ),
    )
}

fn duration(results: &DeformationResults) -> Finding {
    let errors = results.hertz.iter().flat_map(|case| {
        [case.impact.duration_as_printed(), case.impact.duration()]
            .map(|found| (found / case.closed_form[0] - 1.0).abs())
    });
    let worst = errors.fold(0.0, f64::max);
    finding(
        ClaimVerdict::of(worst < 1e-3),
        "the contact of two spheres lasts as long as (2.1) says",
        format!(
            "4.53 of the text and 2.9432 of the listing are roundings of the same formula, 4.53398 and 2.943275; they \
             are off by at most {}, and integrating the motion gives the exact value.",
            percent(worst)
        ),
    )
}

fn force(results: &DeformationResults) -> Finding {
    let ratios: Vec<f64> = results
        .hertz
        .iter()
        .map(|case| case.impact.largest_force() / case.closed_form[1])
        .collect();
    let restitution = results.hertz.iter().map(|case| case.restitution).fold(0.0, f64::max);
    let [head_on, oblique] = &results.collisions;
    finding(
        ClaimVerdict::of((restitution - 1.0).abs() < 0.01),
        "the force is (2.4)",
        format!(
            "The sine has the right duration but {} of the largest force, and its impulse sends bodies off with \
             {restitution:.3} times the speed of their approach: the discs of figure 2 part with {:.3} of it, those of \
             figure 3, where sliding counts as hitting, with {:.3}. In figure 2 it acts on one particle of each disc and \
             does {} times the energy of the relative motion as work. A sine of amplitude 1.0674 would keep the speed.",
            percent(ratios.iter().copied().fold(0.0, f64::max)),
            head_on.koti1989.restitution,
            oblique.koti1989.restitution,
            significant(head_on.koti1989.work, 2)
        ),
    )
}

fn update(results: &DeformationResults) -> Finding {
    let growth = &results.faults.growth;
    let report: Vec<String> = growth
        .iter()
        .map(|[product, factor]| format!("{} at ωt = {product}", significant(*factor, 4)))
        .collect();
    finding(
        ClaimVerdict::of(growth.iter().all(|[_, factor]| (factor - 1.0).abs() < 1e-3)),
        "positions and velocities follow from w = ut + at²/2 and v = u + at",
        format!(
            "As a step of springs this is unstable however short the interval t: in a period the energy of a swing of \
             frequency ω is multiplied by {}.",
            report.join(", ")
        ),
    )
}

fn crossing(results: &DeformationResults) -> Finding {
    let faults = &results.faults;
    finding(
        ClaimVerdict::of_all([faults.detected > 0, faults.detected == faults.directions]),
        "a change of both signs, of dx and of dy, reports that two objects have intersected",
        format!(
            "Of {} directions from which discs were let half a radius into each other in one step, the step was halved \
             in {}: along an axis one sign changes only.",
            faults.directions, faults.detected
        ),
    )
}

/// Depth, and widths near the surface and deep in the disc.
fn pattern(outcome: &ImpactOutcome) -> Option<(f64, i32, [f64; 2])> {
    let snapshot = outcome.snapshots.first()?;
    let (depth, widths) = cone::halves(&cone::disturbance_slices(snapshot));
    Some((snapshot.crossings, depth, widths))
}

fn cone_shape(results: &DeformationResults) -> Finding {
    let head_on = &results.collisions[0];
    let report = |outcome: &ImpactOutcome, name: &str| {
        pattern(outcome).map_or(String::new(), |(crossings, depth, [upper, lower])| {
            format!(
                "{name}, {crossings:.2} crossings of a wave after the touch, the disturbed part is {depth} spacings deep \
                 and {upper:.1} particles wide in its outer half, {lower:.1} in its inner half."
            )
        })
    };
    let is_cone = |outcome: &ImpactOutcome| {
        pattern(outcome).is_some_and(|(_, _, [upper, lower])| upper > 1.2 * lower)
    };
    finding(
        ClaimVerdict::of_all([&head_on.koti1989, &head_on.bonded].map(is_cone)),
        "a conical pattern with the apex toward the center shows the path of the wave",
        format!(
            "{} {} The cone comes from the four neighbors: without resistance to shear the push runs along the rows that \
             were hit, and others follow the slower the farther they are from them; with diagonals the wave is round.",
            report(&head_on.koti1989, "In the old way"),
            report(&head_on.bonded, "In the right way")
        ),
    )
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

fn small_depth(results: &DeformationResults) -> Finding {
    let head_on = &results.collisions[0];
    let grid = f64::from(head_on.scene.objects[0].grid);
    let depths =
        [&head_on.koti1989, &head_on.bonded].map(|outcome| depth_of_deformation(outcome, grid));
    let [old, right] =
        depths.map(|depth| depth.map_or(String::new(), |depth| format!("{depth:.2}")));
    finding(
        ClaimVerdict::of_all(depths.map(|depth| depth.is_some_and(|depth| depth < 0.5))),
        "deformation is limited to a very small depth from the surface",
        format!(
            "When a wave has crossed the disc once, particles displaced by a tenth of the farthest displacement are up \
             to {old} radii deep in the old way and {right} in the right way."
        ),
    )
}

fn intervals_needed(results: &DeformationResults) -> Finding {
    let trials = &results.intervals;
    let grids = intervals::grids(trials);
    let needed: Vec<(u32, Option<u32>)> =
        grids.iter().map(|&grid| (grid, intervals::fewest(trials, grid, SEEN))).collect();
    let report: Vec<String> = needed
        .iter()
        .map(|(grid, fewest)| match fewest {
            Some(count) => format!(
                "{} × grid for {grid}",
                significant(f64::from(*count) / f64::from(*grid), 3)
            ),
            None => format!("more than were tried for {grid}"),
        })
        .collect();
    let suffices =
        |(grid, fewest): &(u32, Option<u32>)| fewest.is_some_and(|count| count <= 10 * grid);
    let stable = trials
        .iter()
        .find(|trial| trial.ratio() == 10.0)
        .map_or(0.0, |trial: &IntervalTrial| trial.courant);
    finding(
        ClaimVerdict::of_all(needed.iter().map(suffices)),
        "the number of intervals should be at least ten times the grid",
        format!(
            "The energy from nowhere stays below a tenth from {} on. A wave must not pass a spacing in an interval, \
             which asks for {} × grid here; beyond it the unstable update multiplies the energy of the fastest swings \
             by 1 + 2(ct/a)² in each interval, so that intervals have to grow with the square of the grid, not with it.",
            report.join(", "),
            significant(10.0 * stable, 2)
        ),
    )
}

fn space(results: &DeformationResults) -> Finding {
    let report: Vec<String> = results
        .balls
        .iter()
        .map(|ball| {
            let parted = if ball.separated { "part" } else { "do not part" };
            format!(
                "with {} neighbors balls of {} spacings {parted} ({:.2} durations, {:.2} of the force, restitution {:.2})",
                ball.neighbors(), ball.radius, ball.duration, ball.force, ball.restitution
            )
        })
        .collect();
    let six = results.balls.iter().filter(|ball| ball.neighbors() == 6);
    finding(
        ClaimVerdict::of_all(six.map(|ball| ball.separated && ball.restitution > 0.9)),
        "in space, six neighbors instead of four are hardly any conceptual difference",
        format!("Held to H. Hertz's theory, {}.", report.join("; ")),
    )
}

fn consistency(results: &DeformationResults) -> Finding {
    let head_on = &results.collisions[0];
    let ratio = head_on.bonded.duration / head_on.koti1989.duration;
    finding(
        ClaimVerdict::of((ratio - 1.0).abs() < 0.1),
        "springs simulate the physical properties of the objects, like the modulus of elasticity",
        format!(
            "The file gives both, and nothing ties them: in figure 2 the modulus lets the impact last {:.2e}, the springs, \
             left to themselves, touch {} times as long and push with {} of the force.",
            head_on.koti1989.duration,
            significant(ratio, 3),
            significant(head_on.bonded.largest_force / head_on.koti1989.largest_force, 2)
        ),
    )
}
