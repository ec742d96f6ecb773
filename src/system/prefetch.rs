//! Memory prefetching.

/// Prefetches the cache line of an item. This is only a hint: it is ignored where unsupported, and
/// the index may be out of bounds.
#[inline(always)]
#[allow(unsafe_code)] // an instruction that takes an address
pub fn prefetch<T>(items: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch never faults, whatever the address, and only affects the cache.
        // Guarded by the test `any_index_can_be_prefetched`.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(items.as_ptr().wrapping_add(index).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (items, index);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_index_can_be_prefetched() {
        for items in [&[][..], &[1], &[1; 1000]] {
            for index in [0, 1, 999, 1 << 40, usize::MAX] {
                prefetch(items, index);
            }
        }
    }
}
