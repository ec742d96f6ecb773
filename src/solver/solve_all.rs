//! Solves all boards of an iterator in parallel and answers them in order.
//!
//! The iterator is read by the thread that requests answers, so it need not be `Send`. Boards go to
//! the solver's threads in *chunks*: of one board if boards must be searched, and of increasing
//! size if they are cheap. A queue holds the chunks in flight. The answers of its first chunk are
//! returned, then the next chunk is awaited. The queue has a limited length, which bounds the
//! memory and how far ahead the iterator is read.

use std::collections::VecDeque;
use std::iter::{Fuse, FusedIterator};
use std::sync::mpsc::{Receiver, channel};

use super::call::{Answer, SolveOptions};
use super::handle::Solver;
use super::settings::Settings;
use super::worker::Threads;
use crate::board::{Board, Error, Goal, MAX_SEARCH_CELLS};
use crate::engine::Parallel;
use crate::system::InputPosition;

/// Many boards.
impl Solver {
    /// Solves all boards of an iterator: in parallel, in order, lazily, and in bounded memory.
    ///
    /// An item is a board, whose goal is then `1 2 3 … 0`, or a board and its [`Goal`]. The answers
    /// equal the answers of [`Solver::solve_to`]. The iterator is read only when an answer is
    /// requested, but then up to [several thousand](SolveAll::MOST_AHEAD) boards ahead of the
    /// answer. If the iterator itself waits for answers, use a [`Worker`](super::Worker) instead.
    /// Dropping the returned iterator ends the searches.
    ///
    /// ```
    /// use taquin::{Board, Solver};
    ///
    /// let boards = ["1 2 3/4 5 6/0 7 8", "1 2 3/0 5 6/4 7 8", "1 2 3/4 5 6/8 7 0"];
    /// let boards = boards.map(|text| text.parse::<Board>().unwrap());
    /// let moves: Vec<_> = Solver::new().solve_all(boards).map(|answer| answer.unwrap().moves()).collect();
    /// assert_eq!(moves, [Some(2), Some(3), None]);
    /// ```
    pub fn solve_all<I: IntoIterator<Item: Into<Puzzle>>>(&self, puzzles: I) -> SolveAll<I::IntoIter> {
        self.solve_all_with(puzzles, &SolveOptions::default())
    }

    /// Solves all boards of an iterator with limits for this call and a token by which another
    /// thread can cancel it. Searches not finished before the cancellation give
    /// [`Answer::Unsolved`].
    pub fn solve_all_with<I>(&self, puzzles: I, options: &SolveOptions) -> SolveAll<I::IntoIter>
    where
        I: IntoIterator<Item: Into<Puzzle>>,
    {
        SolveAll {
            solver: self.clone(),
            options: SolveOptions { cancel: options.cancel.child(), ..options.clone() },
            puzzles: puzzles.into_iter().fuse(),
            in_flight: VecDeque::new(),
            ready: Vec::new().into_iter(),
            chunk_size: 1,
            boards_read: 0,
        }
    }
}

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
    solver: Solver,
    /// The caller's options, with a child of the caller's token. The child is cancelled when this
    /// iterator is dropped, to end the iterator's searches.
    options: SolveOptions,
    puzzles: Fuse<I>,
    /// The chunks in flight, in the order of reading.
    in_flight: VecDeque<ChunkInFlight>,
    /// The remaining answers of the first chunk.
    ready: <Answers as IntoIterator>::IntoIter,
    /// Maximum number of boards in the next chunk; 0 if threads could not be started.
    chunk_size: usize,
    /// The number of boards read so far.
    boards_read: usize,
}

type Answers = Vec<Result<Answer, Error>>;

/// A chunk in flight: boards that one thread solves one by one.
#[derive(Debug)]
struct ChunkInFlight {
    /// Receives the answers, and true if a board was searched.
    answers: Receiver<(Answers, bool)>,
    /// The approximate number of moves of all answers, which determines their memory if boards are
    /// large.
    expected_moves: u64,
}

/// Solves the boards of a chunk. `end` is the position of the chunk's last board in the input.
/// Returns the answers, and true if a board was searched.
fn solve_chunk(solver: &Solver, puzzles: &[Puzzle], options: &SolveOptions, end: &InputPosition) -> (Answers, bool) {
    let (mut worker, mut any_searched) = (solver.worker_on(Threads::PoolTask), false);
    let answers = puzzles.iter().zip((0..puzzles.len() as u64).rev()).map(|(Puzzle { board, goal }, later)| {
        worker.input_position = end.earlier(later);
        let answer = worker.solve_with(board, goal, options)?;
        any_searched |= worker.has_searched;
        Ok(answer)
    });
    (answers.collect(), any_searched)
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
    /// the maximum grows in proportion.
    pub const MOST_AHEAD: usize = Self::CHUNKS * Self::MAX_BOARDS;

    /// Returns true if fewer chunks are in flight than allowed, and their answers leave memory for
    /// more. A path of the largest boards has about 40 million moves.
    fn has_room(&self) -> bool {
        let Settings { parallel, threads, .. } = self.solver.engines.settings;
        let max_chunks = match parallel {
            Parallel::Auto | Parallel::Across => Self::CHUNKS.max(Self::CHUNKS_PER_THREAD * threads),
            // One chunk at a time: all threads solve each of its boards together.
            Parallel::Within => 1,
        };
        let expected_moves: u64 = self.in_flight.iter().map(|chunk| chunk.expected_moves).sum();
        self.in_flight.len() < max_chunks && expected_moves < Self::MAX_MOVES
    }
}

impl<P: Into<Puzzle>, I: Iterator<Item = P>> SolveAll<I> {
    /// Reads chunks until enough are in flight or the iterator ends.
    fn fill(&mut self) -> Result<(), Error> {
        while self.has_room() {
            let puzzles = self.read_chunk();
            if puzzles.is_empty() {
                return Ok(());
            }
            self.boards_read += puzzles.len();
            let end = InputPosition::new(self.boards_read as u64, self.puzzles.size_hint().0 as u64);
            let chunk = self.spawn(puzzles, end)?;
            self.in_flight.push_back(chunk);
        }
        Ok(())
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

    fn spawn(&self, puzzles: Vec<Puzzle>, end: InputPosition) -> Result<ChunkInFlight, Error> {
        let (solver, options, (sender, answers)) = (self.solver.clone(), self.options.clone(), channel());
        let expected_moves = puzzles.iter().map(|puzzle| expected_moves(&puzzle.board)).sum();
        let task = solver.engines.thread_share.task();
        self.solver.pool()?.spawn_fifo(move || {
            // The returned iterator waits for these answers, so they must be sent: a worker also
            // answers a board on which it panics. Sending fails only if that iterator was dropped.
            let _ = sender.send(solve_chunk(&solver, &puzzles, &options, &end));
            drop(task);
        });
        Ok(ChunkInFlight { answers, expected_moves })
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
                // Without threads no more boards can be answered, so none are read.
                self.chunk_size = 0;
                self.in_flight.clear();
                return Some(Err(error));
            }
            let chunk = self.in_flight.pop_front()?;
            let Ok((answers, any_searched)) = chunk.answers.recv() else {
                unreachable!("the answers of every chunk are sent");
            };
            // Boards that must be searched get separate chunks, so that all threads have work.
            // Chunks of cheap boards grow, so that threads rarely synchronise.
            let grown = (answers.len() * 2).clamp(1, Self::MAX_BOARDS);
            self.chunk_size = if any_searched { 1 } else { grown };
            self.ready = answers.into_iter();
        }
    }
}

impl<P: Into<Puzzle>, I: Iterator<Item = P>> FusedIterator for SolveAll<I> {}

impl<I> Drop for SolveAll<I> {
    fn drop(&mut self) {
        self.options.cancel.cancel();
    }
}
