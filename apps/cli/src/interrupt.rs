//! What Ctrl-C and a request to terminate do.

use crate::failure::say;
use carom::scene::files;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit code of a program stopped by a signal.
pub const STOPPED: u8 = 3;

/// Whether the first signal is left to the command.
static GENTLE: AtomicBool = AtomicBool::new(false);
/// Whether there was a signal.
static ASKED: AtomicBool = AtomicBool::new(false);

/// From now on SIGINT and SIGTERM remove half-written files before the program ends.
pub fn clean_up_at_signals() {
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
    std::thread::spawn(move || {
        for _ in signals.forever() {
            let gentle = GENTLE.load(Ordering::Relaxed);
            if gentle && !ASKED.swap(true, Ordering::Relaxed) {
                continue;
            }
            files::remove_partial_files();
            let signal = if gentle { "a second signal" } else { "a signal" };
            say(format!("error: stopped by {signal}; no file was left half written"));
            std::process::exit(i32::from(STOPPED));
        }
    });
}

/// From now on the command itself looks for the first signal by [`asked_to_stop`]; the second ends
/// the program.
pub fn stop_gently() {
    GENTLE.store(true, Ordering::Relaxed);
}

/// Whether there was a signal since [`stop_gently`].
pub fn asked_to_stop() -> bool {
    ASKED.load(Ordering::Relaxed)
}
