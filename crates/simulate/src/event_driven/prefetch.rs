//! Prefetching of cache lines.
//!
//! The calendar knows the next events in order, so their bodies can be loaded from memory while the
//! events before them are handled. Measured gain with spheres: at packing fraction 0.49 a hundred thousand
//! bodies run 1.4 times as fast and a million 1.8 times; at 0.1, where cells are used, a hundred thousand
//! run 1.15 times as fast.

/// Prefetches the cache line of an entry; does nothing if the index is out of range.
#[inline(always)]
pub fn prefetch<T>(array: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(entry) = array.get(index) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        #[allow(unsafe_code)]
        // SAFETY: a hint about the address of a live reference; it changes nothing.
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(entry).cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (array, index);
}

#[cfg(test)]
mod tests {
    use super::prefetch;

    #[test]
    fn any_index_may_be_asked_for_and_nothing_changes() {
        for length in 0..20 {
            let array: Vec<[u8; 3]> = (0..length).map(|number| [number; 3]).collect();
            let before = array.clone();
            for index in (0..30).chain([usize::MAX / 3, usize::MAX]) {
                prefetch(&array, index);
            }
            assert_eq!(array, before);
        }
        prefetch::<()>(&[(); 4], 3);
    }
}
