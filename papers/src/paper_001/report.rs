//! The tables and figures of the paper's page.

use super::crowd::{self, DISPLACEMENT_PER_STEP, ROTATION_PER_STEP, SPHERE_FRACTION};
use super::pair_table::GAP;
use super::quantities::quantities;
use super::{PolyhedronDistanceResults, rotation};
use crate::chart::{Chart, ChartSeries, GuideSide, PowerLawGuide};
use crate::records::Records;
use crate::report::{PaperReport, ReportPage, Settings};

/// All files and the text to print.
pub(super) fn write(results: &PolyhedronDistanceResults, settings: &Settings) -> PaperReport {
    let PolyhedronDistanceResults { half_degree, implied, crowds } = results;
    let mut page = ReportPage::new("001", include_str!("../../pages/001.md"), settings);
    page.judge(include_str!("../../pages/001.csv"), &quantities(results));
    page.data("table", half_degree.iter().chain(implied.iter()).cloned().collect());
    page.table("half degree", half_degree.clone());
    page.table("implied", implied.clone());
    page.figure("figure6", figure_6(half_degree, implied).svg());
    page.data("crowd", crowds.clone());
    page.data("crowd_growth", crowd::growth(crowds));
    page.figure("crowd", crowd_chart(crowds).svg());
    page.value("half degree", half_degree.text("degrees"));
    page.value("implied", implied.text("degrees"));
    page.value("gap", GAP);
    page.value("share", format!("{:.0}", 100.0 * rotation::SHARE));
    page.value("sphere fraction", SPHERE_FRACTION);
    page.value("displacement", DISPLACEMENT_PER_STEP);
    page.value("rotation", ROTATION_PER_STEP);
    page.finish()
}

/// The printed times are scaled to the mean of the measured ones: their machine is thirty years older.
fn figure_6(half_degree: &Records, implied: &Records) -> Chart {
    let sum = |name: &str| implied.numbers(name).sum::<f64>();
    let scale = sum("microseconds") / sum("printed microseconds");
    let measured = |table: &Records| ChartSeries {
        label: format!("{}° per step", table.text("degrees")),
        points: table.points("features", "microseconds"),
    };
    let printed = implied.points("printed features", "printed microseconds");
    let scaled = printed.into_iter().map(|(features, time)| (features, scale * time)).collect();
    Chart {
        title: "Figure 6: time of a query over the number of features".into(),
        subtitle: format!(
            "Two tumbling bodies, features tracked. Printed times (IBM Power 2) times {scale:.1e}."
        ),
        x_label: "faces, edges and corners of a body",
        y_label: "time (µs)",
        legend_note: "one thread, best of several",
        series: vec![
            measured(half_degree),
            measured(implied),
            ChartSeries { label: "printed, scaled".into(), points: scaled },
        ],
        ..Chart::default()
    }
}

fn crowd_chart(crowds: &Records) -> Chart {
    let series = |crowd: Records| ChartSeries {
        label: format!("{}, {}", crowd.text("faces"), crowd.text("lists")),
        points: crowd.points("bodies", "total ms"),
    };
    Chart {
        title: "Many tumbling polyhedra: time of a step".into(),
        subtitle: "One thread. The paper has one list per axis. Dashed: growth claimed.".into(),
        x_label: "number of bodies N",
        x_symbol: Some('N'),
        y_label: "time (ms)",
        series: crowds.each("lists | faces").into_iter().map(series).collect(),
        guides: vec![PowerLawGuide { power: "", side: GuideSide::Below }],
        ..Chart::default()
    }
}
