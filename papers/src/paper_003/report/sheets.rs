//! The results as tables.

use super::Figure;
use crate::digits::significant;
use crate::paper_003::PointInclusionResults;
use crate::paper_003::approach::Approach;
use crate::paper_003::bodies::MeshSeries;
use crate::paper_003::comparison::{ApproachCase, Comparison};
use crate::paper_003::crossover::crossover_point;
use crate::paper_003::expansion::ExpansionAccuracy;
use crate::paper_003::published::{CROSSOVERS, TABLE_2};
use crate::table::TextTable;

fn yes_or_no(is: bool) -> &'static str {
    if is { "yes" } else { "no" }
}

/// Every point of a figure.
pub(super) fn figure(figure: Figure, results: &PointInclusionResults) -> TextTable {
    let mut table = TextTable::new([
        "method",
        "points",
        "triangles",
        "setup seconds",
        "evaluation seconds",
        "total seconds",
        "points asked for",
        "extrapolated",
    ]);
    let comparison = figure.comparison(results);
    for (approach, per_axis) in figure.lines(comparison) {
        for case in comparison.curve(approach, per_axis) {
            table.push([
                approach.to_string(),
                case.points().to_string(),
                case.triangles.to_string(),
                significant(case.setup, 4),
                significant(case.evaluation, 4),
                significant(case.total(), 4),
                case.answers.queried.to_string(),
                yes_or_no(case.is_extrapolated()).to_string(),
            ]);
        }
    }
    table
}

/// Total seconds of an approach: a row for each mesh, a column for each grid. Extrapolated times
/// are marked.
pub(super) fn totals(comparison: &Comparison, approach: Approach) -> TextTable {
    let names = comparison.grids.iter().map(|per_axis| format!("{per_axis}³"));
    let mut table = TextTable::new(std::iter::once("triangles".to_string()).chain(names));
    for &triangles in &comparison.triangles {
        let cell = |&per_axis: &usize| {
            comparison.case(approach, triangles, per_axis).map_or(String::new(), |case| {
                let mark = if case.is_extrapolated() { "~" } else { "" };
                format!("{mark}{}", significant(case.total(), 3))
            })
        };
        let cells = comparison.grids.iter().map(cell);
        table.push(std::iter::once(triangles.to_string()).chain(cells));
    }
    table
}

/// All approaches on the smallest and on the largest grid, side by side.
pub(super) fn side_by_side(comparison: &Comparison) -> TextTable {
    let names = super::COMPARED.map(|approach| approach.to_string());
    let mut table =
        TextTable::new(["triangles", "points"].map(String::from).into_iter().chain(names));
    for per_axis in [comparison.smallest_grid(), comparison.largest_grid()] {
        for &triangles in &comparison.triangles {
            let cell = |approach| {
                comparison.case(approach, triangles, per_axis).map_or(String::new(), |case| {
                    let mark = if case.is_extrapolated() { "~" } else { "" };
                    format!("{mark}{}", significant(case.total(), 3))
                })
            };
            let start = [triangles.to_string(), format!("{per_axis}³")];
            table.push(start.into_iter().chain(super::COMPARED.map(cell)));
        }
    }
    table
}

/// Table 1 beside fitted growth.
pub(super) fn table_1(comparisons: &[Comparison; 2]) -> TextTable {
    let mut table =
        TextTable::new(["figure", "printed cost", "body", "with triangles", "with points"]);
    let setup: fn(&ApproachCase) -> f64 = |case| case.setup;
    let evaluation: fn(&ApproachCase) -> f64 = |case| case.evaluation;
    let total: fn(&ApproachCase) -> f64 = ApproachCase::total;
    let rows = [
        ("direct sum, total", "O(N M)", Approach::DirectSum, total),
        ("FMM PC, setting up", "N O(p²) + c N_ω O(p⁴) = O(N log² N)", Approach::PreChosen, setup),
        ("FMM PC, evaluation", "M O(p²) + M O(log² N)", Approach::PreChosen, evaluation),
        ("FMM PC, total", "O(N log² N) + O(M log² N)", Approach::PreChosen, total),
        ("FMM WC, total", "O(N log² N) + O(M log² N)", Approach::WellChosen, total),
        ("ray crossing, total", "linear in N and in M", Approach::RayCrossing, total),
        ("ray with tree, total", "", Approach::BvhRayCrossing, total),
        ("cells, total", "", Approach::Cells, total),
    ];
    for (name, printed, approach, figure) in rows {
        for comparison in comparisons {
            let grid = comparison.largest_grid();
            let power = |symbol: char, exponent: Option<f64>| {
                exponent.map_or(String::new(), |exponent| format!("{symbol}^{exponent:.2}"))
            };
            let with_points =
                // What is prepared once for all grids does not grow with them.
                if name.ends_with("setting up") { None } else {
                    comparison.growth_with_points(approach, figure)
                };
            table.push([
                name.to_string(),
                printed.to_string(),
                comparison.body.to_string(),
                power('N', comparison.growth_with_triangles(approach, grid, figure)),
                power('M', with_points),
            ]);
        }
    }
    table
}

/// Table 2 as printed beside the measured one.
pub(super) fn table_2(sphere: &Comparison) -> TextTable {
    let meshes = [8192, 32768, 131_072];
    let head = |source: &str| meshes.map(|triangles| format!("{source}{triangles}"));
    let columns = std::iter::once("points".to_string()).chain(head("printed: ")).chain(head(""));
    let mut table = TextTable::new(columns);
    for rows in TABLE_2.chunks(meshes.len()) {
        let per_axis = rows[0].per_axis;
        let printed = rows.iter().map(|row| row.text.to_string());
        let measured = rows.iter().map(|row| measured_evaluation(sphere, row.triangles, per_axis));
        table.push(std::iter::once(format!("{per_axis}³")).chain(printed).chain(measured));
    }
    table
}

fn measured_evaluation(sphere: &Comparison, triangles: usize, per_axis: usize) -> String {
    let case = sphere.case(Approach::PreChosen, triangles, per_axis);
    case.map_or(String::new(), |case| significant(case.evaluation, 3))
}

/// The same, a row for each of its numbers.
pub(super) fn table_2_rows(sphere: &Comparison) -> TextTable {
    let mut table =
        TextTable::new(["per axis", "points", "triangles", "printed seconds", "measured seconds"]);
    for row in &TABLE_2 {
        table.push([
            row.per_axis.to_string(),
            row.per_axis.pow(3).to_string(),
            row.triangles.to_string(),
            row.text.to_string(),
            measured_evaluation(sphere, row.triangles, row.per_axis),
        ]);
    }
    table
}

/// From how many triangles on the multipole method is faster than ray crossing.
pub(super) fn crossover(comparisons: &[Comparison; 2]) -> TextTable {
    let mut table = TextTable::new(["body", "points", "FMM WC from", "FMM PC from", "paper (PC)"]);
    for comparison in comparisons {
        for &per_axis in &comparison.grids {
            let found = |approach| {
                crossover_point(comparison, approach, per_axis)
                    .map_or(String::new(), |found| found.to_string())
            };
            let printed = CROSSOVERS
                .iter()
                .find(|(grid, _)| *grid == per_axis && comparison.body == MeshSeries::Sphere)
                .map_or(String::new(), |(_, [low, high])| format!("{low} to {high}"));
            table.push([
                comparison.body.to_string(),
                format!("{per_axis}³"),
                found(Approach::WellChosen),
                found(Approach::PreChosen),
                printed,
            ]);
        }
    }
    table
}

/// What every approach reported, beside what cells reported.
pub(super) fn answers(comparisons: &[Comparison; 2]) -> TextTable {
    let mut table = TextTable::new([
        "body",
        "triangles",
        "points",
        "method",
        "points asked for",
        "inside",
        "on the surface",
        "contrary to cells",
        "on the surface by one only",
    ]);
    for comparison in comparisons {
        for case in &comparison.cases {
            let answers = case.answers;
            table.push([
                comparison.body.to_string(),
                case.triangles.to_string(),
                case.points().to_string(),
                case.approach.to_string(),
                answers.queried.to_string(),
                answers.inside.to_string(),
                answers.surface.to_string(),
                answers.contradicting.to_string(),
                answers.doubtful.to_string(),
            ]);
        }
    }
    table
}

/// Points inside each mesh, by exact cells, and whether all others agree.
pub(super) fn agreement(comparisons: &[Comparison; 2]) -> TextTable {
    let mut table =
        TextTable::new(["body", "triangles", "points", "inside", "contrary answers", "in doubt"]);
    for comparison in comparisons {
        let per_axis = comparison.largest_grid();
        for case in comparison.curve(Approach::Cells, per_axis) {
            let others = || {
                let alike = |other: &&ApproachCase| {
                    other.triangles == case.triangles && other.per_axis == per_axis
                };
                comparison.cases.iter().filter(alike)
            };
            table.push([
                comparison.body.to_string(),
                case.triangles.to_string(),
                format!("{per_axis}³"),
                case.answers.inside.to_string(),
                others().map(|other| other.answers.contradicting).sum::<usize>().to_string(),
                others().map(|other| other.answers.doubtful).sum::<usize>().to_string(),
            ]);
        }
    }
    table
}

/// Errors of the expansions that were timed.
pub(super) fn errors(comparisons: &[Comparison; 2]) -> TextTable {
    let mut table = TextTable::new([
        "body",
        "triangles",
        "depth",
        "points",
        "degree",
        "bound",
        "largest error",
        "measured at",
    ]);
    for comparison in comparisons {
        for case in &comparison.cases {
            let Some(found) = case.expansion else { continue };
            table.push([
                comparison.body.to_string(),
                case.triangles.to_string(),
                case.approach.to_string(),
                case.points().to_string(),
                found.degree.to_string(),
                significant(found.bound, 2),
                format!("{:.1e}", found.largest_error),
                found.points.to_string(),
            ]);
        }
    }
    table
}

/// Errors over the degree.
pub(super) fn accuracy(rows: &[ExpansionAccuracy]) -> TextTable {
    let mut table = TextTable::new(["degree", "bound", "largest error", "measured at"]);
    for row in rows {
        table.push([
            row.degree.to_string(),
            significant(row.bound, 2),
            format!("{:.1e}", row.largest_error),
            row.points.to_string(),
        ]);
    }
    table
}
