//! Handles allocation failures: a sentence and exit code 1, with no partial file left.
//!
//! Rust's default is to abort, and its hook for allocation errors is not stable. So the global allocator is that of the
//! system with a check after each call. It must be set by the crate that is linked in the end, and does nothing of its
//! own before the program starts: a Python interpreter that only imports carom is not ended.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// The system's allocator, which ends the program when an allocation fails.
pub struct ExitingAllocator;

/// Whether the process is the program's own.
static ENDS_PROGRAM: AtomicBool = AtomicBool::new(false);

/// Lets failed allocations end the process from now on.
pub fn exit_on_failed_allocations() {
    ENDS_PROGRAM.store(true, Ordering::Relaxed);
}

// SAFETY: every call is passed on to the system's allocator with its arguments, and its result returned; where that is
// null it is returned too, or the program ends and nothing returns.
unsafe impl GlobalAlloc for ExitingAllocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the rules of this very function.
        checked_allocation(unsafe { System.alloc(layout) }, layout.size())
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        checked_allocation(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    #[inline]
    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        checked_allocation(unsafe { System.realloc(place, layout, size) }, size)
    }

    #[inline]
    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(place, layout) }
    }
}

#[inline]
fn checked_allocation(place: *mut u8, size: usize) -> *mut u8 {
    if place.is_null() && ENDS_PROGRAM.load(Ordering::Relaxed) {
        exit_out_of_memory(size);
    }
    place
}

/// Bytes that must be free at the start, before threads are started and files are read.
///
/// Where less is left, small allocations of the C library itself may fail, and it aborts the program then.
const FREE_AT_START: usize = 8 << 20;

/// Ends the program at once where hardly any memory is free.
pub fn exit_without_memory_to_start() {
    if !is_available(FREE_AT_START) {
        exit_out_of_memory(FREE_AT_START);
    }
}

/// Whether this many bytes can be allocated now.
pub fn is_available(size: usize) -> bool {
    let Ok(layout) = Layout::array::<u8>(size.max(1)) else { return false };
    // SAFETY: the layout is not of length zero, and what was allocated is freed with the same layout.
    unsafe {
        // The compiler may leave out an allocation that is only freed again, and take it for possible.
        let place = std::hint::black_box(System.alloc(layout));
        if !place.is_null() {
            System.dealloc(place, layout);
        }
        !place.is_null()
    }
}

/// Lets this thread alone end the program and say why; every other thread that comes here waits for that end.
///
/// A thread of the pool may find no memory for its stack while the main thread reports that memory is short.
pub fn claim_exit() {
    static ENDING_THREAD: AtomicUsize = AtomicUsize::new(0);
    // SAFETY: the call takes nothing and cannot fail.
    let this_thread = unsafe { libc::pthread_self() } as usize;
    let claim =
        ENDING_THREAD.compare_exchange(0, this_thread, Ordering::Relaxed, Ordering::Relaxed);
    if claim.is_err_and(|ending_thread| ending_thread != this_thread) {
        loop {
            std::thread::sleep(Duration::from_secs(1));
        }
    }
}

/// Ends the program from any thread, without allocating.
#[cold]
fn exit_out_of_memory(size: usize) -> ! {
    claim_exit();
    carom::io::remove_partial_files();
    let mut sentence = [0; 160];
    let mut rest = &mut sentence[..];
    let _ = writeln!(
        rest,
        "error: out of memory: {size} more bytes are not available; take less at once, or a machine or limit with more"
    );
    let left = rest.len();
    let length = sentence.len() - left;
    // SAFETY: the pointer and the length are those of a live array; _exit takes any number and does not return. Neither
    // allocates, which the handlers of an ordinary exit may.
    unsafe {
        libc::write(libc::STDERR_FILENO, sentence.as_ptr().cast(), length);
        libc::_exit(1)
    }
}

/// Makes a thread for whose signal stack there is no memory end the program in the same way.
///
/// Rust's runtime panics there, before the thread does anything, and aborts.
pub fn exit_on_missing_signal_stack() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let message = panic.payload_as_str().unwrap_or_default();
        if message.contains("alternative stack") {
            exit_out_of_memory(0);
        }
        usual(panic);
    }));
}
