//! Buffers that were used and can be filled again, the last one first: it is in a cache still.
//!
//! Each thread has a shelf of its own: what another one wrote lies in that one's cache, and every line of it would have to be
//! fetched from there only to be written over.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Stacks of empty buffers.
#[derive(Debug)]
pub struct Spare {
    shelves: Vec<Mutex<Vec<Vec<u8>>>>,
    /// What all buffers have room for.
    bytes: AtomicUsize,
    /// On each shelf.
    most: usize,
    /// On all of them.
    most_bytes: usize,
}

impl Spare {
    /// No buffers yet; on all shelves together about so many are kept, with room for at most so many bytes.
    pub fn new(shelves: usize, most: usize, most_bytes: usize) -> Spare {
        let shelves: Vec<_> = (0..shelves.max(1)).map(|_| Mutex::default()).collect();
        let most = most.div_ceil(shelves.len());
        Spare { shelves, bytes: AtomicUsize::new(0), most, most_bytes }
    }

    /// An empty buffer, with the memory of the one kept last on this shelf.
    pub fn take(&self, shelf: usize) -> Vec<u8> {
        let buffer = self.shelf(shelf).pop().unwrap_or_default();
        self.bytes.fetch_sub(buffer.capacity(), Ordering::Relaxed);
        buffer
    }

    /// Keeps the memory of a buffer; drops it when there is enough.
    pub fn keep(&self, shelf: usize, mut buffer: Vec<u8>) {
        buffer.clear();
        let mut kept = self.shelf(shelf);
        let bytes = buffer.capacity();
        let room = kept.len() < self.most;
        // A number of its own: relaxed will do.
        if room && self.bytes.fetch_add(bytes, Ordering::Relaxed) + bytes <= self.most_bytes {
            kept.push(buffer);
        } else if room {
            self.bytes.fetch_sub(bytes, Ordering::Relaxed);
        }
    }

    fn shelf(&self, shelf: usize) -> MutexGuard<'_, Vec<Vec<u8>>> {
        self.shelves[shelf % self.shelves.len()].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_buffer_comes_first_and_empty_and_no_more_are_kept_than_asked_for() {
        let spare = Spare::new(2, 4, 1000);
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
