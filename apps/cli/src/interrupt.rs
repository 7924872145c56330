//! What Ctrl-C and a request to terminate do.

use carom::scene::files;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// Exit code of a program stopped by a signal.
const STOPPED: i32 = 3;

/// From now on SIGINT and SIGTERM remove half-written files before the program ends.
pub fn clean_up_at_signals() {
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
    std::thread::spawn(move || {
        if signals.forever().next().is_some() {
            files::remove_partial_files();
            eprintln!("error: stopped by a signal; nothing was written");
            std::process::exit(STOPPED);
        }
    });
}
