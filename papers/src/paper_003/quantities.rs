//! The numbers that the paper's claims rest on.

use super::crossover::crossover_point;
use crate::records::{Record, Records};
use crate::verdict::Quantities;

/// The methods of the paper.
const PAPER: [&str; 3] = ["FMM WC", "FMM PC", "ray crossing"];

/// All of them.
pub(super) fn quantities(bodies: &[Records; 2], accuracy: &Records) -> Quantities {
    let mut numbers = Quantities::default();
    let [sphere, foam] = bodies;
    for cases in [sphere, foam] {
        growth(cases, &mut numbers);
        cells(cases, &mut numbers);
    }
    well_chosen(bodies, &mut numbers);
    refined(sphere, &mut numbers);
    against_rays(sphere, foam, &mut numbers);
    answers(bodies, accuracy, &mut numbers);
    numbers
}

/// The cases on the grid of the fewest points, and on that of the most.
pub(super) fn ends(cases: &Records) -> [Records; 2] {
    [cases.least("points"), cases.most("points")].map(|points| cases.of("points", points))
}

fn seconds(cases: &Records, method: &str) -> f64 {
    cases.of("method", method).number("total seconds")
}

/// Exponents of the growth with triangles on the largest grid, and with points on the finest mesh.
fn growth(cases: &Records, numbers: &mut Quantities) {
    let body = cases.text("body");
    let [few, many] = ends(cases);
    let finest = cases.of("triangles", cases.most("triangles"));
    let mut add = |name: &str, power: Option<f64>| {
        numbers.add(format!("power of {name}: {body}"), power.unwrap_or(f64::NAN));
    };
    let with_triangles = |method: &str, time| many.of("method", method).power("triangles", time);
    let with_points = |method: &str, time| finest.of("method", method).power("points", time);
    add("N of setting up FMM PC", with_triangles("FMM PC", "setup seconds"));
    add("M of the evaluation of FMM PC", with_points("FMM PC", "evaluation seconds"));
    add("FMM WC in all if N and M grow by 64", both_growing(cases));
    let well = with_triangles("FMM WC", "total seconds");
    add("N of FMM WC in all", well);
    let well_few = few.of("method", "FMM WC").power("triangles", "total seconds");
    let name = "N of FMM WC on the smallest grid less that on the largest";
    add(name, well_few.zip(well).map(|(few, many)| few - many));
    for method in ["FMM WC", "FMM PC"] {
        let power = with_triangles(method, "evaluation seconds");
        add(&format!("N of the evaluation of {method}"), power);
    }
    add("N of ray crossing", with_triangles("ray crossing", "total seconds"));
    add("M of ray crossing", with_points("ray crossing", "total seconds"));
}

/// Growth of the total, with the best depth, if triangles and points both grow by 64.
fn both_growing(cases: &Records) -> Option<f64> {
    let [triangles, points] = ["triangles", "points"].map(|name| cases.most(name));
    let time = |part: f64| {
        let mesh = cases.of("triangles", triangles / part);
        seconds(&mesh.of("points", points / part), "FMM WC")
    };
    Some((time(1.0) / time(64.0)).ln() / 64f64.ln())
}

/// Cells against the fastest of the paper's methods: the claim holds as far as cells are not faster.
fn cells(cases: &Records, numbers: &mut Quantities) {
    let [mut least, mut most] = [f64::NAN; 2];
    for methods in cases.each("triangles | points") {
        let times = PAPER.map(|method| seconds(&methods, method)).into_iter();
        let ratio = times.fold(f64::NAN, f64::min) / seconds(&methods, "cells");
        (least, most) = (least.min(ratio), most.max(ratio));
    }
    for (end, ratio) in [("least", least), ("most", most)] {
        let body = cases.text("body");
        numbers.add(format!("{end} time of the paper's faster method over cells: {body}"), ratio);
    }
}

/// Whether one method is nowhere slower, and faster more often than not.
fn well_chosen(bodies: &[Records; 2], numbers: &mut Quantities) {
    let mut ratios = Vec::new();
    for mesh in bodies.iter().flat_map(|cases| cases.each("triangles")) {
        // A depth that is the pre-chosen one has the same bound to the bit.
        let [_, largest] = ends(&mesh);
        let pre_chosen = largest.of("method", "FMM PC").number("bound");
        for methods in mesh.each("points") {
            let well = methods.of("method", "FMM WC");
            if well.number("bound") != pre_chosen {
                ratios.push(seconds(&methods, "FMM PC") / seconds(&methods, "FMM WC"));
            }
        }
    }
    let worst = ratios.iter().copied().fold(f64::NAN, f64::min);
    let better = ratios.iter().filter(|&&ratio| ratio > 1.1).count();
    numbers.add("least time of PC over WC where depths differ", worst);
    let part = better as f64 / ratios.len() as f64;
    numbers.add("part of these cases in which WC is faster by a tenth", part);
}

fn refined(sphere: &Records, numbers: &mut Quantities) {
    let [few, many] = ends(&sphere.of("method", "FMM PC"));
    let times: Vec<f64> = many.numbers("total seconds").collect();
    let falls = times.windows(2).filter(|meshes| meshes[1] < meshes[0]).count();
    let name = "refinements after which FMM PC takes less time on the largest grid";
    numbers.add(name, falls as f64);
    let finest = few
        .last()
        .map_or(f64::NAN, |finest| finest.number("setup seconds") / finest.number("total seconds"));
    let name = "part of setting up in the time of the finest sphere on the smallest grid";
    numbers.add(name, finest);
}

/// Multipole methods beside ray crossing: the faster of both on the coarsest and the finest sphere, that of pre-chosen
/// depth on all foams, and where it overtakes on spheres.
fn against_rays(sphere: &Records, foam: &Records, numbers: &mut Quantities) {
    let ends_of_grids = ["smallest", "largest"];
    for (cases, grid) in ends(sphere).iter().zip(ends_of_grids) {
        for (mesh, triangles) in
            [("coarsest", cases.least("triangles")), ("finest", cases.most("triangles"))]
        {
            // The paper says nothing of the coarsest sphere with many points.
            if (mesh, grid) != ("coarsest", "largest") {
                let case = cases.of("triangles", triangles);
                let multipole = seconds(&case, "FMM WC").min(seconds(&case, "FMM PC"));
                let name = format!("FMM over ray crossing: {mesh} sphere and {grid} grid");
                numbers.add(name, multipole / seconds(&case, "ray crossing"));
            }
        }
    }
    for (cases, grid) in ends(foam).iter().zip(ends_of_grids) {
        let name = "FMM PC over ray crossing: foam of {triangles} triangles and ";
        let rays = |case: &Record| {
            seconds(&cases.of("triangles", case.number("triangles")), "ray crossing")
        };
        let ratio = |case: &Record| case.number("total seconds") / rays(case);
        numbers.add_each(cases.of("method", "FMM PC").iter(), &format!("{name}{grid} grid"), ratio);
    }
    // Those that the paper mentions.
    for grid in ["10³", "80³"] {
        let place = crossover_point(&sphere.of("grid", grid), "FMM PC");
        let name = "triangles from which on FMM PC is faster: sphere";
        numbers.add(format!("{name} and {grid} points"), place);
    }
}

fn answers(bodies: &[Records; 2], accuracy: &Records, numbers: &mut Quantities) {
    let cases = || bodies.iter().flat_map(|cases| cases.iter());
    let sum = |name: &str| cases().map(|case| case.number(name)).sum::<f64>();
    let name = format!("answers contrary to exact cells of {}", sum("points asked for"));
    numbers.add(name, sum("contrary to cells"));
    let part = |case: &Record| case.number("largest error") / case.number("bound");
    let name = "largest error over its bound: expansions that were timed";
    numbers.add(name, cases().map(part).fold(f64::NAN, f64::max));
    let name = "largest error over its bound: degree {degree} on a sphere of 8192 triangles";
    numbers.add_each(accuracy.iter(), name, part);
    for pair in accuracy.windows(2) {
        let [before, one] = [&pair[0], &pair[1]];
        let degrees = [one, before].map(|one| one.text("degree"));
        let name = format!("error of degree {} over that of degree {}", degrees[0], degrees[1]);
        numbers.add(name, one.number("largest error") / before.number("largest error"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper_003::tests::sample;
    use crate::verdict::Verdict;

    /// The verdicts on these claims if both bodies take these times.
    fn verdicts<const N: usize>(
        claims: [&str; N],
        seconds: fn(&str, f64, f64) -> f64,
    ) -> [Verdict; N] {
        // The paper's foams have many triangles.
        let is_fine = |case: &Record| case.number("triangles") > 8000.0;
        let foam = sample("foam", seconds).into_iter().filter(is_fine).collect();
        let cases = [sample("sphere", seconds), foam];
        quantities(&cases, &Records::default()).verdicts("003", claims)
    }

    #[test]
    fn times_as_the_paper_gives_them_agree() {
        let claims = ["many points", "few points", "well chosen", "foams with many points"];
        let verdicts = verdicts(claims, |method, triangles, points| match method {
            "ray crossing" => 1e-8 * triangles * points,
            "FMM WC" => 2e-8 * triangles + 3e-6 * points,
            _ => 4e-8 * triangles + 4e-6 * points,
        });
        assert_eq!(verdicts, [Verdict::Agrees; 4]);
    }

    #[test]
    fn a_multipole_method_slower_than_rays_does_not_agree() {
        let claims = ["many points", "rays", "independent of triangles", "bounded"];
        let verdicts = verdicts(claims, |method, triangles, points| {
            let factor = if method == "ray crossing" { 1e-9 } else { 1e-8 };
            factor * triangles * points
        });
        let expected =
            [Verdict::DoesNotAgree, Verdict::Agrees, Verdict::DoesNotAgree, Verdict::NotMeasured];
        assert_eq!(verdicts, expected);
    }
}
