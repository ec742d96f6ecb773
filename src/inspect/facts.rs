//! What is found out about one record.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::count::{self, Memo, Ways};
use super::duplicates::Keys;
use super::guide::{Exact, Guidance, Patterns, Words};
use crate::board::{Board, Path, Reflections, is_solvable};
use crate::desk::{Desk, Solution};
use crate::engine::{Budget, Limit, Limits, lookup};
use crate::format::input::{Chunk, Puzzle, Record};
use crate::frame::Frame;
use crate::heuristic::{Heuristic, LinearConflict, WalkingConflict};
use crate::solver::{Engine, Prepared, Solvers};

/// What is wanted of every record; what is not costs nothing.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Wanted {
    /// Shortest paths.
    pub paths: bool,
    /// Their number, and where they part.
    pub ways: bool,
    /// What the heuristics say.
    pub bounds: bool,
    /// Digests, to find what comes again.
    pub keys: bool,
}

/// What is known of a record.
#[derive(Clone, Debug)]
pub struct Facts {
    /// Its number in the run.
    pub index: u64,
    /// The line it began on.
    pub line: u64,
    /// What it calls itself, as JSON text.
    pub id: Option<Box<str>>,
    /// Board and goal, where there is a board.
    pub puzzle: Option<(Board, Board)>,
    /// What became of it.
    pub standing: Standing,
    /// Lower bounds on the moves.
    pub bounds: Bounds,
    /// Digests.
    pub keys: Option<Keys>,
}

/// What became of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Standing {
    /// No board could be read.
    Invalid(String),
    /// The program failed on it.
    Failed(String),
    /// No moves lead to the goal.
    Unsolvable,
    /// Some do; it was not asked how many.
    Solvable,
    /// Not settled within its limits.
    Unsolved {
        /// No path is shorter.
        lower_bound: u64,
        /// What ended the search.
        limit: Limit,
    },
    /// Solved by a shortest path, which was replayed.
    Solved {
        /// The canonical one.
        path: Path,
        /// All of them, where they were asked for.
        ways: Option<Ways>,
    },
}

/// What the simplest heuristics say of a board.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Bounds {
    /// The tiles' distances from their homes.
    pub manhattan: Option<u64>,
    /// The same, and two moves for every tile that must leave its line for another; of boards that can be solved
    /// and are small enough to be searched.
    pub linear_conflict: Option<u64>,
}

/// What everybody who examines records shares.
pub(super) struct Room<'a> {
    pub solvers: &'a Solvers,
    pub limits: Limits,
    /// The most shortest paths that are counted of boards of more than 12 cells.
    pub count_cap: u64,
    pub wanted: Wanted,
    /// What may be taken to keep what was counted.
    pub memo_bytes: u64,
    pub stop: &'a AtomicBool,
}

/// The most cells of boards of which all shortest paths are counted, however many there are.
pub const COUNTED_CELLS: usize = crate::engine::descent::CELLS;

/// What a worker keeps from record to record.
#[derive(Default)]
pub(super) struct Examiner {
    desk: Desk,
    ground: Option<Ground>,
}

/// What belongs to one goal; in most files there is one for all.
struct Ground {
    reflections: Reflections,
    frame: Option<Frame>,
    linear_conflict: Option<LinearConflict>,
    conflict: Option<Arc<WalkingConflict>>,
    memo: Memo,
}

impl Ground {
    fn new(goal: &Board, memo_bytes: u64) -> Ground {
        let frame = Frame::new(goal);
        let searched = frame.as_ref().map(Frame::space).filter(|space| !space.shape.is_line());
        let linear_conflict = searched.map(|space| LinearConflict::new(space.shape, space.goal_blank));
        let (reflections, memo) = (Reflections::of(goal), Memo::new(memo_bytes));
        Ground { reflections, frame, linear_conflict, conflict: None, memo }
    }

    fn bounds(&self, board: &Board, solvable: bool) -> Bounds {
        let manhattan = board.manhattan_distance(self.reflections.goal());
        let linear_conflict = match (&self.linear_conflict, &self.frame) {
            _ if !solvable => None,
            // Tiles that never pass each other are never in each other's way.
            _ if board.shape().is_line() => Some(manhattan),
            (Some(heuristic), Some(frame)) => {
                frame.admit(board).map(|start| u64::from(LinearConflict::plies(heuristic.root(start.state()))))
            }
            _ => None,
        };
        Bounds { manhattan: Some(manhattan), linear_conflict }
    }
}

impl Examiner {
    pub fn examine(&mut self, room: &Room<'_>, chunk: &Chunk, record: Record) -> Facts {
        let Record { index, line, id, puzzle } = record;
        let none = Facts {
            index,
            line,
            id,
            puzzle: None,
            standing: Standing::Unsolvable,
            bounds: Bounds::default(),
            keys: None,
        };
        let puzzle = puzzle.map_err(|wrong| wrong.to_string()).and_then(|Puzzle { board, goal }| {
            let goal = goal.as_ref().unwrap_or(&chunk.source.goal).on(board.shape());
            goal.map(|goal| (board, goal)).map_err(|wrong| format!("goal: {wrong}"))
        });
        let (board, goal) = match puzzle {
            Ok(puzzle) => puzzle,
            Err(wrong) => return Facts { standing: Standing::Invalid(wrong), ..none },
        };
        let known = self.ground.take().filter(|known| *known.reflections.goal() == goal);
        let ground = self.ground.insert(known.unwrap_or_else(|| Ground::new(&goal, room.memo_bytes)));
        let solvable = is_solvable(&board, &goal);
        let bounds = if room.wanted.bounds { ground.bounds(&board, solvable) } else { Bounds::default() };
        let keys = room.wanted.keys.then(|| Keys::of(&board, &ground.reflections));
        let standing = match (solvable, room.wanted.paths || room.wanted.ways) {
            (false, _) => Standing::Unsolvable,
            (true, false) => Standing::Solvable,
            (true, true) => solve(&mut self.desk, ground, room, &board, &goal),
        };
        Facts { puzzle: Some((board, goal)), standing, bounds, keys, ..none }
    }
}

fn solve(desk: &mut Desk, ground: &mut Ground, room: &Room<'_>, board: &Board, goal: &Board) -> Standing {
    match desk.solve(room.solvers, &room.limits, room.stop, board, goal).solution {
        Err(why) => Standing::Failed(why),
        Ok(Solution::Unknown { lower_bound, limit }) => Standing::Unsolved { lower_bound, limit },
        Ok(Solution::Shortest(path)) => {
            let ways = room.wanted.ways.then(|| match desk.prepared() {
                Some(prepared) => ground.ways(room, prepared, board, &path),
                // A line, or a board that is the goal.
                None => Ways::only(&path),
            });
            Standing::Solved { path, ways }
        }
    }
}

impl Ground {
    fn ways(&mut self, room: &Room<'_>, prepared: &Prepared, board: &Board, path: &Path) -> Ways {
        let Prepared { frame, engine, .. } = prepared;
        let Some(start) = frame.admit(board) else { return Ways::only(path) };
        if let Engine::Line = **engine {
            return Ways::only(path);
        }
        let (space, start) = (frame.space(), start.state());
        let conflict = || {
            let new = || Arc::new(WalkingConflict::new(space.shape, space.goal_blank));
            Arc::clone(self.conflict.get_or_insert_with(new))
        };
        let guidance = Guidance::of(engine, room.limits.nodes.is_some(), conflict);
        let cap = (space.shape.cells() > COUNTED_CELLS).then_some(room.count_cap);
        // From a table nothing is searched in vain: there are no nodes to limit.
        let nodes = room.limits.nodes.filter(|_| !guidance.is_exact());
        let budget = &Budget::start(&Limits { nodes, ..room.limits }, room.stop);
        let memo = &mut self.memo;
        memo.begin(guidance.is_exact());
        match guidance {
            Guidance::Lookup(table) => {
                count::ways(space, start, path, &mut Exact::lookup(space, table), memo, budget, cap)
            }
            Guidance::Full(table) => count::ways(space, start, path, &mut Exact::full(space, table), memo, budget, cap),
            Guidance::Patterns(sum) => count::ways(space, start, path, &mut Patterns(sum), memo, budget, cap),
            Guidance::Conflict(heuristic) => {
                count::ways(space, start, path, &mut Words { shape: space.shape, heuristic }, memo, budget, cap)
            }
        }
    }
}
const _: () = assert!(COUNTED_CELLS > lookup::MAX_CELLS);
