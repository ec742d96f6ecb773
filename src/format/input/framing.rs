//! Record boundaries of JSON: lines, the elements of one array, or values that span lines.
//!
//! In JSON Lines, every line is a record, whatever it contains. If the first value of a file
//! continues after its first line, the records are values that may span lines. If the first value
//! is an array that is the whole file or continues after its first line, its elements may be the
//! records. An array is itself a record (a board) if it consists of plain values, or of rows of
//! plain values. In the second case, the values must be 0 … n-1, once each, or else the rows must
//! have equal lengths and none of them may be a board by itself.

use super::layout::Layout;
use super::split::{Scan, values};
use crate::board::{Shape, tokens};

/// The part of a file that the examined bytes make up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Portion {
    /// The whole file.
    All,
    /// The largest part that is examined.
    Limit,
    /// The part that has arrived so far. More can be read.
    SoFar,
}

/// Returns the layout of JSON that begins with these bytes, or `None` if more bytes are needed.
pub fn json_layout(bytes: &[u8], portion: Portion, shape: Option<Shape>) -> Option<Layout> {
    let text = bytes.trim_ascii_start();
    let more = |otherwise: Layout| if portion == Portion::SoFar { None } else { Some(otherwise) };
    let opening = match text.first() {
        Some(&opening @ (b'[' | b'{')) => opening,
        Some(_) => return Some(Layout::Json),
        None => return more(Layout::Json),
    };
    let newline = memchr::memchr(b'\n', text);
    // An array that begins with an object is not a board. But the line may be one damaged record of
    // many.
    if opening == b'[' && text[1..].trim_ascii_start().first() == Some(&b'{') {
        let Some(newline) = newline else { return more(Layout::JsonElements) };
        let ends_in_punctuation =
            matches!(text[..newline].trim_ascii_end().last(), Some(b'[' | b'{' | b',' | b':' | b']' | b'}'));
        return match text[newline..].trim_ascii_start().first() {
            None => more(Layout::JsonElements),
            Some(b'{') if !ends_in_punctuation => Some(Layout::Json),
            Some(_) => Some(Layout::JsonElements),
        };
    }
    let end = Scan::default().end(text);
    let Some(newline) = newline.or((portion == Portion::All).then_some(text.len())) else {
        // The line has not ended.
        return more(if opening == b'[' && end.is_none() { Layout::JsonElements } else { Layout::Json });
    };
    match end {
        Some(end) if end <= newline => {
            if opening == b'{' || is_record(&text[..end], shape) || !text[end..newline].trim_ascii().is_empty() {
                return Some(Layout::Json);
            }
            match text[newline..].trim_ascii().is_empty() {
                false => Some(Layout::Json),
                true if portion == Portion::All => Some(Layout::JsonElements),
                true => more(Layout::Json),
            }
        }
        _ if !continues(&text[..newline], &text[newline..], opening, portion)? => Some(Layout::Json),
        _ if opening == b'{' => Some(Layout::JsonValues),
        _ if is_list(text) => Some(Layout::JsonElements),
        Some(end) if is_record(&text[..end], shape) => Some(Layout::JsonValues),
        Some(_) => Some(Layout::JsonElements),
        None => more(Layout::JsonElements),
    }
}

/// Returns true if a line without a whole value is the beginning of a value that spans lines rather
/// than a damaged value. Returns `None` if more bytes are needed.
fn continues(line: &[u8], rest: &[u8], opening: u8, portion: Portion) -> Option<bool> {
    let ends_open = matches!(line.trim_ascii_end().last(), Some(b'[' | b'{' | b',' | b':'));
    match rest.trim_ascii_start().first() {
        None if portion == Portion::SoFar => None,
        None => Some(ends_open),
        Some(b'{') if opening == b'{' => Some(false),
        Some(b']' | b'}' | b',') => Some(true),
        Some(_) => Some(ends_open),
    }
}

/// Returns true if an array that does not begin with an object is an array of records because its
/// first element consists of rows.
fn is_list(text: &[u8]) -> bool {
    let inside = text[1..].trim_ascii_start();
    inside.first() == Some(&b'[') && inside[1..].trim_ascii_start().first() == Some(&b'[')
}

/// Returns true if a whole array is one record.
fn is_record(array: &[u8], shape: Option<Shape>) -> bool {
    let inside = |array: &[u8]| array.len().checked_sub(1).map_or(0..0, |end| 1..end.max(1));
    let (mut rows, mut plain): (Vec<Vec<Option<usize>>>, _) = (Vec::new(), 0);
    for element in values(&array[inside(array)]) {
        match element[0] {
            b'{' => return false,
            b'[' => match values(&element[inside(element)]).map(plain_label).collect() {
                Some(row) => rows.push(row),
                None => return false,
            },
            _ if is_whole_board(element) => return false,
            _ => plain += 1,
        }
    }
    match (plain, rows.len()) {
        (0, 0) => false,
        (_, 0) => true,
        (0, _) if is_board(rows.iter().flatten()) => true,
        (0, _) => rows.iter().all(|row| {
            let fills = Shape::square_of(row.len()).is_some() || shape.is_some_and(|shape| shape.cells() == row.len());
            row.len() == rows[0].len() && !(fills && is_board(row.iter()))
        }),
        _ => false,
    }
}

/// Returns true if a value is a string that cannot be a tile, because it is too long or contains a
/// separator: a whole board, or invalid.
fn is_whole_board(value: &[u8]) -> bool {
    const MAX_LABEL_CHARS: usize = 5;
    let text = value.strip_prefix(b"\"").and_then(|value| value.strip_suffix(b"\""));
    text.map(<[u8]>::trim_ascii).is_some_and(|text| {
        text.len() > MAX_LABEL_CHARS || text.iter().any(|&byte| tokens::is_separator(byte) || byte == b'/')
    })
}

/// Returns the label of a plain value, `Some(None)` if it is not a tile, or `None` if the value is
/// not plain.
fn plain_label(value: &[u8]) -> Option<Option<usize>> {
    match value {
        [b'[' | b'{', ..] => None,
        b"null" | b"\"\"" => Some(Some(0)),
        _ => {
            let bare = value.strip_prefix(b"\"").and_then(|value| value.strip_suffix(b"\"")).unwrap_or(value);
            Some(tokens::tile(bare.trim_ascii()).ok().map(|tile| tile.label()))
        }
    }
}

fn is_board<'a>(labels: impl Iterator<Item = &'a Option<usize>> + Clone) -> bool {
    let mut is_used = vec![false; labels.clone().count()];
    !is_used.is_empty()
        && labels.into_iter().all(|label| {
            let is_used = label.and_then(|label| is_used.get_mut(label));
            is_used.is_some_and(|is_used| !std::mem::replace(is_used, true))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_longer_than_any_label_is_a_board() {
        for label in ["\"12345\"", "\" 12345 \"", "\"\"", "123456", "\"x\""] {
            assert!(!is_whole_board(label.as_bytes()), "{label}");
        }
        for board in ["\"123450\"", "\"1 0\"", "\"1/0\"", "\"123456789\""] {
            assert!(is_whole_board(board.as_bytes()), "{board}");
        }
    }

    #[test]
    fn only_arrays_of_records_are_split() {
        use Layout::{Json as Lines, JsonElements as Elements, JsonValues as Values};
        for (text, expected) in [
            ("[[1,2,3],[4,0,5]]\n", Lines),
            ("[1,2,2,0]\n", Lines),
            ("[[1,2,2,0],[3,1,2,4]]\n", Lines),
            ("[[1,2,3,0],[3,1,2,0]]\n", Elements),
            ("[[1,2,3,0],[3,1,2,0]]\n[1,2,3,0]\n", Lines),
            ("[[[1,2],[3,0]]]", Elements),
            ("[{\"board\":[1,2,3,0]}]", Elements),
            ("[{\"board\":[1,2,3,0]},{\"board\":[1,2,", Elements),
            ("[{\"board\":[1,2,3,0},{\"board\":[1,2,3,0]}]\n", Elements),
            ("[{\"board\":[1,2,3,0]}]\n{\"board\":[1,2,3,0]}\n", Elements),
            ("[{\"board\":[1,2,3,0\n{\"board\":[1,2,3,0]}\n", Lines),
            ("[]\n", Elements),
            ("[[1,2],[3,0]\n[[1,2],[3,0]]\n", Lines),
            ("[\n [1,2],\n [3,0]\n]\n", Values),
            ("[\n [1,2,3,0],\n [3,1,2,0]\n]\n", Elements),
            ("[1,2,\n3,0]\n", Values),
            ("[\n {\"board\":\"1 2 3 0\"}\n]\n", Elements),
            ("{\"board\":[1,2,3,0]}\n", Lines),
            ("{\n\"board\":[1,2,3,0]}\n{\n\"board\":[1,2,3,0]}\n", Values),
            ("{\"id\":1,\n{\"board\":[1,2,3,0]}\n", Lines),
            ("[[1,2],[3,0]]\n,[[1,2],[3,0]]", Lines),
            ("[\"1\",\" 2\",\"3\",\"\"]", Lines),
            ("[\"1 2 3 0\",\"3 1 2 0\"]", Elements),
            ("[\n\"123/456/780\",\n\"FE169B4C0A73D852\"\n]\n", Elements),
        ] {
            assert_eq!(json_layout(text.as_bytes(), Portion::All, None), Some(expected), "{text}");
        }
        assert_eq!(json_layout(b"[[1,2,3],[0,1,2]]", Portion::All, Shape::new(1, 3)), Some(Elements));
        // A board is detected immediately. An array of boards is detected at its end.
        assert_eq!(json_layout(b"[1,2,3,0]\n", Portion::SoFar, None), Some(Lines));
        assert_eq!(json_layout(b"[[1,2,3,0],[3,1,2,0]]\n", Portion::SoFar, None), None);
        assert_eq!(json_layout(b"[[1,2,3,0],[3,1", Portion::Limit, None), Some(Elements));
        // Whitespace alone does not decide.
        assert_eq!(json_layout(b" \t", Portion::SoFar, None), None);
        assert_eq!(json_layout(b" \t", Portion::All, None), Some(Lines));
    }
}
