//! The writer's side: finished chunks in, the same order out as they were read in.
//!
//! There is no writer thread. Whoever finishes the chunk that is due writes it, and every chunk
//! behind it that is ready by then; meanwhile the others go on with boards. The sink is taken out
//! of the lock while it is written to, so that nobody waits for a disk.

use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Sink;
use super::accounts::{Accounts, Part};
use super::totals::{Counts, Totals};
use super::window::Window;
use crate::format::input::Position;

/// A finished chunk.
#[derive(Debug, Default)]
pub struct Piece {
    /// Its results.
    pub text: Vec<u8>,
    /// What they say.
    pub counts: Counts,
    /// The run was stopped within this chunk: results after it would leave a gap.
    pub last: bool,
    /// More of this chunk is to come (in unordered runs): its permit is still needed.
    pub more: bool,
    /// Which of its records have their results in the text.
    pub part: Part,
    /// Bytes that the window counts for it.
    pub held: usize,
    /// The shelf that the text's memory came from, and goes back to.
    pub shelf: Option<usize>,
}

/// Takes chunks in any order and writes them in the order asked for.
pub struct Delivery<'a, W> {
    state: Mutex<State<W>>,
    window: &'a Window,
    stop: &'a AtomicBool,
    totals: &'a Totals,
    ordered: bool,
    /// What is written, in runs that can be resumed.
    accounts: Option<Mutex<Accounts>>,
}

struct State<W> {
    /// Not here while somebody writes.
    sink: Option<W>,
    /// Number of the first chunk in `ready`.
    next: u64,
    /// Chunks from `next` on, as far as they have come.
    ready: VecDeque<Option<(u64, Piece)>>,
    ended: bool,
    error: Option<io::Error>,
}

impl<'a, W: Sink> Delivery<'a, W> {
    /// Writes to `sink`; `ordered` keeps the order of the chunks' numbers, from 0. When that fails, all
    /// work is in vain: the window is closed and `stop` raised.
    pub fn new(
        sink: W,
        ordered: bool,
        window: &'a Window,
        stop: &'a AtomicBool,
        totals: &'a Totals,
        accounts: Option<Accounts>,
    ) -> Delivery<'a, W> {
        let state = State { sink: Some(sink), next: 0, ready: VecDeque::new(), ended: false, error: None };
        Delivery { state: Mutex::new(state), window, stop, totals, ordered, accounts: accounts.map(Mutex::new) }
    }

    /// Chunk `number` was read, from one position to another.
    pub fn announce(
        &self,
        number: u64,
        before: Position,
        records: usize,
        after: impl FnOnce() -> Position,
    ) -> Position {
        let Some(accounts) = &self.accounts else { return before };
        let after = after();
        lock(accounts).announce(number, before, records as u64, after.clone());
        after
    }

    /// Hands in chunk `number`; gives back buffers that were written and can be used again.
    pub fn hand_in(&self, number: u64, piece: Piece, recycle: impl Fn(usize, Vec<u8>)) {
        let mut state = self.lock();
        if self.ordered {
            let place = (number - state.next) as usize;
            if state.ready.len() <= place {
                state.ready.resize_with(place + 1, || None);
            }
            state.ready[place] = Some((number, piece));
        } else {
            state.ready.push_back(Some((number, piece)));
        }
        let Some(mut sink) = state.sink.take() else { return };
        while let Some(Some(_)) = state.ready.front() {
            let Some(Some((number, piece))) = state.ready.pop_front() else { break };
            state.next += u64::from(self.ordered);
            if !state.ended {
                // Unlocked while it is written: others hand in what they have.
                drop(state);
                let written = self.write(&mut sink, number, &piece);
                state = self.lock();
                match written {
                    Ok(()) => self.totals.add_written(&piece.counts, piece.text.len()),
                    Err(error) => {
                        state.error = Some(error);
                        state.ended = true;
                        self.stop.store(true, Ordering::Relaxed);
                        self.window.close();
                    }
                }
                state.ended |= piece.last && self.ordered;
            }
            if piece.held > 0 {
                self.window.release(piece.held);
            }
            if !piece.more {
                self.window.leave();
            }
            if let Some(shelf) = piece.shelf {
                recycle(shelf, piece.text);
            };
        }
        state.sink = Some(sink);
    }

    /// Writes a piece, and keeps the record of what is written.
    fn write(&self, sink: &mut W, number: u64, piece: &Piece) -> io::Result<()> {
        sink.write_all(&piece.text)?;
        let Some(accounts) = &self.accounts else { return Ok(()) };
        // What ends in the middle of a chunk is not recorded, and cut off when the run is resumed.
        if piece.last && self.ordered {
            return Ok(());
        }
        lock(accounts).settle(number, &piece.part, &piece.text, &piece.counts);
        match sink.journal().filter(|journal| journal.is_due()) {
            Some(journal) => journal.commit(lock(accounts).progress()),
            None => Ok(()),
        }
    }

    /// After the last chunk: flushes the sink, and concludes its journal.
    ///
    /// # Errors
    /// The first error of writing, if there was one.
    pub fn finish(self) -> io::Result<()> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let Some(mut sink) = state.sink else { return state.error.map_or(Ok(()), Err) };
        let flushed = state.error.map_or_else(|| sink.flush(), Err);
        let progress =
            self.accounts.map(|accounts| accounts.into_inner().unwrap_or_else(PoisonError::into_inner).progress());
        let concluded = match (sink.journal(), progress) {
            (Some(journal), Some(progress)) => journal.conclude(progress),
            _ => Ok(()),
        };
        // The first error is the cause of those behind it.
        flushed.and(concluded)
    }

    fn lock(&self) -> MutexGuard<'_, State<W>> {
        lock(&self.state)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn deliver(ordered: bool, pieces: &[(u64, &str, bool)]) -> String {
        let (window, stop, totals) = (Window::new(9, 9, 99), AtomicBool::new(false), Totals::default());
        let mut sink = Vec::new();
        let delivery = Delivery::new(&mut sink, ordered, &window, &stop, &totals, None);
        for &(number, text, last) in pieces {
            assert!(window.enter());
            delivery.hand_in(number, Piece { text: text.into(), last, ..Piece::default() }, |_, _| ());
        }
        delivery.finish().unwrap();
        String::from_utf8(sink).unwrap()
    }

    #[test]
    fn order_is_restored_or_left_alone() {
        let pieces = [(2, "c", false), (0, "a", false), (1, "b", false), (3, "d", false)];
        assert_eq!(deliver(true, &pieces), "abcd");
        assert_eq!(deliver(false, &pieces), "cabd");
    }

    #[test]
    fn nothing_follows_a_gap() {
        let pieces = [(1, "b", true), (0, "a", false), (2, "c", false)];
        assert_eq!(deliver(true, &pieces), "ab");
        assert_eq!(deliver(false, &pieces), "bac");
    }

    #[test]
    fn a_write_error_closes_the_window_and_is_told() {
        struct Broken;
        impl Write for Broken {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        impl Sink for Broken {}
        let (window, stop, totals) = (Window::new(9, 9, 99), AtomicBool::new(false), Totals::default());
        let delivery = Delivery::new(Broken, true, &window, &stop, &totals, None);
        assert!(window.enter());
        delivery.hand_in(0, Piece { text: b"a".to_vec(), ..Piece::default() }, |_, _| ());
        assert!(!window.enter() && stop.load(Ordering::Relaxed));
        assert_eq!(delivery.finish().unwrap_err().kind(), io::ErrorKind::BrokenPipe);
        assert_eq!(totals.bytes_written(), 0);
    }
}
