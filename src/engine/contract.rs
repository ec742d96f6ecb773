//! The interface of the engines: a [`Job`] in, an [`Outcome`] out.
//!
//! A job names the board, the goal, the limits, and the threads that may help. The board may be of
//! any size, and the answer need not be proven. Boards of up to 25 cells are also given in the
//! canonical frame ([`Framed`]), which most engines search. Engines for larger boards use the board
//! itself.
//!
//! An engine is immutable once it is built, and all workers share it. A worker keeps its memory
//! from board to board in its [`Scratch`]. The interface costs one dynamic call per board.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use super::sampling::{SampleRequest, Sampled};
use super::{Outcome, SearchLog, Stats, ThreadShare, full_table, lookup};
use crate::board::frame::Space;
use crate::board::{Board, Path, Solvable};
use crate::heuristic::WalkingConflict;
use crate::heuristic::pdb::PdbSum;
use crate::system::{Budget, InputPosition, Limit};

/// A board and its goal. Parity has shown that the goal can be reached from the board.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// The board as given.
    pub board: &'a Board,
    /// The goal as given, of the same shape.
    pub goal: &'a Board,
    /// The same problem in the canonical frame; `None` for boards that are too large.
    pub framed: Option<Framed<'a>>,
}

/// A problem in the canonical frame, see [`crate::board::frame`].
#[derive(Clone, Copy, Debug)]
pub struct Framed<'a> {
    /// The frame's shape, goal cell of the blank, and order of moves.
    pub space: &'a Space,
    /// The board in this frame.
    pub start: &'a Solvable,
}

impl Problem<'_> {
    /// Returns the outcome for a board without a frame, in an engine that needs one. The lower
    /// bound is the Manhattan distance.
    pub fn without_frame(&self) -> Outcome {
        Outcome::Unsolved { lower_bound: self.board.manhattan_distance(self.goal), limit: Limit::Effort }
    }
}

/// One board to solve.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The board and its goal.
    pub problem: Problem<'a>,
    /// The limits.
    pub budget: &'a Budget<'a>,
    /// The threads that may help.
    pub thread_share: &'a ThreadShare,
    /// The position of the board in its input.
    pub input_position: &'a InputPosition,
    /// An engine that finds a path quickly, for a search that may return any shortest path.
    pub beam: Option<&'a dyn Engine>,
}

/// A search for paths.
///
/// All engines answer the same board with the same [`Outcome::Solved`] path, the canonical one,
/// unless any shortest path will do ([`TieBreak`](super::TieBreak)).
pub trait Engine: fmt::Debug + Send + Sync {
    /// Returns the engine's name in options and results.
    fn name(&self) -> &'static str;

    /// Returns the name of the engine's heuristic, if it has one. If the heuristic changes over
    /// time, returns the name of the first.
    fn heuristic(&self) -> Option<&str> {
        None
    }

    /// Returns a path, with or without a proof that none is shorter, or the lower bound proven
    /// within the budget. Adds the engine's work to `work_done`.
    fn solve(&self, job: &Job<'_>, scratch: &mut Scratch, work_done: &mut WorkDone) -> Outcome;

    /// Samples the search of a board, to predict the nodes that it will generate. `None` unless the
    /// engine uses iterative deepening.
    ///
    /// # Errors
    /// Returns the limit that ended the sampling.
    fn sample(&self, _problem: &Problem<'_>, _request: &SampleRequest<'_>) -> Option<Result<Sampled, Limit>> {
        None
    }

    /// Returns the best source of lower bounds that is ready. With [`Readiness::Fixed`], the source
    /// is the same whether or not other boards have been solved.
    fn lower_bounds(&self, _which: Readiness) -> LowerBounds<'_> {
        LowerBounds::None
    }

    /// Returns the lookup table that answers a board at once, if the engine is one.
    #[inline]
    fn lookup(&self) -> Option<&lookup::Table> {
        None
    }

    /// Returns the table that answers many boards together, if it is built.
    #[inline]
    fn full_table(&self) -> Option<&full_table::Table> {
        None
    }
}

/// The tables that lower bounds may come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Readiness {
    /// All tables that are built.
    Latest,
    /// Only the tables that exist from the beginning, which are the same in every run.
    Fixed,
}

/// A source of lower bounds on the distance of a state.
pub enum LowerBounds<'a> {
    /// Nothing is ready.
    None,
    /// The exact distance of every state.
    Lookup(&'a lookup::Table),
    /// The first move of every state, from which its exact distance follows.
    FullTable(&'a full_table::Table),
    /// The sum of pattern databases.
    Patterns(&'a Arc<PdbSum>),
    /// A heuristic that costs almost nothing to build.
    WalkingConflict(&'a Arc<WalkingConflict>),
}

impl<'a> LowerBounds<'a> {
    /// Returns the bounds of walking-conflict if that is the heuristic. The other heuristics that
    /// are cheap to build are weaker and are not used.
    pub(super) fn of<H: 'static>(heuristic: &'a Arc<H>) -> LowerBounds<'a> {
        (heuristic as &dyn Any).downcast_ref().map_or(LowerBounds::None, LowerBounds::WalkingConflict)
    }
}

/// The work of an engine on a board.
#[derive(Clone, Default, Debug)]
pub struct WorkDone {
    /// The nodes expanded and generated.
    pub stats: Stats,
    /// The component that gave the answer.
    pub answered_by: AnsweredBy,
    /// The limit that prevented a shorter path or a proof, if one was reached.
    pub limit: Option<Limit>,
    /// The log of the search.
    pub log: SearchLog,
}

/// The component that answered, in an engine that has several.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum AnsweredBy {
    /// The engine itself, with its initial heuristic.
    #[default]
    Engine,
    /// Pattern databases of this name.
    Patterns(Arc<str>),
    /// The full table.
    FullTable,
    /// The engine for good paths, because the proof was not finished.
    Good,
}

/// The memory that a worker reuses from board to board. Each kind of engine has a separate part,
/// which is created on first use.
#[derive(Debug)]
pub struct Scratch {
    list_bytes: usize,
    parts: Vec<Box<dyn Any + Send>>,
}

impl Scratch {
    /// Returns an empty scratch. The list of nodes of an IDA* search may take `list_bytes`.
    pub fn new(list_bytes: usize) -> Scratch {
        Scratch { list_bytes, parts: Vec::new() }
    }

    /// Returns the part of this type. On first use `new` creates it, given the bytes that a list of
    /// nodes may take.
    pub fn part<T: Any + Send>(&mut self, new: impl FnOnce(usize) -> T) -> &mut T {
        let found = self.parts.iter().position(|part| part.is::<T>());
        let at = found.unwrap_or_else(|| {
            self.parts.push(Box::new(new(self.list_bytes)));
            self.parts.len() - 1
        });
        self.parts[at].downcast_mut().unwrap_or_else(|| unreachable!("the part was found by its type"))
    }
}

// The tables of all states are engines, too. Their implementations are in this file because the
// contract names their types, and no two files may use each other.

impl Engine for lookup::Table {
    fn name(&self) -> &'static str {
        "lookup"
    }

    fn solve(&self, job: &Job<'_>, _: &mut Scratch, _: &mut WorkDone) -> Outcome {
        let Some(framed) = job.problem.framed else { return job.problem.without_frame() };
        let mut path = Path::new();
        lookup::Table::solve(self, framed.start, &mut path);
        Outcome::Solved(path)
    }

    fn lower_bounds(&self, _: Readiness) -> LowerBounds<'_> {
        LowerBounds::Lookup(self)
    }

    #[inline]
    fn lookup(&self) -> Option<&lookup::Table> {
        Some(self)
    }
}

impl Engine for full_table::Table {
    fn name(&self) -> &'static str {
        "lookup"
    }

    fn solve(&self, job: &Job<'_>, _: &mut Scratch, work_done: &mut WorkDone) -> Outcome {
        let Some(framed) = job.problem.framed else { return job.problem.without_frame() };
        work_done.answered_by = AnsweredBy::FullTable;
        let mut path = Path::new();
        full_table::Table::solve(self, framed.start, &mut path);
        Outcome::Solved(path)
    }

    fn lower_bounds(&self, _: Readiness) -> LowerBounds<'_> {
        LowerBounds::FullTable(self)
    }

    #[inline]
    fn full_table(&self) -> Option<&full_table::Table> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_type_keeps_its_part() {
        let mut scratch = Scratch::new(64);
        *scratch.part(|bytes| bytes as u64) += 1;
        scratch.part(|_| String::from("other")).push('!');
        assert_eq!(*scratch.part(|_| 0u64), 65);
        assert_eq!(scratch.part(|_| String::new()), "other!");
    }
}
