//! Reading ahead of a pipe. A pipe holds 64 KiB, and nobody knows how much will come through it; but what is there already, up to
//! a few megabytes, and often its end, is known as soon as somebody reads on while boards are solved. What is to come decides
//! which tables pay.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use super::window::read_some;

/// What is read at once, at most: what a pipe holds.
const BLOCK: usize = 64 << 10;

/// A stream that a thread of its own reads, as far ahead as there is room.
///
/// The thread ends with the stream, or when its reader is gone and something more comes: of standard input, that may be never.
pub struct ReadAhead {
    blocks: Receiver<io::Result<Vec<u8>>>,
    block: Vec<u8>,
    /// The bytes of the block that were consumed.
    consumed: usize,
    ahead: Arc<Ahead>,
}

/// What was read ahead of a stream: a hint, on which no answer depends.
#[derive(Debug, Default)]
pub struct Ahead {
    bytes: AtomicU64,
    ended: AtomicBool,
}

impl Ahead {
    /// The bytes that were read and not consumed yet, and whether they are all that is left.
    pub fn known(&self) -> (u64, bool) {
        // The end is set behind the last bytes: first it, then them.
        let ended = self.ended.load(Ordering::Acquire);
        (self.bytes.load(Ordering::Relaxed), ended)
    }
}

impl ReadAhead {
    /// Reads a stream ahead, up to so many bytes, which are one block at least; what is ahead is told by the other.
    ///
    /// # Errors
    /// When the system refuses a thread.
    pub fn new(stream: impl Read + Send + 'static, bytes: usize) -> io::Result<(ReadAhead, Arc<Ahead>)> {
        let ahead: Arc<Ahead> = Arc::default();
        // One more is in the hands of the thread, and one in those of the reader.
        let (sender, blocks) = sync_channel((bytes / BLOCK).saturating_sub(2));
        let known = Arc::clone(&ahead);
        thread::Builder::new().name("read ahead".into()).spawn(move || read_all(stream, &sender, &known))?;
        Ok((ReadAhead { blocks, block: Vec::new(), consumed: 0, ahead: Arc::clone(&ahead) }, ahead))
    }
}

/// Reads blocks until the stream ends or fails, or nobody wants them.
fn read_all(mut stream: impl Read, blocks: &SyncSender<io::Result<Vec<u8>>>, ahead: &Ahead) {
    let mut block = vec![0; BLOCK];
    loop {
        let read = match read_some(&mut stream, &mut block) {
            Ok(0) => break,
            Ok(read) => Ok(block[..read].to_vec()),
            Err(cause) => Err(cause),
        };
        let failed = read.is_err();
        ahead.bytes.fetch_add(read.as_ref().map_or(0, |read| read.len() as u64), Ordering::Relaxed);
        if blocks.send(read).is_err() || failed {
            return;
        }
    }
    ahead.ended.store(true, Ordering::Release);
}

impl Read for ReadAhead {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.consumed == self.block.len() {
            match self.blocks.recv() {
                Ok(read) => (self.block, self.consumed) = (read?, 0),
                Err(_) => return Ok(0),
            }
        }
        let read = into.len().min(self.block.len() - self.consumed);
        into[..read].copy_from_slice(&self.block[self.consumed..self.consumed + read]);
        self.consumed += read;
        self.ahead.bytes.fetch_sub(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads one byte at a time, and fails at the end if it is told to.
    struct Drops(Vec<u8>, Option<io::ErrorKind>);

    impl Read for Drops {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            match self.0.pop() {
                Some(byte) => into[0] = byte,
                None => return self.1.take().map_or(Ok(0), |kind| Err(kind.into())),
            }
            Ok(1)
        }
    }

    /// More than there is room for, in blocks and in drops; read in pieces that are no blocks.
    #[test]
    fn everything_comes_in_its_order() {
        let text: Vec<u8> = (0..BLOCK * 5 + 17).map(|at| (at % 251) as u8).collect();
        let streams: [Box<dyn Read + Send>; 2] = [
            Box::new(io::Cursor::new(text.clone())),
            Box::new(Drops(text[..1_000].iter().rev().copied().collect(), None)),
        ];
        for (stream, all) in streams.into_iter().zip([&text[..], &text[..1_000]]) {
            let (mut read_ahead, ahead) = ReadAhead::new(stream, 3 * BLOCK).unwrap();
            let (mut came, mut piece) = (Vec::new(), [0; 1_000]);
            loop {
                match read_ahead.read(&mut piece).unwrap() {
                    0 => break,
                    read => came.extend_from_slice(&piece[..read]),
                }
            }
            assert!(came == all);
            assert_eq!(ahead.known(), (0, true));
        }
    }

    /// What came before a failure is delivered, then the failure, and no end.
    #[test]
    fn a_failure_comes_in_its_place() {
        let stream = Drops(vec![2, 1], Some(io::ErrorKind::BrokenPipe));
        let (mut read_ahead, ahead) = ReadAhead::new(stream, BLOCK).unwrap();
        let mut came = Vec::new();
        assert_eq!(read_ahead.read_to_end(&mut came).unwrap_err().kind(), io::ErrorKind::BrokenPipe);
        assert_eq!((came, ahead.known()), (vec![1, 2], (0, false)));
    }

    /// A short stream is known to its end before any of it is consumed.
    #[test]
    fn what_is_ahead_is_known() {
        let (read_ahead, ahead) = ReadAhead::new(io::Cursor::new(vec![0; 1_000]), 4 * BLOCK).unwrap();
        while !ahead.known().1 {
            thread::yield_now();
        }
        assert_eq!(ahead.known(), (1_000, true));
        drop(read_ahead);
    }
}
