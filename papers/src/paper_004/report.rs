//! The tables and figures of the paper's page.

use super::disc_collision::DiscCollision;
use super::quantities::quantities;
use super::{DeformationResults, balls, cone, intervals, panels};
use crate::digits::significant;
use crate::records::{Record, Records, record};
use crate::report::{PaperReport, ReportFile, ReportPage, Settings};
use crate::table::TextTable;

/// All files and the text to print.
pub(super) fn write(results: &DeformationResults, settings: &Settings) -> PaperReport {
    let mut page = ReportPage::new("004", settings);
    page.judge(&quantities(results));
    let [head_on, oblique] = &results.collisions;
    page.figure("figure2", panels::svg(head_on, "Figure 2: head-on collision"));
    page.data("figure2", history(head_on));
    page.figure("figure3", panels::svg(oblique, "Figure 3: collision at an angle"));
    page.data("figure3", history(oblique));
    page.data("encounters", encounters(&results.collisions));
    page.data("cone", cone_slices(head_on));
    page.data("intervals", results.intervals.clone());
    page.table("fewest intervals", fewest(&results.intervals));
    page.table("sizes of gains", sizes_of_gains(&results.intervals));
    page.data("balls", results.balls.clone());
    page.data("hertz", results.hertz.clone());
    page.data("boundary", results.faults.boundaries.clone());
    page.value("visible", cone::VISIBLE);
    page.value("ball speed", balls::SPEED);
    page.value("longest", balls::LONGEST);
    let [prescribed, springs] = head_on.outcomes().map(|way| way.measured.number("largest force"));
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
        file("004/data.csv", TextTable::of_all(&history(encounter)).csv()),
    ];
    let table = TextTable::of_all(&encounters(std::slice::from_ref(encounter)));
    PaperReport { files, summary: format!("{title}\n\n{}", table.text()) }
}

/// Both ways of each collision.
fn encounters(encounters: &[DiscCollision]) -> Records {
    let of = |(name, encounter): (&str, &DiscCollision)| {
        let named = |way: &Record| record! { "collision": name }.and(way.clone());
        encounter.outcomes().map(|way| named(&way.measured))
    };
    ["first", "second"].into_iter().zip(encounters).flat_map(of).collect()
}

/// Force and energies over the time, both ways.
fn history(encounter: &DiscCollision) -> Records {
    encounter
        .outcomes()
        .into_iter()
        .flat_map(|outcome| outcome.history.rows.iter())
        .cloned()
        .collect()
}

/// Width of the disturbed region by depth.
fn cone_slices(encounter: &DiscCollision) -> Records {
    let mut slices = Records::default();
    for outcome in encounter.outcomes() {
        for snapshot in &outcome.history.snapshots {
            let names = record! {
                "way": outcome.measured.text("way"), "crossings": snapshot.crossings,
            };
            let own = cone::disturbance_slices(snapshot).into_iter();
            slices.extend(own.map(|slice| names.clone().and(slice)));
        }
    }
    slices
}

/// Number of intervals that each grid needs.
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

/// Sizes of the gains.
fn sizes_of_gains(trials: &Records) -> Records {
    let size = |trial: &Record| trial.number("energy gained").abs().min(HIGHEST);
    trials.iter().map(|trial| trial.clone().and(record! { "size": size(trial) })).collect()
}
