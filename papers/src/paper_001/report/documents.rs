//! The report as Markdown, and the summary as plain text.

use super::sheets;
use crate::Settings;
use crate::finding::Finding;
use crate::paper_001::PolyhedronDistanceResults;
use crate::paper_001::crowd::{DISPLACEMENT_PER_STEP, ROTATION_PER_STEP, SPHERE_FRACTION};
use crate::paper_001::pair_table::GAP;
use crate::paper_001::rotation::SHARE;

/// Width of the summary's lines.
const WIDTH: usize = 96;

pub(super) fn markdown(
    results: &PolyhedronDistanceResults,
    findings: &[Finding],
    settings: &Settings,
) -> String {
    let found: String = findings.iter().map(Finding::markdown).collect();
    let (half, implied) = (&results.half_degree, &results.implied);
    [
        introduction(settings),
        format!("## Findings\n\n{found}"),
        format!(
            "## Table of \"Real simulations\", {} degrees per step\n\nTwo equal round bodies of unit \
             radius; their extents along one axis are {GAP} apart.\n\n{}",
            half.degrees,
            sheets::table(half).markdown()
        ),
        format!(
            "## The same, {} degrees per step\n\n{}\n\n{}",
            implied.degrees,
            why(results),
            sheets::table(implied).markdown()
        ),
        "## Figure 6\n\n![Time over the number of features](figure6.svg)\n".into(),
        crowds(results),
    ]
    .join("\n")
}

fn why(results: &PolyhedronDistanceResults) -> String {
    format!(
        "The paper states neither the rotation per step nor the gap. {} degrees is the largest \
         rotation, in steps of 0.005, at which at a gap of {GAP} at least {:.0} % of the queries take \
         one iteration for every number of faces, as in the printed table. The paper counts steps of \
         Lin's walk from feature to feature; here an iteration is a look for a closer pair of corners.",
        results.implied.degrees,
        100.0 * SHARE
    )
}

fn introduction(settings: &Settings) -> String {
    let (command, note) = if settings.quick {
        (
            "carom reproduce 001 --quick",
            "\nA quick run: 3,000 queries per row, up to 1,000 bodies. Growth is fitted where it is not \
             yet that of large systems; run without `--quick` before judging by it.\n",
        )
    } else {
        ("carom reproduce 001", "")
    };
    format!(
        "# Paper 001: bounding boxes and closest features of polyhedra\n\n\
         A. Schinner, after D. Baraff and M. C. Lin (1993).\n\n\
         Made by `{command}`. One thread; times are the best of several. Counts are the same on every \
         machine, times are not.\n{note}"
    )
}

fn crowds(results: &PolyhedronDistanceResults) -> String {
    format!(
        "## Many tumbling polyhedra\n\nEqual bodies in a periodic box, of which their circumscribed \
         spheres take {SPHERE_FRACTION}. Per step a body moves by {DISPLACEMENT_PER_STEP} radii and turns by {ROTATION_PER_STEP} \
         degrees; where circumscribed spheres touch, bodies bounce off like smooth spheres. Broad: boxes \
         from the corners that touched them last, and the kept sort and sweep. Narrow: the distance of \
         every pair whose boxes overlap, from the features that were closest last. Growth is fitted \
         over the upper two decades.\n\n![Time over the number of bodies](crowd.svg)\n\n{}\n{}",
        sheets::crowd_growth(&results.crowds).markdown(),
        sheets::crowd_points(&results.crowds).markdown()
    )
}

pub(super) fn summary(
    results: &PolyhedronDistanceResults,
    findings: &[Finding],
    settings: &Settings,
) -> String {
    let mut text = String::from("Paper 001: bounding boxes and closest features of polyhedra");
    text += if settings.quick { " (quick run)\n" } else { "\n" };
    for table in [&results.half_degree, &results.implied] {
        text += &format!("\n{} degrees per step, gap {GAP}\n", table.degrees);
        text += &sheets::table(table).text();
    }
    text += "\nMany tumbling polyhedra\n";
    text += &sheets::crowd_growth(&results.crowds).text();
    text += "\nFindings\n";
    text + &findings.iter().map(|finding| finding.text(WIDTH)).collect::<String>()
}
