//! The report as Markdown, and the summary as plain text.

use super::{FIGURES, FigureContent, sheets};
use crate::Settings;
use crate::finding::Finding;
use crate::paper_003::PointInclusionResults;
use crate::paper_003::approach::SEPARATION;

/// Width of the summary's lines.
const WIDTH: usize = 96;

pub(super) fn markdown(
    results: &PointInclusionResults,
    findings: &[Finding],
    settings: &Settings,
) -> String {
    let found: String = findings.iter().map(Finding::markdown).collect();
    let comparisons = &results.comparisons;
    [
        introduction(settings),
        format!("## Findings\n\n{found}"),
        format!(
            "## Table 1: complexity\n\nFitted over the upper two decades: of the triangles N with the \
             largest grid, of the points M on the finest mesh. p: degree of the expansions, N_ω: clusters \
             of triangles.\n\n{}",
            sheets::table_1(comparisons).markdown()
        ),
        format!(
            "## Table 2: seconds of the evaluation part\n\nSphere, pre-chosen depth; twenty years lie \
             between the machines.\n\n![Evaluation over points](table2.svg)\n\n{}",
            sheets::table_2(&comparisons[0]).markdown()
        ),
        figures(results),
        format!(
            "## Where the multipole method overtakes ray crossing\n\nIn triangles, interpolated between \
             meshes; against rays that are tested with every face.\n\n{}",
            sheets::crossover(comparisons).markdown()
        ),
        format!(
            "## Answers\n\nPoints inside by exact cells on the largest grid. Contrary: reported inside by one \
             of the other methods and outside by cells, or the reverse. In doubt: reported on the surface by one \
             only.\n\n{}",
            sheets::agreement(comparisons).markdown()
        ),
        format!(
            "## Errors of the multipole method\n\nAgainst the direct sum, at some of the points.\n\n{}\n\
             Sphere of 8192 triangles, pre-chosen depth:\n\n{}",
            sheets::errors(comparisons).markdown(),
            sheets::accuracy(&results.accuracy).markdown()
        ),
    ]
    .join("\n")
}

fn introduction(settings: &Settings) -> String {
    let (command, note) = if settings.quick {
        (
            "carom reproduce 003 --quick",
            "\nA quick run: spheres of up to 8,192 triangles, one foam, up to 20³ points. Growth is fitted \
             where it is not yet that of large systems; run without `--quick` before judging by it.\n",
        )
    } else {
        ("carom reproduce 003", "")
    };
    format!(
        "# Paper 003: points inside polyhedra by the fast multipole method or ray crossing\n\n\
         B. Muth, G. Of, P. Eberhard and O. Steinbach, \"Collision Detection for Complicated Polyhedra \
         Using the Fast Multipole Method or Ray Crossing\", TU Graz, Bericht 2006/3.\n\n\
         Made by `{command}`. Times are seconds of the processor on one thread, to prepare a body and to \
         ask for all points of a regular grid in the cube from -1 to 1; the best of several, or a single \
         one where that takes long. Ray crossing tests every face, as in the paper; so does the direct sum. \
         Where these would take too many tests, some points spread over the grid are asked for and the time \
         is extrapolated linearly: marked by ~ here and by a column in the CSV files. The paper states \
         neither the parameter d nor the degree of its expansions: here d = {SEPARATION}, and the degree is \
         the lowest with a bound below 0.4, as values are only compared with one half. The paper's foams are \
         not published; these are carom's own.\n{note}"
    )
}

fn figures(results: &PointInclusionResults) -> String {
    let mut text = String::from(
        "## Figures 7 to 10 and 12 to 15\n\nThe paper prints the figures without their numbers.\n",
    );
    for figure in FIGURES {
        let (number, title) = (figure.number, figure.title());
        let comparison = figure.comparison(results);
        let table = match figure.content {
            FigureContent::One(approach) => sheets::totals(comparison, approach),
            FigureContent::Comparison => sheets::side_by_side(comparison),
        };
        text += &format!("\n### {title}\n\n![{title}](figure{number}.svg)\n\n{}", table.markdown());
    }
    text
}

pub(super) fn summary(
    results: &PointInclusionResults,
    findings: &[Finding],
    settings: &Settings,
) -> String {
    let comparisons = &results.comparisons;
    let mut text = String::from(
        "Paper 003: points inside polyhedra by the fast multipole method or ray crossing",
    );
    text += if settings.quick { " (quick run)\n" } else { "\n" };
    text += "\nTable 2: seconds of the evaluation part\n";
    text += &sheets::table_2(&comparisons[0]).text();
    for figure in FIGURES {
        if let FigureContent::Comparison = figure.content {
            text += &format!("\n{}: seconds in all (~ extrapolated)\n", figure.title());
            text += &sheets::side_by_side(figure.comparison(results)).text();
        }
    }
    text += "\nTable 1: growth with triangles N and points M\n";
    text += &sheets::table_1(comparisons).text();
    text += "\nTriangles from which on the multipole method is faster than ray crossing\n";
    text += &sheets::crossover(comparisons).text();
    text += "\nFindings\n";
    text + &findings.iter().map(|finding| finding.text(WIDTH)).collect::<String>()
}
