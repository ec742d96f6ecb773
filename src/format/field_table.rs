//! The structure of a table of output fields.
//!
//! The table of the fields of a result is in [`super::fields`]. The macro [`field_table!`] turns a
//! table into an enum, so names, keys, order and rows are always consistent. The reader of results,
//! the JSON Schemas and the tables in `docs/` are derived from the table or compared with it by a
//! test. The writers match on the enum without a wildcard. The fast path's templates and the report
//! handle only the fields that they name: results with a new field take the general path, and the
//! report ignores it.

#[cfg(test)]
use std::fmt;

use super::status::Status;

/// A row of the table: the properties of a field.
#[derive(Clone, Copy, Debug)]
pub struct FieldRow {
    /// The field's name in the output and for `--fields`.
    pub name: &'static str,
    /// The type of its value.
    pub value: ValueType,
    /// The option that requests it.
    pub request: Request,
    /// The results that have the field.
    pub presence: Presence,
    /// The description in the JSON Schema and in the docs.
    pub meaning: &'static str,
}

/// The option that requests a field. `--fields` can request every field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Request {
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
    /// Boards that an engine answered.
    Answered,
    /// Boards searched by iterative deepening.
    Deepened,
    /// Boards whose work can be estimated, including 0 if no search is needed.
    Estimated,
    /// Boards whose work can be estimated and that need a search.
    SearchEstimated,
    /// Boards that an earlier record contains or may contain.
    Repeated,
    /// Boards that no earlier record contains, if one contains a reflection.
    Reflected,
}

impl Presence {
    /// Returns true if a reader accepts a field with this presence in a result of this status. It
    /// is lenient: it also accepts some fields that the program never writes for that status.
    pub const fn allows(self, status: Status) -> bool {
        match self {
            Presence::Always
            | Presence::WithId
            | Presence::Board
            | Presence::Solvable
            | Presence::Estimated
            | Presence::SearchEstimated
            | Presence::Repeated
            | Presence::Reflected => true,
            Presence::Solved
            | Presence::Counted
            | Presence::FirstMovesKnown
            | Presence::Uncounted
            | Presence::Unproven => matches!(status, Status::Solved),
            Presence::Limited | Presence::Bounded => matches!(status, Status::Solved | Status::Unsolved),
            Presence::Faulty => matches!(status, Status::Invalid | Status::Error),
            Presence::Answered | Presence::Deepened => {
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
            Presence::Answered => "`solved`, `unsolved`",
            Presence::Deepened => "`solved`, `unsolved`, if searched by iterative deepening",
            Presence::Estimated => "if the board can be estimated",
            Presence::SearchEstimated => "if the board can be estimated and needs a search",
            Presence::Repeated => "if an earlier record has the same board, or may have it",
            Presence::Reflected => "if no earlier record has the same board, and one has its reflection",
        })
    }
}

/// Declares an enum of fields and its table. A row is: variant, name, type, request, presence,
/// meaning.
macro_rules! field_table {
    (
        $(#[$attribute:meta])*
        pub enum $Field:ident {
            $($Variant:ident $name:literal, $value:expr, $request:ident, $presence:ident, $meaning:literal;)+
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $Field {
            $(#[doc = $meaning] $Variant,)+
        }

        impl $Field {
            /// The number of fields.
            pub const COUNT: usize = $Field::NAMES.len();

            /// Every field, in the order of the table.
            pub const ALL: [$Field; $Field::COUNT] = [$($Field::$Variant),+];

            /// The names of all fields, in the same order.
            pub const NAMES: &'static [&'static str] = &[$($name),+];

            /// Returns the field's name in the output.
            pub const fn name(self) -> &'static str {
                match self { $($Field::$Variant => $name,)+ }
            }

            /// Returns the field's name as the key of a JSON object: in quotes, followed by a
            /// colon.
            #[inline]
            pub const fn key(self) -> &'static str {
                match self { $($Field::$Variant => concat!("\"", $name, "\":"),)+ }
            }

            /// Returns the field with this name.
            #[inline]
            pub fn named(name: &str) -> Option<$Field> {
                match name {
                    $($name => Some($Field::$Variant),)+
                    _ => None,
                }
            }

            pub(crate) const fn row(self) -> $crate::format::field_table::FieldRow {
                use $crate::format::field_table::{FieldRow, Presence, Request};
                match self {
                    $($Field::$Variant => FieldRow {
                        name: $name,
                        value: $value,
                        request: Request::$request,
                        presence: Presence::$presence,
                        meaning: $meaning,
                    },)+
                }
            }

            /// Returns the fields that are requested in this way, in the order of the table.
            pub(crate) fn requested_by(request: $crate::format::field_table::Request) -> impl Iterator<Item = $Field> {
                $Field::ALL.into_iter().filter(move |field| field.row().request == request)
            }
        }

        impl std::fmt::Display for $Field {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl std::str::FromStr for $Field {
            type Err = $crate::board::Error;

            fn from_str(name: &str) -> Result<$Field, $crate::board::Error> {
                $Field::named(name).ok_or_else(|| {
                    let names = $Field::NAMES.join(", ");
                    $crate::board::Error::invalid(format!("there is no field '{name}': choose from {names}"))
                })
            }
        }
    };
}

pub(crate) use field_table;

/// A JSON Schema pattern of moves in any notation of `--notation`.
const SPELLED: &str =
    "\"^([DLRU]*|[dlru]*|(UP|DOWN|LEFT|RIGHT)( (UP|DOWN|LEFT|RIGHT))*|[0-9]+( [0-9]+)*|([DLRU]([1-9][0-9]*)?)*)$\"";

/// A JSON Schema pattern of names of heuristics: words, or numbers that are the sizes or cells of
/// patterns.
const HEURISTIC: &str = "\"^([a-z]+(-[a-z]+)*|[0-9]+([-,;/x][0-9]+)*)$\"";

/// Returns true if a text matches [`HEURISTIC`].
pub fn is_heuristic(text: &str) -> bool {
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    text.split('-').all(is_word) || text.split(['-', ',', ';', '/', 'x']).all(is_number)
}

impl ValueType {
    /// Returns the members of the JSON Schema object for a value of this type.
    pub(super) fn schema(self) -> Vec<String> {
        let member = |name: &str, json: &str| format!("\"{name}\": {json}");
        let of_type = |json: &str| member("type", json);
        let min = |bound: u32| member("minimum", &bound.to_string());
        let one_of = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
            vec![member("enum", &format!("[{}]", words.join(", ")))]
        };
        let tiles = r##""$ref": "#/$defs/tiles""##;
        match self {
            ValueType::Ordinal => vec![of_type("\"integer\""), min(1)],
            ValueType::OrdinalOrNull => vec![of_type(r#"["integer", "null"]"#), min(1)],
            ValueType::Count => vec![of_type("\"integer\""), min(0)],
            ValueType::Side => vec![of_type("\"integer\""), min(1), member("maximum", "255")],
            ValueType::Text => vec![of_type("\"string\"")],
            ValueType::Heuristic => vec![of_type("\"string\""), member("pattern", HEURISTIC)],
            ValueType::TextOrNumber => vec![of_type(r#"["string", "number"]"#)],
            ValueType::Flag => vec![of_type("\"boolean\"")],
            ValueType::Tiles => vec![tiles.into()],
            ValueType::Boards => vec![of_type("\"array\""), member("items", &format!("{{ {tiles} }}"))],
            ValueType::Iterations => {
                let number = r#"{ "type": "integer", "minimum": 0 }"#;
                let pair = format!(r#"{{ "type": "array", "items": {number}, "minItems": 2, "maxItems": 2 }}"#);
                vec![of_type("\"array\""), member("items", &pair)]
            }
            ValueType::SpelledMoves => vec![of_type("\"string\""), member("pattern", SPELLED)],
            ValueType::SpelledPaths => {
                let each = format!("{{ \"type\": \"string\", \"pattern\": {SPELLED} }}");
                vec![of_type("\"array\""), member("items", &each)]
            }
            ValueType::Moves => vec![of_type("\"string\""), member("pattern", "\"^[DLRU]*$\"")],
            ValueType::Status(words) | ValueType::Word(words) => one_of(words),
        }
    }

    /// Returns true if a field of this type needs no description in the schema.
    pub(super) fn is_self_explanatory(self) -> bool {
        matches!(self, ValueType::Side | ValueType::Tiles | ValueType::Heuristic | ValueType::Status(_))
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
impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Request::Default => "default",
            Request::Boards => "`--boards`",
            Request::All => "`--all`",
            Request::Detail => "`--detail`",
            Request::ByName => "`--fields`",
        })
    }
}

/// Returns a table of fields as in the docs.
#[cfg(test)]
pub(crate) fn markdown(rows: impl IntoIterator<Item = FieldRow>) -> String {
    let mut table = String::from("| field | type | requested by | present | meaning |\n|---|---|---|---|---|\n");
    for FieldRow { name, value, request, presence, meaning } in rows {
        table += &format!("| `{name}` | {value} | {request} | {presence} | {meaning} |\n");
    }
    table
}
