//! The shortest of several times of the processor, on one thread.

use crate::clock::Clock;
use std::time::Duration;

/// Measures work on a single thread, as often as its patience allows.
///
/// The shortest time counts: whatever else the machine does only ever adds to it. The first run
/// warms up caches and buffers and counts only if it is the only one.
pub struct Stopwatch {
    thread: rayon::ThreadPool,
    time_budget: Duration,
}

/// Work up to this many times as long as the patience is still repeated,
const LONGEST_REPEATED_FACTOR: u32 = 4;
/// so often, because a single time may be that of a busy moment.
const LEAST_REPEATS: usize = 2;

impl Stopwatch {
    /// Repeats short work for about this many milliseconds, work up to four times as long twice, and does
    /// longer work once.
    pub fn new(milliseconds: u64) -> Self {
        let time_budget = Duration::from_millis(milliseconds);
        let thread = rayon::ThreadPoolBuilder::new()
            .num_threads(1)
            .build()
            .expect("the system lets a program start one more thread");
        Stopwatch { thread, time_budget }
    }

    /// The shortest time of `work`.
    ///
    /// All repetitions run inside the one thread: handing over each of them would cost more than
    /// a small search does.
    pub fn shortest(&self, mut work: impl FnMut() + Send) -> Duration {
        self.thread.install(|| {
            shortest_of(self.time_budget, || {
                let clock = Clock::start();
                work();
                clock.elapsed()
            })
        })
    }

    /// Returns the result of `work` and its shortest time in seconds.
    pub fn timed<T: Send>(&self, mut work: impl FnMut() -> T + Send) -> (T, f64) {
        let mut result = None;
        let time = self.shortest(|| result = Some(work()));
        (result.expect("work is done at least once"), time.as_secs_f64())
    }
}

/// The shortest of as many times as the patience allows, the first left out if there are others.
fn shortest_of(patience: Duration, mut next: impl FnMut() -> Duration) -> Duration {
    let first = next();
    let mut spent = first;
    let mut times = Vec::new();
    let bearable = first < LONGEST_REPEATED_FACTOR * patience;
    while spent < patience || (bearable && times.len() < LEAST_REPEATS) {
        let this = next();
        spent += this;
        times.push(this);
    }
    times.into_iter().min().unwrap_or(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_millis(100);

    /// Number of repetitions of work that takes these milliseconds in turn, and the time that counts.
    fn done(milliseconds: &[u64]) -> (usize, u64) {
        let mut runs = 0;
        let shortest = shortest_of(PATIENCE, || {
            runs += 1;
            Duration::from_millis(milliseconds[(runs - 1).min(milliseconds.len() - 1)])
        });
        (runs, shortest.as_millis() as u64)
    }

    #[test]
    fn long_work_is_done_once() {
        assert_eq!(done(&[400, 1]), (1, 400));
    }

    #[test]
    fn short_work_is_repeated_and_the_first_run_excluded() {
        assert_eq!(done(&[1, 20]), (6, 20));
    }

    #[test]
    fn work_just_beyond_the_patience_is_repeated_twice() {
        assert_eq!(done(&[110, 120, 115]), (3, 115));
    }

    #[test]
    fn work_sees_one_thread() {
        assert_eq!(Stopwatch::new(0).timed(rayon::current_num_threads).0, 1);
    }
}
