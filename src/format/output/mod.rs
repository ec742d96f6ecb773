//! Results as JSON Lines or CSV: everything that can be written about one record, and the selection
//! of the fields that are written.
//!
//! The table of all fields is in [`crate::format::fields`]. [`crate::format::result`] reads lines
//! back.

mod earlier;
mod selection;
mod value;

pub use super::fields::Field;
use super::passthrough::Passthrough;
use super::spelling::Spelling;
use super::status::Status;
pub use super::text::json_string;
use crate::board::{Beginning, Board, Path, PathList, is_solvable};
use crate::system::Limit;
use earlier::{DUPLICATE_OF, REFLECTION_OF};
pub use earlier::{Occurrence, fill};
pub use selection::{Fields, PRESETS, PathsRequest};
pub(super) use value::{Value, append_number};

/// Maximum number of bytes for all boards of a path in one result. It bounds the memory of a
/// result.
const MAX_STATES_BYTES: usize = 64 << 20;

/// Returns true if a result with a path of this many moves may include the boards along the path.
fn has_states(board: &Board, moves: usize) -> bool {
    let cells = board.shape().cells();
    let digits = (cells - 1).max(1).ilog10() as usize + 1;
    (moves + 1).saturating_mul(cells * (digits + 1) + 2) <= MAX_STATES_BYTES
}

/// The verdict on a record.
#[derive(Clone, Copy, Debug)]
pub enum Verdict<'a> {
    /// Solved by a path that is proven shortest and was replayed: the canonical one, unless any
    /// shortest path was requested.
    Solved(&'a Path),
    /// Solved by a path that was replayed. It is proven shortest only if its length equals the
    /// lower bound.
    Found {
        /// The path.
        path: &'a Path,
        /// A proven lower bound.
        lower_bound: u64,
        /// The limit that prevented a better path, if any.
        limit: Option<Limit>,
    },
    /// No sequence of moves leads to the goal.
    Unsolvable,
    /// The board has a solution, but none was requested.
    Solvable,
    /// Not solved within the limits.
    Unsolved {
        /// A proven lower bound.
        lower_bound: u64,
        /// The limit that ended the search.
        limit: Limit,
    },
    /// No board could be read.
    Invalid(&'a str),
    /// The program failed on this record.
    Failed(&'a str),
}

impl<'a> Verdict<'a> {
    /// Returns the path that was found.
    #[inline]
    pub const fn path(&self) -> Option<&'a Path> {
        match *self {
            Verdict::Solved(path) | Verdict::Found { path, .. } => Some(path),
            _ => None,
        }
    }

    /// Returns true if there is a path that may not be a shortest one.
    #[inline]
    pub fn is_unproven(&self) -> bool {
        matches!(*self, Verdict::Found { path, lower_bound, .. } if lower_bound < path.len() as u64)
    }

    /// Returns the value of the field `status`. For [`Verdict::Solvable`] it is `solved`, but then
    /// no status is written.
    #[inline]
    pub const fn status(&self) -> Status {
        match self {
            Verdict::Solved(_) | Verdict::Found { .. } | Verdict::Solvable => Status::Solved,
            Verdict::Unsolvable => Status::Unsolvable,
            Verdict::Unsolved { .. } => Status::Unsolved,
            Verdict::Invalid(_) => Status::Invalid,
            Verdict::Failed(_) => Status::Error,
        }
    }
}

/// Details of solving a board. They may differ between runs, and are only written on request.
#[derive(Clone, Copy, Default, Debug)]
pub struct Detail<'a> {
    /// The name of the engine.
    pub engine: &'a str,
    /// The name of its heuristic, if it has one.
    pub heuristic: Option<&'a str>,
    /// Nodes generated.
    pub nodes: u64,
    /// The time in microseconds.
    pub time_us: u64,
    /// The bounds of iterative deepening, each with the nodes of its iteration.
    pub iterations: &'a [(u64, u64)],
}

/// The shortest paths of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AllPaths {
    /// The number of shortest paths.
    pub count: PathTotal,
    /// A list of the paths, at most as many as requested; `None` if no list was requested, or if a
    /// limit was reached before the list was complete.
    pub list: Option<PathList>,
    /// The moves with which the paths begin, if known.
    pub beginning: Option<Beginning>,
}

/// The number of shortest paths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathTotal {
    /// The exact number.
    Exactly(u64),
    /// A lower bound, and the limit that ended the count.
    AtLeast(u64, &'static str),
}

/// The expected work of a search for a shortest path.
#[derive(Clone, Copy, Debug)]
pub struct Expected<'a> {
    /// Expected number of nodes generated; 0 if no search is needed.
    pub nodes: u64,
    /// Expected moves, time in microseconds, and the heuristic; `None` if no search is needed.
    pub search: Option<(u64, u64, &'a str)>,
}

/// Everything that can be written about one record.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// The number of the record in the run.
    pub index: u64,
    /// The source's name, as a JSON string.
    pub source: &'a str,
    /// The line on which the record begins.
    pub line: u64,
    /// The record's id as JSON text.
    pub id: Option<&'a str>,
    /// The passthrough columns.
    pub passthrough: &'a Passthrough,
    /// Board and goal, if there is a board.
    pub puzzle: Option<(&'a Board, &'a Board)>,
    /// The verdict.
    pub verdict: Verdict<'a>,
    /// The details of solving the board.
    pub detail: Option<Detail<'a>>,
    /// All shortest paths of the board, if requested.
    pub all_paths: Option<&'a AllPaths>,
    /// The linear-conflict bound, if requested and the board has a solution.
    pub linear_conflict: Option<u64>,
    /// The expected work, if requested and known.
    pub expected: Option<Expected<'a>>,
}

impl<'a> Row<'a> {
    /// Creates a row with only what every record has: its place in the input (index, source and
    /// line) and a verdict.
    pub fn bare(index: u64, source: &'a str, line: u64, verdict: Verdict<'a>) -> Row<'a> {
        let passthrough = Passthrough::nothing();
        let (id, puzzle, detail, all_paths, linear_conflict, expected) = (None, None, None, None, None, None);
        Row { index, source, line, id, passthrough, puzzle, verdict, detail, all_paths, linear_conflict, expected }
    }

    /// Returns the value of a field, if the result has it. The function is always inlined, so that
    /// the compiler can append simple values without constructing a [`Value`].
    #[inline(always)]
    pub(in crate::format) fn value(&self, field: Field, fields: &'a Fields) -> Option<Value<'a>> {
        let Row { verdict, puzzle, all_paths, detail, expected, .. } = *self;
        let (path, is_unproven) = (verdict.path(), verdict.is_unproven());
        // Values that others imply are only written if fields were selected by name.
        let by_name = fields.by_name;
        Some(match field {
            Field::Index => Value::Number(self.index),
            Field::Source => Value::Json(self.source),
            Field::Line => Value::Number(self.line),
            Field::Id => Value::Json(self.id?),
            Field::Rows => Value::Number(puzzle?.0.shape().rows() as u64),
            Field::Cols => Value::Number(puzzle?.0.shape().cols() as u64),
            Field::Board => Value::Tiles(puzzle?.0),
            Field::Goal => Value::Tiles(puzzle?.1),
            Field::Solvable => puzzle.map(|(board, goal)| Value::Flag(is_solvable(board, goal)))?,
            Field::Manhattan => puzzle.map(|(board, goal)| Value::Number(board.manhattan_distance(goal)))?,
            Field::LinearConflict => Value::Number(self.linear_conflict?),
            Field::Status => Value::Word(verdict.status().name().as_bytes()),
            Field::Moves => Value::Number(path?.len() as u64),
            Field::Path if fields.spelling == Spelling::default() => Value::Word(path?.letters()),
            Field::Path => Value::Path(&fields.spelling, puzzle?.0, path?),
            Field::Optimal if by_name || is_unproven => Value::Flag(path.is_some().then_some(!is_unproven)?),
            Field::Optimal => return None,
            Field::Limit => match (verdict, all_paths.map(|all| all.count)) {
                (Verdict::Found { limit: Some(limit), .. }, _) if is_unproven => Value::Word(limit.name().as_bytes()),
                (Verdict::Unsolved { limit, .. }, _) => Value::Word(limit.name().as_bytes()),
                (_, Some(PathTotal::AtLeast(_, limit))) if by_name => Value::Word(limit.as_bytes()),
                _ => return None,
            },
            Field::LowerBound => match verdict {
                Verdict::Unsolved { lower_bound, .. } => Value::Number(lower_bound),
                Verdict::Found { lower_bound, .. } if by_name || is_unproven => Value::Number(lower_bound),
                Verdict::Solved(path) if by_name => Value::Number(path.len() as u64),
                _ => return None,
            },
            Field::Error => match verdict {
                Verdict::Invalid(error) | Verdict::Failed(error) => Value::Text(error),
                _ => return None,
            },
            Field::States => {
                let (board, path) = (puzzle?.0, path?);
                has_states(board, path.len()).then_some(Value::Boards(board, path))?
            }
            Field::Paths => Value::Paths(&fields.spelling, puzzle?.0, all_paths?.list.as_ref()?),
            Field::Solutions | Field::SolutionsAtLeast => match (field, all_paths?.count) {
                (Field::Solutions, PathTotal::Exactly(paths)) => Value::Number(paths),
                (Field::SolutionsAtLeast, PathTotal::AtLeast(paths, _)) => Value::Number(paths),
                _ => return None,
            },
            Field::FirstMoves => Value::Moves(&path.and(all_paths)?.beginning.as_ref()?.first_moves),
            Field::ForcedMoves => Value::Word(&path?.letters()[..all_paths?.beginning.as_ref()?.forced]),
            Field::EstimatedNodes => Value::Number(expected?.nodes),
            Field::EstimatedMoves => Value::Number(expected?.search?.0),
            Field::EstimatedTimeUs => Value::Number(expected?.search?.1),
            Field::EstimatedBy => Value::Text(expected?.search?.2),
            Field::DuplicateOf => puzzle.map(|_| Value::Placeholder(DUPLICATE_OF))?,
            Field::ReflectionOf => puzzle.map(|_| Value::Placeholder(REFLECTION_OF))?,
            Field::Engine => Value::Text(detail?.engine),
            Field::Heuristic => Value::Text(detail?.heuristic?),
            Field::Nodes => Value::Number(detail?.nodes),
            Field::TimeUs => Value::Number(detail?.time_us),
            Field::Iterations => match detail?.iterations {
                [] => return None,
                pairs => Value::Pairs(pairs),
            },
        })
    }
}
