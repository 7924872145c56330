//! Detects whether standard output was closed when the program was started, as by `>&-`.
//!
//! Rust's runtime replaces a closed standard stream by `/dev/null` before `main`, so that results would be lost
//! silently. The original state can be seen only earlier, by an initializer of the executable.

#![allow(unsafe_code)]

use std::sync::atomic::{AtomicBool, Ordering};

static CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether standard output was closed at the start.
pub fn standard_output_was_closed() -> bool {
    CLOSED.load(Ordering::Relaxed)
}

/// Called by the loader before `main`, with a single thread and before Rust's runtime starts.
#[cfg(target_os = "linux")]
extern "C" fn detect_closed_stdout() {
    // SAFETY: fcntl with F_GETFD takes no pointer and changes nothing; for a closed descriptor it fails.
    let closed = unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) } == -1;
    CLOSED.store(closed, Ordering::Relaxed);
}

// SAFETY: entries of this section are pointers to functions of C's calling convention, which the loader calls once;
// `detect_closed_stdout` ignores the arguments that glibc passes, does not unwind, and uses no runtime.
#[cfg(target_os = "linux")]
#[used]
#[unsafe(link_section = ".init_array")]
static DETECT_CLOSED_STDOUT: extern "C" fn() = detect_closed_stdout;
