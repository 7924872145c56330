//! The tables and figures of the paper's page.

use super::approach::{Approach, SEPARATION};
use super::bodies::MeshSeries;
use super::comparison::{ApproachCase, Comparison};
use super::crossover::crossover_point;
use super::expansion::ExpansionAccuracy;
use super::published::{CROSSOVERS, TABLE_2};
use super::{PointInclusionResults, verdicts};
use crate::chart::{Chart, ChartSeries, GuideSide, PowerLawGuide};
use crate::digits::significant;
use crate::report::{PaperReport, ReportPage, Settings};
use crate::table::{TextTable, row, table};

const PAGE: &str = include_str!("../../pages/003.md");

/// A figure of the paper: one approach over all grids or, without one, several over the smallest and the largest.
#[derive(Clone, Copy, Debug)]
struct Figure {
    number: usize,
    approach: Option<Approach>,
    title: &'static str,
}

const FIGURES: [Figure; 8] = [
    figure(7, Some(Approach::WellChosen), "sphere, fast multipole method, well-chosen depth"),
    figure(8, Some(Approach::PreChosen), "sphere, fast multipole method, pre-chosen depth"),
    figure(9, Some(Approach::RayCrossing), "sphere, ray crossing"),
    figure(10, None, "sphere, comparison"),
    figure(12, Some(Approach::WellChosen), "foam, fast multipole method, well-chosen depth"),
    figure(13, Some(Approach::PreChosen), "foam, fast multipole method, pre-chosen depth"),
    figure(14, Some(Approach::RayCrossing), "foam, ray crossing"),
    figure(15, None, "foam, comparison"),
];

const fn figure(number: usize, approach: Option<Approach>, title: &'static str) -> Figure {
    Figure { number, approach, title }
}

/// The approaches of figures 10 and 15.
const COMPARED: [Approach; 5] = [
    Approach::RayCrossing,
    Approach::PreChosen,
    Approach::WellChosen,
    Approach::BvhRayCrossing,
    Approach::Cells,
];

impl Figure {
    /// Its lines: approach and points along each axis.
    fn lines(self, comparison: &Comparison) -> Vec<(Approach, usize)> {
        let ends = [comparison.smallest_grid(), comparison.largest_grid()];
        match self.approach {
            Some(approach) => comparison.grids.iter().map(|&grid| (approach, grid)).collect(),
            None => COMPARED.iter().flat_map(|&one| ends.map(|grid| (one, grid))).collect(),
        }
    }
}

/// All files and the text to print.
pub(super) fn write(results: &PointInclusionResults, settings: &Settings) -> PaperReport {
    let comparisons = &results.comparisons;
    let [sphere, foam] = comparisons;
    let mut page = ReportPage::new("003", PAGE, settings);
    verdicts::judge(results, &mut page);
    for figure in FIGURES {
        let comparison = if figure.number < 11 { sphere } else { foam };
        let name = format!("figure{}", figure.number);
        page.data(name.clone(), figure_points(figure, comparison));
        page.figure(&name, figure_chart(figure, comparison).svg());
        let totals = match figure.approach {
            Some(approach) => totals(comparison, approach),
            None => side_by_side(comparison),
        };
        page.table(name + " totals", totals);
    }
    page.data("table1", table_1(comparisons));
    page.data("table2", table_2(sphere));
    page.figure("table2", table_2_chart(sphere).svg());
    page.data("crossover", crossover(comparisons));
    page.data("answers", answers(comparisons));
    page.table("agreement", agreement(comparisons));
    page.data("errors", errors(comparisons));
    page.data("accuracy", accuracy(&results.accuracy));
    page.value("separation", SEPARATION);
    page.value("ray test", nanoseconds_per_test(sphere, Approach::RayCrossing));
    page.value("sum test", nanoseconds_per_test(sphere, Approach::DirectSum));
    page.finish()
}

/// What a test of one point against one triangle of the finest mesh costs on the largest grid.
fn nanoseconds_per_test(comparison: &Comparison, approach: Approach) -> String {
    let finest = comparison.triangles.last().copied().unwrap_or_default();
    comparison.case(approach, finest, comparison.largest_grid()).map_or(String::new(), |case| {
        significant(case.evaluation * 1e9 / (case.triangles * case.points()) as f64, 2)
    })
}

/// Every point of a figure.
fn figure_points(figure: Figure, comparison: &Comparison) -> TextTable {
    let lines = figure.lines(comparison).into_iter();
    let cases = lines.flat_map(|(approach, per_axis)| comparison.curve(approach, per_axis));
    table!(case in cases;
        "method": case.approach, "points": case.points(), "triangles": case.triangles,
        "setup seconds": significant(case.setup, 4),
        "evaluation seconds": significant(case.evaluation, 4),
        "total seconds": significant(case.total(), 4), "points asked for": case.answers.queried,
        "extrapolated": if case.is_extrapolated() { "yes" } else { "no" })
}

/// Seconds in all, marked if they are extrapolated.
fn total(comparison: &Comparison, approach: Approach, triangles: usize, per_axis: usize) -> String {
    comparison.case(approach, triangles, per_axis).map_or(String::new(), |case| {
        let mark = if case.is_extrapolated() { "~" } else { "" };
        format!("{mark}{}", significant(case.total(), 3))
    })
}

/// Total seconds of an approach: a row for each mesh, a column for each grid.
fn totals(comparison: &Comparison, approach: Approach) -> TextTable {
    let names: Vec<_> = comparison.grids.iter().map(|per_axis| format!("{per_axis}³")).collect();
    let rows = comparison.triangles.iter().map(|&triangles| {
        let mut cells = row![triangles];
        let grids = comparison.grids.iter();
        cells.extend(grids.map(|&per_axis| total(comparison, approach, triangles, per_axis)));
        cells
    });
    TextTable::new(&format!("triangles | {}", names.join(" | ")), rows)
}

/// All approaches on the smallest and on the largest grid, side by side.
fn side_by_side(comparison: &Comparison) -> TextTable {
    let names = COMPARED.map(|approach| approach.to_string()).join(" | ");
    let grids = [comparison.smallest_grid(), comparison.largest_grid()];
    let rows = grids.into_iter().flat_map(|per_axis| {
        comparison.triangles.iter().map(move |&triangles| {
            let mut cells = row![triangles, format!("{per_axis}³")];
            cells.extend(COMPARED.map(|one| total(comparison, one, triangles, per_axis)));
            cells
        })
    });
    TextTable::new(&format!("triangles | points | {names}"), rows)
}

/// A figure of table 1, the printed cost, and how it is measured.
type CostRow = (&'static str, &'static str, Approach, fn(&ApproachCase) -> f64);

const COSTS: [CostRow; 8] = [
    ("direct sum, total", "O(N M)", Approach::DirectSum, ApproachCase::total),
    (
        "FMM PC, setting up",
        "N O(p²) + c N_ω O(p⁴) = O(N log² N)",
        Approach::PreChosen,
        |case| case.setup,
    ),
    ("FMM PC, evaluation", "M O(p²) + M O(log² N)", Approach::PreChosen, |case| case.evaluation),
    ("FMM PC, total", "O(N log² N) + O(M log² N)", Approach::PreChosen, ApproachCase::total),
    ("FMM WC, total", "O(N log² N) + O(M log² N)", Approach::WellChosen, ApproachCase::total),
    ("ray crossing, total", "linear in N and in M", Approach::RayCrossing, ApproachCase::total),
    ("ray with tree, total", "", Approach::BvhRayCrossing, ApproachCase::total),
    ("cells, total", "", Approach::Cells, ApproachCase::total),
];

/// Table 1 beside fitted growth.
fn table_1(comparisons: &[Comparison; 2]) -> TextTable {
    let power = |symbol: char, exponent: Option<f64>| {
        exponent.map_or(String::new(), |exponent| format!("{symbol}^{exponent:.2}"))
    };
    let rows = COSTS.iter().flat_map(|(name, printed, approach, figure)| {
        comparisons.iter().map(move |comparison| {
            let grid = comparison.largest_grid();
            let with_triangles = comparison.growth_with_triangles(*approach, grid, figure);
            // What is prepared once for all grids does not grow with them.
            let with_points = comparison.growth_with_points(*approach, figure);
            let with_points = with_points.filter(|_| !name.ends_with("setting up"));
            let (with_triangles, with_points) =
                (power('N', with_triangles), power('M', with_points));
            row![name, printed, comparison.body, with_triangles, with_points]
        })
    });
    TextTable::new("figure | printed cost | body | with triangles | with points", rows)
}

fn measured_evaluation(sphere: &Comparison, triangles: usize, per_axis: usize) -> String {
    let case = sphere.case(Approach::PreChosen, triangles, per_axis);
    case.map_or(String::new(), |case| significant(case.evaluation, 3))
}

/// The meshes of table 2.
const TABLE_2_MESHES: [usize; 3] = [8192, 32768, 131_072];

/// Table 2 as printed beside the measured one.
fn table_2(sphere: &Comparison) -> TextTable {
    table!(one in &TABLE_2;
        "per axis": one.per_axis, "points": one.per_axis.pow(3), "triangles": one.triangles,
        "printed seconds": one.text,
        "measured seconds": measured_evaluation(sphere, one.triangles, one.per_axis))
}

/// From how many triangles on the multipole method is faster than ray crossing.
fn crossover(comparisons: &[Comparison; 2]) -> TextTable {
    let found = |comparison: &Comparison, approach, per_axis| {
        let point = crossover_point(comparison, approach, per_axis);
        point.map_or(String::new(), |found| found.to_string())
    };
    let printed = |comparison: &Comparison, per_axis: usize| {
        let is_own = |grid: usize| grid == per_axis && comparison.body == MeshSeries::Sphere;
        let own = CROSSOVERS.iter().find(|(grid, _)| is_own(*grid));
        own.map_or(String::new(), |(_, [low, high])| format!("{low} to {high}"))
    };
    let grids = comparisons.iter().flat_map(|one| one.grids.iter().map(move |&grid| (one, grid)));
    table!((comparison, per_axis) in grids;
        "body": comparison.body, "points": format!("{per_axis}³"),
        "FMM WC from": found(comparison, Approach::WellChosen, per_axis),
        "FMM PC from": found(comparison, Approach::PreChosen, per_axis),
        "paper (PC)": printed(comparison, per_axis))
}

/// Every case with its body.
fn cases(comparisons: &[Comparison; 2]) -> impl Iterator<Item = (MeshSeries, &ApproachCase)> {
    comparisons.iter().flat_map(|one| one.cases.iter().map(move |case| (one.body, case)))
}

/// What every approach reported, beside what cells reported.
fn answers(comparisons: &[Comparison; 2]) -> TextTable {
    table!((body, case) in cases(comparisons);
        "body": body, "triangles": case.triangles, "points": case.points(), "method": case.approach,
        "points asked for": case.answers.queried, "inside": case.answers.inside,
        "on the surface": case.answers.surface, "contrary to cells": case.answers.contradicting,
        "on the surface by one only": case.answers.doubtful)
}

/// Points inside each mesh, by exact cells, and whether all others agree.
fn agreement(comparisons: &[Comparison; 2]) -> TextTable {
    let sum = |one: &Comparison, triangles: usize, count: fn(&ApproachCase) -> usize| {
        let case = |approach| one.case(approach, triangles, one.largest_grid());
        Approach::ALL.into_iter().filter_map(case).map(count).sum::<usize>()
    };
    let by_cells = comparisons.iter().flat_map(|one| {
        let curve = one.curve(Approach::Cells, one.largest_grid());
        curve.into_iter().map(move |case| (one, case))
    });
    table!((one, case) in by_cells;
        "body": one.body, "triangles": case.triangles, "points": format!("{}³", case.per_axis),
        "inside": case.answers.inside,
        "contrary answers": sum(one, case.triangles, |other| other.answers.contradicting),
        "in doubt": sum(one, case.triangles, |other| other.answers.doubtful))
}

/// Errors of the expansions that were timed.
fn errors(comparisons: &[Comparison; 2]) -> TextTable {
    let expanded =
        cases(comparisons).filter_map(|(body, case)| Some((body, case, case.expansion?)));
    table!((body, case, found) in expanded;
        "body": body, "triangles": case.triangles, "depth": case.approach, "points": case.points(),
        "degree": found.degree, "bound": significant(found.bound, 2),
        "largest error": format!("{:.1e}", found.largest_error), "measured at": found.points)
}

/// Errors over the degree.
fn accuracy(rows: &[ExpansionAccuracy]) -> TextTable {
    table!(found in rows;
        "degree": found.degree, "bound": significant(found.bound, 2),
        "largest error": format!("{:.1e}", found.largest_error), "measured at": found.points)
}

fn figure_chart(figure: Figure, comparison: &Comparison) -> Chart {
    let subtitle = match figure.approach {
        Some(Approach::RayCrossing) => {
            "Processor time, one thread; extrapolated from some of the points where tests are many."
        }
        Some(_) => "Processor time to prepare the body and ask for all points, one thread.",
        None => "Processor time in all, one thread. Cells and tree are not of the paper.",
    };
    let series = |(approach, per_axis): (Approach, usize)| {
        let curve = comparison.curve(approach, per_axis).into_iter();
        ChartSeries {
            label: match figure.approach {
                Some(_) => format!("{per_axis}³ points"),
                None => format!("{approach}, {per_axis}³"),
            },
            points: curve.map(|case| (case.triangles as f64, case.total())).collect(),
        }
    };
    Chart {
        title: format!("Figure {}: {}", figure.number, figure.title),
        subtitle: subtitle.into(),
        x_label: "number of triangles N",
        x_symbol: Some('N'),
        y_label: "time (s)",
        legend_note: "powers: fitted over the upper two decades",
        series: figure.lines(comparison).into_iter().map(series).collect(),
        guides: vec![PowerLawGuide { power: "", exponent: 1.0, side: GuideSide::Below }],
    }
}

/// The evaluation part over the number of points; the printed times as they are.
fn table_2_chart(sphere: &Comparison) -> Chart {
    let mut series = Vec::new();
    for triangles in TABLE_2_MESHES {
        let rows = || TABLE_2.iter().filter(move |printed| printed.triangles == triangles);
        let points = |per_axis: usize| per_axis.pow(3) as f64;
        let measured = rows().filter_map(|printed| {
            let case = sphere.case(Approach::PreChosen, triangles, printed.per_axis)?;
            Some((points(printed.per_axis), case.evaluation))
        });
        let printed = rows().filter_map(|one| Some((points(one.per_axis), one.seconds?)));
        let label = format!("N = {triangles}");
        series.push(ChartSeries { label: label.clone(), points: measured.collect() });
        let label = format!("printed, {label}");
        series.push(ChartSeries { label, points: printed.collect() });
    }
    Chart {
        title: "Table 2: evaluation part of the fast multipole method".into(),
        subtitle: "Sphere, pre-chosen depth, one thread. Printed: a 2.8 GHz PC of 2006.".into(),
        x_label: "number of points M",
        y_label: "time (s)",
        legend_note: "N: number of triangles",
        series,
        ..Chart::default()
    }
}
