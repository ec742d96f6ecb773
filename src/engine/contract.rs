//! What every engine is asked and what it answers: a [`Job`] in, an [`Outcome`] out.
//!
//! A job says which board is to become which goal, what may be spent on it, and which threads may help. Nothing in it
//! assumes that the board is small or that the answer is proven: boards of up to 25 cells bring a view of themselves in
//! the canonical frame ([`Framed`]), which most engines search; an engine for larger boards looks at the board itself.
//!
//! An engine is immutable once it is built and is shared by all workers; what a worker keeps from board to board is
//! its [`Scratch`]. A board that is searched costs one dynamic call.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use super::sampling::{self, Sampled};
use super::{Outcome, SearchLog, Stats, ThreadShare, full_table, lookup, path_table};
use crate::board::frame::Space;
use crate::board::{Board, Path, Solvable};
use crate::heuristic::WalkingConflict;
use crate::heuristic::pdb::PdbSum;
use crate::system::{Budget, Limit, ToCome};

/// A board that parity says can be turned into a goal.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// The board as given.
    pub board: &'a Board,
    /// The goal as given, of the same shape.
    pub goal: &'a Board,
    /// The same problem in the canonical frame; `None` for boards that are too large to have one.
    pub framed: Option<Framed<'a>>,
}

/// A problem in the canonical frame, see [`crate::board::frame`].
#[derive(Clone, Copy, Debug)]
pub struct Framed<'a> {
    /// The frame's shape, goal cell of the blank, and order of moves.
    pub space: &'a Space,
    /// The board in it.
    pub start: &'a Solvable,
}

impl Problem<'_> {
    /// What an engine that searches in the frame answers where there is none: only that no path is shorter than
    /// the sum of the tiles' distances.
    pub fn without_frame(&self) -> Outcome {
        Outcome::Unsolved { lower_bound: self.board.manhattan_distance(self.goal), limit: Limit::Effort }
    }
}

/// One board to be solved.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// Which board, and what it is to become.
    pub problem: Problem<'a>,
    /// What may be spent on it.
    pub budget: &'a Budget<'a>,
    /// Which threads may help.
    pub thread_share: &'a ThreadShare,
    /// How many boards come after it.
    pub to_come: &'a ToCome,
    /// What finds a path soon, for a search that may take any shortest one.
    pub beam: Option<&'a dyn Engine>,
}

/// A search for paths.
///
/// All engines answer the same board with the same path: the canonical one where it is proven shortest.
pub trait Engine: fmt::Debug + Send + Sync {
    /// Its name in options and results.
    fn name(&self) -> &'static str;

    /// The name of its heuristic, where it has one; where that changes as boards come, the first.
    fn heuristic(&self) -> Option<&str> {
        None
    }

    /// A path, with or without a proof that none is shorter, or how far the search came within its budget.
    ///
    /// What was done is added to `effort`.
    fn solve(&self, job: &Job<'_>, scratch: &mut Scratch, effort: &mut Effort) -> Outcome;

    /// A sample of the search for a board, which tells how many nodes it will generate; `None` where it does not search by
    /// iterative deepening.
    ///
    /// # Errors
    /// The limit that ended it.
    fn sample(&self, _problem: &Problem<'_>, _request: &sampling::Request<'_>) -> Option<Result<Sampled, Limit>> {
        None
    }

    /// Answers at once, in well under a microsecond for boards of up to 25 cells, but for the first few
    /// ([`Engine::searches_left`]): the canonical shortest path is written over `path`. `false`: this engine has to search.
    fn answer_at_once(&self, _problem: &Problem<'_>, _path: &mut Path) -> bool {
        false
    }

    /// The whole paths of all boards, where this engine has them; searched for now, if they were not yet.
    fn path_table(&self) -> Option<&path_table::Paths> {
        None
    }

    /// For how many more boards the table that answers at once is not built, because searching them is quicker.
    fn searches_left(&self) -> usize {
        0
    }

    /// The table from which many boards are answered together, where it stands.
    fn full_table(&self) -> Option<&full_table::Table> {
        None
    }

    /// The best lower bounds that are ready; with [`Readiness::Fixed`] the best that do not depend on what was built
    /// while other boards were solved.
    fn lower_bounds(&self, _which: Readiness) -> LowerBounds<'_> {
        LowerBounds::None
    }
}

/// Which of an engine's tables may be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Readiness {
    /// Whatever stands by now.
    Latest,
    /// Only what stood from the beginning: the same on every run.
    Fixed,
}

/// Where lower bounds on the distance of a state can be read.
pub enum LowerBounds<'a> {
    /// Nothing is ready.
    None,
    /// Every state's exact distance.
    Lookup(&'a lookup::Table),
    /// Every state's first move, and so its exact distance.
    FullTable(&'a full_table::Table),
    /// The sum of pattern databases.
    Patterns(&'a Arc<PdbSum>),
    /// The heuristic that costs next to nothing to build.
    WalkingConflict(&'a Arc<WalkingConflict>),
}

impl<'a> LowerBounds<'a> {
    /// Those of a heuristic that is cheap to build, of which walking-conflict is the best.
    pub(super) fn of<H: 'static>(heuristic: &'a Arc<H>) -> LowerBounds<'a> {
        (heuristic as &dyn Any).downcast_ref().map_or(LowerBounds::None, LowerBounds::WalkingConflict)
    }
}

/// What an engine did for a board.
#[derive(Clone, Default, Debug)]
pub struct Effort {
    /// Nodes.
    pub stats: Stats,
    /// Which of its heuristics or tables gave the answer.
    pub answered_by: AnsweredBy,
    /// What kept a path that was found from being better, or from being proven: a limit that was reached on the way to it.
    pub limit: Option<Limit>,
    /// What is told of a search while it goes on.
    pub log: SearchLog,
}

/// What answered, in an engine that has several ways.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum AnsweredBy {
    /// The engine itself, with the heuristic it has from the beginning.
    #[default]
    Engine,
    /// Pattern databases of this name.
    Patterns(Arc<str>),
    /// The full table.
    FullTable,
    /// The engine for good paths, where the proof did not come to its end.
    Good,
}

/// What a worker keeps from board to board: each kind of engine has a part of its own, made when it is first needed.
pub struct Scratch {
    list_bytes: usize,
    parts: Vec<Box<dyn Any + Send>>,
}

impl Scratch {
    /// Nothing yet; a list of a search may take `list_bytes`.
    pub fn new(list_bytes: usize) -> Scratch {
        Scratch { list_bytes, parts: Vec::new() }
    }

    /// The part of this type, made by `new` from the bytes that a list may take if it is not there yet.
    pub fn part<T: Any + Send>(&mut self, new: impl FnOnce(usize) -> T) -> &mut T {
        let found = self.parts.iter().position(|part| part.is::<T>());
        let at = found.unwrap_or_else(|| {
            self.parts.push(Box::new(new(self.list_bytes)));
            self.parts.len() - 1
        });
        self.parts[at].downcast_mut().unwrap_or_else(|| unreachable!("the part was found by its type"))
    }
}

impl fmt::Debug for Scratch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scratch").field("list_bytes", &self.list_bytes).field("parts", &self.parts.len()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_type_has_a_part_that_stays() {
        let mut scratch = Scratch::new(64);
        *scratch.part(|bytes| bytes as u64) += 1;
        scratch.part(|_| String::from("other")).push('!');
        assert_eq!(*scratch.part(|_| 0u64), 65);
        assert_eq!(scratch.part(|_| String::new()), "other!");
    }
}
