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

/// How far compressed inputs are trusted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unpacking {
    /// The largest zstd window that is accepted, as a power of two: it bounds the memory that a file can ask for. By
    /// default 128 MiB, what the zstd program itself accepts unless told otherwise.
    pub window_log: u32,
    /// The most bytes of text for each compressed byte, behind the first ones: a file of boards
    /// is two to twenty times as long as its compressed form, a decompression bomb a thousand times and more.
    pub ratio: u64,
    /// Bytes of text that are read of every file, however small that is.
    pub free: u64,
}

impl Default for Unpacking {
    fn default() -> Unpacking {
        Unpacking { window_log: 27, ratio: 200, free: 1 << 30 }
    }
}

impl Unpacking {
    /// The same, but with no larger window than fits into so many bytes.
    pub fn within(self, bytes: u64) -> Unpacking {
        Unpacking { window_log: self.window_log.min(bytes.max(1).ilog2()), ..self }
    }
}

/// The text of an input. Bytes are added to `bytes_read` as they are read, before decompression.
pub fn open(input: &Input, unpacking: Unpacking, bytes_read: &Arc<AtomicU64>) -> io::Result<Box<dyn Read + Send>> {
    let (raw, size): (Box<dyn Read + Send>, _) = match input {
        Input::Path(path) => {
            let file = File::open(path)?;
            let size = file.metadata().ok().filter(|found| found.is_file()).map_or(0, |found| found.len());
            (Box::new(file), size)
        }
        Input::Stdin => (Box::new(io::stdin()), 0),
    };
    text_of(Counted { stream: raw, all: bytes_read.clone(), own: Arc::default(), size }, unpacking)
}

/// The text of a file or of standard input, decompressed where it has to be.
///
/// # Errors
/// When it cannot be opened, or its first bytes not be read.
pub fn open_text(input: &Input) -> io::Result<Box<dyn Read + Send>> {
    open(input, Unpacking::default(), &Arc::default())
}

/// The text in a stream.
#[cfg(test)]
pub fn text_of_stream(raw: impl Read + Send + 'static, unpacking: Unpacking) -> io::Result<Box<dyn Read + Send>> {
    text_of(Counted { stream: raw, all: Arc::default(), own: Arc::default(), size: 0 }, unpacking)
}

/// The text in a stream that may be compressed.
fn text_of<R: Read + Send + 'static>(mut raw: Counted<R>, unpacking: Unpacking) -> io::Result<Box<dyn Read + Send>> {
    let packed = Arc::clone(&raw.own);
    let (magic, start) = sniff(&mut raw, &[GZIP, ZSTD])?;
    let whole = Cursor::new(start).chain(raw);
    let mut text: Box<dyn Read + Send> = match magic {
        Some(GZIP) => Box::new(Unpacked::new(Gzip::new(Box::new(BufReader::new(whole))), packed, unpacking)),
        Some(_) => {
            let mut decoder = zstd::stream::read::Decoder::new(whole)?;
            decoder.window_log_max(unpacking.window_log)?;
            Box::new(Unpacked::new(decoder, packed, unpacking))
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

/// Text that is unpacked, up to the ratio that is trusted.
struct Unpacked<R> {
    text: R,
    unpacked: u64,
    packed: Arc<AtomicU64>,
    trust: Unpacking,
}

impl<R> Unpacked<R> {
    fn new(text: R, packed: Arc<AtomicU64>, trust: Unpacking) -> Unpacked<R> {
        Unpacked { text, unpacked: 0, packed, trust }
    }
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.text.read(into)?;
        self.unpacked += read as u64;
        let Unpacking { ratio, free, .. } = self.trust;
        if self.unpacked > free && self.unpacked / ratio > self.packed.load(Ordering::Relaxed) {
            let wrong = format!(
                "it is compressed to less than 1/{ratio} of its text, as neither boards nor results are: decompress it before \
                 (boards are also read with a greater --max-ratio)"
            );
            return Err(io::Error::new(io::ErrorKind::InvalidData, wrong));
        }
        Ok(read)
    }
}

/// A stream that counts what is read from it.
struct Counted<R> {
    stream: R,
    /// What is read of all inputs.
    all: Arc<AtomicU64>,
    /// What is read of this one.
    own: Arc<AtomicU64>,
    /// The bytes that it had when it was opened, where that is known.
    size: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(into)?;
        self.all.fetch_add(read as u64, Ordering::Relaxed);
        let before = self.own.fetch_add(read as u64, Ordering::Relaxed);
        if read == 0 && !into.is_empty() && before < self.size {
            let wrong = format!("it became shorter while it was read: {before} of {} bytes were there", self.size);
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, wrong));
        }
        Ok(read)
    }
}
