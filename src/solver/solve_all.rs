//! Solves all boards of an iterator in parallel and answers them in order.
//!
//! The iterator is read by the thread that requests answers, so it need not be `Send`. Boards go to
//! the solver's threads in *chunks*: single boards if they must be searched, and chunks of
//! increasing size if they are cheap. A queue holds the chunks in flight. The answers of its first
//! chunk are returned, then the next chunk is awaited. The queue has a limited length, which bounds
//! the memory and how far ahead the iterator is read.

use std::collections::VecDeque;
use std::iter::{Fuse, FusedIterator};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use super::answer::Answer;
use super::options::{CancelToken, SolveOptions};
use super::settings::Settings;
use super::shared::Shared;
use super::worker::Worker;
use crate::board::{Board, Error, ErrorKind, Goal, MAX_SEARCH_CELLS};
use crate::engine::Parallel;
use crate::system::InputPosition;

/// A board and its goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle {
    /// The board.
    pub board: Board,
    /// Its goal.
    pub goal: Goal,
}

impl From<Board> for Puzzle {
    fn from(board: Board) -> Puzzle {
        Puzzle { board, goal: Goal::BlankLast }
    }
}

impl From<&Board> for Puzzle {
    fn from(board: &Board) -> Puzzle {
        Puzzle::from(board.clone())
    }
}

impl From<(Board, Goal)> for Puzzle {
    fn from((board, goal): (Board, Goal)) -> Puzzle {
        Puzzle { board, goal }
    }
}

/// The answers in the order of their boards, see [`Solver::solve_all`](super::Solver::solve_all).
#[derive(Debug)]
pub struct SolveAll<I> {
    shared: Arc<Shared>,
    options: SolveOptions,
    puzzles: Fuse<I>,
    /// The chunks in flight, in the order of reading.
    in_flight: VecDeque<Arc<Chunk>>,
    /// The remaining answers of the first chunk.
    ready: std::vec::IntoIter<Result<Answer, Error>>,
    chunk_size: usize,
    /// The number of boards read so far.
    boards_read: usize,
    /// True if threads could not be started, so that nothing more is read.
    failed: bool,
    /// A child of the caller's token, cancelled when this iterator is dropped, to end its searches.
    cancel: CancelToken,
}

/// The answers to boards that one thread solves one by one.
#[derive(Debug, Default)]
struct Chunk {
    answers: Mutex<Option<Answers>>,
    finished: Condvar,
    /// The approximate number of moves of all answers, which determines their memory if boards are
    /// large.
    expected_moves: u64,
}

#[derive(Debug)]
struct Answers {
    answers: Vec<Result<Answer, Error>>,
    /// The number of boards that were searched.
    searched: usize,
}

impl Chunk {
    fn finish(&self, answers: Answers) {
        *self.answers.lock().unwrap_or_else(PoisonError::into_inner) = Some(answers);
        self.finished.notify_all();
    }

    fn wait(&self) -> Answers {
        let mut guard = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            match guard.take() {
                Some(answers) => return answers,
                None => guard = self.finished.wait(guard).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

/// Solves the boards of a chunk, the last of which has the position `end`.
fn solve_chunk(shared: &Arc<Shared>, puzzles: &[Puzzle], options: &SolveOptions, end: &InputPosition) -> Answers {
    let (mut worker, mut searched) = (Worker::in_task(shared), 0);
    let answers = puzzles.iter().zip((0..puzzles.len() as u64).rev()).map(|(Puzzle { board, goal }, later)| {
        worker.set_input_position(end.earlier(later));
        let answered = worker.answer_safely(board, goal, options)?;
        searched += usize::from(answered.effort.is_some());
        Ok(answered.answer)
    });
    let answers = answers.collect();
    Answers { answers, searched }
}

/// Returns the approximate number of moves of a good path, or 0 for a small board, whose path takes
/// negligible memory.
fn expected_moves(board: &Board) -> u64 {
    let cells = board.shape().cells();
    if cells <= MAX_SEARCH_CELLS { 0 } else { (2.5 * cells as f64 * (cells as f64).sqrt()) as u64 }
}

impl<I> SolveAll<I> {
    /// Maximum number of boards in a chunk.
    const MAX_BOARDS: usize = 256;

    /// Approximate maximum number of cells of all boards in a chunk, which bounds the memory if
    /// boards are large.
    const MAX_CELLS: usize = 1 << 14;

    /// Approximate maximum number of moves of all answers in flight.
    const MAX_MOVES: u64 = 64 << 20;

    /// Maximum number of chunks in flight with up to 8 threads. It limits how far other threads can
    /// get ahead while the first chunk is hard.
    const CHUNKS: usize = 32;
    /// Maximum number of chunks in flight per thread, with more than 8 threads.
    const CHUNKS_PER_THREAD: usize = 4;

    /// Maximum number of boards read ahead of the answers with up to 8 threads. With more threads
    /// it grows in proportion.
    pub const MOST_AHEAD: usize = Self::CHUNKS * Self::MAX_BOARDS;

    fn max_in_flight(&self) -> usize {
        let Settings { parallel, threads, .. } = self.shared.settings();
        match parallel {
            Parallel::Auto | Parallel::Across => Self::CHUNKS.max(Self::CHUNKS_PER_THREAD * threads),
            // One board at a time, with all threads.
            Parallel::Within => 1,
        }
    }
}

impl<P: Into<Puzzle>, I: Iterator<Item = P>> SolveAll<I> {
    pub(super) fn new(shared: &Arc<Shared>, puzzles: I, options: &SolveOptions) -> SolveAll<I> {
        let (options, cancel) = options.with_child_token();
        SolveAll {
            shared: Arc::clone(shared),
            options,
            puzzles: puzzles.fuse(),
            in_flight: VecDeque::new(),
            ready: Vec::new().into_iter(),
            chunk_size: 1,
            boards_read: 0,
            failed: false,
            cancel,
        }
    }

    /// Reads chunks until enough are in flight or the iterator ends.
    fn fill(&mut self) -> Result<(), Error> {
        while !self.failed && self.in_flight.len() < self.max_in_flight() && self.has_room() {
            let puzzles = self.read_chunk();
            if puzzles.is_empty() {
                return Ok(());
            }
            self.boards_read += puzzles.len();
            let end = InputPosition::new(self.boards_read as u64, self.puzzles.size_hint().0 as u64);
            let moves = puzzles.iter().map(|puzzle| expected_moves(&puzzle.board)).sum();
            let chunk = Arc::new(Chunk { expected_moves: moves, ..Chunk::default() });
            self.spawn(puzzles, end, Arc::clone(&chunk))?;
            self.in_flight.push_back(chunk);
        }
        Ok(())
    }

    /// Returns true if the answers in flight leave memory for more. A path of the largest boards
    /// has about 40 million moves.
    fn has_room(&self) -> bool {
        self.in_flight.iter().map(|chunk| chunk.expected_moves).sum::<u64>() < Self::MAX_MOVES
    }

    /// Reads the boards of the next chunk, fewer if they are large.
    fn read_chunk(&mut self) -> Vec<Puzzle> {
        let (mut puzzles, mut cells) = (Vec::new(), 0);
        while puzzles.len() < self.chunk_size && cells < Self::MAX_CELLS {
            let Some(puzzle) = self.puzzles.next() else { break };
            let puzzle: Puzzle = puzzle.into();
            cells += puzzle.board.shape().cells();
            puzzles.push(puzzle);
        }
        puzzles
    }

    fn spawn(&self, puzzles: Vec<Puzzle>, end: InputPosition, chunk: Arc<Chunk>) -> Result<(), Error> {
        let (shared, options) = (Arc::clone(&self.shared), self.options.clone());
        let task = shared.thread_share().task();
        self.shared.pool()?.spawn_fifo(move || {
            // The caller waits for this chunk, so it must be finished even after a panic.
            let solved = catch_unwind(AssertUnwindSafe(|| solve_chunk(&shared, &puzzles, &options, &end)));
            let fault = || Error::new(ErrorKind::Fault, "the program failed on this board or one near it");
            chunk.finish(solved.unwrap_or_else(|_| Answers {
                answers: puzzles.iter().map(|_| Err(fault())).collect(),
                searched: puzzles.len(),
            }));
            drop(task);
        });
        Ok(())
    }

    /// Adapts the size of chunks. Boards that must be searched get separate chunks, so that all
    /// threads have work. Chunks of cheap boards grow, so that threads rarely synchronise.
    fn adapt(&mut self, answers: &Answers) {
        self.chunk_size = match answers.searched {
            0 => (answers.answers.len() * 2).clamp(1, Self::MAX_BOARDS),
            _ => 1,
        };
    }
}

impl<P: Into<Puzzle>, I: Iterator<Item = P>> Iterator for SolveAll<I> {
    type Item = Result<Answer, Error>;

    fn next(&mut self) -> Option<Result<Answer, Error>> {
        loop {
            if let Some(answer) = self.ready.next() {
                return Some(answer);
            }
            if let Err(error) = self.fill() {
                // Without threads no more boards can be answered.
                self.failed = true;
                self.in_flight.clear();
                return Some(Err(error));
            }
            let chunk = self.in_flight.pop_front()?;
            let answers = chunk.wait();
            self.adapt(&answers);
            self.ready = answers.answers.into_iter();
        }
    }
}

impl<P: Into<Puzzle>, I: Iterator<Item = P>> FusedIterator for SolveAll<I> {}

impl<I> Drop for SolveAll<I> {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}
