//! Whether standard output was closed when the program was started, as by `>&-`.
//!
//! Rust's runtime puts `/dev/null` in the place of a closed standard stream before `main`, so that results would be
//! lost in silence. What the shell has done is to be seen only earlier than that, by an initializer of the program file.

#![allow(unsafe_code)]

use std::sync::atomic::{AtomicBool, Ordering};

static CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether nobody can ever read what is written to standard output.
pub fn standard_output_was_closed() -> bool {
    CLOSED.load(Ordering::Relaxed)
}

/// Called by the loader before `main`, with one thread alive and no part of Rust's runtime at work.
#[cfg(target_os = "linux")]
extern "C" fn detect_closed_stdout() {
    // SAFETY: fcntl with F_GETFD takes no pointer and changes nothing; for a closed descriptor it fails.
    let closed = unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) } == -1;
    CLOSED.store(closed, Ordering::Relaxed);
}

// SAFETY: entries of this section are pointers to functions of C's calling convention, which the loader calls once;
// `detect_closed_stdout` takes nothing from the arguments that glibc hands over, does not unwind, and uses no runtime.
#[cfg(target_os = "linux")]
#[used]
#[unsafe(link_section = ".init_array")]
static DETECT_CLOSED_STDOUT: extern "C" fn() = detect_closed_stdout;
