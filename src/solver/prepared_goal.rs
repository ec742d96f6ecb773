//! A prepared goal, and the steps from a board to its answer.
//!
//! Every board is solved by these steps: [`PreparedGoal::admit`] checks that it is solvable,
//! [`PreparedGoal::first_step`] finds a path if no search is needed, otherwise
//! [`PreparedGoal::search`], and [`PreparedGoal::replay`] verifies the path independently. A [`Worker`](super::Worker) takes all
//! steps for one board. A batch takes them separately, because it answers cheap boards together and
//! queues searches.

use std::sync::Arc;

use super::caches::Heuristics;
use super::plan::Plan;
use crate::board::frame::{Frame, Space};
use crate::board::replay::{self, Fault};
use crate::board::{Beginning, Board, Path, Solvable, is_solvable};
use crate::engine::contract::{AnsweredBy, Effort, Engine, Framed, Job, Problem, Scratch};
use crate::engine::{EngineKind, Outcome, ThreadShare, TieBreak, full_table, line, lookup, path_table};
use crate::heuristic::WalkingConflict;
use crate::system::{Budget, InputPosition, Limits};

/// A goal, and the engine for its boards.
#[derive(Debug)]
pub struct PreparedGoal {
    pub(super) goal: Arc<Board>,
    /// The canonical frame and the plan; `None` if boards are too large for a frame.
    pub(super) framed: Option<(Frame, Plan)>,
    pub(super) engine: Arc<dyn Engine>,
    /// The engine that finds a path before the search, if any shortest path will do. Often the
    /// search then only proves that this path is shortest.
    pub(super) beam: Option<Arc<dyn Engine>>,
    pub(super) sharing: AnswerSharing,
    pub(super) heuristics: Arc<Heuristics>,
}

/// The boards that share an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AnswerSharing {
    /// Boards that are equal in the frame, because the path found depends on nothing else.
    InFrame(TieBreak),
    /// Only equal boards with equal goals at the same effort. A board and its mirror image may get
    /// different good paths.
    AtEffort(u8),
}

/// A board that is known to be solvable. Only [`PreparedGoal::admit`] creates one.
#[derive(Clone, Copy, Debug)]
pub struct Admitted(Option<Solvable>);

/// The first step from an admitted board to its answer.
#[derive(Clone, Copy, Debug)]
pub enum FirstStep {
    /// The path is known.
    Known,
    /// The path is in the full table, which answers many boards together best.
    InTable(full_table::Start),
    /// The path must be searched.
    Search,
}

impl Admitted {
    /// Returns the board in the canonical frame, if it has one.
    #[inline]
    pub fn start(&self) -> Option<&Solvable> {
        self.0.as_ref()
    }
}

impl PreparedGoal {
    /// Returns the goal.
    #[inline]
    pub fn goal(&self) -> &Arc<Board> {
        &self.goal
    }

    /// Returns the canonical frame, or `None` if boards are too large for one.
    #[inline]
    pub fn frame(&self) -> Option<&Frame> {
        self.framed.as_ref().map(|(frame, _)| frame)
    }

    /// Returns the space that is searched, or `None` if boards are too large for a frame.
    #[inline]
    pub fn space(&self) -> Option<&Space> {
        self.frame().map(Frame::space)
    }

    /// Returns which boards share an answer.
    pub fn sharing(&self) -> AnswerSharing {
        self.sharing
    }

    /// Returns true if the shortest paths found are the canonical ones.
    pub fn finds_canonical(&self) -> bool {
        self.sharing == AnswerSharing::InFrame(TieBreak::Canonical)
    }

    /// Returns the plan, or `None` if boards are too large for a frame.
    pub fn plan(&self) -> Option<&Plan> {
        self.framed.as_ref().map(|(_, plan)| plan)
    }

    /// Returns the engine.
    #[inline]
    pub fn engine(&self) -> &Arc<dyn Engine> {
        &self.engine
    }

    /// Returns the paths of all boards, if the engine has a table of them. The first call builds
    /// it.
    pub fn path_table(&self) -> Option<&path_table::Paths> {
        self.engine.lookup().map(lookup::Table::paths)
    }

    /// Returns the full table, if it is built and may be used within these limits. It can answer many
    /// boards together. With a node limit it is not used, because the answer must not depend on when
    /// the table is built.
    #[inline]
    pub fn full_table(&self, limits: &Limits) -> Option<&full_table::Table> {
        if limits.nodes.is_some() { None } else { self.engine.full_table() }
    }

    /// Returns the linear-conflict bound of a board, or `None` if it is unsolvable.
    pub fn linear_conflict_bound(&self, board: &Board) -> Option<u64> {
        self.heuristics.linear_conflict_bound(self.frame(), board, &self.goal)
    }

    /// Returns walking-conflict for the space, or `None` if boards are too large for a frame.
    pub(super) fn walking_conflict(&self) -> Option<Arc<WalkingConflict>> {
        Some(self.heuristics.walking_conflict(self.space()?))
    }

    /// Admits a board if it is solvable. It must have the goal's shape.
    #[inline]
    pub fn admit(&self, board: &Board) -> Option<Admitted> {
        match self.frame() {
            Some(frame) => Some(Admitted(Some(frame.admit(board)?))),
            None => is_solvable(board, &self.goal).then_some(Admitted(None)),
        }
    }

    #[inline]
    pub(super) fn problem<'a>(&'a self, board: &'a Board, admitted: &'a Admitted) -> Problem<'a> {
        let framed = self.space().zip(admitted.start()).map(|(space, start)| Framed { space, start });
        Problem { board, goal: &self.goal, framed }
    }

    /// Takes the first step from an admitted board to its answer. If this is its path, it is written
    /// to `path`.
    #[inline]
    pub fn first_step(&self, board: &Board, admitted: &Admitted, limits: &Limits, path: &mut Path) -> FirstStep {
        if let Some((table, start)) = self.engine.lookup().zip(admitted.start()) {
            table.solve(start, path);
            return FirstStep::Known;
        }
        if self.goal.shape().is_line() {
            line::write_path(board, &self.goal, path);
            return FirstStep::Known;
        }
        match self.full_table(limits).zip(admitted.start()) {
            Some((table, start)) => FirstStep::InTable(table.start(start)),
            None => FirstStep::Search,
        }
    }

    /// Writes the paths of boards whose first step is [`FirstStep::InTable`].
    ///
    /// # Panics
    /// If the engine has no full table.
    pub fn look_up(&self, starts: &[full_table::Start], paths: &mut [Path]) {
        // A table that was built stays.
        match self.engine.full_table() {
            Some(table) => table.solve_all(starts, paths),
            None => panic!("the engine has no full table"),
        }
    }

    /// Returns the number of shortest paths of a board and how they begin, if a table contains
    /// them.
    pub fn count_at_once(&self, admitted: &Admitted) -> Option<(u64, Beginning)> {
        self.engine.lookup()?.count_paths(admitted.start()?)
    }

    /// Searches for a path, with the help of idle threads of `thread_share`. `input_position` is
    /// the position of the board in its input.
    pub fn search(
        &self,
        board: &Board,
        admitted: &Admitted,
        budget: &Budget<'_>,
        (thread_share, input_position): (&ThreadShare, &InputPosition),
        scratch: &mut Scratch,
        effort: &mut Effort,
    ) -> Outcome {
        let (problem, beam) = (self.problem(board, admitted), self.beam.as_deref());
        let job = Job { problem, budget, thread_share, input_position, beam };
        self.engine.solve(&job, scratch, effort)
    }

    /// Verifies that a path leads from the board to the goal.
    ///
    /// # Errors
    /// The fault in the path, which is a bug in the program.
    #[inline]
    pub fn replay(&self, board: &Board, path: &Path) -> Result<(), Fault> {
        replay::replay(board, &self.goal, path.letters())
    }

    /// Returns the names of the engine and the heuristic that answered a board.
    pub fn names<'a>(&'a self, answered_by: &'a AnsweredBy) -> (&'static str, Option<&'a str>) {
        match answered_by {
            AnsweredBy::Engine => (self.engine.name(), self.engine.heuristic()),
            AnsweredBy::Patterns(name) => (self.engine.name(), Some(name)),
            AnsweredBy::FullTable => ("lookup", None),
            AnsweredBy::Good => (EngineKind::Good.name(), None),
        }
    }
}
