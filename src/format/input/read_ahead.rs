//! Reads ahead from a pipe, to learn how much input remains. The amount decides which tables pay
//! off. A pipe buffers only 64 KiB. If a thread reads a few megabytes ahead while boards are
//! solved, it often reaches the end.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use parking_lot::{Condvar, Mutex};

use super::stream_buffer::{StreamEnd, read_some};
use crate::system::Stream;

/// The maximum number of bytes per read: the capacity of a pipe.
const BLOCK: usize = 64 << 10;

/// A stream from which a separate thread reads ahead, up to a limit.
///
/// The thread ends when the stream ends. If the reader is dropped, the thread ends at once if it
/// waits for space, otherwise after its next read. A read of standard input may never return.
pub struct ReadAhead(Arc<ReadAheadBuffer>);

/// The bytes that were read ahead from a stream. Their number is only a hint; no answer depends on
/// it.
#[derive(Debug, Default)]
pub struct ReadAheadBuffer {
    state: Mutex<ReadAheadState>,
    /// Notified when bytes arrive, there is space for more, or either side has ended.
    changed: Condvar,
    capacity: usize,
}

#[derive(Debug, Default)]
struct ReadAheadState {
    bytes: VecDeque<u8>,
    /// The number of bytes that were read from the stream.
    read: u64,
    end: StreamEnd,
    /// True if the reader was dropped.
    is_abandoned: bool,
}

impl ReadAheadBuffer {
    /// Returns the number of bytes that were read but not consumed, and whether the stream is known
    /// to end after them.
    pub fn unconsumed(&self) -> (u64, bool) {
        let state = self.state.lock();
        (state.bytes.len() as u64, matches!(state.end, StreamEnd::Ended))
    }

    /// Adds bytes once there is space for them. Returns false if the reader was dropped.
    fn add(&self, bytes: &[u8]) -> bool {
        let (mut state, max) = (self.state.lock(), self.capacity.saturating_sub(bytes.len()));
        self.changed.wait_while(&mut state, |state| !state.is_abandoned && state.bytes.len() > max);
        state.bytes.extend(bytes);
        state.read += bytes.len() as u64;
        self.changed.notify_all();
        !state.is_abandoned
    }

    fn end(&self, end: StreamEnd) {
        self.state.lock().end = end;
        self.changed.notify_all();
    }
}

/// Unless the stream pauses, the result depends only on the stream's content, not on its speed.
impl Stream for ReadAheadBuffer {
    fn known_after(&self, bytes: u64) -> u64 {
        /// A writer that pauses this long may be waiting for a result.
        const PAUSE: Duration = Duration::from_millis(100);
        let max = self.capacity.saturating_sub(BLOCK) as u64;
        let mut state = self.state.lock();
        while state.read < bytes + max && matches!(state.end, StreamEnd::Open) && !state.is_abandoned {
            let before = state.read;
            let is_waiting = |state: &mut ReadAheadState| state.read == before && matches!(state.end, StreamEnd::Open);
            if self.changed.wait_while_for(&mut state, is_waiting, PAUSE).timed_out() {
                break;
            }
        }
        state.read.saturating_sub(bytes).min(max)
    }
}

impl ReadAhead {
    /// Reads ahead from a stream by at most `bytes` bytes, or two blocks if `bytes` is less. The
    /// block that the thread holds is included.
    ///
    /// # Errors
    /// Returns the stream if the system refuses to start a thread.
    pub fn new<S: Read + Send + 'static>(stream: S, bytes: usize) -> Result<(ReadAhead, Arc<ReadAheadBuffer>), S> {
        let capacity = bytes.saturating_sub(BLOCK).max(BLOCK);
        // The space is reserved in advance, because a growing queue could take twice the memory.
        // Unused pages cost no memory.
        let state = ReadAheadState { bytes: VecDeque::with_capacity(capacity), ..ReadAheadState::default() };
        let ahead = Arc::new(ReadAheadBuffer { state: Mutex::new(state), capacity, ..ReadAheadBuffer::default() });
        let shared = Arc::clone(&ahead);
        let (sender, receiver) = mpsc::channel::<S>();
        let _ = thread::Builder::new().name("read ahead".into()).spawn(move || {
            let _end = EndOnPanic(&shared);
            if let Ok(stream) = receiver.recv() {
                read_all(stream, &shared);
            }
        });
        // If no thread was started, the receiver was dropped, and sending returns the stream.
        sender.send(stream).map_err(|mpsc::SendError(stream)| stream)?;
        Ok((ReadAhead(Arc::clone(&ahead)), ahead))
    }
}

/// Reads until the stream ends or fails, or the reader is dropped.
fn read_all(mut stream: impl Read, ahead: &ReadAheadBuffer) {
    let mut block = vec![0; BLOCK];
    loop {
        match read_some(&mut stream, &mut block) {
            Ok(0) => return ahead.end(StreamEnd::Ended),
            Ok(read) if ahead.add(&block[..read]) => {}
            Ok(_) => return,
            Err(cause) => return ahead.end(StreamEnd::Failed(Some(cause))),
        }
    }
}

/// A guard that records an error if the stream panics. Otherwise the reader would wait forever.
struct EndOnPanic<'a>(&'a ReadAheadBuffer);

impl Drop for EndOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.end(StreamEnd::Failed(Some(io::Error::other("internal error while reading it"))));
        }
    }
}

impl Read for ReadAhead {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut state = self.0.state.lock();
        self.0.changed.wait_while(&mut state, |state| state.bytes.is_empty() && matches!(state.end, StreamEnd::Open));
        if let (true, StreamEnd::Failed(cause)) = (state.bytes.is_empty(), &mut state.end) {
            return cause.take().map_or(Ok(0), Err);
        }
        let read = state.bytes.read(into)?;
        // The thread is woken only when half the capacity is free. If it were woken more often, it
        // would read only a few bytes at a time.
        if state.bytes.len() <= self.0.capacity / 2 {
            self.0.changed.notify_all();
        }
        Ok(read)
    }
}

impl Drop for ReadAhead {
    fn drop(&mut self) {
        let mut state = self.0.state.lock();
        (state.bytes, state.is_abandoned) = (VecDeque::new(), true);
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream that returns these bytes one by one, the last first, and fails at the end if an
    /// error kind is given.
    struct SingleBytes(Vec<u8>, Option<io::ErrorKind>);

    impl Read for SingleBytes {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            match self.0.pop() {
                Some(byte) => into[0] = byte,
                None => return self.1.take().map_or(Ok(0), |kind| Err(kind.into())),
            }
            Ok(1)
        }
    }

    fn read_ahead(stream: impl Read + Send + 'static, bytes: usize) -> (ReadAhead, Arc<ReadAheadBuffer>) {
        ReadAhead::new(stream, bytes).unwrap_or_else(|_| panic!("no thread"))
    }

    /// One stream arrives in blocks and is longer than the limit. The other arrives in single
    /// bytes. Both are read in pieces of 1,000 bytes.
    #[test]
    fn bytes_arrive_in_order() {
        let text: Vec<u8> = (0..BLOCK * 5 + 17).map(|at| (at % 251) as u8).collect();
        let streams: [Box<dyn Read + Send>; 2] = [
            Box::new(io::Cursor::new(text.clone())),
            Box::new(SingleBytes(text[..1_000].iter().rev().copied().collect(), None)),
        ];
        for (stream, all) in streams.into_iter().zip([&text[..], &text[..1_000]]) {
            let (mut read_ahead, ahead) = read_ahead(stream, 3 * BLOCK);
            let (mut received, mut piece) = (Vec::new(), [0; 1_000]);
            loop {
                match read_ahead.read(&mut piece).unwrap() {
                    0 => break,
                    read => received.extend_from_slice(&piece[..read]),
                }
            }
            assert!(received == all);
            assert_eq!(ahead.unconsumed(), (0, true));
        }
    }

    /// The bytes before a failure are returned, then the failure. The end is not reported.
    #[test]
    fn a_failure_follows_the_bytes_before_it() {
        let stream = SingleBytes(vec![2, 1], Some(io::ErrorKind::BrokenPipe));
        let (mut read_ahead, ahead) = read_ahead(stream, BLOCK);
        let mut received = Vec::new();
        assert_eq!(read_ahead.read_to_end(&mut received).unwrap_err().kind(), io::ErrorKind::BrokenPipe);
        assert_eq!((received, ahead.unconsumed()), (vec![1, 2], (0, false)));
    }

    #[test]
    fn a_panic_in_the_stream_is_an_error() {
        struct Panics;
        impl Read for Panics {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                panic!("a planted fault")
            }
        }
        let (mut read_ahead, ahead) = read_ahead(Panics, BLOCK);
        assert_eq!(read_ahead.read(&mut [0]).unwrap_err().kind(), io::ErrorKind::Other);
        assert_eq!(ahead.unconsumed(), (0, false));
    }

    /// Up to the limit, the bytes are known before any of them is consumed. The end of a short
    /// stream is known even if it arrives byte by byte.
    #[test]
    fn bytes_ahead_are_known() {
        let (endless, ending) = (io::repeat(7), SingleBytes(vec![7; 10_000], None));
        let (full, ahead_of_full) = read_ahead(endless, 4 * BLOCK);
        let (short, ahead_of_short) = read_ahead(ending, 4 * BLOCK);
        while !ahead_of_short.unconsumed().1 || ahead_of_full.unconsumed().0 < 3 * BLOCK as u64 {
            thread::yield_now();
        }
        assert_eq!(
            (ahead_of_full.unconsumed(), ahead_of_short.unconsumed()),
            ((3 * BLOCK as u64, false), (10_000, true))
        );
        drop((full, short));
    }

    /// The result depends on the given position, not on how far the stream was read. If the stream
    /// pauses, only the bytes that have arrived count.
    #[test]
    fn known_bytes_do_not_depend_on_the_bytes_read() {
        let (stream, ahead) = read_ahead(io::Cursor::new(vec![7; 5 * BLOCK]), 4 * BLOCK);
        let max = 2 * BLOCK as u64;
        assert_eq!([0, BLOCK as u64].map(|at| ahead.known_after(at)), [max; 2]);
        let mut stream = stream;
        stream.read_exact(&mut vec![0; 4 * BLOCK]).unwrap();
        assert_eq!([0, BLOCK as u64, 4 * BLOCK as u64].map(|at| ahead.known_after(at)), [max, max, BLOCK as u64]);
        let (pipe, writer) = io::pipe().unwrap();
        let (_stopped, ahead) = read_ahead(pipe, 4 * BLOCK);
        assert_eq!(ahead.known_after(0), 0);
        drop(writer);
    }

    /// A thread that waits for space ends when its reader is dropped.
    #[test]
    fn an_abandoned_stream_is_dropped() {
        let dropped = Arc::new(());
        struct Endless(#[allow(dead_code)] Arc<()>);
        impl Read for Endless {
            fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
                into.fill(1);
                Ok(into.len())
            }
        }
        let (reader, ahead) = read_ahead(Endless(Arc::clone(&dropped)), BLOCK);
        while ahead.unconsumed().0 == 0 {
            thread::yield_now();
        }
        drop(reader);
        while Arc::strong_count(&dropped) > 1 {
            thread::yield_now();
        }
    }
}
