//! Estimates by a short trial how long a run takes and how much it writes.

use crate::failure::CommandFailure;
use carom::io::group_thousands;
use carom::run::{Run, RunCost};
use carom::scene::Scene;
use std::time::Duration;

/// Duration of the trial.
const BUDGET: Duration = Duration::from_millis(700);

/// Runs the start of a run.
pub fn estimate_by_trial<const D: usize>(
    run: Run<D>,
    scene: &Scene<D>,
) -> Result<RunCost, CommandFailure> {
    Ok(RunCost::of(run, scene, BUDGET)?)
}

/// The report with the estimate inserted before its warnings.
pub fn with_text(report: String, estimate: &RunCost) -> String {
    let at = report.find("\nwarning: ").map_or(report.len(), |end| end + 1);
    let (figures, warnings) = report.split_at(at);
    let mut lines = format!(
        "  run time        {}\n  frames          {}\n  checkpoint      {}\n",
        run_time(estimate),
        frames(estimate),
        bytes(estimate.checkpoint_bytes)
    );
    if let Some(failure) = &estimate.failure {
        lines += &format!("warning: the trial ended: {failure}\n");
    }
    format!("{figures}{lines}{warnings}")
}

fn run_time(estimate: &RunCost) -> String {
    let tried = format!("tried for {:.1} s on this machine", estimate.trial_seconds);
    match estimate.seconds {
        Some(seconds) if estimate.trial_part == 1.0 => format!("{}, as tried", duration(seconds)),
        Some(seconds) => format!("about {} ({tried})", duration(seconds)),
        None => format!("cannot be determined ({tried})"),
    }
}

fn frames(estimate: &RunCost) -> String {
    match (estimate.frames, estimate.bytes_of_frames()) {
        (Some(0), _) => "none".to_owned(),
        (Some(count), Some(all)) => {
            let each = bytes(estimate.bytes_per_frame);
            format!("{}, about {each} each and {} in all", group_thousands(count), bytes(all))
        }
        _ => format!("about {} each", bytes(estimate.bytes_per_frame)),
    }
}

/// A duration with about two digits.
fn duration(seconds: f64) -> String {
    match seconds {
        _ if seconds < 1.0 => "less than 1 s".to_owned(),
        _ if seconds < 120.0 => format!("{seconds:.0} s"),
        _ if seconds < 7200.0 => format!("{:.0} min", seconds / 60.0),
        _ if seconds < 172_800.0 => format!("{:.1} h", seconds / 3600.0),
        _ => format!("{:.1} days", seconds / 86_400.0),
    }
}

fn bytes(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

/// The report with a table of the estimate, which differs from machine to machine.
pub fn with_json(mut report: serde_json::Value, estimate: &RunCost) -> serde_json::Value {
    report["estimate"] = estimate.json();
    report
}
