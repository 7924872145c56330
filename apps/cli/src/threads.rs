//! Starts the worker threads, or as many as the system allows.
//!
//! rayon panics where a thread cannot be started, and after a failed attempt its global pool can never be built. So the
//! threads are started here, one by one, before the pool exists; it is built for those that could be started, and on
//! the current thread if there are none.

use crate::arguments::CommonArguments;
use crate::failure::CommandFailure;
use crate::out_of_memory;
use rayon::{ThreadBuilder, ThreadPoolBuildError, ThreadPoolBuilder};
use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

/// Largest number of threads that can be asked for.
const MOST: usize = 4096;

/// Starts as many threads as were asked for, or as are available, with a warning if some are missing.
pub fn start(common: &CommonArguments) -> Result<(), CommandFailure> {
    if let Some(threads) = common.threads.filter(|threads| !(1..=MOST).contains(threads)) {
        return Err(CommandFailure::input(format!(
            "--threads is {threads}; it must be between 1 and {MOST}"
        )));
    }
    let wanted = common.threads.unwrap_or_else(default_count);
    let (waiting, refusal) = start_waiting_threads(wanted, start_thread);
    if let Some(error) = refusal {
        common.report(shortage_warning(wanted, waiting.len(), &error));
    }
    build_pool(waiting).map_err(|error| {
        CommandFailure::Running(format!("{wanted} threads cannot share the work: {error}"))
    })
}

/// The number of threads that rayon would take.
fn default_count() -> usize {
    let variable = std::env::var("RAYON_NUM_THREADS").ok();
    let set = variable.and_then(|value| value.parse().ok()).filter(|&count| count > 0);
    let processors = || thread::available_parallelism().map_or(1, usize::from);
    set.unwrap_or_else(processors).min(MOST)
}

/// Receives the work of a pool thread.
type WorkerAssignment = Receiver<ThreadBuilder>;

/// Bytes that must be free for a thread to be started: its stack, and enough for the work besides.
///
/// The C library aborts the program where it finds no memory for what it keeps of a thread.
const MEMORY_FOR_THREAD: usize = 8 << 20;

fn start_thread(work: WorkerAssignment) -> io::Result<()> {
    if !out_of_memory::is_available(MEMORY_FOR_THREAD) {
        return Err(io::ErrorKind::OutOfMemory.into());
    }
    let live = move || {
        if let Ok(thread) = work.recv() {
            thread.run();
        }
    };
    thread::Builder::new().spawn(live).map(|_| ())
}

/// Starts up to `wanted` threads that wait for their work; with the error that ended this, if there was one.
fn start_waiting_threads(
    wanted: usize,
    start: impl Fn(WorkerAssignment) -> io::Result<()>,
) -> (Vec<Sender<ThreadBuilder>>, Option<io::Error>) {
    let mut waiting = Vec::new();
    for _ in 0..wanted {
        let (sender, receiver) = channel();
        match start(receiver) {
            Ok(()) => waiting.push(sender),
            Err(error) => return (waiting, Some(error)),
        }
    }
    (waiting, None)
}

fn build_pool(mut waiting: Vec<Sender<ThreadBuilder>>) -> Result<(), ThreadPoolBuildError> {
    if waiting.is_empty() {
        return ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global();
    }
    let pool = ThreadPoolBuilder::new().num_threads(waiting.len());
    let hand_over = |thread: ThreadBuilder| {
        let handed = waiting.pop().and_then(|sender| sender.send(thread).ok());
        handed.ok_or_else(|| io::Error::other("a thread is missing"))
    };
    pool.spawn_handler(hand_over).build_global()
}

/// The warning if threads are missing.
fn shortage_warning(wanted: usize, started: usize, error: &io::Error) -> String {
    let threads =
        |count| if count == 1 { "1 thread".to_owned() } else { format!("{count} threads") };
    let wanted = threads(wanted);
    match started {
        0 => format!("warning: {wanted} cannot be started ({error}); the work is done by one"),
        _ => format!("warning: only {started} of {wanted} can be started ({error})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn threads_that_cannot_be_started_are_done_without() {
        let left = Cell::new(3);
        let start = |work| {
            if left.get() == 0 {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            left.set(left.get() - 1);
            start_thread(work)
        };
        let (waiting, refusal) = start_waiting_threads(8, start);
        assert_eq!(waiting.len(), 3);
        let line = shortage_warning(8, waiting.len(), &refusal.unwrap());
        assert!(line.starts_with("warning: only 3 of 8 threads can be started ("), "{line}");
    }

    #[test]
    fn all_threads_that_can_be_had_are_taken() {
        let (waiting, refusal) = start_waiting_threads(5, start_thread);
        assert!(waiting.len() == 5 && refusal.is_none());
    }
}
