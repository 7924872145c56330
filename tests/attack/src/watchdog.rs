//! A try in this process that never ends makes the process end, with its case.

use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Time limit of a try; tries through the program end long before.
const LONGEST: Duration = Duration::from_secs(600);

static CURRENT: Mutex<Option<(String, Instant)>> = Mutex::new(None);

/// A try that is watched for as long as this lives.
#[derive(Debug)]
pub struct AttemptWatchdog;

impl AttemptWatchdog {
    /// Watches a case; `replay` is the command that reproduces it.
    pub fn of(replay: String) -> Self {
        set(Some((replay, Instant::now())));
        AttemptWatchdog
    }
}

impl Drop for AttemptWatchdog {
    fn drop(&mut self) {
        set(None);
    }
}

fn set(current: Option<(String, Instant)>) {
    *CURRENT.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = current;
}

/// Starts the thread that watches the clock.
pub fn start() -> std::io::Result<()> {
    std::thread::Builder::new().spawn(|| {
        loop {
            std::thread::sleep(Duration::from_secs(1));
            let current = CURRENT.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
            if let Some((replay, since)) = current
                && since.elapsed() > LONGEST
            {
                eprintln!("FOUND: a try did not end in {LONGEST:?}: cargo xtask attack {replay}");
                std::process::exit(1);
            }
        }
    })?;
    Ok(())
}
