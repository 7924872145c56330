//! The report as Markdown, and the summary as plain text.

use super::sheets;
use crate::Settings;
use crate::digits::significant;
use crate::finding::Finding;
use crate::paper_002::ContactDetectionResults;
use crate::paper_002::tables::TableRun;

/// Width of the summary's lines.
const WIDTH: usize = 96;

pub(super) fn markdown(
    results: &ContactDetectionResults,
    findings: &[Finding],
    settings: &Settings,
) -> String {
    let found: String = findings.iter().map(Finding::markdown).collect();
    [
        introduction(settings),
        format!("## Findings\n\n{found}"),
        format!(
            "## Contact ratios (section 3)\n\nExpected without the sides of the box: \
             (N/V)(π/2) E[(ri+rj)²] in 2D and (N/V)(2/3)π E[(ri+rj)³] in 3D, with N/V = 100 and \
             1000.\n\n{}",
            sheets::contact_overview(&results.contact_ratios).markdown()
        ),
        figure(results),
        tables(results),
        format!(
            "## Where to put the origin\n\nPair tests of the distance sort on the particles of \
             test A. Expected: N² E[d] / L times the integral of the squared density of distances \
             in a unit box.\n\n{}",
            sheets::origins(&results.origins).markdown()
        ),
    ]
    .join("\n")
}

fn introduction(settings: &Settings) -> String {
    let (command, note) = if settings.quick {
        (
            "carom reproduce 002 --quick",
            "\nA quick run: up to 10,000 particles and short measurements. Growth is fitted where \
             it is not yet that of large systems; run without `--quick` before judging by it.\n",
        )
    } else {
        ("carom reproduce 002", "")
    };
    format!(
        "# Paper 002: contacts of spheres by distance sort\n\n\
         J. S. Leszczynski and M. Ciesielski, \"Effective Algorithm for Detection of a Collision \
         between Spherical Particles\", ICCS 2004, LNCS 3037, pp. 348-355.\n\n\
         Made by `{command}`. One thread; the time of a search includes building its structure \
         and an ascending list of all contacts; the best of several, or a single one where that \
         takes long. Counts are the same on every machine, times are not. LCM n: linked cells \
         with n particles in a cell on average. auto: the method that carom chooses by itself.\n{note}"
    )
}

fn figure(results: &ContactDetectionResults) -> String {
    let mut text = String::from(
        "## Figure 2\n\nTimes in milliseconds. The paper prints the figure without its numbers; \
         its axes run from 10² to 10⁶ particles and from 10⁻¹ to 10⁷ ms. Exponents are fitted over \
         the upper two decades.\n",
    );
    for panel in &results.figure_2 {
        let dimension = panel.dimension;
        text += &format!(
            "\n![Time over number of particles in {dimension}D](figure2_{dimension}d.svg)\n\n{}\n{}",
            sheets::panel_times(panel).markdown(),
            sheets::panel_growth(panel).markdown()
        );
    }
    text
}

fn tables(results: &ContactDetectionResults) -> String {
    let mut text = String::from(
        "## Tables 1, 2 and 3\n\nTwenty years lie between the machines, so ratios to the distance \
         sort are compared. The paper states no boxes: table 1 has the density of figure 2 and \
         just room for the 10 x 10 cells of LCM100; 6 x 6 is the smallest box with room for the \
         3 x 3 cells of LCM11; the big disc of table 3 covers a quarter of a box of 10 x 10, which \
         has room for one cell of its width.\n",
    );
    for run in &results.tables {
        let (number, system) = (run.number, run.system);
        let table = sheets::table_run(run).markdown();
        text += &format!("\n### Table {number}: {system}\n\n{table}");
    }
    text + "\n" + &speed(&results.tables).unwrap_or_default()
}

/// What a test cost then and now, and how often tables 2 and 3 must have been repeated.
fn speed(tables: &[TableRun; 3]) -> Option<String> {
    let [first, second, third] = tables;
    let slowest = |table: &TableRun| {
        let entry = table.linked_cells().last()?;
        Some((entry.published_seconds?, entry.measurement.clone()))
    };
    let (then, now) = slowest(first)?;
    let per_test = then / now.pair_tests as f64;
    let repeats = |table: &TableRun| {
        let (seconds, searched) = slowest(table)?;
        Some(significant(seconds / (searched.pair_tests as f64 * per_test), 1))
    };
    let seconds = first.distance_sort().published_seconds?;
    let faster = seconds * 1e3 / first.distance_sort().measurement.milliseconds;
    Some(format!(
        "The distance sort of table 1 is {} times faster than printed. By the printed time of \
         LCM1111 and the counted tests a pair test cost {} ns then; it costs {} ns now. At that \
         cost the printed times of tables 2 and 3 are those of about {} and {} searches, not of \
         one.\n",
        significant(faster, 2),
        significant(per_test * 1e9, 2),
        significant(now.milliseconds * 1e6 / now.pair_tests as f64, 2),
        repeats(second)?,
        repeats(third)?
    ))
}

pub(super) fn summary(
    results: &ContactDetectionResults,
    findings: &[Finding],
    settings: &Settings,
) -> String {
    let mut text = String::from("Paper 002: contacts of spheres by distance sort");
    text += if settings.quick { " (quick run)\n" } else { "\n" };
    text += "\n";
    text += &sheets::contact_overview(&results.contact_ratios).text();
    for panel in &results.figure_2 {
        text += &format!("\nFigure 2, {}D: milliseconds over N\n", panel.dimension);
        text += &sheets::panel_times(panel).text();
        text += "\n";
        text += &sheets::panel_growth(panel).text();
    }
    for run in &results.tables {
        text += &format!("\nTable {}: {}\n", run.number, run.system);
        text += &sheets::table_run(run).text();
    }
    text += "\nOrigins of the distance sort\n";
    text += &sheets::origins(&results.origins).text();
    text += "\nFindings\n";
    text + &findings.iter().map(|finding| finding.text(WIDTH)).collect::<String>()
}
