//! A goal that is ready: *the* way from a board to its answer, step by step.
//!
//! Every board that is solved, whoever asks, goes this way: [`PreparedGoal::admit`] checks its parity,
//! [`PreparedGoal::answer_at_once`] or [`PreparedGoal::search`] finds a path, and [`PreparedGoal::replay`] proves by rules
//! of its own that the path is one. A [`Worker`](super::Worker) takes these steps in a row; the batch takes them apart,
//! because it answers cheap boards together and lets searches wait for a thread.

use std::sync::Arc;

use super::plan::Plan;
use crate::board::frame::{Frame, Space};
use crate::board::replay::{self, Fault};
use crate::board::{Beginning, Board, Path, Solvable, is_solvable};
use crate::engine::contract::{AnsweredBy, Effort, Engine, Framed, Job, LowerBounds, Problem, Readiness, Scratch};
use crate::engine::{EngineKind, Outcome, ThreadShare, TieBreak, full_table, path_table};
use crate::system::{Budget, ToCome};

/// A goal, and the engine that answers for its boards.
#[derive(Debug)]
pub struct PreparedGoal {
    goal: Arc<Board>,
    /// The way into the canonical frame, with the reasons for the engine; `None` where boards are too large for one.
    framed: Option<(Frame, Plan)>,
    engine: Arc<dyn Engine>,
    /// What finds a path soon, where any shortest one will do.
    beam: Option<Arc<dyn Engine>>,
    shared: Shared,
}

/// Which boards have the same answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shared {
    /// Those that are the same in the frame: which path the engine finds depends on nothing else.
    InFrame(TieBreak),
    /// Equal ones with equal goals, at the same level: good paths may be others for a board and its mirror image.
    AtLevel(u8),
}

/// A board that parity says can be solved; only [`PreparedGoal::admit`] makes one.
#[derive(Clone, Copy, Debug)]
pub struct Admitted(Option<Solvable>);

impl Admitted {
    /// The board in the canonical frame, where it has one.
    #[inline]
    pub fn start(&self) -> Option<&Solvable> {
        self.0.as_ref()
    }
}

impl PreparedGoal {
    pub(super) fn new(goal: &Board, frame: Frame, engine: Arc<dyn Engine>, plan: Plan, shared: Shared) -> PreparedGoal {
        PreparedGoal { goal: Arc::new(goal.clone()), framed: Some((frame, plan)), engine, beam: None, shared }
    }

    pub(super) fn without_frame(goal: &Board, engine: Arc<dyn Engine>, level: u8) -> PreparedGoal {
        PreparedGoal { goal: Arc::new(goal.clone()), framed: None, engine, beam: None, shared: Shared::AtLevel(level) }
    }

    /// The same, with what finds a path soon where any shortest one will do.
    pub(super) fn with_beam(self, beam: Option<Arc<dyn Engine>>) -> PreparedGoal {
        PreparedGoal { beam, ..self }
    }

    /// The goal.
    #[inline]
    pub fn goal(&self) -> &Arc<Board> {
        &self.goal
    }

    /// The way into the canonical frame; `None` where boards are too large for one.
    #[inline]
    pub fn frame(&self) -> Option<&Frame> {
        self.framed.as_ref().map(|(frame, _)| frame)
    }

    /// What is searched in the canonical frame.
    #[inline]
    pub fn space(&self) -> Option<&Space> {
        self.frame().map(Frame::space)
    }

    /// Which boards have the same answer, so that one of them can be answered for all.
    pub fn shared(&self) -> Shared {
        self.shared
    }

    /// Whether every shortest path that is found is the first of all in the order of letters.
    pub fn finds_first(&self) -> bool {
        self.shared == Shared::InFrame(TieBreak::Canonical)
    }

    /// Which engine was chosen, and why; `None` where boards are too large to be searched.
    pub fn plan(&self) -> Option<&Plan> {
        self.framed.as_ref().map(|(_, plan)| plan)
    }

    /// What answers for the goal's boards.
    #[inline]
    pub fn engine(&self) -> &Arc<dyn Engine> {
        &self.engine
    }

    /// The whole paths of all boards, where the engine has them; searched for now, if they were not yet.
    pub fn path_table(&self) -> Option<&path_table::Paths> {
        self.engine.path_table()
    }

    /// The table from which many boards are answered together, where it stands.
    #[inline]
    pub fn full_table(&self) -> Option<&full_table::Table> {
        self.engine.full_table()
    }

    /// Checks whether a board can be turned into the goal. Its shape must be the goal's.
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

    /// Answers without a search, see [`Engine::answer_at_once`]; `false`: the engine has to search.
    #[inline]
    pub fn answer_at_once(&self, board: &Board, admitted: &Admitted, path: &mut Path) -> bool {
        self.engine.answer_at_once(&self.problem(board, admitted), path)
    }

    /// Returns the number of shortest paths of a board and how they begin, where a table of all states has them.
    pub fn count_at_once(&self, admitted: &Admitted) -> Option<(u64, Beginning)> {
        match self.engine.lower_bounds(Readiness::Fixed) {
            LowerBounds::Lookup(table) => table.count_paths(admitted.start()?),
            _ => None,
        }
    }

    /// Searches for a path with the help of idle threads of the share; so many boards come after it.
    pub fn search(
        &self,
        board: &Board,
        admitted: &Admitted,
        budget: &Budget<'_>,
        (thread_share, to_come): (&ThreadShare, &ToCome),
        scratch: &mut Scratch,
        effort: &mut Effort,
    ) -> Outcome {
        let (problem, beam) = (self.problem(board, admitted), self.beam.as_deref());
        let job = Job { problem, budget, thread_share, to_come, beam };
        self.engine.solve(&job, scratch, effort)
    }

    /// Proves that a path leads from the board to the goal.
    ///
    /// # Errors
    /// What is wrong with the path, which is then a fault of the program.
    #[inline]
    pub fn replay(&self, board: &Board, path: &Path) -> Result<(), Fault> {
        replay::replay(board, &self.goal, path.letters())
    }

    /// The names of the engine and the heuristic that answered for a board.
    pub fn names<'a>(&'a self, answered_by: &'a AnsweredBy) -> (&'static str, Option<&'a str>) {
        match answered_by {
            AnsweredBy::Engine => (self.engine.name(), self.engine.heuristic()),
            AnsweredBy::Patterns(name) => (self.engine.name(), Some(name)),
            AnsweredBy::FullTable => ("lookup", None),
            AnsweredBy::Good => (EngineKind::Good.name(), None),
        }
    }
}
