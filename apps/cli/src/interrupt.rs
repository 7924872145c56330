//! Handles SIGINT (Ctrl-C), SIGTERM and SIGHUP.

use crate::failure::print_stderr;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;
use signal_hook::iterator::Signals;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, LazyLock};
use std::thread;

/// Exit code of a program stopped by a signal.
pub const EXIT_STOPPED: u8 = 3;

/// Makes exceeding the file size limit a write error; by default the signal would end the program with a partial file
/// left.
pub fn ignore_file_size_signal() {
    let _ = flag::register(SIGXFSZ, Arc::default());
}

/// Whether the first signal is left to the command.
static FIRST_SIGNAL_DEFERRED: AtomicBool = AtomicBool::new(false);
/// The opposite, in the form that signal handlers take.
static FIRST_SIGNAL_FATAL: LazyLock<Arc<AtomicBool>> =
    LazyLock::new(|| Arc::new(AtomicBool::new(true)));
/// Whether there was a signal.
static STOP_REQUESTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Makes SIGINT, SIGTERM and a closed terminal remove partial files before the program ends.
pub fn clean_up_at_signals() {
    let mut signals = vec![SIGINT, SIGTERM];
    if handles_hangup() {
        signals.push(SIGHUP);
    }
    // Handlers are registered after the thread is started: without it nobody would receive their signals.
    let (sender, receiver) = channel::<Signals>();
    let listen = move || {
        for mut signals in receiver {
            signals.forever().for_each(|_| handle_signal());
        }
    };
    match thread::Builder::new().spawn(listen) {
        Ok(_) => {
            let _ = Signals::new(signals).map(|signals| sender.send(signals));
        }
        Err(_) => signals.into_iter().for_each(register_flag_handlers),
    }
}

fn handle_signal() {
    let gentle = FIRST_SIGNAL_DEFERRED.load(Ordering::Relaxed);
    if gentle && !STOP_REQUESTED.swap(true, Ordering::Relaxed) {
        return;
    }
    carom::io::remove_partial_files();
    let signal = if gentle { "a second signal" } else { "a signal" };
    print_stderr(format!("error: stopped by {signal}; no file was left half written"));
    std::process::exit(i32::from(EXIT_STOPPED));
}

/// Fallback if no thread can be started: commands that check for signals see the first, the second ends the program,
/// and so does the first for all other commands. Partial files stay then: a signal handler must not remove any.
fn register_flag_handlers(signal: i32) {
    let _ = flag::register_conditional_shutdown(
        signal,
        i32::from(EXIT_STOPPED),
        STOP_REQUESTED.clone(),
    );
    let _ = flag::register_conditional_default(signal, FIRST_SIGNAL_FATAL.clone());
    let _ = flag::register(signal, STOP_REQUESTED.clone());
}

/// Leaves the first signal to the command, which checks [`stop_requested`]; the second ends the program.
pub fn defer_first_signal() {
    FIRST_SIGNAL_DEFERRED.store(true, Ordering::Relaxed);
    FIRST_SIGNAL_FATAL.store(false, Ordering::Relaxed);
}

/// Whether there was a signal since [`defer_first_signal`].
pub fn stop_requested() -> bool {
    STOP_REQUESTED.load(Ordering::Relaxed)
}

/// Whether a closed terminal should end the program: under nohup it should not.
fn handles_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask >> (SIGHUP - 1) & 1 == 0)
}
