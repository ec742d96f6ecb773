//! What is found out about one record.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::count::{self, Memo, Ways};
use super::duplicates::Keys;
use super::guide::{Exact, Guidance, Patterns, Words};
use crate::board::{Board, Cell, Path, Reflections, Shape, is_solvable};
use crate::desk::{Desk, Solution};
use crate::engine::{Budget, Limit, Limits, lookup};
use crate::format::input::{Chunk, Puzzle, Record};
use crate::frame::{Frame, Space};
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
    stock: Stock,
}

/// What belongs to one goal; in most files there is one for all.
struct Ground {
    reflections: Reflections,
    frame: Option<Frame>,
}

impl Ground {
    fn new(goal: &Board) -> Ground {
        Ground { reflections: Reflections::of(goal), frame: Frame::new(goal) }
    }
}

/// What serves every goal of a shape with its blank in one cell of the frame: of the 3×3 there are three such cells.
#[derive(Default)]
struct Stock {
    /// The last ones used, the latest first.
    heuristics: Vec<Heuristics>,
    memo: Option<Memo>,
}

struct Heuristics {
    of: (Shape, Cell),
    linear_conflict: LinearConflict,
    /// Built when it is needed.
    conflict: Option<Arc<WalkingConflict>>,
}

impl Stock {
    /// Spaces whose heuristics are kept; some 50 kB each.
    const KEPT: usize = 4;

    fn heuristics(&mut self, space: &Space) -> &mut Heuristics {
        let of = (space.shape, space.goal_blank);
        match self.heuristics.iter().position(|kept| kept.of == of) {
            Some(at) => self.heuristics[..=at].rotate_right(1),
            None => {
                let linear_conflict = LinearConflict::new(space.shape, space.goal_blank);
                self.heuristics.truncate(Stock::KEPT - 1);
                self.heuristics.insert(0, Heuristics { of, linear_conflict, conflict: None });
            }
        }
        &mut self.heuristics[0]
    }

    fn bounds(&mut self, ground: &Ground, board: &Board, solvable: bool) -> Bounds {
        let manhattan = board.manhattan_distance(ground.reflections.goal());
        let linear_conflict = match &ground.frame {
            _ if !solvable => None,
            // Tiles that never pass each other are never in each other's way.
            _ if board.shape().is_line() => Some(manhattan),
            Some(frame) => frame.admit(board).map(|start| {
                let heuristic = &self.heuristics(frame.space()).linear_conflict;
                u64::from(LinearConflict::plies(heuristic.root(start.state())))
            }),
            None => None,
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
        let ground = self.ground.insert(known.unwrap_or_else(|| Ground::new(&goal)));
        let solvable = is_solvable(&board, &goal);
        let bounds = if room.wanted.bounds { self.stock.bounds(ground, &board, solvable) } else { Bounds::default() };
        let keys = room.wanted.keys.then(|| Keys::of(&board, &ground.reflections));
        let standing = match (solvable, room.wanted.paths || room.wanted.ways) {
            (false, _) => Standing::Unsolvable,
            (true, false) => Standing::Solvable,
            (true, true) => solve(&mut self.desk, &mut self.stock, room, &board, &goal),
        };
        Facts { puzzle: Some((board, goal)), standing, bounds, keys, ..none }
    }
}

fn solve(desk: &mut Desk, stock: &mut Stock, room: &Room<'_>, board: &Board, goal: &Board) -> Standing {
    match desk.solve(room.solvers, &room.limits, room.stop, board, goal).solution {
        Err(why) => Standing::Failed(why),
        Ok(Solution::Unknown { lower_bound, limit }) => Standing::Unsolved { lower_bound, limit },
        Ok(Solution::Shortest(path)) => {
            let ways = room.wanted.ways.then(|| match desk.prepared() {
                Some(prepared) => stock.ways(room, prepared, board, &path),
                // A line, or a board that is the goal.
                None => Ways::only(&path),
            });
            Standing::Solved { path, ways }
        }
    }
}

impl Stock {
    fn ways(&mut self, room: &Room<'_>, prepared: &Prepared, board: &Board, path: &Path) -> Ways {
        let Prepared { frame, engine, .. } = prepared;
        let Some(start) = frame.admit(board) else { return Ways::only(path) };
        if let Engine::Line = **engine {
            return Ways::only(path);
        }
        let (space, start) = (frame.space(), start.state());
        let conflict = || {
            let new = || Arc::new(WalkingConflict::new(space.shape, space.goal_blank));
            Arc::clone(self.heuristics(space).conflict.get_or_insert_with(new))
        };
        let guidance = Guidance::of(engine, room.limits.nodes.is_some(), conflict);
        let cap = (space.shape.cells() > COUNTED_CELLS).then_some(room.count_cap);
        // From a table nothing is searched in vain: there are no nodes to limit.
        let nodes = room.limits.nodes.filter(|_| !guidance.is_exact());
        let budget = &Budget::start(&Limits { nodes, ..room.limits }, room.stop);
        let memo = self.memo.get_or_insert_with(|| Memo::new(room.memo_bytes));
        if guidance.is_exact() {
            memo.go_on(space)
        } else {
            memo.begin()
        }
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
