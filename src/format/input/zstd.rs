//! The text of a zstd file (RFC 8878), decoded by `ruzstd`.
//!
//! A file is a sequence of frames. A frame specifies its *window*, the maximum distance of a
//! reference to earlier text. The decoder keeps this much text, so the largest accepted window
//! bounds its memory. The text before a failure is returned first, except the last block of damaged
//! data, which may be wrong.

use std::error::Error;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};

use ruzstd::decoding::errors::{FrameDecoderError, FrameHeaderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// The maximum number of bytes of text in a block.
const BLOCK_BYTES: usize = 128 << 10;

/// An empty last block and a checksum, which end any frame.
const LAST_BLOCK: &[u8] = &[1, 0, 0, 0, 0, 0, 0];

/// A stream of the text in a sequence of zstd frames.
pub struct Zstd {
    stream: BufReader<Box<dyn Read + Send>>,
    decoder: FrameDecoder,
    /// True within a frame.
    is_open: bool,
    /// The failure that ends the text, and the number of valid bytes before it that have
    /// not been returned yet.
    failed: Option<(ErrorKind, String, usize)>,
}

impl Zstd {
    /// Returns the text in a stream of frames with windows of at most `1 << window_log` bytes.
    pub fn new(stream: Box<dyn Read + Send>, window_log: u32) -> Zstd {
        let (stream, mut decoder) = (BufReader::with_capacity(BLOCK_BYTES, stream), FrameDecoder::new());
        decoder.set_max_window_size(1 << window_log.min(31));
        Zstd { stream, decoder, is_open: false, failed: None }
    }

    /// Decodes a block, or begins or skips the next frame. Returns false at the end.
    fn advance(&mut self) -> Result<bool, FrameDecoderError> {
        if self.is_open {
            self.decoder.decode_blocks(&mut self.stream, BlockDecodingStrategy::UptoBlocks(1))?;
            return Ok(true);
        }
        match self.stream.fill_buf() {
            Ok([]) => return Ok(false),
            Ok(_) => {}
            Err(cause) if cause.kind() == ErrorKind::Interrupted => return Ok(true),
            // `describe` returns the cause of this error unchanged.
            Err(cause) => return Err(FrameDecoderError::FailedToDrainDecodebuffer(cause)),
        }
        match self.decoder.reset(&mut self.stream) {
            // Skippable frames contain no text. Files of pzstd begin with one.
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                let skipped = io::copy(&mut self.stream.by_ref().take(length.into()), &mut io::sink());
                match skipped.map_err(FrameDecoderError::FailedToDrainDecodebuffer)? {
                    bytes if bytes == u64::from(length) => Ok(true),
                    _ => Err(FrameDecoderError::FailedToSkipFrame),
                }
            }
            begun => begun.map(|()| {
                self.is_open = true;
                true
            }),
        }
    }

    /// Compares the text of a finished frame with its checksum, if it has one.
    fn end_frame(&mut self) {
        self.is_open = false;
        let expected = self.decoder.get_checksum_from_data();
        if expected.is_some() && expected != self.decoder.get_calculated_checksum() {
            let message = "the zstd data is damaged: the text differs from its checksum";
            self.failed = Some((ErrorKind::InvalidData, message.into(), 0));
        }
    }

    /// Keeps a failure until the text before it is returned.
    fn fail(&mut self, error: &FrameDecoderError) {
        let (kind, message) = describe(error, self.decoder.max_window_size());
        let mut valid_bytes = 0;
        if std::mem::take(&mut self.is_open) {
            // The decoder returns the text that it keeps as the window only after the frame has
            // ended.
            let _ = self.decoder.decode_blocks(LAST_BLOCK, BlockDecodingStrategy::All);
            let doubtful_bytes = if kind == ErrorKind::InvalidData { BLOCK_BYTES } else { 0 };
            valid_bytes = self.decoder.can_collect().saturating_sub(doubtful_bytes);
        }
        self.failed = Some((kind, message, valid_bytes));
    }
}

impl Read for Zstd {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while !into.is_empty() {
            if let Some((kind, message, valid_bytes)) = &mut self.failed {
                let len = into.len().min(*valid_bytes);
                *valid_bytes -= len;
                return match self.decoder.read(&mut into[..len])? {
                    0 => Err(io::Error::new(*kind, message.clone())),
                    read => Ok(read),
                };
            }
            let read = self.decoder.read(into)?;
            if read > 0 {
                return Ok(read);
            }
            if self.is_open && self.decoder.is_finished() {
                self.end_frame();
                continue;
            }
            match self.advance() {
                Ok(true) => {}
                Ok(false) => return Ok(0),
                Err(error) => self.fail(&error),
            }
        }
        Ok(0)
    }
}

/// Returns the kind and the description of an error. `max` is the largest accepted window in bytes.
fn describe(error: &FrameDecoderError, max: u64) -> (ErrorKind, String) {
    let invalid = |message| (ErrorKind::InvalidData, message);
    match error {
        FrameDecoderError::ReadFrameHeaderError(
            ReadFrameHeaderError::BadMagicNumber(_) | ReadFrameHeaderError::MagicNumberReadError(_),
        ) => return invalid("the data after the last zstd frame is not a zstd frame".into()),
        FrameDecoderError::WindowSizeTooBig { requested, .. }
        | FrameDecoderError::FrameHeaderError(FrameHeaderError::WindowTooBig { got: requested })
        | FrameDecoderError::FailedToInitialize(FrameHeaderError::WindowTooBig { got: requested }) => {
            return invalid(format!(
                "its zstd window of {requested} bytes is larger than the {max} bytes that are accepted: decompress it first"
            ));
        }
        FrameDecoderError::DictNotProvided { dict_id } => {
            return invalid(format!(
                "it was compressed with a zstd dictionary (number {dict_id}), which is not supported: decompress it first"
            ));
        }
        _ => {}
    }
    let first: &(dyn Error + 'static) = error;
    let causes = std::iter::successors(Some(first), |&error| error.source());
    let cause = causes.filter_map(|error| error.downcast_ref::<io::Error>()).next();
    match (error, cause.map(io::Error::kind)) {
        (FrameDecoderError::FailedToSkipFrame, _) | (_, Some(ErrorKind::UnexpectedEof)) => {
            (ErrorKind::UnexpectedEof, "it ends in the middle of a zstd frame: it was cut off".into())
        }
        (FrameDecoderError::FailedToDrainDecodebuffer(cause), _) => (cause.kind(), cause.to_string()),
        _ => invalid("the zstd data is damaged".into()),
    }
}
