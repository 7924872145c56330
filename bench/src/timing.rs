//! What a time is taken of: the processor on one thread, or the clock on the wall on several.

use carom_papers::clock::Clock;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::time::{Duration, Instant};

use crate::error::Error;

/// A pool of threads and the clock that goes with it.
pub struct TimedPool {
    pool: ThreadPool,
    /// Nothing for the time of the processor, or the threads of a comparison by the wall clock.
    wall_threads: Option<usize>,
}

impl TimedPool {
    /// One thread, by the time of the processor.
    pub fn processor() -> Result<Self, Error> {
        let pool = ThreadPoolBuilder::new().num_threads(1).build()?;
        Ok(TimedPool { pool, wall_threads: None })
    }

    /// Two pools, of one thread and of two, by the wall clock.
    pub fn wall() -> Result<[Self; 2], Error> {
        let pool = |threads| -> Result<Self, Error> {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
            Ok(TimedPool { pool, wall_threads: Some(threads) })
        };
        Ok([pool(1)?, pool(2)?])
    }

    /// Names a contender that runs on it.
    pub fn name(&self, method: &str) -> String {
        match self.wall_threads {
            None => method.into(),
            Some(1) => format!("{method} 1 thread"),
            Some(threads) => format!("{method} {threads} threads"),
        }
    }

    /// Does something on the pool.
    pub fn install<T: Send>(&self, act: impl FnOnce() -> T + Send) -> T {
        self.pool.install(act)
    }

    /// Does something on the pool and tells how long it took.
    pub fn timed<T: Send>(&self, act: impl FnOnce() -> T + Send) -> (T, Duration) {
        self.pool.install(|| {
            let (clock, wall) = (Clock::start(), Instant::now());
            let result = act();
            let elapsed = match self.wall_threads {
                None => clock.elapsed(),
                Some(_) => wall.elapsed(),
            };
            (result, elapsed)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_named_only_where_they_are_compared() {
        assert_eq!(TimedPool::processor().unwrap().name("carom"), "carom");
        let names = TimedPool::wall().unwrap().map(|pool| pool.name("carom"));
        assert_eq!(names, ["carom 1 thread", "carom 2 threads"]);
    }

    #[test]
    fn by_the_wall_clock_sleep_counts() {
        let sleep = || std::thread::sleep(Duration::from_millis(50));
        let [one, _] = TimedPool::wall().unwrap();
        assert!(one.timed(sleep).1 >= Duration::from_millis(50));
    }
}
