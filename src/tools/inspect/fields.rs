//! The table of the fields of `inspect`'s lines.
//!
//! A new field is a new row here. The compiler then asks how it is found out and written (`write.rs`); the JSON Schema
//! follows by itself; and tests ask for a row in `docs/inspecting.md`, for the published schema (`tests/schema/`) to be
//! brought up to date, and for a record that has the field.

use std::fmt;

use crate::format::field_table::ValueType::{
    Count, Limit as LimitWord, Moves as Letters, Name, Ordinal, OrdinalOrNull, Side, Status as StatusWord, Text,
    TextOrNumber, Tiles,
};
use crate::format::field_table::{FieldRow, Request, field_table};
use crate::format::schema::Schema;
use crate::format::status::Status;
use crate::system::Limit;
use crate::tools::labels::CountLimit;

/// What may be written as the limit that ended a search or a count.
const LIMITS: &[&str] =
    &[Limit::Time.name(), Limit::Nodes.name(), Limit::Memory.name(), Limit::Effort.name(), CountLimit::Cap.name()];

/// What may be written as what became of a record.
const STATUSES: &[&str] = &[
    Status::Solved.name(),
    Status::Unsolvable.name(),
    Status::Unsolved.name(),
    Status::Invalid.name(),
    Status::Error.name(),
    "solvable",
];

field_table! {
    /// A field of a line.
    pub enum Field: Presence {
        Index             "index",               Ordinal,                   Default, Always,    "Number of the record in the whole run.";
        Source            "source",              Text,                      Default, Always,    "Where the record was read: the file as named, or - for standard input.";
        Line              "line",                Ordinal,                   Default, Always,    "The line it began on.";
        Id                "id",                  TextOrNumber,              Default, Named,     "The record's own name, where it had one.";
        Rows              "rows",                Side,                      ByName,  Board,     "Rows of the board.";
        Cols              "cols",                Side,                      ByName,  Board,     "Columns of the board.";
        Board             "board",               Tiles,                     ByName,  Board,     "The board, row by row, 0 the blank.";
        Goal              "goal",                Tiles,                     ByName,  Board,     "The goal, row by row, 0 the blank.";
        Status            "status",              StatusWord(STATUSES), Default, Always,    "What became of the record.";
        Moves             "moves",               Count,                     Default, Solved,    "The fewest moves that are enough.";
        Path              "path",                Letters,                   ByName,  Solved,    "The canonical shortest path: the smallest of all in alphabetical order.";
        Solutions         "solutions",           Ordinal,                   Default, Counted,   "How many paths have that many moves: the exact number.";
        First             "first",               Letters,                   Default, Forked,    "The moves with which shortest paths begin, smallest first.";
        Forced            "forced",              Letters,                   Default, Forked,    "The moves with which all of them begin.";
        Manhattan         "manhattan",           Count,                     Default, Board,     "Lower bound: the sum of the tiles' distances.";
        LinearConflict    "linear_conflict",     Count,                     Default, Searched,  "Lower bound: the same with linear conflicts.";
        ManhattanGap      "manhattan_gap",       Count,                     Default, Solved,    "Moves beyond the Manhattan distance: how far it misleads.";
        LinearConflictGap "linear_conflict_gap", Count,                     Default, Solved,    "Moves beyond the bound with linear conflicts.";
        DupOf             "dup_of",              OrdinalOrNull,             Default, Repeated,  "The first record with the same board and goal; null: not known, for want of memory.";
        ReflectionOf      "reflection_of",       Ordinal,                   Default, Reflected, "The first record with a reflection of the board that keeps the goal.";
        EstimatedNodes    "estimated_nodes",     Count,                     ByName,  Estimated, "Nodes that a search for a shortest path is expected to generate, from a sample; 0: it needs no search.";
        EstimatedMoves    "estimated_moves",     Count,                     ByName,  Sampled,   "Moves of a shortest path, as far as a good path tells: now and then two too many.";
        EstimatedBy       "estimated_by",        Name,                      ByName,  Sampled,   "The heuristic that guides the search of these nodes.";
        EstimatedTimeUs   "estimated_time_us",   Count,                     ByName,  Sampled,   "Microseconds for these nodes on one thread of this machine: another number on every run.";
        Limit             "limit",               LimitWord(LIMITS),         Default, Limited,   "What ended the search or the count.";
        LowerBound        "lower_bound",         Count,                     Default, Unsolved,  "No path is shorter than this.";
        Error             "error",               Text,                      Default, Faulty,    "What is wrong with an invalid record, or what failed.";
    }
}

/// The member that stands in the place of `solutions` where not all paths were counted. It cannot be asked for by itself.
pub(super) const SOLUTIONS_AT_LEAST: FieldRow<Presence> = FieldRow {
    name: "solutions_at_least",
    value: Count,
    request: Request::Default,
    presence: Presence::Uncounted,
    meaning: "In place of `solutions`: how many were counted when counting was ended.",
};

/// Every member that a line can have.
fn members() -> impl Iterator<Item = FieldRow<Presence>> {
    Field::ALL.into_iter().flat_map(|field| {
        let beside = (field == Field::Solutions).then_some(SOLUTIONS_AT_LEAST);
        std::iter::once(field.row()).chain(beside)
    })
}

/// What a single field's type cannot say: which fields go with which status.
const RULES: &str = r#"  "allOf": [
    {
      "if": { "properties": { "status": { "const": "solved" } }, "required": ["status"] },
      "then": { "not": { "anyOf": [{ "required": ["lower_bound"] }, { "required": ["error"] }] } },
      "else": { "if": { "required": ["status"] }, "then": { "not": { "anyOf": [{ "required": ["moves"] }, { "required": ["path"] }, { "required": ["solutions"] }, { "required": ["solutions_at_least"] }] } } }
    },
    { "not": { "required": ["solutions", "solutions_at_least"] } }
  ],
"#;

/// The JSON Schema of a line of `taquin inspect`.
pub fn schema() -> String {
    Schema {
        title: "taquin inspect",
        description: "One line of the output of `taquin inspect`: what is known of one record. With --fields only the fields asked for are there.",
        rules: RULES,
    }
    .of(members(), None)
}

/// On which lines a field is written, if it is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Presence {
    /// On all.
    Always,
    /// On those of records that have an id.
    Named,
    /// Where a board was read.
    Board,
    /// Of boards that have a solution.
    Searched,
    /// On those that are solved.
    Solved,
    /// Where all shortest paths were counted.
    Counted,
    /// Where counting them was ended.
    Uncounted,
    /// Where it is known how shortest paths begin.
    Forked,
    /// Where the board came before, or may have come.
    Repeated,
    /// Where the board is new and a reflection of it came before.
    Reflected,
    /// Where it is known how much work the board is.
    Estimated,
    /// The same, if it has to be searched.
    Sampled,
    /// Where a limit ended the search or the count.
    Limited,
    /// On those that a limit left unsolved.
    Unsolved,
    /// On those of invalid records, and where the program failed.
    Faulty,
}

/// As the docs say it.
impl fmt::Display for Presence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Presence::Always => "always",
            Presence::Named => "if the record has one",
            Presence::Board => "if a board was read",
            Presence::Searched => "if the board has a solution",
            Presence::Solved => "`solved`",
            Presence::Counted => "`solved`, if all were counted",
            Presence::Uncounted => "`solved`, if counting was ended",
            Presence::Forked => "`solved`, if known",
            Presence::Repeated => "if the board came before, or may have come",
            Presence::Reflected => "if the board is new, and one of its reflections is not",
            Presence::Estimated => "if a board was read and its work can be told",
            Presence::Sampled => "the same, if it has to be searched",
            Presence::Limited => "`unsolved`, or if counting was ended",
            Presence::Unsolved => "`unsolved`",
            Presence::Faulty => "`invalid`, `error`",
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use serde_json::Value;

    use super::super::facts::{Facts, Status};
    use super::super::{Examined, Fields, Occurrence, Place};
    use super::*;
    use crate::board::{Goal, Move};
    use crate::format::field_table::markdown;
    use crate::solver::{Estimate, SearchEstimate};
    use crate::tools::labels::{Beginning, HeuristicBounds, PathCount, ShortestPaths};

    #[test]
    fn the_page_of_inspecting_has_this_table() {
        let (page, table) = (include_str!("../../../docs/inspecting.md"), markdown(members()));
        assert!(page.contains(&format!("\n\n{table}\n")), "docs/inspecting.md needs this table:\n{table}");
    }

    #[test]
    fn what_comes_without_options() {
        let default: Vec<_> = Field::requested_by(Request::Default).map(Field::name).collect();
        let expected = "index source line id status moves solutions first forced manhattan linear_conflict manhattan_gap \
                        linear_conflict_gap dup_of reflection_of limit lower_bound error";
        assert_eq!(default.join(" "), expected);
    }

    /// Records of every kind, with all fields.
    fn lines() -> Vec<Value> {
        let goal = Goal::BlankLast.on("2x2".parse().unwrap()).unwrap();
        let board = goal.after(Move::Up).unwrap();
        let first = Place { index: 1, source: 0, line: 1 };
        let solved = |count, is_known: bool| Status::Solved {
            path: "D".parse().unwrap(),
            shortest_paths: Some(ShortestPaths {
                count,
                beginning: is_known.then(|| Beginning { first_moves: vec![Move::Down], forced: 1 }),
            }),
        };
        let records = [
            (solved(PathCount::Exactly(1), true), Some(Occurrence::DuplicateOf(first))),
            (solved(PathCount::AtLeast(2, CountLimit::Cap), true), Some(Occurrence::ReflectionOf(first))),
            (solved(PathCount::AtLeast(2, CountLimit::Limit(Limit::Time)), false), Some(Occurrence::Unknown)),
            (Status::Solved { path: "D".parse().unwrap(), shortest_paths: None }, Some(Occurrence::New)),
            (Status::Unsolved { lower_bound: 1, limit: Limit::Nodes }, None),
            (Status::Unsolved { lower_bound: 1, limit: Limit::Effort }, None),
            (Status::Unsolvable, None),
            (Status::Solvable, None),
            (Status::Invalid("no board".into()), None),
            (Status::Failed("oh".into()), None),
        ];
        let estimate = || {
            let time = Duration::from_micros(7);
            Estimate::Search(SearchEstimate { nodes: 9, moves: 1, heuristic: "7-8".into(), time })
        };
        let write = |(status, occurrence): (Status, Option<Occurrence>)| {
            let is_board = !matches!(status, Status::Invalid(_));
            let bounds = HeuristicBounds { manhattan: 1, linear_conflict: Some(1) };
            let facts = Facts {
                index: 2,
                line: 3,
                id: Some("\"x\"".into()),
                puzzle: is_board.then(|| (board.clone(), goal.clone())),
                bounds: is_board.then_some(bounds),
                estimate: (status == Status::Solvable).then(estimate),
                status,
                digests: None,
            };
            let sources: [Arc<str>; 1] = ["a \"b\".txt".into()];
            let mut line = Vec::new();
            Fields::new(Field::ALL)
                .write(&Examined { place: first, sources: &sources, facts: &facts, occurrence }, &mut line);
            serde_json::from_slice(&line).unwrap()
        };
        records.map(write).into()
    }

    #[test]
    fn every_member_is_written_and_described() {
        let schema: Value = serde_json::from_str(&schema()).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let lines = lines();
        for line in &lines {
            let errors: Vec<String> = validator.iter_errors(line).map(|error| error.to_string()).collect();
            assert!(errors.is_empty(), "{line}: {errors:?}");
        }
        for FieldRow { name, .. } in members() {
            assert!(lines.iter().any(|line| line.get(name).is_some()), "no line has {name}");
            let written = |line: &&Value| line.get(name).is_some();
            let mut wrong = lines.iter().find(written).unwrap().clone();
            wrong[name] = serde_json::json!({"another": "type"});
            assert!(!validator.is_valid(&wrong), "{wrong}");
        }
    }

    #[test]
    fn the_schema_refuses_what_is_no_line() {
        let validator = jsonschema::validator_for(&serde_json::from_str(&schema()).unwrap()).unwrap();
        for wrong in [
            r#"{"colour":1}"#,
            r#"{"status":"solvable","moves":3}"#,
            r#"{"status":"solved","error":"x"}"#,
            r#"{"status":"unsolvable","moves":3}"#,
            r#"{"status":"unsolved","solutions_at_least":3}"#,
            r#"{"solutions":3,"solutions_at_least":3}"#,
            r#"{"solutions":0}"#,
            r#"{"first":"UX"}"#,
            r#"{"limit":"cancelled"}"#,
            r#"{"reflection_of":null}"#,
        ] {
            assert!(!validator.is_valid(&serde_json::from_str(wrong).unwrap()), "{wrong}");
        }
    }
}
