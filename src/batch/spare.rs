//! Buffers that were used and can be filled again, the last one first: it is in a cache still.

use std::sync::{Mutex, PoisonError};

/// A stack of empty buffers.
#[derive(Debug)]
pub struct Spare {
    kept: Mutex<Kept>,
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
    /// No buffers yet; at most so many are kept, with room for at most so many bytes.
    pub fn new(most: usize, most_bytes: usize) -> Spare {
        Spare { kept: Mutex::default(), most, most_bytes }
    }

    /// An empty buffer, with the memory of the one kept last.
    pub fn take(&self) -> Vec<u8> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let buffer = kept.buffers.pop().unwrap_or_default();
        kept.bytes -= buffer.capacity();
        buffer
    }

    /// Keeps the memory of a buffer; drops it when there is enough.
    pub fn keep(&self, mut buffer: Vec<u8>) {
        buffer.clear();
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.buffers.len() < self.most && kept.bytes + buffer.capacity() <= self.most_bytes {
            kept.bytes += buffer.capacity();
            kept.buffers.push(buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_buffer_comes_first_and_empty_and_no_more_are_kept_than_asked_for() {
        let spare = Spare::new(2, 1000);
        assert_eq!(spare.take().capacity(), 0);
        for capacity in [100, 2000, 200, 300] {
            let mut buffer = Vec::with_capacity(capacity);
            buffer.push(1);
            spare.keep(buffer);
        }
        let (first, second, third) = (spare.take(), spare.take(), spare.take());
        assert!(first.is_empty() && (200..300).contains(&first.capacity()));
        assert!((100..200).contains(&second.capacity()));
        assert_eq!(third.capacity(), 0);
    }
}
