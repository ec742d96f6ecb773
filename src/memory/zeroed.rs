//! Large zeroed memory: where tables, the rows of their builder and the sets of visited states are allocated.
//!
//! It begins at a cache line, and on Linux the kernel is asked for huge pages: a table of 178 MB is
//! read at random, and with pages of 4 KB nearly every read misses the translation cache too
//! (measured on the search: 1.17×; on dependent reads 1.5–1.9×). The request may be refused; nothing
//! else depends on it. The zeroes come from the allocator, which gets them from the kernel for
//! nothing, and no page is written before somebody needs it.

use std::ops::{Deref, DerefMut};

use bytemuck::Zeroable;

/// A slice of zeroes that begins at a cache line.
pub(crate) struct Zeroed<T> {
    items: Vec<T>,
    start: usize,
    len: usize,
}

const LINE_BYTES: usize = 64;

impl<T: Zeroable> Zeroed<T> {
    pub(crate) fn new(len: usize) -> Zeroed<T> {
        let items = bytemuck::zeroed_vec::<T>(len + LINE_BYTES / size_of::<T>());
        ask_for_huge_pages(&items);
        // The vector never grows, so it stays where it is.
        let start = items.as_ptr().align_offset(LINE_BYTES).min(items.len() - len);
        Zeroed { items, start, len }
    }
}

impl<T> Deref for Zeroed<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.items[self.start..self.start + self.len]
    }
}

impl<T> DerefMut for Zeroed<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items[self.start..self.start + self.len]
    }
}

#[cfg(target_os = "linux")]
#[allow(unsafe_code)] // a call to the C library, which has no safe face in the standard library
fn ask_for_huge_pages<T>(items: &[T]) {
    use std::ffi::{c_int, c_void};
    unsafe extern "C" {
        fn madvise(start: *mut c_void, bytes: usize, advice: c_int) -> c_int;
    }
    const MADV_HUGEPAGE: c_int = 14;
    const HUGE_BYTES: usize = 2 << 20;

    let (start, bytes) = (items.as_ptr(), size_of_val(items));
    let skip = start.align_offset(HUGE_BYTES).saturating_mul(size_of::<T>());
    if skip.saturating_add(HUGE_BYTES) > bytes {
        return;
    }
    let whole = (bytes - skip) / HUGE_BYTES * HUGE_BYTES;
    // SAFETY: the range lies within the slice and begins at a page; the advice changes by what
    // pages the memory is held, not what is in it. Guarded by the test
    // `large_memory_is_zero_aligned_and_can_be_written`. A refusal changes nothing, so the answer is not looked at.
    unsafe {
        madvise(start.cast_mut().cast::<u8>().add(skip).cast(), whole, MADV_HUGEPAGE);
    }
}

#[cfg(not(target_os = "linux"))]
fn ask_for_huge_pages<T>(_: &[T]) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_memory_is_zero_aligned_and_can_be_written() {
        for len in [0, 1, 7, 1000, (2 << 20) / 8, (11 << 20) / 8 + 3] {
            let mut memory = Zeroed::<u64>::new(len);
            assert_eq!((memory.len(), memory.as_ptr().align_offset(LINE_BYTES)), (len, 0));
            assert!(memory.iter().all(|&word| word == 0));
            for (i, word) in memory.iter_mut().enumerate() {
                *word = i as u64;
            }
            assert!(memory.iter().enumerate().all(|(i, &word)| word == i as u64));
        }
    }
}
