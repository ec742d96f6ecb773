//! Buffers that were used and can be filled again, the last one first: it is in a cache still.

use std::sync::{Mutex, PoisonError};

/// A stack of empty buffers.
#[derive(Debug)]
pub struct Spare {
    buffers: Mutex<Vec<Vec<u8>>>,
    most: usize,
}

impl Spare {
    /// No buffers yet; at most so many are kept.
    pub fn new(most: usize) -> Spare {
        Spare { buffers: Mutex::default(), most }
    }

    /// An empty buffer, with the memory of the one kept last.
    pub fn take(&self) -> Vec<u8> {
        self.buffers.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    /// Keeps the memory of a buffer; drops it when there are enough.
    pub fn keep(&self, mut buffer: Vec<u8>) {
        buffer.clear();
        let mut buffers = self.buffers.lock().unwrap_or_else(PoisonError::into_inner);
        if buffers.len() < self.most {
            buffers.push(buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_buffer_comes_first_and_empty_and_no_more_are_kept_than_asked_for() {
        let spare = Spare::new(2);
        assert_eq!(spare.take().capacity(), 0);
        for capacity in [100, 200, 300] {
            let mut buffer = Vec::with_capacity(capacity);
            buffer.push(1);
            spare.keep(buffer);
        }
        let (first, second, third) = (spare.take(), spare.take(), spare.take());
        assert!(first.is_empty() && first.capacity() >= 200);
        assert!((100..200).contains(&second.capacity()));
        assert_eq!(third.capacity(), 0);
    }
}
