//! A prepared goal, and the steps from a board to its answer.
//!
//! Every board is solved by these steps: [`PreparedGoal::admit`] checks that it is solvable,
//! [`PreparedGoal::first_step`] finds a path if no search is needed, otherwise
//! [`PreparedGoal::engine`] searches, and [`replay`](crate::board::replay) verifies the path
//! independently. A [`Worker`](super::Worker) takes all steps for one board. A batch takes them
//! separately, because it answers cheap boards together and queues searches.

use std::sync::Arc;

use super::tables::EngineBuilder;
use crate::board::frame::{Frame, Space};
use crate::board::{Board, Path, Solvable, is_solvable};
use crate::engine::contract::{AnsweredBy, Engine, Framed, Problem};
use crate::engine::{EngineKind, TieBreak, full_table, line, lookup, path_table};
use crate::system::Limits;

/// A goal, and the engine for its boards.
#[derive(Debug)]
pub struct PreparedGoal {
    /// The goal.
    pub goal: Arc<Board>,
    /// The canonical frame; `None` if boards are too large for one.
    pub frame: Option<Frame>,
    /// The kind of the engine.
    pub(super) kind: EngineKind,
    /// The engine.
    pub engine: Arc<dyn Engine>,
    /// The engine that finds a path before the search, if any shortest path will do. Often the
    /// search then only proves that this path is shortest.
    pub beam: Option<Arc<dyn Engine>>,
    /// The boards that share an answer.
    pub sharing: AnswerSharing,
    /// The builder that all goals of a solver share. When shortest paths are counted and the engine
    /// offers no lower bounds, the builder supplies the walking-conflict heuristic.
    pub(super) builder: Arc<EngineBuilder>,
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
    /// The path is in the full table, which is fastest if many boards are looked up together.
    InTable(full_table::Start),
    /// The path must be found by a search.
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
    /// Returns the space that is searched, or `None` if boards are too large for a frame.
    #[inline]
    pub fn space(&self) -> Option<&Space> {
        self.frame.as_ref().map(Frame::space)
    }

    /// Returns true if the shortest paths found are the canonical ones.
    pub fn finds_canonical(&self) -> bool {
        self.sharing == AnswerSharing::InFrame(TieBreak::Canonical)
    }

    /// Returns the paths of all boards, if the engine has a table of them. The first call builds
    /// this table.
    pub fn path_table(&self) -> Option<&path_table::Paths> {
        self.engine.lookup().map(lookup::Table::paths)
    }

    /// Admits a board if it is solvable. The board must have the goal's shape.
    #[inline]
    pub fn admit(&self, board: &Board) -> Option<Admitted> {
        match &self.frame {
            Some(frame) => Some(Admitted(Some(frame.admit(board)?))),
            None => is_solvable(board, &self.goal).then_some(Admitted(None)),
        }
    }

    /// Returns an admitted board and the goal as the problem that the engine solves.
    #[inline]
    pub fn problem<'a>(&'a self, board: &'a Board, admitted: &'a Admitted) -> Problem<'a> {
        let framed = self.space().zip(admitted.start()).map(|(space, start)| Framed { space, start });
        Problem { board, goal: &self.goal, framed }
    }

    /// Takes the first step from an admitted board to its answer. Writes the path to `path` if the
    /// step is [`FirstStep::Known`].
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
        // With a node limit a full table is not used, because the answer must not depend on when
        // the table is built.
        let full_table = if limits.nodes.is_some() { None } else { self.engine.full_table() };
        match full_table.zip(admitted.start()) {
            Some((table, start)) => FirstStep::InTable(table.start(start)),
            None => FirstStep::Search,
        }
    }

    /// Writes the paths of boards whose first step is [`FirstStep::InTable`].
    ///
    /// # Panics
    /// If the engine has no full table.
    pub fn look_up(&self, starts: &[full_table::Start], paths: &mut [Path]) {
        // The first step found the table, and a table is never dropped.
        let table = self.engine.full_table().unwrap_or_else(|| panic!("the engine has no full table"));
        table.solve_all(starts, paths);
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
