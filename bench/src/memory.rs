//! Memory that a search or a run allocates beyond what was allocated before.
//!
//! The allocator counts and hands everything on to that of the system, also growing in place and
//! fresh zeroed pages: a counter that copies or clears by itself would make exactly those slower who
//! allocate each time, the peers.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

#[global_allocator]
static ALLOCATOR: CountingAllocator =
    CountingAllocator { live: AtomicUsize::new(0), peak: AtomicUsize::new(0) };

struct CountingAllocator {
    live: AtomicUsize,
    peak: AtomicUsize,
}

impl CountingAllocator {
    fn add(&self, bytes: usize) {
        let before = self.live.fetch_add(bytes, Relaxed);
        self.peak.fetch_max(before + bytes, Relaxed);
    }

    fn remove(&self, bytes: usize) {
        self.live.fetch_sub(bytes, Relaxed);
    }
}

// SAFETY: every call is handed on unchanged to the allocator of the system, whose answers are
// returned unchanged; counting does not touch the memory.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.add(layout.size());
        // SAFETY: the caller keeps to the rules of this very function.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        self.add(layout.size());
        // SAFETY: the caller keeps to the rules of this very function.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if size >= layout.size() {
            self.add(size - layout.size());
        } else {
            self.remove(layout.size() - size);
        }
        // SAFETY: the caller keeps to the rules of this very function.
        unsafe { System.realloc(memory, layout, size) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        self.remove(layout.size());
        // SAFETY: the caller keeps to the rules of this very function.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// The memory in use when the mark was set.
#[derive(Clone, Copy, Debug)]
pub struct MemoryMark {
    live: usize,
}

impl MemoryMark {
    /// Remembers the memory in use and forgets earlier peaks.
    pub fn set() -> Self {
        let live = ALLOCATOR.live.load(Relaxed);
        ALLOCATOR.peak.store(live, Relaxed);
        MemoryMark { live }
    }

    /// The most bytes in use at once since the mark was set, beyond those in use then.
    pub fn peak(self) -> usize {
        ALLOCATOR.peak.load(Relaxed).saturating_sub(self.live)
    }

    /// Bytes allocated since the mark was set.
    pub fn taken(self) -> Memory {
        Memory::default().after(self)
    }

    /// The bytes in use now, less those in use when the mark was set.
    fn change(self) -> isize {
        ALLOCATOR.live.load(Relaxed) as isize - self.live as isize
    }
}

/// Bytes of a structure or a run by the allocator's count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// Held now.
    pub held: usize,
    /// The most at once.
    pub peak: usize,
}

impl Memory {
    /// After what has happened to it alone since the mark was set.
    pub fn after(self, mark: MemoryMark) -> Memory {
        Memory {
            held: self.held.saturating_add_signed(mark.change()),
            peak: self.peak.max(self.held + mark.peak()),
        }
    }
}

/// Tests share one allocator: those that set marks do so one after the other.
#[cfg(test)]
pub fn alone() -> std::sync::MutexGuard<'static, ()> {
    static ALONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    ALONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peak_outlives_the_memory_that_made_it() {
        let _alone = alone();
        let mark = MemoryMark::set();
        drop(std::hint::black_box(vec![0u8; 10_000_000]));
        assert!(mark.peak() >= 10_000_000);
    }

    #[test]
    fn memory_given_back_is_a_negative_change() {
        let _alone = alone();
        let memory = std::hint::black_box(vec![0u8; 200_000_000]);
        let mark = MemoryMark::set();
        drop(memory);
        // Other tests allocate meanwhile, but far less.
        assert!(mark.change() < -100_000_000);
    }
}
