//! Enforces `--max-walltime` while a run is being prepared, where nothing else checks the clock.

use crate::failure::print_stderr;
use crate::interrupt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Extra time in which a run may take its first step; from then on it checks the clock itself.
const GRACE: Duration = Duration::from_secs(3);

/// Whether a run has begun, shared with the thread that waits for the deadline.
#[derive(Default)]
pub struct StartDeadline(Arc<AtomicBool>);

impl StartDeadline {
    /// Ends the program when the time is over and the run has not begun.
    pub fn within(limit: Option<Duration>) -> Self {
        let beginning = StartDeadline::default();
        let (Some(limit), begun) = (limit, beginning.0.clone()) else { return beginning };
        let wait = move || {
            thread::sleep(limit.saturating_add(GRACE));
            if !begun.load(Ordering::Relaxed) {
                carom::io::remove_partial_files();
                let rule = "allow more time, or prepare fewer bodies";
                print_stderr(format!(
                    "error: stopped by --max-walltime before the first step was done; {rule}"
                ));
                std::process::exit(i32::from(interrupt::EXIT_STOPPED));
            }
        };
        // If no thread can be started, the run checks the clock after its first step.
        let _ = thread::Builder::new().spawn(wait);
        beginning
    }

    /// Leaves the clock to the run from now on.
    pub fn mark_started(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
