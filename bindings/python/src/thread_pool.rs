//! Work by all threads, or by the calling one, without the interpreter's lock.
//!
//! rayon's global pool is never used: in a child of `fork` its threads are gone, and work given to it would wait for
//! ever. The pool here belongs to a process. A child makes its own at its first work and forgets that of its parent
//! without dropping it. Work that is too little for threads runs on the calling thread, in a pool of that thread alone,
//! so that nothing it calls falls back to the global pool.
//!
//! A signal that raises an exception, as Ctrl-C does, is noticed while the calling thread waits: work that owns all it
//! needs ([`run_owned`]) is left to end in the background, work on arrays of the caller ([`run_cancellable`]) is asked to
//! end and waited for, so that no array is freed under it. What [`run`] does must be short.
//!
//! Locks of this crate are taken by threads that are attached to the interpreter, and released before they detach.
//! `fork` is called by an attached thread, so no child finds one locked by a thread that it does not have.

use crate::errors;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Time between two looks for signals while work is done.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(20);

/// Largest number of threads that can be asked for, as on the command line.
const MOST: usize = 4096;

/// Number of threads that was asked for; zero if none was.
static WANTED: AtomicUsize = AtomicUsize::new(0);

/// The pool of this process, or of the one it was forked from.
static POOL: Mutex<Option<ProcessPool>> = Mutex::new(None);

struct ProcessPool {
    process: u32,
    pool: Arc<ThreadPool>,
}

thread_local! {
    /// The pool of this thread alone; none if it belongs to another.
    ///
    /// rayon never frees the few kilobytes of such a pool, so there is one per thread and no more.
    static OWN_POOL: Option<ThreadPool> =
        ThreadPoolBuilder::new().num_threads(1).use_current_thread().build().ok();
}

/// Does work by all threads of the pool while other threads of Python run. A panic becomes an exception.
pub fn run<R: Send>(py: Python<'_>, work: impl FnOnce() -> R + Send) -> PyResult<R> {
    let pool = pool(py)?;
    let done = py.detach(|| catch_unwind(AssertUnwindSafe(|| pool.install(work))));
    done.map_err(|payload| errors::panic(py, &*payload))
}

/// Does work that owns all it needs by all threads of the pool. A panic becomes an exception.
///
/// Where a signal raises an exception, that is returned at once; the work ends in the background, and its result is
/// dropped.
pub fn run_owned<R: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> R + Send + 'static,
) -> PyResult<R> {
    let pool = pool(py)?;
    let (sender, mut receiver) = channel();
    pool.spawn(move || {
        // Nobody receives what a call that was interrupted has begun.
        sender.send(catch_unwind(AssertUnwindSafe(work))).ok();
    });
    loop {
        let received;
        (received, receiver) =
            py.detach(move || (receiver.recv_timeout(SIGNAL_INTERVAL), receiver));
        match received {
            Ok(done) => return done.map_err(|payload| errors::panic(py, &*payload)),
            Err(RecvTimeoutError::Disconnected) => unreachable!("work sends what it has done"),
            Err(RecvTimeoutError::Timeout) => py.check_signals().inspect_err(|_| leave(&pool))?,
        }
    }
}

/// Does work by all threads of the pool, which must end soon once its argument is set. A panic becomes an exception.
///
/// Where a signal raises an exception, the argument is set, and the exception is returned once the work has ended.
pub fn run_cancellable<R: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> R + Send,
) -> PyResult<R> {
    let pool = pool(py)?;
    let is_cancelled = &AtomicBool::new(false);
    let (done, raised) = py.detach(|| {
        let (sender, receiver) = channel();
        pool.in_place_scope(|scope| {
            scope.spawn(move |_| {
                sender.send(catch_unwind(AssertUnwindSafe(|| work(is_cancelled)))).ok();
            });
            let mut raised = None;
            loop {
                match receiver.recv_timeout(SIGNAL_INTERVAL) {
                    Ok(done) => return (done, raised),
                    Err(RecvTimeoutError::Disconnected) => {
                        unreachable!("work sends what it has done")
                    }
                    Err(RecvTimeoutError::Timeout) if raised.is_some() => {}
                    Err(RecvTimeoutError::Timeout) => {
                        raised = Python::attach(|py| py.check_signals()).err();
                        is_cancelled.store(raised.is_some(), Ordering::Relaxed);
                    }
                }
            }
        })
    });
    match raised {
        Some(exception) => Err(exception),
        None => done.map_err(|payload| errors::panic(py, &*payload)),
    }
}

/// Leaves a pool to work that nobody waits for: the next work gets another one. Its threads end with the work.
fn leave(pool: &Arc<ThreadPool>) {
    let mut held = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    if held.as_ref().is_some_and(|own| Arc::ptr_eq(&own.pool, pool)) {
        *held = None;
    }
}

/// Does work on this thread, which may give parts of it to the pool, if there is one, while other threads of Python run.
/// A panic becomes an exception.
///
/// For work that calls back: signals are handled, and functions expect to be called, on the thread of the caller.
pub fn run_beside<R: Send>(
    py: Python<'_>,
    has_pool: bool,
    work: impl FnOnce(Option<&ThreadPool>) -> R + Send,
) -> PyResult<R> {
    let pool = if has_pool { Some(pool(py)?) } else { None };
    let work = || {
        OWN_POOL.with(|own| match own {
            Some(own) => own.install(|| work(pool.as_deref())),
            None => work(pool.as_deref()),
        })
    };
    let done = py.detach(|| catch_unwind(AssertUnwindSafe(work)));
    done.map_err(|payload| errors::panic(py, &*payload))
}

/// Does little work on this thread, without the cost of waking others. A panic becomes an exception.
pub fn run_here<R: Send>(py: Python<'_>, work: impl FnOnce() -> R + Send) -> PyResult<R> {
    let done = catch_unwind(AssertUnwindSafe(|| {
        OWN_POOL.with(|pool| match pool {
            Some(pool) => pool.install(work),
            None => work(),
        })
    }));
    done.map_err(|payload| errors::panic(py, &*payload))
}

/// Returns the pool of this process, which is made if there is none.
fn pool(py: Python<'_>) -> PyResult<Arc<ThreadPool>> {
    let count = count();
    // Nothing of Python is called while the lock is held.
    let pool = own_pool(count);
    pool.map_err(|error| {
        errors::RUN.with(py, format!("{count} threads cannot be started: {error}"))
    })
}

fn own_pool(count: usize) -> Result<Arc<ThreadPool>, ThreadPoolBuildError> {
    let mut held = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if let Some(own) = held.as_ref().filter(|pool| pool.process == process) {
        return Ok(own.pool.clone());
    }
    let pool = Arc::new(build(count)?);
    // The threads of a parent's pool do not exist here, so nothing of it may be waited for or freed.
    std::mem::forget(held.replace(ProcessPool { process, pool: pool.clone() }));
    Ok(pool)
}

fn build(count: usize) -> Result<ThreadPool, ThreadPoolBuildError> {
    ThreadPoolBuilder::new()
        .num_threads(count)
        .thread_name(|thread| format!("carom-{thread}"))
        .build()
}

/// The number of threads that work is given to.
fn count() -> usize {
    let variable = std::env::var("RAYON_NUM_THREADS").ok();
    let set = variable.and_then(|value| value.parse().ok()).filter(|&count| count > 0);
    let processors = || thread::available_parallelism().map_or(1, usize::from);
    match WANTED.load(Ordering::Relaxed) {
        0 => set.unwrap_or_else(processors).min(MOST),
        wanted => wanted,
    }
}

/// Set the number of threads that carom works with; None is all processors.
///
/// Results never depend on it. Calls that are running keep their threads.
///
/// Examples
/// --------
/// >>> import carom
/// >>> carom.set_threads(2)
/// >>> carom.threads()
/// 2
/// >>> carom.set_threads(None)
#[pyfunction]
#[pyo3(signature = (count))]
pub fn set_threads(py: Python<'_>, count: Option<isize>) -> PyResult<()> {
    let wanted = match count {
        None => 0,
        Some(count) => usize::try_from(count)
            .ok()
            .filter(|count| (1..=MOST).contains(count))
            .ok_or_else(|| {
                let sentence =
                    format!("count is {count}; it must be between 1 and {MOST}, or None");
                errors::INPUT.with(py, sentence)
            })?,
    };
    WANTED.store(wanted, Ordering::Relaxed);
    let mut held = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    if held.as_ref().is_some_and(|pool| pool.process == std::process::id()) {
        // Its threads end when the last call that uses them is done.
        *held = None;
    }
    Ok(())
}

/// Number of threads that carom works with.
///
/// All processors, or what the environment variable RAYON_NUM_THREADS says, unless `set_threads` was called.
///
/// Examples
/// --------
/// >>> import carom
/// >>> carom.threads() >= 1
/// True
#[pyfunction]
pub fn threads() -> usize {
    count()
}

/// Panics within the pool, so that tests see what becomes of it.
#[pyfunction]
#[pyo3(name = "_panic")]
pub fn panic_on_purpose(py: Python<'_>, message: String, everywhere: bool) -> PyResult<()> {
    let work = move || panic!("{message}");
    if everywhere { run(py, work) } else { run_here(py, work) }
}
