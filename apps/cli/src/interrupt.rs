//! What Ctrl-C and a request to terminate do.

use crate::failure::say;
use carom::scene::files;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;
use signal_hook::iterator::Signals;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, LazyLock};
use std::thread;

/// Exit code of a program stopped by a signal.
pub const STOPPED: u8 = 3;

/// From now on a file that may grow no further is an error of its writer; unheard, the signal would end the program
/// with half a file left.
pub fn tell_files_too_large() {
    let _ = flag::register(SIGXFSZ, Arc::default());
}

/// Whether the first signal is left to the command.
static GENTLE: AtomicBool = AtomicBool::new(false);
/// The opposite, in the form that handlers of signals take.
static HARSH: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| Arc::new(AtomicBool::new(true)));
/// Whether there was a signal.
static ASKED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// From now on SIGINT, SIGTERM and the end of the terminal remove half-written files before the program ends.
pub fn clean_up_at_signals() {
    let mut signals = vec![SIGINT, SIGTERM];
    if hears_hang_up() {
        signals.push(SIGHUP);
    }
    // Handlers come after the thread: without it nobody would listen to what they take.
    let (sender, receiver) = channel::<Signals>();
    let listen = move || {
        for mut signals in receiver {
            signals.forever().for_each(|_| heed());
        }
    };
    match thread::Builder::new().spawn(listen) {
        Ok(_) => {
            let _ = Signals::new(signals).map(|signals| sender.send(signals));
        }
        Err(_) => signals.into_iter().for_each(heed_without_thread),
    }
}

fn heed() {
    let gentle = GENTLE.load(Ordering::Relaxed);
    if gentle && !ASKED.swap(true, Ordering::Relaxed) {
        return;
    }
    files::remove_partial_files();
    let signal = if gentle { "a second signal" } else { "a signal" };
    say(format!("error: stopped by {signal}; no file was left half written"));
    std::process::exit(i32::from(STOPPED));
}

/// Where no thread can be had: commands that look for signals hear the first, the second ends the program, and so does
/// the first for all other commands. Half-written files stay then: a handler of signals must not remove any.
fn heed_without_thread(signal: i32) {
    let _ = flag::register_conditional_shutdown(signal, i32::from(STOPPED), ASKED.clone());
    let _ = flag::register_conditional_default(signal, HARSH.clone());
    let _ = flag::register(signal, ASKED.clone());
}

/// From now on the command itself looks for the first signal by [`asked_to_stop`]; the second ends
/// the program.
pub fn stop_gently() {
    GENTLE.store(true, Ordering::Relaxed);
    HARSH.store(false, Ordering::Relaxed);
}

/// Whether there was a signal since [`stop_gently`].
pub fn asked_to_stop() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// Whether the end of the terminal would end the program: under nohup it does not, and must not.
fn hears_hang_up() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask >> (SIGHUP - 1) & 1 == 0)
}
