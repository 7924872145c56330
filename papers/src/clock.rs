//! Time that the processor spent on this thread, so that other programs count as little as possible.

use std::time::Duration;

/// A clock that was started.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    start: Duration,
}

impl Clock {
    /// Starts.
    pub fn start() -> Self {
        Clock { start: now() }
    }

    /// Time of the processor since the start.
    pub fn elapsed(self) -> Duration {
        now().saturating_sub(self.start)
    }
}

#[cfg(unix)]
fn now() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Wall clock, where the system does not report that of the processor.
#[cfg(not(unix))]
fn now() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    BEGIN.get_or_init(Instant::now).elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn sleep_does_not_count_and_work_does() {
        let (clock, wall) = (Clock::start(), std::time::Instant::now());
        std::thread::sleep(Duration::from_millis(200));
        assert!(clock.elapsed() < wall.elapsed() / 2);
        // Some systems count in ticks, so work continues until one has passed.
        let clock = Clock::start();
        let mut sum = 0u64;
        while clock.elapsed().is_zero() {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(!clock.elapsed().is_zero());
    }
}
