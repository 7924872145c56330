//! The tables and figures of the paper's page.

use super::disc_collision::DiscCollision;
use super::quantities::quantities;
use super::{DeformationResults, balls, cone, intervals, panels};
use crate::chart::{Chart, ChartSeries};
use crate::digits::significant;
use crate::records::{Record, Records, record};
use crate::report::{PaperReport, ReportFile, ReportPage, Settings};
use crate::table::TextTable;

/// All files and the text to print.
pub(super) fn write(results: &DeformationResults, settings: &Settings) -> PaperReport {
    let mut page = ReportPage::new("004", include_str!("../../pages/004.md"), settings);
    page.judge(include_str!("../../pages/004.csv"), &quantities(results));
    let [head_on, oblique] = &results.collisions;
    page.figure("figure2", panels::svg(head_on, "Figure 2: head-on collision"));
    page.data("figure2", course(head_on));
    page.figure("figure3", panels::svg(oblique, "Figure 3: collision at an angle"));
    page.data("figure3", course(oblique));
    page.data("encounters", encounters(&results.collisions));
    page.data("cone", cone_slices(head_on));
    page.data("intervals", results.intervals.clone());
    page.table("fewest intervals", fewest(&results.intervals));
    page.figure("intervals", intervals_chart(&results.intervals).svg());
    page.data("balls", results.balls.clone());
    page.data("hertz", results.hertz.clone());
    page.data("boundary", results.faults.boundaries.clone());
    page.value("visible", cone::VISIBLE);
    page.value("ball speed", balls::SPEED);
    page.value("longest", balls::LONGEST);
    let [prescribed, springs] = head_on.ways().map(|way| way.measured.number("largest force"));
    page.value("force of springs", significant(springs / prescribed, 2));
    let work = head_on.koti1989.measured.number("work of prescribed force");
    page.value("work", significant(work, 2));
    page.finish()
}

/// The collision of a user's data file.
pub(super) fn write_data(encounter: &DiscCollision) -> PaperReport {
    let title = "First collision of the data file";
    let file = |name: &str, content| ReportFile { name: name.into(), content };
    let files = vec![
        file("004/data.svg", panels::svg(encounter, title)),
        file("004/data.csv", TextTable::of_all(&course(encounter)).csv()),
    ];
    let table = TextTable::of_all(&encounters(std::slice::from_ref(encounter)));
    PaperReport { files, summary: format!("{title}\n\n{}", table.text()) }
}

/// Both ways of each collision.
fn encounters(encounters: &[DiscCollision]) -> Records {
    let of = |(name, encounter): (&str, &DiscCollision)| {
        let named = |way: &Record| record! { "collision": name }.and(way.clone());
        encounter.ways().map(|way| named(&way.measured))
    };
    ["first", "second"].into_iter().zip(encounters).flat_map(of).collect()
}

/// Force and energies over the time, both ways.
fn course(encounter: &DiscCollision) -> Records {
    encounter.ways().into_iter().flat_map(|outcome| outcome.course.iter()).cloned().collect()
}

/// How wide the disturbed part is at which depth.
fn cone_slices(encounter: &DiscCollision) -> Records {
    let mut slices = Records::default();
    for outcome in encounter.ways() {
        for snapshot in &outcome.snapshots {
            let names = record! {
                "way": outcome.measured.text("way"), "crossings": snapshot.crossings,
            };
            let own = cone::disturbance_slices(snapshot).into_iter();
            slices.extend(own.map(|slice| names.clone().and(slice)));
        }
    }
    slices
}

/// How many intervals each grid needs.
fn fewest(trials: &Records) -> Records {
    let of_grid = |trials: Records| {
        let needed = |part: f64| match intervals::fewest(&trials, part) {
            Some(trial) => {
                let ratio = significant(trial.number("intervals per grid"), 3);
                format!("{} = {ratio} × grid", trial.text("intervals"))
            }
            None => "more".to_owned(),
        };
        record! {
            "grid": trials.text("grid"), "gain below 100 %": needed(1.0),
            "below 10 %": needed(0.1), "below 1 %": needed(0.01),
        }
    };
    trials.each("grid").into_iter().map(of_grid).collect()
}

/// Gains above this are drawn at it: unstable runs gain without bound.
const HIGHEST: f64 = 1e3;

fn intervals_chart(trials: &Records) -> Chart {
    let series = |trials: Records| {
        let points = trials.points("intervals per grid", "energy gained").into_iter();
        ChartSeries {
            label: format!("grid {}", trials.text("grid")),
            points: points.map(|(ratio, gained)| (ratio, gained.abs().min(HIGHEST))).collect(),
        }
    };
    Chart {
        title: "Energy gained in an impact over the number of intervals".into(),
        subtitle: "Figure 2 in the way of the thesis; in parts of the work of the prescribed force, larger ones \
                   at 10³."
            .into(),
        x_label: "intervals of the impact / grid",
        y_label: "energy from nowhere",
        legend_note: "the thesis advises 10 or more",
        series: trials.each("grid").into_iter().map(series).collect(),
        ..Chart::default()
    }
}
