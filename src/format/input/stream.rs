//! Opening: a file or standard input becomes a stream of plain text. What is compressed is told by
//! its first bytes, not by its name, and a byte order mark is left out.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::args::Input;
use super::window::read_some;

const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
const BYTE_ORDER_MARK: &[u8] = &[0xef, 0xbb, 0xbf];

/// The largest zstd window that is accepted, as a power of two: 128 MiB, what the zstd program
/// itself accepts unless told otherwise. It bounds the memory that a file can ask for.
const ZSTD_WINDOW_LOG: u32 = 27;

/// The text of an input. Bytes are added to `bytes_read` as they are read, before decompression.
pub fn open(input: &Input, bytes_read: &Arc<AtomicU64>) -> io::Result<Box<dyn Read + Send>> {
    let raw: Box<dyn Read + Send> = match input {
        Input::Path(path) => Box::new(File::open(path)?),
        Input::Stdin => Box::new(io::stdin()),
    };
    text_of(Counted { stream: raw, bytes: bytes_read.clone() })
}

/// The text of a file or of standard input, decompressed where it has to be.
///
/// # Errors
/// When it cannot be opened, or its first bytes not be read.
pub fn open_text(input: &Input) -> io::Result<Box<dyn Read + Send>> {
    open(input, &Arc::default())
}

/// The text in a stream that may be compressed.
pub fn text_of(mut raw: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
    let (magic, start) = sniff(&mut raw, &[GZIP, ZSTD])?;
    let whole = Cursor::new(start).chain(raw);
    let mut text: Box<dyn Read + Send> = match magic {
        Some(GZIP) => Box::new(Gzip::new(Box::new(BufReader::new(whole)))),
        Some(_) => {
            let mut decoder = zstd::stream::read::Decoder::new(whole)?;
            decoder.window_log_max(ZSTD_WINDOW_LOG)?;
            Box::new(decoder)
        }
        None => Box::new(whole),
    };
    let (mark, start) = sniff(&mut *text, &[BYTE_ORDER_MARK])?;
    Ok(if mark.is_some() || start.is_empty() { text } else { Box::new(Cursor::new(start).chain(text)) })
}

/// Reads no further than needed to tell whether a stream begins with one of the signatures: that
/// one, and what was read.
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

/// The text of gzip members one after the other. Zeros behind the last one, with which tapes and
/// other stores fill their blocks, are passed over as by the gzip program.
struct Gzip {
    member: flate2::bufread::GzDecoder<Box<dyn BufRead + Send>>,
    padding: bool,
}

impl Gzip {
    fn new(stream: Box<dyn BufRead + Send>) -> Gzip {
        Gzip { member: flate2::bufread::GzDecoder::new(stream), padding: false }
    }

    /// Passes over zeros to the end of the stream.
    fn skip_padding(&mut self) -> io::Result<()> {
        let stream = self.member.get_mut();
        loop {
            let bytes = stream.fill_buf()?;
            if bytes.iter().any(|&byte| byte != 0) {
                let wrong = "something follows the compressed data that is neither gzip nor zeros";
                return Err(io::Error::new(io::ErrorKind::InvalidData, wrong));
            }
            match bytes.len() {
                0 => return Ok(()),
                zeros => stream.consume(zeros),
            }
        }
    }
}

impl Read for Gzip {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while !self.padding && !into.is_empty() {
            let read = self.member.read(into)?;
            if read > 0 {
                return Ok(read);
            }
            if self.member.get_mut().fill_buf()?.first().is_none_or(|&byte| byte == 0) {
                self.padding = true;
            } else {
                let stream = self.member.reset(Box::new(io::empty()));
                self.member.reset(stream);
            }
        }
        if self.padding {
            self.skip_padding()?;
        }
        Ok(0)
    }
}

/// A stream that counts what is read from it.
struct Counted<R> {
    stream: R,
    bytes: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(into)?;
        self.bytes.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}
