//! Reports the progress of a sweep: one line for all runs.

use crate::arguments::CommonArguments;
use crate::failure::print_stderr;
use crate::progress::{LineSchedule, progress_bar, time_left};
use carom::sweep::SweepProgress;
use indicatif::ProgressBar;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Reports the progress of a sweep.
pub struct SweepProgressReport {
    bar: ProgressBar,
    /// Schedule of lines, where there is no terminal and `--quiet` is not given.
    lines: Option<Mutex<LineSchedule>>,
    start: Instant,
    /// The part that was done before, known from the first call on.
    first_part: OnceLock<f64>,
}

impl SweepProgressReport {
    /// Creates the report; lines come every `interval` if it is given.
    pub fn new(common: &CommonArguments, interval: Option<Duration>) -> Self {
        let (bar, lines) = progress_bar(common, interval);
        let lines = lines.map(Mutex::new);
        SweepProgressReport { bar, lines, start: Instant::now(), first_part: OnceLock::new() }
    }

    /// Shows the current progress, if it is time to.
    pub fn show(&self, progress: &SweepProgress) {
        let elapsed = self.start.elapsed();
        let first = *self.first_part.get_or_init(|| progress.part);
        let is_due = |lines: &Mutex<LineSchedule>| {
            lines.lock().unwrap_or_else(PoisonError::into_inner).is_due(elapsed)
        };
        if self.lines.as_ref().is_some_and(is_due) {
            let message = message(first, progress, elapsed);
            print_stderr(format!("{:.1} %: {message}", 100.0 * progress.part));
        }
        if !self.bar.is_hidden() {
            self.bar.set_position((progress.part * 10_000.0) as u64);
            self.bar.set_message(message(first, progress, elapsed));
        }
    }

    /// Calls `print` while the bar is not shown.
    pub fn suspend(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }

    /// Removes the bar.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

fn message(first: f64, progress: &SweepProgress, elapsed: Duration) -> String {
    let SweepProgress { runs, finished, failed, running, part, .. } = *progress;
    let failed = if failed > 0 { format!(", {failed} failed") } else { String::new() };
    let left = time_left(first, part, elapsed);
    format!("{finished} of {runs} runs finished{failed}, {running} running{left}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_runs_and_what_is_left() {
        let mut progress = SweepProgress::default();
        (progress.runs, progress.finished, progress.running) = (40, 12, 2);
        progress.part = 0.35;
        let text = message(0.1, &progress, Duration::from_secs(500));
        assert_eq!(text, "12 of 40 runs finished, 2 running, 22 min left");
        (progress.failed, progress.part) = (1, 0.1);
        let text = message(0.1, &progress, Duration::from_secs(5));
        assert_eq!(text, "12 of 40 runs finished, 1 failed, 2 running");
    }
}
