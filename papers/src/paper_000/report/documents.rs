//! The report as Markdown, and the summary as plain text.

use super::{charts, sheets};
use crate::Settings;
use crate::finding::Finding;
use crate::paper_000::bound_table::BoundTableCell;
use crate::paper_000::published::ComplexityColumn;
use crate::paper_000::{KineticStructureResults, figure_1};
use carom::scene::group_thousands;

/// Width of the summary's lines.
const WIDTH: usize = 96;
const FIGURE_1: &str = "Triangulation and Laguerre diagram of discs in a periodic box";

pub(super) fn markdown(
    results: &KineticStructureResults,
    cells: &[BoundTableCell],
    findings: &[Finding],
    settings: &Settings,
) -> String {
    let found: String = findings.iter().map(Finding::markdown).collect();
    let panels: String =
        results.panels.iter().map(|panel| sheets::panel(panel).markdown() + "\n").collect();
    [
        introduction(settings),
        format!("## Findings\n\n{found}"),
        format!(
            "## Figure 1\n\nThe generalized Delaunay triangulation (left) and the Voronoi diagram \
             (right) of {} particles in Laguerre geometry.\n\n![{FIGURE_1}](figure1.svg)\n",
            group_thousands(figure_1::COUNT as u64)
        ),
        table(cells),
        format!("## Figures behind it\n\n{}\n\n{panels}", columns()),
        format!(
            "## A topological event by itself (column C)\n\nNanoseconds, in a gas that fills a \
             thousandth of its box.\n\n{}",
            sheets::thin_overview(&results.thin).markdown()
        ),
        format!(
            "## Unequal sizes\n\nDense mixtures of two sizes, each with half of the covered \
             volume.\n\n{}",
            sheets::mixture_overview(&results.mixtures).markdown()
        ),
        format!(
            "## Upkeep of the triangulation\n\nPer collision. A certificate says that a facet may \
             stay; those that might fail before their bodies are examined again are solved for the \
             time at which they do. Rebuilds: how often all was rebuilt in the middle of a run.\n\n{}",
            sheets::upkeep(&results.panels).markdown()
        ),
        pictures(results),
    ]
    .join("\n")
}

fn introduction(settings: &Settings) -> String {
    let (command, note) = if settings.quick {
        (
            "carom reproduce 000 --quick",
            "\nA quick run: up to 1,000 bodies and short runs. Growth is fitted where it is not yet \
             that of large systems; run without `--quick` before judging by it.\n",
        )
    } else {
        ("carom reproduce 000", "")
    };
    format!(
        "# Paper 000: kinetic neighbor structures\n\n\
         M. L. Gavrilova and J. Rokne, \"Collision Detection Optimization in a Multi-particle \
         System\".\n\n\
         Made by `{command}`. One thread. Hard discs and spheres in a periodic box, elastic, at \
         equilibrium. Dense: they cover 0.6 of the plane or 0.5 of space; dilute: 0.05. Radii 1:1: all \
         equal; 1:5: evenly spread. Boxes with room for fewer than five of the widest bodies are \
         left out, as cells do not fit them. All pairs are run up to 3,000 bodies; segment trees up \
         to 10,000 dense and 3,000 dilute; the triangulation up to 10,000 dilute, and there in space \
         from 1,000 on, as in the box of fewer it must hold several images of each. Topological \
         events of the triangulation are its flips. Counts are the same on every machine, times are \
         not.\n{note}"
    )
}

fn table(cells: &[BoundTableCell]) -> String {
    let mut text = format!(
        "## Table 1\n\n{}\nMeasured: the power of N with which each column grows, fitted over the \
         upper two decades, from the lowest to the highest of the four systems (column C: of the \
         thin gas), and the worst verdict: smaller than the bound, within it, or exceeding it by more \
         than 0.15 (0.25 for the times of C and F). A bound counts with its own growth over the same \
         N: O(log n) as about N^0.1, O(nk) as N^(1+1/d). All pairs and neighbor-lists are not in the paper; \
         they are set against what their construction lets expect.\n",
        sheets::printed().markdown()
    );
    for dimension in [2, 3] {
        let table = sheets::bound_table(cells, dimension).markdown();
        text += &format!("\n### In {dimension}D\n\n{table}");
    }
    text
}

fn columns() -> String {
    let lines = ComplexityColumn::ALL.map(|column| format!("- {column}: {}", column.meaning()));
    lines.join("\n")
}

fn pictures(results: &KineticStructureResults) -> String {
    let pictures = charts::all(&results.panels)
        .into_iter()
        .map(|chart| format!("![{}]({}.svg)\n", chart.caption, chart.name));
    format!("## Charts\n\n{}", pictures.collect::<Vec<_>>().join("\n"))
}

pub(super) fn summary(
    results: &KineticStructureResults,
    cells: &[BoundTableCell],
    findings: &[Finding],
    settings: &Settings,
) -> String {
    let mut text = String::from("Paper 000: kinetic neighbor structures");
    text += if settings.quick { " (quick run)\n\n" } else { "\n\n" };
    text += &sheets::printed().text();
    for dimension in [2, 3] {
        text += &format!("\nMeasured powers of N in {dimension}D, over all systems\n");
        text += &sheets::bound_table(cells, dimension).text();
    }
    for panel in &results.panels {
        text += "\n";
        text += &sheets::panel(panel).text();
    }
    text += "\n";
    text += &sheets::thin_overview(&results.thin).text();
    text += "\n";
    text += &sheets::mixture_overview(&results.mixtures).text();
    text += "\nFindings\n";
    text + &findings.iter().map(|finding| finding.text(WIDTH)).collect::<String>()
}
