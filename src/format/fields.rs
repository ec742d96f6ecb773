//! The table of a result's fields: the contract with readers of the output.
//!
//! To add a field, add a row here and an arm in `output/row.rs`, which the compiler demands. The
//! reader and the JSON Schema use the row's type. Tests require a row in `docs/formats.md` and an
//! updated schema (`tests/schema/`). Results with the field take the general path until the fast
//! path supports it (`batch/fast_path/result_template.rs`). The report ignores it until
//! `tools/report/line.rs` handles it.

use super::field_table::ValueType::{
    Boards, Count, Flag, Heuristic as HeuristicName, Iterations, Moves as Letters, Ordinal, OrdinalOrNull, Side,
    SpelledMoves, SpelledPaths, Status as StatusWord, Text, TextOrNumber, Tiles, Word,
};
use super::field_table::field_table;
use super::status::Status;
use crate::system::Limit;

/// The values of the field `limit`. `Limit::Cancelled` is missing, because a cancelled search has
/// no result.
pub const LIMITS: &[&str] =
    &[Limit::Time.name(), Limit::Nodes.name(), Limit::Memory.name(), Limit::Effort.name(), "count-cap"];

/// The names of the engines. A test of `verify` compares them with those in `engine/mod.rs`.
pub const ENGINES: &[&str] = &["line", "lookup", "bidirectional", "astar", "idastar", "good"];

field_table! {
    /// A field of a result.
    #[non_exhaustive]
    pub enum Field {
        Index      "index",       Ordinal,                   Default, Always,   "Number of the record in the whole run.";
        Source     "source",      Text,                      Default, Always,   "The file as named, or - for standard input and arguments.";
        Line       "line",        Ordinal,                   Default, Always,   "The line on which the record begins.";
        Id         "id",          TextOrNumber,              Default, WithId,   "The id given in the record.";
        Rows       "rows",        Side,                      Boards,  Board,    "Rows of the board.";
        Cols       "cols",        Side,                      Boards,  Board,    "Columns of the board.";
        Board      "board",       Tiles,                     Boards,  Board,    "The board, row by row, 0 the blank.";
        Goal       "goal",        Tiles,                     Boards,  Board,    "The goal, row by row, 0 the blank.";
        Solvable   "solvable",    Flag,                      ByName,  Board,    "True if any moves lead to the goal, by parity.";
        Manhattan  "manhattan",   Count,                     ByName,  Board,    "Lower bound on the moves: the sum of the tiles' distances from their cells in the goal.";
        LinearConflict "linear_conflict", Count,             ByName,  Solvable, "Lower bound on the moves: the Manhattan distance with linear conflicts.";
        Status     "status",      StatusWord(Status::NAMES), Default, Always,   "The status of the record.";
        Moves      "moves",       Count,                     Default, Solved,   "Length of the path; no path is shorter unless `optimal` is false.";
        Path       "path",        SpelledMoves,              Default, Solved,   "Moves of the blank: the canonical shortest path (first in the order D < L < R < U), if shortest paths were searched for. In the notation of --notation and --path-of.";
        Optimal    "optimal",     Flag,                      Default, Unproven, "True if it is proven that no path is shorter.";
        Limit      "limit",       Word(LIMITS),              Default, Limited,  "The limit that ended the search or the count of shortest paths.";
        LowerBound "lower_bound", Count,                     Default, Bounded,  "Proven lower bound on the number of moves.";
        Error      "error",       Text,                      Default, Faulty,   "The reason why the record is invalid, or why the program failed.";
        States     "states",      Boards,                    ByName,  Solved,   "Every board from start to goal; omitted if that would take more than 64 MiB.";
        Paths      "paths",       SpelledPaths,              All,     Counted,  "The shortest paths, the canonical one first: all of them, or as many as requested (--all=N) or as fit into 16 MiB.";
        Solutions  "solutions",   Ordinal,                   All,     Counted,  "The number of shortest paths.";
        SolutionsAtLeast "solutions_at_least", Ordinal,      All,     Uncounted, "Instead of `solutions`: the number counted when a limit or `--count-cap` ended the count.";
        FirstMoves "first_moves", Letters,                   ByName,  FirstMovesKnown, "The moves with which shortest paths begin, in alphabetical order.";
        ForcedMoves "forced_moves", Letters,                 ByName,  FirstMovesKnown, "The moves with which all shortest paths begin.";
        EstimatedTimeUs "estimated_time_us", Count,          ByName,  SearchEstimated, "Expected time of the search in microseconds, on one thread of this machine; differs from run to run.";
        EstimatedNodes "estimated_nodes", Count,             ByName,  Estimated, "Nodes that a search for a shortest path is expected to generate, from a sample; 0 if no search is needed.";
        EstimatedMoves "estimated_moves", Count,             ByName,  SearchEstimated, "Expected length of a shortest path, from a good path; sometimes two moves too many.";
        EstimatedBy "estimated_by", HeuristicName,           ByName,  SearchEstimated, "The heuristic of the estimated search.";
        DuplicateOf "duplicate_of", OrdinalOrNull,           ByName,  Repeated, "The index of the first record with the same board and goal; null if it is unknown for lack of memory.";
        ReflectionOf "reflection_of", Ordinal,               ByName,  Reflected, "The index of the first record with a reflection of the board and the same goal.";
        Engine     "engine",      Word(ENGINES),             Detail,  Answered, "The engine that answered.";
        Heuristic  "heuristic",   HeuristicName,             Detail,  Answered, "The heuristic that guided the engine, if any.";
        Nodes      "nodes",       Count,                     Detail,  Answered, "Nodes generated; differs between engines.";
        TimeUs     "time_us",     Count,                     Detail,  Answered, "Wall time in microseconds; differs from run to run.";
        Iterations "iterations",  Iterations,                Detail,  Deepened, "The bounds of iterative deepening, each with the nodes of its iteration; a search that is promoted to larger tables begins again at a smaller bound. Differs between engines.";
    }
}

/// The cheapest work that determines the value of a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// Reading the record.
    Record,
    /// Examining the board, without a search.
    Board,
    /// Solving the board.
    Solution,
    /// Counting all shortest paths of the board.
    AllPaths,
    /// Sampling the search for a shortest path.
    Sample,
    /// Comparing the record with all earlier ones.
    EarlierRecords,
}

impl Field {
    /// Returns the work that determines the field's value.
    pub const fn need(self) -> Need {
        match self {
            Field::Index
            | Field::Source
            | Field::Line
            | Field::Id
            | Field::Rows
            | Field::Cols
            | Field::Board
            | Field::Goal
            | Field::Error => Need::Record,
            Field::Solvable | Field::Manhattan | Field::LinearConflict => Need::Board,
            Field::Status
            | Field::Moves
            | Field::Path
            | Field::Optimal
            | Field::Limit
            | Field::LowerBound
            | Field::States
            | Field::Engine
            | Field::Heuristic
            | Field::Nodes
            | Field::TimeUs
            | Field::Iterations => Need::Solution,
            Field::Paths | Field::Solutions | Field::SolutionsAtLeast | Field::FirstMoves | Field::ForcedMoves => {
                Need::AllPaths
            }
            Field::EstimatedNodes | Field::EstimatedTimeUs | Field::EstimatedMoves | Field::EstimatedBy => Need::Sample,
            Field::DuplicateOf | Field::ReflectionOf => Need::EarlierRecords,
        }
    }
}

/// A set of fields.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct FieldSet(u64);

const _: () = assert!(Field::COUNT <= u64::BITS as usize);

impl FieldSet {
    /// Returns the set of all fields for which `holds` is true.
    pub fn of(holds: impl Fn(Field) -> bool) -> FieldSet {
        FieldSet(Field::ALL.into_iter().filter(|&field| holds(field)).map(|field| 1 << field as u64).sum())
    }

    /// Returns true if a field is in the set.
    #[inline]
    pub fn contains(self, field: Field) -> bool {
        self.0 >> field as u32 & 1 == 1
    }

    /// Returns the fields that are in at least one of the sets.
    pub fn union(self, other: FieldSet) -> FieldSet {
        FieldSet(self.0 | other.0)
    }

    /// Adds a field. Returns false if it was already in the set.
    #[inline]
    pub fn insert(&mut self, field: Field) -> bool {
        let is_new = !self.contains(field);
        self.0 |= 1 << field as u32;
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::field_table::markdown;

    #[test]
    fn names_are_read_back() {
        for (field, name) in Field::ALL.into_iter().zip(Field::NAMES) {
            assert_eq!((field.name(), field.row().name), (*name, *name));
            assert_eq!((name.parse(), field.key()), (Ok(field), &*format!("\"{name}\":")));
        }
        assert!("colour".parse::<Field>().unwrap_err().to_string().contains("lower_bound"));
    }

    #[test]
    fn the_formats_page_contains_this_table() {
        let (page, table) = (include_str!("../../docs/formats.md"), markdown(Field::ALL.map(Field::row)));
        assert!(page.contains(&format!("\n\n{table}\n")), "docs/formats.md needs this table:\n{table}");
    }

    #[test]
    fn a_set_contains_what_was_inserted() {
        let mut set = FieldSet::of(|field| field == Field::Index || field == Field::TimeUs);
        assert!(set.contains(Field::Index) && set.contains(Field::TimeUs) && !set.contains(Field::Path));
        assert!(set.insert(Field::Path) && !set.insert(Field::Path) && set.contains(Field::Path));
    }
}
