//! Frames one after the other.

use std::hash::Hasher as _;
use std::io::{self, BufReader, Read};

use twox_hash::XxHash64;

use super::block::Decoder;
use super::damage::Damage;
use super::header::Header;
use super::history::{BLOCK_BYTES, History};

const FRAME: u32 = 0xfd2f_b528;
/// Frames that hold something else than text, and are skipped; the last four bits are free.
const SKIPPED: u32 = 0x184d_2a50;

const CUT_OFF: &str = "it ends in the middle of a zstd frame: it is cut off";
const NO_FRAME: &str = "something follows the compressed data that is no zstd frame";

/// The text of zstd frames one after the other. What is allocated for it is the largest window, and two thirds of a megabyte.
pub struct Zstd {
    stream: BufReader<Box<dyn Read + Send>>,
    /// The largest window that is accepted.
    max_window: u64,
    frame: Option<Frame>,
    history: History,
    decoder: Decoder,
    /// The compressed bytes of a block.
    block: Vec<u8>,
    /// What is wrong; it is the end.
    failed: Option<(io::ErrorKind, String)>,
}

/// A frame that is being read.
struct Frame {
    text_bytes: Option<u64>,
    /// The most bytes of text in a block.
    block_bytes: usize,
    checksum: Option<XxHash64>,
    /// What is left of it is its checksum, if it has one.
    is_over: bool,
}

impl Zstd {
    /// The text in a stream of frames with windows of at most `1 << window_log` bytes.
    pub fn new(stream: Box<dyn Read + Send>, window_log: u32) -> Zstd {
        Zstd {
            stream: BufReader::with_capacity(BLOCK_BYTES, stream),
            max_window: 1 << window_log.min(31),
            frame: None,
            history: History::default(),
            decoder: Decoder::new(),
            block: vec![0; BLOCK_BYTES],
            failed: None,
        }
    }

    /// Reads on to the next block that has text, or to the end.
    fn advance(&mut self) -> io::Result<()> {
        while self.history.pending().is_empty() {
            match self.frame.take() {
                None if !self.begin_frame()? => break,
                None => {}
                Some(frame) if frame.is_over => self.end_frame(frame)?,
                Some(frame) => self.frame = Some(self.read_block(frame)?),
            }
        }
        Ok(())
    }

    /// Begins the next frame, or skips one that is none of text; false at the end.
    fn begin_frame(&mut self) -> io::Result<bool> {
        let mut magic = [0; 4];
        match read_full(&mut self.stream, &mut magic)? {
            0 => return Ok(false),
            4 => {}
            _ => return Err(invalid(NO_FRAME)),
        }
        match u32::from_le_bytes(magic) {
            FRAME => self.begin_text().map(|()| true),
            other if other & !15 == SKIPPED => self.skip_frame().map(|()| true),
            _ => Err(invalid(NO_FRAME)),
        }
    }

    fn skip_frame(&mut self) -> io::Result<()> {
        let mut bytes = [0; 4];
        read_all(&mut self.stream, &mut bytes)?;
        let mut left = u32::from_le_bytes(bytes) as usize;
        while left > 0 {
            let some = left.min(self.block.len());
            read_all(&mut self.stream, &mut self.block[..some])?;
            left -= some;
        }
        Ok(())
    }

    fn begin_text(&mut self) -> io::Result<()> {
        let mut first = [0];
        read_all(&mut self.stream, &mut first)?;
        let bytes = Header::bytes(first[0]).ok_or_else(|| damaged(Damage("a bit that is reserved")))?;
        let mut rest = [0; Header::MOST_BYTES];
        read_all(&mut self.stream, &mut rest[..bytes])?;
        let header = Header::parse(first[0], &rest[..bytes]);
        if header.dictionary != 0 {
            return Err(invalid(&format!(
                "it was compressed with a zstd dictionary (number {}), which is not at hand: decompress it before",
                header.dictionary
            )));
        }
        if header.window > self.max_window {
            return Err(invalid(&format!(
                "its zstd window of {} bytes is larger than the {} bytes that are accepted: decompress it before",
                header.window, self.max_window
            )));
        }
        // What is referred to is no longer than the text.
        let window = header.window.min(header.text_bytes.unwrap_or(u64::MAX));
        self.history.begin(window as usize);
        self.decoder.clear();
        self.frame = Some(Frame {
            text_bytes: header.text_bytes,
            block_bytes: BLOCK_BYTES.min(header.window as usize),
            checksum: header.has_checksum.then(|| XxHash64::with_seed(0)),
            is_over: false,
        });
        Ok(())
    }

    /// Reads a block of a frame.
    fn read_block(&mut self, mut frame: Frame) -> io::Result<Frame> {
        let mut head = [0; 4];
        read_all(&mut self.stream, &mut head[..3])?;
        let head = u32::from_le_bytes(head);
        let (is_last, kind, bytes) = (head & 1 == 1, head >> 1 & 3, (head >> 3) as usize);
        if bytes > frame.block_bytes {
            return Err(damaged(Damage("a block that is longer than it may be")));
        }
        let mut text = self.history.block(frame.block_bytes);
        match kind {
            0 => read_all(&mut self.stream, text.space(bytes).map_err(damaged)?)?,
            1 => {
                let mut byte = [0];
                read_all(&mut self.stream, &mut byte)?;
                text.space(bytes).map_err(damaged)?.fill(byte[0]);
            }
            2 => {
                let block = &mut self.block[..bytes];
                read_all(&mut self.stream, block)?;
                self.decoder.decode(block, frame.block_bytes, &mut text).map_err(damaged)?;
            }
            _ => return Err(damaged(Damage("a kind of block that does not exist"))),
        }
        let end = text.at;
        let text = self.history.add(end);
        if let Some(checksum) = &mut frame.checksum {
            checksum.write(text);
        }
        let total = self.history.total();
        if frame.text_bytes.is_some_and(|bytes| if is_last { total != bytes } else { total > bytes }) {
            return Err(damaged(Damage("a frame of another length than it says")));
        }
        frame.is_over = is_last;
        Ok(frame)
    }

    /// Holds the text of a frame, which was handed out, to its checksum.
    fn end_frame(&mut self, frame: Frame) -> io::Result<()> {
        let Some(checksum) = frame.checksum else { return Ok(()) };
        let mut expected = [0; 4];
        read_all(&mut self.stream, &mut expected)?;
        if u32::from_le_bytes(expected) != checksum.finish() as u32 {
            return Err(damaged(Damage("the text differs from its checksum")));
        }
        Ok(())
    }
}

impl Read for Zstd {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if into.is_empty() {
            return Ok(0);
        }
        if let Some((kind, wrong)) = &self.failed {
            return Err(io::Error::new(*kind, wrong.clone()));
        }
        self.advance().inspect_err(|cause| self.failed = Some((cause.kind(), cause.to_string())))?;
        let text = self.history.pending();
        let bytes = text.len().min(into.len());
        into[..bytes].copy_from_slice(&text[..bytes]);
        self.history.take(bytes);
        Ok(bytes)
    }
}

/// Fills the bytes; an error where there are not so many.
fn read_all(stream: &mut impl Read, into: &mut [u8]) -> io::Result<()> {
    let bytes = into.len();
    match read_full(stream, into)? {
        read if read == bytes => Ok(()),
        _ => Err(io::Error::new(io::ErrorKind::UnexpectedEof, CUT_OFF)),
    }
}

/// Reads as many bytes as there are, and at most those that are asked for.
fn read_full(stream: &mut impl Read, into: &mut [u8]) -> io::Result<usize> {
    let mut known = 0;
    while known < into.len() {
        match stream.read(&mut into[known..]) {
            Ok(0) => break,
            Ok(read) => known += read,
            Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
            Err(cause) => return Err(cause),
        }
    }
    Ok(known)
}

fn invalid(wrong: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, wrong)
}

fn damaged(Damage(what): Damage) -> io::Error {
    invalid(&format!("the zstd data are damaged: {what}"))
}
