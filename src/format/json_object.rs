//! Writes a JSON object on a line, member by member.
//!
//! Lines are assembled in the caller's buffer, because at millions of boards a second a general
//! serializer would be the most expensive part of a run. Text that may need escapes is written by
//! `serde_json` ([`json_string`]).

use crate::board::Board;

/// Returns the text of an id that is a JSON string or number.
pub fn id_text(json: &str) -> String {
    serde_json::from_str(json).unwrap_or_else(|_| json.into())
}

/// A JSON object that is being written at the end of a buffer. Keys include their quotes and a
/// colon, as returned by `Field::key`.
#[derive(Debug)]
pub struct JsonObject<'a> {
    out: &'a mut Vec<u8>,
    /// The position of the first member.
    start: usize,
}

impl<'a> JsonObject<'a> {
    /// Opens an object.
    #[inline]
    pub fn open(out: &'a mut Vec<u8>) -> JsonObject<'a> {
        out.push(b'{');
        JsonObject { start: out.len(), out }
    }

    /// Closes the object and ends the line.
    #[inline]
    pub fn close_line(self) {
        self.out.extend_from_slice(b"}\n");
    }

    /// Begins a member. The caller appends its value to the returned buffer.
    #[inline]
    pub fn member(&mut self, key: &str) -> &mut Vec<u8> {
        if self.out.len() > self.start {
            self.out.push(b',');
        }
        self.out.extend_from_slice(key.as_bytes());
        self.out
    }

    /// Adds a number.
    #[inline]
    pub fn number(&mut self, key: &str, value: u64) {
        append_number(self.member(key), value);
    }

    /// Adds a value given as JSON.
    #[inline]
    pub fn json(&mut self, key: &str, value: &str) {
        self.member(key).extend_from_slice(value.as_bytes());
    }

    /// Adds a text that needs no escapes.
    #[inline]
    pub fn word(&mut self, key: &str, value: &[u8]) {
        let out = self.member(key);
        out.push(b'"');
        out.extend_from_slice(value);
        out.push(b'"');
    }

    /// Adds a byte in place of a member.
    pub fn placeholder(&mut self, byte: u8) {
        self.out.push(byte);
    }

    /// Adds the tiles of a board.
    pub fn board(&mut self, key: &str, board: &Board) {
        append_tiles(self.member(key), board);
    }
}

/// Returns a text as a JSON string, including quotes.
pub fn json_string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[inline]
fn append_number(out: &mut Vec<u8>, value: u64) {
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

/// Appends a board as an array of its tiles, row by row.
pub fn append_tiles(out: &mut Vec<u8>, board: &Board) {
    for (i, tile) in board.tiles().iter().enumerate() {
        out.push(if i == 0 { b'[' } else { b',' });
        append_number(out, tile.label() as u64);
    }
    out.push(b']');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_separated_and_texts_quoted() {
        let mut out = b"before\n".to_vec();
        JsonObject::open(&mut out).close_line();
        let mut object = JsonObject::open(&mut out);
        object.number("\"a\":", 7);
        object.word("\"b\":", b"DL");
        object.json("\"c\":", &json_string("x\t\"y\""));
        object.board("\"d\":", &"1,2,3,0".parse::<crate::board::Goal>().unwrap().on("2x2".parse().unwrap()).unwrap());
        object.close_line();
        let expected = "before\n{}\n{\"a\":7,\"b\":\"DL\",\"c\":\"x\\t\\\"y\\\"\",\"d\":[1,2,3,0]}\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
