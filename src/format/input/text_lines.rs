//! Lines and tokens of the text layouts.

use crate::board::Shape;
use crate::board::tokens::{BLANKS, is_separator};

/// A line without its comment.
pub fn without_comment(line: &[u8]) -> &[u8] {
    memchr::memchr(b'#', line).map_or(line, |at| &line[..at])
}

/// The tokens of a line, its comment left out.
pub fn tokens(line: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    let is_between = |&byte: &u8| is_separator(byte) || byte == b'\n';
    without_comment(line).split(is_between).filter(|token| !token.is_empty())
}

/// The lines of a record that hold a token.
pub fn lines(record: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    record.split(|&byte| byte == b'\n').filter(|line| tokens(line).next().is_some())
}

/// The value of a token that is nothing but digits, at most 18 of them.
pub fn number(token: &[u8]) -> Option<u64> {
    if token.is_empty() || token.len() > 18 {
        return None;
    }
    token.iter().try_fold(0, |number, byte| byte.is_ascii_digit().then(|| number * 10 + u64::from(byte - b'0')))
}

/// The number that stands alone on a line.
pub fn lone_number(line: &[u8]) -> Option<u64> {
    let mut tokens = tokens(line);
    let first = number(tokens.next()?)?;
    tokens.next().is_none().then_some(first)
}

/// The shape that a size line names: `n` or `rows cols`, each from 1 to 255 and of at most three
/// digits.
pub fn size<'a>(mut tokens: impl Iterator<Item = &'a [u8]>) -> Option<Shape> {
    let side = |token: &[u8]| if token.len() <= 3 { number(token).map(|side| side as usize) } else { None };
    let rows = side(tokens.next()?)?;
    let cols = tokens.next().map_or(Some(rows), side)?;
    if tokens.next().is_some() { None } else { Shape::new(rows, cols) }
}

/// True for several tiles written without separators: a token of at least two characters, each a
/// digit or a sign for the blank.
pub fn is_run(token: &[u8]) -> bool {
    token.len() >= 2 && token.iter().all(|byte| byte.is_ascii_digit() || BLANKS.contains(byte))
}

/// True for a run that is a whole row or a whole board of a shape on which every tile is one
/// character: tiles that are all different. Elsewhere a token is one tile, or none.
pub fn is_run_on(token: &[u8], shape: Shape) -> bool {
    if shape.cells() > 10 || (token.len() != shape.cols() && token.len() != shape.cells()) || !is_run(token) {
        return false;
    }
    let tile = |byte: u8| if BLANKS.contains(&byte) { b'0' } else { byte };
    (1..token.len()).all(|at| token[..at].iter().all(|&before| tile(before) != tile(token[at])))
}

/// How many tiles a line holds when it is the first row of a board of unknown shape: its tokens, or
/// the characters of its only one.
pub fn row_length(line: &[u8]) -> usize {
    let mut rest = tokens(line);
    match (rest.next(), rest.next()) {
        (Some(token), None) if is_run(token) => token.len(),
        _ => tokens(line).count(),
    }
}
