//! The value of a field, as JSON and as CSV (RFC 4180).
//!
//! Lines are assembled in the caller's buffer, because at millions of boards a second a general
//! serializer would be the most expensive part of a run.
//!
//! In CSV, boards have spaces between tiles, as in CSV input. Semicolons separate the boards of
//! `states`, the paths of `paths`, and the pairs of `iterations`. A text is written without the
//! quotes of JSON. Any other JSON value is written as it is.

use crate::board::{Board, Move, Path, PathList};
use crate::format::spelling::Spelling;
use crate::format::text::{id_text, json_string};

/// The value of a field.
#[derive(Clone, Copy, Debug)]
pub(in crate::format) enum Value<'a> {
    Number(u64),
    Flag(bool),
    /// Letters that need no escapes.
    Word(&'a [u8]),
    /// Any text.
    Text(&'a str),
    /// Any value, as JSON.
    Json(&'a str),
    Moves(&'a [Move]),
    Tiles(&'a Board),
    /// The boards along a path.
    Boards(&'a Board, &'a Path),
    Pairs(&'a [(u64, u64)]),
    /// A path of a board in a notation.
    Path(&'a Spelling, &'a Board, &'a Path),
    /// Paths of a board in a notation.
    Paths(&'a Spelling, &'a Board, &'a PathList),
    /// A byte in place of a value that is determined later (`earlier.rs`).
    Placeholder(u8),
}

/// The characters around the parts of a value.
struct Marks {
    quote: &'static str,
    /// Before, between and after numbers.
    numbers: [&'static str; 3],
    /// Before, between and after lists or paths.
    lists: [&'static str; 3],
}

const JSON: Marks = Marks { quote: "\"", numbers: ["[", ",", "]"], lists: ["[", ",", "]"] };

const CSV: Marks = Marks { quote: "", numbers: ["", " ", ""], lists: ["", ";", ""] };

impl Value<'_> {
    /// Appends the value as JSON.
    #[inline(always)]
    pub fn write_json(&self, out: &mut Vec<u8>) {
        self.write(&JSON, out);
    }

    /// Appends the value as a field of CSV, quoted if necessary. An empty text is quoted, to
    /// distinguish it from an absent value.
    pub fn write_csv(&self, out: &mut Vec<u8>) {
        match *self {
            Value::Text(text) => append_quoted(text.as_bytes(), out),
            Value::Json(json) => append_quoted(id_text(json).as_bytes(), out),
            Value::Paths(.., list) if list.len() == 0 => {}
            Value::Word(_) | Value::Moves(_) | Value::Path(..) | Value::Paths(..) => {
                let mut text = Vec::new();
                self.write(&CSV, &mut text);
                append_quoted(&text, out);
            }
            _ => self.write(&CSV, out),
        }
    }

    #[inline(always)]
    fn write(&self, marks: &Marks, out: &mut Vec<u8>) {
        match *self {
            Value::Number(number) => append_number(number, out),
            Value::Flag(flag) => out.extend_from_slice(if flag { b"true" } else { b"false" }),
            Value::Word(letters) => marks.quoted(out, |out| out.extend_from_slice(letters)),
            Value::Text(text) => out.extend_from_slice(json_string(text).as_bytes()),
            Value::Json(json) => out.extend_from_slice(json.as_bytes()),
            Value::Moves(moves) => marks.quoted(out, |out| out.extend(moves.iter().map(|step| step.letter()))),
            Value::Tiles(board) => append_tiles(board, marks, out),
            Value::Boards(board, path) => {
                let mut current = board.clone();
                let steps = std::iter::once(None).chain(path.moves().map(Some));
                append_list(marks.lists, steps, out, |step, out| {
                    // A verified path never leaves the board.
                    if let Some(step) = step {
                        current.make(step);
                    }
                    append_tiles(&current, marks, out);
                });
            }
            Value::Pairs(pairs) => append_list(marks.lists, pairs, out, |&(first, second), out| {
                append_list(marks.numbers, [first, second], out, append_number);
            }),
            Value::Path(spelling, board, path) => marks.quoted(out, |out| spelling.write(board, path, out)),
            Value::Paths(spelling, board, list) => {
                let mut path = Path::new();
                append_list(marks.lists, list.iter(), out, |letters, out| {
                    path.assign(letters);
                    marks.quoted(out, |out| spelling.write(board, &path, out));
                });
            }
            Value::Placeholder(byte) => out.push(byte),
        }
    }
}

impl Marks {
    #[inline]
    fn quoted(&self, out: &mut Vec<u8>, append: impl FnOnce(&mut Vec<u8>)) {
        out.extend_from_slice(self.quote.as_bytes());
        append(out);
        out.extend_from_slice(self.quote.as_bytes());
    }
}

fn append_tiles(board: &Board, marks: &Marks, out: &mut Vec<u8>) {
    append_list(marks.numbers, board.tiles(), out, |tile, out| append_number(tile.label() as u64, out));
}

/// Appends items with texts before, between and after them.
fn append_list<T>(
    [before, between, after]: [&str; 3],
    items: impl IntoIterator<Item = T>,
    out: &mut Vec<u8>,
    mut append: impl FnMut(T, &mut Vec<u8>),
) {
    out.extend_from_slice(before.as_bytes());
    for (nth, item) in items.into_iter().enumerate() {
        if nth > 0 {
            out.extend_from_slice(between.as_bytes());
        }
        append(item, out);
    }
    out.extend_from_slice(after.as_bytes());
}

/// Appends a number in decimal digits.
#[inline]
pub(in crate::format) fn append_number(number: u64, out: &mut Vec<u8>) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

/// Appends a text as a field of CSV.
fn append_quoted(text: &[u8], out: &mut Vec<u8>) {
    if !text.is_empty() && !text.iter().any(|byte| matches!(byte, b'"' | b',' | b'\n' | b'\r')) {
        return out.extend_from_slice(text);
    }
    out.push(b'"');
    for &byte in text {
        if byte == b'"' {
            out.push(b'"');
        }
        out.push(byte);
    }
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_json_and_as_csv() {
        let board = "1,2,3,0".parse::<crate::board::Goal>().unwrap().on("2x2".parse().unwrap()).unwrap();
        let (path, tiles) =
            ("UL".parse().unwrap(), Spelling::new(crate::format::spelling::Notation::Tiles, Default::default()));
        let mut list = PathList::new(2);
        list.push(b"UL");
        list.push(b"LU");
        let usual = Spelling::default();
        for (value, json, csv) in [
            (Value::Number(7), "7", "7"),
            (Value::Flag(true), "true", "true"),
            (Value::Word(b"DL"), "\"DL\"", "DL"),
            (Value::Word(b""), "\"\"", "\"\""),
            (Value::Text("x\t\"y\""), "\"x\\t\\\"y\\\"\"", "\"x\t\"\"y\"\"\""),
            (Value::Json("\"a \\\"b\\\"\""), "\"a \\\"b\\\"\"", "\"a \"\"b\"\"\""),
            (Value::Json("2.50"), "2.50", "2.50"),
            (Value::Moves(&[Move::Down, Move::Up]), "\"DU\"", "DU"),
            (Value::Tiles(&board), "[1,2,3,0]", "1 2 3 0"),
            (Value::Boards(&board, &path), "[[1,2,3,0],[1,0,3,2],[0,1,3,2]]", "1 2 3 0;1 0 3 2;0 1 3 2"),
            (Value::Pairs(&[(1, 2), (3, 4)]), "[[1,2],[3,4]]", "1 2;3 4"),
            (Value::Path(&tiles, &board, &path), "\"2 1\"", "2 1"),
            (Value::Paths(&usual, &board, &list), "[\"UL\",\"LU\"]", "UL;LU"),
            (Value::Paths(&usual, &board, &PathList::new(2)), "[]", ""),
            (Value::Paths(&tiles, &board, &list), "[\"2 1\",\"3 1\"]", "2 1;3 1"),
        ] {
            let (mut as_json, mut as_csv) = (Vec::new(), Vec::new());
            value.write_json(&mut as_json);
            value.write_csv(&mut as_csv);
            assert_eq!(
                (String::from_utf8(as_json).unwrap(), String::from_utf8(as_csv).unwrap()),
                (json.into(), csv.into())
            );
        }
    }
}
