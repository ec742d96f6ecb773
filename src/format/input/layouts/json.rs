//! A JSON document on a line: an array of tiles, an array of rows, or an object that holds one.
//!
//! The documents are read straight into these types, never into a general value: so no nesting is
//! followed deeper than rows of tiles, and a key that comes twice is an error.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Unexpected, Visitor};
use serde_json::value::RawValue;
use smallvec::SmallVec;

use super::super::layout::Layout;
use super::super::record::{ParseError, Puzzle};
use super::super::source::Source;
use super::board_tiles::BoardTiles;
use super::json_array::JsonArray;
use super::own_fields::own_fields;
use super::parsed::{Parsed, in_goal};
use super::tiles::Tiles;
use super::writing::Writing;
use crate::board::{Board, Goal, Shape, Tile, tokens};
use crate::format::passing::Passed;

/// Reads one line.
pub fn record(line: &[u8], source: &Source) -> Parsed {
    let document = line.trim_ascii();
    match document.first() {
        Some(b'{') => object(document, source),
        // In an array, a board may be a string as it may in an object.
        Some(b'"') if source.layout == Layout::JsonElements => {
            read(document).and_then(|board| puzzle(board, None, None, source)).into()
        }
        Some(b'[') => array(document).and_then(|board| puzzle(board, None, None, source)).into(),
        _ => {
            let shown = tokens::quoted(document);
            Err(ParseError::new(format_args!("expected a JSON array or object, found {shown}"))).into()
        }
    }
}

/// The tiles of a board that is an array of tiles or of rows.
pub fn tiles(document: &[u8], known: Option<Shape>) -> Result<BoardTiles, ParseError> {
    array(document)?.spelled(known)
}

fn array(document: &[u8]) -> Result<JsonBoard, ParseError> {
    match JsonArray::read(document) {
        Some(JsonArray { tiles, rows }) if rows.is_empty() => Ok(JsonBoard::Flat(tiles)),
        Some(JsonArray { tiles, rows }) => Ok(JsonBoard::Rows(tiles, rows)),
        None => read(document),
    }
}

#[derive(Deserialize)]
struct Object<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    board: Option<JsonBoard>,
    goal: Option<JsonBoard>,
    rows: Option<u64>,
    cols: Option<u64>,
}

/// What is left of an object whose board cannot be read.
#[derive(Deserialize)]
struct Named<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
}

fn object(document: &[u8], source: &Source) -> Parsed {
    let (id, puzzle) = match read::<Object>(document) {
        Ok(Object { id, board, goal, rows, cols }) => {
            let puzzle = || {
                let board = board.ok_or_else(|| ParseError::new("the object has no \"board\""))?;
                puzzle(board, goal, size_of(rows, cols)?, source)
            };
            (id, puzzle())
        }
        // A bad token costs the record its board, not its name.
        Err(wrong) => (read::<Named>(document).ok().and_then(|named| named.id), Err(wrong)),
    };
    let (passed, puzzle) = match own_fields(document, &source.pass) {
        Ok(passed) => (passed, puzzle),
        Err(wrong) => (Passed::default(), puzzle.and(Err(wrong))),
    };
    match id.map(checked_id).transpose() {
        Ok(id) => Parsed { id, passed, puzzle },
        // What is wrong with the board is told first.
        Err(wrong) => puzzle.and(Err(wrong)).into(),
    }
}

/// A string or a number, as it was written.
fn checked_id(id: &RawValue) -> Result<Box<str>, ParseError> {
    let text = id.get();
    match text.as_bytes().first() {
        // Half a surrogate pair is let through by the raw value, and would spoil the output.
        Some(b'"') => read::<String>(text.as_bytes()).map(drop)?,
        Some(b'-' | b'0'..=b'9') => {}
        _ => return Err(ParseError::new("\"id\" is neither a string nor a number")),
    }
    Ok(text.into())
}

fn size_of(rows: Option<u64>, cols: Option<u64>) -> Result<Option<Shape>, ParseError> {
    match (rows, cols) {
        (None, None) => Ok(None),
        (Some(rows), Some(cols)) => {
            let side = |side: u64| usize::try_from(side).unwrap_or(usize::MAX);
            let shape = Shape::new(side(rows), side(cols));
            let wrong =
                || ParseError::new(format_args!("{rows} rows and {cols} cols are no size: each is from 1 to 255"));
            shape.map(Some).ok_or_else(wrong)
        }
        (Some(_), None) => Err(ParseError::new("found \"rows\" without \"cols\"")),
        (None, Some(_)) => Err(ParseError::new("found \"cols\" without \"rows\"")),
    }
}

fn puzzle(
    board: JsonBoard,
    goal: Option<JsonBoard>,
    size: Option<Shape>,
    source: &Source,
) -> Result<Puzzle, ParseError> {
    let board = board.spelled(size.or(source.shape))?.board(size, source.shape)?;
    match goal {
        None => Ok(Puzzle::of(board)),
        Some(JsonBoard::Text(text)) => Puzzle::with_goal_text(board, text.trim().as_bytes()),
        Some(goal) => Puzzle::with_goal(board, &goal.spelled(None).map_err(in_goal)?),
    }
}

fn read<'a, T: Deserialize<'a>>(document: &'a [u8]) -> Result<T, ParseError> {
    serde_json::from_slice(document).map_err(|wrong| {
        // The document is one line of a file: the line that serde_json counts is none of the file's.
        let text = wrong.to_string();
        let reason = text.rsplit_once(" at line ").map_or(text.as_str(), |(reason, _)| reason);
        ParseError::new(format_args!("{reason} (at column {})", wrong.column()))
    })
}

/// A board as it may be written.
#[cfg_attr(test, derive(PartialEq, Debug))]
enum JsonBoard {
    Text(String),
    Flat(Tiles),
    Rows(Tiles, SmallVec<[usize; 8]>),
}

impl JsonBoard {
    fn spelled(self, known: Option<Shape>) -> Result<BoardTiles, ParseError> {
        match self {
            JsonBoard::Text(text) => BoardTiles::read(text.as_bytes(), known),
            JsonBoard::Flat(tiles) => Ok(BoardTiles { tiles, shape: None }),
            JsonBoard::Rows(tiles, lengths) => BoardTiles::of_rows(tiles, &lengths),
        }
    }
}

impl<'de> Deserialize<'de> for JsonBoard {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<JsonBoard, D::Error> {
        struct Board;
        impl<'de> Visitor<'de> for Board {
            type Value = JsonBoard;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a board: an array of tiles, an array of rows, or a string")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<JsonBoard, E> {
                Ok(JsonBoard::Text(text.into()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<JsonBoard, A::Error> {
                let (mut tiles, mut lengths, mut flat) = (Tiles::new(), SmallVec::new(), false);
                while let Some(item) = items.next_element()? {
                    match item {
                        TileOrRow::Tile(tile) => {
                            tiles.push(tile);
                            flat = true;
                        }
                        TileOrRow::Row(row) => {
                            lengths.push(row.len());
                            tiles.extend(row);
                        }
                    }
                    if flat && !lengths.is_empty() {
                        return Err(A::Error::custom("rows and single tiles are mixed"));
                    }
                }
                Ok(if lengths.is_empty() { JsonBoard::Flat(tiles) } else { JsonBoard::Rows(tiles, lengths) })
            }
        }
        from.deserialize_any(Board)
    }
}

/// A tile, or a row of them.
enum TileOrRow {
    Tile(Tile),
    Row(Vec<Tile>),
}

impl<'de> Deserialize<'de> for TileOrRow {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<TileOrRow, D::Error> {
        from.deserialize_any(TileVisitor { rows: true })
    }
}

/// A tile and nothing else.
struct OneTile(Tile);

impl<'de> Deserialize<'de> for OneTile {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<OneTile, D::Error> {
        match from.deserialize_any(TileVisitor { rows: false })? {
            TileOrRow::Tile(tile) => Ok(OneTile(tile)),
            TileOrRow::Row(_) => Err(D::Error::invalid_type(Unexpected::Seq, &"a tile")),
        }
    }
}

struct TileVisitor {
    rows: bool,
}

impl<'de> Visitor<'de> for TileVisitor {
    type Value = TileOrRow;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.rows { "a tile or a row of tiles" } else { "a tile" })
    }

    fn visit_u64<E: Error>(self, label: u64) -> Result<TileOrRow, E> {
        let tile = usize::try_from(label).ok().and_then(Tile::try_new);
        tile.map(TileOrRow::Tile).ok_or_else(|| E::custom(format_args!("tile {label} is out of range")))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<TileOrRow, E> {
        match text.trim() {
            "" => Ok(TileOrRow::Tile(Tile::BLANK)),
            text => tokens::tile(text.as_bytes()).map(TileOrRow::Tile).map_err(E::custom),
        }
    }

    fn visit_unit<E: Error>(self) -> Result<TileOrRow, E> {
        Ok(TileOrRow::Tile(Tile::BLANK))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<TileOrRow, A::Error> {
        if !self.rows {
            return Err(A::Error::invalid_type(Unexpected::Seq, &self));
        }
        let mut row = Vec::new();
        while let Some(OneTile(tile)) = items.next_element()? {
            row.push(tile);
        }
        Ok(TileOrRow::Row(row))
    }
}

/// Writes one line: an array of rows, or an object where the goal is not the usual one of all records.
pub fn write(board: &Board, goal: &Board, how: &Writing, out: &mut Vec<u8>) {
    let document = match &how.common_goal {
        Some(common) if is_usual(common) => nested(board),
        _ => format!("{{\"board\":{},\"goal\":{}}}", nested(board), nested(goal)),
    };
    out.extend_from_slice(document.as_bytes());
    out.push(b'\n');
}

/// True for the goal of boards that bring none.
fn is_usual(goal: &Board) -> bool {
    Goal::BlankLast.on(goal.shape()).is_ok_and(|usual| usual == *goal)
}

fn nested(board: &Board) -> String {
    let rows = board.tiles().chunks(board.shape().cols()).map(|row| {
        let tiles: Vec<String> = row.iter().map(|tile| tile.label().to_string()).collect();
        format!("[{}]", tiles.join(","))
    });
    format!("[{}]", rows.collect::<Vec<_>>().join(","))
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

        /// Arrays that are read by hand are what the general parser makes of them.
        #[test]
        fn plain_arrays_are_read_as_all_json_is(text in text()) {
            let general = read::<JsonBoard>(text.as_bytes());
            if JsonArray::read(text.as_bytes()).is_some() {
                prop_assert_eq!(array(text.as_bytes()), general);
            }
        }
    }

    #[test]
    fn what_is_no_board_is_told_what_one_is() {
        let error = serde_json::from_str::<JsonBoard>("true").err().unwrap().to_string();
        assert!(error.contains("expected a board: an array of tiles, an array of rows, or a string"), "{error}");
    }

    #[test]
    fn usual_arrays_are_read_by_hand() {
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
