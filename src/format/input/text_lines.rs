//! Lines and tokens of the text layouts.

use crate::board::Shape;
use crate::board::tokens::{BLANKS, is_separator};

/// Returns a line without its comment.
pub fn without_comment(line: &[u8]) -> &[u8] {
    memchr::memchr(b'#', line).map_or(line, |at| &line[..at])
}

/// Returns the tokens of a line without its comment.
pub fn tokens(line: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    let is_between = |&byte: &u8| is_separator(byte) || byte == b'\n';
    without_comment(line).split(is_between).filter(|token| !token.is_empty())
}

/// Returns a record's lines that contain at least one token.
pub fn lines(record: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    record.split(|&byte| byte == b'\n').filter(|line| tokens(line).next().is_some())
}

/// Returns the value of a token of 1 to 18 digits.
pub fn number(token: &[u8]) -> Option<u64> {
    if token.is_empty() || token.len() > 18 {
        return None;
    }
    token.iter().try_fold(0, |number, byte| byte.is_ascii_digit().then(|| number * 10 + u64::from(byte - b'0')))
}

/// Returns the number on a line that contains nothing else.
pub fn lone_number(line: &[u8]) -> Option<u64> {
    let mut tokens = tokens(line);
    number(tokens.next()?).filter(|_| tokens.next().is_none())
}

/// Returns the shape in a size line: `n` or `rows cols`, each from 1 to 255 and of at most three
/// digits.
pub fn size<'a>(mut tokens: impl Iterator<Item = &'a [u8]>) -> Option<Shape> {
    let side = |token: &[u8]| if token.len() <= 3 { number(token).map(|side| side as usize) } else { None };
    let rows = side(tokens.next()?)?;
    let cols = tokens.next().map_or(Some(rows), side)?;
    if tokens.next().is_some() { None } else { Shape::new(rows, cols) }
}

/// Returns true for a run: two or more tiles without separators, all of them digits or blanks.
pub fn is_run(token: &[u8]) -> bool {
    token.len() >= 2 && token.iter().all(|byte| byte.is_ascii_digit() || BLANKS.contains(byte))
}

/// Returns true for a run of distinct tiles that is as long as a row or a board of this shape.
/// Returns false if the shape has tiles of two digits.
pub fn is_run_of_shape(token: &[u8], shape: Shape) -> bool {
    if shape.cells() > 10 || (token.len() != shape.cols() && token.len() != shape.cells()) || !is_run(token) {
        return false;
    }
    let tile = |byte: u8| if BLANKS.contains(&byte) { b'0' } else { byte };
    (1..token.len()).all(|at| token[..at].iter().all(|&before| tile(before) != tile(token[at])))
}

/// Returns the number of tiles in a line that is the first row of a board of unknown shape: the
/// length of a run, or the number of tokens.
pub fn row_length(line: &[u8]) -> usize {
    let mut rest = tokens(line);
    match (rest.next(), rest.next()) {
        (Some(token), None) if is_run(token) => token.len(),
        _ => tokens(line).count(),
    }
}
