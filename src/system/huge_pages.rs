//! Large zeroed memory for tables, for the rows from which pattern databases are built, and for
//! the sets of visited states.
//!
//! The memory begins at a cache line, or for large blocks at a huge page. On Linux, huge pages are
//! requested from the kernel for large blocks: a pattern database of 178 MB (8 tiles on 4×4) is
//! read at random, and with pages of 4 KB nearly every read also misses the TLB. The first access
//! to a huge page costs a fraction of what the first accesses to 512 small pages cost. (Figures:
//! `benches/constants.csv`.) If the request is refused, only speed is affected. The allocator gets
//! zeroed pages from the kernel, so no page is written before its first use.

use std::fmt;
use std::ops::{Deref, DerefMut};

use bytemuck::Zeroable;

/// A slice that begins at a cache line and is initially zero.
pub struct Zeroed<T> {
    items: Vec<T>,
    start: usize,
    len: usize,
}

const LINE_BYTES: usize = 64;
const HUGE_BYTES: usize = 2 << 20;

impl<T: Zeroable> Zeroed<T> {
    /// Creates a slice of `len` zeroes.
    pub fn new(len: usize) -> Zeroed<T> {
        let bytes = len * size_of::<T>();
        // A slice that fills at least half a huge page gets whole ones.
        let align = if bytes >= HUGE_BYTES / 2 { HUGE_BYTES } else { LINE_BYTES };
        let items = bytemuck::zeroed_vec::<T>((bytes.next_multiple_of(align) + align) / size_of::<T>());
        // The vector never grows, so it is never moved.
        let start = items.as_ptr().align_offset(align).min(items.len() - len);
        if align == HUGE_BYTES {
            request_huge_pages(&items[start..]);
        }
        Zeroed { items, start, len }
    }
}

impl<T: fmt::Debug> fmt::Debug for Zeroed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
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
#[allow(unsafe_code)] // a system call that takes an address
fn request_huge_pages<T>(items: &[T]) {
    use rustix::mm::{Advice, madvise};

    let start = items.as_ptr();
    let whole = size_of_val(items) / HUGE_BYTES * HUGE_BYTES;
    if !start.addr().is_multiple_of(HUGE_BYTES) {
        return;
    }
    // SAFETY: the range lies within the slice and begins at a page. The advice changes the size of
    // the pages that hold the memory, not its contents. Guarded by the test
    // `large_memory_is_zero_aligned_and_can_be_written`. A refusal changes nothing, so the result
    // is ignored.
    let _ = unsafe { madvise(start.cast_mut().cast(), whole, Advice::LinuxHugepage) };
}

#[cfg(not(target_os = "linux"))]
fn request_huge_pages<T>(_: &[T]) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_memory_is_zero_aligned_and_can_be_written() {
        for len in [0, 1, 7, 1000, (1 << 20) / 8 - 1, (1 << 20) / 8, (2 << 20) / 8, (11 << 20) / 8 + 3] {
            let mut memory = Zeroed::<u64>::new(len);
            let align = if len < (1 << 20) / 8 { LINE_BYTES } else { HUGE_BYTES };
            assert_eq!((memory.len(), memory.as_ptr().align_offset(align)), (len, 0));
            assert!(memory.iter().all(|&word| word == 0));
            for (i, word) in memory.iter_mut().enumerate() {
                *word = i as u64;
            }
            assert!(memory.iter().enumerate().all(|(i, &word)| word == i as u64));
        }
    }
}
