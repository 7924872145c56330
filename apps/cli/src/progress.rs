//! Reports the progress of a run: a bar where standard error is a terminal, else a line now and then.

use crate::arguments::CommonArguments;
use crate::failure::print_stderr;
use carom::io::group_thousands;
use carom::run::RunProgress;
use indicatif::{ProgressBar, ProgressStyle};
use std::time::{Duration, Instant};

/// Time to the first line, and longest time between lines.
const FIRST: Duration = Duration::from_secs(10);
const LONGEST: Duration = Duration::from_secs(60);

/// Reports the progress of a run.
pub struct ProgressReport {
    bar: ProgressBar,
    /// Schedule of lines, where there is no terminal and `--quiet` is not given.
    lines: Option<LineSchedule>,
    start: Instant,
    first: RunProgress,
}

impl ProgressReport {
    /// Creates the report of a run that starts with `first`; lines come every `interval` if it is given.
    pub fn new(common: &CommonArguments, first: RunProgress, interval: Option<Duration>) -> Self {
        let (bar, lines) = progress_bar(common, interval);
        ProgressReport { bar, lines, start: Instant::now(), first }
    }

    /// Shows the current progress, if it is time to.
    pub fn show(&mut self, progress: &RunProgress) {
        let elapsed = self.start.elapsed();
        if self.lines.as_mut().is_some_and(|lines| lines.is_due(elapsed)) {
            print_stderr(line(&self.first, progress, elapsed));
        }
        if !self.bar.is_hidden() {
            self.bar.set_position((progress.part * 10_000.0) as u64);
            self.bar.set_message(message(&self.first, progress, elapsed));
        }
    }

    /// Removes the bar.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// A bar of ten thousand parts, and the schedule of lines where it is hidden because there is no terminal.
pub fn progress_bar(
    common: &CommonArguments,
    interval: Option<Duration>,
) -> (ProgressBar, Option<LineSchedule>) {
    let bar = if common.quiet { ProgressBar::hidden() } else { ProgressBar::new(10_000) };
    let style = ProgressStyle::with_template("{bar:30} {percent:>3} %  {msg}");
    let bar = bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let lines = (bar.is_hidden() && !common.quiet).then(|| LineSchedule::new(interval));
    (bar, lines)
}

/// When lines are written: the first after ten seconds, then after pauses that double up to a minute, so that a short
/// run prints little and the log of a long one does not grow needlessly.
pub struct LineSchedule {
    next: Duration,
    pause: Duration,
    longest: Duration,
}

impl LineSchedule {
    fn new(interval: Option<Duration>) -> Self {
        let (pause, longest) = interval.map_or((FIRST, LONGEST), |interval| (interval, interval));
        LineSchedule { next: pause, pause, longest }
    }

    /// Whether it is time for the next line.
    pub fn is_due(&mut self, elapsed: Duration) -> bool {
        if elapsed < self.next {
            return false;
        }
        self.pause = (2 * self.pause).min(self.longest);
        self.next = elapsed + self.pause;
        true
    }
}

fn line(first: &RunProgress, progress: &RunProgress, elapsed: Duration) -> String {
    format!("{:.1} %: {}", 100.0 * progress.part, message(first, progress, elapsed))
}

fn message(first: &RunProgress, progress: &RunProgress, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64();
    let rate = (progress.count - first.count) as f64 / seconds;
    let left = time_left(first.part, progress.part, elapsed);
    format!(
        "time {:.4}, {} {}, {} per second{left}",
        progress.time,
        group_thousands(progress.count),
        progress.counted,
        group_thousands(rate as u64)
    )
}

/// The estimated rest after a comma, where one part was done at the start and another one is now; empty if it is not known.
pub fn time_left(first: f64, part: f64, elapsed: Duration) -> String {
    let left = elapsed.as_secs_f64() * (1.0 - part) / (part - first);
    if left.is_finite() { format!(", {} left", rounded_duration(left)) } else { String::new() }
}

/// A duration in its largest fitting unit.
fn rounded_duration(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 120.0 => format!("{seconds:.0} s"),
        seconds if seconds < 7200.0 => format!("{:.0} min", seconds / 60.0),
        seconds => format!("{:.1} h", seconds / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line_times(interval: Option<u64>, until: u64) -> Vec<u64> {
        let mut lines = LineSchedule::new(interval.map(Duration::from_secs));
        (0..=until).filter(|&second| lines.is_due(Duration::from_secs(second))).collect()
    }

    #[test]
    fn lines_come_less_and_less_often_but_every_minute() {
        assert!(line_times(None, 9).is_empty());
        assert_eq!(line_times(None, 300), [10, 30, 70, 130, 190, 250]);
        assert_eq!(line_times(Some(5), 21), [5, 10, 15, 20]);
    }

    #[test]
    fn a_line_has_part_time_count_rate_and_what_is_left() {
        let at = |part, time, count| RunProgress { part, time, count, counted: "steps" };
        let text = line(&at(0.0, 0.0, 0), &at(0.25, 2.0, 50_000), Duration::from_secs(100));
        assert_eq!(text, "25.0 %: time 2.0000, 50,000 steps, 500 per second, 5 min left");
        let none = line(&at(0.5, 1.0, 10), &at(0.5, 1.0, 10), Duration::from_secs(10));
        assert_eq!(none, "50.0 %: time 1.0000, 10 steps, 0 per second");
        assert_eq!(
            (rounded_duration(90.0), rounded_duration(9000.0)),
            ("90 s".into(), "2.5 h".into())
        );
    }
}
