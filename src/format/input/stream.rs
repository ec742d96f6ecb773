//! Opens an input as a stream of plain text. Compression is detected from the first bytes, not from
//! the name. A byte order mark is skipped.

use std::borrow::Cow;
use std::fs::{File, Metadata};
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::read::MultiGzDecoder;

use super::decode::{DecompressionLimit, LimitedText, Zstd};
use super::read_ahead::{ReadAhead, ReadAheadBuffer};
use super::stream_buffer::read_some;
use crate::system::missing_path;

const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
const PARQUET: &[u8] = b"PAR1";
const BYTE_ORDER_MARK: &[u8] = &[0xef, 0xbb, 0xbf];
const UTF_16: [&[u8]; 2] = [&[0xff, 0xfe], &[0xfe, 0xff]];

/// An input to read boards from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// The file at this path.
    Path(PathBuf),
    /// Standard input.
    Stdin,
    /// This text, for example a board on the command line.
    Text(String),
}

impl Input {
    /// Returns the input of an argument that is not a directory: `-` is standard input.
    pub fn named(path: &Path) -> Input {
        if path == Path::new("-") { Input::Stdin } else { Input::Path(path.to_path_buf()) }
    }

    /// Returns the name shown in results: the path as given, or `-` if the input is not a file.
    pub fn name(&self) -> Cow<'_, str> {
        match self {
            Input::Path(path) => path.to_string_lossy(),
            Input::Stdin | Input::Text(_) => "-".into(),
        }
    }
}

/// Opens the bytes of an input. Also returns the size of the input, unless the input is a stream.
fn open(input: &Input) -> io::Result<(Box<dyn Read + Send>, Option<u64>)> {
    Ok(match input {
        Input::Path(path) => {
            let file = File::open(path).map_err(|error| missing_path::explained(path, error))?;
            let found = file.metadata().ok().filter(Metadata::is_file);
            (Box::new(file), found.map(|found| found.len()))
        }
        Input::Stdin => (Box::new(io::stdin()), None),
        Input::Text(text) => (Box::new(Cursor::new(text.clone().into_bytes())), Some(text.len() as u64)),
    })
}

/// Opens the text of a file or of standard input, decompressed within these limits if necessary.
/// `bytes_read` counts the bytes read, before decompression. An input that is not a regular file is
/// read ahead by up to `read_ahead` bytes; the returned [`ReadAheadBuffer`] holds them.
///
/// # Errors
/// If the input cannot be opened, or its first bytes cannot be read.
pub fn open_counted(
    input: &Input,
    limit: DecompressionLimit,
    bytes_read: &Arc<AtomicU64>,
    read_ahead: usize,
) -> io::Result<(Box<dyn Read + Send>, Arc<ReadAheadBuffer>)> {
    let (mut raw, size) = open(input)?;
    let mut ahead = Arc::default();
    if size.is_none() && read_ahead > 0 {
        // If the system refuses to start a thread, nothing is read ahead.
        match ReadAhead::new(raw, read_ahead) {
            Ok((stream, shared)) => (raw, ahead) = (Box::new(stream), shared),
            Err(stream) => raw = stream,
        }
    }
    let counted = Counted {
        stream: raw,
        total_bytes_read: bytes_read.clone(),
        bytes_read: Arc::default(),
        size: size.unwrap_or_default(),
    };
    Ok((text_of(counted, limit)?, ahead))
}

/// Opens the bytes of a file or of standard input, unchanged except that a byte order mark is
/// skipped.
///
/// # Errors
/// If the input cannot be opened, or its first bytes cannot be read.
pub fn open_plain(input: &Input) -> io::Result<Box<dyn Read + Send>> {
    let (mut raw, _) = open(input)?;
    let (mark, start) = sniff(&mut *raw, &[BYTE_ORDER_MARK])?;
    Ok(if mark.is_some() { raw } else { Box::new(Cursor::new(start).chain(raw)) })
}

/// Opens the text of a file or of standard input, decompressed within these limits if necessary.
///
/// # Errors
/// If the input cannot be opened, or its first bytes cannot be read.
pub fn open_text(input: &Input, limit: DecompressionLimit) -> io::Result<Box<dyn Read + Send>> {
    open_counted(input, limit, &Arc::default(), 0).map(|(text, _)| text)
}

/// Opens the text in a stream.
#[cfg(test)]
pub fn text_of_stream(raw: impl Read + Send + 'static, limit: DecompressionLimit) -> io::Result<Box<dyn Read + Send>> {
    text_of(Counted { stream: raw, total_bytes_read: Arc::default(), bytes_read: Arc::default(), size: 0 }, limit)
}

/// Opens the text in a stream that may be compressed.
fn text_of<R: Read + Send + 'static>(
    mut raw: Counted<R>,
    limit: DecompressionLimit,
) -> io::Result<Box<dyn Read + Send>> {
    let compressed_bytes = Arc::clone(&raw.bytes_read);
    // The signatures of zstd's skippable frames. Files of pzstd begin with such a frame.
    let skippable: Vec<[u8; 4]> = (0x50..=0x5f).map(|first| [first, 0x2a, 0x4d, 0x18]).collect();
    let signatures: Vec<&[u8]> =
        [GZIP, ZSTD, PARQUET].into_iter().chain(skippable.iter().map(|bytes| &bytes[..])).collect();
    let (magic, start) = sniff(&mut raw, &signatures)?;
    let whole = Cursor::new(start).chain(raw);
    let mut text: Box<dyn Read + Send> = match magic {
        Some(GZIP) => Box::new(LimitedText::new(MultiGzDecoder::new(whole), compressed_bytes, limit)),
        Some(PARQUET) => {
            let message = "it is a Parquet file, which taquin does not read: convert it to CSV, for example with DuckDB \
                         (duckdb -c \"COPY 'boards.parquet' TO 'boards.csv'\")";
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        Some(_) => Box::new(LimitedText::new(Zstd::new(whole, limit.window_log), compressed_bytes, limit)),
        None => Box::new(whole),
    };
    let (mark, start) = sniff(&mut *text, &[BYTE_ORDER_MARK, UTF_16[0], UTF_16[1]])?;
    if mark.is_some_and(|mark| UTF_16.contains(&mark)) {
        let message = "it is UTF-16, expected UTF-8: convert it (some Windows shells write UTF-16 by default)";
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    }
    Ok(if mark.is_some() || start.is_empty() { text } else { Box::new(Cursor::new(start).chain(text)) })
}

/// Returns the signature at the start of a stream, if there is one, and the bytes that were read.
/// Reads no more bytes than necessary.
fn sniff<'a>(stream: &mut dyn Read, signatures: &[&'a [u8]]) -> io::Result<(Option<&'a [u8]>, Vec<u8>)> {
    let mut start = Vec::new();
    while let Some(signature) = signatures.iter().find(|signature| signature.starts_with(&start)) {
        if *signature == start {
            return Ok((Some(signature), start));
        }
        let mut byte = [0];
        if read_some(stream, &mut byte)? == 0 {
            break;
        }
        start.push(byte[0]);
    }
    Ok((None, start))
}

/// A stream that counts the bytes read from it.
struct Counted<R> {
    stream: R,
    /// The number of bytes read from all inputs.
    total_bytes_read: Arc<AtomicU64>,
    /// The number of bytes read from this input.
    bytes_read: Arc<AtomicU64>,
    /// The size of the input when it was opened, or 0 if unknown.
    size: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(into)?;
        self.total_bytes_read.fetch_add(read as u64, Ordering::Relaxed);
        let before = self.bytes_read.fetch_add(read as u64, Ordering::Relaxed);
        if read == 0 && !into.is_empty() && before < self.size {
            let message = format!("it became shorter while it was read: got {before} of {} bytes", self.size);
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, message));
        }
        Ok(read)
    }
}
