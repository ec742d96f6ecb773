//! The table of a result's fields: the contract with readers of the output.
//!
//! To add a field, add a row here and an arm in `output/mod.rs`, which the compiler demands. The
//! reader and the JSON Schema use the row's type. Tests require a row in `docs/formats.md` and an
//! updated schema (`tests/schema/`). Results with the field take the general path until the fast
//! path supports it (`batch/fast_path/result_template.rs`). The report ignores the field until
//! `tools/report/tally.rs` handles it.

use std::fmt;
use std::str::FromStr;

pub use super::field_table::Need;
use super::field_table::ValueType::{
    Boards, Count, Flag, Heuristic as HeuristicName, Iterations, Moves as Letters, Ordinal, OrdinalOrNull, Side,
    SpelledMoves, SpelledPaths, Status as StatusWord, Text, TextOrNumber, Tiles, Word,
};
use super::field_table::{FieldRequest, FieldRow, Presence};
use super::status::Status;
use crate::board::Error;
use crate::system::Limit;

/// The values of the field `limit`. `Limit::Cancelled` is missing, because a cancelled search has
/// no result.
pub const LIMITS: &[&str] =
    &[Limit::Time.name(), Limit::Nodes.name(), Limit::Memory.name(), Limit::Effort.name(), "count-cap"];

/// The names of the engines. A test of `verify` compares them with those in `engine/mod.rs`.
pub const ENGINES: &[&str] = &["line", "lookup", "bidirectional", "astar", "idastar", "good"];

/// Declares the fields and their table. A row is: variant, name, type, request, presence, need,
/// meaning.
macro_rules! fields {
    ($($Variant:ident $name:literal, $value:expr, $request:ident, $presence:ident, $need:ident, $meaning:literal;)+) => {
        /// A field of a result.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[non_exhaustive]
        pub enum Field {
            $(#[doc = $meaning] $Variant,)+
        }

        static ROWS: [FieldRow; Field::COUNT] = [$(FieldRow {
            name: $name,
            key: concat!("\"", $name, "\":"),
            value: $value,
            request: FieldRequest::$request,
            presence: Presence::$presence,
            need: Need::$need,
            meaning: $meaning,
        }),+];

        impl Field {
            /// The names of all fields, in the order of the table.
            pub const NAMES: &'static [&'static str] = &[$($name),+];

            /// Every field, in the same order.
            pub const ALL: [Field; Field::COUNT] = [$(Field::$Variant),+];

            /// Returns the field with this name.
            #[inline]
            pub fn named(name: &str) -> Option<Field> {
                match name {
                    $($name => Some(Field::$Variant),)+
                    _ => None,
                }
            }
        }
    };
}

fields! {
    Index            "index",              Ordinal,                   Default, Always,          Record,         "Number of the record in the whole run.";
    Source           "source",             Text,                      Default, Always,          Record,         "The file as named, or - for standard input and arguments.";
    Line             "line",               Ordinal,                   Default, Always,          Record,         "The line on which the record begins.";
    Id               "id",                 TextOrNumber,              Default, WithId,          Record,         "The id given in the record.";
    Rows             "rows",               Side,                      Boards,  Board,           Record,         "Rows of the board.";
    Cols             "cols",               Side,                      Boards,  Board,           Record,         "Columns of the board.";
    Board            "board",              Tiles,                     Boards,  Board,           Record,         "The board, row by row; 0 is the blank.";
    Goal             "goal",               Tiles,                     Boards,  Board,           Record,         "The goal, row by row; 0 is the blank.";
    Solvable         "solvable",           Flag,                      ByName,  Board,           Board,          "True if the goal can be reached, by parity.";
    Manhattan        "manhattan",          Count,                     ByName,  Board,           Board,          "Lower bound on the moves: the sum of the tiles' distances from their cells in the goal.";
    LinearConflict   "linear_conflict",    Count,                     ByName,  Solvable,        Board,          "Lower bound on the moves: the Manhattan distance with linear conflicts.";
    Status           "status",             StatusWord(Status::NAMES), Default, Always,          Solution,       "The status of the record.";
    Moves            "moves",              Count,                     Default, Solved,          Solution,       "Length of the path; no path is shorter unless `optimal` is false.";
    Path             "path",               SpelledMoves,              Default, Solved,          Solution,       "Moves of the blank: the canonical shortest path (first in the order D < L < R < U), if shortest paths were searched for. Written in the notation of --notation and --path-of.";
    Optimal          "optimal",            Flag,                      Default, Unproven,        Solution,       "True if it is proven that no path is shorter.";
    Limit            "limit",              Word(LIMITS),              Default, Limited,         Solution,       "The limit that ended the search or the count of shortest paths.";
    LowerBound       "lower_bound",        Count,                     Default, Bounded,         Solution,       "Proven lower bound on the number of moves.";
    Error            "error",              Text,                      Default, Faulty,          Record,         "The reason why the record is invalid, or why the program failed.";
    States           "states",             Boards,                    ByName,  Solved,          Solution,       "Every board from start to goal; omitted if that would take more than 64 MiB.";
    Paths            "paths",              SpelledPaths,              All,     Counted,         AllPaths,       "The shortest paths, the canonical one first: all of them, or as many as requested (--all=N) or as fit into 16 MiB.";
    Solutions        "solutions",          Ordinal,                   All,     Counted,         AllPaths,       "The number of shortest paths.";
    SolutionsAtLeast "solutions_at_least", Ordinal,                   All,     Uncounted,       AllPaths,       "Instead of `solutions`: the number counted when a limit or `--count-cap` ended the count.";
    FirstMoves       "first_moves",        Letters,                   ByName,  FirstMovesKnown, AllPaths,       "The moves with which shortest paths begin, in alphabetical order.";
    ForcedMoves      "forced_moves",       Letters,                   ByName,  FirstMovesKnown, AllPaths,       "The moves with which all shortest paths begin.";
    EstimatedTimeUs  "estimated_time_us",  Count,                     ByName,  SearchEstimated, Sample,         "Expected time of the search in microseconds, on one thread of this machine; differs from run to run.";
    EstimatedNodes   "estimated_nodes",    Count,                     ByName,  Estimated,       Sample,         "Nodes that a search for a shortest path is expected to generate, from a sample; 0 if no search is needed.";
    EstimatedMoves   "estimated_moves",    Count,                     ByName,  SearchEstimated, Sample,         "Expected length of a shortest path: the length of a good path, which is sometimes two moves longer.";
    EstimatedBy      "estimated_by",       HeuristicName,             ByName,  SearchEstimated, Sample,         "The heuristic of the estimated search.";
    DuplicateOf      "duplicate_of",       OrdinalOrNull,             ByName,  Repeated,        EarlierRecords, "The index of the first record with the same board and goal; null if it is unknown for lack of memory.";
    ReflectionOf     "reflection_of",      Ordinal,                   ByName,  Reflected,       EarlierRecords, "The index of the first record with a reflection of the board and the same goal.";
    Engine           "engine",             Word(ENGINES),             Detail,  ByEngine,        Solution,       "The engine that answered.";
    Heuristic        "heuristic",          HeuristicName,             Detail,  ByEngine,        Solution,       "The heuristic that guided the engine, if any.";
    Nodes            "nodes",              Count,                     Detail,  ByEngine,        Solution,       "Nodes generated; differs between engines.";
    TimeUs           "time_us",            Count,                     Detail,  ByEngine,        Solution,       "Wall time in microseconds; differs from run to run.";
    Iterations       "iterations",         Iterations,                Detail,  Deepened,        Solution,       "The bounds of iterative deepening, each with the nodes of its iteration; a search that is promoted to larger tables begins again at a smaller bound. Differs between engines.";
}

impl Field {
    /// The number of fields.
    pub const COUNT: usize = Field::NAMES.len();

    /// Returns the field's row of the table.
    #[inline]
    pub(crate) fn row(self) -> &'static FieldRow {
        &ROWS[self as usize]
    }

    /// Returns the field's name in the output.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns the work that determines the field's value.
    pub fn need(self) -> Need {
        self.row().need
    }

    /// Returns the fields that are requested in this way, in the order of the table.
    pub(crate) fn requested_by(request: FieldRequest) -> impl Iterator<Item = Field> {
        Field::ALL.into_iter().filter(move |field| field.row().request == request)
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Field {
    type Err = Error;

    fn from_str(name: &str) -> Result<Field, Error> {
        Field::named(name).ok_or_else(|| {
            let names = Field::NAMES.join(", ");
            Error::invalid(format!("there is no field '{name}': choose from {names}"))
        })
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
            assert_eq!((name.parse(), field.row().key), (Ok(field), &*format!("\"{name}\":")));
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
