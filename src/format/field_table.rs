//! The properties of a field of a result: a row of the table in [`super::fields`].
//!
//! The reader of results, the JSON Schemas and the tables in `docs/` are derived from the table or
//! compared with it by a test. The compiler demands an arm for each field in the writer's `match`.
//! The fast path's templates and the report handle only the fields that they name: results with a
//! new field take the general path, and the report ignores the field.

#[cfg(test)]
use std::fmt;

use super::status::Status;

/// A row of the table: the properties of a field.
#[derive(Clone, Copy, Debug)]
pub struct FieldRow {
    /// The field's name in the output and for `--fields`.
    pub name: &'static str,
    /// The name as the key of a JSON object: in quotes, followed by a colon.
    pub key: &'static str,
    /// The type of the field's value.
    pub value: ValueType,
    /// The option that requests the field.
    pub request: FieldRequest,
    /// The results that have the field.
    pub presence: Presence,
    /// The work that determines the field's value.
    pub need: Need,
    /// The description in the JSON Schema and in the docs.
    pub meaning: &'static str,
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

/// The option that requests a field. `--fields` can request every field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FieldRequest {
    /// A default field.
    Default,
    /// Added by `--boards`.
    Boards,
    /// Added by `--all`.
    All,
    /// Added by `--detail`.
    Detail,
    /// Written only if `--fields` names it.
    ByName,
}

/// The type of a field's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueType {
    /// An integer from 1.
    Ordinal,
    /// An integer from 1, or null if it is not known.
    OrdinalOrNull,
    /// An integer from 0.
    Count,
    /// The number of rows or columns of a board.
    Side,
    /// Any text.
    Text,
    /// Any text, or any number.
    TextOrNumber,
    /// The name of a heuristic: a word, or the sizes of pattern databases.
    Heuristic,
    /// True or false.
    Flag,
    /// The tiles of a board, row by row.
    Tiles,
    /// Several boards.
    Boards,
    /// Pairs of a bound and a number of nodes.
    Iterations,
    /// Moves in any notation of `--notation`.
    SpelledMoves,
    /// Several paths in any notation of `--notation`.
    SpelledPaths,
    /// Moves of the blank, one capital letter each.
    Moves,
    /// The status of a record: one of these words.
    Status(&'static [&'static str]),
    /// One of these words.
    Word(&'static [&'static str]),
}

/// The results that have a field, if it is requested.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Presence {
    /// All results.
    Always,
    /// Records with an id.
    WithId,
    /// Records from which a board was read.
    Board,
    /// Boards that have a solution.
    Solvable,
    /// Solved boards.
    Solved,
    /// Boards whose path is proven shortest, if all shortest paths were counted or, for `paths`,
    /// listed.
    Counted,
    /// Boards whose path is proven shortest, if the first moves of all shortest paths are known.
    FirstMovesKnown,
    /// Boards whose path is proven shortest, if not all shortest paths were counted.
    Uncounted,
    /// Boards solved by a path that is not proven shortest; if requested by name, all solved
    /// boards.
    Unproven,
    /// Boards that were not solved because of a limit, and boards for which a limit prevented a
    /// better path; if requested by name, also boards whose shortest paths were not all counted.
    Limited,
    /// Boards that were not solved because of a limit, and boards whose path is not proven
    /// shortest; if requested by name, all solved boards too.
    Bounded,
    /// Invalid records, and records on which the program failed.
    Faulty,
    /// Boards that were given to an engine, whether or not it found a path.
    ByEngine,
    /// Boards searched by iterative deepening.
    Deepened,
    /// Boards whose work can be estimated. The estimate is 0 if no search is needed.
    Estimated,
    /// Boards whose work can be estimated and that need a search.
    SearchEstimated,
    /// Boards that an earlier record contains or may contain.
    Repeated,
    /// Boards that no earlier record contains, if one contains a reflection.
    Reflected,
}

impl Presence {
    /// Returns true if a reader accepts a field with this presence in a result of this status. The
    /// reader is lenient: it also accepts some fields that the program never writes for this
    /// status.
    pub const fn allows(self, status: Status) -> bool {
        match self {
            Presence::Always | Presence::WithId => true,
            Presence::Board
            | Presence::Estimated
            | Presence::SearchEstimated
            | Presence::Repeated
            | Presence::Reflected => !matches!(status, Status::Invalid),
            Presence::Solved
            | Presence::Counted
            | Presence::FirstMovesKnown
            | Presence::Uncounted
            | Presence::Unproven => matches!(status, Status::Solved),
            // A bound may be known before the program fails.
            Presence::Solvable => matches!(status, Status::Solved | Status::Unsolved | Status::Error),
            Presence::Limited | Presence::Bounded => matches!(status, Status::Solved | Status::Unsolved),
            Presence::Faulty => matches!(status, Status::Invalid | Status::Error),
            Presence::ByEngine | Presence::Deepened => {
                matches!(status, Status::Solved | Status::Unsolvable | Status::Unsolved)
            }
        }
    }
}

/// Formats the condition as in the docs.
#[cfg(test)]
impl fmt::Display for Presence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Presence::Always => "always",
            Presence::WithId => "if the record has one",
            Presence::Board => "if a board was read",
            Presence::Solvable => "if the board has a solution",
            Presence::Solved => "`solved`",
            Presence::Counted => "`solved`, if proven shortest and all shortest paths were counted",
            Presence::FirstMovesKnown => {
                "`solved`, if proven shortest and the first moves of all shortest paths are known"
            }
            Presence::Uncounted => "`solved`, if proven shortest and not all shortest paths were counted",
            Presence::Unproven => "`solved`, if unproven or in `--fields`",
            Presence::Limited => "`unsolved`; `solved` if a limit prevented a better result; if in `--fields`, also if the count ended early",
            Presence::Bounded => "`unsolved`; `solved`, if unproven or in `--fields`",
            Presence::Faulty => "`invalid`, `error`",
            Presence::ByEngine => "`solved`, `unsolved`",
            Presence::Deepened => "`solved`, `unsolved`, if searched by iterative deepening",
            Presence::Estimated => "if the board can be estimated",
            Presence::SearchEstimated => "if the board can be estimated and needs a search",
            Presence::Repeated => "if an earlier record has the same board, or may have it",
            Presence::Reflected => "if no earlier record has the same board, and one has its reflection",
        })
    }
}

/// Formats the type as in the docs.
#[cfg(test)]
impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ValueType::Ordinal => "integer from 1",
            ValueType::OrdinalOrNull => "integer from 1, or null",
            ValueType::Count => "integer from 0",
            ValueType::Side => "integer from 1 to 255",
            ValueType::Text | ValueType::Heuristic | ValueType::SpelledMoves | ValueType::Moves => "string",
            ValueType::TextOrNumber => "string or number",
            ValueType::Flag => "boolean",
            ValueType::Tiles => "array of integers",
            ValueType::Boards | ValueType::Iterations => "array of arrays of integers",
            ValueType::SpelledPaths => "array of strings",
            ValueType::Status(words) | ValueType::Word(words) => return write!(f, "`{}`", words.join("`, `")),
        })
    }
}

/// Formats the option as in the docs.
#[cfg(test)]
impl fmt::Display for FieldRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FieldRequest::Default => "default",
            FieldRequest::Boards => "`--boards`",
            FieldRequest::All => "`--all`",
            FieldRequest::Detail => "`--detail`",
            FieldRequest::ByName => "`--fields`",
        })
    }
}

/// Returns a table of fields as in the docs.
#[cfg(test)]
pub(crate) fn markdown(rows: impl IntoIterator<Item = &'static FieldRow>) -> String {
    let mut table = String::from("| field | type | requested by | present | meaning |\n|---|---|---|---|---|\n");
    for FieldRow { name, value, request, presence, meaning, .. } in rows {
        table += &format!("| `{name}` | {value} | {request} | {presence} | {meaning} |\n");
    }
    table
}
