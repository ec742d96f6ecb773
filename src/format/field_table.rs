//! What a table of output fields consists of.
//!
//! The table of the fields of a result is in [`super::fields`]. The macro [`field_table!`] turns a table into an enum whose names, key
//! texts, order and rows cannot disagree. The reader of results, the JSON Schemas and the tables in `docs/` are derived from
//! the table or compared with it by a test; the writers match on the enum without a wildcard. The fast path's templates and
//! the report name the fields that they know: a new one goes the general way, and is passed over.

#[cfg(test)]
use std::fmt;

use super::status::Status;

/// All that is known of a field, apart from how its value is found.
#[derive(Clone, Copy, Debug)]
pub struct FieldRow {
    /// Its name in the output and for `--fields`.
    pub name: &'static str,
    /// What its value is.
    pub value: ValueType,
    /// What has to be asked for to get it.
    pub request: Request,
    /// On which records it is written.
    pub presence: Presence,
    /// What it means: the description in the JSON Schema and in the docs.
    pub meaning: &'static str,
}

/// What has to be asked for to get a field. By `--fields` each can be asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Request {
    /// It is among the default fields.
    Default,
    /// `--boards` adds it.
    Boards,
    /// `--all` adds it.
    All,
    /// `--detail` adds it.
    Detail,
    /// Only `--fields` gives it.
    ByName,
}

/// The type of a field's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueType {
    /// A number that counts from 1.
    Ordinal,
    /// The same, or null where it is not known.
    OrdinalOrNull,
    /// A number from 0.
    Count,
    /// The number of rows or columns of a board.
    Side,
    /// Any text.
    Text,
    /// Any text, or any number.
    TextOrNumber,
    /// The name of a heuristic: a word, or the pattern databases that are added up.
    Heuristic,
    /// True or false.
    Flag,
    /// The tiles of a board, row by row.
    Tiles,
    /// Several boards.
    Boards,
    /// Pairs of a bound and a number of nodes.
    Iterations,
    /// Moves in any spelling that `--notation` offers.
    SpelledMoves,
    /// Several paths, each moves in any spelling that `--notation` offers.
    SpelledPaths,
    /// Moves of the blank, a capital letter each.
    Moves,
    /// What became of a record: one of these words.
    Status(&'static [&'static str]),
    /// One of these words.
    Word(&'static [&'static str]),
}

/// The results that have a field, if it is requested.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Presence {
    /// On all.
    Always,
    /// On those of records that have an id.
    Named,
    /// Where a board was read.
    Board,
    /// On those of boards that have a solution.
    Solvable,
    /// On those that are solved.
    Solved,
    /// On those whose path is proven to be a shortest one.
    Proven,
    /// On the same, where it is known how all shortest paths begin.
    Begun,
    /// The same, where not all shortest paths were counted.
    Uncounted,
    /// On those that are solved by a path that is not proven shortest; by name on all that are solved.
    Proof,
    /// On those that a limit left unsolved, or kept from a better path; by name also where not all shortest paths were counted.
    Limited,
    /// On those that a limit left unsolved, and those whose path is not proven shortest; by name on all that are solved.
    Bounded,
    /// On those of invalid records, and where the program failed.
    Faulty,
    /// Where an engine was asked.
    Searched,
    /// Where it searched by bounds that grow.
    Deepened,
    /// Where the work of a search can be estimated.
    Estimated,
    /// The same, if there is a search.
    Sampled,
    /// Where an earlier record has the same board, or may have it.
    Repeated,
    /// Where no earlier record has the same board, and one has a reflection of it.
    Reflected,
}

impl Presence {
    /// Whether such a field can be on a result of this status, as far as the status alone tells.
    pub const fn allows(self, status: Status) -> bool {
        match self {
            Presence::Always
            | Presence::Named
            | Presence::Board
            | Presence::Solvable
            | Presence::Estimated
            | Presence::Sampled
            | Presence::Repeated
            | Presence::Reflected => true,
            Presence::Solved | Presence::Proven | Presence::Begun | Presence::Uncounted | Presence::Proof => {
                matches!(status, Status::Solved)
            }
            Presence::Limited | Presence::Bounded => matches!(status, Status::Solved | Status::Unsolved),
            Presence::Faulty => matches!(status, Status::Invalid | Status::Error),
            Presence::Searched | Presence::Deepened => {
                matches!(status, Status::Solved | Status::Unsolvable | Status::Unsolved)
            }
        }
    }
}

/// As the docs say it.
#[cfg(test)]
impl fmt::Display for Presence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Presence::Always => "always",
            Presence::Named => "if the record has one",
            Presence::Board => "if a board was read",
            Presence::Solvable => "if the board has a solution",
            Presence::Solved => "`solved`",
            Presence::Proven => "`solved`, if proven shortest and all were counted",
            Presence::Begun => "`solved`, if proven shortest and known",
            Presence::Uncounted => "`solved`, if proven shortest and not all were counted",
            Presence::Proof => "`solved`, if not proven shortest or by `--fields`",
            Presence::Limited => "`unsolved`, and `solved` if a limit kept it from better; by name where not all shortest paths were counted",
            Presence::Bounded => "`unsolved`, and `solved` as `optimal`",
            Presence::Faulty => "`invalid`, `error`",
            Presence::Searched => "`solved`, `unsolvable`, `unsolved`",
            Presence::Deepened => "`solved`, `unsolved`, if searched by bounds that grow",
            Presence::Estimated => "if the board can be estimated",
            Presence::Sampled => "if the board can be estimated and needs a search",
            Presence::Repeated => "if an earlier record has the same board, or may have it",
            Presence::Reflected => "if no earlier record has the same board, and one has its reflection",
        })
    }
}

/// Declares an enum of fields and its table. A row is: variant, name, type, request, presence, meaning.
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
            /// How many fields there are.
            pub const COUNT: usize = $Field::NAMES.len();

            /// Every field, in the order of the table.
            pub const ALL: [$Field; $Field::COUNT] = [$($Field::$Variant),+];

            /// The names of all, in the same order.
            pub const NAMES: &'static [&'static str] = &[$($name),+];

            /// Its name in the output.
            pub const fn name(self) -> &'static str {
                match self { $($Field::$Variant => $name,)+ }
            }

            /// Its name as the key of a JSON object: in quotes, a colon behind it.
            #[inline]
            pub const fn key(self) -> &'static str {
                match self { $($Field::$Variant => concat!("\"", $name, "\":"),)+ }
            }

            /// The field of this name.
            #[inline]
            pub fn named(name: &str) -> Option<$Field> {
                match name {
                    $($name => Some($Field::$Variant),)+
                    _ => None,
                }
            }

            /// Its row of the table.
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

            /// The fields that are asked for in this way, in the order of the table.
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

/// Moves as any of `--notation` spells them, as a pattern of JSON Schema.
const SPELLED: &str =
    "\"^([DLRU]*|[dlru]*|(UP|DOWN|LEFT|RIGHT)( (UP|DOWN|LEFT|RIGHT))*|[0-9]+( [0-9]+)*|([DLRU]([1-9][0-9]*)?)*)$\"";

/// Names of heuristics, as a pattern of JSON Schema: words, or sizes and cells of patterns.
const HEURISTIC: &str = "\"^([a-z]+(-[a-z]+)*|[0-9]+([-,;/x][0-9]+)*)$\"";

/// Returns whether a text matches [`HEURISTIC`].
pub fn is_heuristic(text: &str) -> bool {
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    text.split('-').all(is_word) || text.split(['-', ',', ';', '/', 'x']).all(is_number)
}

impl ValueType {
    /// What the JSON Schema says of such a value: the members of its object.
    pub(super) fn schema(self) -> Vec<String> {
        let member = |name: &str, json: &str| format!("\"{name}\": {json}");
        let whole = |json: &str| member("type", json);
        let least = |bound: u32| member("minimum", &bound.to_string());
        let one_of = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
            vec![member("enum", &format!("[{}]", words.join(", ")))]
        };
        let tiles = r##""$ref": "#/$defs/tiles""##;
        match self {
            ValueType::Ordinal => vec![whole("\"integer\""), least(1)],
            ValueType::OrdinalOrNull => vec![whole(r#"["integer", "null"]"#), least(1)],
            ValueType::Count => vec![whole("\"integer\""), least(0)],
            ValueType::Side => vec![whole("\"integer\""), least(1), member("maximum", "255")],
            ValueType::Text => vec![whole("\"string\"")],
            ValueType::Heuristic => vec![whole("\"string\""), member("pattern", HEURISTIC)],
            ValueType::TextOrNumber => vec![whole(r#"["string", "number"]"#)],
            ValueType::Flag => vec![whole("\"boolean\"")],
            ValueType::Tiles => vec![tiles.into()],
            ValueType::Boards => vec![whole("\"array\""), member("items", &format!("{{ {tiles} }}"))],
            ValueType::Iterations => {
                let number = r#"{ "type": "integer", "minimum": 0 }"#;
                let pair = format!(r#"{{ "type": "array", "items": {number}, "minItems": 2, "maxItems": 2 }}"#);
                vec![whole("\"array\""), member("items", &pair)]
            }
            ValueType::SpelledMoves => vec![whole("\"string\""), member("pattern", SPELLED)],
            ValueType::SpelledPaths => {
                let each = format!("{{ \"type\": \"string\", \"pattern\": {SPELLED} }}");
                vec![whole("\"array\""), member("items", &each)]
            }
            ValueType::Moves => vec![whole("\"string\""), member("pattern", "\"^[DLRU]*$\"")],
            ValueType::Status(words) | ValueType::Word(words) => one_of(words),
        }
    }

    /// Whether a field's name and type say all, so that the schema needs no words for it.
    pub(super) fn is_self_explanatory(self) -> bool {
        matches!(self, ValueType::Side | ValueType::Tiles | ValueType::Heuristic | ValueType::Status(_))
    }
}

/// As the docs name the type.
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

/// As the docs name the option.
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

/// A table of fields as it stands in the docs.
#[cfg(test)]
pub(crate) fn markdown(rows: impl IntoIterator<Item = FieldRow>) -> String {
    let mut table = String::from("| field | type | asked for by | present | meaning |\n|---|---|---|---|---|\n");
    for FieldRow { name, value, request, presence, meaning } in rows {
        table += &format!("| `{name}` | {value} | {request} | {presence} | {meaning} |\n");
    }
    table
}
