//! All boards of an iterator, solved in parallel and answered in order.
//!
//! The iterator is read by the thread that asks for answers, so it may be any iterator. What was read goes to the
//! solver's threads in *chunks*: of one board where boards have to be searched, of more and more where they are cheap.
//! Chunks in flight wait in a queue; the answers of the first are given out, then the next chunk is waited for. So what
//! is in memory is bounded by the queue, whatever a single board costs, and nothing is read that was not asked for
//! soon before.

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
use crate::system::ToCome;

/// A board and what it is to become.
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

/// Answers in the order of their boards, see [`Solver::solve_all`](super::Solver::solve_all).
#[derive(Debug)]
pub struct SolveAll<I> {
    shared: Arc<Shared>,
    options: SolveOptions,
    puzzles: Fuse<I>,
    /// In the order in which they were read.
    in_flight: VecDeque<Arc<Chunk>>,
    /// What is left of the first chunk's answers.
    ready: std::vec::IntoIter<Result<Answer, Error>>,
    chunk_size: usize,
    /// Boards that were read, for what is known of those to come.
    read: usize,
    /// Nothing more is to be read: there are no threads to solve it.
    failed: bool,
    /// Ends what is in flight: a child of the caller's token, cancelled when this is dropped.
    cancel: CancelToken,
}

/// Boards that one thread solves one after the other, and their answers.
#[derive(Debug, Default)]
struct Chunk {
    answers: Mutex<Option<Answers>>,
    finished: Condvar,
    /// Moves that its answers may have, about: what they take in memory where boards are large.
    expected: u64,
}

#[derive(Debug)]
struct Answers {
    answers: Vec<Result<Answer, Error>>,
    /// How many of the boards had to be searched.
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

/// Solves the boards of a chunk.
fn solve_chunk(shared: &Arc<Shared>, puzzles: &[Puzzle], options: &SolveOptions, to_come: &ToCome) -> Answers {
    let (mut worker, mut searched) = (Worker::in_task(shared), 0);
    let answers = puzzles.iter().zip((0..puzzles.len() as u64).rev()).map(|(Puzzle { board, goal }, left)| {
        worker.expect(to_come.earlier(left));
        let answered = worker.answer_safely(board, goal, options)?;
        searched += usize::from(answered.effort.is_some());
        Ok(answered.answer)
    });
    let answers = answers.collect();
    Answers { answers, searched }
}

/// The moves of a good path of a board, about; of a small one nothing that counts.
fn expected_moves(board: &Board) -> u64 {
    let cells = board.shape().cells();
    if cells <= MAX_SEARCH_CELLS { 0 } else { (2.5 * cells as f64 * (cells as f64).sqrt()) as u64 }
}

impl<I> SolveAll<I> {
    /// Boards of a chunk, at most.
    const MOST_BOARDS: usize = 256;

    /// Cells of all boards of a chunk, about: what bounds the memory where boards are large.
    const MOST_CELLS: usize = 1 << 14;

    /// Moves of all answers in flight, about.
    const MOST_MOVES: u64 = 64 << 20;

    /// Chunks in flight, at least and for each thread: how far the others get ahead while the first is hard.
    const CHUNKS: usize = 32;
    const CHUNKS_A_THREAD: usize = 4;

    /// The iterator is read at most this many boards ahead of the answers; with more than 8 threads, in proportion.
    pub const MOST_AHEAD: usize = Self::CHUNKS * Self::MOST_BOARDS;

    fn window(&self) -> usize {
        let Settings { parallel, threads, .. } = self.shared.settings();
        match parallel {
            Parallel::Auto | Parallel::Across => Self::CHUNKS.max(Self::CHUNKS_A_THREAD * threads),
            // One board after the other, all threads on each.
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
            read: 0,
            failed: false,
            cancel,
        }
    }

    /// Reads chunks until enough are in flight or the iterator ends.
    fn fill(&mut self) -> Result<(), Error> {
        while !self.failed && self.in_flight.len() < self.window() && self.has_room() {
            let puzzles = self.read_chunk();
            if puzzles.is_empty() {
                return Ok(());
            }
            self.read += puzzles.len();
            let to_come = ToCome::new(self.read as u64, self.puzzles.size_hint().0 as u64);
            let expected = puzzles.iter().map(|puzzle| expected_moves(&puzzle.board)).sum();
            let chunk = Arc::new(Chunk { expected, ..Chunk::default() });
            self.spawn(puzzles, to_come, Arc::clone(&chunk))?;
            self.in_flight.push_back(chunk);
        }
        Ok(())
    }

    /// Whether the answers in flight leave room for more: a path of the largest boards has 35 million moves.
    fn has_room(&self) -> bool {
        self.in_flight.iter().map(|chunk| chunk.expected).sum::<u64>() < Self::MOST_MOVES
    }

    /// The next boards: no more than a chunk takes, and of large ones fewer.
    fn read_chunk(&mut self) -> Vec<Puzzle> {
        let (mut puzzles, mut cells) = (Vec::new(), 0);
        while puzzles.len() < self.chunk_size && cells < Self::MOST_CELLS {
            let Some(puzzle) = self.puzzles.next() else { break };
            let puzzle: Puzzle = puzzle.into();
            cells += puzzle.board.shape().cells();
            puzzles.push(puzzle);
        }
        puzzles
    }

    fn spawn(&self, puzzles: Vec<Puzzle>, to_come: ToCome, chunk: Arc<Chunk>) -> Result<(), Error> {
        let (shared, options) = (Arc::clone(&self.shared), self.options.clone());
        let task = shared.thread_share().task();
        self.shared.pool()?.spawn_fifo(move || {
            // The consumer waits for this chunk, whatever happens in it.
            let solved = catch_unwind(AssertUnwindSafe(|| solve_chunk(&shared, &puzzles, &options, &to_come)));
            let fault = || Error::new(ErrorKind::Fault, "the program failed on this board or one near it");
            chunk.finish(solved.unwrap_or_else(|_| Answers {
                answers: puzzles.iter().map(|_| Err(fault())).collect(),
                searched: puzzles.len(),
            }));
            drop(task);
        });
        Ok(())
    }

    /// A board that is searched is a chunk of its own, so that all threads have work; chunks of cheap boards grow, so
    /// that threads rarely meet.
    fn adapt(&mut self, answers: &Answers) {
        self.chunk_size = match answers.searched {
            0 => (answers.answers.len() * 2).clamp(1, Self::MOST_BOARDS),
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
                // Without threads there is nothing more to come.
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
