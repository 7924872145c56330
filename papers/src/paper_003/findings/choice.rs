//! Which of the paper's methods is faster where.

use super::{largest_grid, seconds, smallest_grid, verdict_of};
use crate::digits::significant;
use crate::finding::Finding;
use crate::paper_003::approach::Approach;
use crate::paper_003::comparison::{ApproachCase, Comparison};
use crate::paper_003::crossover::{CrossoverPoint, crossover_point};
use crate::paper_003::published::CROSSOVERS;

/// Times that differ by less are equal.
const EQUAL: f64 = 1.1;

pub(super) fn findings(comparisons: &[Comparison; 2]) -> Vec<Finding> {
    let [sphere, foam] = comparisons;
    vec![
        well_chosen(comparisons),
        refined(sphere),
        coarse(sphere),
        fine(sphere),
        overtaken(sphere),
        foam_few_points(foam),
        foam_many_points(foam),
    ]
}

/// Pairs of cases, alike but for the approach.
fn pairs(comparison: &Comparison, approaches: [Approach; 2]) -> Vec<[&ApproachCase; 2]> {
    let mut pairs = Vec::new();
    for &per_axis in &comparison.grids {
        let [first, second] = approaches.map(|approach| comparison.curve(approach, per_axis));
        pairs.extend(first.into_iter().zip(second).map(|(first, second)| [first, second]));
    }
    pairs
}

/// Whether a well-chosen depth is the pre-chosen one: then bounds are the same to the bit.
fn is_pre_chosen(comparison: &Comparison, well: &ApproachCase) -> bool {
    let grid = comparison.largest_grid();
    let pre = comparison.case(Approach::PreChosen, well.triangles, grid);
    let bounds = [pre, Some(well)].map(|case| case?.expansion.map(|expansion| expansion.bound));
    bounds[0].is_some() && bounds[0] == bounds[1]
}

fn well_chosen(comparisons: &[Comparison; 2]) -> Finding {
    let approaches = [Approach::WellChosen, Approach::PreChosen];
    let mut same = 0;
    let mut ratios = Vec::new();
    for comparison in comparisons {
        for [well, pre] in pairs(comparison, approaches) {
            if is_pre_chosen(comparison, well) {
                same += 1;
            } else {
                ratios.push(pre.total() / well.total());
            }
        }
    }
    let better = ratios.iter().filter(|&&ratio| ratio > EQUAL).count();
    let worse = ratios.iter().filter(|&&ratio| ratio < 1.0 / EQUAL).count();
    let extreme = |by: fn(f64, f64) -> f64| ratios.iter().copied().reduce(by).unwrap_or(f64::NAN);
    // Not worse anywhere, and better more often than not.
    let parts = [worse == 0, 2 * better > ratios.len()];
    Finding {
        verdict: verdict_of(if ratios.is_empty() { &[] } else { &parts }),
        claim: "a well-chosen depth (WC) gives better times than a pre-chosen one (PC)".into(),
        evidence: format!(
            "In {same} of {} cases both depths are the same. In the others WC is faster by more than a tenth \
             in {better}, slower in {worse}; PC takes {:.2} to {:.1} times as long.",
            same + ratios.len(),
            extreme(f64::min),
            extreme(f64::max)
        ),
    }
}

fn refined(sphere: &Comparison) -> Finding {
    let curve = sphere.curve(Approach::PreChosen, sphere.largest_grid());
    let falls: Vec<String> = curve
        .windows(2)
        .filter(|meshes| meshes[1].total() < meshes[0].total())
        .map(|meshes| {
            let [coarse, fine] = [meshes[0], meshes[1]];
            let times = [coarse, fine].map(|case| seconds(case.total()));
            format!(
                "{} to {} triangles {} to {}",
                coarse.triangles, fine.triangles, times[0], times[1]
            )
        })
        .collect();
    let few = sphere.curve(Approach::PreChosen, sphere.smallest_grid());
    let share = few.last().map(|case| case.setup / case.total());
    let report = match falls.as_slice() {
        [] => "It never falls".to_string(),
        falls => format!("From {}", falls.join(", from ")),
    };
    Finding {
        verdict: share.map_or(verdict_of(&[]), |share| verdict_of(&[!falls.is_empty(), share > 0.5])),
        claim: "with a pre-chosen depth and many points a finer mesh sometimes takes less time, and with few \
                points setting up dominates (figure 8)"
            .into(),
        evidence: format!(
            "{report} with {} points; setting up is {:.0} % of the time of the finest mesh with {}.",
            largest_grid(sphere),
            100.0 * share.unwrap_or_default(),
            smallest_grid(sphere)
        ),
    }
}

/// Both multipole methods and rays on a mesh, as a text, and whether a multipole method is faster.
fn duel(comparison: &Comparison, triangles: usize, per_axis: usize) -> Option<(bool, String)> {
    let of = |approach| comparison.case(approach, triangles, per_axis).map(ApproachCase::total);
    let well = of(Approach::WellChosen)?;
    let (pre, ray) = (of(Approach::PreChosen)?, of(Approach::RayCrossing)?);
    let text = format!(
        "{triangles} triangles: ray crossing {}, FMM {} (WC) and {} (PC)",
        seconds(ray),
        seconds(well),
        seconds(pre)
    );
    Some((well.min(pre) < ray, text))
}

fn coarse(sphere: &Comparison) -> Finding {
    let per_axis = sphere.smallest_grid();
    let ends = [sphere.triangles.first(), sphere.triangles.last()];
    let duels: Vec<_> =
        ends.into_iter().flatten().filter_map(|&mesh| duel(sphere, mesh, per_axis)).collect();
    let holds: Vec<bool> =
        duels.iter().zip([false, true]).map(|(duel, fmm)| duel.0 == fmm).collect();
    let report: Vec<String> = duels.into_iter().map(|duel| duel.1).collect();
    Finding {
        verdict: verdict_of(&holds),
        claim: "with 10³ points ray crossing is faster for coarse spheres, the fast multipole method a \
                little for the finest (figure 10)"
            .into(),
        evidence: format!("{} points; {}.", smallest_grid(sphere), report.join("; ")),
    }
}

fn fine(sphere: &Comparison) -> Finding {
    let per_axis = sphere.largest_grid();
    let duel = sphere.triangles.last().and_then(|&mesh| duel(sphere, mesh, per_axis));
    let holds: Vec<bool> = duel.iter().map(|duel| duel.0).collect();
    Finding {
        verdict: verdict_of(&holds),
        claim:
            "with 80³ points and for fine meshes the fast multipole method is faster (figure 10)"
                .into(),
        evidence: format!(
            "{} points; {}.",
            largest_grid(sphere),
            duel.map_or(String::new(), |duel| duel.1)
        ),
    }
}

fn overtaken(sphere: &Comparison) -> Finding {
    let mut holds = Vec::new();
    let mut report = Vec::new();
    for (per_axis, [slower, faster]) in CROSSOVERS {
        let Some(found) = crossover_point(sphere, Approach::PreChosen, per_axis) else { continue };
        let (low, high) = (slower as f64, faster as f64);
        holds.push(matches!(found, CrossoverPoint::At(place) if (low..=high).contains(&place)));
        report.push(format!(
            "With {per_axis}³ points it is faster from {found} triangles on (paper: between {slower} and \
             {faster})."
        ));
    }
    Finding {
        verdict: verdict_of(&holds),
        claim: "ray crossing is better than the multipole method of pre-chosen depth for the five coarsest \
                spheres with the smallest grid, and for the three coarsest with the largest (section 4)"
            .into(),
        evidence: report.join(" ") + &tests(sphere),
    }
}

/// What a test of one point against one triangle costs, and what follows.
fn tests(sphere: &Comparison) -> String {
    let finest = sphere.triangles.last().copied().unwrap_or_default();
    let nanoseconds = |approach| {
        let case = sphere.case(approach, finest, sphere.largest_grid())?;
        let tests = (case.triangles * case.points()) as f64;
        Some(significant(case.evaluation * 1e9 / tests, 2))
    };
    match (nanoseconds(Approach::RayCrossing), nanoseconds(Approach::DirectSum)) {
        (Some(ray), Some(sum)) => format!(
            " It depends on the programs: here a ray takes {ray} ns for a face, one by one, the direct \
             sum {sum} ns for a triangle, several at once. On coarse bodies nothing is far, and the \
             multipole method is that sum."
        ),
        _ => String::new(),
    }
}

/// Pre-chosen depth against rays on every foam: how many times as long it takes.
fn foam_ratios(foam: &Comparison, per_axis: usize) -> Vec<(usize, f64)> {
    let [pre, rays] =
        [Approach::PreChosen, Approach::RayCrossing].map(|one| foam.curve(one, per_axis));
    let ratio =
        |(pre, ray): (&ApproachCase, &ApproachCase)| (pre.triangles, pre.total() / ray.total());
    pre.into_iter().zip(rays).map(ratio).collect()
}

fn ratio_text(ratios: &[(usize, f64)]) -> String {
    let report: Vec<String> = ratios
        .iter()
        .map(|(triangles, ratio)| {
            let ratio = significant(*ratio, 2);
            format!("{ratio} times as long on {triangles} triangles")
        })
        .collect();
    report.join(", ")
}

fn foam_few_points(foam: &Comparison) -> Finding {
    let ratios = foam_ratios(foam, foam.smallest_grid());
    let holds: Vec<bool> = ratios.iter().map(|&(_, ratio)| ratio > 1.0).collect();
    Finding {
        verdict: verdict_of(&holds),
        claim: "on the foams and the smallest grid ray crossing is faster than the multipole method of \
                pre-chosen depth (figure 15)"
            .into(),
        evidence: format!("{} points: FMM PC takes {}.", smallest_grid(foam), ratio_text(&ratios)),
    }
}

fn foam_many_points(foam: &Comparison) -> Finding {
    let ratios = foam_ratios(foam, foam.largest_grid());
    let holds: Vec<bool> = ratios.iter().map(|&(_, ratio)| ratio < 0.5).collect();
    Finding {
        verdict: verdict_of(&holds),
        claim: "on the foams and the largest grid the multipole method is a lot better (figure 15)"
            .into(),
        evidence: format!("{} points: FMM PC takes {}.", largest_grid(foam), ratio_text(&ratios)),
    }
}
