//! The limits of decompression: memory, and the length of the text.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The maximum number of bytes of text per compressed byte, in texts longer than
/// [`DecompressionLimit::free_bytes`]. A file of boards is two to twenty times as long as its
/// compressed form; a decompression bomb is at least a thousand times as long.
const MAX_RATIO: u64 = 200;

/// The limits of an input's decompression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DecompressionLimit {
    /// The binary logarithm of the largest zstd window that is accepted, in bytes. It bounds the
    /// memory that a file can request. The default of 128 MiB is also that of the zstd program.
    pub window_log: u32,
    /// The length of text in bytes up to which the compression ratio is not checked.
    pub free_bytes: u64,
}

impl Default for DecompressionLimit {
    fn default() -> DecompressionLimit {
        DecompressionLimit { window_log: 27, free_bytes: 1 << 30 }
    }
}

impl DecompressionLimit {
    /// Returns the same limits, with a window of at most this number of bytes.
    #[must_use]
    pub fn within(self, bytes: u64) -> DecompressionLimit {
        DecompressionLimit { window_log: self.window_log.min(bytes.max(1).ilog2()), ..self }
    }
}

/// Decompressed text. Reading fails once the text is longer than the limit allows.
pub struct LimitedText<R> {
    text: R,
    text_bytes: u64,
    compressed_bytes: Arc<AtomicU64>,
    limit: DecompressionLimit,
}

impl<R> LimitedText<R> {
    /// Returns the limited text. `compressed_bytes` counts the compressed bytes that were read.
    pub fn new(text: R, compressed_bytes: Arc<AtomicU64>, limit: DecompressionLimit) -> LimitedText<R> {
        LimitedText { text, text_bytes: 0, compressed_bytes, limit }
    }
}

impl<R: Read> Read for LimitedText<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.text.read(into)?;
        self.text_bytes += read as u64;
        let compressed_bytes = self.compressed_bytes.load(Ordering::Relaxed);
        if self.text_bytes > self.limit.free_bytes && self.text_bytes / MAX_RATIO > compressed_bytes {
            let message = format!(
                "it expands to more than {MAX_RATIO} times its size, unlike any file of boards or results: decompress it first"
            );
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        Ok(read)
    }
}
