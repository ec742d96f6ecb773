//! Parses a JSON document: an array of tiles, an array of rows, or an object with a board.
//!
//! Most large JSON files consist of arrays of numbers, or of rows of numbers, which are parsed
//! without a general parser ([`JsonArray`]). Everything else is left to the general parser, which
//! also reports errors.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use smallvec::SmallVec;

use super::layout::Layout;
use super::record::{ParseError, Puzzle, Record, Source};
use super::split::values;
use super::text::{BoardTiles, Tiles, in_goal, leading_number, size_of_fields};
use crate::board::tokens::{self, quoted};
use crate::board::{Shape, Tile};
use crate::format::passthrough::{BOARD_FIELDS, Pass, Passthrough, no_board, on_one_line};
use crate::format::result::Text;

/// Parses one document.
pub fn record(record: &[u8], source: &Source) -> Record {
    let document = record.trim_ascii();
    match document.first() {
        Some(b'{') => read(document).map_or_else(|error| Err(error).into(), |members| object(&members, source)),
        // A string can be a board only in an array or an object.
        Some(&first) if first == b'[' || first == b'"' && source.layout == Layout::JsonElements => {
            let board = board(document, source.shape).and_then(|board| board.board(None, source.shape));
            board.map(Puzzle::of).into()
        }
        _ => Err(ParseError::new(format_args!("expected a JSON array or object, found {}", quoted(document)))).into(),
    }
}

/// Returns the first of the [`BOARD_FIELDS`] (the usual names of the board's field) that a document
/// has, or `None` if the document has none of them or is not an object.
pub fn board_field(document: &[u8]) -> Option<&'static str> {
    let members: Members<'_> = read(document.trim_ascii()).ok()?;
    BOARD_FIELDS.into_iter().find(|name| members.0.iter().any(|(member, _)| member == name))
}

/// Parses a board: an array of tiles, an array of rows, or a string.
pub fn board(value: &[u8], default_shape: Option<Shape>) -> Result<BoardTiles, ParseError> {
    if let Some(JsonArray { tiles, rows }) = JsonArray::read(value) {
        return if rows.is_empty() { Ok(BoardTiles { tiles, shape: None }) } else { BoardTiles::of_rows(tiles, &rows) };
    }
    general_board(value, default_shape)
}

/// Parses a board with the general parser.
fn general_board(value: &[u8], default_shape: Option<Shape>) -> Result<BoardTiles, ParseError> {
    let inside = match value {
        [b'"', ..] => return BoardTiles::read(read::<String>(value)?.as_bytes(), default_shape),
        [b'[', inside @ .., b']'] => inside,
        _ => {
            read::<IgnoredAny>(value)?;
            return Err(ParseError::new("expected a board: an array of tiles, an array of rows, or a string"));
        }
    };
    read::<IgnoredAny>(value)?;
    let (mut tiles, mut lengths) = (Tiles::new(), Vec::new());
    for item in values(inside) {
        let before = tiles.len();
        match item {
            [b'[', row @ .., b']'] => {
                values(row).try_for_each(|value| tile(value).map(|tile| tiles.push(tile)))?;
                lengths.push(tiles.len() - before);
            }
            _ => tiles.push(tile(item)?),
        }
    }
    let has_single_tiles = lengths.iter().sum::<usize>() < tiles.len();
    match lengths.is_empty() {
        true => Ok(BoardTiles { tiles, shape: None }),
        false if has_single_tiles => Err(ParseError::new("rows and single tiles are mixed")),
        false => BoardTiles::of_rows(tiles, &lengths),
    }
}

/// Parses a tile: a number, or a string that contains a tile. `null` and `""` are the blank.
fn tile(value: &[u8]) -> Result<Tile, ParseError> {
    let text = if value[0] == b'"' { read::<String>(value)? } else { String::from_utf8_lossy(value).into_owned() };
    match text.trim() {
        "" => Ok(Tile::BLANK),
        "null" if value[0] != b'"' => Ok(Tile::BLANK),
        text => tokens::tile(text.as_bytes()).map_err(ParseError::new),
    }
}

/// The members of an object, in order.
struct Members<'a>(SmallVec<[(Cow<'a, str>, &'a RawValue); 6]>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Members<'de>, D::Error> {
        struct Map;
        impl<'de> Visitor<'de> for Map {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = SmallVec::new();
                while let Some((Text(name), value)) = map.next_entry()? {
                    members.push((name, value));
                }
                Ok(Members(members))
            }
        }
        from.deserialize_map(Map)
    }
}

impl<'a> Members<'a> {
    /// Returns the value with this name, or `None` if it is absent or null.
    fn get(&self, name: &str) -> Result<Option<&'a str>, ParseError> {
        let mut found = self.0.iter().filter(|(member, _)| member == name).map(|(_, value)| value.get());
        match (found.next(), found.next()) {
            (_, Some(_)) => Err(ParseError::new(format_args!("duplicate field `{name}`"))),
            (value, None) => Ok(value.filter(|&value| value != "null")),
        }
    }

    fn puzzle(&self, source: &Source) -> Result<Puzzle, ParseError> {
        let side = |name| match self.get(name)? {
            Some(json) if json.starts_with('"') => Err(ParseError::new(format_args!("\"{name}\" is not a number"))),
            json => Ok(json.map(str::as_bytes)),
        };
        let size = size_of_fields(side("rows")?, side("cols")?)?;
        let name = &*source.board_field;
        let found = self.get(name)?.ok_or_else(|| match self.0.iter().any(|(member, _)| member == name) {
            true => ParseError::new(format_args!("\"{name}\" is null")),
            false => ParseError::new(no_board("object", name, self.0.iter().map(|(name, _)| &**name))),
        })?;
        let found = board(found.as_bytes(), size.or(source.shape))?.board(size, source.shape)?;
        match self.get("goal")? {
            None => Ok(Puzzle::of(found)),
            Some(goal) if goal.starts_with('"') => {
                Puzzle::with_goal_text(found, read::<String>(goal.as_bytes())?.trim().as_bytes())
            }
            Some(goal) => Puzzle::with_goal(found, &board(goal.as_bytes(), None).map_err(in_goal)?),
        }
    }

    /// Returns the id, a string or a number, unchanged.
    fn id(&self) -> Result<Option<Box<str>>, ParseError> {
        let Some(id) = self.get("id")? else { return Ok(None) };
        match id.as_bytes()[0] {
            b'"' => check_surrogates(id)?,
            b'-' | b'0'..=b'9' => {}
            _ => return Err(ParseError::new("\"id\" is neither a string nor a number")),
        }
        Ok(Some(id.into()))
    }

    /// Returns the members that are passthrough columns.
    fn passthrough(&self, pass: &Pass) -> Result<Passthrough, ParseError> {
        let (mut found, mut names) = (Vec::new(), HashSet::new());
        for (name, value) in self.0.iter().filter(|_| !pass.is_nothing()) {
            let Some((place, to)) = pass.place(name).map_err(ParseError::new)? else { continue };
            if !names.insert(Arc::clone(&to)) {
                return Err(ParseError::new(format_args!("the field '{name}' appears twice")));
            }
            check_surrogates(value.get())
                .map_err(|why| ParseError::new(format_args!("the field '{name}' cannot be passed on: {why}")))?;
            found.push((place, to, on_one_line(value.get())));
        }
        Ok(Passthrough::of(found))
    }
}

fn object(members: &Members<'_>, source: &Source) -> Record {
    let id = members.id();
    let puzzle = members.puzzle(source).and_then(|puzzle| id.as_ref().map_err(Clone::clone).map(|_| puzzle));
    let id = id.unwrap_or_default();
    match members.passthrough(&source.pass) {
        Ok(passthrough) => Record { id, passthrough, ..puzzle.into() },
        Err(error) => Record { id, ..puzzle.and(Err(error)).into() },
    }
}

/// Rejects a lone surrogate. A raw value may contain one, but it would corrupt the output.
fn check_surrogates(json: &str) -> Result<(), ParseError> {
    if json.contains("\\ud") || json.contains("\\uD") {
        read::<serde_json::Value>(json.as_bytes()).map(drop)
    } else {
        Ok(())
    }
}

fn read<'a, T: Deserialize<'a>>(document: &'a [u8]) -> Result<T, ParseError> {
    serde_json::from_slice(document).map_err(|error| {
        // The line number is dropped, because serde_json counts from the start of the record.
        let text = error.to_string();
        let Some((reason, _)) = text.rsplit_once(" at line ") else { return ParseError::new(text) };
        ParseError::new(format_args!("{reason} (at column {})", error.column()))
    })
}

/// The tiles of an array, and the lengths of its rows if there are any.
pub struct JsonArray {
    /// The tiles.
    pub tiles: Tiles,
    /// The length of each row. Empty if the array has no rows.
    pub rows: SmallVec<[usize; 8]>,
}

impl JsonArray {
    /// Reads a whole document. Returns `None` unless it is an array of numbers, or of rows of
    /// numbers.
    pub fn read(document: &[u8]) -> Option<JsonArray> {
        let mut array = JsonArray { tiles: Tiles::new(), rows: SmallVec::new() };
        let mut rest = after(document, b'[')?;
        if let Some(mut row) = after(rest, b'[') {
            loop {
                let before = array.tiles.len();
                rest = array.numbers(row)?;
                array.rows.push(array.tiles.len() - before);
                match after(rest, b',') {
                    Some(next) => row = after(next, b'[')?,
                    None => break,
                }
            }
            rest = after(rest, b']')?;
        } else {
            rest = array.numbers(rest)?;
        }
        skip_whitespace(rest).is_empty().then_some(array)
    }

    /// Reads numbers and the closing bracket. Returns the rest.
    fn numbers<'a>(&mut self, mut rest: &'a [u8]) -> Option<&'a [u8]> {
        loop {
            rest = skip_whitespace(rest);
            let (label, length) = leading_number(rest);
            // JSON numbers have no leading zeros.
            if !(1..=5).contains(&length) || (length > 1 && rest[0] == b'0') {
                return None;
            }
            self.tiles.push(Tile::try_new(label)?);
            rest = skip_whitespace(&rest[length..]);
            match rest.split_first()? {
                (b',', tail) => rest = tail,
                (b']', tail) => return Some(tail),
                _ => return None,
            }
        }
    }
}

/// Returns the bytes after any whitespace and this byte, or `None` if this byte does not follow.
fn after(rest: &[u8], byte: u8) -> Option<&[u8]> {
    match skip_whitespace(rest).split_first() {
        Some((&first, tail)) if first == byte => Some(tail),
        _ => None,
    }
}

/// Returns the bytes after any whitespace.
fn skip_whitespace(mut rest: &[u8]) -> &[u8] {
    while let [b' ' | b'\t' | b'\r' | b'\n', tail @ ..] = rest {
        rest = tail;
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text() -> impl Strategy<Value = String> {
        let number =
            prop_oneof![8 => "[0-9]{1,2}", 1 => "[0-9]{3,7}", 1 => "[-x\"0-9.e]{1,3}", 1 => "[ \t]?[0-9][ \r]?"];
        let row = prop::collection::vec(number, 0..6).prop_map(|row| format!("[{}]", row.join(",")));
        let rows = prop::collection::vec(row.clone(), 0..4).prop_map(|rows| format!("[{}]", rows.join(" ,")));
        prop_oneof![4 => row, 4 => rows, 1 => "[\\[\\], 0-9]{0,12}"]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

        /// Arrays that `JsonArray` reads give the same result with the general parser.
        #[test]
        fn plain_arrays_are_read_as_by_the_general_parser(text in text()) {
            let text = text.trim();
            if JsonArray::read(text.as_bytes()).is_some() {
                let shown = |found: Result<BoardTiles, ParseError>| {
                    found.map(|board| (board.tiles, board.shape)).map_err(|error| error.to_string())
                };
                prop_assert_eq!(shown(board(text.as_bytes(), None)), shown(general_board(text.as_bytes(), None)));
            }
        }
    }

    #[test]
    fn the_error_lists_the_forms_of_a_board() {
        let error = board(b"true", None).err().unwrap().to_string();
        assert!(error.contains("expected a board: an array of tiles, an array of rows, or a string"), "{error}");
    }

    #[test]
    fn only_plain_arrays_are_read_without_the_general_parser() {
        for usual in ["[1,2,3,0]", "[[1,2],[3,0]]", "[ 1, 2, 3, 0 ]", "[[1, 2], [3, 0]]\r", "[0]", "[65024,10]"] {
            assert!(JsonArray::read(usual.as_bytes()).is_some(), "{usual}");
        }
        for other in
            ["[]", "[[]]", "[01]", "[1,]", "[1][", "[1,[2]]", "[[1],2]", "[1", "[-1]", "[1.0]", "[\"1\"]", "[99999]"]
        {
            assert!(JsonArray::read(other.as_bytes()).is_none(), "{other}");
        }
    }
}
