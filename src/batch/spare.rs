//! Buffers that were used and can be filled again, the last one first: it is in a cache still.
//!
//! Each thread has a shelf of its own: what another one wrote lies in that one's cache, and every line of it would have to be
//! fetched from there only to be written over.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Stacks of empty buffers.
#[derive(Debug)]
pub struct Spare {
    shelves: Vec<Mutex<Kept>>,
    /// For each shelf.
    most: usize,
    most_bytes: usize,
}

#[derive(Debug, Default)]
struct Kept {
    buffers: Vec<Vec<u8>>,
    /// What they have room for.
    bytes: usize,
}

impl Spare {
    /// No buffers yet; on all shelves together at most so many are kept, with room for at most so many bytes.
    pub fn new(shelves: usize, most: usize, most_bytes: usize) -> Spare {
        let shelves: Vec<Mutex<Kept>> = (0..shelves.max(1)).map(|_| Mutex::default()).collect();
        let (most, most_bytes) = (most / shelves.len(), most_bytes / shelves.len());
        Spare { shelves, most, most_bytes }
    }

    /// An empty buffer, with the memory of the one kept last on this shelf.
    pub fn take(&self, shelf: usize) -> Vec<u8> {
        let mut kept = self.shelf(shelf);
        let buffer = kept.buffers.pop().unwrap_or_default();
        kept.bytes -= buffer.capacity();
        buffer
    }

    /// Keeps the memory of a buffer; drops it when there is enough.
    pub fn keep(&self, shelf: usize, mut buffer: Vec<u8>) {
        buffer.clear();
        let mut kept = self.shelf(shelf);
        if kept.buffers.len() < self.most && kept.bytes + buffer.capacity() <= self.most_bytes {
            kept.bytes += buffer.capacity();
            kept.buffers.push(buffer);
        }
    }

    fn shelf(&self, shelf: usize) -> MutexGuard<'_, Kept> {
        self.shelves[shelf % self.shelves.len()].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_buffer_comes_first_and_empty_and_no_more_are_kept_than_asked_for() {
        let spare = Spare::new(2, 4, 2000);
        assert_eq!(spare.take(1).capacity(), 0);
        for capacity in [100, 2000, 200, 300] {
            let mut buffer = Vec::with_capacity(capacity);
            buffer.push(1);
            spare.keep(1, buffer);
        }
        // The other shelf is empty.
        assert_eq!(spare.take(0).capacity(), 0);
        let (first, second, third) = (spare.take(1), spare.take(1), spare.take(1));
        assert!(first.is_empty() && (200..300).contains(&first.capacity()));
        assert!((100..200).contains(&second.capacity()));
        assert_eq!(third.capacity(), 0);
    }
}
