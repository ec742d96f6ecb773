//! Compressed text: zstd (RFC 8878, decoded by `ruzstd`), and the limits of all decompression.
//!
//! A zstd file is a sequence of frames, which consist of blocks. A frame specifies its *window*,
//! the maximum distance of a reference to earlier text. The decoder keeps this much text, so the
//! largest accepted window bounds its memory. The text before a failure is returned first. If a
//! block is damaged, the last part of this text, up to 128 KiB, is dropped, because it may be
//! wrong.

use std::error::Error;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ruzstd::decoding::errors::{FrameDecoderError, FrameHeaderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// The maximum number of bytes of text per compressed byte, in texts longer than
/// [`DecompressionLimit::free_bytes`]. A file of boards is two to twenty times as long as its
/// compressed form; a decompression bomb is at least a thousand times as long.
const MAX_RATIO: u64 = 200;

/// The limits of an input's decompression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DecompressionLimit {
    /// The binary logarithm of the largest accepted zstd window in bytes. The window bounds the
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
            return Err(io::Error::new(ErrorKind::InvalidData, message));
        }
        Ok(read)
    }
}

/// The maximum number of bytes of text in a block.
const BLOCK_BYTES: usize = 128 << 10;

/// An empty last block and a checksum, which end any frame.
const LAST_BLOCK: &[u8] = &[1, 0, 0, 0, 0, 0, 0];

/// A stream of the text in a sequence of zstd frames.
pub struct Zstd<R: Read> {
    stream: BufReader<R>,
    decoder: FrameDecoder,
    /// True within a frame.
    is_open: bool,
    /// The failure that ends the text, and the number of valid bytes before it that have not been
    /// returned yet.
    failed: Option<(io::Error, usize)>,
}

impl<R: Read> Zstd<R> {
    /// Creates a reader of the text in a stream of frames with windows of at most `1 << window_log`
    /// bytes.
    pub fn new(stream: R, window_log: u32) -> Zstd<R> {
        let (stream, mut decoder) = (BufReader::with_capacity(BLOCK_BYTES, stream), FrameDecoder::new());
        decoder.set_max_window_size(1 << window_log.min(31));
        Zstd { stream, decoder, is_open: false, failed: None }
    }

    /// Decodes a block, or begins or skips the next frame. Returns false at the end.
    fn advance(&mut self) -> io::Result<bool> {
        let max = self.decoder.max_window_size();
        if self.is_open {
            let decoded = self.decoder.decode_blocks(&mut self.stream, BlockDecodingStrategy::UptoBlocks(1));
            return decoded.map(|_| true).map_err(|error| describe(&error, max));
        }
        match self.stream.fill_buf() {
            Ok([]) => return Ok(false),
            Ok(_) => {}
            Err(cause) if cause.kind() == ErrorKind::Interrupted => return Ok(true),
            Err(cause) => return Err(cause),
        }
        match self.decoder.reset(&mut self.stream) {
            // Skippable frames contain no text. Files of pzstd begin with one.
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                let length = u64::from(length);
                let skipped = io::copy(&mut self.stream.by_ref().take(length), &mut io::sink())?;
                if skipped < length { Err(cut_off()) } else { Ok(true) }
            }
            Err(error) => Err(describe(&error, max)),
            Ok(()) => {
                self.is_open = true;
                Ok(true)
            }
        }
    }

    /// Keeps a failure until the text before it is returned.
    fn fail(&mut self, error: io::Error) {
        let mut valid_bytes = 0;
        if std::mem::take(&mut self.is_open) {
            // The decoder returns the text that it keeps as the window only after the frame has
            // ended.
            let _ = self.decoder.decode_blocks(LAST_BLOCK, BlockDecodingStrategy::All);
            let doubtful_bytes = if error.kind() == ErrorKind::InvalidData { BLOCK_BYTES } else { 0 };
            valid_bytes = self.decoder.can_collect().saturating_sub(doubtful_bytes);
        }
        self.failed = Some((error, valid_bytes));
    }
}

impl<R: Read> Read for Zstd<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while !into.is_empty() {
            if let Some((error, valid_bytes)) = &mut self.failed {
                let len = into.len().min(*valid_bytes);
                *valid_bytes -= len;
                return match self.decoder.read(&mut into[..len])? {
                    0 => Err(io::Error::new(error.kind(), error.to_string())),
                    read => Ok(read),
                };
            }
            let read = self.decoder.read(into)?;
            if read > 0 {
                return Ok(read);
            }
            if self.is_open && self.decoder.is_finished() {
                self.is_open = false;
                let expected = self.decoder.get_checksum_from_data();
                if expected.is_some() && expected != self.decoder.get_calculated_checksum() {
                    let message = "the zstd data is damaged: the text differs from its checksum";
                    self.fail(io::Error::new(ErrorKind::InvalidData, message));
                }
                continue;
            }
            match self.advance() {
                Ok(true) => {}
                Ok(false) => return Ok(0),
                Err(failure) => self.fail(failure),
            }
        }
        Ok(0)
    }
}

fn cut_off() -> io::Error {
    io::Error::new(ErrorKind::UnexpectedEof, "it ends in the middle of a zstd frame: it was cut off")
}

/// Describes an error. `max` is the largest accepted window in bytes.
fn describe(error: &FrameDecoderError, max: u64) -> io::Error {
    let first: &(dyn Error + 'static) = error;
    let mut causes = std::iter::successors(Some(first), |&error| error.source());
    let is_end = |error: &io::Error| error.kind() == ErrorKind::UnexpectedEof;
    let message = match error {
        FrameDecoderError::ReadFrameHeaderError(
            ReadFrameHeaderError::BadMagicNumber(_) | ReadFrameHeaderError::MagicNumberReadError(_),
        ) => "the data after the last zstd frame is not a zstd frame".into(),
        FrameDecoderError::WindowSizeTooBig { requested: bytes, .. }
        | FrameDecoderError::FrameHeaderError(FrameHeaderError::WindowTooBig { got: bytes }) => format!(
            "its zstd window of {bytes} bytes is larger than the {max} bytes that are accepted: decompress it first"
        ),
        FrameDecoderError::DictNotProvided { dict_id } => format!(
            "it was compressed with a zstd dictionary (number {dict_id}), which is not supported: decompress it first"
        ),
        _ if causes.any(|error| error.downcast_ref().is_some_and(is_end)) => return cut_off(),
        _ => format!("the zstd data is damaged ({error})"),
    };
    io::Error::new(ErrorKind::InvalidData, message)
}
