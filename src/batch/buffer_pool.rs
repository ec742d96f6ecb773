//! Reusable buffers. The buffer used last is reused first, because it is probably still in a cache.
//!
//! Each thread has its own shard. A buffer that another thread wrote is in that thread's cache, and
//! every cache line would have to be transferred just to be overwritten.

use parking_lot::{Mutex, MutexGuard};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Stacks of empty buffers.
#[derive(Debug)]
pub struct BufferPool {
    shards: Vec<Mutex<Vec<Vec<u8>>>>,
    /// The capacity of all buffers together, in bytes.
    bytes: AtomicUsize,
    /// Maximum capacity of all buffers together, in bytes.
    max_bytes: usize,
}

impl BufferPool {
    /// Creates an empty pool, which keeps buffers with a total capacity of at most `max_bytes`.
    pub fn new(shards: usize, max_bytes: usize) -> BufferPool {
        let shards = (0..shards.max(1)).map(|_| Mutex::default()).collect();
        BufferPool { shards, bytes: AtomicUsize::new(0), max_bytes }
    }

    /// Returns an empty buffer, which reuses the memory of the one last returned to this shard.
    pub fn take(&self, shard: usize) -> Vec<u8> {
        let buffer = self.shard(shard).pop().unwrap_or_default();
        self.bytes.fetch_sub(buffer.capacity(), Ordering::Relaxed);
        buffer
    }

    /// Keeps the memory of a buffer, or drops it if the pool is full.
    pub fn give_back(&self, shard: usize, mut buffer: Vec<u8>) {
        buffer.clear();
        let bytes = buffer.capacity();
        // No other memory depends on this number, so relaxed ordering suffices.
        if self.bytes.fetch_add(bytes, Ordering::Relaxed) + bytes <= self.max_bytes {
            self.shard(shard).push(buffer);
        } else {
            self.bytes.fetch_sub(bytes, Ordering::Relaxed);
        }
    }

    fn shard(&self, shard: usize) -> MutexGuard<'_, Vec<Vec<u8>>> {
        self.shards[shard % self.shards.len()].lock()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_buffer_is_reused_first_and_the_limit_is_kept() {
        let pool = BufferPool::new(2, 1000);
        assert_eq!(pool.take(1).capacity(), 0);
        for capacity in [100, 2000, 200, 300] {
            let mut buffer = Vec::with_capacity(capacity);
            buffer.push(1);
            pool.give_back(1, buffer);
        }
        // The other shard is empty.
        assert_eq!(pool.take(0).capacity(), 0);
        let capacities = [(); 4].map(|()| pool.take(1)).map(|buffer| (buffer.len(), buffer.capacity()));
        assert_eq!(capacities, [(0, 300), (0, 200), (0, 100), (0, 0)]);
    }
}
