//! Timing: processor time on one thread, wall-clock time on several.

use crate::error::Error;
use carom_papers::clock::Clock;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::time::{Duration, Instant};

/// A pool of threads and the clock that goes with it.
pub struct TimedPool {
    pool: ThreadPool,
    is_by_wall: bool,
    /// Ending of the names of contenders that run on it.
    suffix: String,
}

impl TimedPool {
    /// One thread, by the time of the processor.
    pub fn processor() -> Result<Self, Error> {
        TimedPool::new(1, false, String::new())
    }

    /// Threads by the wall clock, named if there are several.
    pub fn wall(threads: usize) -> Result<Self, Error> {
        let suffix = if threads == 1 { String::new() } else { format!(" {threads} threads") };
        TimedPool::new(threads, true, suffix)
    }

    /// Two pools to be compared, of one thread and of two, by the wall clock.
    pub fn one_and_two() -> Result<[Self; 2], Error> {
        Ok([TimedPool::new(1, true, " 1 thread".into())?, TimedPool::wall(2)?])
    }

    fn new(threads: usize, is_by_wall: bool, suffix: String) -> Result<Self, Error> {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
        Ok(TimedPool { pool, is_by_wall, suffix })
    }

    /// Names a contender that runs on it.
    pub fn name(&self, method: &str) -> String {
        format!("{method}{}", self.suffix)
    }

    /// Does something on the pool.
    pub fn install<T: Send>(&self, act: impl FnOnce() -> T + Send) -> T {
        self.pool.install(act)
    }

    /// Does something on the pool and returns how long it took.
    pub fn timed<T: Send>(&self, act: impl FnOnce() -> T + Send) -> (T, Duration) {
        self.pool.install(|| {
            let (clock, wall) = (Clock::start(), Instant::now());
            let result = act();
            (result, if self.is_by_wall { wall.elapsed() } else { clock.elapsed() })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_named_only_where_they_are_compared() {
        assert_eq!(TimedPool::processor().unwrap().name("carom"), "carom");
        let names = TimedPool::one_and_two().unwrap().map(|pool| pool.name("carom"));
        assert_eq!(names, ["carom 1 thread", "carom 2 threads"]);
    }

    #[test]
    fn by_the_wall_clock_sleep_counts() {
        let sleep = || std::thread::sleep(Duration::from_millis(50));
        assert!(TimedPool::wall(1).unwrap().timed(sleep).1 >= Duration::from_millis(50));
    }
}
