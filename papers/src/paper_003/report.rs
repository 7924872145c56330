//! The tables and figures of the paper's page.

use super::approach::SEPARATION;
use super::crossover::crossover_text;
use super::quantities::{ends, quantities};
use crate::digits::significant;
use crate::records::{Record, Records, record};
use crate::report::{PaperReport, ReportPage, Settings};

/// The figures on spheres and those on foams: their numbers, and the method over all grids or, without one, several over
/// the smallest and the largest.
const FIGURES: [([usize; 2], Option<&str>); 4] = [
    ([7, 12], Some("FMM WC")),
    ([8, 13], Some("FMM PC")),
    ([9, 14], Some("ray crossing")),
    ([10, 15], None),
];

/// The methods of figures 10 and 15.
const COMPARED: [&str; 5] = ["ray crossing", "FMM PC", "FMM WC", "ray with tree", "cells"];

/// All files and the text to print, of the cases on the sphere and on the foam, and the errors over the degree.
pub(super) fn write(bodies: &[Records; 2], accuracy: Records, settings: &Settings) -> PaperReport {
    let [sphere, _] = bodies;
    let mut page = ReportPage::new("003", settings);
    page.judge(&quantities(bodies, &accuracy));
    for (body, cases) in bodies.iter().enumerate() {
        for (numbers, method) in FIGURES {
            let name = format!("figure{}", numbers[body]);
            let cases = cases_of_figure(cases, method);
            page.table(format!("{name} totals"), marked(&cases));
            page.data(name, cases);
        }
    }
    let all: Records = bodies.iter().flat_map(|cases| cases.iter()).cloned().collect();
    let is_expanded = |case: &&Record| !case.number("degree").is_nan();
    let table_2 = table_2(sphere);
    page.data("table1", table_1(bodies));
    page.table("table2 lines", table_2_lines(&table_2));
    page.data("table2", table_2);
    page.data("crossover", crossover(&all));
    page.table("agreement", agreement(bodies));
    page.data("errors", all.iter().filter(is_expanded).cloned().collect());
    page.data("answers", all);
    page.data("accuracy", accuracy);
    page.value("separation", SEPARATION);
    page.value("ray test", nanoseconds_per_test(sphere, "ray crossing"));
    page.value("sum test", nanoseconds_per_test(sphere, "direct sum"));
    page.finish()
}

/// Cost of testing one point against one triangle of the finest mesh, on the largest grid.
fn nanoseconds_per_test(cases: &Records, method: &str) -> String {
    let [_, many] = ends(cases);
    many.of("method", method).last().map_or(String::new(), |case| {
        let tests = case.number("triangles") * case.number("points");
        significant(case.number("evaluation seconds") * 1e9 / tests, 2)
    })
}

/// The cases of a figure, line by line.
fn cases_of_figure(cases: &Records, method: Option<&str>) -> Records {
    let lines = match method {
        Some(method) => cases.of("method", method).each("points"),
        None => {
            let on_grids = |method: &str| ends(&cases.of("method", method));
            COMPARED.into_iter().flat_map(on_grids).collect()
        }
    };
    lines.into_iter().flatten().collect()
}

/// Cases with their seconds in all, marked if they are extrapolated.
fn marked(cases: &Records) -> Records {
    let with_mark = |case: &Record| {
        let mark = if case.text("extrapolated") == "yes" { "~" } else { "" };
        let seconds = format!("{mark}{}", significant(case.number("total seconds"), 3));
        case.clone().and(record! { "seconds": seconds })
    };
    cases.iter().map(with_mark).collect()
}

/// Figures of table 1: what, the printed cost, the method and its time.
const COSTS: [[&str; 4]; 8] = [
    ["direct sum, total", "O(N M)", "direct sum", "total seconds"],
    ["FMM PC, setting up", "N O(p²) + c N_ω O(p⁴) = O(N log² N)", "FMM PC", "setup seconds"],
    ["FMM PC, evaluation", "M O(p²) + M O(log² N)", "FMM PC", "evaluation seconds"],
    ["FMM PC, total", "O(N log² N) + O(M log² N)", "FMM PC", "total seconds"],
    ["FMM WC, total", "O(N log² N) + O(M log² N)", "FMM WC", "total seconds"],
    ["ray crossing, total", "linear in N and in M", "ray crossing", "total seconds"],
    ["ray with tree, total", "", "ray with tree", "total seconds"],
    ["cells, total", "", "cells", "total seconds"],
];

/// Table 1 beside fitted growth.
fn table_1(bodies: &[Records; 2]) -> Records {
    let row = |[figure, printed, method, time]: [&str; 4], cases: &Records| {
        let own = cases.of("method", method);
        let with_triangles = own.of("points", own.most("points")).power("triangles", time);
        let finest = own.of("triangles", own.most("triangles"));
        // What is prepared once for all grids does not grow with them.
        let with_points = finest.power("points", time).filter(|_| time != "setup seconds");
        let power = |symbol: char, power: Option<f64>| power.map(|x| format!("{symbol}^{x:.2}"));
        record! {
            "figure": figure, "printed cost": printed, "body": cases.text("body"),
            "with triangles": power('N', with_triangles), "with points": power('M', with_points),
        }
    };
    COSTS.into_iter().flat_map(|cost| bodies.each_ref().map(|cases| row(cost, cases))).collect()
}

/// Table 2, the evaluation part on spheres with a pre-chosen depth: as printed, beside the measured times.
fn table_2(sphere: &Records) -> Records {
    let printed = Records::parse(include_str!("../../data/003_table_2.csv"));
    let with_measured = |row: Record| {
        let measured = sphere.of("method", "FMM PC").of("grid", row.text("grid"));
        let measured = measured.of("triangles", row.number("triangles"));
        let measured = measured.first().map(|case| case.number("evaluation seconds"));
        row.and(record! { "measured seconds": measured })
    };
    printed.into_iter().map(with_measured).collect()
}

/// From how many triangles on the multipole method is faster than ray crossing; what the paper states in words (section
/// 4), as the last sphere on which rays are faster and the next.
fn crossover(cases: &Records) -> Records {
    let row = |cases: Records| {
        let (body, grid) = (cases.text("body"), cases.text("grid"));
        let paper = match (body.as_str(), grid.as_str()) {
            ("sphere", "10³") => Some("2048 to 8192"),
            ("sphere", "80³") => Some("128 to 512"),
            _ => None,
        };
        record! {
            "body": body, "points": grid, "FMM WC from": crossover_text(&cases, "FMM WC"),
            "FMM PC from": crossover_text(&cases, "FMM PC"), "paper (PC)": paper,
        }
    };
    cases.each("body | grid").into_iter().map(row).collect()
}

/// Points inside each mesh on the largest grid, by exact cells, and whether all others agree.
fn agreement(bodies: &[Records; 2]) -> Records {
    let row = |methods: &Records| {
        let sum = |name| methods.numbers(name).sum::<f64>();
        record! {
            "contrary answers": sum("contrary to cells"),
            "in doubt": sum("on the surface by one only"),
        }
    };
    let meshes = bodies.iter().flat_map(|cases| ends(cases)[1].each("triangles"));
    meshes.map(|methods| methods.of("method", "cells")[0].clone().and(row(&methods))).collect()
}

/// The lines of the chart of table 2: the printed times as they are, beside the measured ones.
fn table_2_lines(table: &Records) -> Records {
    let points =
        |grid: &str| grid.trim_end_matches('³').parse().map_or(f64::NAN, |n: f64| n.powi(3));
    let line = |row: &Record, line: &str, seconds: &str| {
        let (line, points) = (row.filled(line), points(&row.text("grid")));
        record! { "line": line, "points": points, "seconds": row.number(seconds) }
    };
    let lines = |row: &Record| {
        let measured = line(row, "N = {triangles}", "measured seconds");
        [measured, line(row, "printed, N = {triangles}", "seconds")]
    };
    table.iter().flat_map(lines).collect()
}
