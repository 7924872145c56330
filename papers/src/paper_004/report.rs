//! The tables and figures of the paper's page.

use super::balls::{self, BallImpact};
use super::disc_collision::DiscCollision;
use super::faults::ThesisFaults;
use super::hertz::HertzImpact;
use super::intervals::{self, IntervalTrial};
use super::{DeformationResults, cone, panels, verdicts};
use crate::chart::{Chart, ChartSeries};
use crate::digits::significant;
use crate::report::{PaperReport, ReportFile, ReportPage, Settings};
use crate::table::{TextTable, row, table};

const PAGE: &str = include_str!("../../pages/004.md");

/// All files and the text to print.
pub(super) fn write(results: &DeformationResults, settings: &Settings) -> PaperReport {
    let mut page = ReportPage::new("004", PAGE, settings);
    verdicts::judge(results, &mut page);
    let [head_on, oblique] = &results.collisions;
    page.figure("figure2", panels::svg(head_on, "Figure 2: head-on collision"));
    page.data("figure2", course(head_on));
    page.figure("figure3", panels::svg(oblique, "Figure 3: collision at an angle"));
    page.data("figure3", course(oblique));
    page.data("encounters", encounters(&results.collisions));
    page.data("cone", cone_slices(head_on));
    page.data("intervals", intervals(&results.intervals));
    page.table("fewest intervals", fewest(&results.intervals));
    page.figure("intervals", intervals_chart(&results.intervals).svg());
    page.data("balls", balls(&results.balls));
    page.data("hertz", hertz(&results.hertz));
    page.data("boundary", boundary(&results.faults));
    page.value("visible", cone::VISIBLE);
    page.value("ball speed", balls::SPEED);
    page.value("longest", balls::LONGEST);
    let force = head_on.bonded.largest_force / head_on.koti1989.largest_force;
    page.value("force of springs", significant(force, 2));
    page.value("work", significant(head_on.koti1989.work, 2));
    page.finish()
}

/// The collision of a user's data file.
pub(super) fn write_data(encounter: &DiscCollision) -> PaperReport {
    let title = "First collision of the data file";
    let file = |name: &str, content| ReportFile { name: name.into(), content };
    let files = vec![
        file("004/data.svg", panels::svg(encounter, title)),
        file("004/data.csv", course(encounter).csv()),
    ];
    let table = encounters(std::slice::from_ref(encounter));
    PaperReport { files, summary: format!("{title}\n\n{}", table.text()) }
}

/// A number of any size.
fn number(value: f64) -> String {
    format!("{value:.4e}")
}

/// Both ways of each collision.
fn encounters(encounters: &[DiscCollision]) -> TextTable {
    let outcomes = ["first", "second"]
        .into_iter()
        .zip(encounters)
        .flat_map(|(name, encounter)| encounter.ways().map(|(way, outcome)| (name, way, outcome)));
    table!((name, way, outcome) in outcomes;
        "collision": name, "way": way, "duration": number(outcome.duration),
        "largest force": number(outcome.largest_force), "touching": outcome.most_contacts,
        "restitution": format!("{:.4}", outcome.restitution),
        "work of prescribed force": significant(outcome.work, 3),
        "energy from nowhere": format!("{:.1e}", outcome.energy_error),
        "momentum lost": format!("{:.1e}", outcome.momentum_error),
        "wave speed": number(outcome.wave_speed))
}

/// Force and energies over the time.
fn course(encounter: &DiscCollision) -> TextTable {
    let samples = encounter
        .ways()
        .into_iter()
        .flat_map(|(way, outcome)| outcome.samples.iter().map(move |sample| (way, sample)));
    table!((way, sample) in samples;
        "way": way, "time": number(sample.time), "force": number(sample.force),
        "kinetic energy": number(sample.kinetic_energy), "elastic energy": number(sample.bond_energy))
}

/// How wide the disturbed part is at which depth.
fn cone_slices(encounter: &DiscCollision) -> TextTable {
    let mut rows = Vec::new();
    for (way, outcome) in encounter.ways() {
        for snapshot in &outcome.snapshots {
            let crossings = format!("{:.3}", snapshot.crossings);
            let slices = cone::disturbance_slices(snapshot).into_iter();
            rows.extend(
                slices.map(|slice| row![way, crossings, slice.depth, slice.width, slice.all]),
            );
        }
    }
    TextTable::new("way | crossings | depth | disturbed | all", rows)
}

/// Every trial.
fn intervals(trials: &[IntervalTrial]) -> TextTable {
    table!(trial in trials;
        "grid": trial.grid, "intervals": trial.intervals,
        "intervals per grid": significant(trial.ratio(), 3),
        "spacings of a wave per interval": significant(trial.courant, 3),
        "growth of fastest swing in powers of ten": significant(trial.decades(), 3),
        "energy gained": format!("{:.2e}", trial.gained))
}

/// How many intervals each grid needs.
fn fewest(trials: &[IntervalTrial]) -> TextTable {
    let rows = intervals::grids(trials).into_iter().map(|grid| {
        let needed = |part: f64| match intervals::fewest(trials, grid, part) {
            Some(count) => {
                let ratio = significant(f64::from(count) / f64::from(grid), 3);
                format!("{count} = {ratio} × grid")
            }
            None => "more".to_owned(),
        };
        row![grid, needed(1.0), needed(0.1), needed(0.01)]
    });
    TextTable::new("grid | gain below 100 % | below 10 % | below 1 %", rows)
}

/// Balls in space.
fn balls(impacts: &[BallImpact]) -> TextTable {
    let longer = |impact: &BallImpact| if impact.separated { "" } else { "> " };
    table!(impact in impacts;
        "neighbors": impact.neighbors(), "radius": impact.radius, "particles": impact.particles,
        "duration / Hertz": format!("{}{:.3}", longer(impact), impact.duration),
        "parted": if impact.separated { "yes" } else { "no" },
        "force / Hertz": format!("{:.3}", impact.force),
        "restitution": format!("{:.3}", impact.restitution),
        "energy from nowhere": format!("{:.1e}", impact.energy_error))
}

/// Duration and force in all ways.
fn hertz(cases: &[HertzImpact]) -> TextTable {
    let number = |value: f64| format!("{value:.5e}");
    table!(case in cases;
        "spheres": case.name, "duration exact": number(case.closed_form[0]),
        "integrated": number(case.integrated[0]),
        "by 4.53 (2.1)": number(case.impact.duration_as_printed()),
        "by 2.9432": number(case.impact.duration()), "force exact": number(case.closed_form[1]),
        "integrated": number(case.integrated[1]), "by (2.4)": number(case.impact.largest_force()),
        "restitution of (2.4)": format!("{:.4}", case.restitution))
}

/// What the scan misses.
fn boundary(faults: &ThesisFaults) -> TextTable {
    table!(found in &faults.boundaries;
        "grid": found.grid, "lack a neighbor": found.particles, "missed by the scan": found.missed,
        "part": format!("{:.3}", found.missed as f64 / found.particles as f64))
}

/// Gains above this are drawn at it: unstable runs gain without bound.
const HIGHEST: f64 = 1e3;

fn intervals_chart(trials: &[IntervalTrial]) -> Chart {
    let series = |&grid: &u32| {
        let own = trials.iter().filter(|trial| trial.grid == grid);
        let points = own.map(|trial| (trial.ratio(), trial.gained.abs().min(HIGHEST))).collect();
        ChartSeries { label: format!("grid {grid}"), points }
    };
    Chart {
        title: "Energy gained in an impact over the number of intervals".into(),
        subtitle: "Figure 2 in the way of the thesis; in parts of the work of the prescribed force, larger ones \
                   at 10³."
            .into(),
        x_label: "intervals of the impact / grid",
        y_label: "energy from nowhere",
        legend_note: "the thesis advises 10 or more",
        series: intervals::grids(trials).iter().map(series).collect(),
        ..Chart::default()
    }
}
